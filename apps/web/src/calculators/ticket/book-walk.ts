import {
  AMOUNT_ONE,
  type Amount,
  divDown,
  lesser,
  SIDE,
  type Side,
  toNumberForDisplay,
  ZERO,
} from '@crossbook/domain';

/** A level of the book: price, and coins that wait there. */
export interface WalkLevel {
  readonly price: Amount;
  readonly size: Amount;
}

/** What a market order of a size would get from the book on screen. */
export interface BookWalk {
  /** Average price of what the book covers. */
  readonly average: Amount;
  /** How much worse than the best price, in basis points, at least 0. */
  readonly slippageBp: number;
  /** What the book covers of the size: less than it where the book ends. */
  readonly covered: Amount;
}

/** Takes levels, best first, until the size is filled; `undefined` of an empty book or nothing. */
export function walkBook(side: Side, size: Amount, levels: Iterable<WalkLevel>): BookWalk | undefined {
  let left = size;
  let paid = 0n;
  let best: Amount | undefined;
  for (const level of levels) {
    if (left === ZERO) break;
    best ??= level.price;
    const taken = lesser(left, level.size);
    paid += taken * level.price;
    left = (left - taken) as Amount;
  }
  const covered = (size - left) as Amount;
  if (best === undefined || covered === ZERO) return undefined;
  const average = divDown((paid / AMOUNT_ONE) as Amount, covered);
  const gap = side === SIDE.BUY ? average - best : best - average;
  const bp = (toNumberForDisplay((gap < 0n ? ZERO : gap) as Amount) / toNumberForDisplay(best)) * 10_000;
  return { average, slippageBp: bp, covered };
}
