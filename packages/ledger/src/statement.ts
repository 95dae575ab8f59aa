import type { Amount, Millis } from '@crossbook/domain';
import type { AccountRef } from './account.ts';
import type { HoldId, TransferId, TransferKind } from './command.ts';

/** One movement as one account sees it. */
export interface StatementRow {
  readonly id: TransferId;
  /** Grows with every movement of the account; the page cursor. A decimal string, for it is 64 bits wide. */
  readonly seq: string;
  /** Above zero: came in; below zero: went out. Zero never stands here. */
  readonly change: Amount;
  /** The account's total after this row. */
  readonly balanceAfter: Amount;
  readonly kind: TransferKind;
  /** Key of the account on the other side. */
  readonly counterparty: string;
  readonly hold?: HoldId;
  readonly at: Millis;
}

/** A page, newest first; `next` is absent on the last one. */
export interface StatementPage {
  readonly rows: readonly StatementRow[];
  readonly next?: StatementCursor;
}

/** Where the next page begins: rows before `seq`, after which the total stood at `balance`. */
export interface StatementCursor {
  readonly seq: string;
  readonly balance: Amount;
}

/** One account's figures. `available = total - held`; below zero only for EXTERNAL. */
export interface AccountBalance {
  readonly total: Amount;
  readonly held: Amount;
  readonly available: Amount;
}

/** A hold as it stands. */
export interface HoldState {
  readonly account: string;
  readonly amount: Amount;
  /** Paid out of it so far. */
  readonly paid: Amount;
  readonly released: boolean;
}

/** The most rows one page may have. */
export const STATEMENT_ROWS_MAX = 500;

/** What the ledger can be asked beside its wallets. */
export interface LedgerRecords {
  /** An account nobody used yet has zero of everything. */
  balanceOf(account: AccountRef): Promise<AccountBalance>;
  /** Movements of one account, newest first; their changes add up to its balance. At most `STATEMENT_ROWS_MAX` rows. */
  statement(account: AccountRef, rowsMax: number, before?: StatementCursor): Promise<StatementPage>;
  /** `undefined` for a hold that was never made. */
  holdState(hold: HoldId): Promise<HoldState | undefined>;
}
