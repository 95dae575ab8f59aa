import type { Amount, Platform, Result, UserId } from '@crossbook/domain';
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

/** One asset in one wallet. `total = available + held`. */
export interface WalletBalance {
  readonly asset: string;
  readonly total: Amount;
  readonly available: Amount;
  readonly held: Amount;
}

/** The store port: PostgreSQL behind one batcher in production; the plain model in tests is its second witness. */
export interface LedgerStore {
  /** Resolves only after the unit is durable. Rejects only when the database is out of reach; the outcome is then unknown. */
  commit(unit: LedgerUnit): Promise<Result<LedgerReceipt, LedgerRefusal>>;
  fundingBalances(user: UserId): Promise<readonly WalletBalance[]>;
  tradingBalances(user: UserId, platform: Platform): Promise<readonly WalletBalance[]>;
}
