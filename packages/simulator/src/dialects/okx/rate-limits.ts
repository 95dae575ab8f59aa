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

/** Every call is counted in windows of two seconds. */
const CALL_WINDOW_MILLIS = 2_000;
export const CONNECTION_WINDOW_MILLIS = 10_000;
/** All counters of the dialect. */
export class RateLimits {
  readonly limits: OkxLimits;
  readonly connections = new WindowCounter(CONNECTION_WINDOW_MILLIS);
  readonly #calls = new WindowCounter(CALL_WINDOW_MILLIS);

  constructor(limits: OkxLimits) {
    this.limits = limits;
  }

  /** Counts one call, or several orders of one batch, of `who` against its limit of two seconds. */
  allows(
    call: string,
    who: string,
    max: number,
    at: { readonly now: Millis; readonly weight?: number },
  ): boolean {
    return !this.limits.callsLimited || this.#calls.take(`${call} ${who}`, max, at);
  }
}
