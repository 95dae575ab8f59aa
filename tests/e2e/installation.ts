import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memoryFolder } from '../memory-folder.ts';
import { HubClient } from './hub-client.ts';

/** A whole installation as `npm start` makes it, on data of its own: supervisor, simulator, server and PostgreSQL. */

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const READY_MILLIS_MAX = 120_000;
const GONE_MILLIS_MAX = 30_000;
const LOOK_EVERY_MILLIS = 50;

/** The processes of an installation. */
export const PARTS = ['supervisor', 'simulator', 'server', 'postgres'] as const;
/** One of them. */
export type Part = (typeof PARTS)[number];

/** A member, and what a browser has to keep to be logged in. */
export interface Member {
  readonly email: string;
  readonly password: string;
  readonly client: HubClient;
}

/** A running installation. */
export interface Installation {
  readonly url: string;
  /** Its data directory: where commands beside it find it. */
  readonly data: string;
  /** Sends a signal to one process, by its id. */
  signal(part: Part, signal: NodeJS.Signals): void;
  /** kill -9 of the named processes at the same moment, as a power cut does, and waits until they are gone. */
  kill(parts: readonly Part[]): Promise<void>;
  /** Starts everything again on the same data and port. */
  startAgain(): Promise<void>;
  /** Waits until it answers. */
  ready(): Promise<void>;
  /** Signs a member up over the own service, with this much of test funds in the trading wallet. */
  member(tradingAmount?: string): Promise<Member>;
  /** Steers the simulated exchanges: a call of their admin API. */
  simulate(call: string, body: Readonly<Record<string, unknown>>): Promise<unknown>;
  stop(): Promise<void>;
}

/** Waits for a condition; fails with the sentence that says what was waited for. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  millisMax: number,
): Promise<void> {
  const deadline = performance.now() + millisMax;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${millisMax} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MILLIS));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // A killed orphan stays in the table until somebody waits for it: once its last thread is gone, so is it.
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] !== 'Z' || Number(fields[17]) > 1;
  } catch {
    return !existsSync('/proc/self/stat');
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}

/** Process id of a part as it is written down; `undefined` where nothing is. PostgreSQL ends with its server. */
function pidOf(data: string, part: Part): number | undefined {
  try {
    if (part === 'postgres') {
      return Number(readFileSync(join(data, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
    }
    const running = JSON.parse(readFileSync(join(data, 'running.json'), 'utf8'));
    return part === 'supervisor' ? running.pid : running[part];
  } catch {
    return undefined;
  }
}

/** Whether a living supervisor has said where it is; a killed one leaves its word behind. */
function isAnnounced(data: string): boolean {
  const pid = pidOf(data, 'supervisor');
  return pid !== undefined && isAlive(pid);
}

/** Everything that `npm start` prints, for the error of a start that fails. */
interface Start {
  readonly process: ChildProcess;
  readonly ended: Promise<void>;
  said(): string;
}

function spawnStart(data: string, port: number, environment: Readonly<Record<string, string>>): Start {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: { ...process.env, APP_ENV: 'test', DATA_DIR: data, PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const hear = (chunk: Buffer): void => {
    said += chunk.toString();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => resolve());
    child.on('error', () => resolve());
  });
  return { process: child, ended, said: () => said };
}

/** Starts an installation. `environment` adds to what `npm start` reads; nothing of it is set by default. */
export async function startInstallation(
  environment: Readonly<Record<string, string>> = {},
): Promise<Installation> {
  const data = mkdtempSync(join(memoryFolder(), 'crossbook e2e '));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const steering = { SIM_PORT: String(await freePort()), SIM_ADMIN_TOKEN: 'end-to-end' };
  const admin = `http://127.0.0.1:${steering.SIM_PORT}/sim/${steering.SIM_ADMIN_TOKEN}`;
  const spawnAll = (): Start => spawnStart(data, port, { ...steering, ...environment });
  let start = spawnAll();
  let members = 0;

  const ready = async (): Promise<void> => {
    let over = false;
    void start.ended.then(() => {
      over = true;
    });
    await until(
      `npm start to answer at ${url}`,
      async () => {
        if (over) throw new Error(`npm start ended:\n${start.said()}`);
        return isAnnounced(data) && (await answers(url));
      },
      READY_MILLIS_MAX,
    );
  };
  const gone = (pids: readonly number[]): Promise<void> =>
    until(`processes ${pids.join(', ')} to end`, () => !pids.some(isAlive), GONE_MILLIS_MAX);
  const living = (part: Part): number => {
    const pid = pidOf(data, part);
    if (pid === undefined || !isAlive(pid)) throw new Error(`no ${part} is running`);
    return pid;
  };
  await ready().catch(async (error: unknown) => {
    start.process.kill('SIGTERM');
    await start.ended;
    throw new Error(`the installation did not start:\n${start.said()}`, { cause: error });
  });

  return {
    ...{ url, data },
    signal(part, signal) {
      process.kill(living(part), signal);
    },
    async kill(parts) {
      const pids = parts.map(living);
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      await gone(pids);
    },
    async startAgain() {
      await start.ended;
      start = spawnAll();
      await ready();
    },
    ready,
    async simulate(call, body) {
      const answer = await fetch(`${admin}/${call}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${call}: ${answer.status} ${await answer.text()}`);
      return await answer.json();
    },
    async member(tradingAmount) {
      members += 1;
      const client = new HubClient(url);
      const email = `member${members}-${port}@example.org`;
      const password = 'Correct-horse-7';
      await client.signUp(email, password);
      if (tradingAmount !== undefined) await client.fund(tradingAmount);
      return { email, password, client };
    },
    async stop() {
      const pids = PARTS.flatMap((part) => pidOf(data, part) ?? []).filter(isAlive);
      // A test may have failed while the supervisor stood still; it could not end anything then.
      for (const pid of pids) process.kill(pid, 'SIGCONT');
      start.process.kill('SIGTERM');
      await start.ended;
      await gone(pids);
      rmSync(data, { recursive: true, force: true });
    },
  };
}
