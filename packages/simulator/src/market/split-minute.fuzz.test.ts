import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { type Bar, flatBar, mergeBar } from './bars.ts';
import { splitMinute } from './split-minute.ts';

/** Any minute that a venue could print: prices in order, no more trades than lots, takers within the volume. */
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
    bar.high = draw.low + draw.range;
    bar.open = draw.low + Math.round(draw.range * draw.open);
    bar.close = draw.low + Math.round(draw.range * draw.close);
    bar.lots = draw.lots;
    bar.trades = Math.min(draw.lots, draw.trades);
    bar.quote = Math.round(draw.lots * (draw.low + draw.range * draw.value));
    bar.takerLots = Math.floor(draw.lots * draw.takers);
    bar.takerQuote = Math.floor(bar.quote * draw.takers);
    return bar;
  });

describe('seconds of a minute', () => {
  test('sum to the minute exactly, whatever it printed', () => {
    fc.assert(
      fc.property(minutes, fc.integer(), (minute, seed) => {
        const seconds = splitMinute(seed, 'BTCUSDT', minute);
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

  test('are bars themselves: prices in order, no gap between them, nothing negative, takers within the volume', () => {
    fc.assert(
      fc.property(minutes, fc.integer(), (minute, seed) => {
        let before = minute.open;
        for (const bar of splitMinute(seed, 'ETHUSDT', minute)) {
          expect(bar.open).toBe(before);
          expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close));
          expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close));
          expect(
            Math.min(bar.lots, bar.trades, bar.takerLots, bar.lots - bar.takerLots),
          ).toBeGreaterThanOrEqual(0);
          expect(bar.lots).toBeGreaterThanOrEqual(bar.trades);
          before = bar.close;
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
        for (const bar of splitMinute(seed, 'BTCUSDT', minute)) {
          // Whole steps leave at most a crumb over.
          expect(bar.quote).toBeLessThanOrEqual(bar.lots * (bar.high + 0.5) + 1);
          expect(bar.quote).toBeGreaterThanOrEqual(bar.lots * (bar.low - 0.5) - 1);
        }
      }),
      { numRuns: runs(500), seed: 23 },
    );
  });

  test('are the same for the same seed', () => {
    fc.assert(
      fc.property(minutes, fc.integer(), (minute, seed) => {
        expect(splitMinute(seed, 'SOLUSDT', minute)).toEqual(splitMinute(seed, 'SOLUSDT', minute));
      }),
      { numRuns: runs(100), seed: 23 },
    );
  });
});
