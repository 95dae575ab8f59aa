/** What every call of a venue's private half takes and may answer. Server only: keys pass through here. */

/** One account's key at a venue. Never logged, never sent to a browser. */
export interface VenueCredentials {
  readonly apiKey: string;
  readonly secret: string;
  /** The third part of a key at OKX, chosen when the key is made; absent elsewhere. */
  readonly passphrase?: string;
}

/** A refusal that proves that nothing happened. */
export interface VenueRefusal {
  readonly outcome: 'refused';
  readonly venueCode: string;
  readonly message: string;
  /** Present where it is ours and not the venue's: its budget is used up, and there may be room after so long. */
  readonly retryAfterMillis?: number;
}

/** Why a read of the private half gave nothing. */
export type VenueReadFailure = 'network' | 'refused' | 'malformed';

/** What a read of the private half gives, or why it gave nothing. */
export type VenueRead<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      readonly code: VenueReadFailure;
      /** Present where our own budget for the venue let nothing be asked: there may be room after so long. */
      readonly retryAfterMillis?: number;
    };

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
