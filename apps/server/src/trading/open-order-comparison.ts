import {
  isFinal,
  ORDER_STATUS,
  type OrderId,
  type Platform,
  type UserId,
  venueClientId,
} from '@crossbook/domain';
import type { AccountOwner, TradingDeps } from './ports.ts';

/** How often resting orders are compared with the venue's own list: streams may drop events while they look healthy. */
const COMPARE_EVERY_MILLIS = 10_000;
/** Members compared in one round; with more of them a round goes on where the one before ended. */
const COMPARED_PER_ROUND_MAX = 50;

/** Comparing members' open orders with the venues' lists, never more than one round at a time at each platform. */
export interface OpenOrderComparison {
  /** Compares again and again; returns what ends it. */
  start(): () => void;
  /** Compares one member's orders now. */
  compare(user: UserId, platform: Platform): void;
}

/** Makes the comparison. @param lookUp is told of every order about which hub and venue do not agree. */
export function createOpenOrderComparison(
  deps: TradingDeps,
  lookUp: (id: OrderId, platform: Platform) => void,
): OpenOrderComparison {
  const running = new Set<Platform>();
  const begins = new Map<Platform, number>();
  const compareMember = async (user: UserId, platform: Platform): Promise<void> => {
    try {
      for (const id of await strayOrders(deps, user, platform)) lookUp(id, platform);
    } catch (error) {
      deps.log.note('comparison failed', { user, platform, error: String(error) });
    }
  };
  /** A platform that takes its time to fail keeps only its own members waiting. */
  const compareAt = async (platform: Platform, owners: readonly AccountOwner[]): Promise<void> => {
    if (running.has(platform)) return;
    running.add(platform);
    const left = begins.get(platform) ?? 0;
    const begin = left >= owners.length ? 0 : left;
    const now = owners.slice(begin, begin + COMPARED_PER_ROUND_MAX);
    begins.set(platform, begin + now.length);
    for (const { user } of now) await compareMember(user, platform);
    running.delete(platform);
  };
  const compareAll = async (): Promise<void> => {
    const owners = await deps.orders.unsettledOwners();
    const platforms = new Set(owners.map(({ platform }) => platform));
    for (const platform of platforms) {
      void compareAt(
        platform,
        owners.filter((owner) => owner.platform === platform),
      );
    }
  };
  return {
    compare: (user: UserId, platform: Platform): void => void compareMember(user, platform),
    start: () =>
      deps.timers.every(COMPARE_EVERY_MILLIS, () => {
        compareAll().catch((error) => deps.log.note('comparison failed', { error: String(error) }));
      }),
  };
}

/** Orders we hold open that the venue does not list, or lists further along than we do. */
async function strayOrders(deps: TradingDeps, user: UserId, platform: Platform): Promise<readonly OrderId[]> {
  const ours = await deps.orders.openOf(user, platform);
  const desk = deps.venue(platform);
  const account = await deps.accounts.find(user, platform);
  if (ours.length === 0 || desk === undefined || account.state !== 'ready') return [];
  const symbols = new Set(ours.map((order) => order.symbol));
  const instruments = deps.market
    .instruments(platform)
    .filter((instrument) => symbols.has(instrument.symbol));
  const listed = await desk.trading.openOrders(account.credentials, instruments);
  if (!listed.ok) return [];
  const theirs = new Map(listed.value.map((state) => [state.clientId, state]));
  return ours
    .filter((order) => {
      const state = theirs.get(venueClientId(order.id));
      // Lists of what is open may show what was closed a moment ago (Bybit's does).
      return (
        state === undefined ||
        isFinal(state.status) ||
        state.cumulativeQuantity !== order.cumQuantity ||
        order.status === ORDER_STATUS.UNKNOWN
      );
    })
    .map((order) => order.id);
}
