import {
  type Amount,
  type Instrument,
  ORDER_STATUS,
  type OrderEvent,
  type OrderStatus,
  type VenueClientId,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
  type VenueTradeId,
  ZERO,
} from '@crossbook/domain';
import { asObject, asText, type WireObject } from '../../wire/guards.ts';
import { asAmount, rowsOf } from '../../wire/numbers.ts';
import { asMillis } from '../wire.ts';
import { isAlgo, isUnfired, normaliseAlgo } from './algo-shapes.ts';
import type { TopicReader } from './user-socket.ts';

/**
 * Bybit's private orders and executions to domain values; all markets tell them in one shape. Pure; `undefined` for
 * anything that is not the documented shape.
 * Source: bybit-exchange/docs v5, order, websocket/private (2026-07-24).
 */

/** Cancelled and Deactivated may have executed a part; PartiallyFilledCanceled (spot only) has. */
const STATUSES: ReadonlyMap<unknown, OrderStatus> = new Map<string, OrderStatus>([
  ['New', ORDER_STATUS.OPEN],
  ['Untriggered', ORDER_STATUS.OPEN],
  ['Triggered', ORDER_STATUS.OPEN],
  ['PartiallyFilled', ORDER_STATUS.PARTIALLY_FILLED],
  ['Filled', ORDER_STATUS.FILLED],
  ['Cancelled', ORDER_STATUS.CANCELLED],
  ['PartiallyFilledCanceled', ORDER_STATUS.CANCELLED],
  ['Deactivated', ORDER_STATUS.CANCELLED],
  ['Rejected', ORDER_STATUS.REJECT],
]);

/** An order as queries, lists and the stream give it. Orders that were not placed by API carry an empty client id. */
function normaliseOrder(row: unknown): VenueOrderState | undefined {
  const order = asObject(row);
  const clientId = order?.orderLinkId;
  const venueOrderId = asText(order?.orderId);
  const symbol = asText(order?.symbol);
  const named = STATUSES.get(order?.orderStatus);
  const cumulativeQuantity = asAmount(order?.cumExecQty);
  const cumulativeQuote = asAmount(order?.cumExecValue);
  const time = asMillis(order?.updatedTime);
  if (typeof clientId !== 'string' || venueOrderId === undefined || symbol === undefined) return undefined;
  if (named === undefined || cumulativeQuantity === undefined || cumulativeQuote === undefined)
    return undefined;
  if (time === undefined || (cumulativeQuantity === ZERO) !== (cumulativeQuote === ZERO)) return undefined;
  const executing = named === ORDER_STATUS.FILLED || named === ORDER_STATUS.PARTIALLY_FILLED;
  if (executing && cumulativeQuantity === ZERO) return undefined;
  const partial = named === ORDER_STATUS.OPEN && cumulativeQuantity > ZERO;
  return {
    clientId: clientId as VenueClientId,
    venueOrderId: venueOrderId as VenueOrderId,
    symbol,
    status: partial ? ORDER_STATUS.PARTIALLY_FILLED : named,
    cumulativeQuantity,
    cumulativeQuote,
    time,
    // (enum, cancelType)
    ...(named === ORDER_STATUS.CANCELLED && order?.cancelType === 'CancelByDCP'
      ? { endedBy: 'countdown' }
      : {}),
  };
}

/** A list of orders. */
export function normaliseOrders(list: unknown): VenueOrderState[] | undefined {
  return rowsOf(list, normaliseOrder);
}

/** What differs between the types of market in how executions are read. */
export interface OrderShape {
  readonly category: 'spot' | 'linear';
  /** Whether an execution is a fill of an order; others are none. */
  isFill(row: WireObject): boolean;
  /** Above 0 when it was paid; `undefined` where it is not expressible. */
  fee(row: WireObject): Amount | undefined;
  /** The asset of a fee whose currency the venue does not name. */
  feeAsset(row: WireObject): string | undefined;
  /** What a fill says beyond its figures; `undefined` where it does not say it as documented. */
  further(row: WireObject): Pick<VenueFill, 'contract'> | undefined;
}

/** The fills among the rows of `execution/list`, in their order (newest first). */
export function normaliseFills(
  shape: OrderShape,
  rows: readonly WireObject[],
  instrument: Instrument,
): VenueFill[] | undefined {
  return rowsOf(rows.filter(shape.isFill), (row) => {
    const execution = asObject(row);
    return execution?.symbol === instrument.symbol ? fillOf(shape, execution) : undefined;
  });
}

/** A fill needs a price, a quantity and a quote amount above 0, and an asset for its fee. */
function fillOf(shape: OrderShape, execution: WireObject): VenueFill | undefined {
  const tradeId = asText(execution.execId);
  const venueOrderId = asText(execution.orderId);
  const price = asAmount(execution.execPrice);
  const quantity = asAmount(execution.execQty);
  const quoteQuantity = asAmount(execution.execValue);
  const fee = shape.fee(execution);
  const feeAsset = asText(execution.feeCurrency) ?? shape.feeAsset(execution);
  const time = asMillis(execution.execTime);
  const maker = execution.isMaker;
  const further = shape.further(execution);
  if (tradeId === undefined || venueOrderId === undefined || fee === undefined || feeAsset === undefined)
    return undefined;
  if (price === undefined || quantity === undefined || quoteQuantity === undefined) return undefined;
  if (price === ZERO || quantity === ZERO || quoteQuantity === ZERO) return undefined;
  if (typeof maker !== 'boolean' || time === undefined || further === undefined) return undefined;
  return {
    tradeId: tradeId as VenueTradeId,
    venueOrderId: venueOrderId as VenueOrderId,
    price,
    quantity,
    quoteQuantity,
    fee,
    feeAsset,
    maker,
    time,
    ...further,
  };
}

/**
 * A row of the `execution` stream. It tells the fill and not how its order stands: the state says no more than the fill
 * proves, that at least this much has traded. Status and sums come with the order's own row.
 */
export function normaliseExecution(shape: OrderShape, row: WireObject): OrderEvent | undefined {
  const fill = fillOf(shape, row);
  const clientId = row.orderLinkId;
  const symbol = asText(row.symbol);
  if (fill === undefined || symbol === undefined || typeof clientId !== 'string') return undefined;
  return {
    state: {
      clientId: clientId as VenueClientId,
      venueOrderId: fill.venueOrderId,
      symbol,
      status: ORDER_STATUS.PARTIALLY_FILLED,
      cumulativeQuantity: fill.quantity,
      cumulativeQuote: fill.quoteQuantity,
      time: fill.time,
    },
    fill,
  };
}

/** The topics `order` and `execution`, which all markets of the account share, for one of them. */
export function orderReaders(shape: OrderShape): readonly TopicReader[] {
  const { category } = shape;
  return [
    {
      ...{ topic: 'order', category },
      read(row, handlers) {
        const algo = isAlgo(row) ? normaliseAlgo(row) : undefined;
        if (isAlgo(row) && algo === undefined) return false;
        if (algo !== undefined) handlers.onAlgo?.(algo);
        // Until it is in the market it is no order.
        if (isAlgo(row) && isUnfired(row)) return true;
        const state = normaliseOrder(row);
        if (state !== undefined) handlers.onOrder({ state });
        return state !== undefined;
      },
    },
    {
      ...{ topic: 'execution', category },
      read(row, handlers) {
        // Executions that are no fills move no order.
        if (!shape.isFill(row)) return true;
        const event = normaliseExecution(shape, row);
        if (event !== undefined) handlers.onOrder(event);
        return event !== undefined;
      },
    },
  ];
}
