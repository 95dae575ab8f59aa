import {
  type Amount,
  type Instrument,
  type Millis,
  mulDown,
  ORDER_STATUS,
  type OrderEvent,
  type OrderStatus,
  plus,
  type VenueClientId,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
  type VenueTradeId,
  ZERO,
} from '@crossbook/domain';
import { asCounter, asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { asAmount, rowsOf } from '../../../wire/numbers.ts';

/**
 * Binance spot's private payloads to domain values. Pure; `undefined` for anything that is not the documented shape.
 * Source: rest-api.md, web-socket-api.md, user-data-stream.md (2026-07-21).
 */

/** EXPIRED: IOC/FOK rest or no liquidity; EXPIRED_IN_MATCH: self-trade prevention. Both may have executed a part. */
const STATUSES: ReadonlyMap<unknown, OrderStatus> = new Map<string, OrderStatus>([
  ['NEW', ORDER_STATUS.OPEN],
  ['PENDING_NEW', ORDER_STATUS.OPEN],
  ['PENDING_CANCEL', ORDER_STATUS.OPEN],
  ['PARTIALLY_FILLED', ORDER_STATUS.PARTIALLY_FILLED],
  ['FILLED', ORDER_STATUS.FILLED],
  ['CANCELED', ORDER_STATUS.CANCELLED],
  ['EXPIRED', ORDER_STATUS.CANCELLED],
  ['EXPIRED_IN_MATCH', ORDER_STATUS.CANCELLED],
  ['REJECTED', ORDER_STATUS.REJECT],
]);

interface StateFields {
  readonly clientId: unknown;
  readonly orderId: unknown;
  readonly symbol: unknown;
  readonly status: unknown;
  readonly executed: unknown;
  readonly executedQuote: unknown;
  readonly time: unknown;
}

function stateOf(fields: StateFields): VenueOrderState | undefined {
  const clientId = asText(fields.clientId);
  const orderId = asCounter(fields.orderId);
  const symbol = asText(fields.symbol);
  const named = STATUSES.get(fields.status);
  const cumulativeQuantity = asAmount(fields.executed);
  const cumulativeQuote = asAmount(fields.executedQuote);
  const time = asCounter(fields.time);
  if (clientId === undefined || orderId === undefined || symbol === undefined || named === undefined)
    return undefined;
  if (cumulativeQuantity === undefined || cumulativeQuote === undefined || time === undefined)
    return undefined;
  const executing = named === ORDER_STATUS.FILLED || named === ORDER_STATUS.PARTIALLY_FILLED;
  if (executing && cumulativeQuantity === ZERO) return undefined;
  const partial = named === ORDER_STATUS.OPEN && cumulativeQuantity > ZERO;
  return {
    clientId: clientId as VenueClientId,
    venueOrderId: String(orderId) as VenueOrderId,
    symbol,
    status: partial ? ORDER_STATUS.PARTIALLY_FILLED : named,
    cumulativeQuantity,
    cumulativeQuote,
    time: time as Millis,
  };
}

/** An order as queries, lists and placements give it: `clientOrderId` is the order's own. */
export function normaliseOrder(answer: unknown): VenueOrderState | undefined {
  const order = asObject(answer);
  if (order === undefined) return undefined;
  return stateOf({
    clientId: order.clientOrderId,
    orderId: order.orderId,
    symbol: order.symbol,
    status: order.status,
    executed: order.executedQty,
    executedQuote: order.cummulativeQuoteQty,
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

/** A list of orders. */
export function normaliseOrders(answer: unknown): VenueOrderState[] | undefined {
  return rowsOf(answer, normaliseOrder);
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
    fee: row.commission,
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
      fee: trade.commission,
      feeAsset: trade.commissionAsset,
      maker: trade.isMaker,
      time: trade.time,
    });
  });
}

interface FillFields {
  readonly tradeId: unknown;
  readonly venueOrderId: VenueOrderId;
  readonly price: Amount | undefined;
  readonly quantity: Amount | undefined;
  readonly quoteQuantity: Amount | undefined;
  readonly fee: unknown;
  readonly feeAsset: unknown;
  readonly maker: unknown;
  readonly time: unknown;
}

/** A fill needs a price, a quantity and a quote amount above 0, and an asset for its fee. */
function fillOf(fields: FillFields): VenueFill | undefined {
  const { venueOrderId, price, quantity, quoteQuantity, maker } = fields;
  const tradeId = asCounter(fields.tradeId);
  const fee = asAmount(fields.fee);
  const feeAsset = asText(fields.feeAsset);
  const time = asCounter(fields.time);
  if (tradeId === undefined || fee === undefined || feeAsset === undefined || time === undefined)
    return undefined;
  if (price === undefined || quantity === undefined || quoteQuantity === undefined) return undefined;
  if (price === ZERO || quantity === ZERO || quoteQuantity === ZERO || typeof maker !== 'boolean')
    return undefined;
  return {
    tradeId: String(tradeId) as VenueTradeId,
    venueOrderId,
    price,
    quantity,
    quoteQuantity,
    fee,
    feeAsset,
    maker,
    time: time as Millis,
  };
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
    executed: event.z,
    executedQuote: event.Z,
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
    fee: event.n,
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
