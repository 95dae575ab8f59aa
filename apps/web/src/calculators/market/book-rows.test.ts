import { describe, expect, test } from 'vitest';
import {
  bidShare,
  depthScale,
  emptySideRows,
  groupChoices,
  groupPrice,
  groupSide,
  type SideLevels,
} from './book-rows.ts';

function levels(...pairs: readonly (readonly [number, number])[]): SideLevels {
  return {
    prices: Float64Array.from(pairs, ([price]) => price),
    sizes: Float64Array.from(pairs, ([, size]) => size),
    count: pairs.length,
  };
}

describe('groupPrice', () => {
  test.each([
    ['bids', 1099, 10, 1090],
    ['bids', 1090, 10, 1090],
    ['asks', 1091, 10, 1100],
    ['asks', 1100, 10, 1100],
    ['asks', 7, 1, 7],
  ] as const)('%s at %i in groups of %i stand in the row %i', (side, price, group, row) => {
    expect(groupPrice(side, price, group)).toBe(row);
  });
});

describe('groupSide', () => {
  test('levels of one group become one row and totals run from the best', () => {
    const rows = groupSide('asks', levels([101, 5], [109, 1], [110, 2], [111, 4]), 10, emptySideRows(5));
    expect(rows.count).toBe(2);
    expect([...rows.price.subarray(0, 2)]).toEqual([110, 120]);
    expect([...rows.size.subarray(0, 2)]).toEqual([8, 4]);
    expect([...rows.total.subarray(0, 2)]).toEqual([8, 12]);
  });

  test('full rows are complete: the level that would start one row too many ends the grouping', () => {
    const rows = groupSide('bids', levels([30, 1], [20, 1], [19, 1], [10, 9]), 10, emptySideRows(2));
    expect([...rows.price]).toEqual([30, 20]);
    expect([...rows.size]).toEqual([1, 1]);
    const more = groupSide('bids', levels([30, 1], [20, 1], [19, 1], [10, 9]), 10, emptySideRows(4));
    expect([...more.price.subarray(0, 3)]).toEqual([30, 20, 10]);
    expect([...more.size.subarray(0, 3)]).toEqual([1, 1, 10]);
  });

  test('a reused target forgets what it held', () => {
    const into = emptySideRows(3);
    groupSide('bids', levels([30, 7], [20, 7]), 1, into);
    expect(groupSide('bids', levels(), 1, into).count).toBe(0);
    groupSide('bids', levels([9, 2]), 1, into);
    expect([into.count, into.price[0], into.size[0], into.total[0]]).toEqual([1, 9, 2, 2]);
  });
});

describe('measures of both sides', () => {
  const bids = groupSide('bids', levels([10, 3], [9, 3]), 1, emptySideRows(4));
  const asks = groupSide('asks', levels([11, 1], [12, 1]), 1, emptySideRows(4));
  test('the depth scale is the larger total of the rows that are shown', () => {
    expect(depthScale(bids, asks, 4)).toBe(6);
    expect(depthScale(bids, asks, 1)).toBe(3);
  });
  test('the bid share is of the rows that are shown, and unknown for an empty book', () => {
    expect(bidShare(bids, asks, 4)).toBe(0.75);
    expect(bidShare(emptySideRows(1), emptySideRows(1), 4)).toBeUndefined();
    expect(bidShare(bids, emptySideRows(1), 4)).toBe(1);
  });
  test('groupings wider than a fiftieth of the price are not offered', () => {
    expect(groupChoices(6_500_000)).toEqual([1, 10, 50, 100, 500, 1_000, 10_000]);
    expect(groupChoices(600)).toEqual([1, 10]);
    expect(groupChoices(3)).toEqual([1]);
    expect(groupChoices(undefined)).toEqual([1, 10, 50]);
  });
});
