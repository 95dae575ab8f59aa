import {
  type Instrument,
  type Millis,
  minus,
  mulDown,
  ORDER_STATUS,
  type OrderEvent,
  type OrderStatus,
  parseSignedAmount,
  type VenueClientId,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
  type VenueTradeId,
  ZERO,
} from '@crossbook/domain';
import { asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { asAmount, rowsOf } from '../../../wire/numbers.ts';
import { asIdText, asTextCounter } from '../../wire.ts';

/**
 * OKX's private payloads of spot to domain values. Pure; `undefined` for anything that is not the documented shape.
 * Source: OKX v5 guide, "Order details", "Transaction details", "Order channel", "Account channel" (2026).
 */

/** What does not rest (IOC, FOK, a post-only that would take) ends as `canceled`, maybe partly executed. */
const STATUSES: ReadonlyMap<unknown, OrderStatus> = new Map<string, OrderStatus>([
  ['live', ORDER_STATUS.OPEN],
  ['partially_filled', ORDER_STATUS.PARTIALLY_FILLED],
  ['filled', ORDER_STATUS.FILLED],
  ['canceled', ORDER_STATUS.CANCELLED],
  ['mmp_canceled', ORDER_STATUS.CANCELLED],
]);

/**
 * An order as queries, lists and the channel give it. Its quote is executed base times average price, which the venue
 * rounds: what is booked are the fills. An order that was not placed with an id has an empty one.
 */
export function normaliseOrder(entry: unknown): VenueOrderState | undefined {
  const order = asObject(entry);
  const clientId = order?.clOrdId;
  const orderId = asIdText(order?.ordId);
  const symbol = asText(order?.instId);
  const named = STATUSES.get(order?.state);
  const cumulativeQuantity = asAmount(order?.accFillSz);
  const average = order?.avgPx === '' ? ZERO : asAmount(order?.avgPx);
  const time = asTextCounter(order?.uTime);
  if (typeof clientId !== 'string' || orderId === undefined || symbol === undefined) return undefined;
  if (named === undefined || cumulativeQuantity === undefined || average === undefined) return undefined;
  if (time === undefined || order?.instType !== 'SPOT') return undefined;
  const executed = cumulativeQuantity > ZERO;
  const executing = named === ORDER_STATUS.FILLED || named === ORDER_STATUS.PARTIALLY_FILLED;
  if ((executing && !executed) || (executed && average === ZERO)) return undefined;
  return {
    clientId: clientId as VenueClientId,
    venueOrderId: orderId as VenueOrderId,
    symbol,
    status: named === ORDER_STATUS.OPEN && executed ? ORDER_STATUS.PARTIALLY_FILLED : named,
    cumulativeQuantity,
    cumulativeQuote: mulDown(cumulativeQuantity, average),
    time: time as Millis,
  };
}

/** A list of orders. */
export function normaliseOrders(rows: readonly unknown[]): VenueOrderState[] | undefined {
  return rowsOf(rows, normaliseOrder);
}

/**
 * The acknowledgement of a placement: the venue has taken the order and tells nothing of its execution, which comes by
 * the channel or by a query.
 */
export function normalisePlaced(
  row: WireObject | undefined,
  instrument: Instrument,
  now: Millis,
): VenueOrderState | undefined {
  const orderId = asIdText(row?.ordId);
  const clientId = asText(row?.clOrdId);
  if (row?.sCode !== '0' || orderId === undefined || clientId === undefined) return undefined;
  return {
    clientId: clientId as VenueClientId,
    venueOrderId: orderId as VenueOrderId,
    symbol: instrument.symbol,
    status: ORDER_STATUS.OPEN,
    cumulativeQuantity: ZERO,
    cumulativeQuote: ZERO,
    // `ts` was added in 2024; before, the moment of the answer stands for it.
    time: (asTextCounter(row.ts) ?? now) as Millis,
  };
}

/** One fill of a REST list with the id by which the list is paged. */
export interface ListedFill {
  readonly billId: string;
  readonly fill: VenueFill;
}

/** Rows of `fills` or `fills-history` for one instrument, newest first. */
export function normaliseFills(rows: readonly unknown[], instrument: Instrument): ListedFill[] | undefined {
  return rowsOf(rows, (entry) => {
    const row = asObject(entry);
    const billId = asIdText(row?.billId);
    if (row === undefined || billId === undefined || row.instId !== instrument.symbol) return undefined;
    const fill = fillOf(row, { fee: row.fee, feeAsset: row.feeCcy, time: row.fillTime ?? row.ts });
    return fill === undefined ? undefined : { billId, fill };
  });
}

/**
 * One row of the order channel: the state after it, and the fill that caused it where `tradeId` names one. A row with
 * a trade id and an impossible fill is malformed as a whole, and so a reason to reconcile.
 */
export function normaliseOrderPush(entry: unknown): OrderEvent | undefined {
  const row = asObject(entry);
  const state = normaliseOrder(entry);
  const lastQuantity = row?.fillSz === '' ? ZERO : asAmount(row?.fillSz);
  if (row === undefined || state === undefined || lastQuantity === undefined) return undefined;
  if (row.tradeId === '' || lastQuantity === ZERO) return { state };
  const fill = fillOf(row, { fee: row.fillFee, feeAsset: row.fillFeeCcy, time: row.fillTime });
  return fill === undefined ? undefined : { state, fill };
}

interface FillTerms {
  readonly fee: unknown;
  readonly feeAsset: unknown;
  readonly time: unknown;
}

/**
 * A fill needs a price and a quantity above 0, and an asset for its fee. The fee is written with a minus sign when it
 * is charged. A plus would be a rebate, which spot tells elsewhere: it is not taken for a fee, and what a member got
 * beyond his fills shows when balances are compared.
 */
function fillOf(row: WireObject, terms: FillTerms): VenueFill | undefined {
  const tradeId = asIdText(row.tradeId);
  const orderId = asIdText(row.ordId);
  const price = asAmount(row.fillPx);
  const quantity = asAmount(row.fillSz);
  const charged = typeof terms.fee === 'string' ? parseSignedAmount(terms.fee) : undefined;
  const feeAsset = asText(terms.feeAsset);
  const time = asTextCounter(terms.time);
  if (tradeId === undefined || orderId === undefined || charged === undefined || feeAsset === undefined)
    return undefined;
  if (price === undefined || quantity === undefined || time === undefined) return undefined;
  if (row.execType !== 'T' && row.execType !== 'M') return undefined;
  const quoteQuantity = mulDown(price, quantity);
  if (price === ZERO || quantity === ZERO || quoteQuantity === ZERO) return undefined;
  return {
    tradeId: tradeId as VenueTradeId,
    venueOrderId: orderId as VenueOrderId,
    price,
    quantity,
    quoteQuantity,
    fee: charged < ZERO ? minus(ZERO, charged) : ZERO,
    feeAsset,
    maker: row.execType === 'M',
    time: time as Millis,
  };
}
