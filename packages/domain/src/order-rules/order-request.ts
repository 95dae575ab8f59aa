import { type Amount, lesser } from '../amount.ts';
import type { Instrument } from '../instrument.ts';
import { ORDER_TYPE, type OrderType, type Side, type TimeInForce } from '../order.ts';

/** An order as somebody wants it, not checked yet: what stands in a ticket, or in a request to the hub. */
export interface OrderRequest {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** Limit price in quote per base; absent for market orders. */
  readonly price?: Amount;
  /** Base quantity; exactly one of this and `quoteQuantity` is present in a sound order. */
  readonly quantity?: Amount;
  /** Quote to spend; market buys only. */
  readonly quoteQuantity?: Amount;
  /** An iceberg: so much of the quantity stands in the book at a time. Absent: all of it. */
  readonly visible?: Amount;
}

/** What the order call of a venue's spot market offers; part of its profile. */
export interface SpotOrderOffer {
  readonly orderTypes: readonly OrderType[];
  readonly timesInForce: readonly TimeInForce[];
  /** Smallest step of an amount of quote to spend. */
  readonly quoteStep: Amount;
  /** How far above the best ask a market buy by quantity may go, as a factor: 1.05 is 5 % above. */
  readonly marketBuyBound: Amount;
  /** In how many parts the book may show an iceberg, at most; absent: the call has none. */
  readonly icebergPartsMax?: number;
}

/** What the rules look at besides the order. */
export interface OrderMarket {
  readonly offer: SpotOrderOffer;
  /** Best prices, quote per base; `undefined` where there is none. */
  readonly bestBid: Amount | undefined;
  readonly bestAsk: Amount | undefined;
  /** True where the best prices are too old for a market order to rely on. */
  readonly priceStale: boolean;
}

/** What is reserved for an order before it is sent, and the form in which it goes to the venue. */
export interface OrderTerms {
  readonly holdAsset: string;
  readonly holdAmount: Amount;
  /** Differs from the request for a market buy by quantity, which goes out as a bounded IOC limit. */
  readonly sendType: OrderType;
  readonly sendTimeInForce: TimeInForce;
  readonly sendPrice?: Amount;
}

/** Oldest market price that a market order may rely on. */
export const PRICE_AGE_MILLIS_MAX = 5_000;

/** The largest quantity of one order: market orders may have a bound of their own. */
export function largestQuantity(type: OrderType, { maxQty, maxMarketQty }: Instrument): Amount {
  return type === ORDER_TYPE.MARKET ? lesser(maxQty, maxMarketQty) : maxQty;
}
