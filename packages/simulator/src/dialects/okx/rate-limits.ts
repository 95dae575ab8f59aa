import type { Millis } from '@crossbook/domain';
import { WindowCounter } from '../wire/window-counter.ts';

/** Limits of the dialect; the simulator's start may raise them for load tests. */
export interface OkxLimits {
  /** Whether the limits of single calls hold. */
  readonly callsLimited: boolean;
  /** New sockets of one address in `CONNECTION_WINDOW_MILLIS`: OKX allows 3 a second; here a burst may use ten seconds'. */
  readonly connectionsPerWindowMax: number;
  /** Subscriptions, unsubscriptions and log-ons of one connection in an hour. */
  readonly controlMessagesPerHourMax: number;
}

/** OKX's own. */
export const OKX_LIMITS: OkxLimits = {
  callsLimited: true,
  connectionsPerWindowMax: 30,
  controlMessagesPerHourMax: 480,
};

/** Limits that nobody reaches. */
export const OKX_UNLIMITED: OkxLimits = {
  callsLimited: false,
  connectionsPerWindowMax: 1e9,
  controlMessagesPerHourMax: 1e9,
};

/** Calls are counted in windows of two seconds, but for the one whose limit stands in five. */
const CALL_WINDOW_MILLIS = 2_000;
export const STATUS_WINDOW_MILLIS = 5_000;
export const CONNECTION_WINDOW_MILLIS = 10_000;

/** What a call uses of one limit. */
export interface Use {
  /** Whose limit of which call. */
  readonly key: string;
  readonly max: number;
  readonly weight: number;
  readonly windowMillis?: number;
}

/** All counters of the dialect. */
export class RateLimits {
  readonly limits: OkxLimits;
  readonly connections = new WindowCounter(CONNECTION_WINDOW_MILLIS);
  readonly #calls = new WindowCounter(CALL_WINDOW_MILLIS);
  readonly #status = new WindowCounter(STATUS_WINDOW_MILLIS);

  constructor(limits: OkxLimits) {
    this.limits = limits;
  }

  /** Counts everything that one request uses, or nothing where one of it is used up. */
  allows(uses: readonly Use[], now: Millis): boolean {
    if (!this.limits.callsLimited) return true;
    const fits = uses.every(({ key, max, weight, ...use }) => this.#of(use).used(key, now) + weight <= max);
    if (fits) for (const { key, weight, ...use } of uses) this.#of(use).add(key, weight, now);
    return fits;
  }

  #of({ windowMillis }: Pick<Use, 'windowMillis'>): WindowCounter {
    return windowMillis === STATUS_WINDOW_MILLIS ? this.#status : this.#calls;
  }
}
