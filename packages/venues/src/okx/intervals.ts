import { CANDLE_INTERVALS, type CandleInterval } from '@crossbook/domain';

/**
 * OKX's names for bars. From 6 hours on a plain bar (`6H`, `1D`) opens at midnight in Hong Kong; the `utc` variants
 * open at midnight UTC and are the ones we use (decision 0030.24). Source: OKX v5 guide, "Get candlesticks" (2026).
 */
const BARS: ReadonlyMap<CandleInterval, string> = new Map([
  ['1s', '1s'],
  ['1m', '1m'],
  ['3m', '3m'],
  ['5m', '5m'],
  ['15m', '15m'],
  ['30m', '30m'],
  ['1h', '1H'],
  ['2h', '2H'],
  ['4h', '4H'],
  ['6h', '6Hutc'],
  ['12h', '12Hutc'],
  ['1d', '1Dutc'],
  ['3d', '3Dutc'],
  ['1w', '1Wutc'],
  ['1M', '1Mutc'],
]);

/** All bars that we use, by OKX's names. */
export const OKX_BARS: readonly string[] = [...BARS.values()];

const INTERVALS = new Map([...BARS].map(([interval, bar]) => [bar, interval]));

/** OKX's name of an interval; `undefined` where it has no such bar (8h). */
export function barOf(interval: CandleInterval): string | undefined {
  return BARS.get(interval);
}

/** The interval of a bar's name; `undefined` for bars we do not use. */
export function intervalOfBar(bar: string): CandleInterval | undefined {
  return INTERVALS.get(bar);
}

/** Intervals that are built, and the largest native bar each is built from. */
export const OKX_BUILT_INTERVALS: ReadonlyMap<CandleInterval, CandleInterval> = new Map([['8h', '4h']]);

/** Intervals OKX has itself. */
export const OKX_NATIVE_INTERVALS: readonly CandleInterval[] = CANDLE_INTERVALS.filter((interval) =>
  BARS.has(interval),
);
