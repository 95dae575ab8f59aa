import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CANDLE_INTERVALS,
  type CandleInterval,
  candleOpen,
  intervalMillis,
  nextCandleOpen,
} from './candle.ts';
import type { Millis } from './ids.ts';

const at = (text: string): Millis => Date.parse(`${text}Z`) as Millis;
const DAY_MILLIS = 86_400_000;

test.each<[CandleInterval, number | undefined]>([
  ['1s', 1_000],
  ['1m', 60_000],
  ['15m', 900_000],
  ['1h', 3_600_000],
  ['12h', DAY_MILLIS / 2],
  ['1d', DAY_MILLIS],
  ['3d', 3 * DAY_MILLIS],
  ['1w', 7 * DAY_MILLIS],
  ['1M', undefined],
])('a bar of %s lasts %s ms', (interval, length) => {
  expect(intervalMillis(interval)).toBe(length);
});

test.each<[string, CandleInterval, string, string]>([
  ['2026-02-28T23:59:59.999', '1s', '2026-02-28T23:59:59', '2026-03-01T00:00:00'],
  ['2026-02-28T23:59:59', '15m', '2026-02-28T23:45:00', '2026-03-01T00:00:00'],
  ['2026-02-28T23:59:59', '1d', '2026-02-28T00:00:00', '2026-03-01T00:00:00'],
  ['2026-03-01T23:59:59', '3d', '2026-02-27T00:00:00', '2026-03-02T00:00:00'],
  ['2026-03-01T23:59:59', '1w', '2026-02-23T00:00:00', '2026-03-02T00:00:00'],
  ['2026-03-02T00:00:00', '1w', '2026-03-02T00:00:00', '2026-03-09T00:00:00'],
  ['1970-01-01T00:00:00', '1w', '1969-12-29T00:00:00', '1970-01-05T00:00:00'],
  ['2024-02-29T12:00:00', '1M', '2024-02-01T00:00:00', '2024-03-01T00:00:00'],
  ['2026-12-31T23:59:59', '1M', '2026-12-01T00:00:00', '2027-01-01T00:00:00'],
])('%s lies in the %s bar from %s to before %s', (time, interval, open, next) => {
  expect(candleOpen(at(time), interval)).toBe(at(open));
  expect(nextCandleOpen(at(open), interval)).toBe(at(next));
});

describe('bars of an interval', () => {
  test('touch without gap or overlap at any time', () => {
    const times = fc.integer({ min: 0, max: 4_000_000_000_000 }).map((value) => value as Millis);
    fc.assert(
      fc.property(times, fc.constantFrom(...CANDLE_INTERVALS), (time, interval) => {
        const open = candleOpen(time, interval);
        const next = nextCandleOpen(open, interval);
        expect(open <= time && time < next).toBe(true);
        expect(candleOpen(open, interval)).toBe(open);
        expect(candleOpen((next - 1) as Millis, interval)).toBe(open);
        expect(candleOpen(next, interval)).toBe(next);
      }),
    );
  });
});
