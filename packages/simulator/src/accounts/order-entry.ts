import { assert, ok, type Result, refused, type Ticks } from '@crossbook/domain';
import type {
  AccountNumber,
  Exchange,
  NewSimOrder,
  OrderRef,
  SimOrder,
  SimOrderReport,
  SimRefusal,
} from '../exchange.ts';
import type { MarketSide } from '../market-port.ts';
import type { NewSimOrderList } from '../order-list-port.ts';
import { nearestTick } from './checks/conditional-checks.ts';
import {
  amendRefusalOf,
  type CheckedAgainst,
  listRefusalOf,
  refusalOf,
  replaceRefusalOf,
} from './checks/order-checks.ts';
import { changedWaiting } from './checks/waiting-changes.ts';
import type { MarketBooks } from './market-books.ts';
import type { MarketDesk } from './market-desk.ts';
import type { MemberState } from './state/member-state.ts';
import { isOpen, isWaiting, type Terms } from './state/terms.ts';

type Report = Result<SimOrderReport, SimRefusal>;

/** Where members' orders come in: what is asked is checked, and goes to the desk of its market. */
export class OrderEntry {
  readonly #books: MarketBooks<MarketDesk>;
  readonly #state: MemberState;
  readonly #market: MarketSide;

  constructor(books: MarketBooks<MarketDesk>, state: MemberState, market: MarketSide) {
    this.#books = books;
    this.#state = state;
    this.#market = market;
  }

