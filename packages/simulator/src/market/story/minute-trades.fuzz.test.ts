import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import { addTrade, type Bar, flatBar, mergeBar } from '../bars/bars.ts';
import { secondBars } from '../bars/second-bars.ts';
import type { MinuteTrades } from '../bars/trade-log.ts';
import { minuteTrades, tradesToShow } from './minute-trades.ts';

/** Any minute that a venue could print: prices in order, enough trades to show them, takers within the volume. */
const minutes = fc
  .record({
    minute: fc.integer({ min: 0, max: 40_000_000 }),
    low: fc.integer({ min: 1, max: 10_000_000 }),
    range: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 100_000 })),
    open: fc.double({ min: 0, max: 1, noNaN: true }),
    close: fc.double({ min: 0, max: 1, noNaN: true }),
    lots: fc.oneof(fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: 500_000_000 })),
    trades: fc.integer({ min: 1, max: 2_000 }),
    value: fc.double({ min: 0, max: 1, noNaN: true }),
    takers: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map((draw): Bar => {
    const bar = flatBar(draw.minute * 60_000, draw.low);
    if (draw.lots === 0) return bar;
    bar.high = draw.low + draw.range;
    bar.open = draw.low + Math.round(draw.range * draw.open);
    bar.close = draw.low + Math.round(draw.range * draw.close);
    bar.lots = Math.max(draw.lots, tradesToShow(bar));
    bar.trades = Math.min(bar.lots, Math.max(draw.trades, tradesToShow(bar)));
    bar.quote = Math.round(bar.lots * (draw.low + draw.range * draw.value));
    // One trade has one taker.
    bar.takerLots = Math.floor(bar.lots * (bar.trades === 1 ? Math.round(draw.takers) : draw.takers));
    bar.takerQuote = Math.floor(bar.quote * (bar.takerLots / bar.lots));
    return bar;
  });

const tradesOf = (seed: number, minute: Bar): MinuteTrades =>
  minuteTrades({ seed, story: 'BTCUSDT', crowd: 'okx BTC-USDT', contract: seed % 2 === 0 }, minute);

/** A bar by its definition. */
function fold(minute: Bar, trades: MinuteTrades): Bar {
  const bar = flatBar(minute.time, minute.open);
  for (let at = 0; at < trades.count; at += 1) {
    const [price = 0, lots = 0] = [trades.prices[at], trades.lots[at]];
    addTrade(bar, { price, lots, buyerIsMaker: trades.sells[at] === 1 });
  }
  return bar;
}

describe('trades of a minute', () => {
  test('fold to its prices, volume, count and takers exactly, whatever it printed', () => {
    fc.assert(
      fc.property(minutes, fc.integer(), (minute, seed) => {
        const { quote, takerQuote } = minute;
        expect({ ...fold(minute, tradesOf(seed, minute)), quote, takerQuote }).toEqual(minute);
      }),
      { numRuns: runs(1_000, 5), seed: 23 },
    );
  });

  test('are in time order inside the minute, each of at least one lot', () => {
    fc.assert(
      fc.property(minutes, fc.integer(), (minute, seed) => {
        const { times, lots } = tradesOf(seed, minute);
        expect([...times]).toEqual([...times].sort((left, right) => left - right));
        expect(times.every((time) => time >= minute.time && time < minute.time + 60_000)).toBe(true);
        expect(lots.every((each) => each >= 1 && Number.isSafeInteger(each))).toBe(true);
      }),
      { numRuns: runs(500, 5), seed: 23 },
    );
  });

  test('are worth what the minute says, in minutes as markets print them', () => {
    const ordinary = minutes.filter((minute) => minute.trades >= 20 && minute.lots >= 2_000);
    fc.assert(
      fc.property(ordinary, fc.integer(), (minute, seed) => {
        minute.quote = Math.round(
          (minute.lots * (minute.open + minute.close + minute.high + minute.low)) / 4,
        );
        minute.takerQuote = Math.round(minute.quote * (minute.takerLots / minute.lots));
        const { quote } = fold(minute, tradesOf(seed, minute));
        // Of a few trades three are given, and whole steps may leave a crumb.
        const most = (minute.high - minute.low) * minute.lots * 0.25 + 1;
        expect(Math.abs(quote - minute.quote)).toBeLessThanOrEqual(most);
        // A step is a small part of a price, and takers on both sides traded enough to tell.
        const tells = minute.takerLots > 200 && minute.takerLots < minute.lots - 200;
        if (minute.low > 1_000 && minute.high - minute.low > 10 && tells)
          expect(Math.abs(quote / minute.quote - 1)).toBeLessThan(0.001);
      }),
      { numRuns: runs(500), seed: 23 },
    );
  });

  test('are the same for the same seed, others for another', () => {
    fc.assert(
      fc.property(minutes, fc.integer(), (minute, seed) => {
        expect(tradesOf(seed, minute)).toEqual(tradesOf(seed, minute));
        if (minute.trades > 50)
          expect(tradesOf(seed + 1, minute).times).not.toEqual(tradesOf(seed, minute).times);
      }),
      { numRuns: runs(100), seed: 23 },
    );
  });
});

describe('seconds of a minute', () => {
  const secondsOf = (seed: number, minute: Bar, before = minute.open): Bar[] =>
    secondBars(minute, tradesOf(seed, minute), before);

  test('sum to the minute exactly, whatever it printed', () => {
    fc.assert(
      fc.property(minutes, fc.integer(), (minute, seed) => {
        const seconds = secondsOf(seed, minute);
        expect(seconds.map((bar) => bar.time)).toEqual(
          Array.from({ length: 60 }, (_, at) => minute.time + at * 1_000),
        );
        const sum = { ...(seconds[0] as Bar) };
        for (const bar of seconds.slice(1)) mergeBar(sum, bar);
        expect(sum).toEqual(minute);
      }),
      { numRuns: runs(1_000, 5), seed: 23 },
    );
  });

  test('are bars themselves: prices in order, flat where nothing traded, nothing negative, takers within the volume', () => {
    fc.assert(
      fc.property(minutes, fc.integer({ min: 1, max: 10_000_000 }), (minute, before) => {
        let last = before;
        for (const bar of secondsOf(7, minute, before)) {
          if (bar.trades === 0) expect([bar.open, bar.high, bar.low, bar.close]).toEqual(Array(4).fill(last));
          expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close));
          expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close));
          expect(
            Math.min(bar.lots, bar.trades, bar.takerLots, bar.lots - bar.takerLots),
          ).toBeGreaterThanOrEqual(0);
          expect(bar.lots).toBeGreaterThanOrEqual(bar.trades);
          last = bar.close;
        }
      }),
      { numRuns: runs(1_000, 5), seed: 23 },
    );
  });

  test('have quote values that their own prices allow, in minutes as markets print them', () => {
    const ordinary = minutes.filter((minute) => minute.trades >= 20 && minute.lots >= 2_000);
    fc.assert(
      fc.property(ordinary, fc.integer(), (minute, seed) => {
        minute.quote = Math.round(
          (minute.lots * (minute.open + minute.close + minute.high + minute.low)) / 4,
        );
        const bars = secondsOf(seed, minute);
        const most = bars.reduce((best, bar) => (bar.lots > best.lots ? bar : best));
        for (const bar of bars) {
          if (bar === most) continue;
          expect(bar.quote).toBeLessThanOrEqual(bar.lots * bar.high);
          expect(bar.quote).toBeGreaterThanOrEqual(bar.lots * bar.low);
        }
      }),
      { numRuns: runs(500), seed: 23 },
    );
  });
});
