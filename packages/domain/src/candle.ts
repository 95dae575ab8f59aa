import type { Millis } from './ids.ts';

/** Chart resolutions of spec section 9, in the spelling of our own stream and of Binance. */
export const CANDLE_INTERVALS = [
  '1s',
  '1m',
  '3m',
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '6h',
  '8h',
  '12h',
  '1d',
  '3d',
  '1w',
  '1M',
] as const;
/** One chart resolution. */
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

/**
 * One bar. Prices and volumes are floats because a chart is a picture, not money:
 * nothing in a candle is ever added to a balance.
 */
export interface Candle {
  /** Opening time of the bar (inclusive). */
  readonly time: Millis;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Traded base quantity. */
  readonly volume: number;
}

const UNIT_MILLIS: Record<string, number> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Length of a bar in milliseconds; `undefined` for `1M`, whose length varies. */
export function intervalMillis(interval: CandleInterval): number | undefined {
  if (interval === '1M') return undefined;
  return Number.parseInt(interval, 10) * (UNIT_MILLIS[interval.slice(-1)] as number);
}

// 1970-01-01 was a Thursday; venues open weekly bars on Monday 00:00 UTC.
const FIRST_MONDAY_MILLIS = 4 * 86_400_000;

/** Opening time of the bar that contains `time`, in UTC. */
export function candleOpen(time: Millis, interval: CandleInterval): Millis {
  if (interval === '1M') {
    const date = new Date(time);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) as Millis;
  }
  const length = intervalMillis(interval) as number;
  const origin = interval === '1w' ? FIRST_MONDAY_MILLIS : 0;
  return (Math.floor((time - origin) / length) * length + origin) as Millis;
}

/** Opening time of the bar after the one that opens at `open`. */
export function nextCandleOpen(open: Millis, interval: CandleInterval): Millis {
  if (interval === '1M') {
    const date = new Date(open);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) as Millis;
  }
  return (open + (intervalMillis(interval) as number)) as Millis;
}
