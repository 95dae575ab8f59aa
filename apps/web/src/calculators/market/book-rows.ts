/**
 * Rows of an order book as they are painted. Pure; works on arrays the caller keeps, so that a busy book makes no garbage.
 * Prices are whole ticks and sizes whole lots of one instrument.
 */

/** One side as rows, best first. Only the first `count` entries mean something. */
export interface SideRows {
  count: number;
  /** Price of the row, in ticks: a multiple of the group. Bids are grouped down, asks up, so a row never flatters. */
  readonly price: Float64Array;
  /** Sum of the sizes inside the row, in lots. */
  readonly size: Float64Array;
  /** Sum of the sizes of this row and all better ones, in lots. */
  readonly total: Float64Array;
}

/** Empty rows with room for `rowsMax`. */
export function emptySideRows(rowsMax: number): SideRows {
  return {
    count: 0,
    price: new Float64Array(rowsMax),
    size: new Float64Array(rowsMax),
    total: new Float64Array(rowsMax),
  };
}

/** Levels of one side, best first, as `Book.copyTop` fills them. */
export interface SideLevels {
  readonly prices: Float64Array;
  readonly sizes: Float64Array;
  readonly count: number;
}

/** The row a level belongs to: bids round down, asks up, to a whole number of groups. */
export function groupPrice(side: 'bids' | 'asks', price: number, groupTicks: number): number {
  const groups = price / groupTicks;
  return (side === 'bids' ? Math.floor(groups) : Math.ceil(groups)) * groupTicks;
}

/**
 * Groups one side into rows. Stops when `into` is full: a row is only counted when it is complete or the levels end.
 * @param groupTicks width of a row in ticks, at least 1.
 */
export function groupSide(
  side: 'bids' | 'asks',
  levels: SideLevels,
  groupTicks: number,
  into: SideRows,
): SideRows {
  const rowsMax = into.price.length;
  let row = -1;
  let total = 0;
  for (let at = 0; at < levels.count; at += 1) {
    const price = groupPrice(side, levels.prices[at] as number, groupTicks);
    const size = levels.sizes[at] as number;
    if (row < 0 || into.price[row] !== price) {
      if (row + 1 === rowsMax) break;
      row += 1;
      into.price[row] = price;
      into.size[row] = 0;
    }
    total += size;
    into.size[row] = (into.size[row] as number) + size;
    into.total[row] = total;
  }
  into.count = row + 1;
  return into;
}

/** The largest cumulative total among the first `rows` rows of both sides: the length of a full depth bar. */
export function depthScale(bids: SideRows, asks: SideRows, rows: number): number {
  const last = (side: SideRows): number => {
    const shown = Math.min(side.count, rows);
    return shown === 0 ? 0 : (side.total[shown - 1] as number);
  };
  return Math.max(last(bids), last(asks));
}

/**
 * Buyers' share of all size in the first `rows` rows, 0 to 1.
 * @returns `undefined` while there is nothing on either side.
 */
export function bidShare(bids: SideRows, asks: SideRows, rows: number): number | undefined {
  const total = (side: SideRows): number => {
    const shown = Math.min(side.count, rows);
    return shown === 0 ? 0 : (side.total[shown - 1] as number);
  };
  const bid = total(bids);
  const all = bid + total(asks);
  return all === 0 ? undefined : bid / all;
}

/** Widths of a row that are offered, in ticks. */
export const GROUP_STEPS: readonly number[] = [1, 10, 50, 100, 500, 1_000, 10_000];

/**
 * The offered groupings for a price: at most a fiftieth of it, so that a ladder still says something.
 * @param price in ticks; an unknown price offers the first three.
 */
export function groupChoices(price: number | undefined): readonly number[] {
  if (price === undefined) return GROUP_STEPS.slice(0, 3);
  return GROUP_STEPS.filter((ticks) => ticks === 1 || ticks * 50 <= price);
}
