import type { Millis } from '@crossbook/domain';
import type { AccountNumber, OrderRef, SimFill, SimOrder, SimOrderId } from '../../exchange.ts';
import { isOpen } from './terms.ts';
import { Timeline, type TimeRange } from './timeline.ts';

/** Orders, and fills, kept per account and market; when a quarter more have gathered the oldest closed ones go. */
const HISTORY_KEPT_MAX = 20_000;

/** Which part of a history is asked for; bounds are inclusive. */
export interface HistoryPage {
  readonly fromId?: number;
  readonly startTime?: Millis;
  readonly endTime?: Millis;
  readonly limit: number;
}

/** What a history must know of an order. */
export type KeptOrder = Pick<
  SimOrder,
  'orderId' | 'account' | 'symbol' | 'clientId' | 'status' | 'createdAt'
>;
/** What a history must know of a fill. */
export type KeptFill = Pick<SimFill, 'tradeId' | 'orderId' | 'account' | 'symbol' | 'time'>;

/** One account's orders and fills in one market. */
class Shelf<Order extends KeptOrder, Fill extends KeptFill> {
  readonly account: AccountNumber;
  /** Ascending by id, because ids of one market ascend with time. */
  orders = new Map<SimOrderId, Order>();
  /** As they are now, in the order in which they were placed: every check of an account reads them. */
  readonly open = new Map<SimOrderId, Order>();
  /** The newest order under a client id. */
  readonly newestOfClient = new Map<string, SimOrderId>();
  fills: Fill[] = [];
  /** The same by their orders. */
  ofOrder = new Map<SimOrderId, Fill[]>();

  constructor(account: AccountNumber) {
    this.account = account;
  }

  put(order: Order): void {
    const before = this.orders.get(order.orderId);
    this.orders.set(order.orderId, order);
    if (before === undefined || before.clientId !== order.clientId) {
      this.newestOfClient.set(order.clientId, order.orderId);
    }
    if (isOpen(order.status)) this.open.set(order.orderId, order);
    else this.open.delete(order.orderId);
    if (this.orders.size > HISTORY_KEPT_MAX * 1.25) this.#forgetOrders();
  }

  /** @returns whether the oldest were forgotten for it. */
  putFill(fill: Fill): boolean {
    this.fills.push(fill);
    this.#sort(fill);
    if (this.fills.length <= HISTORY_KEPT_MAX * 1.25) return false;
    this.fills = this.fills.slice(-HISTORY_KEPT_MAX);
    this.ofOrder = new Map();
    for (const kept of this.fills) this.#sort(kept);
    return true;
  }

  #sort(fill: Fill): void {
    const others = this.ofOrder.get(fill.orderId);
    if (others === undefined) this.ofOrder.set(fill.orderId, [fill]);
    else others.push(fill);
  }

  #forgetOrders(): void {
    for (const [orderId, order] of this.orders) {
      if (this.orders.size <= HISTORY_KEPT_MAX) return;
      if (this.open.has(orderId)) continue;
      this.orders.delete(orderId);
      if (this.newestOfClient.get(order.clientId) === orderId) this.newestOfClient.delete(order.clientId);
    }
  }
}

/** Members' orders, open and closed, and their fills: those of spot, or those of contracts. */
export class OrderHistory<Order extends KeptOrder = SimOrder, Fill extends KeptFill = SimFill> {
  readonly #markets = new Map<string, Map<AccountNumber, Shelf<Order, Fill>>>();
  /** Fills of all markets, by account. */
  readonly #timelines = new Map<AccountNumber, Timeline<Fill>>();

  /** Adds an order or replaces its earlier state. */
  put(order: Order): void {
    this.#shelf(order.symbol, order.account).put(order);
  }

  putFill(fill: Fill): void {
    const { account } = fill;
    const forgot = this.#shelf(fill.symbol, account).putFill(fill);
    const timeline = this.#timelines.get(account) ?? new Timeline<Fill>();
    if (forgot) this.#timelines.set(account, new Timeline(this.#byTime(account)));
    else {
      timeline.add(fill);
      this.#timelines.set(account, timeline);
    }
  }

  /** An order by its id, or the newest one under a client id. */
  find(account: AccountNumber, symbol: string, ref: OrderRef): Order | undefined {
    const shelf = this.#markets.get(symbol)?.get(account);
    if (shelf === undefined) return undefined;
    const orderId = 'orderId' in ref ? ref.orderId : shelf.newestOfClient.get(ref.clientId);
    return orderId === undefined ? undefined : shelf.orders.get(orderId);
  }

  /** The open order under a client id; a closed one does not count. */
  hasOpenClientId(account: AccountNumber, symbol: string, clientId: string): boolean {
    const order = this.find(account, symbol, { clientId });
    return order !== undefined && isOpen(order.status);
  }

  openCount(account: AccountNumber, symbol: string): number {
    return this.#markets.get(symbol)?.get(account)?.open.size ?? 0;
  }

