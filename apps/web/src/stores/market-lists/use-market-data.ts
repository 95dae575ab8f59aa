import type { Platform } from '@crossbook/domain';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useNow } from '../app/use-now.ts';
import { coinNamesStore, loadCoinNames } from '../market/currencies.ts';
import { loadInstruments } from '../market/instruments.ts';
import { type CoinRow, coinRows, dataViewStore, sortCoins } from './market-data.ts';
import { isOffered } from './market-rows.ts';
import { openInterestStore, refreshOpenInterest } from './open-interest.ts';
import { type OldList, oldList } from './ticker-age.ts';
import { readKey, tickersStore } from './tickers.ts';
import { useMarkets } from './use-markets.ts';

/** Countdowns to the next funding are told to the second. */
const COUNTDOWN_MILLIS = 1_000;

/** What /marketData shows. */
export interface MarketData {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly rows: readonly CoinRow[];
  readonly platforms: readonly Platform[];
  readonly nameOf: (asset: string) => string | undefined;
  readonly old: ReadonlyMap<Platform, OldList>;
  /** Whether a platform's figures are still on their way. */
  readonly isAwaited: (platform: Platform) => boolean;
  readonly time: number;
  readonly retry: () => void;
}

/** The perpetuals of all platforms by coin, read every 10 s (2 s before production); open interest while it is shown. */
export function useMarketData(): MarketData {
  const { status, instruments, platforms } = useMarkets('SWAP');
  const view = useStore(dataViewStore);
  const tickers = useStore(tickersStore);
  const interest = useStore(openInterestStore);
  const names = useStore(coinNamesStore);
  const time = useNow(COUNTDOWN_MILLIS);
  const shown = view.topic === 'interest' ? interest : tickers;
  useEffect(() => void loadCoinNames(), []);
  useEffect(() => {
    if (view.topic !== 'interest' || instruments.length === 0) return;
    const releases = platforms.map(refreshOpenInterest);
    return () => {
      for (const release of releases) release();
    };
  }, [view.topic, platforms, instruments]);
  const rows = useMemo(
    () => sortCoins(coinRows(instruments.filter(isOffered), tickers.rows, interest.rows), view),
    [instruments, tickers.rows, interest.rows, view],
  );
  const old = platforms.flatMap((platform) => {
    const list = oldList({ platform, symbolType: 'SWAP' }, shown.reads, time);
    return list === undefined ? [] : [[platform, list] as const];
  });
  return {
    status,
    rows,
    platforms,
    nameOf: (asset) => names.get(asset),
    old: new Map(old),
    isAwaited: (platform) => !shown.reads.has(readKey(platform, 'SWAP')),
    time,
    retry: () => {
      for (const platform of platforms) void loadInstruments(platform);
    },
  };
}
