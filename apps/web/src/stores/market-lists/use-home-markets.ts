import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useNow } from '../app/use-now.ts';
import { loadInstruments } from '../market/instruments.ts';
import { marketKey } from '../market/market.ts';
import { HOME_PLATFORMS, type MarketRow, marketRows, topMarkets, topMovers } from './market-rows.ts';
import { type OldList, oldList } from './ticker-age.ts';
import { tickersStore } from './tickers.ts';
import { useFollowedTickers, useMarkets } from './use-markets.ts';

const AGE_MILLIS = 5_000;

/** What the home page shows of the markets. */
export interface HomeMarkets {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly top: readonly MarketRow[];
  readonly movers: readonly MarketRow[];
  /** Lists whose figures are old. */
  readonly old: readonly OldList[];
  readonly retry: () => void;
}

/** Top markets and top movers of platforms 1 and 2 (spec sections 7 and 9). */
export function useHomeMarkets(): HomeMarkets {
  const { status, instruments, platforms } = useMarkets('SPOT');
  const { rows: tickers, reads } = useStore(tickersStore);
  const time = useNow(AGE_MILLIS);
  const rows = useMemo(() => marketRows(instruments, tickers), [instruments, tickers]);
  const listed = useMemo(
    () => rows.filter(({ instrument }) => HOME_PLATFORMS.includes(instrument.platform)),
    [rows],
  );
  const top = useMemo(() => topMarkets(listed), [listed]);
  const movers = useMemo(() => topMovers(listed), [listed]);
  const shown = [...top, ...movers].map(({ instrument }) => instrument);
  const keys = [...new Set(shown.map(marketKey))].toSorted().join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same markets in another order are followed already
  const followed = useMemo(
    () => [...new Map(shown.map((instrument) => [marketKey(instrument), instrument])).values()],
    [keys],
  );
  useFollowedTickers(followed);
  const old = platforms
    .filter((platform) => HOME_PLATFORMS.includes(platform))
    .map((platform) => oldList({ platform, symbolType: 'SPOT' }, reads, time))
    .filter((list) => list !== undefined);
  return {
    ...{ status, top, movers, old },
    retry: () => {
      for (const platform of platforms) void loadInstruments(platform);
    },
  };
}
