import { type Millis, type PlatformSlug, toNumberForDisplay } from '@crossbook/domain';
import type { FundingPayment, IndexPart, PerpStats } from '../venue.ts';
import { HISTORY_START } from './candles.ts';
import { type ListedContract, ordinaryInterest } from './listing/perp-listing.ts';
import {
  BASIS_POINT,
  indexOffset,
  indexVenues,
  interestSwing,
  longSwing,
  perpBasis,
  type Swing,
} from './listing/venue-offsets.ts';

/**
 * Mark, index, funding and open interest of a venue's contracts: f(seed, coin, time) with random access, so that live
 * figures, answers and history cannot disagree.
 */

/** Share of funding that is interest: 0.01 % per 8 hours, at all three venues. */
const INTEREST_PER_8_HOURS = BASIS_POINT;
/** The premium moves the rate only where it differs from the interest by more than this. */
const DAMPED_MAX = 5 * BASIS_POINT;
/** No rate is higher or lower than this. */
export const fundingRateMax = 0.02;
const SAMPLE_MILLIS = 600_000;
const MARK_SAMPLES = 5;
const MARK_SAMPLE_MILLIS = 60_000;
const EIGHT_HOURS = 8 * 3_600_000;
/** Rates are published with eight decimals. */
const RATE_STEPS = 1e8;

/** The coins' prices, live: with shocks and recordings. */
export interface StoryPrices {
  /** Price of a coin against USDT as its story tells it. */
  storyPrice(story: string, time: Millis): number;
  /** The same for a time long gone, without the seconds of its minute. */
  pastPrice(story: string, time: Millis): number;
}

/** Which payments are asked for. */
export interface FundingPage {
  readonly startTime?: Millis;
  readonly endTime?: Millis;
  readonly limit: number;
}

/** One contract's figures. */
export interface ContractStats {
  at(time: Millis): PerpStats;
  /** Payments up to `now`, ascending. */
  history(page: FundingPage, now: Millis): readonly FundingPayment[];
  /** How far the fair price stands above the index, as a fraction. */
  premium(time: Millis): number;
  /** The share of holders of a position who are long. */
  longShare(time: Millis): number;
  /** The pairs' fair prices of which the index is the mean. */
  indexParts(time: Millis): readonly IndexPart[];
}

function rateOf(premium: number, everyMillis: number): number {
  const interest = (INTEREST_PER_8_HOURS * everyMillis) / EIGHT_HOURS;
  const damped = Math.max(-DAMPED_MAX, Math.min(DAMPED_MAX, interest - premium));
  const rate = Math.max(-fundingRateMax, Math.min(fundingRateMax, premium + damped));
  return Math.round(rate * RATE_STEPS) / RATE_STEPS;
}

/** The figures of one contract of a venue. */
export function contractStats(
  contract: ListedContract,
  parts: { readonly seed: number; readonly venue: PlatformSlug; readonly prices: StoryPrices },
): ContractStats {
  const { seed, venue, prices } = parts;
  const coin = contract.coin.coin;
  const index = indexOffset(seed, coin);
  const interest = interestSwing(seed, venue, coin);
  const dated = contract.kind === 'DATED';
  const tilt = contract.story?.tilt(seed) ?? (() => 0);
  const basis: Swing = dated
    ? (time) => tilt(time) - index(time)
    : perpBasis(seed, { venue, coin, volatility: contract.dailyVolatility });
  const every = contract.fundingEveryMillis;
  const size = ordinaryInterest(contract);
  const lot = toNumberForDisplay(contract.lotSize);
  const story = contract.story?.of ?? contract.symbol;

  const indexFrom = (price: number, time: Millis): number =>
    price * contract.multiple * Math.exp(index(time));
  const venues = indexVenues(seed, coin);
  const longs = longSwing(seed, venue, coin);
  const smoothed: Swing = (time) => {
    let sum = 0;
    for (let back = 0; back < MARK_SAMPLES; back += 1) sum += basis(time - back * MARK_SAMPLE_MILLIS);
    return sum / MARK_SAMPLES;
  };
  /** The rate of the interval from `start` as far as it has gone at `time`. */
  const rateBy = (start: number, time: number): number => {
    if (dated) return 0;
    const count = Math.min(every / SAMPLE_MILLIS, Math.floor((time - start) / SAMPLE_MILLIS) + 1);
    let sum = 0;
    for (let at = 0; at < count; at += 1) sum += basis(start + at * SAMPLE_MILLIS);
    return rateOf(sum / count, every);
  };
  return {
    at: (time) => {
      const start = Math.floor(time / every) * every;
      const price = indexFrom(prices.storyPrice(story, time), time);
      return {
        index: price,
        mark: price * Math.exp(smoothed(time)),
        fundingRate: rateBy(start, time),
        lastFundingRate: rateBy(start - every, start - 1),
        nextFundingTime: (start + every) as Millis,
        openInterest: Math.round((size * Math.exp(interest(time))) / lot) * lot,
      };
    },
    history: (page, now) => {
      if (dated) return [];
      return paymentTimes(page, { every, listedAt: contract.listedAt, now }).map((time) => ({
        time,
        rate: rateBy(time - every, time - 1),
        mark: indexFrom(prices.pastPrice(story, time), time) * Math.exp(smoothed(time)),
      }));
    },
    premium: (time) => Math.exp(basis(time)) - 1,
    longShare: (time) => 0.5 + longs(time),
    indexParts: (time) => {
      const price = prices.storyPrice(story, time) * contract.multiple;
      return venues.map((one) => ({ venue: one.venue, price: price * Math.exp(one.offset(time)) }));
    },
  };
}

/** Funding times of a page, ascending: from `startTime` the oldest, otherwise the newest. */
function paymentTimes(
  page: FundingPage,
  contract: { readonly every: number; readonly listedAt: Millis; readonly now: Millis },
): Millis[] {
  const { every, now } = contract;
  const first = Math.ceil(Math.max(HISTORY_START, contract.listedAt) / every);
  const last = Math.floor(Math.min(page.endTime ?? now, now) / every);
  const from = page.startTime === undefined ? first : Math.max(first, Math.ceil(page.startTime / every));
  const count = Math.max(0, Math.min(page.limit, last - from + 1));
  const begin = page.startTime === undefined ? last - count + 1 : from;
  return Array.from({ length: count }, (_, at) => ((begin + at) * every) as Millis);
}
