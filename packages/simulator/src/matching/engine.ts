import { assert, type Lots, type Millis } from '@crossbook/domain';
import type { SimBookChange, SimDepth, SimOrderId } from '../exchange.ts';
import { Book, type RestingOrder } from './book.ts';
import type { EngineCounters, EngineOrder, OrderEnd, Placement, Preview } from './engine-order.ts';
import { LevelChanges } from './level-changes.ts';
import { GENERATIONS_MAX, orderIdOf, RESTING_ORDERS_MAX } from './order-pool.ts';
import { StepFills } from './step-fills.ts';

/**
 * Price-time priority matching of one market, in whole ticks and lots. It knows accounts only as numbers (for self-trade
 * prevention), no balances, no client ids and no clock. Every call is one step: `fills` and `expiredMakers` describe
 * the last one.
 */
export class MatchingEngine {
  readonly symbol: string;
  /** Fills of the last step. */
  readonly fills = new StepFills();
  /** Makers that self-trade prevention took out in the last step. */
  readonly expiredMakers: SimOrderId[] = [];
  readonly #book: Book;
  readonly #changes: LevelChanges;
  #generation: number;
  #tradeId: number;
  #prevented = false;
  #budgetLeft = 0;

  /**
   * @param ticksMax highest price that will be used, at most `LADDER_TICKS_MAX`.
   * @param counters the last ids already used by this market.
   */
  constructor(symbol: string, ticksMax: number, counters: EngineCounters) {
    this.symbol = symbol;
    this.#book = new Book(ticksMax);
    this.#changes = new LevelChanges(counters.updateId);
    this.#generation = counters.generation;
    this.#tradeId = counters.tradeId;
  }

