import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Millis } from '@crossbook/domain';
import { FaultBox } from '../../faults.ts';
import type { OpenedVenue } from '../../open-venue.ts';
import { openQuietVenue } from '../../quiet-venue.fixture.ts';
import type { PerpFacts, PerpMarkets } from '../../venue.ts';
import { TestSocket } from '../binance/rig.fixture.ts';
import { BinanceFuturesDialect } from './dialect.ts';
import type { FuturesLimits } from './limits.ts';

/** For tests only: the dialect on a port of its own, over a small venue whose clock moves by hand. */

/** Friday 2027-01-08 12:00:00.500 UTC: not on the edge of any bar or window, and a quarter before a delivery. */
const BEGINNING = Date.UTC(2027, 0, 8, 12, 0, 0, 500);
const DAY_MILLIS = 86_400_000;

/** The contracts of the venue, one of them not yet open. */
function withPending(contracts: ReadonlyMap<string, PerpFacts>): ReadonlyMap<string, PerpFacts> {
  const changed = new Map(contracts);
  const doge = contracts.get('DOGEUSDT');
  if (doge === undefined) throw new Error('DOGEUSDT is not listed');
  const listedAt = (BEGINNING + DAY_MILLIS) as Millis;
  return changed.set('DOGEUSDT', { ...doge, status: 'BREAK', listedAt });
}

export class FuturesRig {
  readonly perps: PerpMarkets;
  readonly url: string;
  readonly faults: FaultBox;
  readonly dialect: BinanceFuturesDialect;
  /** Symbols that somebody watches right now, once for each who does. */
  readonly watched: string[] = [];
  /** Faults of ours; a test that has any has failed. */
  readonly complaints: unknown[] = [];
  readonly #clock: { now: number };
  readonly #venue: OpenedVenue;
  readonly #server: Server;

  constructor(parts: {
    clock: { now: number };
    venue: OpenedVenue;
    server: Server;
    limits: Partial<FuturesLimits>;
  }) {
    const { clock, venue, server } = parts;
    this.#clock = clock;
    this.#venue = venue;
    this.#server = server;
    const contracts = withPending(venue.perps.contracts);
    this.perps = { ...venue.perps, contracts, markets: contracts };
    this.faults = new FaultBox();
    this.dialect = new BinanceFuturesDialect({
      venue: { perps: this.perps, watch: (_, symbol) => this.#watch(symbol) },
      faults: this.faults,
      limits: parts.limits,
      onFault: (fault) => this.complaints.push(fault),
    });
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    server.on('request', (request, response) => {
      this.dialect.handleHttp(request, response).catch((fault: unknown) => this.complaints.push(fault));
    });
    server.on('upgrade', (request, socket, head) => {
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
      this.#venue.step(this.#clock.now as Millis);
    }
  }

  /** Moves time without letting anything happen. */
  letPass(millis: number): void {
    this.#clock.now += millis;
  }

  async get(
    pathAndQuery: string,
    init: RequestInit = {},
    // biome-ignore lint/suspicious/noExplicitAny: the shape of the answer is the very thing under test
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly body: any }> {
    const response = await fetch(this.url + pathAndQuery, init);
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  async socket(path: string): Promise<TestSocket> {
    const socket = new TestSocket(this.url.replace('http', 'ws') + path);
    await socket.opened;
    return socket;
  }

  async close(): Promise<void> {
    this.dialect.close();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    this.dialect.dropSockets('all');
    await closed;
    await this.#venue.close();
  }

  #watch(symbol: string): () => void {
    this.watched.push(symbol);
    const stop = this.#venue.watch('perps', symbol);
    return () => {
      this.watched.splice(this.watched.indexOf(symbol), 1);
      stop();
    };
  }
}

/** Starts a rig. Limits that tests would meet by chance are raised; name those that are under test. */
export async function startFuturesRig(limits: Partial<FuturesLimits> = {}): Promise<FuturesRig> {
  const clock = { now: BEGINNING };
  const venue = await openQuietVenue('binance', { clock: () => clock.now as Millis });
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const raised = { streamMessagesPerSecondMax: 1000, connectionsPer5MinutesMax: 100_000 };
  return new FuturesRig({ clock, venue, server, limits: { ...raised, ...limits } });
}
