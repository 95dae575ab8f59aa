import type { Amount } from './amount.ts';
import type { Millis, VenueClientId, VenueOrderId, VenueTradeId } from './ids.ts';
import type { MarginMode, PositionSide } from './position.ts';

/** Status codes of spec section 4. UNKNOWN is a state, not an error: money stays held until there is proof. */
export const ORDER_STATUS = {
  UNKNOWN: 0,
  NEW: 1,
  OPEN: 2,
  CANCELLED: 3,
  FILLED: 4,
  PARTIALLY_FILLED: 5,
  REJECT: 6,
  FAIL: 7,
} as const;
/** One status code. */
export type OrderStatus = (typeof ORDER_STATUS)[keyof typeof ORDER_STATUS];

/** Order type codes of spec section 4. */
export const ORDER_TYPE = { UNKNOWN: 0, LIMIT: 1, MARKET: 2 } as const;
/** One order type code. */
export type OrderType = (typeof ORDER_TYPE)[keyof typeof ORDER_TYPE];

/** Side codes of spec section 4. */
export const SIDE = { BUY: 1, SELL: 2 } as const;
/** One side code. */
export type Side = (typeof SIDE)[keyof typeof SIDE];

/** Time in force codes (decision 0030.12). */
export const TIME_IN_FORCE = { GTC: 1, IOC: 2, FOK: 3, POST_ONLY: 4 } as const;
/** One time in force code. */
export type TimeInForce = (typeof TIME_IN_FORCE)[keyof typeof TIME_IN_FORCE];

/** Statuses an order never leaves, except to UNKNOWN by an incident (decision 0004). */
export function isFinal(status: OrderStatus): boolean {
  return (
    status === ORDER_STATUS.CANCELLED ||
    status === ORDER_STATUS.FILLED ||
    status === ORDER_STATUS.REJECT ||
    status === ORDER_STATUS.FAIL
  );
}

/** Statuses of an order that lies in the venue's book: nothing of it is being sent, looked for or ended. */
export function isResting(status: OrderStatus): boolean {
  return status === ORDER_STATUS.OPEN || status === ORDER_STATUS.PARTIALLY_FILLED;
}

/** One fill as its venue reported it, the witness of a settlement. */
export interface VenueFill {
  readonly tradeId: VenueTradeId;
  readonly venueOrderId: VenueOrderId;
  readonly price: Amount;
  /** Base quantity. */
  readonly quantity: Amount;
  /** Price × quantity as the venue booked it. */
  readonly quoteQuantity: Amount;
  readonly fee: Amount;
  readonly feeAsset: string;
  readonly maker: boolean;
  readonly time: Millis;
  /** Of contracts: what closing realised, fees not counted, and whose position the fill changed. */
  readonly contract?: {
    readonly realisedPnl: Amount;
    /** Absent where the venue leaves it out (Bybit): it is that of the fill's order. */
    readonly side?: PositionSide;
    /** Whether the order of the fill bought. */
    readonly buys?: boolean;
    readonly marginMode?: MarginMode;
    /** `trade` between members, or the venue's own hand. */
    readonly cause: 'trade' | 'liquidation' | 'deleveraging';
  };
}

/** What a venue says of an order, from a stream event, a call's answer or a query. */
export interface VenueOrderState {
  readonly clientId: VenueClientId;
  readonly venueOrderId: VenueOrderId;
  readonly symbol: string;
  /** OPEN, PARTIALLY_FILLED, FILLED, CANCELLED or REJECT. */
  readonly status: OrderStatus;
  /** Base quantity executed so far; only ever grows. */
  readonly cumulativeQuantity: Amount;
  readonly cumulativeQuote: Amount;
  readonly time: Millis;
  /** Present where the order says that it is the venue's own hand, which a list of fills may not say. */
  readonly cause?: 'liquidation' | 'deleveraging';
  /** Present where the venue says that its countdown cancelled it. */
  readonly endedBy?: 'countdown';
}

/** One normalised private event about orders: the state after it, and the fill that caused it, if one did. */
export interface OrderEvent {
  readonly state: VenueOrderState;
  readonly fill?: VenueFill;
}
