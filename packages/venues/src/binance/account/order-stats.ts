import {
  type Amount,
  type Millis,
  ORDER_STATUS,
  type OrderStatus,
  type VenueClientId,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
  type VenueTradeId,
  ZERO,
} from '@crossbook/domain';
import { asCounter, asText } from '../../wire/guards.ts';

/** Orders and fills as both private halves of Binance tell them, under whichever names. */

/** EXPIRED: IOC/FOK rest or no liquidity; EXPIRED_IN_MATCH: self-trade prevention. Both may have executed a part. */
const STATUSES: ReadonlyMap<unknown, OrderStatus> = new Map<string, OrderStatus>([
  ['NEW', ORDER_STATUS.OPEN],
  // Orders of the venue's own, by which it liquidates and deleverages.
  ['NEW_INSURANCE', ORDER_STATUS.OPEN],
  ['NEW_ADL', ORDER_STATUS.OPEN],
  ['PENDING_NEW', ORDER_STATUS.OPEN],
  ['PENDING_CANCEL', ORDER_STATUS.OPEN],
  ['PARTIALLY_FILLED', ORDER_STATUS.PARTIALLY_FILLED],
  ['FILLED', ORDER_STATUS.FILLED],
  ['CANCELED', ORDER_STATUS.CANCELLED],
  ['EXPIRED', ORDER_STATUS.CANCELLED],
  ['EXPIRED_IN_MATCH', ORDER_STATUS.CANCELLED],
  ['REJECTED', ORDER_STATUS.REJECT],
]);

/** Fields of an order, whatever a message calls them. */
export interface StateFields {
  readonly clientId: unknown;
  readonly orderId: unknown;
  readonly symbol: unknown;
  readonly status: unknown;
  readonly executed: Amount | undefined;
  readonly executedQuote: Amount | undefined;
  readonly time: unknown;
}

/** The state of an order; `undefined` where a field is not what it should be. */
export function stateOf(fields: StateFields): VenueOrderState | undefined {
  const clientId = asText(fields.clientId);
  const orderId = asCounter(fields.orderId);
  const symbol = asText(fields.symbol);
  const named = STATUSES.get(fields.status);
  const { executed: cumulativeQuantity, executedQuote: cumulativeQuote } = fields;
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

/** Fields of a fill, whatever a message calls them. */
export interface FillFields {
  readonly tradeId: unknown;
  readonly venueOrderId: VenueOrderId;
  readonly price: Amount | undefined;
  readonly quantity: Amount | undefined;
  readonly quoteQuantity: Amount | undefined;
  /** Above 0 when it was paid. Read with its sign: of contracts it may be a rebate. */
  readonly fee: Amount | undefined;
  readonly feeAsset: unknown;
  readonly maker: unknown;
  readonly time: unknown;
}

/** A fill needs a price, a quantity and a quote amount above 0, and an asset for its fee. */
export function fillOf(fields: FillFields): VenueFill | undefined {
  const { venueOrderId, price, quantity, quoteQuantity, fee, maker } = fields;
  const tradeId = asCounter(fields.tradeId);
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
