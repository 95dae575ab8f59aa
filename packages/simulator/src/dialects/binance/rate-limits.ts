import type { Millis } from '@crossbook/domain';
import { WindowCounter } from '../wire/window-counter.ts';

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

/** Binance's own. */
export const BINANCE_LIMITS: BinanceLimits = {
  requestWeightPerMinuteMax: 6000,
  ordersPer10SecondsMax: 100,
  ordersPerDayMax: 200_000,
  rawRequestsPer5MinutesMax: 300_000,
  connectionsPer5MinutesMax: 300,
  streamMessagesPerSecondMax: 5,
  streamsPerConnectionMax: 1024,
};

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
