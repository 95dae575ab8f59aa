import { assert } from '@crossbook/domain';

const PAGE_BITS = 10;
const PAGE_TICKS = 1 << PAGE_BITS;
const CELL_MASK = PAGE_TICKS - 1;
const WORDS_PER_PAGE = PAGE_TICKS >> 5;
const PAGES_AT_START = 2;

/** Highest price a ladder can hold, in ticks: bit arithmetic is 32-bit and signed. */
export const LADDER_TICKS_MAX = 2 ** 31 - 1;

/**
 * All price levels of one market: a queue of orders and a total size per tick, directly indexed, with a bitmap
 * that finds the next occupied tick in a few instructions. Both sides share it, because a book is never
 * crossed: what lies at or below the best bid is a bid. Ticks live in pages of 1024 that exist only
 * while they hold something, so that far orders cost one page and the price may wander anywhere.
 */
export class PriceLadder {
  /** First and last order slot of a cell's queue, -1 when empty. Indexed by cell. */
  head = new Int32Array(PAGES_AT_START * PAGE_TICKS).fill(-1);
  tail = new Int32Array(PAGES_AT_START * PAGE_TICKS).fill(-1);
  /** Lots resting in a cell. */
  size = new Float64Array(PAGES_AT_START * PAGE_TICKS);

  /** Occupied ticks of a page slot: 32 words of 32 bits, and one bit per word that is not zero. */
  #words = new Int32Array(PAGES_AT_START * WORDS_PER_PAGE);
  #summary = new Int32Array(PAGES_AT_START);
  /** Page number to page slot, -1 when the page does not exist. */
  readonly #slotOfPage: Int32Array;
  /** Existing pages: one bit per page, and one bit per word of those. */
  readonly #pageWords: Int32Array;
  readonly #pageSummary: Int32Array;
  readonly #freeSlots: number[] = [];
  #slotsUsed = 0;

  /** @param ticksMax highest price that will be used, at most `LADDER_TICKS_MAX`. */
  constructor(ticksMax: number) {
    assert(Number.isInteger(ticksMax) && ticksMax > 0 && ticksMax <= LADDER_TICKS_MAX, 'ladder height');
    const pages = (ticksMax >>> PAGE_BITS) + 1;
    this.#slotOfPage = new Int32Array(pages).fill(-1);
    this.#pageWords = new Int32Array((pages >>> 5) + 1);
    this.#pageSummary = new Int32Array((pages >>> 10) + 1);
  }

  /** The cell of an occupied tick. For a tick that is not occupied the answer may be -1 or an empty cell. */
  cellOf(tick: number): number {
    const slot = this.#slotOfPage[tick >>> PAGE_BITS] as number;
    return slot < 0 ? -1 : (slot << PAGE_BITS) | (tick & CELL_MASK);
  }

  /** Marks a tick as occupied and returns its cell. */
  occupy(tick: number): number {
    const page = tick >>> PAGE_BITS;
    let slot = this.#slotOfPage[page] as number;
    if (slot < 0) slot = this.#openPage(page);
    const word = (tick >>> 5) & 31;
    const at = (slot << 5) | word;
    this.#words[at] = (this.#words[at] as number) | (1 << (tick & 31));
    this.#summary[slot] = (this.#summary[slot] as number) | (1 << word);
    return (slot << PAGE_BITS) | (tick & CELL_MASK);
  }

