import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { amount, type Millis } from '@crossbook/domain';
import { type OpenedExchange, openExchange } from '../../core.ts';
import type { MarketFacts } from '../../exchange.ts';
import { FaultBox } from '../../faults.ts';
import { LISTING } from '../../market/listing.ts';
import { volatileFiles } from '../../market/market-files.ts';
import { openMarketSide, type RunningMarketSide } from '../../market/market-side.ts';
import type { FundingPayment, PerpFacts, PerpMarkets } from '../../venue.ts';
import { TestSocket } from '../binance/rig.fixture.ts';
import { BinanceFuturesDialect } from './dialect.ts';
import type { FuturesLimits } from './limits.ts';

/**
 * For tests only: the dialect on a port of its own, over books that are traded by agents when the clock, which moves
 * by hand, is moved. The figures beside the books stand still, so that a test can name them.
 */

/** Friday 2026-01-02 12:00:00.500 UTC: not on the edge of any bar or window. */
const BEGINNING = Date.UTC(2026, 0, 2, 12, 0, 0, 500);
const DAY_MILLIS = 86_400_000;
const HOUR_MILLIS = 3_600_000;
const SEED = 7;

/** Figures of every contract of the rig. */
export const FIGURES = {
  mark: 69_001.5,
  index: 68_990.25,
  fundingRate: -0.000125,
  lastFundingRate: 0.0001,
  nextFundingTime: (BEGINNING - (BEGINNING % (8 * HOUR_MILLIS)) + 8 * HOUR_MILLIS) as Millis,
  openInterest: 81_234.567,
};

function contract(facts: MarketFacts, changes: Partial<PerpFacts> = {}): PerpFacts {
  return {
    ...facts,
    kind: 'PERPETUAL',
    settle: facts.quote,
    contractValue: amount('1'),
    maxLeverage: 125,
    fundingEveryMillis: 8 * HOUR_MILLIS,
    listedAt: (BEGINNING - 365 * DAY_MILLIS) as Millis,
    ...changes,
  };
}

/** What is listed: two that trade, one settling, one not yet open, one dated, one that settles in another coin. */
function listed(markets: ReadonlyMap<string, MarketFacts>): ReadonlyMap<string, PerpFacts> {
  const base = (symbol: string): MarketFacts => {
    const facts = markets.get(symbol);
    if (facts === undefined) throw new Error(`${symbol} is not listed`);
    return facts;
  };
  const contracts = [
    contract(base('BTCUSDT')),
    contract(base('ETHUSDT'), { fundingEveryMillis: 4 * HOUR_MILLIS }),
    contract({ ...base('SOLUSDT'), status: 'BREAK' }),
    contract({ ...base('XRPUSDT'), status: 'BREAK' }, { listedAt: (BEGINNING + DAY_MILLIS) as Millis }),
    contract(base('BTCUSDT_260327'), { kind: 'DATED', deliveryTime: Date.UTC(2026, 2, 27, 8) as Millis }),
    contract(base('BTCUSDC'), { quote: 'USDC', settle: 'USDC' }),
  ];
  return new Map(contracts.map((one) => [one.symbol, one]));
}

/** Payments every eight hours of the last ten days, ascending. */
function payments(): readonly FundingPayment[] {
  const last = FIGURES.nextFundingTime - 8 * HOUR_MILLIS;
  return Array.from({ length: 30 }, (_, at) => ({
    time: (last - (29 - at) * 8 * HOUR_MILLIS) as Millis,
    rate: (at - 10) / 100_000,
    mark: 60_000 + at,
  }));
}

const history: PerpMarkets['fundingHistory'] = (_symbol, page) => {
  const from = page.startTime ?? 0;
  const to = page.endTime ?? Number.POSITIVE_INFINITY;
  const fitting = payments().filter(({ time }) => time >= from && time <= to);
  return page.startTime === undefined ? fitting.slice(-page.limit) : fitting.slice(0, page.limit);
};

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
  readonly #market: RunningMarketSide;
  readonly #exchange: OpenedExchange;
  readonly #server: Server;

  constructor(parts: {
    clock: { now: number };
    market: RunningMarketSide;
    exchange: OpenedExchange;
    server: Server;
    limits: Partial<FuturesLimits>;
  }) {
    const { clock, market, exchange, server } = parts;
    this.#clock = clock;
    this.#market = market;
    this.#exchange = exchange;
    this.#server = server;
    const contracts = listed(exchange.markets);
    this.perps = {
      markets: contracts,
      contracts,
      now: () => clock.now as Millis,
      subscribe: (listener) => exchange.subscribe(listener),
      depth: (symbol, limit) => exchange.depth(symbol, limit),
      trades: (symbol, page) => exchange.trades(symbol, page),
      ticker: (symbol) => exchange.ticker(symbol),
      averagePrice: (symbol) => exchange.averagePrice(symbol),
      candles: (symbol, interval, page) => exchange.candles(symbol, interval, page),
      figures: () => FIGURES,
      fundingHistory: history,
    };
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
      this.#market.step(this.#clock.now as Millis);
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
    await this.#exchange.close();
  }

  #watch(symbol: string): () => void {
    this.watched.push(symbol);
    const stop = this.#market.watch(symbol);
    return () => {
      this.watched.splice(this.watched.indexOf(symbol), 1);
      stop();
    };
  }
}

/** Books of the rig: spot's own, two of them under the names of contracts. */
function rigMarkets(): typeof LISTING {
  const find = (symbol: string) => {
    const market = LISTING.find((one) => one.symbol === symbol);
    if (market === undefined) throw new Error(`${symbol} is not listed`);
    return market;
  };
  const btc = find('BTCUSDT');
  return [
    ...['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'].map(find),
    { ...btc, symbol: 'BTCUSDT_260327' },
    { ...btc, symbol: 'BTCUSDC', quote: 'USDC' },
  ];
}

/** Starts a rig. Limits that tests would meet by chance are raised; name those that are under test. */
export async function startFuturesRig(limits: Partial<FuturesLimits> = {}): Promise<FuturesRig> {
  const clock = { now: BEGINNING };
  const now = () => clock.now as Millis;
  const market = await openMarketSide({
    seed: SEED,
    clock: now,
    files: volatileFiles(),
    markets: rigMarkets(),
  });
  if (!market.ok) throw new Error(market.code);
  const exchange = await openExchange({
    market: market.value,
    clock: now,
    randomBytes: (size) => randomBytes(size),
    onFault: (fault) => {
      throw fault;
    },
  });
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const raised = { streamMessagesPerSecondMax: 1000, connectionsPer5MinutesMax: 100_000 };
  return new FuturesRig({ clock, market: market.value, exchange, server, limits: { ...raised, ...limits } });
}
