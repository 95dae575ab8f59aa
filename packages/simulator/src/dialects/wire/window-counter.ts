import type { Millis } from '@crossbook/domain';
import { BoundedMap } from './bounded-map.ts';

/** Addresses or accounts counted at once; the oldest is forgotten first. */
const KEYS_MAX = 10_000;

/** Counts per key in fixed windows that begin at whole multiples of their length. */
export class WindowCounter {
  readonly windowMillis: number;
  readonly #counts = new BoundedMap<string, { window: number; count: number }>(KEYS_MAX);

  constructor(windowMillis: number) {
    this.windowMillis = windowMillis;
  }

  /** What the key has used in the current window. */
  used(key: string, now: Millis): number {
    const entry = this.#counts.get(key);
    return entry !== undefined && entry.window === this.#window(now) ? entry.count : 0;
  }

  /** Adds, or gives back where `weight` is negative. @returns the new count. */
  add(key: string, weight: number, now: Millis): number {
    const count = Math.max(0, this.used(key, now) + weight);
    this.#counts.set(key, { window: this.#window(now), count });
    return count;
  }

  /** Adds unless that would be more than `max`; what is refused is not counted. @returns whether it was added. */
  take(key: string, max: number, at: { readonly now: Millis; readonly weight?: number }): boolean {
    const { now, weight = 1 } = at;
    if (this.used(key, now) + weight > max) return false;
    this.add(key, weight, now);
    return true;
  }

  /** Whole seconds until the current window ends, at least 1. */
  secondsLeft(now: Millis): number {
    return Math.max(1, Math.ceil((this.windowMillis - (now % this.windowMillis)) / 1000));
  }

  #window(now: Millis): number {
    return Math.floor(now / this.windowMillis);
  }
}
