import { contractWallet } from '../contract-settle.ts';
import type { StoredFill, StoredOrder } from '../order.ts';
import { fillRow, orderRow } from '../order-rows.ts';
import type { TradingDeps } from '../ports.ts';

/**
 * Tells the member what became of an order and its new fills, and later the wallet they moved: nobody waits for that. Only
 * ever after the commit, which no trouble in telling may make look undone: the truth is in the database, the stream only
 * hurries.
 */
export function announce(deps: TradingDeps, order: StoredOrder, fills: readonly StoredFill[]): void {
  try {
    for (const fill of fills) deps.publish(order.user, { kind: 'fill', fill: fillRow(fill) });
    deps.publish(order.user, { kind: 'order', order: orderRow(order) });
  } catch (error) {
    deps.log.note('a change was not announced', { id: order.id, error: String(error) });
  }
  const { user, platform, base, quote, contract } = order;
  const fees = fills.map((fill) => fill.feeAsset);
  // A contract is no asset: only what it settles in moves.
  if (contract === undefined) deps.balances.tell({ user, platform }, [base, quote, ...fees]);
  else deps.balances.tell({ user, platform }, [quote, ...fees], contractWallet(platform));
}
