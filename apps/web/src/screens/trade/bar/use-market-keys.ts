import { bootConfig } from '../../../stores/app/boot.ts';
import {
  instrumentsOf,
  instrumentsStore,
  type ListedInstrument,
  loadInstruments,
} from '../../../stores/market/instruments.ts';
import type { MarketName } from '../../../stores/market/market.ts';
import { isOffered } from '../../../stores/market-lists/market-rows.ts';
import { useKeys } from '../keys/use-keys.ts';

/** Keys that lead to another market: the search, the neighbours in the list, the same coin at the next exchange. */
export function useMarketKeys(
  instrument: ListedInstrument,
  to: { readonly onSearch: () => void; readonly onMarket: (market: MarketName) => void },
): void {
  const { platform, symbolType, symbol, base } = instrument;
  const neighbour = (step: 1 | -1): void => {
    const listed = instrumentsOf(instrumentsStore.getState(), platform, symbolType);
    const offered = listed.filter((row) => row.symbol === symbol || isOffered(row));
    const at = offered.findIndex((row) => row.symbol === symbol);
    const next = offered.at((at + step) % offered.length);
    if (next !== undefined && at >= 0) to.onMarket(next);
  };
  const nextVenue = async (): Promise<void> => {
    const venues = bootConfig().platforms.filter((row) => row.restBases[symbolType] !== undefined);
    const at = venues.findIndex((row) => row.platform === platform);
    for (const venue of [...venues.slice(at + 1), ...venues.slice(0, Math.max(0, at))]) {
      await loadInstruments(venue.platform);
      const listed = instrumentsOf(instrumentsStore.getState(), venue.platform, symbolType);
      const same = listed.find((row) => row.base === base && isOffered(row));
      if (same !== undefined) return to.onMarket(same);
    }
  };
  useKeys({
    'symbol.search': to.onSearch,
    'palette.open': to.onSearch,
    'symbol.previous': () => neighbour(-1),
    'symbol.next': () => neighbour(1),
    'venue.next': () => void nextVenue(),
  });
}
