import { amount, type Lots, type Millis, type Ticks } from '@crossbook/domain';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { type OpenedExchange, openExchange } from '../core.ts';
import type { SimCandle } from '../exchange.ts';
import { awakeMillisMax } from './crowd.ts';
import { LISTING } from './listing.ts';
import { volatileFiles } from './market-files.ts';
import { openMarketSide, type RunningMarketSide } from './market-side.ts';

const START = Date.UTC(2026, 10, 20, 16, 20, 30, 250) as Millis;
const FEW = LISTING.filter(({ symbol }) => ['BTCUSDT', 'ETHUSDT', 'ETHBTC', 'WAVESUSDT'].includes(symbol));

const opened: OpenedExchange[] = [];
afterEach(async () => {
  for (const exchange of opened.splice(0)) await exchange.close();
});

interface Running {
  readonly side: RunningMarketSide;
  readonly exchange: OpenedExchange;
  /** Passes time in steps of 50 ms, as the timer would. */
  run(seconds: number): void;
  /** Timers that run now. */
  readonly timers: Set<() => void>;
}

async function running(options: { seed?: number; start?: Millis } = {}): Promise<Running> {
  let now = options.start ?? START;
  const timers = new Set<() => void>();
  const side = await openMarketSide({
    seed: options.seed ?? 5,
    clock: () => now,
    files: volatileFiles(),
    markets: FEW,
    every: (_, work) => {
      timers.add(work);
      return () => timers.delete(work);
    },
  });
  if (!side.ok) throw new Error(side.code);
  const exchange = await openExchange({
    market: side.value,
    clock: () => now,
    randomBytes: (size) => new Uint8Array(size),
    onFault: (fault) => {
      throw fault;
    },
  });
  opened.push(exchange);
  return {
    side: side.value,
    exchange,
    timers,
    run: (seconds) => {
      const end = now + seconds * 1_000;
      while (now < end) {
        now = Math.min(end, now + 50) as Millis;
        for (const work of timers) work();
      }
    },
  };
}

const quotes = (market: Running, symbol: string): number => market.exchange.house.openOrders(symbol).length;

const statsOf = (bar: SimCandle): number[] => [bar.open, bar.high, bar.low, bar.close, bar.trades];

describe('a market that nobody looks at', () => {
  test('has no quotes and no timer, and its ticker, tape and candles move all the same', async () => {
    const market = await running();
    const lasts = new Set<number>();
    for (let at = 0; at < 30; at += 1) {
      market.run(1);
      lasts.add(market.exchange.ticker('BTCUSDT').last);
    }
    expect(lasts.size).toBeGreaterThan(15);
    expect(market.exchange.trades('BTCUSDT', { limit: 20 }).at(-1)?.time).toBeGreaterThan(START + 25_000);
    expect(market.exchange.candles('BTCUSDT', '1s', { limit: 20 }).some((bar) => bar.trades > 0)).toBe(true);
    expect([quotes(market, 'BTCUSDT'), market.timers.size]).toEqual([0, 0]);
  });

  test('tells the same story however often it is asked, and the one that a later start tells', async () => {
    const often = await running();
    const once = await running();
    for (const market of [often, once]) market.exchange.ticker('ETHUSDT');
    for (let at = 0; at < 130; at += 1) {
      often.run(1);
      often.exchange.ticker('ETHUSDT');
      often.exchange.trades('ETHUSDT', { limit: 5 });
    }
    once.run(130);
    const late = await running({ start: (START + 130_000) as Millis });
    const story = ({ exchange }: Running) => ({
      ticker: { ...exchange.ticker('ETHUSDT'), firstTradeId: 0, lastTradeId: 0 },
      minutes: exchange.candles('ETHUSDT', '1m', { limit: 5 }),
      seconds: exchange.candles('ETHUSDT', '1s', { limit: 140 }).map(statsOf),
    });
    expect(story(often)).toEqual(story(once));
    expect(story(late).minutes).toEqual(story(once).minutes);
    expect(once.exchange.trades('ETHUSDT', { limit: 100 })).toEqual(
      often.exchange.trades('ETHUSDT', { limit: 100 }),
    );
  });

  test('a long sleep is history too: days later the candles are those of a fresh start', async () => {
    const slept = await running();
    slept.exchange.ticker('BTCUSDT');
    slept.run(1);
    const later = START + 3 * 86_400_000;
    const wakened = await running({ start: later as Millis });
    slept.run((later - START) / 1_000 - 1);
    expect(slept.exchange.candles('BTCUSDT', '1h', { limit: 80 })).toEqual(
      wakened.exchange.candles('BTCUSDT', '1h', { limit: 80 }),
    );
    expect(slept.exchange.ticker('BTCUSDT').volume).toBeCloseTo(wakened.exchange.ticker('BTCUSDT').volume, 6);
  });

  test('its best price alone wakes nobody and stands next to the last trade', async () => {
    const market = await running();
    market.run(5);
    const { bids, asks } = market.exchange.depth('BTCUSDT', 1);
    const last = Math.round(market.exchange.ticker('BTCUSDT').last * 100);
    expect([bids.length, asks.length]).toEqual([1, 1]);
    expect(Math.abs((bids[0]?.[0] as number) - last)).toBeLessThanOrEqual(1);
    expect(asks[0]?.[0]).toBe((bids[0]?.[0] as number) + 1);
    expect(quotes(market, 'BTCUSDT')).toBe(0);
    expect(market.exchange.depth('WAVESUSDT', 1)).toMatchObject({ bids: [], asks: [] });
  });
});

