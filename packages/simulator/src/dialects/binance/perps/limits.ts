import type { Millis } from '@crossbook/domain';
import { WindowCounter } from '../../wire/window-counter.ts';
import type { BinanceError } from '../errors.ts';
import { CallRates } from '../rate-limits.ts';
import { futuresBannedUntil, tooManyCalls } from './errors.ts';

/** The limits of the futures' exchangeInfo; the simulator's start may raise them for load tests. */
export interface FuturesLimits {
  readonly requestWeightPerMinuteMax: number;
  /** `fundingRate` and `fundingInfo` have a budget of their own, together. */
  readonly fundingCallsPer5MinutesMax: number;
  readonly ordersPerMinuteMax: number;
  readonly ordersPer10SecondsMax: number;
  readonly connectionsPer5MinutesMax: number;
  /** JSON messages, pings and pongs a stream socket may send. */
  readonly streamMessagesPerSecondMax: number;
  readonly streamsPerConnectionMax: number;
}

/** Binance's own. */
export const FUTURES_LIMITS: FuturesLimits = {
  requestWeightPerMinuteMax: 2400,
  fundingCallsPer5MinutesMax: 500,
  ordersPerMinuteMax: 1200,
  ordersPer10SecondsMax: 300,
  connectionsPer5MinutesMax: 300,
  streamMessagesPerSecondMax: 10,
  streamsPerConnectionMax: 1024,
};

/** All counters of the futures. */
export class FuturesRates extends CallRates {
  readonly limits: FuturesLimits;
  readonly #funding = new WindowCounter(300_000);

  constructor(limits: FuturesLimits) {
    super({
      weightPerMinuteMax: limits.requestWeightPerMinuteMax,
      orders: [
        { interval: 'MINUTE', intervalNum: 1, limit: limits.ordersPerMinuteMax },
        { interval: 'SECOND', intervalNum: 10, limit: limits.ordersPer10SecondsMax },
      ],
      overweight: (limit, seconds) => tooManyCalls(limit, 'minute', seconds),
      banned: futuresBannedUntil,
    });
    this.limits = limits;
  }

  /** Counts a call about funding. @returns why it must wait. */
  fundingRefusal(address: string, now: Millis): BinanceError | undefined {
    const max = this.limits.fundingCallsPer5MinutesMax;
    if (this.#funding.add(address, 1, now) <= max) return undefined;
    return tooManyCalls(max, '5 minutes', this.#funding.secondsLeft(now));
  }
}
