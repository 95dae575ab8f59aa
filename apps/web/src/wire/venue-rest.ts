import type { Instrument, Millis, Platform, SymbolType } from '@crossbook/domain';
import type { FetchText, VenuePublicRest } from '@crossbook/venues';

/** What a reader of a venue's public REST needs from outside. */
export interface VenueRestOptions {
  /** Absolute base without a trailing slash: the hub's relay, or the exchange itself in direct mode. */
  readonly restBase: string;
  readonly fetchText: FetchText;
  readonly clock: () => Millis;
  /** What is known already: sizes of contracts are read in base coins by it. */
  readonly instruments: readonly Instrument[];
}

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
