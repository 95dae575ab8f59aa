import { Agent, request } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { MemberKeys } from './order-hub.ts';

/** A load on one address: `callers` one after another each, or `rate` requests a second whatever comes back. */
export interface Load {
  readonly url: string;
  /** Absent: an empty body, for a bare echo. */
  readonly members?: readonly MemberKeys[];
  readonly callers?: number;
  readonly rate?: number;
  readonly seconds: number;
}

/**
 * One answer: how long it took from when it was due, and how much of that the load itself was late; when it came after the
 * load began, ms; and its code.
 */
export interface Answered {
  readonly millis: number;
  readonly late: number;
  readonly at: number;
  readonly code: number;
}

/**
 * Six for each member, as a browser opens. More at once than a listener's backlog would be lost by the kernel and tried
 * again after one and three seconds, which is then what is measured; a request that finds none waits, from when it is due.
 */
const CONNECTIONS_MAX = 384;

/** Runs a load in a thread of its own, so that the callers' work is not the hub's. */
export function load(wanted: Load): Promise<readonly Answered[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { load: wanted } });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

const FIELDS =
  'sosflag=3&platformType=43&tinstType=1&symbol=BTCUSDT&side=1&orderType=1&timeInForce=1&price=10';

async function run({ url, members, callers, rate, seconds }: Load): Promise<readonly Answered[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  const answers: Answered[] = [];
  const begin = performance.now();
  let turn = 0;
  const ask = (due: number): Promise<void> =>
    new Promise((resolve, reject) => {
      turn += 1;
      const late = performance.now() - due;
      const member = members?.[turn % members.length];
      const body = member === undefined ? '' : `${FIELDS}&quantity=0.5&stoken=${member.stoken}`;
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        ...(member === undefined ? {} : { cookie: `sid=${member.cookie}` }),
      };
      const asked = request(url, { method: 'POST', agent, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part) => {
          text += part;
        });
        answer.once('end', () => {
          const { code } = JSON.parse(text) as { readonly code: number };
          const now = performance.now();
          answers.push({ millis: now - due, late, at: now - begin, code });
          resolve();
        });
      });
      asked.once('error', reject);
      asked.end(body);
    });
  const end = begin + seconds * 1_000;
  if (callers !== undefined) {
    const one = async (): Promise<void> => {
      while (performance.now() < end) await ask(performance.now());
    };
    await Promise.all(Array.from({ length: callers }, one));
    return answers;
  }
  const waiting: Promise<void>[] = [];
  const gap = 1_000 / (rate ?? 1);
  for (let due = begin; due < end; due += gap) {
    const pause = due - performance.now();
    // Also when late: answers must be read while requests are made.
    await new Promise<void>((next) => (pause > 1 ? setTimeout(next, pause) : setImmediate(next)));
    waiting.push(ask(due));
  }
  await Promise.all(waiting);
  return answers;
}

const given: { readonly load?: Load } | null = workerData;
if (given?.load !== undefined) parentPort?.postMessage(await run(given.load));
