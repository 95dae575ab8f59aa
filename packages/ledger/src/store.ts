import type { Amount, Platform, Result, UserId } from '@crossbook/domain';
import type { TradingWallet } from './account.ts';
import type { LedgerCommand, LedgerRefusal } from './command.ts';

/**
 * A row that must be written in the same transaction as the movements (order, outbox job, user event).
 * `table` names a registered set-based statement of the storage layer; `row` is its JSON record.
 */
export interface CompanionWrite {
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** All or nothing: commands in order, then companion rows. */
export interface LedgerUnit {
  readonly commands: readonly LedgerCommand[];
  readonly writes?: readonly CompanionWrite[];
}

/** `replayed` is true when every command had taken effect before and nothing changed now. */
export interface LedgerReceipt {
  readonly replayed: boolean;
}

/**
 * How a commit ended. `ok`: the unit is durable. A `LedgerRefusal`: certainly nothing happened. `outcome-unknown`: the
 * connection was lost under way, so that all of it happened or nothing did; the same unit sent again says which, and is
 * never treated as refused (invariant I14).
 */
export type LedgerCommit = Result<LedgerReceipt, LedgerRefusal | 'outcome-unknown'>;

/** One asset in one wallet. `total = available + held`. */
export interface WalletBalance {
  readonly asset: string;
  readonly total: Amount;
  readonly available: Amount;
  readonly held: Amount;
}

/**
 * Whether the ledger's rules never spoke about the unit: the database was full, away or lost. The same unit may be sent
 * again unchanged; another way to pay, or another order, helps nothing.
 */
export function isUnjudged(
  code: LedgerRefusal | 'outcome-unknown',
): code is 'busy' | 'unavailable' | 'outcome-unknown' {
  return code === 'busy' || code === 'unavailable' || code === 'outcome-unknown';
}

/** The store port: PostgreSQL behind one batcher in production; the plain model in tests is its second witness. */
export interface LedgerStore {
  /**
   * Resolves when the unit's end is known, or known to be unknown.
   * @throws Error only for a mistake of ours: a unit that breaks the ledger's contract. Nothing of it happened.
   */
  commit(unit: LedgerUnit): Promise<LedgerCommit>;
  fundingBalances(user: UserId): Promise<readonly WalletBalance[]>;
  /** @param wallet the pocket, at a platform that has two; `TRADING` by default. */
  tradingBalances(
    user: UserId,
    platform: Platform,
    wallet?: TradingWallet,
  ): Promise<readonly WalletBalance[]>;
}
