import type { Lots, Millis, Ticks } from '@crossbook/domain';
import type { SimBookChange } from '../exchange.ts';
import type { Book } from './book.ts';

const MARKS_AT_START = 1024;

/**
 * The levels of one book that changed since the last draining. Every change takes the next update id, as at Binance; a
 * drained change covers all ids since the previous one and states absolute sizes.
 */
export class LevelChanges {
  // One mark per change: price * 2, plus 1 for a bid. Doubles are compacted when the buffer is full.
  #marks = new Float64Array(MARKS_AT_START);
  #count = 0;
  #drainedId: number;
  #updateId: number;

  /** @param updateId the last update id already used. */
  constructor(updateId: number) {
    this.#updateId = updateId;
    this.#drainedId = updateId;
  }

  /** The last update id used. */
  get updateId(): number {
    return this.#updateId;
  }

  /** Notes that a level changed. */
  note(price: number, bid: boolean): void {
    if (this.#count === this.#marks.length) this.#compact();
    this.#marks[this.#count] = price * 2 + (bid ? 1 : 0);
    this.#count += 1;
    this.#updateId += 1;
  }

  /** What changed since the last call, sizes as they are now, best price first; `undefined` when nothing did. */
  drain(symbol: string, book: Book, time: Millis): SimBookChange | undefined {
    if (this.#count === 0) return undefined;
    const bids: (readonly [Ticks, Lots])[] = [];
    const asks: (readonly [Ticks, Lots])[] = [];
    for (const mark of this.#distinct()) {
      const price = Math.floor(mark / 2);
      const bid = mark % 2 === 1;
      (bid ? bids : asks).push([price as Ticks, book.sizeAt(price, bid)]);
    }
    bids.reverse();
    const firstUpdateId = this.#drainedId + 1;
    this.#count = 0;
    this.#drainedId = this.#updateId;
    return { symbol, firstUpdateId, lastUpdateId: this.#updateId, bids, asks, time };
  }

  #distinct(): Float64Array {
    const marks = this.#marks.subarray(0, this.#count).sort();
    let kept = 0;
    for (let at = 0; at < marks.length; at += 1) {
      if (at > 0 && marks[at] === marks[at - 1]) continue;
      marks[kept] = marks[at] as number;
      kept += 1;
    }
    return marks.subarray(0, kept);
  }

  #compact(): void {
    const distinct = this.#distinct();
    this.#count = distinct.length;
    // Bounded by the number of different levels: it grows only when more than half of the marks differ.
    if (distinct.length * 2 <= this.#marks.length) return;
    const larger = new Float64Array(this.#marks.length * 2);
    larger.set(distinct);
    this.#marks = larger;
  }
}
