import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { amount, type Millis } from '@crossbook/domain';
import { WebSocket } from 'ws';
import { FaultBox } from '../../faults.ts';
import type { OpenedVenue } from '../../open-venue.ts';
import { openQuietVenue } from '../../quiet-venue.fixture.ts';
import { hexHmac } from '../wire/hmac.ts';
import { BybitDialect } from './dialect.ts';
import type { BybitLimits } from './rate-limits.ts';
import { logOnPayload, restPayload } from './sign.ts';

/** For tests only: the dialect on a port of its own, over a small venue whose clock moves by hand. */

/** Friday 2027-01-08 12:00:00.500 UTC: not on the edge of any bar or window. */
export const BEGINNING = Date.UTC(2027, 0, 8, 12, 0, 0, 500);
const WAIT_MILLIS_MAX = 30_000;
const UNLIMITED: BybitLimits = {
  addressCallsPer5SecondsMax: 1e12,
  connectionsPer5MinutesMax: 1e12,
  accountCallsFactor: 1e9,
};

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

/** How to send a signed call: GET with `params`, or POST with `body`. */
export interface SignedCall {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly timestamp?: number;
  readonly receiveWindow?: string;
  readonly secret?: string;
}

export class BybitRig {
  readonly venue: OpenedVenue;
  readonly url: string;
  readonly faults = new FaultBox();
  readonly dialect: BybitDialect;
  /** Faults of ours; a test that has any has failed. */
  readonly complaints: unknown[] = [];
  /** Markets that somebody watches right now, once for each who does. */
  readonly watched: string[] = [];
  readonly #clock: { now: number };
  readonly #server: Server;

  constructor(parts: {
    clock: { now: number };
    venue: OpenedVenue;
    server: Server;
    limits: Partial<BybitLimits>;
  }) {
    this.venue = parts.venue;
    this.#clock = parts.clock;
    this.#server = parts.server;
    const { slug, spot, perps } = parts.venue;
    this.dialect = new BybitDialect({
      venue: { slug, spot, perps, watch: (market, symbol) => this.#watch(market, symbol) },
      faults: this.faults,
      randomText: (length) => randomBytes(length).toString('hex').slice(0, length),
      limits: { ...UNLIMITED, ...parts.limits },
      onFault: (fault) => this.complaints.push(fault),
    });
    this.url = `http://127.0.0.1:${(parts.server.address() as AddressInfo).port}`;
    parts.server.on('request', (request, response) => {
      this.dialect.handleHttp(request, response).catch((fault: unknown) => this.complaints.push(fault));
    });
    parts.server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      if (!this.dialect.handleUpgrade(request, socket, head)) socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    });
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

  async key(label: string, funds: Readonly<Record<string, string>> = {}): Promise<KeyPair> {
    const account = await this.venue.spot.openAccount(label);
    for (const [asset, text] of Object.entries(funds)) {
      await this.venue.spot.credit(account, asset, amount(text), `${label}-${asset}`);
    }
    return await this.venue.spot.createKey(account);
  }

  /** Any request as it is. */
  async send(method: string, pathAndQuery: string, init: RequestInit = {}): Promise<RestAnswer> {
    const response = await fetch(this.url + pathAndQuery, { method, ...init });
    const text = await response.text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, body };
  }

  async get(path: string, params: Readonly<Record<string, string | number>> = {}): Promise<RestAnswer> {
    return await this.send('GET', `${path}?${encode(params)}`);
  }

  async signed(key: KeyPair, path: string, call: SignedCall = {}): Promise<RestAnswer> {
    const timestamp = String(call.timestamp ?? this.now);
    const receiveWindow = call.receiveWindow ?? '5000';
    const posted = call.body !== undefined;
    const sent = posted ? JSON.stringify(call.body) : encode(call.params ?? {});
    const payload = restPayload({ timestamp, apiKey: key.apiKey, receiveWindow, sent });
    const headers = {
      'x-bapi-api-key': key.apiKey,
      'x-bapi-timestamp': timestamp,
      'x-bapi-recv-window': receiveWindow,
      'x-bapi-sign': hexHmac(call.secret ?? key.secret, payload),
      ...(posted ? { 'content-type': 'application/json' } : {}),
    };
    return posted
      ? await this.send('POST', path, { headers, body: sent })
      : await this.send('GET', sent === '' ? path : `${path}?${sent}`, { headers });
  }

  async socket(path: string): Promise<TestSocket> {
    const socket = new TestSocket(this.url.replace('http', 'ws') + path);
    await socket.opened;
    return socket;
  }

  /** A private or trade socket that has logged on. */
  async loggedOn(path: string, key: KeyPair): Promise<TestSocket> {
    const socket = await this.socket(path);
    socket.send({ op: 'auth', args: this.logOn(key) });
    await socket.hear((message) => message.op === 'auth');
    return socket;
  }

  /** The arguments of a log-on. */
  logOn({ apiKey, secret }: KeyPair, expires = this.now + 10_000): readonly unknown[] {
    return [apiKey, expires, hexHmac(secret, logOnPayload(String(expires)))];
  }

  async close(): Promise<void> {
    this.dialect.close();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    this.dialect.dropSockets('all');
    await closed;
    await this.venue.close();
  }

  #watch(market: 'spot' | 'perps', symbol: string): () => void {
    const name = `${market} ${symbol}`;
    this.watched.push(name);
    const stop = this.venue.watch(market, symbol);
    return () => {
      this.watched.splice(this.watched.indexOf(name), 1);
      stop();
    };
  }
}

function encode(params: Readonly<Record<string, string | number>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
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

  close(): void {
    this.socket.terminate();
  }
}

/** Starts a rig; the venue's limits hold only where they are named. */
export async function startRig(limits: Partial<BybitLimits> = {}): Promise<BybitRig> {
  const clock = { now: BEGINNING };
  const venue = await openQuietVenue('bybit', { clock: () => clock.now as Millis });
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new BybitRig({ clock, venue, server, limits });
}
