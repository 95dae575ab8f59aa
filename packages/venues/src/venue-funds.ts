import type { Amount, Result } from '@crossbook/domain';
import type { FindOutcome, VenueCredentials, VenueReadFailure, VenueRefusal } from './venue-answers.ts';

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
  /**
   * Where the member's side lies, at a venue that keeps contracts' money apart (Binance); absent is spot. With the same
   * account on both sides it is the pocket where the money goes; it comes from the other one.
   */
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

/** The money of accounts at a venue, and the accounts themselves. */
export interface VenueFunds {
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
}
