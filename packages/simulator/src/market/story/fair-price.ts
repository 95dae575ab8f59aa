import { assert, type Millis } from '@crossbook/domain';
import { DAY_MILLIS, DAY_MINUTES } from '../bars/bars.ts';
import { hash32, logNormals, normalAt, quickNormal, textStream } from '../bars/noise.ts';
import type { ListedMarket } from '../listing/listing.ts';

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
/**
 * The hour's share of a day's movement (UTC): quiet before Asia wakes, loud when London and New York are both open. Volume
 * follows it more than in proportion, and is then as uneven as in the recorded month of Bybit.
 */
const HOUR_ACTIVITY: readonly number[] = [
  1.11, 0.85, 0.81, 0.72, 0.63, 0.68, 0.7, 0.79, 0.82, 0.87, 0.84, 0.81, 0.99, 1.41, 1.62, 1.28, 1.26, 1.19,
  1.06, 1.09, 1.1, 1.02, 1.05, 0.82,
];
const HOUR_MINUTES = 60;
const SPELL_MINUTES = 12;
/** Deviations of the logarithm of activity: of an hour, of a spell inside it, of a coin's own hours; and of a minute. */
const HOUR_MOOD = 0.35;
const SPELL_MOOD = 0.45;
const OWN_MOOD = 0.4;
const MINUTE_MOODS = logNormals(0.25);
/** Of what coins have in common from day to day, the part that they have in common within one. */
const TOGETHER_WITHIN_DAY = 0.9;
const DAYS_CACHED_MAX = 8;

const COMMON_STREAM = textStream('common');
const SALT_BLOCK = 1;
const SALT_WALK = 2;
const SALT_DAY_MOOD = 3;
const SALT_HOUR_MOOD = 4;
const SALT_BRIDGE = 5;
const SALT_MINUTE_MOOD = 6;
const SALT_SPELL_MOOD = 7;
const SALT_OWN_MOOD = 8;

/** Calm and hurry of a day. */
interface DayPace {
  /** Activity per minute, mean about 1: drives movement and volume. */
  readonly activity: Float64Array;
  /** Share of the day's variance up to each minute boundary: 0 at 0, 1 at 1440. */
  readonly variance: Float64Array;
  /** Sum of the squares of activity. */
  readonly total: number;
}

/** What all markets of one day share: its pace and the common movement. */
interface CommonDay extends DayPace {
  readonly bridge: Float64Array;
  /** Factor on the day's volatility, mean about 1. */
  readonly mood: number;
}

/** One market's day: its own pace, and its path. */
interface MarketDay extends Omit<DayPace, 'variance'> {
  readonly path: Float64Array;
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
  /** Activity of each minute of a market's day around 1: the hour's, everybody's mood and the coin's own. */
  activity(symbol: string, day: number): Float64Array;
  /** Deviation of the market's log price over one minute of ordinary activity on that day. */
  minuteDeviation(symbol: string, day: number): number;
  /** How lively a whole day is, about 1: it moves more, and more is traded. */
  dayMood(symbol: string, day: number): number;
  /** Price at a minute boundary or between two (interpolated), without shocks. */
  at(symbol: string, time: Millis): number;
}

/** The pace of a day from the activity of its minutes. */
function paceOf(activity: Float64Array): DayPace {
  const variance = new Float64Array(DAY_MINUTES + 1);
  let total = 0;
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
    const value = activity[minute] as number;
    total += value * value;
    variance[minute + 1] = total;
  }
  for (let minute = 1; minute <= DAY_MINUTES; minute += 1) {
    variance[minute] = (variance[minute] as number) / total;
  }
  return { activity, variance, total };
}

/** Factors of mean about 1 on each minute: moods that last so many minutes, without a step where one ends. */
function moods(
  mood: { readonly seed: number; readonly stream: number; readonly salt: number; readonly deviation: number },
  day: number,
  every: number,
): Float64Array {
  const { seed, stream, salt, deviation } = mood;
  const count = DAY_MINUTES / every;
  const factors = new Float64Array(DAY_MINUTES);
  const knot = (at: number): number =>
    Math.exp(
      deviation * quickNormal(hash32(seed, stream, day * count + at, salt)) - (deviation * deviation) / 2,
    );
  let from = knot(0);
  for (let at = 0; at < count; at += 1) {
    const to = knot(at + 1);
    for (let within = 0; within < every; within += 1) {
      factors[at * every + within] = from + ((to - from) * within) / every;
    }
    from = to;
  }
  return factors;
}

