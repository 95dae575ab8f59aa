import type { Millis } from '@crossbook/domain';
import type { AccountNumber } from '../../exchange.ts';
import { WindowCounter } from '../wire/window-counter.ts';
import { AddressBans } from './address-bans.ts';
import { type BinanceError, bannedUntil, tooManyOrders, tooMuchWeight } from './errors.ts';
import { WalletRates, type WalletScope } from './wallet-rates.ts';

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

/** In whose minute a call is counted: its address's, which all calls but the wallet's share. */
export interface WeightScope {
  readonly address: string;
  readonly wallet?: WalletScope;
}

/** A window in which an account's orders are counted. */
export interface OrderWindow {
  readonly interval: RateLimitLine['interval'];
  readonly intervalNum: number;
  readonly limit: number;
}

const WINDOW_MILLIS = { SECOND: 1_000, MINUTE: 60_000, DAY: 86_400_000 };

/** What spot and futures count alike: weight by address, orders by account. */
export class CallRates {
  readonly weight = new WindowCounter(60_000);
  readonly #wallet = new WalletRates();
  readonly connections = new WindowCounter(300_000);
  readonly #weightLine: RateLimitLine;
  readonly #orders: readonly { readonly window: OrderWindow; readonly counter: WindowCounter }[];
  readonly #bans = new AddressBans();
  readonly #overweight: (limit: number, retryAfterSeconds: number) => BinanceError;
  readonly #banned: (until: Millis, retryAfterSeconds: number) => BinanceError;

  constructor(rules: {
    readonly weightPerMinuteMax: number;
    readonly orders: readonly OrderWindow[];
    overweight(limit: number, retryAfterSeconds: number): BinanceError;
    banned(until: Millis, retryAfterSeconds: number): BinanceError;
  }) {
    this.#weightLine = line('REQUEST_WEIGHT', 'MINUTE', 1, rules.weightPerMinuteMax);
    this.#overweight = rules.overweight;
    this.#banned = rules.banned;
    this.#orders = rules.orders.map((window) => {
      const counter = new WindowCounter(WINDOW_MILLIS[window.interval] * window.intervalNum);
      return { window, counter };
    });
  }

  /** The list of exchangeInfo. */
  announced(): readonly RateLimitLine[] {
    const orders = this.#orders.map(({ window }) => orderLine(window));
    return [this.#weightLine, ...orders];
  }

  /** What a request is held against before anything else. @returns why its address must wait. */
  admit({ address, wallet }: WeightScope, now: Millis): BinanceError | undefined {
    if (wallet !== undefined) return this.#wallet.refusal(wallet, now);
    const until = this.#bans.until(address, now);
    if (until !== undefined) return this.#banned(until, Math.ceil((until - now) / 1_000));
    const refusal = this.overused(address, now);
    if (refusal !== undefined) this.#bans.note(address, now);
    return refusal;
  }

  /** Counts what a call weighs, or gives it back. */
  weigh({ address, wallet }: WeightScope, weight: number, now: Millis): void {
    if (wallet === undefined) this.weight.add(address, weight, now);
    else this.#wallet.add(wallet, weight, now);
  }

  /** Counts a request. @returns what is used up. */
  protected overused(address: string, now: Millis): BinanceError | undefined {
    const { limit } = this.#weightLine;
    if (this.weight.used(address, now) < limit) return undefined;
    return this.#overweight(limit, this.weight.secondsLeft(now));
  }

  /** Why an account must wait with its next order. */
  orderRefusal(account: AccountNumber, now: Millis): BinanceError | undefined {
    const full = this.#orders.find(
      ({ window, counter }) => counter.used(String(account), now) >= window.limit,
    );
    if (full === undefined) return undefined;
    const { limit, intervalNum, interval } = full.window;
    return tooManyOrders(limit, `${intervalNum} ${interval}`, full.counter.secondsLeft(now));
  }

  countOrders(account: AccountNumber, now: Millis, count: number): void {
    for (const { counter } of this.#orders) counter.add(String(account), count, now);
  }

  weightLine(address: string, now: Millis): RateLimitLine {
    return { ...this.#weightLine, count: this.weight.used(address, now) };
  }

  orderLines(account: AccountNumber, now: Millis): readonly RateLimitLine[] {
    return this.#orders.map(({ window, counter }) => ({
      ...orderLine(window),
      count: counter.used(String(account), now),
    }));
  }

  /** The headers of an answer: used weight, and the account's counts of orders where an account is known. */
  headers(
    { address, wallet }: WeightScope,
    account: AccountNumber | undefined,
    now: Millis,
  ): readonly (readonly [string, number])[] {
    if (wallet !== undefined) return [this.#wallet.header(wallet, now)];
    const weight = ['x-mbx-used-weight-1m', this.weight.used(address, now)] as const;
    if (account === undefined) return [weight];
    const orders = this.#orders.map(({ window, counter }) => {
      const name = `x-mbx-order-count-${window.intervalNum}${window.interval.charAt(0).toLowerCase()}`;
      return [name, counter.used(String(account), now)] as const;
    });
    return [weight, ...orders];
  }
}

/** All counters of spot. */
export class RateLimits extends CallRates {
  readonly limits: BinanceLimits;
  readonly #raw = new WindowCounter(300_000);

  constructor(limits: BinanceLimits) {
    super({
      weightPerMinuteMax: limits.requestWeightPerMinuteMax,
      orders: [
        { interval: 'SECOND', intervalNum: 10, limit: limits.ordersPer10SecondsMax },
        { interval: 'DAY', intervalNum: 1, limit: limits.ordersPerDayMax },
      ],
      overweight: tooMuchWeight,
      banned: bannedUntil,
    });
    this.limits = limits;
  }

  override announced(): readonly RateLimitLine[] {
    return [...super.announced(), line('RAW_REQUESTS', 'MINUTE', 5, this.limits.rawRequestsPer5MinutesMax)];
  }

  protected override overused(address: string, now: Millis): BinanceError | undefined {
    const max = this.limits.rawRequestsPer5MinutesMax;
    if (this.#raw.add(address, 1, now) > max) return tooMuchWeight(max, this.#raw.secondsLeft(now));
    return super.overused(address, now);
  }

  /** Spot tells the used weight under its old name as well. */
  override headers(scope: WeightScope, account: AccountNumber | undefined, now: Millis) {
    const headers = super.headers(scope, account, now);
    if (scope.wallet !== undefined) return headers;
    return [['x-mbx-used-weight', this.weight.used(scope.address, now)] as const, ...headers];
  }
}

function orderLine({ interval, intervalNum, limit }: OrderWindow): RateLimitLine {
  return line('ORDERS', interval, intervalNum, limit);
}

function line(
  rateLimitType: RateLimitLine['rateLimitType'],
  interval: RateLimitLine['interval'],
  intervalNum: number,
  limit: number,
): RateLimitLine {
  return { rateLimitType, interval, intervalNum, limit };
}
