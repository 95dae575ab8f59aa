import type { Millis } from '@crossbook/domain';

/** What the venue counts together: calls of one account in two seconds (OKX v5 guide, at each call, 2026). */
export const CALLS_PER_WINDOW_MAX = {
  place: 60,
  cancel: 60,
  read: 40,
  history: 10,
  transfer: 4,
  account: 2,
} as const;
/** One of the venue's groups of calls. */
export type RateGroup = keyof typeof CALLS_PER_WINDOW_MAX;

const WINDOW_MILLIS = 2_000;
/** How long a group is left alone after the limiter spoke; it names no time. */
const PAUSE_MILLIS = 2_000;
/** Accounts remembered; beyond it those whose window is over are forgotten. */
const ACCOUNTS_MAX = 10_000;

interface Usage {
  times: number[];
  pausedUntil: number;
}

/**
 * Calls of each account and group in rolling windows, and silent while the venue told us to be. A request that the
 * budget refuses is never sent.
 */
export class RateBudget {
  readonly #clock: () => Millis;
  readonly #usages = new Map<string, Usage>();

  constructor(clock: () => Millis) {
    this.#clock = clock;
  }

  /** Takes room for one call; false means: do not send it. */
  take(apiKey: string, group: RateGroup): boolean {
    const now = this.#clock();
    const usage = this.#usage(apiKey, group, now);
    if (now < usage.pausedUntil || usage.times.length >= CALLS_PER_WINDOW_MAX[group]) return false;
    usage.times.push(now);
    return true;
  }

  /** The venue's limiter refused a call of this group. */
  pause(apiKey: string, group: RateGroup): void {
    const now = this.#clock();
    this.#usage(apiKey, group, now).pausedUntil = now + PAUSE_MILLIS;
  }

  #usage(apiKey: string, group: RateGroup, now: number): Usage {
    if (this.#usages.size >= ACCOUNTS_MAX) this.#forget(now);
    const key = `${group} ${apiKey}`;
    const usage = this.#usages.get(key) ?? { times: [], pausedUntil: 0 };
    this.#usages.set(key, usage);
    usage.times = usage.times.filter((time) => now - time < WINDOW_MILLIS);
    return usage;
  }

  #forget(now: number): void {
    for (const [key, usage] of this.#usages) {
      if (now - (usage.times.at(-1) ?? 0) >= WINDOW_MILLIS && now >= usage.pausedUntil)
        this.#usages.delete(key);
    }
  }
}
