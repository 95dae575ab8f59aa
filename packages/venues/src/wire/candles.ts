import type { Candle, Millis } from '@crossbook/domain';
import { asFloat } from './guards.ts';

/**
 * One bar of decimal strings: open, high, low, close, volume. `undefined` when a figure is none, negative, or lies
 * outside of high and low.
 */
export function candleOf(time: Millis | undefined, stats: readonly unknown[]): Candle | undefined {
  const [open, high, low, close, volume] = stats.map(asFloat);
  if (time === undefined || open === undefined || high === undefined || low === undefined) return undefined;
  if (close === undefined || volume === undefined || volume < 0 || low < 0) return undefined;
  if (high < Math.max(open, close) || low > Math.min(open, close)) return undefined;
  return { time, open, high, low, close, volume };
}

/** Bars of one answer, oldest first; `undefined` unless every one opens after the one before it. */
export function ascending(candles: Candle[] | undefined): Candle[] | undefined {
  const rises = candles?.every((candle, at) => at === 0 || candle.time > (candles[at - 1] as Candle).time);
  return rises ? candles : undefined;
}