  /** Marks a tick, whose queue must be empty already, as no longer occupied. */
  vacate(tick: number): void {
    const page = tick >>> PAGE_BITS;
    const slot = this.#slotOfPage[page] as number;
    const word = (tick >>> 5) & 31;
    const at = (slot << 5) | word;
    const bits = (this.#words[at] as number) & ~(1 << (tick & 31));
    this.#words[at] = bits;
    if (bits !== 0) return;
    const summary = (this.#summary[slot] as number) & ~(1 << word);
    this.#summary[slot] = summary;
    if (summary === 0) this.#closePage(page, slot);
  }

  /** The highest occupied tick below `tick`, or -1. */
  below(tick: number): number {
    const page = tick >>> PAGE_BITS;
    const slot = this.#slotOfPage[page] as number;
    if (slot >= 0) {
      const word = (tick >>> 5) & 31;
      const bits = (this.#words[(slot << 5) | word] as number) & ((1 << (tick & 31)) - 1);
      if (bits !== 0) return (tick & ~31) | highestBit(bits);
      const words = (this.#summary[slot] as number) & ((1 << word) - 1);
      if (words !== 0) return this.#tickIn(page, slot, highestBit(words), true);
    }
    const next = this.#pageBelow(page);
    if (next < 0) return -1;
    const found = this.#slotOfPage[next] as number;
    return this.#tickIn(next, found, highestBit(this.#summary[found] as number), true);
  }

  /** The lowest occupied tick above `tick`, or -1. */
  above(tick: number): number {
    const page = tick >>> PAGE_BITS;
    const slot = this.#slotOfPage[page] as number;
    if (slot >= 0) {
      const word = (tick >>> 5) & 31;
      const bits = (this.#words[(slot << 5) | word] as number) & (-2 << (tick & 31));
      if (bits !== 0) return (tick & ~31) | lowestBit(bits);
      const words = (this.#summary[slot] as number) & (-2 << word);
      if (words !== 0) return this.#tickIn(page, slot, lowestBit(words), false);
    }
    const next = this.#pageAbove(page);
    if (next < 0) return -1;
    const found = this.#slotOfPage[next] as number;
    return this.#tickIn(next, found, lowestBit(this.#summary[found] as number), false);
  }

  #tickIn(page: number, slot: number, word: number, highest: boolean): number {
    const bits = this.#words[(slot << 5) | word] as number;
    return (page << PAGE_BITS) | (word << 5) | (highest ? highestBit(bits) : lowestBit(bits));
  }

  #pageBelow(page: number): number {
    const word = page >>> 5;
    const bits = (this.#pageWords[word] as number) & ((1 << (page & 31)) - 1);
    if (bits !== 0) return (page & ~31) | highestBit(bits);
    let group = word >>> 5;
    let words = (this.#pageSummary[group] as number) & ((1 << (word & 31)) - 1);
    while (words === 0) {
      group -= 1;
      if (group < 0) return -1;
      words = this.#pageSummary[group] as number;
    }
    const found = (group << 5) | highestBit(words);
    return (found << 5) | highestBit(this.#pageWords[found] as number);
  }

  #pageAbove(page: number): number {
    const word = page >>> 5;
    const bits = (this.#pageWords[word] as number) & (-2 << (page & 31));
    if (bits !== 0) return (page & ~31) | lowestBit(bits);
    let group = word >>> 5;
    let words = (this.#pageSummary[group] as number) & (-2 << (word & 31));
    while (words === 0) {
      group += 1;
      if (group >= this.#pageSummary.length) return -1;
      words = this.#pageSummary[group] as number;
    }
    const found = (group << 5) | lowestBit(words);
    return (found << 5) | lowestBit(this.#pageWords[found] as number);
  }

  #openPage(page: number): number {
    let slot = this.#freeSlots.pop();
    if (slot === undefined) {
      slot = this.#slotsUsed;
      this.#slotsUsed += 1;
      if (slot >= this.#summary.length) this.#grow();
    }
    this.#slotOfPage[page] = slot;
    const word = page >>> 5;
    this.#pageWords[word] = (this.#pageWords[word] as number) | (1 << (page & 31));
    const group = word >>> 5;
    this.#pageSummary[group] = (this.#pageSummary[group] as number) | (1 << (word & 31));
    return slot;
  }

  // A closed page is all zeros and empty queues already, so its slot can be handed out as it is.
  #closePage(page: number, slot: number): void {
    this.#slotOfPage[page] = -1;
    this.#freeSlots.push(slot);
    const word = page >>> 5;
    const bits = (this.#pageWords[word] as number) & ~(1 << (page & 31));
    this.#pageWords[word] = bits;
    if (bits !== 0) return;
    const group = word >>> 5;
    this.#pageSummary[group] = (this.#pageSummary[group] as number) & ~(1 << (word & 31));
  }

  #grow(): void {
    const slots = this.#summary.length * 2;
    const { head, tail, size } = this;
    this.head = new Int32Array(slots * PAGE_TICKS).fill(-1);
    this.head.set(head);
    this.tail = new Int32Array(slots * PAGE_TICKS).fill(-1);
    this.tail.set(tail);
    this.size = new Float64Array(slots * PAGE_TICKS);
    this.size.set(size);
    const words = this.#words;
    this.#words = new Int32Array(slots * WORDS_PER_PAGE);
    this.#words.set(words);
    const summary = this.#summary;
    this.#summary = new Int32Array(slots);
    this.#summary.set(summary);
  }
}

function highestBit(bits: number): number {
  return 31 - Math.clz32(bits);
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
