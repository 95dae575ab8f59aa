import type { Millis } from '@crossbook/domain';
import type { FaultBox } from '../../faults.ts';
import type { SimulatedVenue } from '../../simulated-venue.ts';
import type { CancelTimers } from '../wire/cancel-timers.ts';
import type { AccountUpdates } from './account-updates.ts';
import type { Listing } from './listing.ts';
import type { FundWatch } from './memory/fund-watch.ts';
import type { IcebergList } from './memory/iceberg-list.ts';
import type { LiquidationTape } from './memory/liquidation-tape.ts';
import type { OrderNotes } from './memory/order-notes.ts';
import type { TransferNotes } from './memory/transfer-notes.ts';
import type { RateLimits } from './rate-limits.ts';

/** Tags with a countdown that one account may have at once. */
export const TAGS_PER_ACCOUNT_MAX = 20;

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
  readonly icebergs: IcebergList;
  now(): Millis;
  /** A random text of `length` letters and digits. */
  randomText(length: number): string;
  /** Hears of a fault of ours while a call was carried out. */
  onFault(fault: unknown): void;
}
