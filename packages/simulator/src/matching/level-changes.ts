import type { Lots, Millis, Ticks } from '@crossbook/domain';
import type { SimBookChange } from '../exchange.ts';
import type { Book } from './book.ts';

const MARKS_AT_START = 512;
// 2^32 divided by the golden ratio: neighbouring prices land far apart.
const HASH_FACTOR = 0x9e3779b1;

/**
 * The levels of one book that changed since the last draining, each once. Every change takes the next update id, as at
 * Binance; a drained change covers all ids since the previous one and states absolute sizes. Nobody has to drain: there are
 * never more marks than levels that ever changed.
 */
export class LevelChanges {
  // A mark is price * 2, plus 1 for a bid. The table finds the place of a mark plus one; it is twice as long and open-addressed.
  #marks = new Float64Array(MARKS_AT_START);
  #table = new Int32Array(MARKS_AT_START * 2);
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
    this.#updateId += 1;
    const mark = price * 2 + (bid ? 1 : 0);
    const at = this.#placeOf(mark);
    if (this.#table[at] !== 0) return;
    this.#marks[this.#count] = mark;
    this.#count += 1;
    this.#table[at] = this.#count;
    if (this.#count === this.#marks.length) this.#grow();
  }

  /** What changed since the last call, sizes as they are now, best price first; `undefined` when nothing did. */
  drain(symbol: string, book: Book, time: Millis): SimBookChange | undefined {
    if (this.#count === 0) return undefined;
    this.#clearTable();
    const bids: (readonly [Ticks, Lots])[] = [];
    const asks: (readonly [Ticks, Lots])[] = [];
    for (const mark of this.#marks.subarray(0, this.#count).sort()) {
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

  /** The mark's place in the table, or the empty one where it belongs. */
  #placeOf(mark: number): number {
    const mask = this.#table.length - 1;
    let at = (Math.imul(mark, HASH_FACTOR) >>> 8) & mask;
    for (let found = this.#table[at] as number; found !== 0; found = this.#table[at] as number) {
      if (this.#marks[found - 1] === mark) break;
      at = (at + 1) & mask;
    }
    return at;
  }

  // Usually a handful of levels changed: they are found again sooner than a table is wiped. The last one in goes first,
  // because taking one out from the middle of a run would hide those behind it.
  #clearTable(): void {
    if (this.#count * 16 > this.#table.length) {
      this.#table.fill(0);
      return;
    }
    for (let last = this.#count - 1; last >= 0; last -= 1) {
      this.#table[this.#placeOf(this.#marks[last] as number)] = 0;
    }
  }

  #grow(): void {
    const larger = new Float64Array(this.#marks.length * 2);
    larger.set(this.#marks);
    this.#marks = larger;
    this.#table = new Int32Array(larger.length * 2);
    for (let at = 0; at < this.#count; at += 1) {
      this.#table[this.#placeOf(larger[at] as number)] = at + 1;
    }
  }
}
