import { type Bar, MINUTE_SECONDS } from '../bars/bars.ts';
import { drawsBetween, hash32, logNormals, quickNormal, textStream } from '../bars/noise.ts';
import type { MinuteTrades } from '../bars/trade-log.ts';

/**
 * The trades of a minute made from its bar (generated, recorded or printed) and the seed: the first is at the open, the
 * last at the close, high and low are reached, and counts, volumes and takers' volumes are those of the bar. The
 * same bar and seed give the same trades, so that nothing of the past is kept.
 */

const COMMON_STREAM = textStream('common seconds');
const SALT_SECONDS = 21;
const SALT_WEIGHTS = 22;
const SALT_TRADES = 23;
const SALT_SIZES = 24;
const SALT_SWEEPS = 25;
const SALT_LENGTHS = 26;
const SALT_SECOND_SIZES = 27;
const COMMON_SHARE = 0.7;
const OWN_SHARE = Math.sqrt(1 - COMMON_SHARE * COMMON_SHARE);
/**
 * Trades that one taker makes at once, at the same moment and of the same side: most make one, one in a hundred more than forty
 * (BTCUSDT at Binance, spot and USD-M, 2024-08-08: between the two).
 */
const LENGTHS = drawsBetween([
  [0, 1],
  [0.65, 1.5],
  [0.75, 2],
  [0.85, 4],
  [0.9, 6.5],
  [0.95, 11],
  [0.98, 22],
  [0.99, 35],
  [0.995, 52],
  [0.999, 240],
  [1, 500],
]);
/** No taker makes more than this part of a minute's trades. */
const SWEEP_PART_MAX = 1 / 3;
/** How many of a taker's trades are a tick further than the one before. */
const FURTHER_SHARE = 0.2;
/**
 * Sizes of trades, of pairs and of contracts, to which a taker's and a second's own are multiplied: half of a pair's are crumbs
 * (BTCUSDT at Binance, spot and USD-M, 2024-08-08).
 */
const PAIR_SIZES = drawsBetween([
  [0, 0.001],
  [0.1, 0.004],
  [0.3, 0.008],
  [0.45, 0.016],
  [0.55, 0.05],
  [0.62, 0.2],
  [0.7, 0.6],
  [0.8, 1.2],
  [0.9, 1.9],
  [0.95, 2.6],
  [0.99, 4.5],
  [0.999, 9],
  [1, 14],
]);
const CONTRACT_SIZES = drawsBetween([
  [0, 0.004],
  [0.2, 0.03],
  [0.4, 0.12],
  [0.5, 0.25],
  [0.6, 0.5],
  [0.7, 0.85],
  [0.8, 1.2],
  [0.9, 1.8],
  [0.95, 2.3],
  [0.99, 3],
  [0.999, 5],
  [1, 8],
]);
/** How busy seconds are differs this much, as the deviation of its logarithm; and how large what is traded in them. */
const SECONDS = logNormals(1.1);
const SECOND_SIZES = logNormals(1);
/** What one taker takes at once is large or small as a whole. */
const SWEEPS = logNormals(0.9);
const SHIFTS_MAX = 6;

/** Whose minute is split: the story gives the way of the price, the crowd everything else. */
export interface MinuteNames {
  readonly seed: number;
  readonly story: string;
  readonly crowd: string;
  readonly contract: boolean;
}

/** Fewest trades that show a bar's prices: its open, a high and a low beyond open and close, and its close. */
export function tradesToShow(bar: Bar): number {
  const { open, close } = bar;
  const beyond = Number(bar.high > Math.max(open, close)) + Number(bar.low < Math.min(open, close));
  return beyond === 0 && open === close ? 1 : 2 + beyond;
}

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

