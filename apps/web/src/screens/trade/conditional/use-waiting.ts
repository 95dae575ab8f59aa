import type { AlgoOffer } from '@crossbook/domain';
import { useStore } from 'zustand';
import { algosStore } from '../../../stores/algos/algos.ts';
import type { MarketName } from '../../../stores/market/market.ts';

/** How many of the member's orders wait here, as the venue's limit counts them: of a symbol, or of all. */
export function useWaiting(instrument: MarketName, { perSymbol }: AlgoOffer): number {
  const { platform, symbolType, symbol } = instrument;
  return useStore(
    algosStore,
    ({ open }) =>
      [...open.values()].filter(
        (row) =>
          row.exchange === platform && row.symbolType === symbolType && (!perSymbol || row.symbol === symbol),
      ).length,
  );
}
