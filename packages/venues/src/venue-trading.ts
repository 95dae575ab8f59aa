import type {
  Amount,
  Instrument,
  Millis,
  OrderEvent,
  OrderType,
  Result,
  Side,
  TimeInForce,
  VenueClientId,
  VenueFill,
  VenueOrderId,
  VenueOrderState,
} from '@crossbook/domain';
import type { VenueCredentials, VenueReadFailure, VenueRefusal } from './venue-answers.ts';
import type { ContractEvent, ContractOrderTerms, VenueContracts } from './venue-contracts.ts';

/** The ports of a venue's trading half. Server only: keys pass through here. */

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

/** Answer of a lookup by an id. */
export type FindOutcome<Found> =
  | { readonly outcome: 'found'; readonly value: Found }
  | { readonly outcome: 'not-found' }
  | {
      readonly outcome: 'unknown';
      readonly why: string;
      /** Present where our own budget let nothing be asked: there may be room after so long. */
      readonly retryAfterMillis?: number;
    };

/** One asset's figures at a venue account. */
export interface VenueBalance {
  readonly asset: string;
  readonly free: Amount;
  readonly locked: Amount;
}

/** Movement between the operator's master account and a member's account at the venue; `undefined` side = master. */
export interface VenueTransferRequest {
  /** At most 32 characters; the venue's idempotency or lookup key. */
  readonly clientId: string;
  readonly from?: string;
  readonly to?: string;
  readonly asset: string;
  readonly amount: Amount;
  /** Where the member's side lies, at a venue that keeps contracts' money apart (Binance); absent is spot. */
  readonly pocket?: Pocket;
}

/** The two wallets of an account at a venue that has two (Binance: spot and USD-M futures). */
export type Pocket = 'spot' | 'futures';

/**
 * What became of a transfer. `not-now`: certainly nothing moved, because our budget or the venue's limiter stopped the
 * request at the door; the same request may be made again later.
 */
export type VenueTransferOutcome =
  | { readonly outcome: 'done'; readonly venueId: string }
  | {
      readonly outcome: 'not-now';
      readonly why: string;
      /** Present where it was our own budget: there may be room after so long. */
      readonly retryAfterMillis?: number;
    }
  | VenueRefusal
  | { readonly outcome: 'unknown'; readonly why: string };

/** A member's account at a venue. */
export interface VenueMemberAccount {
  readonly accountId: string;
  readonly credentials: VenueCredentials;
}

/** What a private stream tells. `onOpen` means logged on and subscribed: the moment to reconcile. */
export interface UserStreamHandlers {
  onOpen(): void;
  onOrder(event: OrderEvent): void;
  onBalances(balances: readonly VenueBalance[]): void;
  /** Positions and margin; fills of contracts come by `onOrder` like all others. */
  onContracts?(event: ContractEvent): void;
  /** The stream has gone; it reconnects by itself with full jitter, never giving up. */
  onClosed(why: string): void;
  /** A frame that could not be read: counted, and a reason to reconcile. */
  onMalformed(why: string): void;
}

/** A running private stream. */
export interface UserStream {
  close(): void;
}

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

/** One venue's trading half. Nothing here throws for an expected failure. */
export interface VenueTrading extends VenueOrderCalls {
  /** Positions, leverage and margin; absent where only spot is traded. */
  readonly contracts?: VenueContracts;
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
  balances(credentials: VenueCredentials): Promise<Result<readonly VenueBalance[], VenueReadFailure>>;
  /** What the operator's account can hand to members: where transfers to them are taken from. */
  operatorFunds(master: VenueCredentials): Promise<Result<readonly VenueBalance[], VenueReadFailure>>;
  /** Finds the member's account by its label or makes it, and makes a key for it. Safe to repeat. */
  openMemberAccount(master: VenueCredentials, label: string): Promise<FindOutcome<VenueMemberAccount>>;
  transfer(master: VenueCredentials, request: VenueTransferRequest): Promise<VenueTransferOutcome>;
  findTransfer(
    master: VenueCredentials,
    clientId: string,
  ): Promise<FindOutcome<{ readonly venueId: string }>>;
  userStream(credentials: VenueCredentials, handlers: UserStreamHandlers): UserStream;
  /** Ends sockets and timers. */
  close(): void;
}
