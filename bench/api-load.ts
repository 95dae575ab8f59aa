import { Agent, request } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** One request as it goes over the line. */
export interface Asked {
  readonly path: string;
  readonly body: string;
  readonly cookie: string;
}

/** What a load came to: milliseconds of each answer, how long it all took, and how many answers had a code. */
export interface Answers {
  readonly millis: Float64Array;
  readonly tookMillis: number;
  readonly codes: Readonly<Record<string, number>>;
}

interface Plan {
  readonly url: string;
  readonly callers: number;
  readonly asked: readonly Asked[];
}

/** Sends each request once, by so many callers one after another each, from a thread of its own. */
export function askAll(plan: Plan): Promise<Answers> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { plan } });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function ask(url: URL, agent: Agent, { path, body, cookie }: Asked): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      ...(cookie === '' ? {} : { cookie }),
    };
    const sent = request(
      { host: url.hostname, port: url.port, path, method: 'POST', agent, headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => {
          text += part;
        });
        answer.once('end', () => resolve(Number(/"code":(-?\d+)/.exec(text)?.[1] ?? Number.NaN)));
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

async function run({ url, callers, asked }: Plan): Promise<Answers> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const target = new URL(url);
  const millis = new Float64Array(asked.length);
  const codes: Record<string, number> = {};
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let at = next++; at < asked.length; at = next++) {
      const begun = performance.now();
      const code = await ask(target, agent, asked[at] as Asked);
      millis[at] = performance.now() - begun;
      codes[code] = (codes[code] ?? 0) + 1;
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: callers }, caller));
  const tookMillis = performance.now() - begun;
  agent.destroy();
  return { millis, tookMillis, codes };
}

const { plan } = (workerData ?? {}) as { readonly plan?: Plan };
if (plan !== undefined && parentPort !== null) parentPort.postMessage(await run(plan));
