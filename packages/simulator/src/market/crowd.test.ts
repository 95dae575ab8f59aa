import { amount, type Lots, type Millis, type Ticks } from '@crossbook/domain';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { type OpenedExchange, openExchange } from '../core.ts';
import type { SimCandle, SimTrade } from '../exchange.ts';
import { awakeMillisMax } from './crowd.ts';
import { LISTING } from './listing/listing.ts';
import { openMarketSide, type RunningMarketSide } from './market-side.ts';
import { volatileFiles } from './story/market-files.ts';

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

/** Prices, trades and lots of a bar of BTCUSDT. */
const statsOf = (bar: SimCandle): number[] => [
  ...[bar.open, bar.high, bar.low, bar.close],
  ...[bar.trades, Math.round(bar.volume * 1e5)],
];

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
      often.side.ticker('ETHUSDT');
      often.side.trades('ETHUSDT', { limit: 5 });
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

  test('has a day of trades: pages join both ways, by id and by time, and end where history does', async () => {
    const market = await running();
    market.run(60);
    const { side } = market;
    const all = side.trades('ETHBTC', { limit: 1_000_000 });
    const now = START + 60_000;
    expect(all[0]?.time).toBeLessThan(now - 86_400_000);
    expect(all.length).toBeGreaterThan(20_000);
    expect(all.every(({ tradeId }, at) => tradeId === (all[0]?.tradeId ?? 0) + at)).toBe(true);
    const minutes = side.candles('ETHBTC', '1m', { limit: 1_441 });
    expect(minutes.reduce((sum, { trades }) => sum + trades, 0)).toBe(all.length);
    const older = all.toReversed();
    for (const at of [0, 1, 999, 12_345]) {
      const [first, last] = [older[at] as SimTrade, older[at + 499] as SimTrade];
      const page = older.slice(at, at + 500).reverse();
      expect(side.trades('ETHBTC', { beforeId: first.tradeId + 1, limit: 500 })).toEqual(page);
      expect(side.trades('ETHBTC', { fromId: last.tradeId, limit: 500 })).toEqual(page);
      const upTo = side.trades('ETHBTC', { endTime: first.time, limit: 500 });
      expect(upTo).toEqual(all.filter(({ time }) => time <= first.time).slice(-500));
    }
    expect(side.trades('ETHBTC', { fromId: 0, limit: 3 })).toEqual(all.slice(0, 3));
    expect(side.trades('ETHBTC', { beforeId: all[2]?.tradeId ?? 0, limit: 500 })).toEqual(all.slice(0, 2));
    expect(side.trades('ETHBTC', { beforeId: all[0]?.tradeId ?? 0, limit: 500 })).toEqual([]);
    expect(side.trades('ETHBTC', { endTime: (all[0]?.time ?? 0) - 1, limit: 500 })).toEqual([]);
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

  test.each(['trades', 'candles'] as const)(
    'who reads %s once wakes nobody, who polls keeps the market awake',
    async (what) => {
      const market = await running();
      const read = () =>
        what === 'trades'
          ? market.exchange.trades('ETHUSDT', { limit: 5 })
          : market.exchange.candles('ETHUSDT', '1m', { limit: 5 });
      read();
      read();
      market.run(1);
      expect(market.timers.size).toBe(0);
      market.exchange.candles('ETHUSDT', '1h', { endTime: (START - 3_600_000) as Millis, limit: 1 });
      market.run(70);
      read();
      expect(market.timers.size).toBe(0);
      for (let at = 0; at < 3; at += 1) {
        market.run(40);
        read();
        expect(quotes(market, 'ETHUSDT')).toBeGreaterThan(30);
      }
      market.run(70);
      expect([quotes(market, 'ETHUSDT'), market.timers.size]).toEqual([0, 0]);
    },
  );

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

  test.each(['watched', 'quiet'] as const)(
    'a %s market trades as much as history has it trade',
    async (how) => {
      const [busy, asleep] = [await running({ seed: 3 }), await running({ seed: 3 })];
      if (how === 'watched') busy.side.watch('BTCUSDT');
      for (let at = 0; at < 10; at += 1) {
        if (how === 'quiet') busy.side.look?.('BTCUSDT');
        busy.run(30);
      }
      asleep.run(300);
      const volume = ({ side }: Running): number =>
        side.candles('BTCUSDT', '1m', { limit: 5 }).reduce((sum, bar) => sum + bar.volume, 0);
      expect(volume(busy) / volume(asleep)).toBeGreaterThan(0.7);
      expect(volume(busy) / volume(asleep)).toBeLessThan(1.3);
    },
  );

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

/** What a minute's trades say of it; without one it stands where it did. */
function foldOf(
  trades: readonly SimTrade[],
  minute: { readonly time: Millis; readonly open: number },
): number[] {
  const inside = trades.filter(({ time }) => time >= minute.time && time < minute.time + 60_000);
  const lots = inside.reduce((sum, { quantity }) => sum + quantity, 0);
  if (inside.length === 0) return [...Array(4).fill(minute.open), 0, 0];
  const prices = inside.map(({ price }) => price / 100);
  return [
    ...[prices[0] as number, Math.max(...prices), Math.min(...prices), prices.at(-1) as number],
    ...[inside.length, lots],
  ];
}

const acts = fc.array(
  fc.oneof(
    fc.record({ act: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ act: fc.constant('pass' as const), seconds: fc.integer({ min: 60, max: 240 }) }),
    fc.record({ act: fc.constantFrom('look', 'watch', 'leave', 'ask', 'pause', 'resume') }),
  ),
  { minLength: 3, maxLength: 14 },
);

describe('whoever looks, watches, leaves or asks when', () => {
  test('trades make up seconds, seconds minutes, minutes the ticker, and trade ids rise by one', async () => {
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
          // A second without a trade stands at the close before it, which may be that of the minute before.
          const traded = parts.filter((part) => part.trades > 0);
          if (traded.length > 0) expect(Math.max(...traded.map(({ high }) => high))).toBe(minute.high);
          expect(parts.at(-1)?.close).toBe(minute.close);
        }
        const ticker = exchange.ticker('BTCUSDT');
        expect(ticker.trades).toBe(minutes.reduce((sum, { trades }) => sum + trades, 0));
        expect(ticker.last).toBe(minutes.at(-1)?.close);
        // While agents are stopped the fair price goes on, and the market follows it at once when they are back.
        const jump = draws.some(({ act }) => act === 'pause') ? 0.01 : 0.0005;
        minutes.slice(1).forEach((bar, at) => {
          expect(Math.abs(bar.open / (minutes[at]?.close ?? 0) - 1)).toBeLessThan(jump);
        });
        const trades = exchange.trades('BTCUSDT', { limit: 30_000 });
        expect(trades.length).toBeGreaterThan(5_000);
        expect(trades.at(-1)?.tradeId).toBe(ticker.lastTradeId);
        expect(
          trades.every(({ tradeId }, at) => at === 0 || tradeId === (trades[at - 1]?.tradeId ?? 0) + 1),
        ).toBe(true);
        const fromId = trades[0]?.tradeId as number;
        expect(exchange.trades('BTCUSDT', { fromId, limit: 30_000 })).toEqual(trades);
        const shown = minutes.filter(({ time }) => time > (trades[0]?.time ?? 0));
        expect(shown.map(statsOf)).toEqual(shown.map(({ time, open }) => foldOf(trades, { time, open })));
      }),
      { numRuns: runs(2, 6), seed: 23 },
    );
  });
});
