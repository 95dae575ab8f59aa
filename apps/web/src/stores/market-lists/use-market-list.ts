import type { SymbolType } from '@crossbook/domain';
import { useCallback, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useNow } from '../app/use-now.ts';
import { coinNamesStore, loadCoinNames } from '../market/currencies.ts';
import { loadInstruments } from '../market/instruments.ts';
import { sessionStore } from '../member/session.ts';
import { favouritesStore, loadFavourites } from './favourites.ts';
import { arrangeMarkets, marketViewStore } from './market-list.ts';
import { isOffered, type MarketRow, marketRows } from './market-rows.ts';
import { type OldList, oldList } from './ticker-age.ts';
import { readKey, tickersStore } from './tickers.ts';
import { useMarkets } from './use-markets.ts';

/** Ages are told again this often. */
const AGE_MILLIS = 5_000;

/** The rows of the markets list as the view and the search want them. */
export interface MarketList {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly rows: readonly MarketRow[];
  /** Lists whose figures are old. */
  readonly old: readonly OldList[];
  /** Whether the figures of a row are still on their way. */
  readonly isAwaited: (row: MarketRow) => boolean;
  readonly retry: () => void;
}

/**
 * Everything that the platforms list, spot and perpetuals. Figures change as they come; the order is made anew only
 * when a list was read or the view changed, so that rows do not run away from the pointer.
 */
export function useMarketList(typed: string): MarketList {
  const spot = useMarkets('SPOT');
  const perps = useMarkets('SWAP');
  const view = useStore(marketViewStore);
  const { rows: tickers, reads } = useStore(tickersStore);
  const { keys: favourites, status: favouritesStatus } = useStore(favouritesStore);
  const names = useStore(coinNamesStore);
  const token = useStore(sessionStore, (session) => session.token);
  const time = useNow(AGE_MILLIS);
  useEffect(() => void loadCoinNames(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another member has other favourites
  useEffect(() => void loadFavourites(), [token]);
  const instruments = useMemo(
    () => [...spot.instruments, ...perps.instruments].filter(isOffered),
    [spot.instruments, perps.instruments],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reads` is when the order may change; the figures are read then
  const order = useMemo(
    () =>
      arrangeMarkets(marketRows(instruments, tickersStore.getState().rows), view, {
        typed,
        favourites,
        nameOf: (asset) => names.get(asset),
      }).map(({ instrument }) => instrument),
    [instruments, view, typed, favourites, names, reads],
  );
  const rows = useMemo(() => marketRows(order, tickers), [order, tickers]);
  const lists = [spot, perps].flatMap((markets, at) =>
    markets.platforms.map((platform) => ({
      platform,
      symbolType: (at === 0 ? 'SPOT' : 'SWAP') as SymbolType,
    })),
  );
  const isAwaited = useCallback(
    ({ instrument }: MarketRow) => !reads.has(readKey(instrument.platform, instrument.symbolType)),
    [reads],
  );
  const statuses = [spot, perps].filter(({ platforms }) => platforms.length > 0).map(({ status }) => status);
  const listed = statuses.includes('ready') ? 'ready' : statuses.includes('loading') ? 'loading' : 'failed';
  // A member's favourites are as known as their list; a visitor has none.
  const marked = favouritesStatus === 'none' ? (token === undefined ? 'ready' : 'loading') : favouritesStatus;
  return {
    status: view.scope === 'favourites' && listed === 'ready' ? marked : listed,
    rows,
    old: lists.map((list) => oldList(list, reads, time)).filter((list) => list !== undefined),
    isAwaited,
    retry: () => {
      void loadFavourites();
      for (const platform of new Set([...spot.platforms, ...perps.platforms])) void loadInstruments(platform);
    },
  };
}
