import type { Lots, Ticks } from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BookSide, changedLevels } from './book-changes.ts';

/** One side, best first, of prices that often meet those of another. */
function sideOf(side: 'bids' | 'asks'): fc.Arbitrary<BookSide> {
  const level = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 3 }));
  return fc
    .uniqueArray(level, { selector: ([price]) => price, maxLength: 20 })
    .map((levels) => levels.toSorted(([one], [other]) => (side === 'bids' ? other - one : one - other)))
    .map((levels) => levels as unknown as BookSide);
}

test.each(['bids', 'asks'] as const)(
  'changes of %s lead from one picture to the other, and name no more',
  (side) => {
    fc.assert(
      fc.property(sideOf(side), sideOf(side), (before, after) => {
        const changes = changedLevels(before, after, side);
        const book = new Map<Ticks, Lots>(before);
        for (const [price, size] of changes) {
          expect(book.get(price) ?? 0).not.toBe(size);
          if (size === 0) book.delete(price);
          else book.set(price, size);
        }
        expect(book).toEqual(new Map(after));
        const prices = changes.map(([price]) => price as number);
        const best = prices.toSorted((one, other) => (side === 'bids' ? other - one : one - other));
        expect(prices).toEqual(best);
      }),
    );
  },
);
