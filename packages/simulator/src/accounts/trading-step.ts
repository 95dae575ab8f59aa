import { assert, type Lots, type Millis, plus, type Ticks, ZERO } from '@crossbook/domain';
import type { SimExpiry } from '../conditional-terms.ts';
import type {
  AccountNumber,
  ExchangeListener,
  NewSimOrder,
  SimFill,
  SimListPlace,
  SimOrder,
  SimOrderId,
  SimOrderStatus,
  WaitingFacts,
} from '../exchange.ts';
import type { StepRecord } from '../journal/records.ts';
import type { OrderEnd } from '../matching/engine-order.ts';
import type { MemberState } from './state/member-state.ts';
import { bringsPending } from './state/order-lists.ts';
import { isOpen, isWaiting, moneyOfFill, type Terms } from './state/terms.ts';

/** What a dialect hears of a member's order. */
export type OrderEvent = Parameters<NonNullable<ExchangeListener['onOrder']>>[0];

/** What a dialect hears of a list. */
export type ListEvent = Parameters<NonNullable<ExchangeListener['onOrderList']>>[0];

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
  /** What the step began or renamed; what it ended is seen at its end. */
  readonly #lists = new Map<number, ListEvent['cause']>();

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
  begin(asked: NewSimOrder, orderId: SimOrderId, waiting: WaitingFacts = {}): SimOrder {
    const order: SimOrder = {
      ...asked,
      ...waiting,
      orderId,
      status: waiting.list?.role === 'PENDING' ? 'PENDING_NEW' : 'NEW',
      executed: 0 as Lots,
      executedQuote: ZERO,
      createdAt: this.#time,
      updatedAt: this.#time,
    };
    this.#put(order, 'NEW');
    if (waiting.list !== undefined) this.#lists.set(waiting.list.listId, 'STARTED');
    return order;
  }

  /** The price of a conditional order came: it works from now on, and its pair's other order does not. */
  trigger(order: SimOrder): SimOrder {
    const { heldAt: _, ...rest } = order;
    const working: SimOrder = { ...rest, workingSince: this.#time, updatedAt: this.#time };
    this.#put(working, 'TRIGGERED');
    return working;
  }

  /** The working order of its list is filled: it is placed, or waits for its own price. */
  activate(order: SimOrder, facts: Pick<WaitingFacts, 'heldAt' | 'trailing'>): SimOrder {
    const working = order.trigger === undefined ? { workingSince: this.#time } : {};
    const after: SimOrder = { ...order, ...facts, ...working, status: 'NEW', updatedAt: this.#time };
    this.#put(after, 'NEW');
    if (order.list !== undefined) this.#lists.set(order.list.listId, 'STARTED');
    return after;
  }

  /** What an order keeps in mind about the price, which is no event. */
  note(order: SimOrder, facts: Pick<WaitingFacts, 'trailing'>): void {
    this.#orders.set(order.orderId, { ...order, ...facts });
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

  /** The venue ends an order that it had taken. */
  expire(order: SimOrder, expiry: SimExpiry): void {
    this.#put({ ...order, status: 'EXPIRED', expiry, updatedAt: this.#time }, 'EXPIRED');
  }

  /**
   * Ends what the lists of the step's orders do not allow any more: the other order of a pair of which one is carried out
   * or has ended, and what waited for an order that ended without being filled.
   * @returns the orders that it ended.
   */
  concludeLists(): SimOrder[] {
    const ended: SimOrder[] = [];
    for (const { orderId } of [...this.#orders.values()]) {
      const order = this.#orders.get(orderId);
      // What its pair ended ends nothing itself: the other of the pair is carried out.
      if (order?.list === undefined || order.expiry === 'OTHER_LEG') continue;
      const begun = order.executed > 0 || (order.trigger !== undefined && order.workingSince !== undefined);
      const over = !isOpen(order.status);
      const expiry = order.list.role === 'WORKING' ? 'WORKING_ORDER' : 'OTHER_LEG';
      if (expiry === 'OTHER_LEG' ? !begun && !over : !over || bringsPending(order)) continue;
      for (const mate of this.matesOf(order)) {
        if (mate.list?.role === 'WORKING') continue;
        this.expire(mate, expiry);
        ended.push(mate);
      }
      if (order.heldAt !== undefined) this.#keepAlone(orderId);
    }
    return ended;
  }

  /** The other open orders of its list, as the step leaves them. */
  matesOf({ account, orderId, list }: SimOrder): SimOrder[] {
    const others = (list?.orderIds ?? []).filter((one) => one !== orderId);
    return others.flatMap((one) => {
      const mate = this.#find(account, one);
      return mate !== undefined && isOpen(mate.status) ? [mate] : [];
    });
  }

  /** What became of the lists of the step's orders. */
  get listEvents(): readonly ListEvent[] {
    const places = new Map<number, { account: AccountNumber; place: SimListPlace }>();
    for (const { account, list } of this.#orders.values())
      if (list !== undefined) places.set(list.listId, { account, place: list });
    return [...places].flatMap(([listId, { account, place }]) => {
      const orders = place.orderIds.flatMap((orderId) => this.#find(account, orderId) ?? []);
      const over = orders.every((order) => !isOpen(order.status));
      const cause = over ? 'DONE' : this.#lists.get(listId);
      return cause === undefined ? [] : [{ cause, orders }];
    });
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
    const renamed = change.clientId !== undefined && change.clientId !== before.clientId;
    if (renamed && before.list !== undefined) this.#lists.set(before.list.listId, 'UPDATED');
  }

  /** An order that waits has other terms. */
  rewait(order: SimOrder): void {
    this.#put({ ...order, updatedAt: this.#time }, 'REPLACED');
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

  /** It locks for itself what its pair locked. */
  #keepAlone(orderId: SimOrderId): void {
    const order = this.#orders.get(orderId);
    if (order === undefined || isWaiting(order)) return;
    const { heldAt: _, ...rest } = order;
    this.#orders.set(orderId, rest);
  }

  #find(account: AccountNumber, orderId: SimOrderId): SimOrder | undefined {
    const { symbol } = this.#terms.facts;
    return this.#orders.get(orderId) ?? this.#state.history.find(account, symbol, { orderId });
  }

  #put(order: SimOrder, cause: OrderEvent['cause'], extra: Partial<OrderEvent> = {}): void {
    this.#orders.set(order.orderId, order);
    this.events.push({ cause, order, ...extra });
  }

  #order(account: AccountNumber, orderId: SimOrderId): SimOrder {
    const { symbol } = this.#terms.facts;
    const order = this.#find(account, orderId);
    assert(order !== undefined, `order ${orderId} of account ${account} rests in ${symbol} and is known`);
    return order;
  }
}
