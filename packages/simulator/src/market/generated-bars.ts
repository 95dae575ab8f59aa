import { type Bar, barScale, DAY_MILLIS, DAY_MINUTES, flatBar, MINUTE_MILLIS } from './bars.ts';
import { type DayBars, dayBars } from './day-bars.ts';
import type { FairPrice } from './fair-price.ts';
import { crowdOf, type ListedMarket, storyOf } from './listing.ts';
import { hash32, quickNormal, textStream, uniform } from './noise.ts';

// -ln(u) for 256 values of u: the exponential draw of a bridge's extreme without a logarithm per bar.
const EXPONENTIAL = Float64Array.from({ length: 256 }, (_, at) => -Math.log((at + 0.5) / 256));

const SALT_EXTREMES = 11;
const SALT_VOLUME = 12;
const SALT_TAKERS = 13;

/** How far a bridge of this deviation, from `open` to `close`, rises above both (Lévy's law of its maximum). */
function excess(distance: number, deviation: number, bits: number): number {
  const draw = EXPONENTIAL[bits & 255] as number;
  return (Math.sqrt(distance * distance + 2 * deviation * deviation * draw) - distance) / 2;
}

/** Fills in volumes and trades that suit a bar's prices and the hour. */
export interface VolumeModel {
  /** @param activity about 1; @param deviation one minute's ordinary movement in ticks. */
  fill(bar: Bar, activity: number, deviation: number): void;
}

/** Volumes for one market: turnover by season, more when the price runs, never less than one trade a minute. */
export function volumeModel(seed: number, market: ListedMarket): VolumeModel {
  const stream = textStream(crowdOf(market));
  const scale = barScale(market);
  const minuteTurnover = market.dailyTurnover / DAY_MINUTES;
  return {
    fill: (bar, activity, deviation) => {
      const minute = bar.time / MINUTE_MILLIS;
      const bits = hash32(seed, stream, minute, SALT_VOLUME);
      const luck = 0.35 + 1.3 * uniform(bits) * uniform(Math.imul(bits, 0x2c1b3c6d) >>> 0) * 2;
      const run = 0.7 + (0.45 * Math.abs(bar.close - bar.open)) / Math.max(deviation, 1);
      const turnover = minuteTurnover * activity * luck * Math.min(run, 4);
      const typical = (bar.open + bar.high + bar.low + bar.close) / 4;
      const quantity = turnover / scale.price(typical);
      bar.lots = Math.max(1, Math.round(scale.lots(quantity)));
      bar.quote = Math.round(bar.lots * typical);
      bar.trades = Math.min(bar.lots, Math.max(1, Math.round(turnover / market.tradeNotional)));
      const taste = quickNormal(hash32(seed, stream, minute, SALT_TAKERS));
      const lean = (0.25 * (bar.close - bar.open)) / (bar.high - bar.low + 1) + 0.06 * taste;
      bar.takerLots = Math.round(bar.lots * (0.5 + lean));
      bar.takerQuote = Math.round(bar.takerLots * typical);
    },
  };
}

/** Where the seeded path is lifted or lowered: shocks, and the seams of a recording. */
export interface PriceOffset {
  /** Logarithm of the factor on the seeded price at a time. */
  at(symbol: string, time: number): number;
}

/**
 * Makes the minute bars of one market and day from the fair price. The same inputs give the same bars.
 * @param room where to write them, instead of new room.
 */
export function generateDay(
  source: { readonly seed: number; readonly fair: FairPrice; readonly offset: PriceOffset },
  market: ListedMarket,
  day: number,
  room?: Float64Array,
): DayBars {
  const bars = dayBars(day, room);
  const path = source.fair.minutePath(market.symbol, day);
  const activity = source.fair.activity(day);
  const relative = source.fair.minuteDeviation(market.symbol, day);
  const volumes = volumeModel(source.seed, market);
  const stream = textStream(storyOf(market));
  const scale = barScale(market);
  const bar = flatBar(0, 0);
  const ticksAt = (minute: number): number => {
    const time = day * DAY_MILLIS + minute * MINUTE_MILLIS;
    const price = Math.exp((path[minute] as number) + source.offset.at(market.symbol, time));
    return Math.max(1, Math.round(scale.ticks(price)));
  };
  let open = ticksAt(0);
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
    const close = ticksAt(minute + 1);
    const bits = hash32(source.seed, stream, day * DAY_MINUTES + minute, SALT_EXTREMES);
    const deviation = open * relative * (activity[minute] as number);
    const distance = Math.abs(close - open);
    bar.time = day * DAY_MILLIS + minute * MINUTE_MILLIS;
    bar.open = open;
    bar.close = close;
    bar.high = Math.max(open, close) + Math.round(excess(distance, deviation, bits));
    bar.low = Math.max(1, Math.min(open, close) - Math.round(excess(distance, deviation, bits >>> 8)));
    volumes.fill(bar, activity[minute] as number, deviation);
    bars.write(minute, bar);
    open = close;
  }
  return bars;
}
