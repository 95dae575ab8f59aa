import {
  type Amount,
  type Instrument,
  type Millis,
  notionalDown,
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
import { asObject, asText, type WireObject } from '../../wire/guards.ts';
import { asAmount, rowsOf } from '../../wire/numbers.ts';
import { asIdText, asTextCounter } from '../wire.ts';
import type { ChannelReader } from './account-socket.ts';

/**
 * OKX's private orders and fills to domain values; both types of market are told in one shape. Pure; `undefined` for
 * anything that is not the documented shape.
 * Source: OKX v5 guide, "Order details", "Transaction details", "Order channel" (2026).
 */

/** What does not rest (IOC, FOK, a post-only that would take) ends as `canceled`, maybe partly executed. */
const STATUSES: ReadonlyMap<unknown, OrderStatus> = new Map<string, OrderStatus>([
  ['live', ORDER_STATUS.OPEN],
  ['partially_filled', ORDER_STATUS.PARTIALLY_FILLED],
  ['filled', ORDER_STATUS.FILLED],
  ['canceled', ORDER_STATUS.CANCELLED],
  ['mmp_canceled', ORDER_STATUS.CANCELLED],
]);

/** How the orders and fills of one type of market are read. */
export interface OrderShape {
  readonly instType: 'SPOT' | 'SWAP';
  /** What a fill says beyond its figures; `undefined` where it does not say it as documented. */
  further(row: WireObject): Pick<VenueFill, 'contract'> | undefined;
  /** The fee of a fill by what was charged, which is below 0 where the member paid. */
  feeOf(charged: Amount): Amount;
}

/**
 * An order as queries, lists and the channel give it. Its quote is what it executed times the average price, which the
 * venue rounds: what is booked are the fills. An order that was not placed with an id has an empty one.
 * @param contractValue base coins of one contract; one whole unit of a pair.
 */
export function normaliseOrder(
  { instType }: OrderShape,
  entry: unknown,
  contractValue: Amount,
): VenueOrderState | undefined {
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
  if (time === undefined || order?.instType !== instType) return undefined;
  const executed = cumulativeQuantity > ZERO;
  const executing = named === ORDER_STATUS.FILLED || named === ORDER_STATUS.PARTIALLY_FILLED;
  if ((executing && !executed) || (executed && average === ZERO)) return undefined;
  return {
    clientId: clientId as VenueClientId,
    venueOrderId: orderId as VenueOrderId,
    symbol,
    status: named === ORDER_STATUS.OPEN && executed ? ORDER_STATUS.PARTIALLY_FILLED : named,
    cumulativeQuantity,
    cumulativeQuote: notionalDown(cumulativeQuantity, average, contractValue),
    time: time as Millis,
    // (`cancelSource` 20: "Cancel all after triggered")
    ...(named === ORDER_STATUS.CANCELLED && order.cancelSource === '20' ? { endedBy: 'countdown' } : {}),
  };
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
export function normaliseFills(
  shape: OrderShape,
  rows: readonly unknown[],
  instrument: Instrument,
): ListedFill[] | undefined {
  const { contractValue } = instrument;
  return rowsOf(rows, (entry) => {
    const row = asObject(entry);
    const billId = asIdText(row?.billId);
    if (row === undefined || billId === undefined || row.instId !== instrument.symbol) return undefined;
    const fill = fillOf(shape, row, {
      ...{ contractValue, fee: row.fee, feeAsset: row.feeCcy, time: row.fillTime ?? row.ts },
    });
    return fill === undefined ? undefined : { billId, fill };
  });
}

/**
 * One row of the order channel: the state after it, and the fill that caused it where `tradeId` names one. A row with
 * a trade id and an impossible fill is malformed as a whole, and so a reason to reconcile.
 */
export function normaliseOrderPush(
  shape: OrderShape,
  entry: unknown,
  contractValue: Amount,
): OrderEvent | undefined {
  const row = asObject(entry);
  const state = normaliseOrder(shape, entry, contractValue);
  const lastQuantity = row?.fillSz === '' ? ZERO : asAmount(row?.fillSz);
  if (row === undefined || state === undefined || lastQuantity === undefined) return undefined;
  if (row.tradeId === '' || lastQuantity === ZERO) return { state };
  const fill = fillOf(shape, row, { ...chargedBy(row), contractValue, time: row.fillTime });
  return fill === undefined ? undefined : { state, fill };
}

/** Orders of the venue's own hand come without the fee of the fill: it is that of the order where this is its only fill. */
function chargedBy(row: WireObject): Pick<FillTerms, 'fee' | 'feeAsset'> {
  const own = row.category === 'adl' || String(row.category).endsWith('_liquidation');
  if (own && row.fillFee === undefined && row.accFillSz === row.fillSz)
    return { fee: row.fee, feeAsset: row.feeCcy };
  return { fee: row.fillFee, feeAsset: row.fillFeeCcy };
}

interface FillTerms {
  readonly contractValue: Amount;
  readonly fee: unknown;
  readonly feeAsset: unknown;
  readonly time: unknown;
}

/**
 * A fill needs a price and a quantity above 0, and an asset for its fee. The fee is written with a minus sign when it
 * is charged.
 */
function fillOf(shape: OrderShape, row: WireObject, terms: FillTerms): VenueFill | undefined {
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
  const quoteQuantity = notionalDown(price, quantity, terms.contractValue);
  const further = shape.further(row);
  if (price === ZERO || quantity === ZERO || quoteQuantity === ZERO || further === undefined)
    return undefined;
  return {
    tradeId: tradeId as VenueTradeId,
    venueOrderId: orderId as VenueOrderId,
    price,
    quantity,
    quoteQuantity,
    fee: shape.feeOf(charged),
    feeAsset,
    maker: row.execType === 'M',
    time: time as Millis,
    ...further,
  };
}

/**
 * The order channel of one type of market.
 * @param contractValueOf base coins of one contract of a symbol; while it is not known an order cannot be read.
 */
export function orderReader(
  shape: OrderShape,
  contractValueOf: (symbol: string) => Amount | undefined,
): ChannelReader {
  return {
    ...{ channel: 'orders', instType: shape.instType },
    read(row, handlers) {
      const value = contractValueOf(asText(asObject(row)?.instId) ?? '');
      const order = value === undefined ? undefined : normaliseOrderPush(shape, row, value);
      if (order !== undefined) handlers.onOrder(order);
      return order !== undefined;
    },
  };
}
