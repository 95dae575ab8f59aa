import { WindowCounter } from '../../wire/window-counter.ts';

/** The limits of the futures' exchangeInfo; the simulator's start may raise them for load tests. */
export interface FuturesLimits {
  readonly requestWeightPerMinuteMax: number;
  /** `fundingRate` and `fundingInfo` have a budget of their own, together. */
  readonly fundingCallsPer5MinutesMax: number;
  readonly connectionsPer5MinutesMax: number;
  /** JSON messages, pings and pongs a stream socket may send. */
  readonly streamMessagesPerSecondMax: number;
  readonly streamsPerConnectionMax: number;
}

/** Binance's own. */
export const FUTURES_LIMITS: FuturesLimits = {
  requestWeightPerMinuteMax: 2400,
  fundingCallsPer5MinutesMax: 500,
  connectionsPer5MinutesMax: 300,
  streamMessagesPerSecondMax: 10,
  streamsPerConnectionMax: 1024,
};

/** What is announced of orders, which are not taken yet. */
const ORDERS_PER_MINUTE_MAX = 1200;
const ORDERS_PER_10_SECONDS_MAX = 300;

/** All counters of the futures' dialect, by address. */
export class FuturesRates {
  readonly limits: FuturesLimits;
  readonly weight = new WindowCounter(60_000);
  readonly funding = new WindowCounter(300_000);
  readonly connections = new WindowCounter(300_000);

  constructor(limits: FuturesLimits) {
    this.limits = limits;
  }

  /** The `rateLimits` of exchangeInfo. */
  announced(): readonly object[] {
    return [
      limitLine('REQUEST_WEIGHT', 'MINUTE', 1, this.limits.requestWeightPerMinuteMax),
      limitLine('ORDERS', 'MINUTE', 1, ORDERS_PER_MINUTE_MAX),
      limitLine('ORDERS', 'SECOND', 10, ORDERS_PER_10_SECONDS_MAX),
    ];
  }
}

function limitLine(rateLimitType: string, interval: string, intervalNum: number, limit: number): object {
  return { rateLimitType, interval, intervalNum, limit };
}
