import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type Amount, amount, type Millis, type PlatformSlug } from '@crossbook/domain';
import { WebSocket } from 'ws';
import type { OpenedExchange } from '../../core.ts';
import type { ReplayPlan } from '../../market/replay.ts';
import { type OpenedVenue, openVenues } from '../../open-venue.ts';
import { type SimulatorServer, serveSimulator } from '../../server.ts';
import { hexHmac } from '../wire/hmac.ts';
import type { BinanceLimits } from './rate-limits.ts';

/** For tests only: a whole simulator in this process whose clock moves by hand. */

/** Friday 2026-01-02 12:00:00.500 UTC: not on the edge of any bar or window. */
const BEGINNING = Date.UTC(2026, 0, 2, 12, 0, 0, 500);
const SEED = 7;
const WAIT_MILLIS_MAX = 30_000;

export interface KeyPair {
  readonly apiKey: string;
  readonly secret: string;
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // Tests look into answers whose shape is the very thing under test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

type Params = Readonly<Record<string, string | number | boolean>>;

/** How to send a signed call. */
export interface SignedCall {
  readonly method?: string;
  readonly params?: Params;
  readonly body?: Params;
  readonly timestamp?: number;
}

export class TestRig {
  readonly venue: OpenedVenue;
  readonly exchange: OpenedExchange;
  readonly server: SimulatorServer;
  readonly faults: unknown[];
  readonly #clock: { now: number };
  readonly #venues: readonly OpenedVenue[];

  constructor(parts: {
    venue: OpenedVenue;
    venues: readonly OpenedVenue[];
    server: SimulatorServer;
    faults: unknown[];
    clock: { now: number };
  }) {
    this.venue = parts.venue;
    this.#venues = parts.venues;
    this.exchange = parts.venue.spot;
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
      for (const venue of this.#venues) venue.step(this.#clock.now as Millis);
    }
  }

  /** Moves time without letting anything happen. */
  letPass(millis: number): void {
    this.#clock.now += millis;
  }

  async key(label: string, funds: Readonly<Record<string, string>> = {}): Promise<KeyPair> {
    const account = await this.exchange.openAccount(label);
    for (const [asset, text] of Object.entries(funds)) {
      const given: Amount = amount(text);
      await this.exchange.credit(account, asset, given, `${label}-${asset}`);
    }
    return await this.exchange.createKey(account);
  }

  /** Any request as it is. */
  async send(method: string, pathAndQuery: string, init: RequestInit = {}): Promise<RestAnswer> {
    const response = await fetch(this.server.url + pathAndQuery, { method, ...init });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  async get(path: string, params: Params = {}): Promise<RestAnswer> {
    return await this.send('GET', `${path}?${encode(params)}`);
  }

  async signed(key: KeyPair, path: string, call: SignedCall = {}): Promise<RestAnswer> {
    const query = encode({ ...call.params, timestamp: call.timestamp ?? this.now });
    const body = call.body === undefined ? '' : encode(call.body);
    const sign = hexHmac(key.secret, query + body);
    const headers: Record<string, string> = { 'x-mbx-apikey': key.apiKey };
    if (body !== '') headers['content-type'] = 'application/x-www-form-urlencoded';
    return await this.send(call.method ?? 'GET', `${path}?${query}&signature=${sign}`, {
      headers,
      ...(body === '' ? {} : { body }),
    });
  }

  async admin(method: string, call: string, body?: object): Promise<RestAnswer> {
    const response = await fetch(`${this.server.admin}/${call}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  async socket(path: string): Promise<TestSocket> {
    const socket = new TestSocket(this.server.url.replace('http', 'ws') + path);
    await socket.opened;
    return socket;
  }

  async close(): Promise<void> {
    await this.server.close();
    for (const venue of this.#venues) await venue.close();
  }
}

function encode(params: Params): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/** Who signs, and when. */
export interface Signer {
  readonly key: KeyPair;
  readonly now: number;
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
      this.heard.push(JSON.parse(String(data)));
      this.#wake();
    });
    this.socket.on('error', () => undefined);
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The first message that fits, heard already or yet to come. `meanwhile` runs between looks. */
  // biome-ignore lint/suspicious/noExplicitAny: messages are what is under test
  async hear(fits: (message: any) => boolean, meanwhile?: () => void): Promise<any> {
    const end = Date.now() + WAIT_MILLIS_MAX;
    for (;;) {
      const found = this.heard.find(fits);
      if (found !== undefined) return found;
      if (Date.now() > end)
        throw new Error(`not heard; heard was ${JSON.stringify(this.heard).slice(0, 2000)}`);
      meanwhile?.();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, 30);
      });
    }
  }

  /** One WebSocket API request and its answer. */
  // biome-ignore lint/suspicious/noExplicitAny: messages are what is under test
  async ask(id: number | string, method: string, params?: object): Promise<any> {
    this.send({ id, method, ...(params === undefined ? {} : { params }) });
    return await this.hear((message) => message.id === id);
  }

  /** The same, signed. */
  // biome-ignore lint/suspicious/noExplicitAny: messages are what is under test
  async askSigned(signer: Signer, id: number, method: string, params: object = {}): Promise<any> {
    const { key, now } = signer;
    const all: Record<string, unknown> = { ...params, apiKey: key.apiKey, timestamp: now };
    const payload = Object.keys(all)
      .sort()
      .map((name) => `${name}=${String(all[name])}`)
      .join('&');
    return await this.ask(id, method, { ...all, signature: hexHmac(key.secret, payload) });
  }

  close(): void {
    this.socket.terminate();
  }
}

/** Starts a rig. */
export async function startRig(
  options: {
    readonly limits?: Partial<BinanceLimits>;
    readonly replay?: ReplayPlan;
    /** Binance alone when absent; where given, Binance is the first. */
    readonly venues?: readonly PlatformSlug[];
  } = {},
): Promise<TestRig> {
  const clock = { now: BEGINNING };
  const now = () => clock.now as Millis;
  const faults: unknown[] = [];
  const opened = await openVenues(options.venues ?? ['binance'], {
    seed: SEED,
    clock: now,
    randomBytes: (size) => randomBytes(size),
    onFault: (fault) => faults.push(fault),
    ...(options.replay === undefined ? {} : { replay: options.replay }),
  });
  if (!opened.ok) throw new Error(opened.code);
  const venue = opened.value[0] as OpenedVenue;
  const server = await serveSimulator({
    venues: opened.value,
    port: 0,
    adminToken: 'test-token',
    randomText: (length) => randomBytes(length).toString('hex').slice(0, length),
    onFault: (fault) => faults.push(fault),
    binanceLimits: {
      streamMessagesPerSecondMax: 1000,
      connectionsPer5MinutesMax: 100_000,
      ...options.limits,
    },
  });
  return new TestRig({ venue, server, faults, clock, venues: opened.value });
}