/** Prices at the 61 second boundaries of a minute: first `open`, last `close`, inside [low, high]. */
export function minutePath(seed: number, story: string, bar: Bar): Float64Array {
  const stream = textStream(story);
  const path = new Float64Array(MINUTE_SECONDS + 1);
  const first = bar.time / 1_000;
  for (let at = 1; at <= MINUTE_SECONDS; at += 1) {
    const common = quickNormal(hash32(seed, COMMON_STREAM, first + at, SALT_SECONDS));
    const own = quickNormal(hash32(seed, stream, first + at, SALT_SECONDS));
    path[at] = (path[at - 1] as number) + COMMON_SHARE * common + OWN_SHARE * own;
  }
  // Scaled so that the free path wanders about as far as the bar does; the warp below makes it exact.
  const size = (bar.high - bar.low) / (1.6 * Math.sqrt(MINUTE_SECONDS));
  const drift = path[MINUTE_SECONDS] as number;
  const top = Math.max(bar.open, bar.close);
  const bottom = Math.min(bar.open, bar.close);
  let most = top;
  let least = bottom;
  for (let at = 0; at <= MINUTE_SECONDS; at += 1) {
    const share = at / MINUTE_SECONDS;
    const value = bar.open + (bar.close - bar.open) * share + size * ((path[at] as number) - drift * share);
    path[at] = value;
    most = Math.max(most, value);
    least = Math.min(least, value);
  }
  for (let at = 1; at < MINUTE_SECONDS; at += 1) {
    const value = path[at] as number;
    if (value > top) path[at] = top + ((value - top) / (most - top)) * (bar.high - top);
    else if (value < bottom) path[at] = bottom - ((bottom - value) / (bottom - least)) * (bottom - bar.low);
  }
  path[0] = bar.open;
  path[MINUTE_SECONDS] = bar.close;
  return path;
}

/** How many trades each taker makes at once, oldest first. */
function sweepLengths({ seed }: MinuteNames, stream: number, bar: Bar, count: number): number[] {
  const longest = Math.max(1, Math.floor(count * SWEEP_PART_MAX));
  const lengths: number[] = [];
  for (let made = 0; made < count; ) {
    const drawn = LENGTHS[hash32(seed, stream, bar.time + made, SALT_LENGTHS) & 1_023] as number;
    const length = Math.min(Math.floor(drawn), longest, count - made);
    lengths.push(length);
    made += length;
  }
  return lengths;
}

/** How many takers come in each second. */
function secondCounts(names: MinuteNames, stream: number, bar: Bar, count: number): Float64Array {
  const weights = new Float64Array(MINUTE_SECONDS);
  for (let at = 0; at < MINUTE_SECONDS; at += 1) {
    const bits = hash32(names.seed, stream, bar.time / 1_000 + at, SALT_WEIGHTS);
    weights[at] = SECONDS[bits & 1_023] as number;
  }
  return splitWhole(count, weights);
}

/** Times, sides and prices along the minute's path. */
function layOut(trades: MinuteTrades, names: MinuteNames, stream: number, bar: Bar): void {
  const { times, prices, sells, count } = trades;
  const path = minutePath(names.seed, names.story, bar);
  const lengths = sweepLengths(names, stream, bar, count);
  const counts = secondCounts(names, stream, bar, lengths.length);
  const buying = bar.lots === 0 ? 0.5 : bar.takerLots / bar.lots;
  const inside = (price: number): number => Math.max(bar.low, Math.min(bar.high, price));
  let at = 0;
  let sweep = 0;
  for (let second = 0; second < MINUTE_SECONDS; second += 1) {
    const inSecond = counts[second] as number;
    const from = path[second] as number;
    const move = (path[second + 1] as number) - from;
    for (let place = 0; place < inSecond; place += 1, sweep += 1) {
      const bits = hash32(names.seed, stream, bar.time + at, SALT_TRADES);
      const within = (place + (bits & 0xffff) / 0x10000) / inSecond;
      const time = bar.time + second * 1_000 + Math.floor(within * 1_000);
      const sold = (Math.imul(bits, 0x2c1b3c6d) >>> 0) / 0x100000000 < buying ? 0 : 1;
      let price = from + move * within;
      price = inside(sold === 1 ? Math.floor(price) : Math.ceil(price));
      for (const end = at + (lengths[sweep] as number); at < end; at += 1) {
        times[at] = time;
        sells[at] = sold;
        prices[at] = price;
        const goes = (hash32(names.seed, stream, bar.time + at, SALT_SIZES) >>> 10) & 0xffff;
        if (goes < FURTHER_SHARE * 0x10000) price = inside(price + (sold === 1 ? -1 : 1));
      }
    }
  }
}

