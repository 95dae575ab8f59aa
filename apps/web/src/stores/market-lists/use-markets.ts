import type { Platform, SymbolType } from '@crossbook/domain';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { bootConfig } from '../app/boot.ts';
import {
  instrumentsOf,
  instrumentsStore,
  type ListedInstrument,
  loadInstruments,
} from '../market/instruments.ts';
import type { MarketName } from '../market/market.ts';
import { followTickers, refreshTickers } from './tickers.ts';

/** Platforms that show a type of market, tradable or not. */
export function platformsWith(symbolType: SymbolType): readonly Platform[] {
  return bootConfig()
    .platforms.filter((row) => row.restBases[symbolType] !== undefined)
    .map((row) => row.platform);
}

/** The instruments of one type at every platform that shows it. */
export interface Markets {
  /** `failed` only when no platform's list could be read. */
  readonly status: 'loading' | 'ready' | 'failed';
  readonly instruments: readonly ListedInstrument[];
  readonly platforms: readonly Platform[];
}

/**
 * The instruments of one type at every platform. Their tickers are read by REST every 10 s while the screen is shown
 * (2 s before production); `useFollowedTickers` makes those on screen quicker.
 */
export function useMarkets(symbolType: SymbolType): Markets {
  const platforms = useMemo(() => platformsWith(symbolType), [symbolType]);
  const state = useStore(instrumentsStore);
  useEffect(() => {
    for (const platform of platforms) void loadInstruments(platform);
  }, [platforms]);
  const instruments = useMemo(
    () => platforms.flatMap((platform) => instrumentsOf(state, platform, symbolType)),
    [state, platforms, symbolType],
  );
  useEffect(() => {
    const releases = platforms.map((platform) => refreshTickers(platform, symbolType));
    return () => {
      for (const release of releases) release();
    };
  }, [platforms, symbolType]);
  const statuses = platforms.map((platform) => state.byPlatform[platform]?.status ?? 'loading');
  // One venue that hangs does not keep the others off the screen.
  const ready = statuses.includes('ready') || statuses.length === 0;
  const status = ready ? 'ready' : statuses.includes('loading') ? 'loading' : 'failed';
  return { status, instruments, platforms };
}

/**
 * Follows the tickers of some markets on the live connections while the screen is shown. One connection carries
 * `STREAM_LIMITS.channelsMax` channels: give the rows on screen, not the whole list. Keep the array while it is the same.
 */
export function useFollowedTickers(markets: readonly MarketName[]): void {
  useEffect(() => followTickers(markets), [markets]);
}
