import type { Book, BookChange, BookLevel, Ticks } from '@crossbook/domain';
import type { BookWitness } from '../../venue-public.ts';

/** Levels a side that the checksum is made over. */
const CHECKED_LEVELS = 25;
/** Levels a side whose strings are kept; the channel has 400. Beyond it the witness falls silent. */
const LEVELS_KEPT_MAX = 5_000;

const CRC_TABLE = Int32Array.from({ length: 256 }, (_entry, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (ISO 3309) of ASCII text, as a signed 32-bit integer. */
export function crc32(text: string): number {
  let value = -1;
  for (let at = 0; at < text.length; at += 1) {
    value = (CRC_TABLE[(value ^ text.charCodeAt(at)) & 0xff] as number) ^ (value >>> 8);
  }
  return ~value;
}

/** `bidPrice:bidSize:askPrice:askSize:…`, best first; where one side is short the other goes on alone. */
export function checkedText(bids: readonly string[], asks: readonly string[]): string {
  const parts: string[] = [];
  for (let rank = 0; rank < CHECKED_LEVELS; rank += 1) {
    const bid = bids[rank];
    const ask = asks[rank];
    if (bid !== undefined) parts.push(bid);
    if (ask !== undefined) parts.push(ask);
  }
  return parts.join(':');
}

/**
 * Compares a book with OKX's checksum. The checksum is made over the venue's own strings, so those are kept beside the
 * book, by price: neither floats nor our own formatting takes part. A checksum of 0 says nothing. Where a
 * snapshot has no such field the book is not judged at all; where only a later message lacks it, it is damaged.
 * Source: OKX v5 guide, "Checksum" of the order book channel (2022 to 2026).
 */
export class OkxBookWitness implements BookWitness {
  readonly #bids = new Map<Ticks, string>();
  readonly #asks = new Map<Ticks, string>();
  readonly #prices = new Float64Array(CHECKED_LEVELS);
  readonly #sizes = new Float64Array(CHECKED_LEVELS);
  #seeing = false;

  judge(change: BookChange, book: Book): 'agrees' | 'disagrees' | 'silent' {
    const { proof } = change;
    if (change.kind === 'snapshot') {
      this.#bids.clear();
      this.#asks.clear();
      this.#seeing = proof !== undefined;
    }
    if (!this.#seeing) return 'silent';
    // A field that was there and is gone looks like damage; if the venue has dropped it, the next snapshot shows that.
    if (proof === undefined) return 'disagrees';
    keep(this.#bids, change.bids, proof.bids);
    keep(this.#asks, change.asks, proof.asks);
    if (this.#bids.size > LEVELS_KEPT_MAX || this.#asks.size > LEVELS_KEPT_MAX) {
      this.#seeing = false;
      return 'silent';
    }
    if (proof.checksum === 0) return 'silent';
    const bids = this.#top(book, 'bids');
    const asks = this.#top(book, 'asks');
    if (bids === undefined || asks === undefined) return 'disagrees';
    return crc32(checkedText(bids, asks)) === proof.checksum ? 'agrees' : 'disagrees';
  }

  /** The strings of the best levels; `undefined` when the book has a level whose strings were never seen. */
  #top(book: Book, side: 'bids' | 'asks'): string[] | undefined {
    const strings = side === 'bids' ? this.#bids : this.#asks;
    const count = book.copyTop(side, this.#prices, this.#sizes);
    const top: string[] = [];
    for (let rank = 0; rank < count; rank += 1) {
      const text = strings.get(this.#prices[rank] as Ticks);
      if (text === undefined) return undefined;
      top.push(text);
    }
    return top;
  }
}

function keep(
  strings: Map<Ticks, string>,
  levels: readonly BookLevel[],
  rows: readonly (readonly unknown[])[],
): void {
  for (let at = 0; at < levels.length; at += 1) {
    const [price, size] = levels[at] as BookLevel;
    const row = rows[at];
    if (size === 0) strings.delete(price);
    else strings.set(price, `${String(row?.[0])}:${String(row?.[1])}`);
  }
}
