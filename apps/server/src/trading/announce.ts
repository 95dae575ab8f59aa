import { formatAmount, platformFacts } from '@crossbook/domain';
import type { StoredFill, StoredOrder } from './order.ts';
import { fillRow, orderRow } from './order-rows.ts';
import type { TradingDeps } from './ports.ts';

/** Tells the member what became of an order, its new fills, and the wallet they moved. Only ever after the commit. */
export async function announce(
  deps: TradingDeps,
  order: StoredOrder,
  fills: readonly StoredFill[],
): Promise<void> {
  for (const fill of fills) deps.publish(order.user, { kind: 'fill', fill: fillRow(fill) });
  deps.publish(order.user, { kind: 'order', order: orderRow(order) });
  const touched = new Set([order.base, order.quote, ...fills.map((fill) => fill.feeAsset)]);
  const balances = await deps.ledger.tradingBalances(order.user, order.platform);
  const rows = balances
    .filter((balance) => touched.has(balance.asset))
    .map((balance) => ({
      asset: balance.asset,
      total: formatAmount(balance.total),
      available: formatAmount(balance.available),
      locked: formatAmount(balance.held),
    }));
  const wallet = platformFacts(order.platform).platformType;
  if (rows.length > 0) deps.publish(order.user, { kind: 'balance', wallet, rows });
}
