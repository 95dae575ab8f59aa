import { createOkxRest, type VenuePublicRest } from '@crossbook/venues';
import type { VenueRestOptions } from './venue-rest-options.ts';

/** A chunk of its own: only pages that show this market load its decoder. */
export function okxRest(options: VenueRestOptions): VenuePublicRest {
  return createOkxRest(options);
}
