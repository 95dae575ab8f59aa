import type { Lots, Ticks } from './instrument.ts';
import type { BookChange, BookLevel, Seq } from './market.ts';

/** Levels a side of a book keeps unless told otherwise; the worst are dropped beyond it. Binance snapshots have 5,000. */
export const BOOK_LEVELS_PER_SIDE_MAX = 20_000;

const CAPACITY_AT_START = 256;
// Below this many shifted slots a loop is faster than copyWithin's call into the engine.
const SHIFT_BY_LOOP_MAX = 24;
const GALLOP_START = 8;

/**
 * One side of a book: two parallel typed arrays sorted by key, best level LAST.
 * Most changes touch the levels next to the best, so little is moved; no object is made per level.
 * The key is the price for bids and minus the price for asks, so "greater" always means "better".
 */
class BookSide {
  readonly #sign: 1 | -1;
  readonly #levelsMax: number;
  #keys = new Float64Array(CAPACITY_AT_START);
  #sizes = new Float64Array(CAPACITY_AT_START);
  #count = 0;

  constructor(sign: 1 | -1, levelsMax: number) {
    this.#sign = sign;
    this.#levelsMax = levelsMax;
  }

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  set(price: Ticks, size: Lots): void {
    const key = this.#sign * price;
    const at = this.#find(key);
    const known = at < this.#count && this.#keys[at] === key;
    if (known && size > 0) this.#sizes[at] = size;
    else if (known) this.#remove(at);
    else if (size > 0) this.#insert(at, key, size);
  }

