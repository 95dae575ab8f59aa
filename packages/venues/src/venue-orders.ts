import type {
  Amount,
  Instrument,
  Millis,
  OrderTargets,
  OrderType,
  Result,
  Side,
  TimeInForce,
  TriggerPlan,
  VenueClientId,
  VenueFill,
  VenueOrderId,
  VenueOrderState,
} from '@crossbook/domain';
import type { FindOutcome, VenueCredentials, VenueReadFailure, VenueRefusal } from './venue-answers.ts';
import type { ContractOrderTerms } from './venue-contracts.ts';

/** How a lookup or a cancel names an order: by our id, or by the venue's own. */
export type OrderName = { readonly clientId: VenueClientId } | { readonly venueOrderId: VenueOrderId };

/** What goes out behind an order: one leg, or a pair of which the first to work ends the other. */
export interface ListedLegs {
  /** Of the leg, of a pair that of the list. */
  readonly clientId: VenueClientId;
  /** Of a pair: take-profit first, then stop-loss. */
  readonly childClientIds: readonly [VenueClientId, VenueClientId];
  readonly side: Side;
  readonly plan: TriggerPlan;
  /** Absent where the venue takes it of what has filled. */
  readonly quantity?: Amount;
  /** Of what a limit leg sends. */
  readonly timeInForce: TimeInForce;
}

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
  /** An iceberg shows so much at a time; only where the venue's offer has them. */
  readonly visible?: Amount;
  /** Present exactly for contracts. */
  readonly contract?: ContractOrderTerms;
  /** What the venue places for the position as the order fills; only where its offer of algo orders says `venue`, and has it. */
  readonly attached?: OrderTargets;
  /** What goes out with it and waits until all of it has filled, or until it is over: where that offer says `list` or `fills`. */
  readonly listed?: ListedLegs;
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

/** An order as the venue has it: how it stands, and what it asks for now. */
export interface OrderTerms {
  readonly state: VenueOrderState;
  /** Absent where the venue names none, as for market orders. */
  readonly price?: Amount;
  /** The whole of it, with what it has executed. */
  readonly quantity?: Amount;
}

/** A limit order that rests, and what it is to be. */
export interface OrderAmendment {
  readonly clientId: VenueClientId;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly timeInForce: TimeInForce;
  /** What it is to be: both are said, also where one stays. The quantity counts what it has executed. */
  readonly price: Amount;
  readonly quantity: Amount;
  /** What it has executed as far as is known; a pair's order at Binance is replaced by one of the rest. */
  readonly executed: Amount;
  /** The id of the order that takes its place, where the venue replaces instead of changing; else not sent. */
  readonly replacementId: VenueClientId;
  /** Present exactly for contracts. */
  readonly contract?: ContractOrderTerms;
}

/**
 * What became of an amendment. `amended`: the order has these terms under its own id, and may have filled by them.
 * `replaced`: it is cancelled, and `placed` says what became of the order that takes its place: that may be refused, and
 * then nothing is left in the book. `gone`: it does not rest (any more) and must be looked up. `refused`: it rests as it
 * was. `unknown`: its terms must be read once the deadline has passed, at Binance's pairs those of both ids.
 */
export type AmendOutcome =
  | { readonly outcome: 'amended'; readonly state: VenueOrderState }
  | { readonly outcome: 'replaced'; readonly cancelled: VenueOrderState; readonly placed: SendOutcome }
  | { readonly outcome: 'gone' }
  | VenueRefusal
  | { readonly outcome: 'unknown'; readonly why: string; readonly deadlineAt: Millis };

/** What orders are asked about for: their classes before the venue's arbiter. */
export type AskedFor = 'cancel' | 'lookup' | 'reconciliation' | 'balance-check';

/** What a venue is asked about orders that it may have. */
export interface VenueOrderCalls {
  cancel(
    credentials: VenueCredentials,
    instrument: Instrument,
    clientId: VenueClientId,
  ): Promise<CancelOutcome>;
  /** The same by the venue's own id: an order that it made of another, and that has no name of ours. */
  cancelByVenueId(
    credentials: VenueCredentials,
    instrument: Instrument,
    venueOrderId: VenueOrderId,
  ): Promise<CancelOutcome>;
  /**
   * Cancels some of one instrument, each by its own id, with one call where the venue has it: at most as many as its profile
   * says (`cancelsAtOnce`). Each has its own outcome, in the order of the names; of a lost answer all are `unknown`.
   */
  cancelSeveral(
    credentials: VenueCredentials,
    instrument: Instrument,
    names: readonly OrderName[],
  ): Promise<readonly CancelOutcome[]>;
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
   * Places some of one instrument with one call where the venue has it, once: at most as many as its profile says
   * (`placesAtOnce`). Each has its own outcome, in the order of the requests; of a lost answer all are `unknown`.
   */
  placeSeveral(
    credentials: VenueCredentials,
    requests: readonly VenueOrderRequest[],
  ): Promise<readonly SendOutcome[]>;
  /** Changes a limit order that rests: once, as a placement is sent once. */
  amend(credentials: VenueCredentials, amendment: OrderAmendment): Promise<AmendOutcome>;
  /** What an order asks for now: proves what became of an amendment. */
  findTerms(
    credentials: VenueCredentials,
    instrument: Instrument,
    clientId: VenueClientId,
  ): Promise<FindOutcome<OrderTerms>>;
  /**
   * The same calls, and whatever else they ask on the way, in the class of whoever asks them. Without it a call is asked
   * in the class of what it usually is for.
   */
  asking(askedFor: AskedFor): VenueOrderCalls;
}
