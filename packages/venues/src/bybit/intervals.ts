import type { CandleInterval } from '@crossbook/domain';

/** Bybit's names of the chart resolutions it has (enum, "interval", 2026-07-24). */
export const NATIVE_INTERVALS: ReadonlyMap<CandleInterval, string> = new Map([
  ['1m', '1'],
  ['3m', '3'],
  ['5m', '5'],
  ['15m', '15'],
  ['30m', '30'],
  ['1h', '60'],
  ['2h', '120'],
  ['4h', '240'],
  ['6h', '360'],
  ['12h', '720'],
  ['1d', 'D'],
  ['1w', 'W'],
  ['1M', 'M'],
]);

/** Resolutions it lacks, with the largest native one that divides them. One second is not offered. */
export const BUILT_INTERVALS: ReadonlyMap<CandleInterval, CandleInterval> = new Map([
  ['8h', '4h'],
  ['3d', '1d'],
]);