  /** Whether any member has an order resting in the market. */
  anyOpen(symbol: string): boolean {
    for (const shelf of this.#markets.get(symbol)?.values() ?? []) if (shelf.open.size > 0) return true;
    return false;
  }

  /** Open orders of an account in one market or in all. */
  open(account: AccountNumber, symbol?: string): Order[] {
    const found: Order[] = [];
    for (const [market, shelves] of this.#markets) {
      const shelf = symbol === undefined || symbol === market ? shelves.get(account) : undefined;
      if (shelf !== undefined) found.push(...shelf.open.values());
    }
    return found;
  }

  /** All members' open orders of a market, oldest first. */
  allOpen(symbol: string): Order[] {
    const shelves = [...(this.#markets.get(symbol)?.values() ?? [])];
    return shelves.flatMap((shelf) => this.open(shelf.account, symbol)).sort((a, b) => a.orderId - b.orderId);
  }

  orders(account: AccountNumber, symbol: string, page: HistoryPage): Order[] {
    const kept = [...(this.#markets.get(symbol)?.get(account)?.orders.values() ?? [])].filter((order) =>
      within(page, order.orderId, order.createdAt),
    );
    return cut(kept, page);
  }

  fills(
    account: AccountNumber,
    symbol: string,
    page: HistoryPage & { readonly orderId?: SimOrderId },
  ): Fill[] {
    const shelf = this.#markets.get(symbol)?.get(account);
    const fills = (page.orderId === undefined ? shelf?.fills : shelf?.ofOrder.get(page.orderId)) ?? [];
    return cut(
      fills.filter((fill) => within(page, fill.tradeId, fill.time)),
      page,
    );
  }

  /** An account's orders of one market or of all, in the order they were placed. */
  ordersOf(account: AccountNumber, symbol?: string): Order[] {
    const orders = this.#shelvesOf(account, symbol).flatMap((shelf) => [...shelf.orders.values()]);
    return symbol === undefined ? orders.sort((a, b) => a.createdAt - b.createdAt) : orders;
  }

  /** An account's fills of one market or of all, oldest first. */
  fillsOf(account: AccountNumber, symbol?: string): readonly Fill[] {
    if (symbol === undefined) return this.fillsWithin(account, {});
    return this.#markets.get(symbol)?.get(account)?.fills ?? [];
  }

  /** The fills of one order. */
  fillsOfOrder(account: AccountNumber, symbol: string, orderId: SimOrderId): readonly Fill[] {
    return this.#markets.get(symbol)?.get(account)?.ofOrder.get(orderId) ?? [];
  }

  /** An account's fills of all markets within some times, oldest first. */
  fillsWithin(account: AccountNumber, range: TimeRange): readonly Fill[] {
    return this.#timelines.get(account)?.within(range) ?? [];
  }

  /** Everything kept, oldest first within an account and market. */
  *everything(): Generator<{ readonly orders: Iterable<Order>; readonly fills: readonly Fill[] }> {
    for (const shelves of this.#markets.values()) {
      for (const shelf of shelves.values()) yield { orders: shelf.orders.values(), fills: [] };
    }
    // In the order of their times over all markets, which no single one of them knows.
    for (const fills of this.#timelines.values()) yield { orders: [], fills: fills.within({}) };
  }

  #byTime(account: AccountNumber): Fill[] {
    const fills = this.#shelvesOf(account, undefined).flatMap((shelf) => shelf.fills);
    return fills.sort((a, b) => a.time - b.time);
  }

  #shelvesOf(account: AccountNumber, symbol: string | undefined): Shelf<Order, Fill>[] {
    const markets = symbol === undefined ? [...this.#markets.values()] : [this.#markets.get(symbol)];
    return markets.flatMap((shelves) => shelves?.get(account) ?? []);
  }

  #shelf(symbol: string, account: AccountNumber): Shelf<Order, Fill> {
    let shelves = this.#markets.get(symbol);
    if (shelves === undefined) {
      shelves = new Map();
      this.#markets.set(symbol, shelves);
    }
    let shelf = shelves.get(account);
    if (shelf === undefined) {
      shelf = new Shelf<Order, Fill>(account);
      shelves.set(account, shelf);
    }
    return shelf;
  }
}

function within(page: HistoryPage, id: number, time: Millis): boolean {
  return (
    (page.fromId === undefined || id >= page.fromId) &&
    (page.startTime === undefined || time >= page.startTime) &&
    (page.endTime === undefined || time <= page.endTime)
  );
}

// With a beginning the oldest from there; without one the newest, as at Binance.
function cut<Item>(kept: readonly Item[], page: HistoryPage): Item[] {
  const fromStart = page.fromId !== undefined || page.startTime !== undefined;
  if (page.limit <= 0) return [];
  return fromStart ? kept.slice(0, page.limit) : kept.slice(-page.limit);
}
