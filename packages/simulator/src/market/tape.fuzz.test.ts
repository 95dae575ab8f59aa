import type { Lots, Millis, Ticks } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import type { SimTrade, TradePage } from '../exchange.ts';
import { type Bar, flatBar } from './bars/bars.ts';
import { LiveTrades, liveTradesMax, TradeLog } from './bars/trade-log.ts';
import { LISTING, type ListedMarket } from './listing/listing.ts';
import { Tape } from './tape.ts';

const MARKET = LISTING.find((market) => market.symbol === 'BTCUSDT') as ListedMarket;
const START = Date.UTC(2026, 0, 5) as Millis;

function tape(
  minutes: readonly Bar[] = [],
  onMinute: (bar: Bar) => void = () => {},
  live = new LiveTrades(),
): Tape {
  let last = 1;
  return new Tape(MARKET, {
    now: START,
    minutes,
    lastTradeId: 0,
    live,
    story: {
      // History of a market that stood still.
      minute: (time) => flatBar(time, last),
      trades: () => new TradeLog(),
      takeTradeIds: () => undefined,
    },
    onMinute: (bar) => {
      last = bar.close;
      onMinute(bar);
    },
  });
}

const steps = fc.array(
  fc.record({
    wait: fc.oneof(
      fc.integer({ min: 0, max: 2_000 }),
      fc.integer({ min: 0, max: 240_000 }),
      fc.integer({ min: 0, max: 3_600_000 * 5 }),
    ),
    price: fc.integer({ min: 1, max: 10_000_000 }),
    quantity: fc.integer({ min: 1, max: 1_000_000 }),
    buyerIsMaker: fc.boolean(),
  }),
  { minLength: 1, maxLength: 120 },
);

function tradesOf(
  draws: readonly { wait: number; price: number; quantity: number; buyerIsMaker: boolean }[],
): SimTrade[] {
  let time = START as number;
  return draws.map((draw, at) => {
    time += draw.wait;
    return {
      symbol: 'BTCUSDT',
      tradeId: at + 1,
      price: draw.price as Ticks,
      quantity: draw.quantity as Lots,
      buyerIsMaker: draw.buyerIsMaker,
      time: time as Millis,
    };
  });
}

describe('tape', () => {
  test('its rolling day equals a plain sum over the trades of the last 1440 minutes and the open one', () => {
    fc.assert(
      fc.property(steps, (draws) => {
        const trades = tradesOf(draws);
        const live = tape();
        for (const trade of trades) live.add(trade);
        const now = trades.at(-1)?.time as Millis;
        const minute = now - (now % 60_000);
        const inside = trades.filter((trade) => trade.time >= minute - 1_440 * 60_000);
        const ticker = live.ticker(now);
        const carried = trades.filter((trade) => trade.time < minute - 1_440 * 60_000).at(-1)?.price;
        const begins = trades.length === inside.length && now - START < 1_440 * 60_000 ? 1 : carried;
        const prices = [
          ...inside.map((trade) => trade.price as number),
          ...(begins === undefined ? [] : [begins]),
        ];
        expect(ticker.trades).toBe(inside.length);
        expect(ticker.volume).toBeCloseTo(inside.reduce((sum, trade) => sum + trade.quantity, 0) / 1e5, 6);
        expect(ticker.high).toBe(Math.max(...prices) / 100);
        expect(ticker.last).toBe((trades.at(-1)?.price as number) / 100);
        expect(ticker.lastTradeId).toBe(trades.length);
      }),
      { numRuns: runs(300), seed: 23 },
    );
  });

  test('the average price is the volume-weighted price of the last five minutes, or the last price', () => {
    const live = tape();
    const [first, second] = tradesOf([
      { wait: 0, price: 1_000, quantity: 1, buyerIsMaker: false },
      { wait: 240_000, price: 2_000, quantity: 3, buyerIsMaker: true },
    ]) as [SimTrade, SimTrade];
    live.add(first);
    live.add(second);
    expect(live.averagePrice()).toBe(17.5);
    live.roll((START + 480_000) as Millis);
    expect(live.averagePrice()).toBe(20);
    live.roll((START + 3_600_000) as Millis);
    expect(live.averagePrice()).toBe(20);
  });

  test('every minute closes once and in order, traded or not', () => {
    fc.assert(
      fc.property(steps, (draws) => {
        const closed: Bar[] = [];
        const live = tape([], (bar) => closed.push(bar));
        const trades = tradesOf(draws);
        for (const trade of trades) live.add(trade);
        const last = trades.at(-1)?.time as number;
        const times = closed.map((bar) => bar.time);
        expect(times).toEqual([...new Set(times)].sort((left, right) => left - right));
        // Longer pauses are sleep: history answers for those minutes.
        if (draws.every((draw) => draw.wait < 240_000)) {
          const all = Array.from(
            { length: Math.floor((last - START) / 60_000) },
            (_, at) => START + at * 60_000,
          );
          expect(times).toEqual(all);
        }
        const lots = closed.reduce((sum, bar) => sum + bar.lots, live.openMinute().lots);
        expect(lots).toBe(trades.reduce((sum, trade) => sum + trade.quantity, 0));
      }),
      { numRuns: runs(200), seed: 23 },
    );
  });

  test('a trade keeps its time though somebody has looked at a later one, and times only rise', () => {
    const live = tape();
    const at = (wait: number) => ({ wait, price: 7, quantity: 1, buyerIsMaker: false });
    const [first, second] = tradesOf([at(1_000), at(500)]) as [SimTrade, SimTrade];
    live.roll((START + 1_400) as Millis);
    live.add(first);
    live.roll((START + 2_000) as Millis);
    live.add(second);
    live.add({ ...second, tradeId: 3, time: START });
    expect(live.trades({ limit: 3 }).map(({ time }) => time - START)).toEqual([1_000, 1_500, 1_500]);
  });

  test('remembers matched trades one by one and pages by id, the oldest minutes up to the bound of all markets', () => {
    const kept = new LiveTrades();
    const live = tape([flatBar(START - 60_000, 5)], undefined, kept);
    const count = 2_000;
    const draws = Array.from({ length: count }, (_, at) => ({
      wait: 60,
      price: 7 + (at % 3),
      quantity: 1 + at,
      buyerIsMaker: at % 2 === 0,
    }));
    const trades = tradesOf(draws);
    for (const trade of trades) live.add(trade);
    const ids = (page: TradePage): number[] => live.trades(page).map((trade) => trade.tradeId);
    expect(ids({ limit: 3 })).toEqual([count - 2, count - 1, count]);
    expect(ids({ fromId: 0, limit: 2 })).toEqual([1, 2]);
    expect(ids({ fromId: count, limit: 2 })).toEqual([count]);
    expect(ids({ fromId: count + 1, limit: 2 })).toEqual([]);
    expect(ids({ endTime: trades[999]?.time as number, limit: 2 })).toEqual([999, 1_000]);
    expect(live.trades({ limit: 10_000 })).toEqual(trades);
    const minute = kept.of('BTCUSDT', START) as TradeLog;
    for (let other = 0; other <= liveTradesMax / minute.count; other += 1) {
      kept.keep('ETHUSDT', START + other, minute);
    }
    expect(kept.of('BTCUSDT', START)).toBeUndefined();
  });
});
