import type { Instrument } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { now } from '../app/clock.ts';
import { marketKey } from '../market/market.ts';
import { venueRest } from '../market/venue-rest.ts';

/** Hours that a sparkline shows: the day that the change beside it speaks of. */
const HOURS = 24;
/** A line is drawn anew after this long: an hour's close moves it little. */
const AGE_MILLIS_MAX = 10 * 60_000;

/** Closing prices of the last 24 hours by `marketKey`, oldest first; absent while unknown. */
export const sparklinesStore = createStore<ReadonlyMap<string, readonly number[]>>(() => new Map());

const readAt = new Map<string, number>();

/** Reads the line of a market unless a young one is there or on its way. A failure leaves the place empty. */
export async function loadSparkline(instrument: Instrument): Promise<void> {
  const key = marketKey(instrument);
  const before = readAt.get(key);
  if (before !== undefined && now() - before < AGE_MILLIS_MAX) return;
  readAt.set(key, now());
  const rest = await venueRest(instrument.platform, instrument.symbolType, [instrument]);
  const answer = await rest?.candles(instrument, '1h', { limit: HOURS });
  if (answer?.ok !== true) return;
  const closes = answer.value.map((candle) => candle.close);
  sparklinesStore.setState((lines) => new Map(lines).set(key, closes), true);
}

/**
 * The points of a line in a box of the given size, for an SVG polyline; the highest price touches the top.
 * @returns an empty text when there are fewer than two prices.
 */
export function sparklinePoints(closes: readonly number[], width: number, height: number): string {
  if (closes.length < 2) return '';
  const least = Math.min(...closes);
  const span = Math.max(...closes) - least;
  return closes
    .map((close, at) => {
      const x = (at / (closes.length - 1)) * width;
      const y = span === 0 ? height / 2 : height - ((close - least) / span) * height;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
