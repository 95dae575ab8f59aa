import { type Platform, platformFacts } from '@crossbook/domain';
import { useStore } from 'zustand';
import { bootConfig } from '../app/boot.ts';
import { type BalancesState, balancesStore } from '../wallet/balances.ts';
import { type OrdersState, ordersStore } from './orders.ts';

/**
 * Platforms that are coming soon. Nothing new begins there, but what a member already has there stays in view and can be
 * cancelled and taken out.
 */
export function comingSoonPlatforms(): readonly Platform[] {
  return bootConfig()
    .platforms.filter((row) => row.state === 'coming-soon' && row.symbolTypes.length > 0)
    .map((row) => row.platform);
}

/** Whether a member has funds or open orders at a platform. What could not be read may be there, so it counts. */
export function holdsAnything(platform: Platform, balances: BalancesState, orders: OrdersState): boolean {
  const wallet = balances.wallets[platformFacts(platform).platformType];
  return (
    wallet?.status === 'failed' ||
    orders.status[platform] === 'failed' ||
    (wallet?.rows ?? []).some((row) => Number(row.total) !== 0) ||
    [...orders.open.values()].some((row) => row.exchange === platform)
  );
}

/** The coming-soon platforms where the member has something, current while `useKeepLive` is in use. */
export function useHeldPlatforms(): readonly Platform[] {
  const balances = useStore(balancesStore);
  const orders = useStore(ordersStore);
  return comingSoonPlatforms().filter((platform) => holdsAnything(platform, balances, orders));
}
