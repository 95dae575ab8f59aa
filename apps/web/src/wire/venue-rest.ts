import type { Platform, SymbolType } from '@crossbook/domain';
import type { VenuePublicRest } from '@crossbook/venues';
import type { VenueRestOptions } from './venues/venue-rest-options.ts';

/**
 * Makes the reader of one of a venue's markets. Each venue's decoder is a chunk of its own, loaded when first needed;
 * rejects when it cannot be loaded. Live data come from the hub's own stream, so no socket of a venue is ever opened.
 */
export async function createVenueRest(
  platform: Platform,
  symbolType: SymbolType,
  options: VenueRestOptions,
): Promise<VenuePublicRest> {
  if (platform === 2) {
    const { okxRest } = await import('./venues/okx.ts');
    return okxRest(options);
  }
  if (platform === 3) {
    const { bybitRest } = await import('./venues/bybit.ts');
    return bybitRest(symbolType === 'SPOT' ? 'spot' : 'linear', options);
  }
  if (symbolType === 'SWAP') {
    const { binanceFuturesRest } = await import('./venues/binance-futures.ts');
    return binanceFuturesRest(options);
  }
  const { binanceRest } = await import('./venues/binance.ts');
  return binanceRest(options);
}
