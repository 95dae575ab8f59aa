import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Millis } from '@crossbook/domain';
import type { FetchText } from '@crossbook/venues';
import type {
  BinanceTradingOptions,
  OpenTextSocket,
  SendHttp,
  VenueCredentials,
} from '@crossbook/venues/trading';

/** A simulator in its own process, and the means to steer it. */
export interface SimulatorVenue {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** `ws://127.0.0.1:PORT`. */
  readonly socketUrl: string;
  admin(call: string, body?: object, method?: string): Promise<Record<string, unknown>>;
  /** Makes an account with a key and funds. */
  member(label: string, funds: Readonly<Record<string, string>>): Promise<VenueCredentials>;
  stop(): Promise<void>;
}

/** Starts a simulator on a free port; resolves when it takes calls. `limits`: whether the venue's rate limits hold. */
export async function startSimulator(seed: number, limits: 'on' | 'off' = 'on'): Promise<SimulatorVenue> {
  const main = fileURLToPath(new URL('../../packages/simulator/src/main.ts', import.meta.url));
  const child: ChildProcess = spawn(
    process.execPath,
    [main, '--port', '0', '--seed', String(seed), '--supervised'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, SIM_LIMITS: limits },
    },
  );
  const ready = await firstLine(child);
  const { url, admin: adminBase } = JSON.parse(ready) as { url: string; admin: string };
  const admin = async (
    call: string,
    body: object = {},
    method = 'POST',
  ): Promise<Record<string, unknown>> => {
    const init = method === 'GET' ? { method } : { method, body: JSON.stringify(body) };
    const answer = await fetch(`${adminBase}/${call}`, init);
    if (answer.status !== 200) throw new Error(`admin ${call}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  return {
    url,
    socketUrl: url.replace(/^http/, 'ws'),
    admin,
    async member(label, funds) {
      const key = await admin('keys', { label });
      for (const [asset, amount] of Object.entries(funds)) {
        await admin('credit', { label, asset, amount, creditId: `${label}-${asset}` });
      }
      return { apiKey: String(key.apiKey), secret: String(key.secret) };
    },
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

const now = (): Millis => Date.now() as Millis;

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

/** Options of the trading half with real sockets, HTTP, clock and timers. */
export function tradingOptions(venue: SimulatorVenue): BinanceTradingOptions {
  return {
    restBase: venue.url,
    wsApiUrl: `${venue.socketUrl}/ws-api/v3`,
    clock: now,
    random: Math.random,
    timers: {
      after(millis, run) {
        const timer = setTimeout(run, millis);
        return () => clearTimeout(timer);
      },
    },
    sendHttp,
    openSocket,
  };
}

/** Waits until a condition holds; the test's own time-out is the bound. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    if (await holds()) return;
    await new Promise((next) => setTimeout(next, 10));
  }
  throw new Error(`never came true: ${what}`);
}
