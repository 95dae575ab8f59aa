import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  type Amount,
  type Instrument,
  type Millis,
  type PlatformSlug,
  stepsToAmount,
} from '@crossbook/domain';
import type { FetchText, VenuePublic } from '@crossbook/venues';
import type { OpenTextSocket, SendHttp, Timers, VenueCredentials } from '@crossbook/venues/trading';
import { worldSeed } from '../world.ts';

/** One venue of a simulator in its own process, and the means to steer it. */
export interface SimulatorVenue {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** `ws://127.0.0.1:PORT`. */
  readonly socketUrl: string;
  /** Makes an account with a key and funds; the label `master` is the operator's own. */
  member(label: string, funds: Readonly<Record<string, string>>): Promise<VenueCredentials>;
  /** A market that stands still makes every figure exact. */
  pause(paused: boolean): Promise<void>;
  /** The next call or stream whose name begins so meets this fault. */
  plantFault(kind: string, match: string): Promise<void>;
  clearFaults(): Promise<void>;
  /** Pays funding of a contract now. */
  fund(symbol: string): Promise<void>;
  /** Multiplies the price of a market's coin; the market follows while it does not stand still. */
  shock(market: 'spot' | 'perps', symbol: string, factor: number): Promise<void>;
  /** Drops the private sockets of the venue. */
  dropSockets(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a simulator on a free port; resolves when it takes calls. `limits`: whether the venue's rate limits hold. */
export async function startSimulator(slug: PlatformSlug, limits: 'on' | 'off'): Promise<SimulatorVenue> {
  const main = fileURLToPath(new URL('../../packages/simulator/src/main.ts', import.meta.url));
  const child: ChildProcess = spawn(
    process.execPath,
    [main, '--port', '0', '--seed', worldSeed(5), '--supervised'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, SIM_LIMITS: limits },
    },
  );
  const ready = await firstLine(child);
  const { url, admin: adminBase } = JSON.parse(ready) as { url: string; admin: string };
  const admin = async (call: string, body: object, method = 'POST'): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${adminBase}/${call}`, { method, body: JSON.stringify(body) });
    if (answer.status !== 200) throw new Error(`admin ${call}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const venue = slug;
  return {
    url,
    socketUrl: url.replace(/^http/, 'ws'),
    async member(label, funds) {
      const { apiKey, secret, passphrase } = await admin('keys', { venue, label });
      for (const [asset, amount] of Object.entries(funds)) {
        await admin('credit', { venue, label, asset, amount, creditId: `${label}-${asset}-${amount}` });
      }
      const key = { apiKey: String(apiKey), secret: String(secret) };
      return passphrase === undefined ? key : { ...key, passphrase: String(passphrase) };
    },
    pause: async (paused) => void (await admin('agents', { venue, paused })),
    plantFault: async (kind, match) => void (await admin('faults', { kind, match, count: 1 })),
    clearFaults: async () => void (await admin('faults', {}, 'DELETE')),
    fund: async (symbol) => void (await admin('funding', { venue, symbol })),
    shock: async (market, symbol, factor) => void (await admin('shock', { venue, market, symbol, factor })),
    dropSockets: async () => void (await admin('sockets/drop', { venue, kind: 'api' })),
    stop: () =>
      new Promise((stopped) => {
        child.once('exit', () => stopped());
        child.kill('SIGTERM');
      }),
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the simulator ended with ${code}`)));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).once('line', resolve);
  });
}

/** The clock of connectors and tests. */
export const now = (): Millis => Date.now() as Millis;

/** GET by the platform's own client. */
export const fetchText: FetchText = async (url) => {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
};

const sendHttp: SendHttp = async ({ method, url, headers, body, timeoutMillis }) => {
  const signal = AbortSignal.timeout(timeoutMillis);
  const answer = await fetch(url, { method, headers, signal, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
};

const openSocket: OpenTextSocket = (url, events) => {
  const socket = new WebSocket(url);
  let closed = false;
  const close = (why: string): void => {
    if (!closed) events.onClose(why);
    closed = true;
  };
  socket.addEventListener('open', () => events.onOpen());
  socket.addEventListener('message', (message) => events.onText(String(message.data)));
  socket.addEventListener('close', (event) => close(`closed ${event.code}`));
  socket.addEventListener('error', () => close('failed'));
  return { send: (text) => socket.send(text), close: () => socket.close() };
};

/** What every venue's trading half takes, with real sockets, HTTP, clock and timers. */
export function tradingOptions(restBase: string) {
  const timers: Timers = {
    after(millis, run) {
      const timer = setTimeout(run, millis);
      return () => clearTimeout(timer);
    },
  };
  return {
    ...{ restBase, clock: now, random: Math.random, timers, sendHttp, openSocket },
    answerMillisMax: 3_000,
  };
}

/** Takes the value of an answer that must be good. */
export function must<Value>(
  answer: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly code: string },
): Value {
  if (!answer.ok) throw new Error(answer.code);
  return answer.value;
}

/** Waits until a condition holds, seldom enough after a while that looking does not use up the venue's rate limit. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await holds()) return;
    await new Promise((next) => setTimeout(next, Math.min(10 * (tries + 1), 100)));
  }
  throw new Error(`never came true: ${what}`);
}

/** Asks again until the outcome is acceptable: our own budget of calls may put any call off. For what is safe to repeat. */
export async function askUntil<Outcome extends { readonly outcome: string }>(
  accepts: (outcome: Outcome['outcome']) => boolean,
  ask: () => Promise<Outcome>,
): Promise<Outcome> {
  let last = await ask();
  await until('the outcome is acceptable', async () => {
    if (accepts(last.outcome)) return true;
    last = await ask();
    return false;
  });
  return last;
}

/**
 * The best bid of a book that stands still. Where the best offer is the next tick, the market goes on for a moment: an order
 * between the sides would trade at once.
 */
export async function bidBelowRoom(
  { rest, simulator }: { readonly rest: VenuePublic['rest']; readonly simulator: SimulatorVenue },
  instrument: Instrument,
): Promise<Amount> {
  let bid = 0;
  await until('there is room between the sides', async () => {
    const { bids, asks } = must(await rest.depth(instrument, 5));
    bid = bids[0]?.[0] ?? 0;
    if ((asks[0]?.[0] ?? 0) - bid > 1) return true;
    await simulator.pause(false);
    await new Promise((next) => setTimeout(next, 200));
    await simulator.pause(true);
    return false;
  });
  return stepsToAmount(bid, instrument.tickSize);
}