/** Puts the open first, the close last, and lets the trades that come closest reach high and low. Returns which may not move. */
function pinPrices(trades: MinuteTrades, bar: Bar): Set<number> {
  const { prices, count } = trades;
  const last = count - 1;
  prices[0] = bar.open;
  prices[last] = bar.close;
  const pinned = new Set([0, last]);
  for (const [target, sign] of [
    [bar.high, 1],
    [bar.low, -1],
  ] as const) {
    if (prices[0] === target || prices[last] === target) continue;
    let nearest = -1;
    for (let at = 1; at < last; at += 1) {
      if (pinned.has(at)) continue;
      if (nearest < 0 || ((prices[at] as number) - (prices[nearest] as number)) * sign > 0) nearest = at;
    }
    if (nearest < 0) continue;
    prices[nearest] = target;
    pinned.add(nearest);
  }
  return pinned;
}

/** Turns takers round until both sides can have their volume in whole lots, at least one each. */
function balanceSides(trades: MinuteTrades, bar: Bar): void {
  const { sells, count } = trades;
  let buys = 0;
  for (let at = 0; at < count; at += 1) buys += 1 - (sells[at] as number);
  const sold = bar.lots - bar.takerLots;
  const fewest = Math.max(bar.takerLots > 0 ? 1 : 0, count - sold);
  const most = Math.min(bar.takerLots, count - (sold > 0 ? 1 : 0));
  for (let at = count - 1; at >= 0 && (buys < fewest || buys > most); at -= 1) {
    const turns = buys < fewest ? 1 : 0;
    if (sells[at] !== turns) continue;
    sells[at] = 1 - turns;
    buys += turns === 1 ? 1 : -1;
  }
}

/** Places of one side's trades, oldest first. */
function placesOf(trades: MinuteTrades, sells: 0 | 1): number[] {
  const places: number[] = [];
  for (let at = 0; at < trades.count; at += 1) if (trades.sells[at] === sells) places.push(at);
  return places;
}

function shareLots(
  trades: MinuteTrades,
  places: readonly number[],
  total: number,
  draw: (at: number) => number,
): void {
  const parts = splitWhole(Math.max(0, total - places.length), Float64Array.from(places, draw));
  places.forEach((at, part) => {
    trades.lots[at] = 1 + (parts[part] as number);
  });
}

/** One side's trades and what they are to be worth, in tick × lot. */
interface SideValue {
  readonly places: readonly number[];
  /** Places whose prices may not move. */
  readonly pinned: ReadonlySet<number>;
  readonly quote: number;
}

/**
 * Moves prices that are not pinned, and at last lots from trade to trade, until the side is worth `quote`. What a few
 * trades in whole steps cannot give stays open.
 */
function settleValue(trades: MinuteTrades, side: SideValue, bar: Bar): void {
  const { prices, lots } = trades;
  const free = side.places.filter((at) => !side.pinned.has(at));
  let missing = side.quote;
  let volume = 0;
  for (const at of side.places) missing -= (prices[at] as number) * (lots[at] as number);
  for (const at of free) volume += lots[at] as number;
  const move = (at: number, ticks: number): void => {
    const to = Math.max(bar.low, Math.min(bar.high, (prices[at] as number) + ticks));
    missing -= (to - (prices[at] as number)) * (lots[at] as number);
    prices[at] = to;
  };
  for (let round = 0; round < SHIFTS_MAX && Math.abs(missing) >= volume && volume > 0; round += 1) {
    const shift = Math.trunc(missing / volume);
    for (const at of free) move(at, shift);
  }
  const step = Math.sign(missing);
  for (const at of free) if ((lots[at] as number) <= Math.abs(missing)) move(at, step);
  if (missing === 0) return;
  const byPrice = side.places.toSorted((one, other) => (prices[one] as number) - (prices[other] as number));
  const crumb = moveLots(trades, step > 0 ? byPrice : byPrice.reverse(), Math.abs(missing));
  if (crumb > 0) settleCrumb(trades, { ...side, places: byPrice }, { crumb, step, bar });
}

