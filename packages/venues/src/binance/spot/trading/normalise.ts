import {
  type Instrument,
  mulDown,
  type OrderEvent,
  plus,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
  ZERO,
} from '@crossbook/domain';
import { asCounter, asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { asAmount, rowsOf } from '../../../wire/numbers.ts';
import { fillOf, stateOf } from '../../account/order-stats.ts';

/**
 * Binance spot's private payloads to domain values. Pure; `undefined` for anything that is not the documented shape.
 * Source: rest-api.md, web-socket-api.md, user-data-stream.md (2026-07-21).
 */

/** An order as queries, lists and placements give it: `clientOrderId` is the order's own. */
export function normaliseOrder(answer: unknown): VenueOrderState | undefined {
  const order = asObject(answer);
  if (order === undefined) return undefined;
  return stateOf({
    clientId: order.clientOrderId,
    orderId: order.orderId,
    symbol: order.symbol,
    status: order.status,
    executed: asAmount(order.executedQty),
    executedQuote: asAmount(order.cummulativeQuoteQty),
    time: order.updateTime ?? order.transactTime,
  });
}

/** The answer of a cancel: there `clientOrderId` is the cancel's id and `origClientOrderId` the order's. */
export function normaliseCancelled(answer: unknown): VenueOrderState | undefined {
  const order = asObject(answer);
  return order === undefined
    ? undefined
    : normaliseOrder({ ...order, clientOrderId: order.origClientOrderId });
}

/**
 * A FULL placement: the order and the fills it met at once, which it took. Fills carry no quote amount here; price ×
 * quantity is exact, and the sums must equal what the order says of itself, else the answer is not trusted.
 */
export function normalisePlaced(
  answer: unknown,
): { readonly state: VenueOrderState; readonly fills: readonly VenueFill[] } | undefined {
  const order = asObject(answer);
  const state = normaliseOrder(answer);
  if (order === undefined || state === undefined) return undefined;
  const fills = rowsOf(order.fills ?? [], (row) => placedFill(asObject(row), state));
  if (fills === undefined) return undefined;
  const quantity = fills.reduce((sum, fill) => plus(sum, fill.quantity), ZERO);
  const quote = fills.reduce((sum, fill) => plus(sum, fill.quoteQuantity), ZERO);
  if (quantity !== state.cumulativeQuantity || quote !== state.cumulativeQuote) return undefined;
  return { state, fills };
}

function placedFill(row: WireObject | undefined, state: VenueOrderState): VenueFill | undefined {
  const price = asAmount(row?.price);
  const quantity = asAmount(row?.qty);
  if (row === undefined || price === undefined || quantity === undefined) return undefined;
  return fillOf({
    tradeId: row.tradeId,
    venueOrderId: state.venueOrderId,
    price,
    quantity,
    quoteQuantity: mulDown(price, quantity),
    fee: asAmount(row.commission),
    feeAsset: row.commissionAsset,
    maker: false,
    time: state.time,
  });
}

/** A `myTrades` answer, oldest first. */
export function normaliseFills(answer: unknown, instrument: Instrument): VenueFill[] | undefined {
  return rowsOf(answer, (row) => {
    const trade = asObject(row);
    const orderId = asCounter(trade?.orderId);
    if (trade === undefined || orderId === undefined || trade.symbol !== instrument.symbol) return undefined;
    return fillOf({
      tradeId: trade.id,
      venueOrderId: String(orderId) as VenueOrderId,
      price: asAmount(trade.price),
      quantity: asAmount(trade.qty),
      quoteQuantity: asAmount(trade.quoteQty),
      fee: asAmount(trade.commission),
      feeAsset: trade.commissionAsset,
      maker: trade.isMaker,
      time: trade.time,
    });
  });
}

/**
 * `executionReport`. The order's own id is `C` when the event is about a cancel or a replacement (there `c` is the
 * request's id) and `c` otherwise. A fill is there when `t` is a trade id and `l` above 0; a report with a trade id
 * and an impossible fill is malformed as a whole, and so a reason to reconcile.
 */
export function normaliseExecutionReport(event: WireObject): OrderEvent | undefined {
  const state = stateOf({
    clientId: asText(event.C) ?? event.c,
    orderId: event.i,
    symbol: event.s,
    status: event.X,
    executed: asAmount(event.z),
    executedQuote: asAmount(event.Z),
    time: event.T,
  });
  const lastQuantity = asAmount(event.l);
  if (state === undefined || lastQuantity === undefined || typeof event.t !== 'number') return undefined;
  if (event.t < 0 || lastQuantity === ZERO) return { state };
  const fee = asAmount(event.n);
  const fill = fillOf({
    tradeId: event.t,
    venueOrderId: state.venueOrderId,
    price: asAmount(event.L),
    quantity: lastQuantity,
    quoteQuantity: asAmount(event.Y),
    fee,
    // The venue names no asset for a fee of nothing; it is charged in what is received.
    feeAsset: event.N ?? (fee === ZERO ? receivedAsset(event) : undefined),
    maker: event.m,
    time: event.T,
  });
  return fill === undefined ? undefined : { state, fill };
}

/** Only USDT pairs are traded (spec section 8), so that the symbol ends with the quote. */
function receivedAsset(event: WireObject): string | undefined {
  const symbol = asText(event.s);
  if (symbol === undefined || !symbol.endsWith('USDT')) return undefined;
  return event.S === 'BUY' ? symbol.slice(0, -'USDT'.length) : 'USDT';
}
