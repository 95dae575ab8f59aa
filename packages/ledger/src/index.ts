export type { AccountRef } from './account.ts';
export type { HoldId, LedgerCommand, LedgerRefusal, TransferId, TransferKind } from './command.ts';
export type { CompanionWrite, LedgerReceipt, LedgerStore, LedgerUnit, WalletBalance } from './store.ts';
