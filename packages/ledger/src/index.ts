export {
  type AccountKey,
  type AccountRef,
  accountKey,
  mayBeNegative,
  type OutsideParty,
  type TradingWallet,
} from './account.ts';
export type { HoldId, LedgerCommand, LedgerRefusal, TransferId, TransferKind } from './command.ts';
export { holdId, type IdentityPart, transferId } from './identity.ts';
export { LedgerModel, type ModelWriter } from './ledger-model.ts';
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
  type LedgerReceipt,
  type LedgerStore,
  type LedgerUnit,
  type WalletBalance,
} from './store.ts';
