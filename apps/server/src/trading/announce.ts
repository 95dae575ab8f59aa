import { formatAmount, platformFacts, ZERO } from '@crossbook/domain';
import type { StoredFill, StoredOrder } from './order.ts';
import { fillRow, orderRow } from './order-rows.ts';
import type { TradingDeps } from './ports.ts';

/**
 * Tells the member what became of an order, its new fills, and the wallet they moved. Only ever after the commit, which no
 * trouble in telling may make look undone: the truth is in the database, the stream only hurries.
 */
export async function announce(
  deps: TradingDeps,
  order: StoredOrder,
  fills: readonly StoredFill[],
): Promise<void> {
  try {
    await tell(deps, order, fills);
  } catch (error) {
    deps.log.note('a change was not announced', { id: order.id, error: String(error) });
  }
}

async function tell(deps: TradingDeps, order: StoredOrder, fills: readonly StoredFill[]): Promise<void> {
  for (const fill of fills) deps.publish(order.user, { kind: 'fill', fill: fillRow(fill) });
  deps.publish(order.user, { kind: 'order', order: orderRow(order) });
  const touched = new Set([order.base, order.quote, ...fills.map((fill) => fill.feeAsset)]);
  const balances = await deps.ledger.tradingBalances(order.user, order.platform);
  const rows = [...touched].map((asset) => {
    // An asset that was spent to the last unit is no longer listed: its row is zero.
    const balance = balances.find((row) => row.asset === asset);
    return {
      asset,
      total: formatAmount(balance?.total ?? ZERO),
      available: formatAmount(balance?.available ?? ZERO),
      locked: formatAmount(balance?.held ?? ZERO),
    };
  });
  const wallet = platformFacts(order.platform).platformType;
  deps.publish(order.user, { kind: 'balance', wallet, rows });
}
