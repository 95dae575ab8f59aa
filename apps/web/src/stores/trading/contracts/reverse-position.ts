import type { PositionRow } from '@crossbook/contract';
import { positionSide } from '../../../calculators/contracts/position-stats.ts';
import { newClientId } from '../../app/clock.ts';
import { notify } from '../../app/notices.ts';
import { call } from '../../member/own-service.ts';
import { sayIfUnknown } from '../../member/unknown-answer.ts';
import { applyOrder } from '../orders.ts';
import { nameOf } from './contract-calls.ts';
import { loadPositions } from './positions.ts';

/** What became of turning a position around. */
export type ReverseOutcome =
  | { readonly done: true }
  /** Nothing was sent, or it was refused. */
  | { readonly done: false; readonly message: string; readonly venueCode?: string | null | undefined }
  /** Closed, but the other side was not opened; nothing is tried again by itself. */
  | {
      readonly done: false;
      readonly closed: true;
      readonly message: string;
      readonly venueCode?: string | null | undefined;
    };

/**
 * Turns a position around at market: how much that is, the hub asks the exchange when it sends. What is held on the other
 * side by then is refused.
 */
export async function reversePosition(row: PositionRow, noAnswer: string): Promise<ReverseOutcome> {
  const seen = { side: positionSide(row), leverage: row.leverage, clientId: newClientId() };
  const asked = call('x/trade/ReversePosition', { ...nameOf(row), ...seen });
  const answer = await sayIfUnknown(asked, { key: seen.clientId, id: 'order.unknown' });
  if (!answer.ok) {
    void loadPositions(row.exchange);
    if (answer.kind === 'silent') return { done: false, message: noAnswer };
    return { done: false, message: answer.message, venueCode: answer.venue?.venueCode };
  }
  const { outcome, order, reason, venueCode, half } = answer.data;
  if (order !== null) applyOrder(order);
  if (outcome === 'sent') return { done: true };
  void loadPositions(row.exchange);
  const message = reason ?? noAnswer;
  if (!half) return { done: false, message, venueCode };
  notify('error', { id: 'contract.reverseHalf', values: { symbol: row.symbol, reason: message } });
  return { done: false, closed: true, message, venueCode };
}
