import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { amount, type Millis } from '@crossbook/domain';
import { WebSocket } from 'ws';
import type { AccountNumber } from '../../exchange.ts';
import { FaultBox } from '../../faults.ts';
import type { OpenedVenue } from '../../open-venue.ts';
import { type SimulatorServer, serveSimulator } from '../../server.ts';
import type { Dialect } from '../dialect.ts';

/** For tests only: what the rigs of all dialects share. Their clock moves by hand. */

const WAIT_MILLIS_MAX = 30_000;

/** A key as the core made it. */
export interface KeyPair {
  readonly apiKey: string;
  readonly secret: string;
}

/** An answer by REST. */
export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // Tests look into answers whose shape is the very thing under test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

/** Parameters of a call. */
export type Params = Readonly<Record<string, string | number | boolean>>;

/** The parameters as a query. */
export function encode(params: Params): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

let named = 0;
/** A label that no account has yet. */
export function unique(label: string): string {
  named += 1;
  return `${label}-${named}`;
}

/** Random letters and digits. */
export function randomText(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}

/** Venues whose clock moves by hand, behind an address. */
export interface RigParts {
  readonly clock: { now: number };
  readonly venues: readonly OpenedVenue[];
  readonly url: string;
  /** Where faults of ours are put; a list of the rig's own when absent. */
  readonly complaints?: unknown[];
}

/** What every rig can: time, requests, sockets, accounts. */
export abstract class Rig {
  readonly venue: OpenedVenue;
  readonly url: string;
  /** Faults of ours; a test that has any has failed. */
  readonly complaints: unknown[];
  readonly #clock: { now: number };
  readonly #venues: readonly OpenedVenue[];

  constructor({ clock, venues, url, complaints = [] }: RigParts) {
    this.complaints = complaints;
    this.venue = venues[0] as OpenedVenue;
    this.url = url;
    this.#clock = clock;
    this.#venues = venues;
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

  /** An account with funds. */
  async account(label: string, funds: Readonly<Record<string, string>> = {}): Promise<AccountNumber> {
    const account = await this.venue.spot.openAccount(label);
    for (const [asset, text] of Object.entries(funds)) {
      await this.venue.spot.credit(account, asset, amount(text), `${label}-${asset}`);
    }
    return account;
  }

  /** The key of a new account with funds. */
  async key(label: string, funds: Readonly<Record<string, string>> = {}): Promise<KeyPair> {
    return await this.venue.spot.createKey(await this.account(label, funds));
  }

  /** Any request as it is. */
  async send(method: string, pathAndQuery: string, init: RequestInit = {}): Promise<RestAnswer> {
    return await answerOf(fetch(this.url + pathAndQuery, { method, ...init }));
  }

  async get(path: string, params: Params = {}): Promise<RestAnswer> {
    const query = encode(params);
    return await this.send('GET', query === '' ? path : `${path}?${query}`);
  }

  async socket(path: string): Promise<TestSocket> {
    return await new TestSocket(this.url.replace('http', 'ws') + path).whenOpen();
  }

  async close(): Promise<void> {
    for (const venue of this.#venues) await venue.close();
  }
}

async function answerOf(fetched: Promise<Response>): Promise<RestAnswer> {
  const response = await fetched;
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

/** A whole simulator, with its admin API. */
export class ServerRig extends Rig {
  readonly server: SimulatorServer;

  constructor(parts: Omit<RigParts, 'url'> & { readonly server: SimulatorServer }) {
    super({ ...parts, url: parts.server.url });
    this.server = parts.server;
  }

  async admin(method: string, call: string, body?: object): Promise<RestAnswer> {
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return await answerOf(fetch(`${this.server.admin}/${call}`, init));
  }

  override async close(): Promise<void> {
    await this.server.close();
    await super.close();
  }
}

/** Serves venues as the process does. */
export async function serveVenues(
  venues: readonly OpenedVenue[],
  complaints: unknown[],
  options: Partial<Parameters<typeof serveSimulator>[0]> = {},
): Promise<SimulatorServer> {
  return await serveSimulator({
    venues,
    port: 0,
    adminToken: 'test-token',
    randomText,
    onFault: (fault) => complaints.push(fault),
    ...options,
  });
}

/** One dialect on a port of its own, over a small venue. */
export abstract class DialectRig extends Rig {
  readonly faults = new FaultBox();
  /** Markets that somebody watches right now, once for each who does: `spot BTCUSDT`. */
  readonly watched: string[] = [];
  readonly #server: Server;
  #dialect: Dialect | undefined;

  constructor(parts: Omit<RigParts, 'url'> & { readonly server: Server }) {
    super({ ...parts, url: `http://127.0.0.1:${(parts.server.address() as AddressInfo).port}` });
    this.#server = parts.server;
  }

  /** The dialect under test. */
  get dialect(): Dialect {
    if (this.#dialect === undefined) throw new Error('the dialect is not served yet');
    return this.#dialect;
  }

  /** Puts a dialect behind the port. */
  protected serve(dialect: Dialect): void {
    this.#dialect = dialect;
    this.#server.on('request', (request, response) => {
      dialect.handleHttp(request, response).catch((fault: unknown) => this.complaints.push(fault));
    });
    this.#server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      if (!dialect.handleUpgrade(request, socket, head)) socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    });
  }

  protected watch(market: 'spot' | 'perps', symbol: string): () => void {
    const name = `${market} ${symbol}`;
    this.watched.push(name);
    const stop = this.venue.watch(market, symbol);
    return () => {
      this.watched.splice(this.watched.indexOf(name), 1);
      stop();
    };
  }

  override async close(): Promise<void> {
    this.dialect.close();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    this.dialect.dropSockets('all');
    await closed;
    await super.close();
  }
}

/** A listening server without a handler. */
export async function openServer(): Promise<Server> {
  const server = createServer();
  // On a busy machine the pause between two requests outlasts Node's five seconds, and the second one meets a closing line.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
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

  async whenOpen(): Promise<this> {
    await this.opened;
    return this;
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

  /** Sends one request under an id. @returns its answer. */
  // biome-ignore lint/suspicious/noExplicitAny: messages are what is under test
  async ask(id: number | string, method: string, params?: object): Promise<any> {
    this.send({ id, method, ...(params === undefined ? {} : { params }) });
    return await this.hear((message) => message.id === id);
  }

  close(): void {
    this.socket.terminate();
  }
}
