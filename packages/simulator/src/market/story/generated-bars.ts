import { type Bar, barScale, DAY_MILLIS, DAY_MINUTES, flatBar, MINUTE_MILLIS } from '../bars/bars.ts';
import { type DayBars, dayBars } from '../bars/day-bars.ts';
import { hash32, logNormals, quickNormal, textStream } from '../bars/noise.ts';
import { crowdOf, type ListedMarket, storyOf } from '../listing/listing.ts';
import type { FairPrice } from './fair-price.ts';
import { tradesToShow } from './minute-trades.ts';

// -ln(u) for 256 values of u: the exponential draw of a bridge's extreme without a logarithm per bar.
const EXPONENTIAL = Float64Array.from({ length: 256 }, (_, at) => -Math.log((at + 0.5) / 256));

/** How far the first trade of a minute is from the last price where it is not beside it, as a fraction. */
const OPENING_GAP = 0.000002;

/** What volume depends on beside activity. */
const VOLUME_LUCK = logNormals(0.35);
/** Lets an ordinary day have its listed turnover. */
const VOLUME_SCALE = 0.63;
/** Lets an ordinary day have its listed size of a trade. */
const TRADES_SCALE = 1.2;
/** Prices reach less far beyond open and close than a free walk's would, as recorded. */
const REACH = 0.7;

const SALT_EXTREMES = 11;
const SALT_VOLUME = 12;
const SALT_TAKERS = 13;

/** How far a bridge of this deviation, from `open` to `close`, rises above both (Lévy's law of its maximum). */
function excess(distance: number, deviation: number, bits: number): number {
  const draw = EXPONENTIAL[bits & 255] as number;
  return (Math.sqrt(distance * distance + 2 * deviation * deviation * draw) - distance) / 2;
}

/**
 * Ticks between a minute's last trade and the first of the next: a third are at the same price (recorded hours of Binance
 * and OKX, 2026-02), most others one tick apart, as when the taker of the other side comes.
 */
function openingGap(price: number, bits: number): number {
  const draw = bits & 255;
  if (draw < 85) return 0;
  const further = draw < 200 ? 0 : Math.floor(price * OPENING_GAP * (EXPONENTIAL[draw] as number));
  return (bits & 256) === 0 ? 1 + further : -1 - further;
}

/** Fills in volumes and trades that suit a bar's prices and the hour. */
export interface VolumeModel {
  /** @param activity about 1; @param deviation one minute's ordinary movement in ticks. */
  fill(bar: Bar, activity: number, deviation: number): void;
}

/** Volumes for one market: turnover by season, more when the price runs, never less than the trades that show its prices. */
export function volumeModel(seed: number, market: ListedMarket): VolumeModel {
  const stream = textStream(crowdOf(market));
  const scale = barScale(market);
  const minuteTurnover = market.dailyTurnover / DAY_MINUTES;
  return {
    fill: (bar, activity, deviation) => {
      const minute = bar.time / MINUTE_MILLIS;
      const bits = hash32(seed, stream, minute, SALT_VOLUME);
      const luck = VOLUME_LUCK[bits & 1_023] as number;
      const run = 0.75 + (0.4 * Math.abs(bar.close - bar.open)) / Math.max(deviation, 1);
      // Activity to the power of 1.75: volume follows it more than in proportion.
      const root = Math.sqrt(activity);
      const turnover = minuteTurnover * VOLUME_SCALE * activity * root * Math.sqrt(root) * luck * run;
      const typical = (bar.open + bar.high + bar.low + bar.close) / 4;
      const quantity = turnover / scale.price(typical);
      // A busier minute has more trades and larger ones, in like measure.
      const busy = Math.sqrt(turnover / minuteTurnover);
      const trades = (TRADES_SCALE * minuteTurnover * busy) / market.tradeNotional;
      bar.trades = Math.max(tradesToShow(bar), Math.round(trades));
      bar.lots = Math.max(tradesToShow(bar), Math.round(scale.lots(quantity)));
      bar.trades = Math.min(bar.trades, bar.lots);
      bar.quote = Math.round(bar.lots * typical);
      const taste = quickNormal(hash32(seed, stream, minute, SALT_TAKERS));
      const lean = (0.25 * (bar.close - bar.open)) / (bar.high - bar.low + 1) + 0.06 * taste;
      // One trade has one taker.
      const taken = bar.trades === 1 ? Math.round(0.5 + lean) : 0.5 + lean;
      bar.takerLots = Math.round(bar.lots * taken);
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
  const activity = source.fair.activity(market.symbol, day);
  const mood = source.fair.dayMood(market.symbol, day);
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
  let last = ticksAt(0);
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
    const close = ticksAt(minute + 1);
    const bits = hash32(source.seed, stream, day * DAY_MINUTES + minute, SALT_EXTREMES);
    const open = Math.max(1, last + openingGap(last, bits >>> 16));
    const deviation = open * relative * (activity[minute] as number);
    const reach = deviation * REACH;
    const distance = Math.abs(close - open);
    bar.time = day * DAY_MILLIS + minute * MINUTE_MILLIS;
    bar.open = open;
    bar.close = close;
    bar.high = Math.max(open, close) + Math.round(excess(distance, reach, bits));
    bar.low = Math.max(1, Math.min(open, close) - Math.round(excess(distance, reach, bits >>> 8)));
    volumes.fill(bar, (activity[minute] as number) * mood, deviation);
    bars.write(minute, bar);
    last = close;
  }
  return bars;
}
