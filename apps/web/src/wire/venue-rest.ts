import type { Platform, SymbolType } from '@crossbook/domain';
import type { VenuePublicRest } from '@crossbook/venues';
import type { VenueRestOptions } from './venues/venue-rest-options.ts';

type Reader = (options: VenueRestOptions) => VenuePublicRest;

/** The decoder of each market, a chunk of its own, loaded when first needed. */
const READERS: Readonly<Record<Platform, (symbolType: SymbolType) => Promise<Reader>>> = {
  1: async (symbolType) =>
    symbolType === 'SPOT'
      ? (await import('./venues/binance.ts')).binanceRest
      : (await import('./venues/binance-futures.ts')).binanceFuturesRest,
  2: async () => (await import('./venues/okx.ts')).okxRest,
  3: async (symbolType) => (await import('./venues/bybit.ts')).bybitRest(symbolType),
};

/**
 * Makes the reader of one of a venue's markets; rejects when its decoder cannot be loaded. Live data come from the hub's
 * own stream, so no socket of a venue is ever opened.
 */
export async function createVenueRest(
  platform: Platform,
  symbolType: SymbolType,
  options: VenueRestOptions,
): Promise<VenuePublicRest> {
  return (await READERS[platform](symbolType))(options);
}
