import type { AccountNumber } from '../../../exchange.ts';
import type { DcpProduct } from '../disconnects.ts';
import type { Desk } from '../endpoint.ts';
import { coreIdOf, unfiredOf } from '../perps/contract-order.ts';
import { LINEAR_ORDERS } from '../perps/order-queries.ts';
import { waits } from '../spot/order-shapes.ts';

/** Cancels what an account has in the market; what waits for a price stays. */
export async function cancelDisconnected(
  desk: Desk,
  account: AccountNumber,
  product: DcpProduct,
): Promise<void> {
  const { spot, perps } = desk.venue;
  if (product === 'SPOT')
    for (const order of spot.openOrders(account)) {
      if (waits(order)) continue;
      const { symbol, orderId } = order;
      desk.guards.note(desk.numbers.spot.orderId(symbol, orderId));
      await spot.cancel(account, symbol, { orderId });
    }
  if (product === 'DERIVATIVES')
    for (const order of LINEAR_ORDERS.open(desk, account)) {
      if (unfiredOf(order) !== undefined) continue;
      desk.guards.note(desk.numbers.linear.orderId(order.symbol, order.orderId));
      await perps.cancelPerp(account, order.symbol, { orderId: coreIdOf(order) });
    }
}