  check(order: NewSimOrder): Result<true, SimRefusal> {
    const desk = this.#looked(order);
    if (desk === undefined) return refused('UNKNOWN_SYMBOL');
    const refusal = refusalOf(order, this.#against(desk));
    return refusal === undefined ? ok(true) : refused(refusal);
  }

  async place(order: NewSimOrder): Promise<Report> {
    const checked = this.check(order);
    if (!checked.ok) return checked;
    const desk = this.#books.ready(order.symbol);
    return settlement((settled) => desk.place(order, settled));
  }

  async placeList(list: NewSimOrderList): Promise<Result<readonly SimOrderReport[], SimRefusal>> {
    const desk = this.#looked(list);
    if (desk === undefined) return refused('UNKNOWN_SYMBOL');
    const refusal = listRefusalOf(list, this.#against(desk));
    if (refusal !== undefined) return refused(refusal);
    this.#books.ready(list.symbol);
    const listId = this.#state.nextListId(this.#books.now());
    return settlement((settled) => desk.placeList(list, listId, settled));
  }

  async cancel(
    account: AccountNumber,
    symbol: string,
    ref: OrderRef,
    cancelClientId?: string,
  ): Promise<Report> {
    if (this.#books.find(symbol) === undefined) return refused('UNKNOWN_SYMBOL');
    const order = this.#state.history.find(account, symbol, ref);
    if (order === undefined || !isOpen(order.status)) return refused('UNKNOWN_ORDER');
    const desk = this.#books.ready(symbol);
    return settlement((settled) => desk.cancel(order, cancelClientId, settled));
  }

  async amendKeepPriority(...asked: Parameters<Exchange['amendKeepPriority']>): Promise<Report> {
    const [account, symbol, ref, quantity, newClientId] = asked;
    const open = this.#amendable(account, symbol, ref);
    if (!open.ok) return open;
    const order = open.value;
    const { terms } = this.#books.desk(symbol);
    const refusal = amendRefusalOf(order, { quantity, newClientId }, terms, this.#state);
    if (refusal !== undefined) return refused(refusal);
    const desk = this.#books.ready(symbol);
    const clientId = newClientId ?? order.clientId;
    return settlement((settled) => desk.amend(order, { quantity, clientId }, settled));
  }

  async amend(...asked: Parameters<Exchange['amend']>): Promise<Report> {
    const [account, symbol, ref, change] = asked;
    const open = this.#amendable(account, symbol, ref);
    if (!open.ok) return open;
    const order = open.value;
    // No venue here changes an order of a list, but for one that fired and is alone since, and the price of what others wait for.
    const works = order.list?.role === 'WORKING';
    const follows = order.list?.follows === true;
    const alone = works ? follows || change.quantity === undefined : order.trigger !== undefined;
    if (isWaiting(order) || (order.list !== undefined && !alone)) return refused('UNKNOWN_ORDER');
    const { price = order.price, quantity = order.quantity } = change;
    assert(price !== undefined && quantity !== undefined, 'a resting order has a price and a quantity');
    if (price === order.price && quantity < (order.quantity ?? 0)) {
      return this.amendKeepPriority(account, symbol, ref, quantity);
    }
    const refusal = replaceRefusalOf(order, { price, quantity }, this.#against(this.#books.desk(symbol)));
    if (refusal !== undefined) return refused(refusal);
    const desk = this.#books.ready(symbol);
    return settlement((settled) => desk.replace(order, { price, quantity }, settled));
  }

  async amendWaiting(
    ...asked: Parameters<Exchange['amendWaiting']>
  ): Promise<Result<readonly SimOrderReport[], SimRefusal>> {
    const [account, symbol, changes] = asked;
    const orders: SimOrder[] = [];
    for (const orderId of changes.keys()) {
      const open = this.#amendable(account, symbol, { orderId });
      if (!open.ok) return open;
      orders.push(open.value);
    }
    // What waits behind an order is not changed with it.
    const listed = orders.flatMap(({ list }) => (list?.role === 'WORKING' ? [] : (list?.orderIds ?? [])));
    const others = listed.filter((orderId) => !changes.has(orderId));
    if (others.some((orderId) => this.#amendable(account, symbol, { orderId }).ok))
      return refused('UNKNOWN_ORDER');
    const changed = changedWaiting(orders, changes, this.#against(this.#books.desk(symbol)));
    if (!changed.ok) return changed;
    const desk = this.#books.ready(symbol);
    return settlement((settled) => desk.rewait(changed.value, settled));
  }

  /** Cancels all that locks what contracts are paid in. */
  freeSpot(account: AccountNumber): void {
    for (const { orderId, symbol } of this.#state.history.open(account)) {
      // One of a list may have ended with another before it.
      const order = this.#state.history.find(account, symbol, { orderId });
      const desk = this.#books.desk(symbol);
      if (order === undefined || !isOpen(order.status)) continue;
      if (order.side === 'BUY' && desk.terms.facts.quote === 'USDT')
        desk.cancel(order, undefined, () => undefined);
    }
  }

  /** The market of what is asked, awake. */
  #looked({ account, symbol }: { account: AccountNumber; symbol: string }): MarketDesk | undefined {
    const desk = this.#books.find(symbol);
    if (desk === undefined) return undefined;
    this.#market.look?.(symbol);
    assert(this.#state.hasAccount(account), 'an order belongs to an account');
    return desk;
  }

  #against(desk: MarketDesk): CheckedAgainst {
    const averagePrice = this.#market.averagePrice(desk.terms.facts.symbol);
    return { ...desk.against, status: desk.status, averagePrice };
  }

  #amendable(account: AccountNumber, symbol: string, ref: OrderRef): Result<SimOrder, SimRefusal> {
    const status = this.#books.find(symbol)?.status;
    if (status !== 'TRADING') return refused(status === undefined ? 'UNKNOWN_SYMBOL' : 'MARKET_CLOSED');
    const order = this.#state.history.find(account, symbol, ref);
    return order !== undefined && isOpen(order.status) ? ok(order) : refused('UNKNOWN_ORDER');
  }
}

/** The price of a market's last trade; before the first, the fair one. */
export function lastPriceOf(
  market: MarketSide,
  terms: Terms,
  now: Parameters<MarketSide['fairPrice']>[1],
): Ticks {
  const { symbol } = terms.facts;
  const [last] = market.trades(symbol, { limit: 1 });
  return last?.price ?? nearestTick(market.fairPrice(symbol, now), terms);
}

function settlement<Outcome>(
  step: (settled: (outcome: Outcome, failure?: Error) => void) => void,
): Promise<Result<Outcome, SimRefusal>> {
  return new Promise((resolve, reject) => {
    step((outcome, failure) => (failure === undefined ? resolve(ok(outcome)) : reject(failure)));
  });
}
