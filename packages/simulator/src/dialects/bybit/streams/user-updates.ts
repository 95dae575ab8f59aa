import type { ExchangeListener } from '../../../exchange.ts';
import { walletRow } from '../account/account.ts';
import type { Desk } from '../endpoint.ts';
import { executionRow, streamedOrderRow } from '../spot/order-shapes.ts';

/**
 * Puts the core's updates into Bybit's rows. Orders that never rest have no `New`: their first row tells what they met.
 * Executions are told before the order's own row of the same moment.
 */
export function userUpdates(desk: Desk): ExchangeListener {
  return {
    onOrder: ({ cause, order, fill }) => {
      const rests = order.kind === 'LIMIT_MAKER' || (order.kind === 'LIMIT' && order.timeInForce === 'GTC');
      if (cause === 'NEW' && !rests) return;
      const { account } = order;
      if (fill !== undefined) {
        desk.userStreams.tell(account, 'execution', () => [
          { category: 'spot', ...executionRow(desk, fill, order) },
        ]);
      }
      desk.userStreams.tell(account, 'order', () => [streamedOrderRow(desk, order)]);
    },
    onBalances: (account, balances) => {
      if (balances.length === 0) return;
      desk.userStreams.tell(account, 'wallet', () => [walletRow(desk, balances)]);
    },
  };
}
