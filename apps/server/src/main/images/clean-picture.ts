import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ok } from '@crossbook/domain';
import type { CleanPictureMaker, PictureMarker } from '../../accounts/kyc/kyc-ports.ts';

/** Bounds of the work on pictures; tests hand in smaller ones. */
export interface PictureBounds {
  /** A process that takes longer is killed. */
  readonly jobMillisMax: number;
  /** Processes at a time. */
  readonly jobsMax: number;
  /** Pictures that wait for one; beyond it they are refused at once. */
  readonly waitingMax: number;
}

const BOUNDS: PictureBounds = { jobMillisMax: 10_000, jobsMax: 2, waitingMax: 8 };
/** A JPEG of the largest size that is kept stays far below. */
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const HEAD_BYTES = 8;
const HEAP_MEGABYTES_MAX = 64;
/** Exit code of a worker whose library does not load here. */
const NOT_LOADED = 4;
const WORKER = fileURLToPath(new URL('./picture-worker.mjs', import.meta.url));

/** What runs a worker; tests hand in others. */
export interface Worker {
  readonly program?: string;
  readonly script?: readonly string[];
}

/** What a worker does, and with which words. */
type PictureJob = readonly ['clean' | 'probe'] | readonly ['mark', string];

/** How a process ended. */
interface Ended {
  /** False: there was none, for the machine has no more processes or files to give, or the program is not there. */
  readonly started: boolean;
  readonly exitCode: number | undefined;
  readonly output: Buffer;
  readonly words: string;
}

const NOT_STARTED: Ended = { started: false, exitCode: undefined, output: Buffer.alloc(0), words: '' };

/** Starts a worker. It gets nothing of our environment, where secrets are. */
function start(
  { program = process.execPath, script = [WORKER] }: Worker,
  args: readonly string[],
): ChildProcess {
  return spawn(program, [`--max-old-space-size=${HEAP_MEGABYTES_MAX}`, ...script, ...args], {
    env: {},
    stdio: 'pipe',
  });
}

/** Runs a worker once. It is killed, not asked; it does the same to itself, should nobody be left who could. */
function run(worker: Worker, job: PictureJob, input: Uint8Array, jobMillisMax: number): Promise<Ended> {
  const [name, ...marks] = job;
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = start(worker, [name, String(jobMillisMax), ...marks]);
    } catch (error) {
      resolve({ ...NOT_STARTED, words: String(error) });
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    let words = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), jobMillisMax);
    const end = (exitCode: number | undefined): void => {
      clearTimeout(timer);
      const started = child.pid !== undefined;
      resolve({ started, exitCode, output: Buffer.concat(chunks), words: words.trim() });
    };
    // First of all: a process that did not start says so next, and where files have run out it has no pipes at all.
    child.on('error', (error) => {
      words ||= error.message;
      end(undefined);
    });
    child.on('close', (code) => end(code ?? undefined));
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > OUTPUT_BYTES_MAX) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      words = (words + chunk.toString('utf8')).slice(0, 1_000);
    });
    // A worker that died does not read on.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Runs jobs on pictures, each in a process of its own. */
function pictureJobs(
  bounds: PictureBounds,
  worker: Worker,
): (job: PictureJob, bytes: Uint8Array) => ReturnType<CleanPictureMaker> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (job, bytes) => {
    if (running === bounds.jobsMax) {
      if (waiting.length >= bounds.waitingMax) return { ok: false, code: 'busy' };
      await new Promise<void>((begin) => waiting.push(begin));
    } else running += 1;
    try {
      const { started, exitCode, output } = await run(worker, job, bytes, bounds.jobMillisMax);
      if (!started || exitCode === NOT_LOADED) return { ok: false, code: 'away' };
      if (exitCode !== 0 || output.length <= HEAD_BYTES) return { ok: false, code: 'unreadable' };
      const [width, height] = [output.readUInt32BE(0), output.readUInt32BE(4)];
      return { ok: true, value: { jpeg: output.subarray(HEAD_BYTES), width, height } };
    } finally {
      const next = waiting.shift();
      // The place goes on to who waits longest.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/**
 * Makes pictures anew, each in a process of its own.
 * @param worker another one, for tests of those that hang, die or never start.
 */
export function cleanPictures(bounds: PictureBounds = BOUNDS, worker: Worker = {}): CleanPictureMaker {
  const work = pictureJobs(bounds, worker);
  return (bytes) => work(['clean'], bytes);
}

/** Seconds of an ISO time end here. */
const SECONDS_END = 19;

/** Burns marks into pictures; places of its own, so that uploads of members keep no reviewer from his work. */
export function markPictures(bounds: PictureBounds = BOUNDS, worker: Worker = {}): PictureMarker {
  const work = pictureJobs(bounds, worker);
  return async (jpeg, by, now) => {
    const time = new Date(now).toISOString().slice(0, SECONDS_END).replace('T', ' ');
    const made = await work(['mark', `${by.toUpperCase()}\n${time} UTC`], jpeg);
    return made.ok ? ok(made.value.jpeg) : made;
  };
}

/** Whether pictures can be read here; if not, why, in words for the operator. */
export async function picturesFault(worker: Worker = {}): Promise<string | undefined> {
  const { started, exitCode, words } = await run(worker, ['probe'], new Uint8Array(0), BOUNDS.jobMillisMax);
  if (exitCode === 0) return undefined;
  const fault = started ? 'the package sharp does not load here' : 'no process can be started here';
  return `${fault}, so documents cannot be uploaded: ${words.split('\n')[0] ?? ''}`;
}
