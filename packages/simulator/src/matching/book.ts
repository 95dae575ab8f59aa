import type { Lots, Ticks } from '@crossbook/domain';
import type { SimDepth, SimOrderId } from '../exchange.ts';
import { OrderPool } from './order-pool.ts';
import { PriceLadder } from './price-ladder.ts';

/** A resting order as the engine hands it out; built on request only. */
export interface RestingOrder {
  readonly orderId: SimOrderId;
  readonly account: number;
  readonly side: 'BUY' | 'SELL';
  readonly price: Ticks;
  /** Lots not filled yet; 0 while the order waits for its time: it has its slot, and is in no queue. */
  readonly remaining: Lots;
  /** An iceberg: how much of it the queue shows at a time. */
  readonly visible?: Lots;
}

/** One market's resting orders: queues in time order per price, best prices cached. Knows nothing of matching. */
export class Book {
  readonly pool = new OrderPool();
  readonly ladder: PriceLadder;
  /** Best prices in ticks, -1 for an empty side. */
  bestBid = -1;
  bestAsk = -1;

  /** @param ticksMax highest price that will be used. */
  constructor(ticksMax: number) {
    this.ladder = new PriceLadder(ticksMax);
  }

  /** Puts the order in `slot` (price, side and remaining are set) at the end of its price's queue. */
  append(slot: number): void {
    const { pool, ladder } = this;
    const price = pool.price[slot] as number;
    const cell = ladder.occupy(price);
    const last = ladder.tail[cell] as number;
    pool.next[slot] = -1;
    pool.previous[slot] = last;
    if (last < 0) ladder.head[cell] = slot;
    else pool.next[last] = slot;
    ladder.tail[cell] = slot;
    ladder.size[cell] = (ladder.size[cell] as number) + (pool.remaining[slot] as number);
    if (pool.bid[slot] === 1) {
      if (price > this.bestBid) this.bestBid = price;
    } else if (this.bestAsk < 0 || price < this.bestAsk) this.bestAsk = price;
  }

  /** Takes an order out, wherever in its queue it stands, and frees its slot. */
  remove(slot: number): void {
    this.detach(slot);
    this.pool.release(slot);
  }

  /** Takes an order out of its queue and keeps its slot: it is appended again, or released. */
  detach(slot: number): void {
    const { pool, ladder } = this;
    const price = pool.price[slot] as number;
    const cell = ladder.cellOf(price);
    const next = pool.next[slot] as number;
    const previous = pool.previous[slot] as number;
    if (previous < 0) ladder.head[cell] = next;
    else pool.next[previous] = next;
    if (next < 0) ladder.tail[cell] = previous;
    else pool.previous[next] = previous;
    ladder.size[cell] = (ladder.size[cell] as number) - (pool.remaining[slot] as number);
    if (ladder.head[cell] === -1) this.#leave(price);
  }

  /** Lowers what the queue shows of an order without moving it there. */
  reduce(slot: number, by: number): void {
    const { pool, ladder } = this;
    const cell = ladder.cellOf(pool.price[slot] as number);
    pool.remaining[slot] = (pool.remaining[slot] as number) - by;
    ladder.size[cell] = (ladder.size[cell] as number) - by;
  }

  /** What an iceberg showed is gone: the next part of it goes to the end of the queue. */
  refill(slot: number): void {
    const { pool } = this;
    this.detach(slot);
    this.show(slot, pool.hidden[slot] as number);
    this.append(slot);
  }

  /** Parts what is left of an order in `slot` into what its queue shows and what it hides. */
  show(slot: number, left: number): void {
    const { pool } = this;
    const visible = pool.visible[slot] as number;
    const shown = visible > 0 ? Math.min(visible, left) : left;
    pool.remaining[slot] = shown;
    pool.hidden[slot] = left - shown;
  }

  /** First order in the queue of an occupied price. */
  first(price: number): number {
    return this.ladder.head[this.ladder.cellOf(price)] as number;
  }

  /** Lots resting on one side at a price; 0 where there are none. */
  sizeAt(price: number, bid: boolean): Lots {
    const belongs = bid ? price <= this.bestBid : this.bestAsk >= 0 && price >= this.bestAsk;
    const cell = belongs ? this.ladder.cellOf(price) : -1;
    return (cell < 0 ? 0 : (this.ladder.size[cell] as number)) as Lots;
  }

  /** The next occupied price away from the middle, -1 when there is none. */
  nextPrice(price: number, bid: boolean): number {
    return bid ? this.ladder.below(price) : this.ladder.above(price);
  }

  /** The best `limit` levels of both sides. */
  depth(limit: number, lastUpdateId: number): SimDepth {
    return { lastUpdateId, bids: this.#levels(true, limit), asks: this.#levels(false, limit) };
  }

  /** Every resting order, in order of slots. */
  *orders(): Generator<RestingOrder> {
    const { pool } = this;
    for (let slot = 0; slot < pool.id.length; slot += 1) {
      if (pool.id[slot] !== 0 && pool.remaining[slot] !== 0) yield this.orderIn(slot);
    }
  }

  /** The order in an occupied slot. */
  orderIn(slot: number): RestingOrder {
    const { pool } = this;
    return {
      orderId: pool.id[slot] as SimOrderId,
      account: pool.account[slot] as number,
      side: pool.bid[slot] === 1 ? 'BUY' : 'SELL',
      price: pool.price[slot] as Ticks,
      remaining: pool.left(slot) as Lots,
      ...(pool.visible[slot] === 0 ? {} : { visible: pool.visible[slot] as Lots }),
    };
  }

  #levels(bid: boolean, limit: number): (readonly [Ticks, Lots])[] {
    const levels: (readonly [Ticks, Lots])[] = [];
    let price = bid ? this.bestBid : this.bestAsk;
    while (price >= 0 && levels.length < limit) {
      levels.push([price as Ticks, this.ladder.size[this.ladder.cellOf(price)] as Lots]);
      price = this.nextPrice(price, bid);
    }
    return levels;
  }

  // While one side still holds the level the search cannot leave its side: the other begins beyond the best price.
  #leave(price: number): void {
    this.ladder.vacate(price);
    if (price === this.bestBid) this.bestBid = this.ladder.below(price);
    else if (price === this.bestAsk) this.bestAsk = this.ladder.above(price);
  }
}
