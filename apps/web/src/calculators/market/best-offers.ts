import type { BestFrame } from '@crossbook/contract';
import type { Platform } from '@crossbook/domain';

/** A frame older than this is only shown while the hub vouches that nothing has changed. */
export const BEST_AGE_MILLIS_MAX = 3_000;

/** The best price of one side across venues, and how it differs from the venue on screen. */
export interface BestOffer {
  readonly platform: Platform;
  /** Decimal string of the venue. */
  readonly price: string;
  /** Hundredths of a percent of the price on screen, fees in, signed: −1.2 = 1.2 bp cheaper; 0 where the venue on screen is best. */
  readonly basisPoints: number;
}

/** Best ask (lowest) and best bid (highest). */
export interface BestOffers {
  readonly ask: BestOffer;
  readonly bid: BestOffer;
}

/** A smaller difference reads 0.0 bp and is no reason to go elsewhere. */
const BASIS_POINTS_MIN = 0.05;

/** What taking costs at a venue, as a fraction; `undefined` where nothing can be ordered. */
export type TakerFeeOf = (platform: Platform) => number | undefined;

type Row = BestFrame['d'][number];

function best(
  rows: BestFrame['d'],
  here: Row,
  { side, feeOf }: { readonly side: 'bid' | 'ask'; readonly feeOf: TakerFeeOf },
): BestOffer | undefined {
  const at = side === 'bid' ? 1 : 2;
  const sign = side === 'bid' ? 1 : -1;
  const paid = (row: Row): number => Number(row[at]) * (1 - sign * (feeOf(row[0]) ?? 0));
  const own = paid(here);
  if (!(own > 0)) return undefined;
  // The venue on screen stands first: another one is best only when its price is really better.
  let found = here;
  for (const row of rows) if ((paid(row) - paid(found)) * sign > 0) found = row;
  const price = paid(found);
  if (!(price > 0)) return undefined;
  const basisPoints = ((price - own) / own) * 10_000;
  if (Math.abs(basisPoints) < BASIS_POINTS_MIN) return { platform: here[0], price: here[at], basisPoints: 0 };
  return { platform: found[0], price: found[at], basisPoints };
}

/**
 * Compares the venues of a frame that take orders with the one on screen, taker fees included. For reading only: what is
 * traded is priced elsewhere.
 * @returns `undefined` when there is nothing to compare: the venue on screen is missing, or it is the only one.
 */
export function bestOffers(rows: BestFrame['d'], here: Platform, feeOf: TakerFeeOf): BestOffers | undefined {
  const own = rows.find(([platform]) => platform === here);
  const open = rows.filter(([platform]) => platform === here || feeOf(platform) !== undefined);
  if (own === undefined || open.length < 2) return undefined;
  const ask = best(open, own, { side: 'ask', feeOf });
  const bid = best(open, own, { side: 'bid', feeOf });
  return ask === undefined || bid === undefined ? undefined : { ask, bid };
}

/** `−1.2`, `+0.8`, `0.0`: basis points with their sign and one decimal. */
export function basisPointsText(basisPoints: number): string {
  const size = Math.abs(basisPoints).toFixed(1);
  if (size === '0.0') return size;
  return `${basisPoints > 0 ? '+' : '−'}${size}`;
}
