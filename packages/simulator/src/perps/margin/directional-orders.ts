import { type Amount, plus, ZERO } from '@crossbook/domain';
import { opensLeg } from './exposure.ts';
import { greater } from './rounding.ts';
import type { OrderView, PositionView } from './rules.ts';

/** Order margin where every opening order costs its own and orders that close are free (OKX, Bybit). */

/**
 * One-way: the dearer of the two directions. Hedge: all openings.
 * @param orders of one symbol and margin mode, each with its price. @param marginOf of some lots of an order.
 */
export function directionalInitial(
  orders: readonly OrderView[],
  positions: readonly PositionView[],
  marginOf: (order: OrderView, lots: number) => Amount,
): Amount {
  const opening = orders.filter(({ reduceOnly }) => !reduceOnly);
  const net = opening.filter(({ positionSide }) => positionSide === 'BOTH');
  const legs = opening.filter((order) => order.positionSide !== 'BOTH' && opensLeg(order));
  const held = positions.find(({ side }) => side === 'BOTH')?.lots ?? 0;
  const buys = net.filter(({ side }) => side === 'BUY');
  const sells = net.filter(({ side }) => side === 'SELL');
  return legs.reduce(
    (sum, order) => plus(sum, marginOf(order, order.lots)),
    greater(
      beyond(buys.toSorted(higherFirst), Math.max(0, -held), marginOf),
      beyond(sells.toSorted(higherFirst).reverse(), Math.max(0, held), marginOf),
    ),
  );
}

/** Margin of what a direction's orders open after they closed some lots: the ones nearest to the market close. */
function beyond(
  nearestFirst: readonly OrderView[],
  closable: number,
  marginOf: (order: OrderView, lots: number) => Amount,
): Amount {
  let free = closable;
  let sum = ZERO;
  for (const order of nearestFirst) {
    const closing = Math.min(free, order.lots);
    free -= closing;
    if (order.lots > closing) sum = plus(sum, marginOf(order, order.lots - closing));
  }
  return sum;
}

function higherFirst({ price: left = ZERO }: OrderView, { price: right = ZERO }: OrderView): number {
  return left === right ? 0 : left > right ? -1 : 1;
}
