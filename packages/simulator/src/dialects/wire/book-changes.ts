import type { Lots, Ticks } from '@crossbook/domain';

/** One side of a book, best first. */
export type BookSide = readonly (readonly [Ticks, Lots])[];

/**
 * What leads from one picture of a side to another, best first: new sizes, and 0 for what is no longer among the
 * levels, whether it is gone or was pushed out.
 */
export function changedLevels(before: BookSide, after: BookSide, side: 'bids' | 'asks'): BookSide {
  const better = (one: Ticks, other: Ticks) => (side === 'bids' ? one > other : one < other);
  const changed: (readonly [Ticks, Lots])[] = [];
  let old = 0;
  let fresh = 0;
  while (old < before.length || fresh < after.length) {
    const was = before[old];
    const is = after[fresh];
    if (is !== undefined && (was === undefined || better(is[0], was[0]))) {
      changed.push(is);
      fresh += 1;
    } else if (was !== undefined && (is === undefined || better(was[0], is[0]))) {
      changed.push([was[0], 0 as Lots]);
      old += 1;
    } else {
      if (was !== undefined && is !== undefined && is[1] !== was[1]) changed.push(is);
      old += 1;
      fresh += 1;
    }
  }
  return changed;
}
