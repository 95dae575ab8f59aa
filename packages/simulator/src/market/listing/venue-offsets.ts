import { PLATFORMS, type PlatformSlug } from '@crossbook/domain';
import { hash32, textStream, uniform } from '../bars/noise.ts';

/**
 * How far one venue's price of a coin stands from the coin's own story, and a perpetual's price from its index: slow
 * movements around zero, f(seed, venue, coin, time) with random access. All are natural logarithms of a factor.
 */

const HOUR = 3_600_000;
const SALT_OFFSET = 31;
const SALT_BASIS = 32;
const SALT_INTEREST = 33;
const SALT_LONGS = 34;

/** One basis point as a fraction. */
export const BASIS_POINT = 0.0001;

/** The spot price of a coin at a venue is never further from its story than this, as a fraction: 4 bp. */
export const VENUE_OFFSET_MAX = 4 * BASIS_POINT;
/** A perpetual of a coin of volatility 0.025 is never further from its index than this; others in proportion. */
export const BASIS_PER_VOLATILITY_MAX = (9 * BASIS_POINT) / 0.025;

/** A quantity that moves with time. */
export type Swing = (time: number) => number;

/** A smooth curve through random heights in [-1, 1], one every `every` milliseconds. */
function wave(place: { seed: number; stream: number; salt: number }, every: number): Swing {
  const height = (at: number): number => 2 * uniform(hash32(place.seed, place.stream, at, place.salt)) - 1;
  return (time) => {
    const cell = Math.floor(time / every);
    const within = time / every - cell;
    const from = height(cell);
    return from + (height(cell + 1) - from) * within * within * (3 - 2 * within);
  };
}

/** Log distance of a venue's spot price from the coin's story. Binance tells the story itself. */
export function venueOffset(seed: number, venue: PlatformSlug, coin: string): Swing {
  if (venue === 'binance') return () => 0;
  const place = { seed, stream: textStream(`${venue} ${coin} offset`), salt: SALT_OFFSET };
  const slow = wave(place, 3 * HOUR);
  const quick = wave(place, HOUR / 4);
  return (time) => BASIS_POINT * (2.5 * slow(time) + 1.5 * quick(time));
}

/** Log distance of a perpetual from its index: mostly the coin's own mood, a little the venue's. */
export function perpBasis(
  seed: number,
  contract: { readonly venue: PlatformSlug; readonly coin: string; readonly volatility: number },
): Swing {
  const { venue, coin, volatility } = contract;
  const shared = wave({ seed, stream: textStream(`${coin} basis`), salt: SALT_BASIS }, 14 * HOUR);
  const place = { seed, stream: textStream(`${venue} ${coin} basis`), salt: SALT_BASIS };
  const slow = wave(place, 5 * HOUR);
  const quick = wave(place, HOUR / 6);
  const point = (BASIS_POINT * volatility) / 0.025;
  return (time) => point * (0.5 + 5 * shared(time) + 2 * slow(time) + 1.5 * quick(time));
}

/** Log distance of open interest from its ordinary size: days of building up and unwinding. */
export function interestSwing(seed: number, venue: PlatformSlug, coin: string): Swing {
  const place = { seed, stream: textStream(`${venue} ${coin} interest`), salt: SALT_INTEREST };
  const days = wave(place, 60 * HOUR);
  const hours = wave(place, 2 * HOUR);
  const minutes = wave(place, HOUR / 60);
  return (time) => 0.25 * days(time) + 0.04 * hours(time) + 0.002 * minutes(time);
}

/** How far the share of accounts that are long stands from a half: at most 0.15, over days. */
export function longSwing(seed: number, venue: PlatformSlug, coin: string): Swing {
  const place = { seed, stream: textStream(`${venue} ${coin} longs`), salt: SALT_LONGS };
  const days = wave(place, 40 * HOUR);
  const hours = wave(place, 3 * HOUR);
  return (time) => 0.12 * days(time) + 0.03 * hours(time);
}

/** The venues of which a coin's index is the mean, each with its own distance from the story. */
export function indexVenues(
  seed: number,
  coin: string,
): readonly { readonly venue: PlatformSlug; readonly offset: Swing }[] {
  return PLATFORMS.map(({ slug }) => ({ venue: slug, offset: venueOffset(seed, slug, coin) }));
}

/** Log distance of a coin's index from its story: the index is the mean of the venues' spot prices. */
export function indexOffset(seed: number, coin: string): Swing {
  const venues = indexVenues(seed, coin);
  return (time) => {
    let sum = 0;
    for (const { offset } of venues) sum += Math.exp(offset(time));
    return Math.log(sum / venues.length);
  };
}
