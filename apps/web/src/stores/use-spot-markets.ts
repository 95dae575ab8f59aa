import type { Platform } from '@crossbook/domain';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { bootConfig } from './boot.ts';
import { instrumentsOf, instrumentsStore, type ListedInstrument, loadInstruments } from './instruments.ts';
import { followTickers, refreshTickers } from './tickers.ts';

/** The spot instruments of all platforms that list any, with their tickers followed while the screen is shown. */
export function useSpotMarkets(): {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly instruments: readonly ListedInstrument[];
  readonly platforms: readonly Platform[];
} {
  const platforms = useMemo(
    () =>
      bootConfig()
        .platforms.filter((row) => row.symbolTypes.includes('SPOT'))
        .map((row) => row.platform),
    [],
  );
  const state = useStore(instrumentsStore);
  useEffect(() => {
    for (const platform of platforms) void loadInstruments(platform);
  }, [platforms]);
  const instruments = useMemo(
    () =>
      platforms.flatMap((platform) =>
        instrumentsOf(state, platform).filter((row) => row.symbolType === 'SPOT'),
      ),
    [state, platforms],
  );
  useEffect(() => {
    const releases = platforms.map((platform) =>
      followTickers(
        platform,
        instruments.filter((row) => row.platform === platform).map((row) => row.symbol),
      ),
    );
    return () => {
      for (const release of releases) release();
    };
  }, [platforms, instruments]);
  useEffect(() => {
    const releases = platforms.map(refreshTickers);
    return () => {
      for (const release of releases) release();
    };
  }, [platforms]);
  const statuses = platforms.map((platform) => state.byPlatform[platform]?.status ?? 'loading');
  const status = statuses.includes('loading')
    ? 'loading'
    : statuses.length > 0 && statuses.every((one) => one === 'failed')
      ? 'failed'
      : 'ready';
  return { status, instruments, platforms };
}