describe('the first look', () => {
  test('finds a full book at once; a minute after the last one the agents are gone', async () => {
    const market = await running();
    market.run(20);
    const { bids, asks } = market.exchange.depth('BTCUSDT', 1_000);
    expect(Math.min(bids.length, asks.length)).toBeGreaterThan(120);
    expect(market.timers.size).toBe(1);
    market.run(awakeMillisMax / 1_000 - 2);
    expect(quotes(market, 'BTCUSDT')).toBeGreaterThan(30);
    market.run(5);
    expect([quotes(market, 'BTCUSDT'), market.timers.size]).toEqual([0, 0]);
  });

  test('watching is a look that lasts, and everybody has to leave', async () => {
    const market = await running();
    const leave = [market.side.watch('ETHUSDT'), market.side.watch('ETHUSDT')];
    market.run(200);
    leave[0]?.();
    market.run(200);
    expect(quotes(market, 'ETHUSDT')).toBeGreaterThan(200);
    leave[1]?.();
    market.run(70);
    expect(quotes(market, 'ETHUSDT')).toBe(0);
  });

  test('an order is a look: it meets a full book, and while it rests the agents stay', async () => {
    const market = await running();
    const { exchange } = market;
    market.run(3);
    const account = await exchange.openAccount('member');
    await exchange.credit(account, 'USDT', amount('1000000'), 'first');
    const order = {
      account,
      symbol: 'ETHUSDT',
      side: 'BUY',
      timeInForce: 'GTC',
      quantity: 5_000 as Lots,
      selfTradePrevention: 'NONE',
    } as const;
    const bought = await exchange.place({ ...order, kind: 'MARKET', clientId: 'taker' });
    expect(bought.ok && bought.value.order.status).toBe('FILLED');
    const price = Math.floor((exchange.depth('ETHUSDT', 2).bids[0]?.[0] as number) * 0.98) as Ticks;
    await exchange.place({ ...order, kind: 'LIMIT', price, clientId: 'maker' });
    market.run(600);
    expect(quotes(market, 'ETHUSDT')).toBeGreaterThan(200);
    market.side.shock('ETHUSDT', 0.95);
    market.run(2);
    expect(exchange.openOrders(account)).toEqual([]);
    expect(exchange.balances(account).find(({ asset }) => asset === 'ETH')?.free).toBe(amount('0.999'));
  });
});

