import { randomBytes } from 'node:crypto';
import type { Millis, PlatformSlug } from '@crossbook/domain';
import { type OpenedVenue, openCoins, openVenue } from './open-venue.ts';

/** For tests only: one venue in this process whose clock moves by hand and whose agents act only when `step` is called. */

const SEED = 7;
const COINS = ['BTC', 'ETH', 'DOGE', 'WAVES'];

/** How a quiet venue is opened. */
interface QuietVenueOptions {
  readonly clock: () => Millis;
  /** Coins whose markets are listed. */
  readonly coins?: readonly string[];
  readonly seed?: number;
  /** A directory to keep journals and history in. */
  readonly data?: string;
}

/**
 * Opens a small venue: BTC, ETH and DOGE against USDT, the cross, the suspended market, and the same coins' contracts
 * with the odd ones (settled otherwise, suspended, dated). A look at a book finds it full around the fair price.
 */
export async function openQuietVenue(slug: PlatformSlug, options: QuietVenueOptions): Promise<OpenedVenue> {
  const surroundings = {
    ...(options.data === undefined ? {} : { data: options.data }),
    seed: options.seed ?? SEED,
    clock: options.clock,
    randomBytes: (size: number) => randomBytes(size),
    onFault: (fault: unknown) => {
      throw fault;
    },
    coins: new Set(options.coins ?? COINS),
  };
  const coins = await openCoins(surroundings);
  if (!coins.ok) throw new Error(coins.code);
  return await openVenue(slug, surroundings, coins.value);
}