/** Moves lots from the first trades to the last, which are worth more (or less) a lot. Returns what is still missing. */
function moveLots(trades: MinuteTrades, places: readonly number[], missing: number): number {
  const { prices, lots } = trades;
  let left = missing;
  let giver = 0;
  let taker = places.length - 1;
  while (giver < taker && left > 0) {
    const [from, to] = [places[giver] as number, places[taker] as number];
    const apart = Math.abs((prices[to] as number) - (prices[from] as number));
    if (apart === 0) return left;
    const moved = Math.min((lots[from] as number) - 1, Math.floor(left / apart));
    lots[from] = (lots[from] as number) - moved;
    lots[to] = (lots[to] as number) + moved;
    left -= moved * apart;
    if (left >= apart) giver += 1;
    else taker -= 1;
  }
  return left;
}

/** Gives what is left to two trades at the same price: one of them goes a tick further with as many lots as are missing. */
function settleCrumb(
  trades: MinuteTrades,
  side: Omit<SideValue, 'quote'>,
  rest: { readonly crumb: number; readonly step: number; readonly bar: Bar },
): void {
  const { prices, lots } = trades;
  const { crumb, step, bar } = rest;
  for (let at = 1; at < side.places.length; at += 1) {
    const [from, to] = [side.places[at - 1] as number, side.places[at] as number];
    const moved = (prices[to] as number) + step;
    const spare = (lots[from] as number) + (lots[to] as number) - crumb;
    if (prices[from] !== prices[to] || side.pinned.has(to) || spare < 1) continue;
    if (moved > bar.high || moved < bar.low) continue;
    prices[to] = moved;
    lots[from] = spare;
    lots[to] = crumb;
    return;
  }
}

/** Every trade of a minute, oldest first; none where nothing traded. */
export function minuteTrades(names: MinuteNames, bar: Bar): MinuteTrades {
  const count = Math.min(bar.trades, bar.lots);
  const trades: MinuteTrades = {
    count,
    times: new Float64Array(count),
    prices: new Float64Array(count),
    lots: new Float64Array(count),
    sells: new Uint8Array(count),
  };
  if (count === 0) return trades;
  const stream = textStream(names.crowd);
  layOut(trades, names, stream, bar);
  const pinned = pinPrices(trades, bar);
  balanceSides(trades, bar);
  const sizes = names.contract ? CONTRACT_SIZES : PAIR_SIZES;
  const draw = (at: number): number => {
    const time = trades.times[at] as number;
    const second = hash32(names.seed, stream, Math.floor(time / 1_000), SALT_SECOND_SIZES) & 1_023;
    const sweep = hash32(names.seed, stream, time, SALT_SWEEPS) & 1_023;
    const size = hash32(names.seed, stream, bar.time + at, SALT_SIZES) & 1_023;
    return (sizes[size] as number) * (SWEEPS[sweep] as number) * (SECOND_SIZES[second] as number);
  };
  const sides = [
    { sells: 0 as const, lots: bar.takerLots, quote: bar.takerQuote },
    { sells: 1 as const, lots: bar.lots - bar.takerLots, quote: bar.quote - bar.takerQuote },
  ];
  for (const side of sides) {
    const places = placesOf(trades, side.sells);
    // A bar whose trades cannot show both sides: the one that is there has all.
    const all = places.length === count ? bar.lots : side.lots;
    shareLots(trades, places, all, draw);
    settleValue(trades, { places, pinned, quote: side.quote }, bar);
  }
  return trades;
}
