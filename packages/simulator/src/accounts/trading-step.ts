import { assert, type Lots, type Millis, plus, type Ticks, ZERO } from '@crossbook/domain';
import type {
  AccountNumber,
  ExchangeListener,
  NewSimOrder,
  SimFill,
  SimOrder,
  SimOrderId,
  SimOrderStatus,
} from '../exchange.ts';
import type { StepRecord } from '../journal/records.ts';
import type { OrderEnd } from '../matching/engine-order.ts';
import type { MemberState } from './member-state.ts';
import { moneyOfFill, type Terms } from './terms.ts';

/** What a dialect hears of a member's order. */
export type OrderEvent = Parameters<NonNullable<ExchangeListener['onOrder']>>[0];

/** One fill of a member's order as matching reports it. */
export interface StepFill {
  readonly tradeId: number;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly maker: boolean;
  /** The fill after which nothing is left; orders by quote amount cannot tell themselves. */
  readonly last?: boolean;
}

/** Collects what one step of matching did to members: orders as they are after each event, and the fills. */
export class TradingStep {
  readonly events: OrderEvent[] = [];
  readonly #terms: Terms;
  readonly #state: MemberState;
  readonly #time: Millis;
  readonly #orders = new Map<SimOrderId, SimOrder>();
  readonly #fills: SimFill[] = [];

  constructor(terms: Terms, state: MemberState, time: Millis) {
    this.#terms = terms;
    this.#state = state;
    this.#time = time;
  }

  /** Whether a member had a part in the step. */
  get concernsMembers(): boolean {
    return this.events.length > 0;
  }

  get record(): StepRecord {
    return { kind: 'step', orders: [...this.#orders.values()], fills: this.#fills };
  }

  /** A new order, before its first fill. */
  begin(asked: NewSimOrder, orderId: SimOrderId): void {
    const order: SimOrder = {
      ...asked,
      orderId,
      status: 'NEW',
      executed: 0 as Lots,
      executedQuote: ZERO,
      createdAt: this.#time,
      updatedAt: this.#time,
    };
    this.#put(order, 'NEW');
  }

  /** A fill of a member's order. */
  fill(account: AccountNumber, orderId: SimOrderId, step: StepFill): void {
    const order = this.#order(account, orderId);
    const { quoteQuantity, fee, receives } = moneyOfFill(this.#terms, { side: order.side, ...step });
    const executed = (order.executed + step.quantity) as Lots;
    const full = order.quantity === undefined ? step.last === true : executed === order.quantity;
    const fill: SimFill = {
      tradeId: step.tradeId,
      orderId,
      account,
      symbol: order.symbol,
      side: order.side,
      price: step.price,
      quantity: step.quantity,
      quoteQuantity,
      fee,
      feeAsset: receives.asset,
      maker: step.maker,
      time: this.#time,
    };
    this.#fills.push(fill);
    const after: SimOrder = {
      ...order,
      executed,
      executedQuote: plus(order.executedQuote, quoteQuantity),
      status: full ? 'FILLED' : 'PARTIALLY_FILLED',
      updatedAt: this.#time,
    };
    this.#put(after, 'TRADE', { fill });
  }

  /** The end of an order that was placed, where it did not rest and its fills did not complete it. */
  end(account: AccountNumber, orderId: SimOrderId, end: OrderEnd): void {
    if (end === 'EXPIRED') this.#close(account, orderId, 'EXPIRED', 'EXPIRED');
    if (end === 'EXPIRED_IN_MATCH') this.prevent(account, orderId);
  }

  /** Self-trade prevention took the order out. */
  prevent(account: AccountNumber, orderId: SimOrderId): void {
    this.#close(account, orderId, 'EXPIRED_IN_MATCH', 'TRADE_PREVENTION');
  }

  cancel(account: AccountNumber, orderId: SimOrderId, cancelClientId: string | undefined): void {
    const order = this.#order(account, orderId);
    const extra = cancelClientId === undefined ? {} : { cancelClientId };
    this.#put({ ...order, status: 'CANCELED', updatedAt: this.#time }, 'CANCELED', extra);
  }

  /** An order's new quantity, and its new client id or price where it gets one. */
  amend(
    order: SimOrder,
    change: Pick<SimOrder, 'quantity'> & Partial<Pick<SimOrder, 'price' | 'clientId'>>,
  ): void {
    const before = this.#order(order.account, order.orderId);
    this.#put({ ...before, ...change, updatedAt: this.#time }, 'REPLACED');
  }

  /** The order as the step leaves it, with its fills in the step. */
  report(orderId: SimOrderId): { readonly order: SimOrder; readonly fills: readonly SimFill[] } {
    const order = this.#orders.get(orderId);
    assert(order !== undefined, 'a step reports an order it touched');
    const fills = this.#fills.filter((fill) => fill.orderId === orderId && fill.account === order.account);
    return { order, fills };
  }

  #close(
    account: AccountNumber,
    orderId: SimOrderId,
    status: SimOrderStatus,
    cause: OrderEvent['cause'],
  ): void {
    this.#put({ ...this.#order(account, orderId), status, updatedAt: this.#time }, cause);
  }

  #put(order: SimOrder, cause: OrderEvent['cause'], extra: Partial<OrderEvent> = {}): void {
    this.#orders.set(order.orderId, order);
    this.events.push({ cause, order, ...extra });
  }

  #order(account: AccountNumber, orderId: SimOrderId): SimOrder {
    const { symbol } = this.#terms.facts;
    const order = this.#orders.get(orderId) ?? this.#state.history.find(account, symbol, { orderId });
    assert(order !== undefined, `order ${orderId} of account ${account} rests in ${symbol} and is known`);
    return order;
  }
}
