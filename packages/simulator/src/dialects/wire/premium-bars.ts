import { type CandleInterval, type Millis, nextCandleOpen } from '@crossbook/domain';

const MINUTE_MILLIS = 60_000;
const HOUR_MILLIS = 60 * MINUTE_MILLIS;

/** A premium from the opening of a bar to its end, as fractions: 0.0001 = 1 bp. */
export interface PremiumBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/**
 * How a premium moved in the bar that opens then, as far as it has gone by `now`: looked at every minute, in bars of more
 * than an hour every hour.
 * @param premium at any time.
 */
export function premiumBar(
  premium: (time: Millis) => number,
  bar: { readonly time: Millis; readonly interval: CandleInterval; readonly now: Millis },
): PremiumBar {
  const next = nextCandleOpen(bar.time, bar.interval);
  const end = Math.min(next, bar.now) as Millis;
  const step = next - bar.time > HOUR_MILLIS ? HOUR_MILLIS : MINUTE_MILLIS;
  const values = [premium(bar.time), premium(end)];
  for (let at = bar.time + step; at < end; at += step) values.push(premium(at as Millis));
  const [open = 0, close = 0] = values;
  return { open, close, high: Math.max(...values), low: Math.min(...values) };
}
