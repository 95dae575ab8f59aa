import type { Platform } from '@crossbook/domain';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { bootConfig } from './boot.ts';
import { keepLive } from './live.ts';
import { isMember, sessionStore } from './session.ts';

/** Platforms where members can hold money and trade today. */
export function tradablePlatforms(): readonly Platform[] {
  return bootConfig()
    .platforms.filter((row) => row.state === 'live' && row.symbolTypes.length > 0)
    .map((row) => row.platform);
}

/** Keeps the private stream open while the screen is shown, so that balances and orders stay current. */
export function useKeepLive(): void {
  const member = useStore(sessionStore, isMember);
  useEffect(() => {
    if (!member) return;
    const releases = tradablePlatforms().map(keepLive);
    return () => {
      for (const release of releases) release();
    };
  }, [member]);
}
