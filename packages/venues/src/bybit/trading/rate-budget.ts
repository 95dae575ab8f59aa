import type { Millis } from '@crossbook/domain';
import { ADDRESS_BUDGET } from '../profile.ts';

/** What the venue counts together; figures are calls per second and account (rate-limit, 2026-07-24). */
export const CALLS_PER_SECOND_MAX = { place: 20, cancel: 20, read: 50, asset: 5 } as const;
/** One of the venue's groups of calls. */
export type RateGroup = keyof typeof CALLS_PER_SECOND_MAX;

/** Reads stop here, so that orders and cancels always find room. */
const READ_SHARE_MAX = 0.8;
/** "Access too frequent" (403) asks for at least ten minutes of silence. */
const ADDRESS_PAUSE_MILLIS = 600_000;
const ACCOUNT_WINDOW_MILLIS = 1_000;
/** How long an account is left alone after "too many visits" without a time; and the longest time believed. */
const ACCOUNT_PAUSE_MILLIS_DEFAULT = 1_000;
const ACCOUNT_PAUSE_MILLIS_MAX = 60_000;
/** Accounts remembered; beyond it those that have been silent are forgotten. */
const ACCOUNTS_MAX = 10_000;

interface Account {
  /** Moments of the calls of the last second, oldest first. */
  times: number[];
  pausedUntil: number;
}

/**
 * Calls of this address and of each account and group: rolling windows as at the venue, and silent while the venue told
 * us to be. A request that the budget refuses is never sent.
 */
export class RateBudget {
  readonly #clock: () => Millis;
  readonly #accounts = new Map<string, Account>();
  #window = 0;
  #used = 0;
  #pausedUntil = 0;

  constructor(clock: () => Millis) {
    this.#clock = clock;
  }

  /**
   * Takes room for one call; false means: do not send it.
   * @param transport what is written to an open socket does not count against the address.
   */
  take(apiKey: string, group: RateGroup, transport: 'rest' | 'socket'): boolean {
    const now = this.#clock();
    const account = this.#account(`${group} ${apiKey}`, now);
    if (now < account.pausedUntil || account.times.length >= CALLS_PER_SECOND_MAX[group]) return false;
    if (transport === 'rest' && !this.#takeAddress(group, now)) return false;
    account.times.push(now);
    return true;
  }

  /** The venue said "too many visits" (10006). `until` is the moment of our clock it named, where it did. */
  pauseAccount(apiKey: string, group: RateGroup, until: number | undefined): void {
    const now = this.#clock();
    const named = until ?? now + ACCOUNT_PAUSE_MILLIS_DEFAULT;
    const account = this.#account(`${group} ${apiKey}`, now);
    account.pausedUntil = Math.max(account.pausedUntil, Math.min(named, now + ACCOUNT_PAUSE_MILLIS_MAX));
  }

  /** The venue said "access too frequent" (HTTP 403 or 429) to this address. */
  pauseAddress(): void {
    this.#pausedUntil = this.#clock() + ADDRESS_PAUSE_MILLIS;
  }

  #takeAddress(group: RateGroup, now: number): boolean {
    if (now < this.#pausedUntil) return false;
    const window = Math.floor(now / ADDRESS_BUDGET.windowMillis);
    if (window !== this.#window) {
      this.#window = window;
      this.#used = 0;
    }
    const share = group === 'read' ? READ_SHARE_MAX : 1;
    if (this.#used >= ADDRESS_BUDGET.costMax * share) return false;
    this.#used += 1;
    return true;
  }

  #account(key: string, now: number): Account {
    if (this.#accounts.size >= ACCOUNTS_MAX) this.#forgetSilent(now);
    const account = this.#accounts.get(key) ?? { times: [], pausedUntil: 0 };
    this.#accounts.set(key, account);
    account.times = account.times.filter((time) => now - time < ACCOUNT_WINDOW_MILLIS);
    return account;
  }

  #forgetSilent(now: number): void {
    for (const [key, account] of this.#accounts) {
      const last = account.times.at(-1) ?? 0;
      if (now - last >= ACCOUNT_WINDOW_MILLIS && now >= account.pausedUntil) this.#accounts.delete(key);
    }
  }
}
