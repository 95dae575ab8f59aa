import type {
  Amount,
  Instrument,
  Millis,
  OrderType,
  Result,
  Side,
  TimeInForce,
  VenueClientId,
  VenueFill,
  VenueOrderId,
  VenueOrderState,
} from '@crossbook/domain';
import type { FindOutcome, VenueCredentials, VenueReadFailure, VenueRefusal } from './venue-answers.ts';
import type { ContractOrderTerms } from './venue-contracts.ts';

/** An order as it is put to a venue. Exactly one of `quantity` and `quoteQuantity` is present. */
export interface VenueOrderRequest {
  readonly clientId: VenueClientId;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** Absent for a market order. */
  readonly price?: Amount;
  /** Base quantity. */
  readonly quantity?: Amount;
  /** Quote amount to spend; market buys only. */
  readonly quoteQuantity?: Amount;
  /** Present exactly for contracts. */
  readonly contract?: ContractOrderTerms;
}

/**
 * What became of a request that changes something. A timeout, a reset, a 5xx, -1006, -1007 or an unparsable answer is
 * `unknown`, never a failure (decision 0004); `refused` only on a definitive code of the venue's own list.
 */
export type SendOutcome =
  | {
      readonly outcome: 'accepted';
      readonly state: VenueOrderState;
      readonly fills: readonly VenueFill[];
      /** The answer says only that the venue has taken the order: what it met at once must be heard or asked. */
      readonly receiptOnly?: true;
    }
  | VenueRefusal
  | { readonly outcome: 'unknown'; readonly why: string; readonly deadlineAt: Millis };

/** What became of a cancel. `gone` = the venue does not know it as open: it must be queried, nothing is assumed. */
export type CancelOutcome =
  | { readonly outcome: 'cancelled'; readonly state: VenueOrderState }
  | { readonly outcome: 'gone' }
  | VenueRefusal
  | { readonly outcome: 'unknown'; readonly why: string };

/** What orders are asked about for: their classes before the venue's arbiter. */
export type AskedFor = 'cancel' | 'lookup' | 'reconciliation' | 'balance-check';

/** What a venue is asked about orders that it may have. */
export interface VenueOrderCalls {
  cancel(
    credentials: VenueCredentials,
    instrument: Instrument,
    clientId: VenueClientId,
  ): Promise<CancelOutcome>;
  find(
    credentials: VenueCredentials,
    instrument: Instrument,
    clientId: VenueClientId,
  ): Promise<FindOutcome<VenueOrderState>>;
  /**
   * The same by the venue's own id of an order: how an order that was placed under another id than ours, or whose id
   * the venue has not told, becomes known.
   */
  findByVenueId(
    credentials: VenueCredentials,
    instrument: Instrument,
    venueOrderId: VenueOrderId,
  ): Promise<FindOutcome<VenueOrderState>>;
  openOrders(
    credentials: VenueCredentials,
    instruments: readonly Instrument[],
  ): Promise<Result<readonly VenueOrderState[], VenueReadFailure>>;
  /** All fills of one order, however many pages. */
  fillsOfOrder(
    credentials: VenueCredentials,
    instrument: Instrument,
    venueOrderId: VenueOrderId,
  ): Promise<Result<readonly VenueFill[], VenueReadFailure>>;
  /** Fills of every order of an instrument since a time: proof that an order nobody knows has not traded. */
  fillsSince(
    credentials: VenueCredentials,
    instrument: Instrument,
    since: Millis,
  ): Promise<Result<readonly VenueFill[], VenueReadFailure>>;
}

/** Orders of one account after the other, on pairs and contracts alike: the instrument says which is meant. */
export interface VenueOrders extends VenueOrderCalls {
  /**
   * After this long the venue no longer knows an order that ended without a fill: "not found" is then no contradiction
   * to an earlier acknowledgement.
   */
  readonly forgetsUnfilledMillis: number;
  place(credentials: VenueCredentials, request: VenueOrderRequest): Promise<SendOutcome>;
  /**
   * The same calls, and whatever else they ask on the way, in the class of whoever asks them. Without it a call is asked
   * in the class of what it usually is for.
   */
  asking(askedFor: AskedFor): VenueOrderCalls;
}
