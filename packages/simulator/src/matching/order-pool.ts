import { assert } from '@crossbook/domain';
import type { SimOrderId } from '../exchange.ts';

const SLOT_BITS = 17;
const SLOTS_AT_START = 1024;

/** Orders that may rest in one market at once. */
export const RESTING_ORDERS_MAX = 1 << SLOT_BITS;
/** Generations of one market before its order ids leave the safe integers. */
export const GENERATIONS_MAX = 2 ** (53 - SLOT_BITS) - 1;

/**
 * The order id of a slot and a generation. Generations are handed out in the order of placing, so ids of one market
 * also ascend with time, as at Binance; the slot finds the order without a lookup.
 */
export function orderIdOf(generation: number, slot: number): SimOrderId {
  return (generation * RESTING_ORDERS_MAX + slot) as SimOrderId;
}

/** The slot named by an order id. Exact, and much cheaper than a remainder of two doubles. */
export function slotOfOrderId(orderId: SimOrderId): number {
  return orderId - Math.floor(orderId / RESTING_ORDERS_MAX) * RESTING_ORDERS_MAX;
}

/** The generation named by an order id. */
export function generationOfOrderId(orderId: SimOrderId): number {
  return Math.floor(orderId / RESTING_ORDERS_MAX);
}

/** Resting orders of one market in parallel arrays, so that none of them is an object for the collector. */
export class OrderPool {
  /** Neighbours in the queue of their price, -1 at its ends; `next` also links the free slots. */
  next = new Int32Array(SLOTS_AT_START);
  previous = new Int32Array(SLOTS_AT_START);
  price = new Int32Array(SLOTS_AT_START);
  /** Lots in the queue; 0 where the order only waits for its time and is in none. */
  remaining = new Float64Array(SLOTS_AT_START);
  /** Lots of an iceberg that are not in the queue yet, and how many of them go there at a time. */
  hidden = new Float64Array(SLOTS_AT_START);
  visible = new Float64Array(SLOTS_AT_START);
  account = new Int32Array(SLOTS_AT_START);
  /** 1 for a bid, 0 for an ask. */
  bid = new Uint8Array(SLOTS_AT_START);
  /** The order id in the slot, 0 when the slot is free: a stale id finds another or none here. */
  id = new Float64Array(SLOTS_AT_START);
  #free = 0;
  #used = 0;

  constructor() {
    this.#linkFree(0);
  }

  /** Orders resting now. */
  get used(): number {
    return this.#used;
  }

  /** The slot that the next order to rest will get; `RESTING_ORDERS_MAX` when there is none. */
  get nextFree(): number {
    if (this.#free >= this.id.length && this.id.length < RESTING_ORDERS_MAX) this.#grow();
    return this.#free;
  }

  /** The slot of a resting order, -1 when the id does not rest (any more). */
  find(orderId: SimOrderId): number {
    const slot = slotOfOrderId(orderId);
    return this.id[slot] === orderId ? slot : -1;
  }

  /** Lots that an order in a slot has left, shown or not. */
  left(slot: number): number {
    return (this.remaining[slot] as number) + (this.hidden[slot] as number);
  }

  /** Occupies the slot that `nextFree` named. */
  take(orderId: SimOrderId): number {
    const slot = this.#free;
    assert(slot === slotOfOrderId(orderId) && slot < this.id.length, 'order id names the free slot');
    this.#free = this.next[slot] as number;
    this.id[slot] = orderId;
    this.#used += 1;
    return slot;
  }

  /** Frees a slot. */
  release(slot: number): void {
    this.id[slot] = 0;
    this.next[slot] = this.#free;
    this.#free = slot;
    this.#used -= 1;
  }

  /** Occupies the very slots of orders that rested before a restart; only in an empty pool. */
  restore(orderIds: readonly SimOrderId[]): void {
    assert(this.#used === 0, 'orders are restored into an empty pool');
    for (const orderId of orderIds) {
      const slot = slotOfOrderId(orderId);
      while (slot >= this.id.length) this.#grow();
      assert(this.id[slot] === 0, 'one order per slot');
      this.id[slot] = orderId;
      this.#used += 1;
    }
    this.#free = this.id.length;
    for (let slot = this.id.length - 1; slot >= 0; slot -= 1) {
      if (this.id[slot] !== 0) continue;
      this.next[slot] = this.#free;
      this.#free = slot;
    }
  }

  // The last free slot points one past the end, which is where growing continues the list.
  #linkFree(from: number): void {
    for (let slot = from; slot < this.id.length; slot += 1) this.next[slot] = slot + 1;
  }

  #grow(): void {
    const from = this.id.length;
    this.next = grown(this.next);
    this.previous = grown(this.previous);
    this.price = grown(this.price);
    this.remaining = grownFloats(this.remaining);
    this.hidden = grownFloats(this.hidden);
    this.visible = grownFloats(this.visible);
    this.account = grown(this.account);
    const bid = new Uint8Array(from * 2);
    bid.set(this.bid);
    this.bid = bid;
    this.id = grownFloats(this.id);
    this.#linkFree(from);
  }
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

function grownFloats(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}