describe('asleep and stopped', () => {
  test('while agents are stopped nothing moves, whoever looks', async () => {
    const market = await running();
    market.run(5);
    market.side.setAgentsPaused(true);
    const before = market.exchange.ticker('BTCUSDT');
    const touch = market.exchange.depth('BTCUSDT', 1);
    market.run(400);
    expect(market.exchange.ticker('BTCUSDT')).toMatchObject({
      last: before.last,
      lastTradeId: before.lastTradeId,
    });
    expect(market.exchange.depth('BTCUSDT', 1)).toEqual(touch);
    const book = market.exchange.depth('BTCUSDT', 100);
    market.run(10);
    expect([book.bids.length, market.exchange.depth('BTCUSDT', 100)]).toEqual([100, book]);
    expect(market.exchange.candles('BTCUSDT', '1m', { limit: 4 }).map((bar) => bar.trades)).toEqual([
      0, 0, 0, 0,
    ]);
    market.side.setAgentsPaused(false);
    market.run(30);
    expect(market.exchange.ticker('BTCUSDT').lastTradeId).toBeGreaterThan(before.lastTradeId);
  });

  test('a market that is suspended while it sleeps stands still until it is opened again', async () => {
    const market = await running();
    market.run(5);
    market.exchange.setStatus('ETHUSDT', 'BREAK');
    const before = market.exchange.ticker('ETHUSDT').last;
    market.run(400);
    expect(market.exchange.ticker('ETHUSDT').last).toBe(before);
    expect(market.exchange.candles('ETHUSDT', '1m', { limit: 4 }).map((bar) => bar.trades)).toEqual([
      0, 0, 0, 0,
    ]);
    market.exchange.setStatus('ETHUSDT', 'TRADING');
    market.run(5);
    expect(market.exchange.ticker('ETHUSDT').last).not.toBe(before);
  });

  test('a shock changes nothing that was told before it', async () => {
    const market = await running();
    market.run(95);
    const before = market.exchange.candles('ETHBTC', '1s', { limit: 90 });
    const minutes = market.exchange.candles('ETHBTC', '1m', { limit: 60 });
    market.side.shock('ETHUSDT', 1.2);
    market.run(10);
    const after = market.exchange.candles('ETHBTC', '1s', { limit: 100 });
    expect(after.slice(0, 89)).toEqual(before.slice(0, 89));
    expect(market.exchange.candles('ETHBTC', '1m', { limit: 60 }).slice(0, 58)).toEqual(minutes.slice(0, 58));
    expect(market.exchange.ticker('ETHBTC').last / (before.at(-1)?.close ?? 1)).toBeGreaterThan(1.15);
  });
});

const acts = fc.array(
  fc.oneof(
    fc.record({ act: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ act: fc.constant('pass' as const), seconds: fc.integer({ min: 60, max: 240 }) }),
    fc.record({ act: fc.constantFrom('look', 'watch', 'leave', 'ask', 'pause', 'resume') }),
  ),
  { minLength: 3, maxLength: 14 },
);

describe('whoever looks, watches, leaves or asks when', () => {
  test('seconds make up minutes, minutes the ticker, and trade ids only rise', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (draws) => {
        const market = await running();
        const { exchange, side } = market;
        const leave: (() => void)[] = [];
        for (const draw of draws) {
          if (draw.act === 'pass') market.run(draw.seconds);
          if (draw.act === 'look') exchange.depth('BTCUSDT', 5);
          if (draw.act === 'watch') leave.push(side.watch('BTCUSDT'));
          if (draw.act === 'leave') leave.pop()?.();
          if (draw.act === 'ask') exchange.ticker('BTCUSDT');
          if (draw.act === 'pause' || draw.act === 'resume') side.setAgentsPaused(draw.act === 'pause');
        }
        const minutes = exchange.candles('BTCUSDT', '1m', { limit: 1_441 });
        const seconds = exchange.candles('BTCUSDT', '1s', { limit: 1_000 });
        const whole = minutes.filter(({ time }) => time >= (seconds[0]?.time ?? 0) + 60_000);
        for (const minute of whole) {
          const parts = seconds.filter(({ time }) => time >= minute.time && time < minute.time + 60_000);
          expect(parts.reduce((sum, part) => sum + part.trades, 0)).toBe(minute.trades);
          expect(Math.max(...parts.map(({ high }) => high))).toBeLessThanOrEqual(minute.high);
          expect(parts.at(-1)?.close).toBe(minute.close);
        }
        const ticker = exchange.ticker('BTCUSDT');
        expect(ticker.trades).toBe(minutes.reduce((sum, { trades }) => sum + trades, 0));
        expect(ticker.last).toBe(minutes.at(-1)?.close);
        minutes.slice(1).forEach((bar, at) => {
          expect(Math.abs(bar.open / (minutes[at]?.close ?? 0) - 1)).toBeLessThan(0.0005);
        });
        const ids = exchange.trades('BTCUSDT', { limit: 5_000 }).map(({ tradeId }) => tradeId);
        expect(ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? 0))).toBe(true);
      }),
      { numRuns: runs(8), seed: 23 },
    );
  });
});
