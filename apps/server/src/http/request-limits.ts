import type { Millis } from '@crossbook/domain';
import { networkOf } from '../accounts/budgets.ts';

/** Which budget a request uses. */
export type RequestClass = 'public' | 'member' | 'order' | 'relay';

/** Requests per address (IPv6: per /64) in a window. Sensitive calls have their own budgets besides, in the database. */
const REQUESTS_PER_WINDOW: Readonly<Record<RequestClass, number>> = {
  public: 600,
  member: 1_200,
  order: 1_200,
  relay: 2_400,
};
const WINDOW_MILLIS = 60_000;
/** Addresses remembered; beyond it the whole memory starts anew rather than growing. */
const ENTRIES_MAX = 100_000;

/** Guards the process against floods; in memory, because it must cost less than what it guards. */
export interface RequestLimits {
  /**
   * Uses one, or as many as a request counts for; answers the seconds to wait when nothing is left.
   */
  take(requestClass: RequestClass, address: string, requests?: number): number | undefined;
}

/**
 * Makes the limits.
 * @param factor multiplies every budget (`ADDRESS_LIMIT_FACTOR`).
 * @param steady a clock that is never set: one set back would keep a window that is used up.
 */
export function requestLimits(factor: number, steady: () => Millis): RequestLimits {
  let windowEndsAt = 0;
  const used = new Map<string, number>();
  return {
    take(requestClass, address, requests = 1) {
      const now = steady();
      if (now >= windowEndsAt || used.size >= ENTRIES_MAX) {
        used.clear();
        windowEndsAt = now + WINDOW_MILLIS;
      }
      const key = `${requestClass} ${networkOf(address)}`;
      const count = (used.get(key) ?? 0) + requests;
      used.set(key, count);
      if (count <= REQUESTS_PER_WINDOW[requestClass] * factor) return undefined;
      return Math.max(1, Math.ceil((windowEndsAt - now) / 1000));
    },
  };
}
