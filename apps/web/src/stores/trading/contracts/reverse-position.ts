import type { PositionRow } from '@crossbook/contract';
import { formatAmount, platformFacts, SIDE } from '@crossbook/domain';
import { positionQuantity, positionSide } from '../../../calculators/contracts/position-stats.ts';
import { notify } from '../../app/notices.ts';
import { placeOrder } from '../orders.ts';
import { closePosition } from './contract-calls.ts';

/** What became of turning a position around. */
export type ReverseOutcome =
  | { readonly done: true }
  /** Nothing was sent, or it was refused. */
  | { readonly done: false; readonly message: string }
  /** Closed, but the other side was not opened; nothing is tried again by itself. */
  | { readonly done: false; readonly closed: true; readonly message: string };

function openingOrder(row: PositionRow, quantity: string, effect: 0 | 1 | 2) {
  const side = positionSide(row) === SIDE.BUY ? SIDE.SELL : SIDE.BUY;
  return {
    ...{ platformType: platformFacts(row.exchange).platformType, tinstType: 2, symbol: row.symbol },
    ...{ side, orderType: 2, timeInForce: 1, quantity, effect, reduceOnly: false },
    ...{ marginMode: row.marginMode, leverage: row.leverage },
  } as const;
}

/**
 * Turns a position around at market. One-way: one order of twice its size. Hedge: the leg is closed, and then as much of
 * the other one is opened.
 */
export async function reversePosition(row: PositionRow, noAnswer: string): Promise<ReverseOutcome> {
  const quantity = positionQuantity(row);
  if (row.effect === 0) {
    const twice = formatAmount((quantity * 2n) as typeof quantity);
    const answer = await placeOrder(openingOrder(row, twice, 0));
    if (answer.ok) return { done: true };
    return { done: false, message: answer.kind === 'refused' ? answer.message : noAnswer };
  }
  const closed = await closePosition(row, {});
  if (!closed.ok) return { done: false, message: closed.kind === 'refused' ? closed.message : noAnswer };
  if (closed.data.outcome !== 'sent') return { done: false, message: closed.data.reason ?? noAnswer };
  const opened = await placeOrder(openingOrder(row, formatAmount(quantity), row.effect === 1 ? 2 : 1));
  if (opened.ok) return { done: true };
  const message = opened.kind === 'refused' ? opened.message : noAnswer;
  notify('error', { id: 'contract.reverseHalf', values: { symbol: row.symbol, reason: message } });
  return { done: false, closed: true, message };
}