  /** The last ids used. The trade ids of a step's fills are the last `fills.count` up to `tradeId`. */
  get counters(): EngineCounters {
    return { generation: this.#generation, tradeId: this.#tradeId, updateId: this.#changes.updateId };
  }

  /** The trade id of the last fill. */
  get lastTradeId(): number {
    return this.#tradeId;
  }

  /** Uses up trade ids for trades that were not matched here, and returns the first of them. */
  takeTradeIds(count: number): number {
    this.#tradeId += count;
    return this.#tradeId - count + 1;
  }

  /** The order generation last used. */
  get lastGeneration(): number {
    return this.#generation;
  }

  /** The update id of the last level change. */
  get lastUpdateId(): number {
    return this.#changes.updateId;
  }

  /** Whether another order may rest; `place` must not be called without. */
  get hasRoom(): boolean {
    return this.#book.pool.nextFree < RESTING_ORDERS_MAX && this.#generation < GENERATIONS_MAX;
  }

  /** Best bid, -1 when there is none. */
  get bestBid(): number {
    return this.#book.bestBid;
  }

  /** Best ask, -1 when there is none. */
  get bestAsk(): number {
    return this.#book.bestAsk;
  }

  /** Matches an order and lets what remains rest or expire, as its kind says. */
  place(order: EngineOrder): Placement {
    this.#begin();
    const buy = order.side === 'BUY';
    const wouldTake = order.kind === 'LIMIT_MAKER' && this.#crosses(order, buy);
    if (wouldTake && order.whenTaking === undefined) {
      return { orderId: 0 as SimOrderId, end: 'WOULD_TAKE', executed: 0 as Lots };
    }
    this.#generation += 1;
    if (wouldTake) {
      const orderId = orderIdOf(this.#generation, this.#book.pool.nextFree);
      return { orderId, end: 'EXPIRED', executed: 0 as Lots };
    }
    return this.#enter(order, undefined);
  }

  /** Gives an id, and its place among the resting orders, to an order that waits for its time: it is in no queue. */
  park(): SimOrderId {
    this.#begin();
    const { pool } = this.#book;
    this.#generation += 1;
    const slot = pool.take(orderIdOf(this.#generation, pool.nextFree));
    pool.remaining[slot] = 0;
    pool.hidden[slot] = 0;
    return pool.id[slot] as SimOrderId;
  }

  /** Takes out an order that rests or waits. @returns false when it does neither (any more). */
  cancel(orderId: SimOrderId): boolean {
    this.#begin();
    const { pool } = this.#book;
    const slot = pool.find(orderId);
    if (slot < 0) return false;
    if (pool.remaining[slot] === 0) {
      pool.release(slot);
      return true;
    }
    const price = pool.price[slot] as number;
    const bid = pool.bid[slot] === 1;
    this.#book.remove(slot);
    this.#changes.note(price, bid);
    return true;
  }

  /**
   * Lowers what remains of a resting order; it keeps its place in the queue.
   * @param remaining at least 1 and less than now.
   * @returns false when the order does not rest or `remaining` is out of range.
   */
  reduce(orderId: SimOrderId, remaining: Lots): boolean {
    this.#begin();
    const { pool } = this.#book;
    const slot = pool.find(orderId);
    if (slot < 0) return false;
    const by = pool.left(slot) - remaining;
    if (remaining < 1 || by <= 0) return false;
    // Of an iceberg goes first what nobody sees.
    const unseen = Math.min(by, pool.hidden[slot] as number);
    pool.hidden[slot] = (pool.hidden[slot] as number) - unseen;
    this.#book.reduce(slot, by - unseen);
    this.#changes.note(pool.price[slot] as number, pool.bid[slot] === 1);
    return true;
  }

  /**
   * Places an order anew under the id it has: one that rests leaves its queue for another price or size, one that waited
   * begins to work. It takes what it reaches, and what is left rests at the end of a queue or expires, as its kind says.
   * @param order as it would be placed, of the same side; `quantity` counts what remains.
   * @returns `undefined` when the order neither rests nor waits.
   */
  replace(orderId: SimOrderId, order: EngineOrder): Placement | undefined {
    this.#begin();
    const { pool } = this.#book;
    const slot = pool.find(orderId);
    if (slot < 0) return undefined;
    const buy = order.side === 'BUY';
    if (pool.remaining[slot] !== 0) {
      this.#changes.note(pool.price[slot] as number, buy);
      this.#book.detach(slot);
    }
    const wouldTake = order.kind === 'LIMIT_MAKER' && this.#crosses(order, buy);
    const placement: Placement = wouldTake
      ? { orderId, end: 'EXPIRED', executed: 0 as Lots }
      : this.#enter(order, slot);
    if (placement.end !== 'RESTING') pool.release(slot);
    return placement;
  }

  /** Fills a resting order at its own price against nobody: maintenance is over and the price went through it. */
  fillResting(orderId: SimOrderId): boolean {
    this.#begin();
    const { pool } = this.#book;
    const slot = pool.find(orderId);
    if (slot < 0 || pool.remaining[slot] === 0) return false;
    const { price, remaining, side } = this.#book.orderIn(slot);
    this.#tradeId += 1;
    this.fills.add(pool, slot, remaining);
    this.#book.remove(slot);
    this.#changes.note(price, side === 'BUY');
    return true;
  }

  /** Puts orders of an earlier run back under their own ids; the oldest first within a price. Only into an empty book. */
  restore(orders: readonly RestingOrder[]): void {
    const { pool } = this.#book;
    pool.restore(orders.map((order) => order.orderId));
    for (const order of orders) {
      const slot = pool.find(order.orderId);
      if (order.remaining > 0) this.#rest(slot, order, order.remaining);
    }
    assert(this.bestAsk < 0 || this.bestBid < this.bestAsk, 'a restored book is not crossed');
  }

  /** What the order would execute if it were placed now; nothing changes. */
  preview(order: EngineOrder): Preview {
    const book = this.#book;
    const buy = order.side === 'BUY';
    let wanted = order.budget > 0 ? Number.MAX_SAFE_INTEGER : (order.quantity as number);
    let budget = order.budget;
    let executed = 0;
    let notional = 0n;
    let price = buy ? book.bestAsk : book.bestBid;
    while (price >= 0 && wanted > 0 && reaches(order, price, buy)) {
      const most = order.budget > 0 ? Math.min(wanted, Math.floor(budget / price)) : wanted;
      if (most === 0) break;
      const level = this.#previewLevel(order, price, most);
      executed += level.executed;
      wanted -= level.executed;
      budget -= level.executed * price;
      notional += BigInt(price) * BigInt(level.executed);
      if (level.prevented) return { executed: executed as Lots, notional, prevented: true };
      if (!level.emptied) break;
      price = book.nextPrice(price, !buy);
    }
    return { executed: executed as Lots, notional, prevented: false };
  }

  /** The order with this id that rests, or waits. */
  find(orderId: SimOrderId): RestingOrder | undefined {
    const slot = this.#book.pool.find(orderId);
    return slot < 0 ? undefined : this.#book.orderIn(slot);
  }

  /** Lots an order has resting; 0 when it does not. */
  remaining(orderId: SimOrderId): Lots {
    const slot = this.#book.pool.find(orderId);
    return (slot < 0 ? 0 : this.#book.pool.left(slot)) as Lots;
  }

  /** All resting orders, in no particular order. */
  restingOrders(): RestingOrder[] {
    return [...this.#book.orders()];
  }

  /** The best `limit` levels of both sides. */
  depth(limit: number): SimDepth {
    return this.#book.depth(limit, this.#changes.updateId);
  }

  /** The level changes since the last draining, under consecutive update ids. */
  drainChanges(time: Millis): SimBookChange | undefined {
    return this.#changes.drain(this.symbol, this.#book, time);
  }

  #begin(): void {
    this.fills.count = 0;
    this.expiredMakers.length = 0;
    this.#prevented = false;
  }

  #crosses(order: EngineOrder, buy: boolean): boolean {
    const best = buy ? this.#book.bestAsk : this.#book.bestBid;
    return best >= 0 && reaches(order, best, buy);
  }

  /** Matches an order that may take. @param parked the slot it has already, if it has one. */
  #enter(order: EngineOrder, parked: number | undefined): Placement {
    if (order.timeInForce === 'FOK' && order.kind === 'LIMIT') {
      const preview = this.preview(order);
      if (preview.executed < order.quantity) {
        this.#prevented = preview.prevented;
        return this.#finish(order, { wanted: order.quantity, left: order.quantity, parked });
      }
    }
    const wanted = order.budget > 0 ? Number.MAX_SAFE_INTEGER : order.quantity;
    const left = this.#crosses(order, order.side === 'BUY') ? this.#match(order, wanted) : wanted;
    return this.#finish(order, { wanted, left, parked });
  }

  #finish(
    order: EngineOrder,
    { wanted, left, parked }: { wanted: number; left: number; parked: number | undefined },
  ): Placement {
    const executed = (wanted - left) as Lots;
    const { pool } = this.#book;
    const slot = parked ?? pool.nextFree;
    const orderId =
      parked === undefined ? orderIdOf(this.#generation, slot) : (pool.id[parked] as SimOrderId);
    if (left === 0) return { orderId, end: 'FILLED', executed };
    if (this.#prevented) return { orderId, end: 'EXPIRED_IN_MATCH', executed };
    if (order.kind === 'MARKET') {
      // By quote amount, an order whose rest buys no lot is done; one that ran out of book has expired.
      const best = order.side === 'BUY' ? this.#book.bestAsk : this.#book.bestBid;
      const spent = order.budget > 0 && (best >= 0 || this.#budgetLeft === 0);
      const end: OrderEnd = spent && executed > 0 ? 'FILLED' : 'EXPIRED';
      return { orderId, end, executed };
    }
    if (order.kind === 'LIMIT' && order.timeInForce !== 'GTC') return { orderId, end: 'EXPIRED', executed };
    if (parked === undefined) pool.take(orderId);
    this.#rest(slot, order, left);
    this.#changes.note(order.price, order.side === 'BUY');
    return { orderId, end: 'RESTING', executed };
  }

  #rest(slot: number, order: Omit<RestingOrder, 'orderId' | 'remaining'>, left: number): void {
    const { pool } = this.#book;
    pool.account[slot] = order.account;
    pool.bid[slot] = order.side === 'BUY' ? 1 : 0;
    pool.price[slot] = order.price;
    pool.visible[slot] = order.visible ?? 0;
    this.#book.show(slot, left);
    this.#book.append(slot);
  }

  /** @returns the lots left over. */
  #match(order: EngineOrder, wanted: number): number {
    const book = this.#book;
    const buy = order.side === 'BUY';
    let left = wanted;
    let budget = order.budget;
    while (left > 0 && !this.#prevented) {
      const price = buy ? book.bestAsk : book.bestBid;
      if (price < 0 || !reaches(order, price, buy)) break;
      const most = order.budget > 0 ? Math.min(left, Math.floor(budget / price)) : left;
      if (most === 0) break;
      const expired = this.expiredMakers.length;
      const taken = this.#takeLevel(order, price, most);
      left -= taken;
      budget -= taken * price;
      if (taken > 0 || this.expiredMakers.length > expired) this.#changes.note(price, !buy);
    }
    this.#budgetLeft = budget;
    return left;
  }

  /** Executes up to `most` lots at one price. @returns the lots executed. */
  #takeLevel(order: EngineOrder, price: number, most: number): number {
    const book = this.#book;
    const { pool } = book;
    let left = most;
    let slot = book.first(price);
    while (slot >= 0 && left > 0) {
      const next = pool.next[slot] as number;
      if (pool.account[slot] === order.account && order.selfTradePrevention !== 'NONE') {
        this.#prevented = order.selfTradePrevention !== 'EXPIRE_MAKER';
        if (order.selfTradePrevention !== 'EXPIRE_TAKER') {
          this.expiredMakers.push(pool.id[slot] as SimOrderId);
          book.remove(slot);
        }
        if (this.#prevented) break;
      } else {
        const resting = pool.remaining[slot] as number;
        const quantity = Math.min(resting, left);
        left -= quantity;
        this.#tradeId += 1;
        this.fills.add(pool, slot, quantity);
        if (quantity < resting) book.reduce(slot, quantity);
        else if (pool.hidden[slot] === 0) book.remove(slot);
        else book.refill(slot);
      }
      slot = next;
    }
    return most - left;
  }

  #previewLevel(order: EngineOrder, price: number, most: number): LevelPreview {
    const { pool } = this.#book;
    let left = most;
    let emptied = true;
    // What icebergs hide comes behind all that the queue shows.
    let hidden = 0;
    let slot = this.#book.first(price);
    while (slot >= 0 && left > 0) {
      const own = pool.account[slot] === order.account && order.selfTradePrevention !== 'NONE';
      if (own && order.selfTradePrevention !== 'EXPIRE_MAKER') {
        return { executed: most - left, prevented: true, emptied: false };
      }
      if (!own) {
        const resting = pool.remaining[slot] as number;
        emptied = resting <= left;
        left -= Math.min(left, resting);
        hidden += pool.hidden[slot] as number;
      }
      slot = pool.next[slot] as number;
    }
    const refilled = Math.min(left, hidden);
    emptied &&= slot < 0 && refilled === hidden;
    return { executed: most - left + refilled, prevented: false, emptied };
  }
}

interface LevelPreview {
  readonly executed: number;
  readonly prevented: boolean;
  /** Whether nothing would be left at the price. */
  readonly emptied: boolean;
}

function reaches(order: EngineOrder, price: number, buy: boolean): boolean {
  if (order.kind === 'MARKET') return true;
  return buy ? price <= order.price : price >= order.price;
}
