import { type Platform, platformFacts } from '@crossbook/domain';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { bootConfig } from '../app/boot.ts';
import { keepLive } from '../market/live.ts';
import { isMember, sessionStore } from '../member/session.ts';
import { loadBalances } from '../wallet/balances.ts';
import { comingSoonPlatforms, useHeldPlatforms } from './held-platforms.ts';
import { loadOpenOrders } from './orders.ts';

/** Platforms where members can hold money and trade today. */
export function tradablePlatforms(): readonly Platform[] {
  return bootConfig()
    .platforms.filter((row) => row.state === 'live' && row.symbolTypes.length > 0)
    .map((row) => row.platform);
}

function useLive(platforms: readonly Platform[]): void {
  const member = useStore(sessionStore, isMember);
  const names = platforms.join();
  useEffect(() => {
    if (!member || names === '') return;
    const releases = names.split(',').map((name) => keepLive(Number(name) as Platform));
    return () => {
      for (const release of releases) release();
    };
  }, [member, names]);
}

/** Says when positions come near liquidation; what that takes is read beside the page. */
function useRatioWatch(): void {
  const member = useStore(sessionStore, isMember);
  useEffect(() => {
    if (!member) return;
    let left = false;
    let end = (): void => undefined;
    import('./contracts/ratio-watch.ts').then(
      ({ watchRatios }) => {
        if (!left) end = watchRatios();
      },
      () => undefined,
    );
    return () => {
      left = true;
      end();
    };
  }, [member]);
}

/**
 * Keeps the private streams open while the screen is shown, so that balances and orders stay current. A coming-soon
 * platform is asked once what the member has there, and kept live while it is anything.
 */
export function useKeepLive(): void {
  const token = useStore(sessionStore, (state) => state.token);
  useLive(tradablePlatforms());
  useLive(useHeldPlatforms());
  useRatioWatch();
  useEffect(() => {
    if (token === undefined) return;
    for (const platform of comingSoonPlatforms()) {
      void loadBalances(platformFacts(platform).platformType);
      void loadOpenOrders(platform);
    }
  }, [token]);
}
