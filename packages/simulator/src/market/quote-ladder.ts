import { type Lots, toNumberForDisplay } from '@crossbook/domain';
import type { BarScale } from './bars/bars.ts';
import type { RandomStream } from './bars/noise.ts';
import type { ListedMarket } from './listing/listing.ts';

/** Where makers' quotes lie and how large they are. */

/** Quotes per side while somebody watches. */
export const FULL_LEVELS = 220;
/** The ladder reaches this far from the touch; where ticks are coarse, at least so many ticks per level. */
const LADDER_REACH = 0.015;
const LADDER_REACH_MAX = 0.4;
const LADDER_TICKS_PER_LEVEL = 1.5;
/**
 * `turnover`: share of a day's turnover that rests on one side of a full ladder. A quote is large by the width that it stands for
 * (`wide`: coarse ticks hold more) and by its rank (`ranked`: fine ticks are not empty near the touch, and the more lies the
 * further away, to the power of `rise`); `touch`: the quote at it, as a part of the ladder. Recorded 2024-08 at Binance: two fifths of what rests
 * within a basis point lie at the touch; books of contracts are thinner near it, and for what they trade.
 */
const SPOT_LADDER = { turnover: 0.0145, wide: 0.5, ranked: 1, rise: 1, touch: 0.009 };
const CONTRACT_LADDER = { turnover: 0.0076, wide: 0, ranked: 2.9, rise: 2, touch: 0.0025 };
/**
 * Where ticks are so coarse that single ones make up the ladder, what rests does not lie by rank but evenly: so much of a day's
 * turnover in each basis point of a side, and half of that so many of them away (recorded 2026-08 at Bybit, SOLUSDT; of pairs
 * what BTCUSDT has within ten).
 */
const DENSITY = { spot: 0.0002, contract: 0.0001 };
const DENSITY_HALVED_POINTS = 150;
/** So much of what a tick stands for is quoted at the touch: takers leave half of it. */
const DENSITY_AT_TOUCH = 0.9;
const POINTS = 10_000;
/** The part of it that a quote by rank has at least. */
const RANK_LEAST = 0.01;
const DAY_SECONDS = 86_400;

/** Whether the ladder, with so many ticks per level, reaches further than it would by its share of the price. */
function hasCoarseTicks(priceTicks: number): boolean {
  return priceTicks * LADDER_REACH < FULL_LEVELS * LADDER_TICKS_PER_LEVEL;
}

/** Distance of each level from the touch in ticks: single ticks first, then ever wider. */
export function ladderDistances(priceTicks: number): Float64Array {
  const reach = Math.min(
    Math.max(priceTicks * LADDER_REACH, FULL_LEVELS * LADDER_TICKS_PER_LEVEL),
    priceTicks * LADDER_REACH_MAX,
  );
  const widest = Math.exp(4) - 1;
  return Float64Array.from({ length: FULL_LEVELS }, (_, level) => {
    const wide = (reach * (Math.exp((4 * level) / FULL_LEVELS) - 1)) / widest;
    return Math.round(Math.max(level * 0.6, wide * Math.min(1, level / 8)));
  });
}

/** Where a quote is: how many ticks it and its neighbours are from the touch, and how far the last one is. */
interface QuotePlace {
  readonly level: number;
  readonly before: number;
  readonly distance: number;
  readonly next: number;
  readonly width: number;
  readonly times: number;
}

/** How much agents trade and quote, and at which prices they like to. */
export interface Quantities {
  quote(place: QuotePlace, price: number): Lots;
  /** The largest order. */
  readonly most: number;
  /** What flows through the market in so many seconds. */
  flow(seconds: number, price: number): Lots;
  spreadTicks(fair: number): number;
  /** Some quotes go to round prices, as people's do. */
  roundly(price: number, sign: 1 | -1): number;
}

/** Sizes and prices of a market's agents, whose tastes come from `random`. */
export function quantities(market: ListedMarket, scale: BarScale, random: RandomStream): Quantities {
  const { turnover, wide, ranked, rise, touch } =
    market.contractValue === undefined ? SPOT_LADDER : CONTRACT_LADDER;
  const ranks = Float64Array.from({ length: FULL_LEVELS }, (_, level) => (level / FULL_LEVELS) ** rise);
  const toLots = (notional: number, price: number): Lots =>
    Math.max(1, Math.round(scale.lots(notional / scale.price(price)))) as Lots;
  const density = market.contractValue === undefined ? DENSITY.spot : DENSITY.contract;
  /** The part of a day's turnover that a quote is where ticks are coarse. */
  const evenly = ({ level, before, distance, next }: QuotePlace, price: number): number => {
    const points = (ticks: number): number => (ticks / price) * POINTS;
    const stands = level === 0 ? DENSITY_AT_TOUCH : (next - before) / 2;
    return (density * points(stands)) / (1 + points(distance) / DENSITY_HALVED_POINTS);
  };
  const byRank = ({ level, distance, next, width }: QuotePlace): number => {
    const rank = (RANK_LEAST + (ranks[level] as number)) / FULL_LEVELS;
    return turnover * (level === 0 ? touch : (wide * (next - distance)) / width + ranked * rank);
  };
  const most = Math.floor(toNumberForDisplay(market.maxMarketQty) / toNumberForDisplay(market.lotSize));
  const bounded = (quantity: Lots): Lots => Math.min(quantity, most) as Lots;
  return {
    most,
    quote: (place, price) => {
      const part = hasCoarseTicks(price) ? evenly(place, price) : byRank(place);
      const round = price % 100 === 0 ? 2.5 : price % 10 === 0 ? 1.4 : 1;
      const taste = Math.exp(0.9 * random.normal() - 0.4);
      return bounded(toLots(market.dailyTurnover * part * place.times * round * taste, price));
    },
    flow: (seconds, price) => bounded(toLots((market.dailyTurnover / DAY_SECONDS) * seconds, price)),
    // One tick where ticks are coarse; a little more where they are very fine.
    spreadTicks: (fair) => Math.min(3, 0.1 + fair * 0.00000002),
    roundly: (price, sign) => {
      if (random.next() > 0.18) return price;
      const step = random.next() < 0.4 ? 100 : 10;
      return price < step * 20
        ? price
        : (sign > 0 ? Math.floor(price / step) : Math.ceil(price / step)) * step;
    },
  };
}