function commonDay(seed: number, day: number): CommonDay {
  const mood = Math.exp(0.32 * normalAt(seed, COMMON_STREAM, day, SALT_DAY_MOOD) - 0.05);
  const shared = { seed, stream: COMMON_STREAM };
  const hourMood = moods({ ...shared, salt: SALT_HOUR_MOOD, deviation: HOUR_MOOD }, day, HOUR_MINUTES);
  const spellMood = moods({ ...shared, salt: SALT_SPELL_MOOD, deviation: SPELL_MOOD }, day, SPELL_MINUTES);
  const activity = new Float64Array(DAY_MINUTES);
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
    // Blended from hour to hour, so that no bar on the hour stands out for no reason.
    const hour = Math.floor(minute / HOUR_MINUTES);
    const within = (minute % HOUR_MINUTES) / HOUR_MINUTES;
    const season =
      (HOUR_ACTIVITY[hour] as number) * (1 - within) + (HOUR_ACTIVITY[(hour + 1) % 24] as number) * within;
    const bits = hash32(seed, COMMON_STREAM, day * DAY_MINUTES + minute, SALT_MINUTE_MOOD);
    const own = MINUTE_MOODS[bits & 1_023] as number;
    activity[minute] = season * (hourMood[minute] as number) * (spellMood[minute] as number) * own;
  }
  const pace = paceOf(activity);
  return { ...pace, mood, bridge: bridgeOf(seed, COMMON_STREAM, day, pace.variance) };
}

/**
 * @param seed any integer; the same seed gives the same prices for ever.
 * @param markets crosses must name markets of the same list.
 */
export function fairPrice(seed: number, markets: readonly ListedMarket[]): FairPrice {
  const bySymbol = new Map(markets.map((market) => [market.symbol, market]));
  const commonDays = new Map<number, CommonDay>();
  const days = new Map<string, MarketDay>();
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
  const makeDay = (market: ListedMarket, day: number): MarketDay => {
    const { mood, bridge, variance, activity } = common(day);
    if (market.crossOf !== undefined) {
      const [base, quote] = market.crossOf;
      const above = dayOf(base, day);
      const below = dayOf(quote, day).path;
      return { ...above, path: above.path.map((value, at) => value - (below[at] as number)) };
    }
    const stream = textStream(market.symbol);
    const owned = moods({ seed, stream, salt: SALT_OWN_MOOD, deviation: OWN_MOOD }, day, HOUR_MINUTES);
    for (let at = 0; at < DAY_MINUTES; at += 1) owned[at] = (owned[at] as number) * (activity[at] as number);
    const pace = paceOf(owned);
    const own = bridgeOf(seed, stream, day, pace.variance);
    const shared = market.commonShare;
    const alone = Math.sqrt(1 - shared * shared);
    const level = (at: number): number =>
      shared * walkAt(seed, COMMON_STREAM, at - ANCHOR_DAY) + alone * walkAt(seed, stream, at - ANCHOR_DAY);
    const from = level(day);
    const to = level(day + 1);
    const start = Math.log(market.startPrice);
    // Within a day coins go their own ways a little more than from day to day.
    const together = shared * TOGETHER_WITHIN_DAY;
    const apart = Math.sqrt(1 - together * together);
    const path = new Float64Array(DAY_MINUTES + 1);
    for (let at = 0; at <= DAY_MINUTES; at += 1) {
      const moved = from + (to - from) * (variance[at] as number);
      const wiggle = mood * (together * (bridge[at] as number) + apart * (own[at] as number));
      path[at] = start + market.dailyVolatility * (moved + wiggle);
    }
    return { activity: pace.activity, total: pace.total, path, mood };
  };
  const dayOf = (symbol: string, day: number): MarketDay => {
    const key = `${symbol} ${day}`;
    const known = days.get(key);
    if (known !== undefined) return known;
    if (days.size >= DAYS_CACHED_MAX * bySymbol.size) days.delete(days.keys().next().value as string);
    const made = makeDay(marketOf(symbol), day);
    days.set(key, made);
    return made;
  };
  const minutePath = (symbol: string, day: number): Float64Array => dayOf(symbol, day).path;
  return {
    minutePath,
    activity: (symbol, day) => dayOf(symbol, day).activity,
    minuteDeviation: (symbol, day) => {
      const { mood, total } = dayOf(symbol, day);
      return (marketOf(symbol).dailyVolatility * mood) / Math.sqrt(total);
    },
    dayMood: (symbol, day) => dayOf(symbol, day).mood,
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
