import { assert, type Millis } from '@crossbook/domain';
import { DAY_MILLIS, DAY_MINUTES } from './bars.ts';
import type { ListedMarket } from './listing.ts';
import { hash32, normalAt, quickNormal, textStream, uniform } from './noise.ts';

/**
 * The seeded fair price: f(seed, symbol, time) with random access (decision 0011).
 * Days: a Brownian walk whose value on any day is found by halving a block of 512 days nine times.
 * Minutes: a bridge inside the day, by halving again. Seconds: see `split-minute.ts`.
 */

/** Day on which every market stands at its start price: 2026-07-01 UTC. */
const ANCHOR_DAY = Date.UTC(2026, 6, 1) / DAY_MILLIS;
const BLOCK_DAYS = 512;
// Deviation of the block's ends in units of a day's movement: keeps prices within a few times the start price for ever.
const BLOCK_END_DEVIATION = 11;
/** The hour's share of a day's movement (UTC): quiet before Asia, loud when London and New York are both open. */
const HOUR_ACTIVITY: readonly number[] = [
  1.05, 1.0, 0.9, 0.8, 0.75, 0.75, 0.8, 0.9, 1.0, 1.05, 1.0, 0.95, 1.1, 1.45, 1.7, 1.6, 1.4, 1.2, 1.1, 1.05,
  1.0, 0.9, 0.8, 0.95,
];
const DAYS_CACHED_MAX = 8;

const COMMON_STREAM = textStream('common');
const SALT_BLOCK = 1;
const SALT_WALK = 2;
const SALT_DAY_MOOD = 3;
const SALT_HOUR_MOOD = 4;
const SALT_BRIDGE = 5;
const SALT_MINUTE_MOOD = 6;

/** What all markets of one day share: its calm or hurry by minute and the common movement. */
interface CommonDay {
  /** Share of the day's variance up to each minute boundary: 0 at 0, 1 at 1440. */
  readonly variance: Float64Array;
  /** The same day's activity per minute, mean about 1: also drives volume. */
  readonly activity: Float64Array;
  readonly bridge: Float64Array;
  /** Factor on the day's volatility, mean about 1. */
  readonly mood: number;
}

/** Value of a walk of unit daily deviation on a day, counted from its anchor. O(log) in the block length. */
export function walkAt(seed: number, stream: number, day: number): number {
  const block = Math.floor(day / BLOCK_DAYS);
  const end = (at: number): number =>
    at === 0 ? 0 : BLOCK_END_DEVIATION * normalAt(seed, stream, at, SALT_BLOCK);
  let low = block * BLOCK_DAYS;
  let high = low + BLOCK_DAYS;
  let lowValue = end(block);
  let highValue = end(block + 1);
  while (day !== low) {
    const middle = (low + high) / 2;
    const deviation = Math.sqrt(high - low) / 2;
    const value =
      (lowValue + highValue) / 2 +
      deviation * normalAt(seed, stream, middle * 16 + Math.log2(high - low), SALT_WALK);
    if (day >= middle) {
      low = middle;
      lowValue = value;
    } else {
      high = middle;
      highValue = value;
    }
  }
  return lowValue;
}

// The halving order of 1440 minutes: which boundary lies between which two, parents before children.
const BRIDGE_ORDER = bridgeOrder();

function bridgeOrder(): Int32Array {
  const order: number[] = [];
  const halve = (low: number, high: number): void => {
    if (high - low < 2) return;
    const middle = (low + high) >> 1;
    order.push(low, middle, high);
    halve(low, middle);
    halve(middle, high);
  };
  halve(0, DAY_MINUTES);
  return Int32Array.from(order);
}

/** A bridge from 0 to 0 over a day whose deviation grows with the shared variance. */
function bridgeOf(seed: number, stream: number, day: number, variance: Float64Array): Float64Array {
  const path = new Float64Array(DAY_MINUTES + 1);
  for (let at = 0; at < BRIDGE_ORDER.length; at += 3) {
    const low = BRIDGE_ORDER[at] as number;
    const middle = BRIDGE_ORDER[at + 1] as number;
    const high = BRIDGE_ORDER[at + 2] as number;
    const before = (variance[middle] as number) - (variance[low] as number);
    const after = (variance[high] as number) - (variance[middle] as number);
    const share = before / (before + after);
    const noise = quickNormal(hash32(seed, stream, Math.imul(day, DAY_MINUTES) + middle, SALT_BRIDGE));
    path[middle] =
      (path[low] as number) * (1 - share) +
      (path[high] as number) * share +
      noise * Math.sqrt(before * (1 - share));
  }
  return path;
}

