import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptySideRows, groupPrice, groupSide, type SideLevels } from './book-rows.ts';

const anyLevels = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 1_000_000 })), {
    maxLength: 200,
  })
  .map((pairs) => [...new Map(pairs)]);

function sideLevels(side: 'bids' | 'asks', pairs: readonly (readonly [number, number])[]): SideLevels {
  const sorted = [...pairs].sort((left, right) =>
    side === 'bids' ? right[0] - left[0] : left[0] - right[0],
  );
  return {
    prices: Float64Array.from(sorted, ([price]) => price),
    sizes: Float64Array.from(sorted, ([, size]) => size),
    count: sorted.length,
  };
}

const side = fc.constantFrom('bids' as const, 'asks' as const);
const group = fc.integer({ min: 1, max: 5_000 });

test('rows add up to the levels, stand at multiples of the group in order, and totals only grow', () => {
  fc.assert(
    fc.property(anyLevels, side, group, (pairs, which, groupTicks) => {
      const rows = groupSide(which, sideLevels(which, pairs), groupTicks, emptySideRows(256));
      const expected = new Map<number, number>();
      for (const [price, size] of pairs) {
        const row = groupPrice(which, price, groupTicks);
        expected.set(row, (expected.get(row) ?? 0) + size);
      }
      expect(rows.count).toBe(expected.size);
      let total = 0;
      for (let row = 0; row < rows.count; row += 1) {
        const price = rows.price[row] as number;
        expect(price % groupTicks).toBe(0);
        expect(rows.size[row]).toBe(expected.get(price));
        total += rows.size[row] as number;
        expect(rows.total[row]).toBe(total);
        if (row > 0)
          expect(Math.sign(price - (rows.price[row - 1] as number))).toBe(which === 'bids' ? -1 : 1);
      }
      expect(total).toBe(pairs.reduce((sum, [, size]) => sum + size, 0));
    }),
  );
});

test('with less room the first rows are the same', () => {
  fc.assert(
    fc.property(
      anyLevels,
      side,
      group,
      fc.integer({ min: 1, max: 20 }),
      (pairs, which, groupTicks, rowsMax) => {
        const levels = sideLevels(which, pairs);
        const all = groupSide(which, levels, groupTicks, emptySideRows(256));
        const few = groupSide(which, levels, groupTicks, emptySideRows(rowsMax));
        expect(few.count).toBe(Math.min(rowsMax, all.count));
        expect([...few.size.subarray(0, few.count)]).toEqual([...all.size.subarray(0, few.count)]);
        expect([...few.total.subarray(0, few.count)]).toEqual([...all.total.subarray(0, few.count)]);
      },
    ),
  );
});
