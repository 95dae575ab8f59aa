import { describe, expect, test } from 'vitest';
import { Book } from './book.ts';
import type { Millis } from './ids.ts';
import type { Lots, Ticks } from './instrument.ts';
import type { BookChange, BookLevel, Seq } from './market.ts';

type Pairs = readonly (readonly [number, number])[];

function change(kind: 'snapshot' | 'delta', seq: number, bids: Pairs, asks: Pairs): BookChange {
  return {
    kind,
    symbol: 'BTCUSDT',
    bids: bids as unknown as readonly BookLevel[],
    asks: asks as unknown as readonly BookLevel[],
    firstSeq: seq as Seq,
    lastSeq: seq as Seq,
    time: 0 as Millis,
    receivedAt: 0 as Millis,
  };
}

describe('Book', () => {
  test('an empty book has no best price, no size and is not crossed', () => {
    const book = new Book();
    expect([book.bestBid(), book.bestAsk(), book.bestBidSize(), book.bestAskSize()]).toEqual([
      undefined,
      undefined,
      0,
      0,
    ]);
    expect(book.isCrossed()).toBe(false);
    expect(book.lastSeq).toBe(0);
  });

  test('levels come best first on both sides, whatever order they arrived in', () => {
    const book = new Book();
    book.apply(
      change(
        'snapshot',
        7,
        [
          [98, 3],
          [100, 1],
          [99, 2],
        ],
        [
          [103, 6],
          [101, 4],
          [102, 5],
        ],
      ),
    );
    expect(book.levels('bids')).toEqual([
      [100, 1],
      [99, 2],
      [98, 3],
    ]);
    expect(book.levels('asks', 2)).toEqual([
      [101, 4],
      [102, 5],
    ]);
    expect([book.bestBid(), book.bestBidSize(), book.bestAsk(), book.bestAskSize(), book.lastSeq]).toEqual([
      100, 1, 101, 4, 7,
    ]);
  });

  test('a delta replaces, adds and removes; removing an unknown level changes nothing', () => {
    const book = new Book();
    book.apply(change('snapshot', 1, [[100, 1]], [[101, 1]]));
    book.apply(
      change(
        'delta',
        2,
        [
          [100, 5],
          [99, 2],
          [50, 0],
        ],
        [
          [101, 0],
          [102, 3],
        ],
      ),
    );
    expect(book.levels('bids')).toEqual([
      [100, 5],
      [99, 2],
    ]);
    expect(book.levels('asks')).toEqual([[102, 3]]);
    expect(book.sizeAt('bids', 99 as Ticks)).toBe(2);
    expect(book.sizeAt('asks', 101 as Ticks)).toBe(0);
  });

  test('a snapshot replaces everything', () => {
    const book = new Book();
    book.apply(change('snapshot', 1, [[100, 1]], [[101, 1]]));
    book.apply(change('snapshot', 9, [[10, 1]], []));
    expect(book.levels('bids')).toEqual([[10, 1]]);
    expect(book.count('asks')).toBe(0);
    expect(book.lastSeq).toBe(9);
  });

  test('a bid at or above an ask is crossed', () => {
    const book = new Book();
    book.apply(change('snapshot', 1, [[100, 1]], [[101, 1]]));
    expect(book.isCrossed()).toBe(false);
    book.apply(change('delta', 2, [[101, 1]], []));
    expect(book.isCrossed()).toBe(true);
    book.apply(change('snapshot', 3, [[100, 1]], []));
    expect(book.isCrossed()).toBe(false);
    book.apply(change('snapshot', 4, [], [[101, 1]]));
    expect(book.isCrossed()).toBe(false);
  });

  test('a full side drops its worst level, and does not take one that is worse than all', () => {
    const book = new Book(3);
    book.apply(
      change(
        'snapshot',
        1,
        [
          [97, 1],
          [98, 1],
          [99, 1],
        ],
        [],
      ),
    );
    book.apply(change('delta', 2, [[100, 1]], []));
    book.apply(change('delta', 3, [[90, 1]], []));
    expect(book.levels('bids')).toEqual([
      [100, 1],
      [99, 1],
      [98, 1],
    ]);
  });

  test('copyTop fills the arrays of the caller with the same levels', () => {
    const book = new Book();
    book.apply(
      change(
        'snapshot',
        1,
        [],
        [
          [5, 1],
          [6, 2],
          [7, 3],
        ],
      ),
    );
    const prices = new Float64Array(2);
    const sizes = new Float64Array(8);
    expect(book.copyTop('asks', prices, sizes)).toBe(2);
    expect([...prices, ...sizes.subarray(0, 2)]).toEqual([5, 6, 1, 2]);
  });

  test('prices and sizes keep every bit up to the largest safe integer', () => {
    const book = new Book();
    book.apply(change('snapshot', 1, [[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]], []));
    expect(book.sizeAt('bids', Number.MAX_SAFE_INTEGER as Ticks)).toBe(Number.MAX_SAFE_INTEGER as Lots);
    expect(book.bestBid()).toBe(Number.MAX_SAFE_INTEGER);
  });
});
