import type { VenueCredentials } from './venue-answers.ts';
import type { SettingOutcome } from './venue-contracts.ts';

/** A count that is to begin anew, or to end. */
export interface CountdownRequest {
  /** Whole seconds from the offer of the profile; 0 ends the count. */
  readonly seconds: number;
  /** The contract whose orders are meant, exactly where the profile says that each is counted for (`symbol`). */
  readonly symbol?: string;
}

/**
 * The venue cancels what rests of an account once it has not heard of its owner for so long. Orders that wait for a price are
 * not in its book and stay. Nothing here throws for an expected failure.
 */
export interface VenueCountdown {
  /**
   * Begins the count anew, in the place of one that runs. Where it counts for a connection (`connection`) this has the
   * account's private stream watched, which must be open, and its successors; else it has to be asked for again in time.
   */
  set(credentials: VenueCredentials, asked: CountdownRequest): Promise<SettingOutcome>;
}
