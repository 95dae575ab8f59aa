import { createBinanceFuturesRest, type VenuePublicRest } from '@crossbook/venues';
import type { VenueRestOptions } from './venue-rest-options.ts';

/** A chunk of its own: only pages that show this market load its decoder. */
export function binanceFuturesRest(options: VenueRestOptions): VenuePublicRest {
  return createBinanceFuturesRest(options);
}
