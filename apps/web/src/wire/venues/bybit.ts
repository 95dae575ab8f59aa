import type { SymbolType } from '@crossbook/domain';
import { createBybitRest, type VenuePublicRest } from '@crossbook/venues';
import type { VenueRestOptions } from './venue-rest-options.ts';

/** A chunk of its own: only pages that show this market load its decoder. */
export function bybitRest(symbolType: SymbolType): (options: VenueRestOptions) => VenuePublicRest {
  const category = symbolType === 'SPOT' ? 'spot' : 'linear';
  return (options) => createBybitRest({ ...options, category });
}
