import {
  type Amount,
  assert,
  type Millis,
  minus,
  type Platform,
  parseSignedAmount,
  type UserId,
  ZERO,
} from '@crossbook/domain';
import {
  type AccountBalance,
  type AccountRef,
  accountKey,
  type HoldId,
  type HoldState,
  type LedgerCommit,
  type LedgerRecords,
  type LedgerStore,
  type LedgerUnit,
  STATEMENT_ROWS_MAX,
  type StatementCursor,
  type StatementPage,
  type StatementRow,
  type TradingWallet,
  type TransferId,
  type TransferKind,
  type WalletBalance,
} from '@crossbook/ledger';
import type { Database } from '../postgres/database.ts';
import { type CompanionStatement, companionStatement } from './ledger-batch.ts';
import { type BatcherStats, LedgerBatcher, type LedgerBatcherOptions } from './ledger-batcher.ts';

/** The bounds a composition root or a test may choose. */
export type LedgerStoreOptions = Omit<LedgerBatcherOptions, 'address' | 'role' | 'statements'>;

interface BalanceRow {
  readonly asset: string;
  readonly posted: string;
  readonly held: string;
}

interface MovementRow {
  readonly id: string;
  readonly seq: string;
  readonly incoming: boolean;
  readonly amount: string;
  readonly kind: string;
  readonly counterparty: string;
  readonly hold: string | null;
  readonly at: Date;
}

const FUNDING = {
  name: 'ledger_funding_balances',
  text: `select asset, posted, held from ledger_accounts
    where owner = $1 and class = 'FUNDING' and posted <> 0 order by asset collate "C"`,
};

const TRADING = {
  name: 'ledger_trading_balances',
  text: `select asset, posted, held from ledger_accounts
    where owner = $1 and class = $3 and platform = $2 and posted <> 0 order by asset collate "C"`,
};

const ACCOUNT = {
  name: 'ledger_account',
  text: 'select asset, posted, held from ledger_accounts where key = $1',
};

const HOLD = {
  name: 'ledger_hold',
  text: `select a.key as account, h.amount, h.paid, h.released
    from ledger_holds h join ledger_accounts a on a.id = h.account where h.id = $1`,
};

// A movement from an account to itself changes nothing and is left out. Balance and rows come from one snapshot.
const STATEMENT = {
  name: 'ledger_statement',
  text: `with self as (select id, posted from ledger_accounts where key = $1)
    select s.posted, m.* from self s left join lateral (
      select * from (
        (select t.id, t.seq, false as incoming, t.amount, t.kind, t.to_account as other, t.hold, t.at
         from ledger_transfers t where t.from_account = s.id and t.to_account <> s.id and t.seq < $2
         order by t.seq desc limit $3)
        union all
        (select t.id, t.seq, true, t.amount, t.kind, t.from_account, t.hold, t.at
         from ledger_transfers t where t.to_account = s.id and t.from_account <> s.id and t.seq < $2
         order by t.seq desc limit $3)
      ) both_sides order by seq desc limit $3
    ) page on true
    left join lateral (
      select page.id, page.seq, page.incoming, page.amount, page.kind, page.hold, page.at, o.key as counterparty
      from ledger_accounts o where o.id = page.other
    ) m on true
    order by m.seq desc`,
};

const SEQ_MAX = '9223372036854775807';

function money(text: string): Amount {
  const value = parseSignedAmount(text);
  assert(value !== undefined, `a numeric(38,18) from our own table, not ${text}`);
  return value;
}

function wallet(rows: readonly BalanceRow[]): readonly WalletBalance[] {
  return rows.map((row) => {
    const total = money(row.posted);
    const held = money(row.held);
    return { asset: row.asset, total, available: minus(total, held), held };
  });
}

/** The ledger on PostgreSQL: commits through one batcher, reads through the pool. */
export class PostgresLedgerStore implements LedgerStore, LedgerRecords {
  readonly #database: Database;
  readonly #statements = new Map<string, CompanionStatement>();
  readonly #batcher: LedgerBatcher;

  constructor(database: Database, options: LedgerStoreOptions = {}) {
    this.#database = database;
    this.#batcher = new LedgerBatcher({
      ...options,
      address: database.address,
      ...(database.role === undefined ? {} : { role: database.role }),
      statements: this.#statements,
    });
  }

  /**
   * Makes companion statements known, once, at composition. A batch runs them in the order of registration, so a row
   * that another refers to is registered first.
   */
  register(statements: Readonly<Record<string, string | CompanionStatement>>): void {
    for (const [name, statement] of Object.entries(statements)) {
      assert(!this.#statements.has(name), `companion statement ${name} is registered once`);
      this.#statements.set(name, companionStatement(statement));
    }
  }

  commit(unit: LedgerUnit): Promise<LedgerCommit> {
    return this.#batcher.commit(unit);
  }

  async fundingBalances(user: UserId): Promise<readonly WalletBalance[]> {
    return wallet(await this.#database.query<BalanceRow>(FUNDING, [user]));
  }

  async tradingBalances(
    user: UserId,
    platform: Platform,
    pocket: TradingWallet = 'TRADING',
  ): Promise<readonly WalletBalance[]> {
    return wallet(await this.#database.query<BalanceRow>(TRADING, [user, platform, pocket]));
  }

  async balanceOf(account: AccountRef): Promise<AccountBalance> {
    const [row] = await this.#database.query<BalanceRow>(ACCOUNT, [accountKey(account)]);
    if (row === undefined) return { total: ZERO, held: ZERO, available: ZERO };
    const total = money(row.posted);
    const held = money(row.held);
    return { total, held, available: minus(total, held) };
  }

  async holdState(hold: HoldId): Promise<HoldState | undefined> {
    const [row] = await this.#database.query<{
      account: string;
      amount: string;
      paid: string;
      released: boolean;
    }>(HOLD, [hold]);
    if (row === undefined) return undefined;
    return { account: row.account, amount: money(row.amount), paid: money(row.paid), released: row.released };
  }

  async statement(account: AccountRef, rowsMax: number, before?: StatementCursor): Promise<StatementPage> {
    assert(Number.isSafeInteger(rowsMax) && rowsMax > 0 && rowsMax <= STATEMENT_ROWS_MAX, 'a page size');
    const found = await this.#database.query<MovementRow & { posted: string }>(STATEMENT, [
      accountKey(account),
      before?.seq ?? SEQ_MAX,
      rowsMax + 1,
    ]);
    const first = found[0];
    if (first === undefined) return { rows: [] };
    let balance = before?.balance ?? money(first.posted);
    const rows: StatementRow[] = [];
    for (const row of found.slice(0, rowsMax)) {
      if (row.id === null) break;
      const change = row.incoming ? money(row.amount) : (-money(row.amount) as Amount);
      rows.push({
        id: row.id as TransferId,
        seq: row.seq,
        change,
        balanceAfter: balance,
        kind: row.kind as TransferKind,
        counterparty: row.counterparty,
        at: row.at.getTime() as Millis,
        ...(row.hold === null ? {} : { hold: row.hold as HoldId }),
      });
      balance = minus(balance, change);
    }
    const last = rows.at(-1);
    return found.length > rowsMax && last !== undefined
      ? { rows, next: { seq: last.seq, balance } }
      : { rows };
  }

  /** Figures of the writer, for metrics. */
  stats(): BatcherStats {
    return this.#batcher.stats();
  }

  /** Writes what is queued and closes the writer's connection; the pool is closed by its owner. */
  close(): Promise<void> {
    return this.#batcher.close();
  }
}
