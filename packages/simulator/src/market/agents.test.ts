import { createHash } from 'node:crypto';
import { amount, type Lots, type Millis, type Ticks } from '@crossbook/domain';
import { afterEach, describe, expect, test } from 'vitest';
import { type OpenedExchange, openExchange } from '../core.ts';
import type { SimTrade } from '../exchange.ts';
import { LISTING } from './listing/listing.ts';
import { openMarketSide, type RunningMarketSide } from './market-side.ts';
import { volatileFiles } from './story/market-files.ts';

const START = Date.UTC(2026, 10, 20, 16, 20, 30) as Millis;
const TRADING = LISTING.filter((market) => market.status === 'TRADING');

interface Running {
  readonly side: RunningMarketSide;
  readonly exchange: OpenedExchange;
  readonly trades: SimTrade[];
  /** Hash of every trade and every book change so far, in order. */
  digest(): string;
  run(seconds: number, each?: () => void): void;
}

const opened: OpenedExchange[] = [];
afterEach(async () => {
  for (const exchange of opened.splice(0)) await exchange.close();
});

/** A real exchange over the market side, moved by hand in steps of 50 ms. */
async function running(seed: number): Promise<Running> {
  let now = START;
  const keys: number[] = [];
  const side = await openMarketSide({ seed, clock: () => now, files: volatileFiles() });
  if (!side.ok) throw new Error(side.code);
  const exchange = await openExchange({
    market: side.value,
    clock: () => now,
    randomBytes: (size) => new Uint8Array(size).fill(keys.push(size)),
    onFault: (fault) => {
      throw fault;
    },
  });
  opened.push(exchange);
  const trades: SimTrade[] = [];
  const hash = createHash('sha256');
  exchange.subscribe({
    onTrade: (trade) => {
      trades.push(trade);
      hash.update(JSON.stringify(trade));
    },
    onBookChange: (change) => void hash.update(JSON.stringify(change)),
  });
  return {
    side: side.value,
    exchange,
    trades,
    digest: () => hash.copy().digest('hex'),
    run: (seconds, each) => {
      for (let step = 0; step < seconds * 20; step += 1) {
        now = (now + 50) as Millis;
        side.value.step(now);
        each?.();
      }
    },
  };
}

