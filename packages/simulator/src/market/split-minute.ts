import { type Bar, flatBar, MINUTE_SECONDS } from './bars.ts';
import { hash32, quickNormal, textStream, uniform } from './noise.ts';

/**
 * Seconds inside a minute. The minute's bar (generated, recorded or printed) is given; its sixty seconds are a
 * bridge from open to close that touches exactly the high and the low, and whose volumes sum to the minute's.
 */

const COMMON_STREAM = textStream('common seconds');
const SALT_SECONDS = 21;
const SALT_WEIGHTS = 22;
const COMMON_SHARE = 0.7;
const OWN_SHARE = Math.sqrt(1 - COMMON_SHARE * COMMON_SHARE);

/** Splits a whole number by weights; parts are whole, not negative and sum to it. */
function splitWhole(total: number, weights: Float64Array): Float64Array {
  let sum = 0;
  for (const weight of weights) sum += weight;
  const parts = new Float64Array(weights.length);
  let before = 0;
  let running = 0;
  for (let at = 0; at < weights.length; at += 1) {
    running += weights[at] as number;
    const upTo = at === weights.length - 1 ? total : Math.min(total, Math.floor((total * running) / sum));
    parts[at] = upTo - before;
    before = upTo;
  }
  return parts;
}

/** Prices at the ends of `steps` equal steps: first `open`, last `close`, inside [low, high] and touching both where it can. */
function warpedBridge(bar: Bar, steps: number, seed: number, stream: number): Float64Array {
  const path = new Float64Array(steps + 1);
  const minute = bar.time / 60_000;
  for (let at = 1; at <= steps; at += 1) {
    const common = quickNormal(hash32(seed, COMMON_STREAM, minute * MINUTE_SECONDS + at, SALT_SECONDS));
    const own = quickNormal(hash32(seed, stream, minute * MINUTE_SECONDS + at, SALT_SECONDS));
    path[at] = (path[at - 1] as number) + COMMON_SHARE * common + OWN_SHARE * own;
  }
  // Scaled so that the free path wanders about as far as the bar does; the warp below makes it exact.
  const size = (bar.high - bar.low) / (1.6 * Math.sqrt(steps));
  const drift = path[steps] as number;
  const top = Math.max(bar.open, bar.close);
  const bottom = Math.min(bar.open, bar.close);
  let most = top;
  let least = bottom;
  for (let at = 0; at <= steps; at += 1) {
    const share = at / steps;
    const value = bar.open + (bar.close - bar.open) * share + size * ((path[at] as number) - drift * share);
    path[at] = value;
    most = Math.max(most, value);
    least = Math.min(least, value);
  }
  for (let at = 1; at < steps; at += 1) {
    const value = path[at] as number;
    if (value > top) path[at] = top + Math.round(((value - top) / (most - top)) * (bar.high - top));
    else if (value < bottom)
      path[at] = bottom - Math.round(((bottom - value) / (bottom - least)) * (bottom - bar.low));
    else path[at] = Math.round(value);
  }
  path[0] = bar.open;
  path[steps] = bar.close;
  return path;
}

/** Gives one bar the minute's high (or low) when no second's end touches it: as a wick where the path comes closest. */
function touchExtremes(bars: readonly Bar[], minute: Bar): void {
  let highest = bars[0] as Bar;
  let lowest = highest;
  for (const bar of bars) {
    if (bar.high > highest.high) highest = bar;
    if (bar.low < lowest.low) lowest = bar;
  }
  highest.high = minute.high;
  lowest.low = minute.low;
}

/** Moves volume toward the dearest or cheapest second until the quote value fits, then settles the rest there. */
function balanceQuote(bars: readonly Bar[], minute: Bar): void {
  const middle = (bar: Bar): number => (bar.high + bar.low) / 2;
  let value = 0;
  for (const bar of bars) value += bar.lots * middle(bar);
  const missing = minute.quote - value;
  let anchor = bars[0] as Bar;
  for (const bar of bars) {
    if (missing > 0 ? middle(bar) > middle(anchor) : middle(bar) < middle(anchor)) anchor = bar;
  }
  const reach = minute.lots * middle(anchor) - value;
  const moved = reach === 0 ? 0 : Math.min(1, Math.max(0, missing / reach));
  let given = 0;
  for (const bar of bars) {
    const take = Math.max(0, Math.min(bar.lots - bar.trades, Math.floor(bar.lots * moved)));
    bar.lots -= take;
    given += take;
  }
  anchor.lots += given;
  let rest = minute.quote;
  for (const bar of bars) {
    bar.quote = Math.round(bar.lots * middle(bar));
    rest -= bar.quote;
  }
  // What whole lots leave over goes where the seconds' own ranges have room, the last crumb to the anchor.
  const left = giveRest(
    bars,
    rest,
    (bar) => bar.lots * (rest > 0 ? bar.high : bar.low) - bar.quote,
    (bar, part) => {
      bar.quote += part;
    },
  );
  anchor.quote += left;
}