  sizeAt(price: Ticks): Lots {
    const key = this.#sign * price;
    const at = this.#find(key);
    return (at < this.#count && this.#keys[at] === key ? this.#sizes[at] : 0) as Lots;
  }

  best(): Ticks | undefined {
    if (this.#count === 0) return undefined;
    return (this.#sign * (this.#keys[this.#count - 1] as number)) as Ticks;
  }

  bestSize(): Lots {
    return (this.#count === 0 ? 0 : this.#sizes[this.#count - 1]) as Lots;
  }

  copyTop(prices: Float64Array, sizes: Float64Array): number {
    const copied = Math.min(prices.length, sizes.length, this.#count);
    for (let rank = 0; rank < copied; rank += 1) {
      prices[rank] = this.#sign * (this.#keys[this.#count - 1 - rank] as number);
      sizes[rank] = this.#sizes[this.#count - 1 - rank] as number;
    }
    return copied;
  }

  levels(levelsMax: number): BookLevel[] {
    const levels: BookLevel[] = [];
    for (let at = this.#count - 1; at >= 0 && levels.length < levelsMax; at -= 1) {
      levels.push([(this.#sign * (this.#keys[at] as number)) as Ticks, this.#sizes[at] as Lots]);
    }
    return levels;
  }

  /** Index of the first key not below `key`; gallops down from the best, where the traffic is. */
  #find(key: number): number {
    const keys = this.#keys;
    let high = this.#count;
    let step = GALLOP_START;
    let low = high - step;
    while (low > 0 && (keys[low] as number) > key) {
      high = low;
      step *= 2;
      low = high - step;
    }
    low = Math.max(low, 0);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #remove(at: number): void {
    const keys = this.#keys;
    const sizes = this.#sizes;
    const last = this.#count - 1;
    if (last - at > SHIFT_BY_LOOP_MAX) {
      keys.copyWithin(at, at + 1, this.#count);
      sizes.copyWithin(at, at + 1, this.#count);
    } else {
      for (let slot = at; slot < last; slot += 1) {
        keys[slot] = keys[slot + 1] as number;
        sizes[slot] = sizes[slot + 1] as number;
      }
    }
    this.#count = last;
  }

  #insert(at: number, key: number, size: number): void {
    if (this.#count === this.#levelsMax) {
      // Full: the worst level goes. A newcomer that is worse than all the others is not kept at all.
      if (at === 0) return;
      this.#remove(0);
      this.#place(at - 1, key, size);
      return;
    }
    if (this.#count === this.#keys.length) this.#grow();
    this.#place(at, key, size);
  }

  #place(at: number, key: number, size: number): void {
    const keys = this.#keys;
    const sizes = this.#sizes;
    if (this.#count - at > SHIFT_BY_LOOP_MAX) {
      keys.copyWithin(at + 1, at, this.#count);
      sizes.copyWithin(at + 1, at, this.#count);
    } else {
      for (let slot = this.#count; slot > at; slot -= 1) {
        keys[slot] = keys[slot - 1] as number;
        sizes[slot] = sizes[slot - 1] as number;
      }
    }
    keys[at] = key;
    sizes[at] = size;
    this.#count += 1;
  }

  #grow(): void {
    const capacity = Math.min(this.#keys.length * 2, Math.max(this.#levelsMax, CAPACITY_AT_START));
    const keys = new Float64Array(capacity);
    keys.set(this.#keys);
    const sizes = new Float64Array(capacity);
    sizes.set(this.#sizes);
    this.#keys = keys;
    this.#sizes = sizes;
  }
}

/**
 * A local order book of one instrument on integer ticks and lots.
 * It applies what it is given; whether a delta continues it is decided by the venue's own rule before (BookSync).
 */
export class Book {
  readonly #bids: BookSide;
  readonly #asks: BookSide;
  #lastSeq = 0 as Seq;

  /** @param levelsPerSideMax bound of each side, at least 1: beyond it the levels farthest from the best are dropped. */
  constructor(levelsPerSideMax: number = BOOK_LEVELS_PER_SIDE_MAX) {
    this.#bids = new BookSide(1, levelsPerSideMax);
    this.#asks = new BookSide(-1, levelsPerSideMax);
  }

  /** The venue's last update id contained in this book; 0 for an empty book. */
  get lastSeq(): Seq {
    return this.#lastSeq;
  }

  /** Applies one message: a snapshot replaces everything, a delta sets absolute sizes and size 0 removes. */
  apply(change: BookChange): void {
    if (change.kind === 'snapshot') this.clear();
    const { bids, asks } = change;
    for (let at = 0; at < bids.length; at += 1) {
      const level = bids[at] as BookLevel;
      this.#bids.set(level[0], level[1]);
    }
    for (let at = 0; at < asks.length; at += 1) {
      const level = asks[at] as BookLevel;
      this.#asks.set(level[0], level[1]);
    }
    this.#lastSeq = change.lastSeq;
  }

  /** Forgets every level and the update id. */
  clear(): void {
    this.#bids.clear();
    this.#asks.clear();
    this.#lastSeq = 0 as Seq;
  }

  /** The highest price somebody buys at; `undefined` on an empty side. */
  bestBid(): Ticks | undefined {
    return this.#bids.best();
  }

  /** The lowest price somebody sells at; `undefined` on an empty side. */
  bestAsk(): Ticks | undefined {
    return this.#asks.best();
  }

  /** Size at the best bid; 0 on an empty side. */
  bestBidSize(): Lots {
    return this.#bids.bestSize();
  }

  /** Size at the best ask; 0 on an empty side. */
  bestAskSize(): Lots {
    return this.#asks.bestSize();
  }

  /** True when somebody would buy at or above a price somebody sells at: such a book is wrong. */
  isCrossed(): boolean {
    return (this.#bids.best() ?? Number.NEGATIVE_INFINITY) >= (this.#asks.best() ?? Number.POSITIVE_INFINITY);
  }

  /** Size resting at a price; 0 where there is no level. */
  sizeAt(side: 'bids' | 'asks', price: Ticks): Lots {
    return this.#side(side).sizeAt(price);
  }

  /** Number of levels on a side. */
  count(side: 'bids' | 'asks'): number {
    return this.#side(side).count;
  }

  /** The best levels of a side, best first, as new tuples. */
  levels(side: 'bids' | 'asks', levelsMax: number = Number.POSITIVE_INFINITY): BookLevel[] {
    return this.#side(side).levels(levelsMax);
  }

  /**
   * Copies the best levels of a side, best first, into arrays the caller keeps: makes no object.
   * @returns how many levels were copied, at most the length of the shorter array.
   */
  copyTop(side: 'bids' | 'asks', prices: Float64Array, sizes: Float64Array): number {
    return this.#side(side).copyTop(prices, sizes);
  }

  #side(side: 'bids' | 'asks'): BookSide {
    return side === 'bids' ? this.#bids : this.#asks;
  }
}
