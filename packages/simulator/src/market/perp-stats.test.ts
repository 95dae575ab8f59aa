import { type Millis, PLATFORMS, type PlatformSlug } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { HISTORY_START } from './candles.ts';
import { LISTING } from './listing/listing.ts';
import { type ListedContract, perpListing } from './listing/perp-listing.ts';
import {
  BASIS_PER_VOLATILITY_MAX,
  indexOffset,
  perpBasis,
  VENUE_OFFSET_MAX,
  venueOffset,
} from './listing/venue-offsets.ts';
import { contractStats, fundingRateMax } from './perp-stats.ts';
import { fairPrice } from './story/fair-price.ts';

const SEED = 7;
const HOUR = 3_600_000;
const FIRST = Date.UTC(2024, 5, 1);
const LAST = Date.UTC(2027, 1, 1);
const fair = fairPrice(SEED, LISTING);
const at = (story: string, time: Millis) => fair.at(story, time);
const prices = { storyPrice: at, pastPrice: at };

const times = fc.integer({ min: FIRST, max: LAST }).map((time) => time as Millis);
const venues = fc.constantFrom<PlatformSlug>('binance', 'okx', 'bybit');
const coins = fc.constantFrom('BTC', 'ETH', 'DOGE', 'SUI', 'PEPE', 'WAVES');

function contractOf(venue: PlatformSlug, coin: string, kind = 'PERPETUAL'): ListedContract {
  const found = perpListing(venue).find((one) => one.coin.coin === coin && one.kind === kind);
  if (found === undefined) throw new Error(`${venue} lists no ${kind} of ${coin}`);
  return found;
}

const known = new Map<string, ReturnType<typeof makeStats>>();

function makeStats(venue: PlatformSlug, coin: string, kind?: string) {
  const contract = contractOf(venue, coin, kind);
  return { contract, stats: contractStats(contract, { seed: SEED, venue, prices }) };
}

/** The same contract is asked for thousands of times. */
function statsOf(venue: PlatformSlug, coin: string, kind?: string) {
  const name = `${venue} ${coin} ${kind}`;
  const stats = known.get(name) ?? makeStats(venue, coin, kind);
  known.set(name, stats);
  return stats;
}

describe('the distance between venues', () => {
  test('is within its bound, never the same for long, and moves slowly', () => {
    fc.assert(
      fc.property(venues, coins, times, (venue, coin, time) => {
        const offset = venueOffset(SEED, venue, coin);
        expect(Math.abs(offset(time))).toBeLessThanOrEqual(VENUE_OFFSET_MAX);
        // Half a basis point a minute at the very most.
        expect(Math.abs(offset(time + 60_000) - offset(time))).toBeLessThan(0.00005);
      }),
      { numRuns: runs(1_000), seed: 11 },
    );
    const story = Array.from({ length: 200 }, (_, at) => venueOffset(SEED, 'okx', 'BTC')(FIRST + at * HOUR));
    expect(Math.max(...story)).toBeGreaterThan(0.0002);
    expect(Math.min(...story)).toBeLessThan(-0.0002);
  });

  test('is nothing at Binance, whose prices are the story itself', () => {
    expect(venueOffset(SEED, 'binance', 'BTC')(FIRST)).toBe(0);
  });

  test('the index is the mean of the three spot prices', () => {
    fc.assert(
      fc.property(coins, times, (coin, time) => {
        const mean =
          PLATFORMS.reduce((sum, { slug }) => sum + Math.exp(venueOffset(SEED, slug, coin)(time)), 0) / 3;
        expect(Math.exp(indexOffset(SEED, coin)(time))).toBeCloseTo(mean, 14);
      }),
      { numRuns: runs(200), seed: 11 },
    );
  });
});

