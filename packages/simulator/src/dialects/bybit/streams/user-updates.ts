import type { ExchangeListener } from '../../../exchange.ts';
import type { Desk } from '../endpoint.ts';
import { isDormant } from '../spot/attached.ts';
import { executionRow, fastExecution, streamedOrderRow } from '../spot/order-shapes.ts';
import type { WalletUpdates } from './wallet-updates.ts';

const CATEGORY = { category: 'spot' } as const;

/**
 * Puts the core's updates into Bybit's rows. Orders that never rest have no `New`: their first row tells what they met.
 * Executions are told before the order's own row of the same moment.
 */
export function userUpdates(desk: Desk, wallets: WalletUpdates): ExchangeListener {
  const { userStreams } = desk;
  return {
    onOrder: ({ cause, order, fill }) => {
      if (isDormant(desk, order)) return;
      const rests = order.kind === 'LIMIT_MAKER' || (order.kind === 'LIMIT' && order.timeInForce === 'GTC');
      if (cause === 'NEW' && !rests && order.trigger === undefined) return;
      const { account } = order;
      if (cause === 'TRIGGERED') {
        userStreams.tell(account, { kind: 'order', ...CATEGORY }, () => [
          { ...streamedOrderRow(desk, order), orderStatus: 'Triggered' },
        ]);
        if (!rests) return;
      }
      if (fill !== undefined) {
        userStreams.tell(account, { kind: 'execution', ...CATEGORY }, () => [
          { ...CATEGORY, ...executionRow(desk, fill, order) },
        ]);
        userStreams.tell(account, { kind: 'execution.fast', ...CATEGORY }, () => [
          fastExecution(desk, fill, order),
        ]);
      }
      userStreams.tell(account, { kind: 'order', ...CATEGORY }, () => [streamedOrderRow(desk, order)]);
    },
    onBalances: (account, balances) => {
      if (balances.length > 0) wallets.note(account, balances);
    },
  };
}
