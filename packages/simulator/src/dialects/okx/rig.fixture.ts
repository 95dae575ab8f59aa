import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { amount, type Millis } from '@crossbook/domain';
import { WebSocket } from 'ws';
import type { AccountNumber } from '../../exchange.ts';
import type { OpenedVenue } from '../../open-venue.ts';
import { openQuietVenue } from '../../quiet-venue.fixture.ts';
import { type SimulatorServer, serveSimulator } from '../../server.ts';
import { signature } from './sign.ts';

/** For tests only: a simulator with OKX alone in this process, whose clock moves by hand. */

/** Friday 2026-11-20 12:00:00.500 UTC: not on the edge of any bar or window. */
export const BEGINNING = Date.UTC(2026, 10, 20, 12, 0, 0, 500);
const WAIT_MILLIS_MAX = 30_000;

export interface Key {
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
  readonly account: AccountNumber;
}

export interface RestAnswer {
  readonly status: number;
  // Tests look into answers whose shape is the very thing under test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

/** How to send a signed call. */
export interface SignedCall {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the signature's time from the simulator's. */
  readonly offsetMillis?: number;
}

export class TestRig {
  readonly venue: OpenedVenue;
  readonly server: SimulatorServer;
  readonly faults: unknown[];
  readonly #clock: { now: number };

  constructor(parts: {
    readonly venue: OpenedVenue;
    readonly server: SimulatorServer;
    readonly faults: unknown[];
    readonly clock: { now: number };
  }) {
    this.venue = parts.venue;
    this.server = parts.server;
    this.faults = parts.faults;
    this.#clock = parts.clock;
  }

  get now(): number {
    return this.#clock.now;
  }

  /** Moves time in steps of the agents, letting them act at each. */
  advance(millis: number, stepMillis = 100): void {
    const end = this.#clock.now + millis;
    while (this.#clock.now < end) {
      this.#clock.now = Math.min(end, this.#clock.now + stepMillis);
      this.venue.step(this.#clock.now as Millis);
    }
  }

  /** Moves time without letting anything happen. */
  letPass(millis: number): void {
    this.#clock.now += millis;
  }

  async key(label: string, funds: Readonly<Record<string, string>> = {}): Promise<Key> {
    const account = await this.venue.spot.openAccount(label);
    for (const [asset, text] of Object.entries(funds)) {
      await this.venue.spot.credit(account, asset, amount(text), `${label}-${asset}`);
    }
    const passphrase = 'Pass-phrase1';
    return { account, passphrase, ...(await this.venue.spot.createKey(account, passphrase)) };
  }

  /** Any request as it is. */
  async send(method: string, pathAndQuery: string, init: RequestInit = {}): Promise<RestAnswer> {
    const response = await fetch(this.server.url + pathAndQuery, { method, ...init });
    return { status: response.status, body: await response.json() };
  }

  get(pathAndQuery: string): Promise<RestAnswer> {
    return this.send('GET', pathAndQuery);
  }

  signed(key: Key, method: string, pathAndQuery: string, call: SignedCall = {}): Promise<RestAnswer> {
    const timestamp = new Date(this.now + (call.offsetMillis ?? 0)).toISOString();
    const body = call.body === undefined ? '' : JSON.stringify(call.body);
    const headers = {
      'ok-access-key': key.apiKey,
      'ok-access-sign': signature(key.secret, timestamp + method + pathAndQuery + body),
      'ok-access-timestamp': timestamp,
      'ok-access-passphrase': key.passphrase,
      'content-type': 'application/json',
      ...call.headers,
    };
    return this.send(method, pathAndQuery, body === '' ? { headers } : { headers, body });
  }

  async admin(method: string, call: string, body?: object): Promise<RestAnswer> {
    const response = await fetch(`${this.server.admin}/${call}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify({ venue: 'okx', ...body }) }),
    });
    return { status: response.status, body: await response.json() };
  }

  async socket(path: 'public' | 'business' | 'private'): Promise<TestSocket> {
    const socket = new TestSocket(`${this.server.url.replace('http', 'ws')}/ws/v5/${path}`);
    await socket.opened;
    return socket;
  }

  /** A private socket of this key. */
  async loggedIn(key: Key): Promise<TestSocket> {
    const socket = await this.socket('private');
    socket.send({ op: 'login', args: [this.loginArgument(key)] });
    await socket.hear((message) => message.event === 'login');
    return socket;
  }

  loginArgument(key: Key, offsetSeconds = 0): Readonly<Record<string, string>> {
    const timestamp = String(Math.floor(this.now / 1_000) + offsetSeconds);
    const { apiKey, passphrase } = key;
    const sign = signature(key.secret, `${timestamp}GET/users/self/verify`);
    return { apiKey, passphrase, timestamp, sign };
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.venue.close();
  }
}

/** A socket that keeps what it hears until a test asks for it. */
export class TestSocket {
  readonly socket: WebSocket;
  readonly opened: Promise<unknown>;
  readonly closed: Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: messages are what is under test
  readonly heard: any[] = [];
  #wake: () => void = () => undefined;

  constructor(address: string) {
    this.socket = new WebSocket(address);
    this.opened = once(this.socket, 'open');
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('message', (data) => {
      const text = String(data);
      this.heard.push(text === 'pong' ? text : JSON.parse(text));
      this.#wake();
    });
    this.socket.on('error', () => undefined);
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  subscribe(...args: readonly object[]): void {
    this.send({ id: '1', op: 'subscribe', args });
  }

  /** Everything pushed on a channel so far. */
  // biome-ignore lint/suspicious/noExplicitAny: messages are what is under test
  pushes(channel: string): any[] {
    return this.heard.filter((message) => message.arg?.channel === channel && message.event === undefined);
  }

  /** The first message that fits, heard already or yet to come. `meanwhile` runs between looks. */
  // biome-ignore lint/suspicious/noExplicitAny: messages are what is under test
  async hear(fits: (message: any) => boolean, meanwhile?: () => void): Promise<any> {
    const end = Date.now() + WAIT_MILLIS_MAX;
    for (;;) {
      const found = this.heard.find(fits);
      if (found !== undefined) return found;
      if (Date.now() > end) {
        throw new Error(`not heard; heard was ${JSON.stringify(this.heard).slice(0, 2000)}`);
      }
      meanwhile?.();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, 30);
      });
    }
  }

  close(): void {
    this.socket.terminate();
  }
}

/** Starts a rig. `limited`: whether rate limits hold. */
export async function startRig(options: { readonly limited?: boolean } = {}): Promise<TestRig> {
  const clock = { now: BEGINNING };
  const venue = await openQuietVenue('okx', { clock: () => clock.now as Millis });
  const faults: unknown[] = [];
  const server = await serveSimulator({
    venues: [venue],
    port: 0,
    adminToken: 'test-token',
    randomText: (length) => randomBytes(length).toString('hex').slice(0, length),
    onFault: (fault) => faults.push(fault),
    limited: options.limited ?? false,
  });
  return new TestRig({ venue, server, faults, clock });
}
