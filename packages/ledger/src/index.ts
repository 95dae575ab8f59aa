/**
 * Double-entry bookkeeping: accounts, commands, a plain model of what they do, and the store as a port. No SQL; the hub has it
 * (apps/server/src/storage/ledger).
 */

export {
  type AccountKey,
  type AccountRef,
  accountKey,
  type OutsideParty,
  type TradingWallet,
} from './account.ts';
export type { HoldId, LedgerCommand, LedgerRefusal, TransferId, TransferKind } from './command.ts';
export { holdId, transferId } from './identity.ts';
export { LedgerModel } from './ledger-model.ts';
export {
  type AccountBalance,
  type HoldState,
  type LedgerRecords,
  STATEMENT_ROWS_MAX,
  type StatementCursor,
  type StatementPage,
  type StatementRow,
} from './statement.ts';
export {
  type CompanionWrite,
  isUnjudged,
  type LedgerCommit,
  type LedgerStore,
  type LedgerUnit,
  type WalletBalance,
} from './store.ts';