/** Fair prices of all listed markets for one seed. Pure but for caches. */
export interface FairPrice {
  /** Natural logarithm of the price at each of the day's 1441 minute boundaries. The last is the next day's first. */
  minutePath(symbol: string, day: number): Float64Array;
  /** Activity of each minute of the day around 1, shared by all markets. */
  activity(day: number): Float64Array;
  /** Deviation of the market's log price over one minute of ordinary activity on that day. */
  minuteDeviation(symbol: string, day: number): number;
  /** Price at a minute boundary or between two (interpolated), without shocks. */
  at(symbol: string, time: Millis): number;
}

function commonDay(seed: number, day: number): CommonDay {
  const mood = Math.exp(0.32 * normalAt(seed, COMMON_STREAM, day, SALT_DAY_MOOD) - 0.05);
  const activity = new Float64Array(DAY_MINUTES);
  const variance = new Float64Array(DAY_MINUTES + 1);
  let total = 0;
  const hours = Array.from(
    { length: 25 },
    (_, hour) =>
      (HOUR_ACTIVITY[hour % 24] as number) *
      Math.exp(0.3 * quickNormal(hash32(seed, COMMON_STREAM, day * 24 + hour, SALT_HOUR_MOOD))),
  );
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
    // Blended from hour to hour, so that no bar on the hour stands out for no reason.
    const hour = Math.floor(minute / 60);
    const within = (minute % 60) / 60;
    const bits = hash32(seed, COMMON_STREAM, day * DAY_MINUTES + minute, SALT_MINUTE_MOOD);
    const burst = 0.75 + 0.5 * uniform(bits);
    const value = ((hours[hour] as number) * (1 - within) + (hours[hour + 1] as number) * within) * burst;
    activity[minute] = value;
    total += value * value;
    variance[minute + 1] = total;
  }
  for (let minute = 1; minute <= DAY_MINUTES; minute += 1) {
    variance[minute] = (variance[minute] as number) / total;
  }
  return { variance, activity, mood, bridge: bridgeOf(seed, COMMON_STREAM, day, variance) };
}

/**
 * @param seed any integer; the same seed gives the same prices for ever.
 * @param markets crosses must name markets of the same list.
 */
export function fairPrice(seed: number, markets: readonly ListedMarket[]): FairPrice {
  const bySymbol = new Map(markets.map((market) => [market.symbol, market]));
  const commonDays = new Map<number, CommonDay>();
  const paths = new Map<string, Float64Array>();
  const marketOf = (symbol: string): ListedMarket => {
    const market = bySymbol.get(symbol);
    assert(market !== undefined, `a fair price is asked for a listed market, not ${symbol}`);
    return market;
  };
  const common = (day: number): CommonDay => {
    const known = commonDays.get(day);
    if (known !== undefined) return known;
    if (commonDays.size >= DAYS_CACHED_MAX) commonDays.delete(commonDays.keys().next().value as number);
    const made = commonDay(seed, day);
    commonDays.set(day, made);
    return made;
  };
  const makePath = (market: ListedMarket, day: number): Float64Array => {
    if (market.crossOf !== undefined) {
      const [base, quote] = market.crossOf;
      const above = minutePath(base, day);
      const below = minutePath(quote, day);
      return above.map((value, at) => value - (below[at] as number));
    }
    const { variance, bridge, mood } = common(day);
    const stream = textStream(market.symbol);
    const own = bridgeOf(seed, stream, day, variance);
    const shared = market.commonShare;
    const alone = Math.sqrt(1 - shared * shared);
    const level = (at: number): number =>
      shared * walkAt(seed, COMMON_STREAM, at - ANCHOR_DAY) + alone * walkAt(seed, stream, at - ANCHOR_DAY);
    const from = level(day);
    const to = level(day + 1);
    const start = Math.log(market.startPrice);
    const path = new Float64Array(DAY_MINUTES + 1);
    for (let at = 0; at <= DAY_MINUTES; at += 1) {
      const moved = from + (to - from) * (variance[at] as number);
      const wiggle = mood * (shared * (bridge[at] as number) + alone * (own[at] as number));
      path[at] = start + market.dailyVolatility * (moved + wiggle);
    }
    return path;
  };
  const minutePath = (symbol: string, day: number): Float64Array => {
    const key = `${symbol} ${day}`;
    const known = paths.get(key);
    if (known !== undefined) return known;
    if (paths.size >= DAYS_CACHED_MAX * bySymbol.size) paths.delete(paths.keys().next().value as string);
    const made = makePath(marketOf(symbol), day);
    paths.set(key, made);
    return made;
  };
  return {
    minutePath,
    activity: (day) => common(day).activity,
    minuteDeviation: (symbol, day) =>
      (marketOf(symbol).dailyVolatility * common(day).mood) / Math.sqrt(DAY_MINUTES),
    at: (symbol, time) => {
      const day = Math.floor(time / DAY_MILLIS);
      const path = minutePath(symbol, day);
      const minute = (time - day * DAY_MILLIS) / 60_000;
      const whole = Math.floor(minute);
      const from = path[whole] as number;
      return Math.exp(from + ((path[whole + 1] as number) - from) * (minute - whole));
    },
  };
}
