import type { Millis } from '@crossbook/domain';

/** The limits of exchangeInfo; the simulator's start may raise them for load tests. */
export interface BinanceLimits {
  readonly requestWeightPerMinuteMax: number;
  readonly ordersPer10SecondsMax: number;
  readonly ordersPerDayMax: number;
  readonly rawRequestsPer5MinutesMax: number;
  readonly connectionsPer5MinutesMax: number;
  /** JSON messages, pings and pongs a market stream socket may send. */
  readonly streamMessagesPerSecondMax: number;
  readonly streamsPerConnectionMax: number;
}

/** Binance's own (wire.md 1.1, 1.5). */
export const BINANCE_LIMITS: BinanceLimits = {
  requestWeightPerMinuteMax: 6000,
  ordersPer10SecondsMax: 100,
  ordersPerDayMax: 200_000,
  rawRequestsPer5MinutesMax: 300_000,
  connectionsPer5MinutesMax: 300,
  streamMessagesPerSecondMax: 5,
  streamsPerConnectionMax: 1024,
};

/** Addresses or accounts counted at once; the oldest is forgotten first. */
const KEYS_MAX = 10_000;

/** Counts per key in fixed windows that begin at whole multiples of their length, as Binance's do. */
export class WindowCounter {
  readonly windowMillis: number;
  readonly #counts = new Map<string, { window: number; count: number }>();

  constructor(windowMillis: number) {
    this.windowMillis = windowMillis;
  }

  /** What the key has used in the current window. */
  used(key: string, now: Millis): number {
    const entry = this.#counts.get(key);
    return entry !== undefined && entry.window === this.#window(now) ? entry.count : 0;
  }

  /** Adds (or gives back) and returns the new count. */
  add(key: string, weight: number, now: Millis): number {
    const window = this.#window(now);
    const entry = this.#counts.get(key);
    if (entry !== undefined && entry.window === window) {
      entry.count = Math.max(0, entry.count + weight);
      return entry.count;
    }
    if (this.#counts.size >= KEYS_MAX && entry === undefined) {
      const oldest = this.#counts.keys().next().value;
      if (oldest !== undefined) this.#counts.delete(oldest);
    }
    this.#counts.set(key, { window, count: Math.max(0, weight) });
    return Math.max(0, weight);
  }

  /** Whole seconds until the current window ends, at least 1. */
  secondsLeft(now: Millis): number {
    return Math.max(1, Math.ceil((this.windowMillis - (now % this.windowMillis)) / 1000));
  }

  #window(now: Millis): number {
    return Math.floor(now / this.windowMillis);
  }
}

/** One line of a `rateLimits` list. */
export interface RateLimitLine {
  readonly rateLimitType: 'REQUEST_WEIGHT' | 'ORDERS' | 'RAW_REQUESTS';
  readonly interval: 'SECOND' | 'MINUTE' | 'DAY';
  readonly intervalNum: number;
  readonly limit: number;
  readonly count?: number;
}

/** All counters of the dialect. */
export class RateLimits {
  readonly limits: BinanceLimits;
  readonly weight = new WindowCounter(60_000);
  readonly raw = new WindowCounter(300_000);
  readonly connections = new WindowCounter(300_000);
  readonly orders10s = new WindowCounter(10_000);
  readonly orders1d = new WindowCounter(86_400_000);

  constructor(limits: BinanceLimits) {
    this.limits = limits;
  }

  /** The list of exchangeInfo. */
  announced(): readonly RateLimitLine[] {
    const { limits } = this;
    return [
      line('REQUEST_WEIGHT', 'MINUTE', 1, limits.requestWeightPerMinuteMax),
      line('ORDERS', 'SECOND', 10, limits.ordersPer10SecondsMax),
      line('ORDERS', 'DAY', 1, limits.ordersPerDayMax),
      line('RAW_REQUESTS', 'MINUTE', 5, limits.rawRequestsPer5MinutesMax),
    ];
  }

  weightLine(address: string, now: Millis): RateLimitLine {
    const count = this.weight.used(address, now);
    return { ...line('REQUEST_WEIGHT', 'MINUTE', 1, this.limits.requestWeightPerMinuteMax), count };
  }

  orderLines(account: string, now: Millis): readonly RateLimitLine[] {
    return [
      {
        ...line('ORDERS', 'SECOND', 10, this.limits.ordersPer10SecondsMax),
        count: this.orders10s.used(account, now),
      },
      {
        ...line('ORDERS', 'DAY', 1, this.limits.ordersPerDayMax),
        count: this.orders1d.used(account, now),
      },
    ];
  }
}

function line(
  rateLimitType: RateLimitLine['rateLimitType'],
  interval: RateLimitLine['interval'],
  intervalNum: number,
  limit: number,
): RateLimitLine {
  return { rateLimitType, interval, intervalNum, limit };
}
