import type { Millis } from '@crossbook/domain';
import { BoundedMap } from '../wire/bounded-map.ts';
import { WindowCounter } from '../wire/window-counter.ts';

/** The venue's limits; the simulator's start may lift them for load tests. */
export interface BybitLimits {
  /** "Access too frequent": calls of one address in five seconds. */
  readonly addressCallsPer5SecondsMax: number;
  readonly connectionsPer5MinutesMax: number;
  /** What the calls a second of each endpoint and account are multiplied by. */
  readonly accountCallsFactor: number;
}

/** Bybit's own (rate-limit, 2026-07-24). */
export const BYBIT_LIMITS: BybitLimits = {
  addressCallsPer5SecondsMax: 600,
  connectionsPer5MinutesMax: 500,
  accountCallsFactor: 1,
};

/** As what a call is counted, and how often that may be in a second. */
export interface Counted {
  readonly name: string;
  readonly perSecondMax: number;
}

/** Accounts with their calls counted at once; the one that was quiet for longest is forgotten first. */
const KEYS_MAX = 10_000;

/** Where one key stands after a call. */
export interface Visit {
  readonly allowed: boolean;
  readonly limit: number;
  readonly left: number;
  /** When room is made again; now while there is room. */
  readonly resetAt: Millis;
}

/** Where the account stands with a call, as headers name it. */
export function limitHeaders(visit: Visit): Readonly<Record<string, string>> {
  return {
    'X-Bapi-Limit': String(visit.limit),
    'X-Bapi-Limit-Status': String(visit.left),
    'X-Bapi-Limit-Reset-Timestamp': String(visit.resetAt),
  };
}

/** Counts per key in a rolling window: the moments of the calls that were let through. */
class RollingCounter {
  readonly #windowMillis: number;
  readonly #moments = new BoundedMap<string, number[]>(KEYS_MAX);

  constructor(windowMillis: number) {
    this.#windowMillis = windowMillis;
  }

  /** Counts one call if there is room for it. @param weight 0 only looks. */
  take(key: string, limit: number, at: { readonly now: Millis; readonly weight: 0 | 1 }): Visit {
    const { now, weight } = at;
    const kept = this.#moments.get(key) ?? [];
    const current = kept.findIndex((moment) => moment > now - this.#windowMillis);
    kept.splice(0, current < 0 ? kept.length : current);
    const allowed = kept.length + weight <= limit;
    if (allowed && weight > 0) kept.push(now);
    this.#moments.delete(key);
    this.#moments.set(key, kept);
    const left = Math.max(0, Math.floor(limit) - kept.length);
    const resetAt = left > 0 ? now : (((kept[0] ?? now) + this.#windowMillis) as Millis);
    return { allowed, limit, left, resetAt };
  }
}

/** All counters of the dialect. */
export class RateLimits {
  readonly limits: BybitLimits;
  readonly #calls = new RollingCounter(1_000);
  readonly #address = new WindowCounter(5_000);
  readonly #connections = new WindowCounter(300_000);

  constructor(limits: BybitLimits) {
    this.limits = limits;
  }

  /** Whether this address may make another call. */
  visitAddress(address: string, now: Millis): boolean {
    return this.#address.add(address, 1, now) <= this.limits.addressCallsPer5SecondsMax;
  }

  /** Whether this address may open another socket. */
  connect(address: string, now: Millis): boolean {
    return this.#connections.add(address, 1, now) <= this.limits.connectionsPer5MinutesMax;
  }

  /** Counts a call of an account against the endpoint's own limit. */
  visit(account: string, counted: Counted, now: Millis): Visit {
    return this.#take(account, counted, { now, weight: 1 });
  }

  /** Where an account stands with an endpoint. */
  standing(account: string, counted: Counted, now: Millis): Visit {
    return this.#take(account, counted, { now, weight: 0 });
  }

  #take(
    account: string,
    { name, perSecondMax }: Counted,
    at: { readonly now: Millis; readonly weight: 0 | 1 },
  ): Visit {
    return this.#calls.take(`${account} ${name}`, perSecondMax * this.limits.accountCallsFactor, at);
  }
}
