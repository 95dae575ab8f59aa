import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../tests/property-runs.ts';
import { Book } from './book.ts';
import type { Millis } from './ids.ts';
import type { BookChange, BookLevel, Seq } from './market.ts';

/** The second witness: slow, a Map per side that is sorted when read. Shares no line with `Book`. */
class NaiveBook {
  readonly #sides = { bids: new Map<number, number>(), asks: new Map<number, number>() };
  readonly #levelsMax: number;

  constructor(levelsMax: number) {
    this.#levelsMax = levelsMax;
  }

  apply(change: BookChange): void {
    if (change.kind === 'snapshot') {
      this.#sides.bids.clear();
      this.#sides.asks.clear();
    }
    for (const side of ['bids', 'asks'] as const) {
      for (const [price, size] of change[side]) {
        this.#sides[side].delete(price);
        if (size > 0) this.#sides[side].set(price, size);
        const worst = this.levels(side).at(this.#levelsMax);
        if (worst !== undefined) this.#sides[side].delete(worst[0]);
      }
    }
  }

  levels(side: 'bids' | 'asks'): [number, number][] {
    const better = side === 'bids' ? -1 : 1;
    return [...this.#sides[side]].sort((left, right) => better * (left[0] - right[0]));
  }
}

// Few distinct prices make collisions and removals of known levels common; some are far away or huge.
const price = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 120 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 ** 40 }) },
);
const size = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000_000 }));
const levels = fc.array(fc.tuple(price, size), { maxLength: 60 });
const stream = fc.array(
  fc.record({
    kind: fc.constantFrom('delta', 'delta', 'delta', 'delta', 'snapshot'),
    bids: levels,
    asks: levels,
  }),
  { maxLength: 30 },
);

test('a book agrees with the naive book after every message of any stream, at any bound', () => {
  fc.assert(
    fc.property(stream, fc.constantFrom(1, 5, 40, 20_000), (messages, levelsMax) => {
      const book = new Book(levelsMax);
      const naive = new NaiveBook(levelsMax);
      messages.forEach((message, index) => {
        const change: BookChange = {
          kind: message.kind as 'snapshot' | 'delta',
          symbol: 'BTCUSDT',
          bids: message.bids as unknown as readonly BookLevel[],
          asks: message.asks as unknown as readonly BookLevel[],
          firstSeq: index as Seq,
          lastSeq: index as Seq,
          time: 0 as Millis,
          receivedAt: 0 as Millis,
        };
        book.apply(change);
        naive.apply(change);
        for (const side of ['bids', 'asks'] as const) {
          expect(book.levels(side)).toEqual(naive.levels(side));
          expect(book.count(side)).toBe(naive.levels(side).length);
        }
        const bid = naive.levels('bids')[0]?.[0];
        const ask = naive.levels('asks')[0]?.[0];
        expect([book.bestBid(), book.bestAsk()]).toEqual([bid, ask]);
        expect(book.isCrossed()).toBe(bid !== undefined && ask !== undefined && bid >= ask);
      });
    }),
    { numRuns: runs(300) },
  );
});

test('a deep book (past the loop and gallop thresholds) agrees with the naive book', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 3_000 }), size), { minLength: 500, maxLength: 2_000 }),
      (updates) => {
        const book = new Book();
        const oracle = new Map<number, number>();
        updates.forEach(([at, lots], index) => {
          book.apply({
            kind: 'delta',
            symbol: 'BTCUSDT',
            bids: [],
            asks: [[at, lots]] as unknown as readonly BookLevel[],
            firstSeq: index as Seq,
            lastSeq: index as Seq,
            time: 0 as Millis,
            receivedAt: 0 as Millis,
          });
          if (lots > 0) oracle.set(at, lots);
          else oracle.delete(at);
        });
        expect(book.levels('asks')).toEqual([...oracle].sort((left, right) => left[0] - right[0]));
      },
    ),
    { numRuns: runs(30) },
  );
});
