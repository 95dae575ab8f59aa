import type { OrderRow, PositionRow } from '@crossbook/contract';
import { type Amount, type Instrument, ORDER_TYPE, SIDE } from '@crossbook/domain';
import { coinsLeft } from './contract-summary.ts';
import { positionSide } from './position-stats.ts';

/** Orders that rest on the closing side of a position: what they close cannot be closed twice. */
export function closingOrdersOf(row: PositionRow, open: Iterable<OrderRow>): readonly OrderRow[] {
  const side = positionSide(row) === SIDE.BUY ? SIDE.SELL : SIDE.BUY;
  return [...open].filter(
    (order) =>
      order.exchange === row.exchange &&
      order.symbolType === 'SWAP' &&
      order.symbol === row.symbol &&
      order.side === side &&
      order.effect === row.effect &&
      order.marginMode === row.marginMode &&
      order.reduceOnly,
  );
}

/** How a resting order that closes is named: what is left of it in base coins, and at which price. */
export interface NamedOrder {
  readonly row: OrderRow;
  readonly coins: Amount;
  /** `undefined` of one at market. */
  readonly price: string | undefined;
}

/** The orders as they are named. */
export function namedOrders(
  orders: readonly OrderRow[],
  instrument: Pick<Instrument, 'contractValue'>,
): readonly NamedOrder[] {
  return orders.map((row) => ({
    row,
    coins: coinsLeft([row], instrument),
    price: row.orderType === ORDER_TYPE.MARKET || row.price === null ? undefined : row.price,
  }));
}
