import type { Instrument, Millis } from '@crossbook/domain';
import type { FetchText } from '@crossbook/venues';

/** What a reader of a venue's public REST needs from outside. */
export interface VenueRestOptions {
  /** Absolute base without a trailing slash: the hub's relay, or the exchange itself in direct mode. */
  readonly restBase: string;
  readonly fetchText: FetchText;
  readonly clock: () => Millis;
  /** What is known already: sizes of contracts are read in base coins by it. */
  readonly instruments: readonly Instrument[];
}
