import type { FillRow, OrderRow } from '@crossbook/contract';
import {
  type Amount,
  type CandleInterval,
  candleOpen,
  type Millis,
  mulDown,
  parseAmount,
  ZERO,
} from '@crossbook/domain';

/** Fills of one bar and side, as one arrow. */
export interface FillMark {
  readonly id: string;
  /** Open time of the bar, ms. */
  readonly time: Millis;
  readonly side: 1 | 2;
  /** Average price. */
  readonly price: number;
  /** Base coins in all. */
  readonly size: Amount;
}

/** Fills drawn at most; older ones are in the table. */
export const FILL_MARKS_MAX = 200;

/** Fills merged per bar and side, the newest of them. */
export function fillMarks(
  fills: readonly FillRow[],
  interval: CandleInterval,
  contractValue: Amount,
): readonly FillMark[] {
  const marks = new Map<string, { time: Millis; side: 1 | 2; size: bigint; paid: number; coins: number }>();
  for (const { time, side, quantity, price } of fills) {
    const open = candleOpen(time as Millis, interval);
    const id = `${open}:${side}`;
    const coins = mulDown(parseAmount(quantity) ?? ZERO, contractValue);
    const weight = Number(quantity);
    const known = marks.get(id) ?? { time: open, side, size: 0n, paid: 0, coins: 0 };
    known.size += coins;
    known.paid += Number(price) * weight;
    known.coins += weight;
    marks.set(id, known);
  }
  return [...marks]
    .map(([id, { time, side, size, paid, coins }]) => ({
      ...{ id, time, side, size: size as Amount },
      price: coins === 0 ? 0 : paid / coins,
    }))
    .slice(0, FILL_MARKS_MAX);
}

/** Orders that wait at a price: what a chart can draw. */
export function restingOrders(
  orders: Iterable<OrderRow>,
): readonly (OrderRow & { readonly price: string })[] {
  return [...orders].filter((row): row is OrderRow & { readonly price: string } => row.price !== null);
}
