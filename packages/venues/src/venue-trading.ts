import type { VenueAlgos } from './venue-algos.ts';
import type { VenueContracts } from './venue-contracts.ts';
import type { VenueCountdown } from './venue-countdown.ts';
import type { VenueFunds } from './venue-funds.ts';
import type { VenueOrders } from './venue-orders.ts';
import type { VenueStreams } from './venue-streams.ts';

/**
 * One venue's trading half, in its four parts: orders, money, contracts and private streams. Server only: keys pass
 * through here. Nothing in it throws for an expected failure.
 */
export interface VenueTrading extends VenueOrders, VenueFunds, VenueStreams {
  /** Positions, leverage and margin; absent where only spot is traded. */
  readonly contracts?: VenueContracts;
  /** Orders that wait for a price, on pairs and contracts alike. */
  readonly algos?: VenueAlgos;
  /** Absent where nothing that is traded has one. */
  readonly countdown?: VenueCountdown;
  /** Ends sockets and timers. */
  close(): void;
}
