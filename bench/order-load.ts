import { connect, type Socket } from 'node:net';
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
  /** Orders that rest; otherwise such that end at once, unfilled. */
  readonly resting?: boolean;
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

/** Six for each member, as a browser opens; a request that finds none free waits, from when it is due. */
const CONNECTIONS_MAX = 384;

/** Runs a load in a thread of its own, so that the callers' work is not the hub's. */
export function load(wanted: Load): Promise<readonly Answered[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { load: wanted } });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

const FIELDS = 'sosflag=3&platformType=43&tinstType=1&symbol=BTCUSDT&side=1&orderType=1&price=10';
/** Good till cancelled, and immediate or cancel. */
const [GTC, IOC] = [1, 2];

/** One connection: one request at a time, written by hand, for a client that takes its time is measured with the hub. */
class Line {
  readonly #socket: Socket;
  #text = '';
  #answered: (code: number) => void = () => undefined;

  constructor(socket: Socket) {
    this.#socket = socket.setEncoding('latin1').setNoDelay();
    socket.on('data', (part) => this.#read(String(part)));
  }

  ask(message: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#socket.once('close', () => reject(new Error('a connection was lost')));
      this.#socket.write(message);
    });
  }

  end(): void {
    this.#socket.removeAllListeners('close').destroy();
  }

  #read(part: string): void {
    this.#text += part;
    const head = this.#text.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(this.#text)?.[1]);
    if (head < 0 || this.#text.length < head + 4 + length) return;
    const { code } = JSON.parse(this.#text.slice(head + 4)) as { readonly code: number };
    this.#text = '';
    this.#socket.removeAllListeners('close');
    this.#answered(code);
  }
}

async function linesTo({ hostname, port }: URL, count: number): Promise<Line[]> {
  const open = () =>
    new Promise<Line>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new Line(socket)));
      socket.once('error', reject);
    });
  return Promise.all(Array.from({ length: count }, open));
}

function messageOf({ pathname, host }: URL, member: MemberKeys | undefined, resting: boolean): string {
  const body =
    member === undefined
      ? ''
      : `${FIELDS}&timeInForce=${resting ? GTC : IOC}&quantity=0.5&stoken=${member.stoken}`;
  const cookie = member === undefined ? '' : `cookie: sid=${member.cookie}\r\n`;
  const type = 'content-type: application/x-www-form-urlencoded\r\n';
  return `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\n${type}${cookie}content-length: ${body.length}\r\n\r\n${body}`;
}

async function run({
  url,
  members,
  callers,
  rate,
  seconds,
  resting = false,
}: Load): Promise<readonly Answered[]> {
  const target = new URL(url);
  const messages = (members ?? [undefined]).map((member) => messageOf(target, member, resting));
  const free = await linesTo(target, callers ?? CONNECTIONS_MAX);
  const lines = [...free];
  const waiting: ((line: Line) => void)[] = [];
  const answers: Answered[] = [];
  const begin = performance.now();
  let turn = 0;
  const ask = async (due: number): Promise<void> => {
    turn += 1;
    const message = messages[turn % messages.length] ?? '';
    const line = free.pop() ?? (await new Promise<Line>((resolve) => waiting.push(resolve)));
    const late = performance.now() - due;
    const code = await line.ask(message);
    const now = performance.now();
    answers.push({ millis: now - due, late, at: now - begin, code });
    const next = waiting.shift();
    if (next === undefined) free.push(line);
    else next(line);
  };
  const end = begin + seconds * 1_000;
  if (callers === undefined) await atRate(ask, { begin, end, gap: 1_000 / (rate ?? 1) });
  else {
    const one = async (): Promise<void> => {
      while (performance.now() < end) await ask(performance.now());
    };
    await Promise.all(Array.from({ length: callers }, one));
  }
  for (const line of lines) line.end();
  return answers;
}

interface Span {
  readonly begin: number;
  readonly end: number;
  readonly gap: number;
}

async function atRate(ask: (due: number) => Promise<void>, { begin, end, gap }: Span): Promise<void> {
  const asked: Promise<void>[] = [];
  for (let due = begin; due < end; due += gap) {
    const pause = due - performance.now();
    // Also when late: answers must be read while requests are made.
    await new Promise<void>((next) => (pause > 1 ? setTimeout(next, pause) : setImmediate(next)));
    asked.push(ask(due));
  }
  await Promise.all(asked);
}

const given: { readonly load?: Load } | null = workerData;
if (given?.load !== undefined) parentPort?.postMessage(await run(given.load));
