import {
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
import { asArray, asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { asAmount, rowsOf } from '../../../wire/numbers.ts';
import { asMillis } from '../../wire.ts';

/**
 * Bybit's private spot payloads to domain values. Pure; `undefined` for anything that is not the documented shape.
 * Source: bybit-exchange/docs v5, order, websocket/private, account/wallet-balance (2026-07-24).
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
  };
}

/** A list of orders. */
export function normaliseOrders(list: unknown): VenueOrderState[] | undefined {
  return rowsOf(list, normaliseOrder);
}

/** The fills of an `execution/list` page, in the order of the page (newest first). Other kinds of execution are none. */
export function normaliseFills(list: unknown, instrument: Instrument): VenueFill[] | undefined {
  const trades = asArray(list)?.filter((row) => asObject(row)?.execType === 'Trade');
  return rowsOf(trades, (row) => {
    const execution = asObject(row);
    return execution?.symbol === instrument.symbol ? fillOf(execution) : undefined;
  });
}

/** A fill needs a price, a quantity and a quote amount above 0, and an asset for its fee. Rebates are not expressible. */
function fillOf(execution: WireObject): VenueFill | undefined {
  const tradeId = asText(execution.execId);
  const venueOrderId = asText(execution.orderId);
  const price = asAmount(execution.execPrice);
  const quantity = asAmount(execution.execQty);
  const quoteQuantity = asAmount(execution.execValue);
  const fee = asAmount(execution.execFee);
  const feeAsset = asText(execution.feeCurrency) ?? receivedAsset(execution);
  const time = asMillis(execution.execTime);
  const maker = execution.isMaker;
  if (tradeId === undefined || venueOrderId === undefined || fee === undefined || feeAsset === undefined)
    return undefined;
  if (price === undefined || quantity === undefined || quoteQuantity === undefined) return undefined;
  if (price === ZERO || quantity === ZERO || quoteQuantity === ZERO) return undefined;
  if (typeof maker !== 'boolean' || time === undefined) return undefined;
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
  };
}

/**
 * The asset of a fee whose currency the venue does not name: what was received (enum, "Spot Fee Currency
 * Instruction"). Only USDT pairs are traded (spec section 8), so that the symbol ends with the quote.
 */
function receivedAsset(execution: WireObject): string | undefined {
  const symbol = asText(execution.symbol);
  if (symbol === undefined || !symbol.endsWith('USDT')) return undefined;
  if (execution.side === 'Sell') return 'USDT';
  return execution.side === 'Buy' ? symbol.slice(0, -'USDT'.length) : undefined;
}

/**
 * A row of the `execution` stream. It tells the fill and not how its order stands: the state says no more than the fill
 * proves, that at least this much has traded. Status and sums come with the order's own row.
 */
function normaliseExecution(row: WireObject): OrderEvent | undefined {
  const fill = fillOf(row);
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

/** A row of the topics `order` and `execution`. Perpetuals share them; executions that are no trades move no order. */
export function normaliseOrderPush(
  topic: 'order' | 'execution',
  row: WireObject,
): OrderEvent | 'not-ours' | undefined {
  if (row.category !== 'spot' || (topic === 'execution' && row.execType !== 'Trade')) return 'not-ours';
  if (topic === 'execution') return normaliseExecution(row);
  const state = normaliseOrder(row);
  return state && { state };
}
