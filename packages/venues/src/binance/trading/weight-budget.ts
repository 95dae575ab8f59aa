import type { Millis } from '@crossbook/domain';
import { SPOT_WEIGHT_BUDGET } from '../profile.ts';

/** Reads stop here, so that orders and cancels always find room. */
const READ_SHARE_MAX = 0.8;
/** How long to stay quiet after a 429 or 418 that names no time. */
const PAUSE_MILLIS_DEFAULT = 10_000;
/** A ban lasts at most three days (rest-api.md, "IP limits"); a larger figure is not believed. */
const PAUSE_MILLIS_MAX = 3 * 24 * 3_600_000;

/**
 * Request weight of this address: fixed one-minute windows as at the venue, corrected by the figure the venue returns,
 * and silent while the venue told us to be. A request that the budget refuses is never sent.
 */
export class WeightBudget {
  readonly #clock: () => Millis;
  #window = 0;
  #used = 0;
  #pausedUntil = 0;

  constructor(clock: () => Millis) {
    this.#clock = clock;
  }

  /** Takes weight for one request; false means: do not send it. */
  take(weight: number, kind: 'read' | 'change'): boolean {
    const now = this.#clock();
    if (now < this.#pausedUntil) return false;
    this.#roll(now);
    const share = kind === 'read' ? READ_SHARE_MAX : 1;
    if (this.#used + weight > SPOT_WEIGHT_BUDGET.costMax * share) return false;
    this.#used += weight;
    return true;
  }

  /** `X-MBX-USED-WEIGHT-1M`, or the count in a WebSocket API answer: the venue's own figure. */
  report(used: number): void {
    this.#roll(this.#clock());
    this.#used = Math.max(this.#used, used);
  }

  /** The venue answered 429 or 418. `millis` is how long it asked us to wait, where it said so. */
  pause(millis: number | undefined): void {
    const wait = Math.min(millis ?? PAUSE_MILLIS_DEFAULT, PAUSE_MILLIS_MAX);
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock() + wait);
  }

  #roll(now: Millis): void {
    const window = Math.floor(now / SPOT_WEIGHT_BUDGET.windowMillis);
    if (window === this.#window) return;
    this.#window = window;
    this.#used = 0;
  }
}
