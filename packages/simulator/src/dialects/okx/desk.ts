import type { Millis } from '@crossbook/domain';
import type { FaultBox } from '../../faults.ts';
import type { SimulatedVenue } from '../../simulated-venue.ts';
import type { AccountUpdates } from './account-updates.ts';
import type { CancelTimers } from './cancel-timers.ts';
import type { FundWatch } from './fund-watch.ts';
import type { LiquidationTape } from './liquidation-tape.ts';
import type { Listing } from './listing.ts';
import type { OrderNotes } from './order-notes.ts';
import type { RateLimits } from './rate-limits.ts';
import type { TransferNotes } from './transfer-notes.ts';

/** What every handler may use. The venue holds the rules; the rest is OKX's manner of speaking. */
export interface Desk {
  readonly venue: SimulatedVenue;
  readonly listing: Listing;
  readonly rates: RateLimits;
  readonly faults: FaultBox;
  readonly accountUpdates: AccountUpdates;
  readonly orderNotes: OrderNotes;
  readonly cancelTimers: CancelTimers;
  readonly transferNotes: TransferNotes;
  readonly liquidations: LiquidationTape;
  readonly fundWatch: FundWatch;
  now(): Millis;
  /** A random text of `length` letters and digits. */
  randomText(length: number): string;
  /** Hears of a fault of ours while a call was carried out. */
  onFault(fault: unknown): void;
}