describe("a contract's figures", () => {
  test('mark follows the index within the bound of its basis, without jumps', () => {
    fc.assert(
      fc.property(venues, coins, times, (venue, coin, time) => {
        const { contract, stats } = statsOf(venue, coin);
        const now = stats.at(time);
        const bound = BASIS_PER_VOLATILITY_MAX * contract.dailyVolatility;
        expect(Math.abs(Math.log(now.mark / now.index))).toBeLessThanOrEqual(bound);
        const place = { venue, coin, volatility: contract.dailyVolatility };
        expect(Math.abs(perpBasis(SEED, place)(time))).toBeLessThanOrEqual(bound);
        const next = stats.at((time + 1_000) as Millis);
        expect(Math.abs(next.mark / next.index - now.mark / now.index)).toBeLessThan(0.00002);
        expect(Math.abs(next.openInterest / now.openInterest - 1)).toBeLessThan(0.002);
      }),
      { numRuns: runs(1_000, 5), seed: 12 },
    );
  });

  test('the rate that is paid is the one that was predicted last, and the one that history tells', () => {
    fc.assert(
      fc.property(venues, coins, times, (venue, coin, time) => {
        const { contract, stats } = statsOf(venue, coin);
        const { nextFundingTime, fundingRate } = stats.at(time);
        expect(nextFundingTime % contract.fundingEveryMillis).toBe(0);
        expect(nextFundingTime - time).toBeGreaterThan(0);
        expect(nextFundingTime - time).toBeLessThanOrEqual(contract.fundingEveryMillis);
        expect(Math.abs(fundingRate)).toBeLessThanOrEqual(fundingRateMax);
        const last = stats.at((nextFundingTime - 1) as Millis).fundingRate;
        expect(stats.at(nextFundingTime).lastFundingRate).toBe(last);
        const paid = stats.history({ limit: 1 }, nextFundingTime)[0];
        expect(paid).toMatchObject({ time: nextFundingTime, rate: last });
      }),
      { numRuns: runs(500, 5), seed: 13 },
    );
  });

  test('the index is the mean of its parts, and the mark smooths a premium that stays within its bound', () => {
    fc.assert(
      fc.property(venues, coins, times, (venue, coin, time) => {
        const { contract, stats } = statsOf(venue, coin);
        const parts = stats.indexParts(time);
        expect(parts.map((part) => part.venue)).toEqual(PLATFORMS.map(({ slug }) => slug));
        const { index, mark } = stats.at(time);
        const sum = parts.reduce((total, { price }) => total + price, 0);
        expect(sum / 3 / index).toBeCloseTo(1, 12);
        const bound = Math.expm1(BASIS_PER_VOLATILITY_MAX * contract.dailyVolatility);
        expect(Math.abs(stats.premium(time))).toBeLessThanOrEqual(bound);
        expect(Math.abs(stats.longShare(time) - 0.5)).toBeLessThanOrEqual(0.15);
        const minutes = [0, 1, 2, 3, 4].map((back) => stats.premium((time - back * 60_000) as Millis));
        const mean = minutes.reduce((total, premium) => total + Math.log1p(premium), 0) / 5;
        expect(mark / index).toBeCloseTo(Math.exp(mean), 12);
      }),
      { numRuns: runs(300), seed: 15 },
    );
  });

  test('history is every funding time once, ascending, whatever page is asked for', () => {
    fc.assert(
      fc.property(
        venues,
        coins,
        fc.record({
          startTime: fc.option(times, { nil: undefined }),
          endTime: fc.option(times, { nil: undefined }),
          limit: fc.integer({ min: 1, max: 60 }),
        }),
        (venue, coin, { startTime, endTime, limit }) => {
          const { contract, stats } = statsOf(venue, coin);
          const page = {
            limit,
            ...(startTime === undefined ? {} : { startTime }),
            ...(endTime === undefined ? {} : { endTime }),
          };
          const payments = stats.history(page, LAST as Millis);
          const every = contract.fundingEveryMillis;
          payments.slice(1).forEach((payment, at) => {
            expect(payment.time - (payments[at]?.time ?? 0)).toBe(every);
          });
          for (const { time } of payments) {
            expect(time).toBeGreaterThanOrEqual(Math.max(startTime ?? 0, HISTORY_START));
            expect(time).toBeLessThanOrEqual(endTime ?? LAST);
          }
          const possible = (Math.min(endTime ?? LAST, LAST) - (startTime ?? HISTORY_START)) / every;
          if (possible >= limit + 1) expect(payments.length).toBe(limit);
          const edge = startTime === undefined ? payments.at(-1) : payments[0];
          if (edge !== undefined && startTime === undefined) {
            expect((endTime ?? LAST) - edge.time).toBeLessThan(every);
          } else if (edge !== undefined) expect(edge.time - (startTime ?? 0)).toBeLessThan(every);
        },
      ),
      { numRuns: runs(300, 4), seed: 14 },
    );
  });

  test('rates differ from contract to contract and are not always the interest alone', () => {
    const rates = perpListing('okx')
      .filter(({ kind, settle, status }) => kind === 'PERPETUAL' && settle === 'USDT' && status === 'TRADING')
      .flatMap((contract) => {
        const stats = contractStats(contract, { seed: SEED, venue: 'okx', prices });
        return stats.history({ limit: 90 }, LAST as Millis).map(({ rate }) => rate);
      });
    expect(new Set(rates).size).toBeGreaterThan(50);
    expect(rates.some((rate) => rate < 0)).toBe(true);
    expect(rates.filter((rate) => rate === 0.0001).length / rates.length).toBeGreaterThan(0.3);
  });

  test('a dated contract pays no funding and meets its index on the day of delivery', () => {
    const { contract, stats } = statsOf('binance', 'BTC', 'DATED');
    const delivery = contract.deliveryTime as Millis;
    const near = stats.at((delivery - 1) as Millis);
    const far = stats.at((delivery - 90 * 24 * HOUR) as Millis);
    expect([far.fundingRate, far.lastFundingRate]).toEqual([0, 0]);
    expect(stats.history({ limit: 10 }, delivery)).toEqual([]);
    expect(far.mark / far.index - 1).toBeGreaterThan(0.01);
    expect(Math.abs(near.mark / near.index - 1)).toBeLessThan(0.00001);
  });
});
