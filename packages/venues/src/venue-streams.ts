import type { OrderEvent, VenueAlgoState } from '@crossbook/domain';
import type { VenueCredentials } from './venue-answers.ts';
import type { ContractEvent } from './venue-contracts.ts';
import type { VenueBalance } from './venue-funds.ts';

/** What a private stream tells. `onOpen` means logged on and subscribed: the moment to reconcile. */
export interface UserStreamHandlers {
  onOpen(): void;
  onOrder(event: OrderEvent): void;
  onBalances(balances: readonly VenueBalance[]): void;
  /** Positions and margin; fills of contracts come by `onOrder` like all others. */
  onContracts?(event: ContractEvent): void;
  onAlgo?(state: VenueAlgoState): void;
  /** The stream has gone; it reconnects by itself with full jitter, never giving up. */
  onClosed(why: string): void;
  /** A frame that could not be read: counted, and a reason to reconcile. */
  onMalformed(why: string): void;
}

/** A running private stream. */
export interface UserStream {
  close(): void;
}

/** Private streams of accounts. */
export interface VenueStreams {
  userStream(credentials: VenueCredentials, handlers: UserStreamHandlers): UserStream;
}
