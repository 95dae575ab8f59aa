import {
  type Amount,
  type Brand,
  type MarginMode,
  type Millis,
  type OrderId,
  type OrderRequest,
  type OrderStatus,
  type OrderTargets,
  type OrderTerms,
  type OrderType,
  type Platform,
  type PositionSide,
  type Side,
  type SymbolType,
  type TimeInForce,
  type UserId,
  type VenueClientId,
  type VenueOrderId,
  venueClientId,
} from '@crossbook/domain';
import type { HoldId } from '@crossbook/ledger';

/** What a member asks for, parsed and joined with its instrument. First step of Draft -> Checked -> Reserved -> Sent. */
export interface OrderDraft extends OrderRequest {
  /** Present exactly for contracts. */
  readonly contract?: ContractPart;
  /** Take-profit and stop-loss that it brings along. */
  readonly targets?: OrderTargets;
  readonly id: OrderId;
  readonly user: UserId;
  /** Hash of the request, so that the same id with other values is refused (invariant I6). */
  readonly payloadHash: string;
  readonly createdAt: Millis;
}

/** A draft that passed every risk check. Only `risk-checks.ts` makes one. */
export type CheckedOrder = Brand<OrderDraft & OrderTerms, 'CheckedOrder'>;

/** What an order on a contract has beyond one of spot. */
export interface ContractPart {
  readonly side: PositionSide;
  readonly marginMode: MarginMode;
  /** Never grows nor flips the position. */
  readonly reduceOnly: boolean;
  /** What the member saw; of an opening order also what the venue had. */
  readonly leverage: number;
}

/** Whose hand made an order that no member asked for. */
export type OrderCause = 'liquidation' | 'deleveraging' | 'venue';

/** An order as it is stored: the member's request, its terms, and how far it has come. */
export interface StoredOrder extends OrderTerms {
  readonly id: OrderId;
  readonly user: UserId;
  readonly platform: Platform;
  readonly symbolType: SymbolType;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price?: Amount;
  readonly quantity?: Amount;
  readonly quoteQuantity?: Amount;
  /** An iceberg shows so much at a time. */
  readonly visible?: Amount;
  /** Its targets wait at the venue as the rest of its list, each leg for so much, until all of it has filled. */
  readonly listed?: Amount;
  /** Present exactly for contracts. */
  readonly contract?: ContractPart;
  /** Absent: a member asked for it. */
  readonly cause?: OrderCause;
  /** The algo order that the venue made it of. */
  readonly algoId?: OrderId;
  /** Its client id at the venue, where that is not made of ours. */
  readonly venueClientId?: VenueClientId;
  /** Gross, of booked fills; contracts only. */
  readonly realisedPnl?: Amount;
  readonly payloadHash: string;
  /** Another one from each change of terms on; `holdAmount` counts what fills had cost by then too, so that both stay one sum. */
  readonly holdId: HoldId;
  /** Its hold is that of the algo order: it pays out of it beside others and never ends it. Absent: the hold is its own. */
  readonly sharesHold?: true;
  /** A change that the venue was asked for, or is about to be, and that is not proved either way. */
  readonly amendment?: PendingAmendment;
  readonly status: OrderStatus;
  readonly cancelPending: boolean;
  /** All fills are booked and what was left of the hold is free. */
  readonly settled: boolean;
  readonly cumQuantity: Amount;
  readonly cumQuote: Amount;
  readonly venueOrderId?: VenueOrderId;
  readonly reason?: string;
  /** After this time the venue must refuse the request, so that "not found" becomes proof. */
  readonly deadlineAt?: Millis;
  /** Lookups since the outcome became unknown, and when the first was. */
  readonly lookups: number;
  readonly firstLookupAt?: Millis;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** What an order that rests is to ask for. The quantity counts what it has executed. */
export interface AmendedTerms {
  readonly price: Amount;
  readonly quantity: Amount;
}

/** A change under way: the row shows the terms of before until the venue shows others. */
export interface PendingAmendment extends AmendedTerms {
  /** From then on the venue cannot carry it out any more; absent while its sender may still be at work. */
  readonly deadlineAt?: Millis;
  /** How often the venue has shown other terms since. */
  readonly lookups: number;
}

/** The client id that an order has at its venue. */
export function clientIdAtVenue(order: Pick<StoredOrder, 'id' | 'venueClientId'>): VenueClientId {
  return order.venueClientId ?? venueClientId(order.id);
}

/** In place of a request's hash: the venue made it, as one of many, of an iceberg. */
export function sliceHash(algoId: OrderId): string {
  return `slice of ${algoId}`;
}

/** The iceberg that an order is a part of. */
export function icebergOf({
  algoId,
  payloadHash,
}: Pick<StoredOrder, 'algoId' | 'payloadHash'>): OrderId | undefined {
  return algoId !== undefined && payloadHash === sliceHash(algoId) ? algoId : undefined;
}

/** Whether the venue knows it by its own id alone. */
export function isNameless(order: Pick<StoredOrder, 'id' | 'venueClientId'>): boolean {
  return clientIdAtVenue(order) === '';
}

/** An order whose hold and row are durable: the only thing `send` takes. Only `reserve.ts` makes one. */
export type ReservedOrder = Brand<StoredOrder, 'ReservedOrder'>;

/** The part of a stored order that changes as it lives. */
export type OrderProgress = Pick<
  StoredOrder,
  'status' | 'cancelPending' | 'settled' | 'cumQuantity' | 'cumQuote' | 'lookups'
> & {
  readonly realisedPnl?: Amount | undefined;
  readonly venueOrderId?: VenueOrderId | undefined;
  readonly reason?: string | undefined;
  readonly deadlineAt?: Millis | undefined;
  readonly firstLookupAt?: Millis | undefined;
};

/** One booked fill of an order. */
export interface StoredFill {
  readonly tradeId: string;
  readonly orderId: OrderId;
  readonly user: UserId;
  readonly platform: Platform;
  readonly symbolType: SymbolType;
  readonly symbol: string;
  readonly side: Side;
  readonly price: Amount;
  readonly quantity: Amount;
  readonly quoteQuantity: Amount;
  readonly fee: Amount;
  readonly feeAsset: string;
  readonly maker: boolean;
  readonly time: Millis;
  /** Present exactly for contracts: what it realised, and the position it changed. */
  readonly contract?: StoredContractFill;
}

/** What a fill of a contract has beyond one of spot. */
export interface StoredContractFill {
  readonly realisedPnl: Amount;
  readonly side: PositionSide;
  readonly marginMode: MarginMode;
  readonly cause: 'trade' | 'liquidation' | 'deleveraging';
}