/** Adds what is left to give, bar by bar, within each bar's room; the sign of `rest` says which way. */
function giveRest(
  bars: readonly Bar[],
  rest: number,
  room: (bar: Bar) => number,
  give: (bar: Bar, part: number) => void,
): number {
  let left = rest;
  for (const bar of bars) {
    if (left === 0) return 0;
    const part = left > 0 ? Math.min(left, Math.floor(room(bar))) : Math.max(left, Math.ceil(room(bar)));
    give(bar, part);
    left -= part;
  }
  return left;
}

/** Splits the takers' part so that no second has more than its volume; the sums are exact. */
function splitTakers(bars: readonly Bar[], minute: Bar): void {
  let lots = 0;
  let taken = 0;
  let anchor = bars[0] as Bar;
  for (const bar of bars) {
    lots += bar.lots;
    const upTo = minute.lots === 0 ? 0 : Math.floor(minute.takerLots * (lots / minute.lots));
    bar.takerLots = Math.max(0, Math.min(upTo - taken, bar.lots));
    taken += bar.takerLots;
  }
  giveRest(
    bars,
    minute.takerLots - taken,
    (bar) => bar.lots - bar.takerLots,
    (bar, part) => {
      bar.takerLots += part;
    },
  );
  let rest = minute.takerQuote;
  for (const bar of bars) {
    bar.takerQuote = bar.lots === 0 ? 0 : Math.round(bar.quote * (bar.takerLots / bar.lots));
    rest -= bar.takerQuote;
    if (bar.takerLots > anchor.takerLots) anchor = bar;
  }
  const left = giveRest(
    bars,
    rest,
    (bar) => bar.takerLots * (rest > 0 ? bar.high : bar.low) - bar.takerQuote,
    (bar, part) => {
      bar.takerQuote += part;
    },
  );
  anchor.takerQuote += left;
}

/** The sixty one-second bars of a minute, in order. Seconds without a trade are flat at the price before them. */
export function splitMinute(seed: number, symbol: string, minute: Bar): Bar[] {
  const stream = textStream(symbol);
  const weights = new Float64Array(MINUTE_SECONDS);
  const number = minute.time / 60_000;
  for (let at = 0; at < MINUTE_SECONDS; at += 1) {
    const draw = uniform(hash32(seed, stream, number * MINUTE_SECONDS + at, SALT_WEIGHTS));
    weights[at] = 0.15 + 2.5 * draw * draw;
  }
  const trades = splitWhole(minute.trades, weights);
  const active: number[] = [];
  for (let at = 0; at < MINUTE_SECONDS; at += 1) if ((trades[at] as number) > 0) active.push(at);
  if (active.length === 0) return flatMinute(minute);
  const path = warpedBridge(minute, active.length, seed, stream);
  const lots = splitWhole(
    minute.lots - minute.trades,
    Float64Array.from(active, (at) => weights[at] as number),
  );
  const wick = (minute.high - minute.low) / 40;
  const bars = active.map((second, at) => {
    const bar = flatBar(minute.time + second * 1_000, path[at] as number);
    bar.close = path[at + 1] as number;
    const bits = hash32(seed, stream, number * MINUTE_SECONDS + second, SALT_WEIGHTS + 1);
    const above = Math.max(bar.open, bar.close) + Math.floor(wick * (bits & 255) * 0.01);
    const below = Math.min(bar.open, bar.close) - Math.floor(wick * ((bits >>> 8) & 255) * 0.01);
    bar.high = Math.min(minute.high, above);
    bar.low = Math.max(minute.low, below);
    bar.trades = trades[second] as number;
    bar.lots = (lots[at] as number) + bar.trades;
    return bar;
  });
  touchExtremes(bars, minute);
  balanceQuote(bars, minute);
  splitTakers(bars, minute);
  return withQuietSeconds(bars, minute);
}

function flatMinute(minute: Bar): Bar[] {
  const seconds = Array.from({ length: MINUTE_SECONDS }, (_, at) =>
    flatBar(minute.time + at * 1_000, minute.open),
  );
  const first = seconds[0] as Bar;
  Object.assign(first, minute);
  for (const bar of seconds.slice(1)) {
    bar.open = minute.close;
    bar.high = minute.close;
    bar.low = minute.close;
    bar.close = minute.close;
  }
  return seconds;
}

function withQuietSeconds(active: readonly Bar[], minute: Bar): Bar[] {
  const seconds: Bar[] = [];
  let next = 0;
  let price = minute.open;
  for (let at = 0; at < MINUTE_SECONDS; at += 1) {
    const bar = active[next];
    if (bar !== undefined && bar.time === minute.time + at * 1_000) {
      seconds.push(bar);
      price = bar.close;
      next += 1;
    } else seconds.push(flatBar(minute.time + at * 1_000, price));
  }
  return seconds;
}
