import type { Millis } from '@crossbook/domain';
import type { Keeper } from '../../accounts/state/keeper.ts';
import type { MemberState } from '../../accounts/state/member-state.ts';
import type { AccountNumber, Exchange, SimBalance } from '../../exchange.ts';
import type { JournalRecord } from '../../journal/records.ts';
import type { MarketSide } from '../../market-port.ts';
import type { PerpExchange, PerpTier } from '../../perp-exchange.ts';
import type { FundingPayment, PerpFacts, PerpStats } from '../../venue.ts';
import type { MarginRules } from '../margin/rules.ts';
import type { ContractState } from './contract-state.ts';
import type { VenueHabits } from './venue-habits.ts';

/** The contracts of a venue and the rules they are traded by. */
export interface ContractMarkets {
  readonly market: MarketSide;
  readonly contracts: ReadonlyMap<string, PerpFacts>;
  readonly rules: MarginRules;
  readonly habits: VenueHabits;
  tiers(symbol: string): readonly PerpTier[];
  stats(symbol: string, time: Millis): PerpStats;
  fundingHistory(
    symbol: string,
    page: Parameters<PerpExchange['fundingHistory']>[1],
    now: Millis,
  ): readonly FundingPayment[];
}

/** What the contract half shares with the spot half. */
export interface SharedHalf {
  readonly members: MemberState;
  readonly state: ContractState;
  readonly keeper: Keeper;
  readonly records: readonly JournalRecord[];
  readonly clock: () => Millis;
  readonly firstIds: number;
  readonly onFault: (fault: unknown, fatal: boolean) => void;
  /** Transfers between pockets are the treasury's. */
  readonly transfer: Exchange['transfer'];
  /** Cancels the spot orders of an account that lock what contracts are paid in. */
  readonly freeSpot: (account: AccountNumber) => void;
  /** Tells spot's listeners of a wallet that serves both. */
  readonly tellSpot: (changed: ReadonlyMap<AccountNumber, readonly SimBalance[]>) => void;
}
