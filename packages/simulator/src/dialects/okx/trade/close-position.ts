import { ok, type Result, refused } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import type { NewPerpOrder, PerpPosition, SimMarginMode } from '../../../perp-exchange.ts';
import { openAccountType } from '../account-types.ts';
import type { Desk } from '../desk.ts';
import { type Answer, type Endpoint, rows, type SignedCall, signedEndpoint } from '../endpoint.ts';
import { ERRORS, type OkxError } from '../errors.ts';
import { clOrdIdOf } from '../ids.ts';
import { listedOf } from '../market/instruments.ts';
import { type OrderLabels, readLabels } from '../orders/order-words.ts';
import { perpError } from '../perps/errors.ts';
import { readPositionSide } from '../perps/order-draft.ts';
import { isTraded, marginModeOf, posSideOf } from '../perps/words.ts';
import { given, replyOf } from './orders.ts';

/** Closing a whole position at once. */

interface CloseRequest {
  readonly symbol: string;
  readonly marginMode: SimMarginMode;
  readonly positionSide: NewPerpOrder['positionSide'];
  /** Orders that rest to close it may be cancelled for it. */
  readonly cancels: boolean;
  readonly labels: OrderLabels;
}

function readClose({ desk, reader }: SignedCall, account: AccountNumber): Result<CloseRequest, OkxError> {
  const listed = listedOf(desk, reader);
  const mode = reader.requiredChoice('mgnMode', ['cross', 'isolated']);
  reader.text('ccy');
  const cancels = reader.choice('autoCxl', ['true', 'false']) === 'true';
  const labels = readLabels(reader, desk);
  if (listed === undefined || !isTraded(listed)) return refused(reader.refusal ?? ERRORS.accountMode);
  const positionSide = readPositionSide(reader, desk, { account, listed });
  if (reader.refusal !== undefined) return refused(reader.refusal);
  return ok({ symbol: listed.instId, marginMode: marginModeOf(mode), positionSide, cancels, labels });
}

/** Orders that rest to close a position. */
function closersOf(desk: Desk, { account, symbol, side, marginMode, quantity }: PerpPosition) {
  const closing = quantity > 0 ? 'SELL' : 'BUY';
  return desk.venue.perps
    .openPerpOrders(account, symbol)
    .filter((order) => order.side === closing && order.positionSide === side)
    .filter((order) => order.marginMode === marginMode && (order.reduceOnly || side !== 'BOTH'));
}

async function close(
  desk: Desk,
  account: AccountNumber,
  { symbol, marginMode, positionSide, cancels, labels }: CloseRequest,
): Promise<Result<true, OkxError>> {
  const { perps } = desk.venue;
  const position = perps
    .positions(account, symbol)
    .find((held) => held.marginMode === marginMode && held.side === positionSide);
  if (position === undefined) return refused(ERRORS.noPosition);
  const closers = closersOf(desk, position);
  if (closers.length > 0 && !cancels) return refused(ERRORS.closersPending);
  for (const { orderId } of closers) await perps.cancelPerp(account, symbol, { orderId });
  const { tag, ...names } = labels;
  const order: NewPerpOrder = {
    ...{ account, symbol, positionSide, marginMode, ...names },
    ...{ kind: 'MARKET', timeInForce: 'IOC', quantity: 'WHOLE', reduceOnly: positionSide === 'BOTH' },
    side: position.quantity > 0 ? 'SELL' : 'BUY',
  };
  desk.orderNotes.noteTag(order, tag);
  const placed = await perps.placePerp(order);
  if (placed.ok) return ok(true);
  return refused(placed.code === 'REDUCE_ONLY_NOTHING' ? ERRORS.noPosition : perpError(placed.code));
}

/** Refusals come as those of orders do: code 1, and the reason in the row (recorded 2023-12). */
async function closePosition(call: SignedCall): Promise<Answer> {
  const { desk, bags } = call;
  const receivedAt = desk.now();
  const account = await openAccountType(desk, call.account, '18');
  const asked = readClose(call, account);
  const done = asked.ok ? await close(desk, account, asked.value) : asked;
  if (done.ok && asked.ok) {
    const { symbol, positionSide, labels } = asked.value;
    return rows([
      { clOrdId: clOrdIdOf(labels), instId: symbol, posSide: posSideOf(positionSide), tag: labels.tag },
    ]);
  }
  const { code, msg } = done.ok ? ERRORS.noPosition : done.code;
  const [bag = new Map()] = bags;
  const names = { clOrdId: given(bag, 'clOrdId'), ordId: '', tag: given(bag, 'tag') };
  return ok(replyOf(desk, [{ ...names, ts: String(desk.now()), sCode: code, sMsg: msg }], receivedAt));
}

/** Closing at once. */
export const CLOSE_ENDPOINTS: readonly Endpoint[] = [
  signedEndpoint('order.close POST /api/v5/trade/close-position', 20, closePosition),
];