describe('the crowd', () => {
  test('the same seed, times and inputs give the same market, tick for tick; another seed gives another', async () => {
    const digests = [];
    for (const seed of [5, 5, 6]) {
      const market = await running(seed);
      market.side.watch('BTCUSDT');
      market.run(20);
      market.side.shock('SOLUSDT', 1.02);
      market.run(20);
      expect(market.trades.length).toBeGreaterThan(100);
      digests.push(market.digest());
    }
    expect(digests[0]).toBe(digests[1]);
    expect(digests[2]).not.toBe(digests[0]);
  });

  test('every trading book opens with two sides around the fair price, a suspended one stays empty', async () => {
    const { side, exchange } = await running(1);
    for (const { symbol } of TRADING) {
      const book = exchange.depth(symbol, 1_000);
      const tick = Number(exchange.markets.get(symbol)?.tickSize) / 1e18;
      const fair = side.fairPrice(symbol, START) / tick;
      expect(book.bids.length + book.asks.length, symbol).toBeGreaterThan(100);
      expect(book.bids[0]?.[0] as number, symbol).toBeLessThanOrEqual(fair);
      expect(book.asks[0]?.[0] as number, symbol).toBeGreaterThanOrEqual(fair);
    }
    expect(exchange.depth('WAVESUSDT', 1_000)).toMatchObject({ bids: [], asks: [] });
  });

  test('the tape stays with the fair price, the spread stays a few ticks, and volume is that of history', async () => {
    const market = await running(2);
    market.run(180);
    for (const { symbol, tickSize } of TRADING) {
      const tick = Number(tickSize) / 1e18;
      const fair = market.side.fairPrice(symbol, market.exchange.now());
      const { last } = market.side.ticker(symbol);
      expect(Math.abs(last - fair), symbol).toBeLessThan(fair * 0.001 + 4 * tick);
      const { bids, asks } = market.exchange.depth(symbol, 1);
      expect((asks[0]?.[0] as number) - (bids[0]?.[0] as number), symbol).toBeLessThan(12);
      const minutes = market.side.candles(symbol, '1m', { limit: 4 });
      const live = (minutes[1]?.volume ?? 0) + (minutes[2]?.volume ?? 0);
      // A day's mood changes what is traded: the days of a week are compared.
      const week = market.side.candles(symbol, '1m', { limit: 10_084 }).slice(0, -4);
      const volumes = week.map((bar) => bar.volume);
      expect(live / 2, symbol).toBeGreaterThanOrEqual(Math.min(...volumes));
      expect(live / 2, symbol).toBeLessThanOrEqual(Math.max(...volumes));
    }
  });

  test('the first live minutes join generated history without a jump', async () => {
    const market = await running(3);
    market.run(150);
    for (const { symbol, tickSize } of TRADING) {
      const bars = market.side.candles(symbol, '1m', { limit: 60 });
      const tick = Number(tickSize) / 1e18;
      const ranges = bars.slice(0, 55).map((bar) => bar.high - bar.low);
      const widest = Math.max(...ranges) + 8 * tick;
      bars.slice(1).forEach((bar, at) => {
        // Its first trade is one of the next few ticks, or at the next price of a fast market.
        expect(Math.abs(bar.open - (bars[at]?.close as number)), `${symbol} ${at}`).toBeLessThanOrEqual(
          4 * tick + bar.open * 0.0003,
        );
      });
      for (const bar of bars.slice(-3)) expect(bar.high - bar.low, symbol).toBeLessThan(widest * 2);
    }
  });

  test('a watched book changes its top several times a second, a quiet one about once', async () => {
    const market = await running(4);
    const tops = (): number => {
      let changes = 0;
      let before = '';
      market.run(10, () => {
        const top = `${market.exchange.house.bestBid('BTCUSDT')} ${market.exchange.house.bestAsk('BTCUSDT')}`;
        if (top !== before) changes += 1;
        before = top;
      });
      return changes / 10;
    };
    expect(tops()).toBeLessThan(2);
    const leave = market.side.watch('BTCUSDT');
    expect(tops()).toBeGreaterThan(4);
    expect(market.exchange.depth('BTCUSDT', 1_000).bids.length).toBeGreaterThan(120);
    leave();
    leave();
    market.run(5);
    expect(tops()).toBeLessThan(2);
  });

  test('pausing stops every trade, resuming starts them again', async () => {
    const market = await running(4);
    for (const { symbol } of TRADING) market.side.watch(symbol);
    market.side.setAgentsPaused(true);
    market.run(5);
    expect(market.trades.length).toBe(0);
    market.side.setAgentsPaused(false);
    market.run(5);
    expect(market.trades.length).toBeGreaterThan(50);
  });

  test("a member's resting order keeps the crowd busy in its book and fills when the price passes it", async () => {
    const market = await running(9);
    const { exchange, side } = market;
    const account = await exchange.openAccount('member');
    await exchange.credit(account, 'USDT', amount('1000000'), 'first');
    const book = exchange.depth('ETHUSDT', 1);
    const placed = await exchange.place({
      account,
      symbol: 'ETHUSDT',
      side: 'BUY',
      kind: 'LIMIT',
      timeInForce: 'GTC',
      price: Math.floor((book.bids[0]?.[0] as number) * 0.97) as Ticks,
      quantity: 50_000 as Lots,
      clientId: 'one',
      selfTradePrevention: 'NONE',
    });
    expect(placed.ok && placed.value.order.status).toBe('NEW');
    market.run(10);
    expect(exchange.depth('ETHUSDT', 1_000).bids.length).toBeGreaterThan(120);
    side.shock('ETHUSDT', 0.93);
    market.run(20);
    expect(exchange.order(account, 'ETHUSDT', { clientId: 'one' })?.status ?? 'FILLED').toBe('FILLED');
    expect(exchange.balances(account).find((balance) => balance.asset === 'ETH')?.free).toBe(amount('4.995'));
  });

  test.each([0.88, 1.12])(
    'makers have followed a shock by %d when it is told: nobody is met at the former price',
    async (factor) => {
      const { exchange, side, run } = await running(2);
      exchange.depth('BTCUSDT', 5);
      run(5);
      side.shock('BTCUSDT', factor);
      const { bids, asks } = exchange.depth('BTCUSDT', 5);
      const fair = side.fairPrice('BTCUSDT', exchange.now()) * 100;
      expect([bids.length, asks.length]).toEqual([5, 5]);
      expect(bids.every(([price]) => price <= fair)).toBe(true);
      expect(asks.every(([price]) => price >= fair)).toBe(true);
    },
  );

  test.each([
    ['nothing', 0],
    ["a member's order", 400_000],
  ])(
    'a shocked market trades at the new price at once and more than before, with %s in its way',
    async (_of, lots) => {
      for (const factor of [0.97, 1.03]) {
        const market = await running(2);
        const { exchange, side } = market;
        side.watch('BTCUSDT');
        market.run(5);
        const touch = exchange.depth('BTCUSDT', 1).bids[0]?.[0] as number;
        const account = await exchange.openAccount('member');
        if (lots > 0) {
          for (const asset of ['BTC', 'USDT'])
            await exchange.credit(account, asset, amount('100000000'), asset);
          const placed = await exchange.place({
            ...{ account, symbol: 'BTCUSDT', kind: 'LIMIT', timeInForce: 'GTC', clientId: 'one' },
            ...{
              side: factor < 1 ? 'BUY' : 'SELL',
              price: Math.floor(touch * (1 + (factor - 1) / 2)) as Ticks,
            },
            ...{ quantity: lots as Lots, selfTradePrevention: 'NONE' },
          });
          expect(placed.ok).toBe(true);
        }
        const quiet = market.trades.length;
        market.run(5);
        const before = market.trades.slice(quiet).filter(({ symbol }) => symbol === 'BTCUSDT');
        const shocked = market.trades.length;
        side.shock('BTCUSDT', factor);
        // Second by second: there is none without a trade, and the last one is at the new price.
        for (let second = 0; second < 5; second += 1) {
          const from = market.trades.length;
          market.run(1);
          const last = market.trades.slice(from).findLast(({ symbol }) => symbol === 'BTCUSDT');
          const fair = side.fairPrice('BTCUSDT', exchange.now()) * 100;
          expect(Math.abs((last?.price ?? 0) / fair - 1), `${factor}, second ${second}`).toBeLessThan(0.002);
        }
        const after = market.trades.slice(shocked).filter(({ symbol }) => symbol === 'BTCUSDT');
        const sum = (trades: readonly SimTrade[]) => trades.reduce((all, { quantity }) => all + quantity, 0);
        expect(sum(after)).toBeGreaterThan(sum(before));
      }
    },
  );
});
