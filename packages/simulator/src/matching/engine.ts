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

  /** Uses up a trade id for a trade that was not matched here. */
  takeTradeId(): number {
    this.#tradeId += 1;
    return this.#tradeId;
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
    if (order.timeInForce === 'FOK' && order.kind === 'LIMIT') {
      const preview = this.preview(order);
      if (preview.executed < order.quantity) {
        this.#prevented = preview.prevented;
        return this.#finish(order, order.quantity, order.quantity);
      }
    }
    const wanted = order.budget > 0 ? Number.MAX_SAFE_INTEGER : order.quantity;
    const left = this.#crosses(order, buy) ? this.#match(order, wanted) : wanted;
    return this.#finish(order, wanted, left);
  }

  /** Takes a resting order out. @returns false when it does not rest (any more). */
  cancel(orderId: SimOrderId): boolean {
    this.#begin();
    const { pool } = this.#book;
    const slot = pool.find(orderId);
    if (slot < 0) return false;
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
    const by = (pool.remaining[slot] as number) - remaining;
    if (remaining < 1 || by <= 0) return false;
    this.#book.reduce(slot, by);
    this.#changes.note(pool.price[slot] as number, pool.bid[slot] === 1);
    return true;
  }

  /**
   * Gives a resting order another price or size under its own id: it leaves its queue, takes what its new price reaches,
   * and rests at the end of a queue with what is left.
   * @param order as it would be placed anew, of the same side; `quantity` counts what remains. Never MARKET.
   * @returns `undefined` when the order does not rest.
   */
  replace(orderId: SimOrderId, order: EngineOrder): Placement | undefined {
    this.#begin();
    const { pool } = this.#book;
    const slot = pool.find(orderId);
    if (slot < 0) return undefined;
    const buy = order.side === 'BUY';
    this.#changes.note(pool.price[slot] as number, buy);
    this.#book.detach(slot);
    const left = this.#crosses(order, buy) ? this.#match(order, order.quantity) : order.quantity;
    const executed = (order.quantity - left) as Lots;
    if (left === 0 || this.#prevented) {
      pool.release(slot);
      return { orderId, end: left === 0 ? 'FILLED' : 'EXPIRED_IN_MATCH', executed };
    }
    this.#rest(slot, order, left);
    this.#changes.note(order.price, buy);
    return { orderId, end: 'RESTING', executed };
  }

  /** Fills a resting order at its own price against nobody: maintenance is over and the price went through it. */
  fillResting(orderId: SimOrderId): boolean {
    this.#begin();
    const { pool } = this.#book;
    const slot = pool.find(orderId);
    if (slot < 0) return false;
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
      this.#rest(slot, order, order.remaining);
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

  /** The resting order with this id. */
  find(orderId: SimOrderId): RestingOrder | undefined {
    const slot = this.#book.pool.find(orderId);
    return slot < 0 ? undefined : this.#book.orderIn(slot);
  }

  /** Lots an order has resting; 0 when it does not. */
  remaining(orderId: SimOrderId): Lots {
    const slot = this.#book.pool.find(orderId);
    return (slot < 0 ? 0 : (this.#book.pool.remaining[slot] as number)) as Lots;
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

  #finish(order: EngineOrder, wanted: number, left: number): Placement {
    const executed = (wanted - left) as Lots;
    const slot = this.#book.pool.nextFree;
    const orderId = orderIdOf(this.#generation, slot);
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
    this.#book.pool.take(orderId);
    this.#rest(slot, order, left);
    this.#changes.note(order.price, order.side === 'BUY');
    return { orderId, end: 'RESTING', executed };
  }

  #rest(slot: number, order: Pick<RestingOrder, 'account' | 'side' | 'price'>, remaining: number): void {
    const { pool } = this.#book;
    pool.account[slot] = order.account;
    pool.bid[slot] = order.side === 'BUY' ? 1 : 0;
    pool.price[slot] = order.price;
    pool.remaining[slot] = remaining;
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
        if (quantity === resting) book.remove(slot);
        else book.reduce(slot, quantity);
      }
      slot = next;
    }
    return most - left;
  }

  #previewLevel(order: EngineOrder, price: number, most: number): LevelPreview {
    const { pool } = this.#book;
    let left = most;
    let emptied = true;
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
      }
      slot = pool.next[slot] as number;
    }
    return { executed: most - left, prevented: false, emptied: emptied && slot < 0 };
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
