import {
  type Amount,
  assert,
  formatAmount,
  type Millis,
  type OrderId,
  type Platform,
  parseAmount,
  type UserId,
} from '@crossbook/domain';
import type { Direction, MovementStore, StoredTestFunds, StoredTransfer } from '../../wallets/ports.ts';
import type { Database } from '../postgres/database.ts';

/** Set-based statements of this store, registered with the ledger store so that they commit with the money. */
export const MOVEMENT_WRITES: Readonly<Record<string, string>> = {
  'transfers.insert': `insert into universal_transfers select * from jsonb_populate_recordset(null::universal_transfers, $1)`,
  'transfers.update': `update universal_transfers set state = r.state, reason = r.reason,
      fence_closes_at = r.fence_closes_at, looks = r.looks, updated_at = r.updated_at
    from jsonb_populate_recordset(null::universal_transfers, $1) r where universal_transfers.id = r.id`,
  'test-funds.insert': `insert into test_funds select * from jsonb_populate_recordset(null::test_funds, $1)`,
  'test-funds.update': `update test_funds set state = r.state, updated_at = r.updated_at
    from jsonb_populate_recordset(null::test_funds, $1) r where test_funds.id = r.id`,
};

interface TransferColumns {
  readonly id: string;
  readonly user_id: string;
  readonly platform: number;
  readonly direction: number;
  readonly pocket: StoredTransfer['pocket'];
  readonly asset: string;
  readonly amount: string;
  readonly payload_hash: string;
  readonly state: StoredTransfer['state'];
  readonly reason: string | null;
  readonly fence_closes_at: string | null;
  readonly looks: number;
  readonly created_at: string;
  readonly updated_at: string;
}

type TestFundsColumns = Pick<
  TransferColumns,
  'id' | 'user_id' | 'asset' | 'amount' | 'payload_hash' | 'created_at' | 'updated_at'
> & { readonly state: StoredTestFunds['state'] };

function money(text: string): Amount {
  const value = parseAmount(text);
  assert(value !== undefined, `a stored amount is readable: ${text}`);
  return value;
}

function transferOf(row: TransferColumns): StoredTransfer {
  const deadline = row.fence_closes_at;
  return {
    id: row.id as OrderId,
    user: Number(row.user_id) as UserId,
    platform: row.platform as Platform,
    direction: row.direction as Direction,
    pocket: row.pocket,
    asset: row.asset,
    amount: money(row.amount),
    payloadHash: row.payload_hash,
    state: row.state,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(deadline === null ? {} : { deadlineAt: Number(deadline) as Millis }),
    lookups: row.looks,
    createdAt: Number(row.created_at) as Millis,
    updatedAt: Number(row.updated_at) as Millis,
  };
}

function testFundsOf(row: TestFundsColumns): StoredTestFunds {
  return {
    id: row.id as OrderId,
    user: Number(row.user_id) as UserId,
    asset: row.asset,
    amount: money(row.amount),
    payloadHash: row.payload_hash,
    state: row.state,
    createdAt: Number(row.created_at) as Millis,
    updatedAt: Number(row.updated_at) as Millis,
  };
}

function transferColumns(transfer: StoredTransfer): TransferColumns & { readonly [column: string]: unknown } {
  return {
    id: transfer.id,
    user_id: String(transfer.user),
    platform: transfer.platform,
    direction: transfer.direction,
    pocket: transfer.pocket,
    asset: transfer.asset,
    amount: formatAmount(transfer.amount),
    payload_hash: transfer.payloadHash,
    state: transfer.state,
    reason: transfer.reason ?? null,
    fence_closes_at: transfer.deadlineAt === undefined ? null : String(transfer.deadlineAt),
    looks: transfer.lookups,
    created_at: String(transfer.createdAt),
    updated_at: String(transfer.updatedAt),
  };
}

function testFundsColumns(funds: StoredTestFunds): TestFundsColumns & { readonly [column: string]: unknown } {
  return {
    id: funds.id,
    user_id: String(funds.user),
    asset: funds.asset,
    amount: formatAmount(funds.amount),
    payload_hash: funds.payloadHash,
    state: funds.state,
    created_at: String(funds.createdAt),
    updated_at: String(funds.updatedAt),
  };
}

const CURSOR = /^([0-9]{1,16})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Transfers and test funds in PostgreSQL. */
export function createMovementStore(database: Database): MovementStore {
  return {
    async transfer(id) {
      const rows = await database.query<TransferColumns>('select * from universal_transfers where id = $1', [
        id,
      ]);
      return rows[0] === undefined ? undefined : transferOf(rows[0]);
    },
    async movingTransfers() {
      const rows = await database.query<TransferColumns>(
        "select * from universal_transfers where state in ('pending', 'unknown') order by created_at",
      );
      return rows.map(transferOf);
    },
    async transferMoving(user, platform) {
      const [row] = await database.query<{ moving: boolean }>(
        `select exists (select from universal_transfers
           where user_id = $1 and platform = $2 and state in ('pending', 'unknown')) as moving`,
        [user, platform],
      );
      return row?.moving === true;
    },
    async transfers(user, page) {
      const [, time, id] = CURSOR.exec(page.cursor ?? '') ?? [];
      const rows = await database.query<TransferColumns>(
        `select * from universal_transfers where user_id = $1 and ($2::smallint is null or platform = $2)
         and ($3::bigint is null or (created_at, id) < ($3::bigint, $4::uuid))
         order by created_at desc, id desc limit $5`,
        [user, page.platform ?? null, time ?? null, id ?? null, page.limit + 1],
      );
      const shown = rows.slice(0, page.limit);
      const last = shown.at(-1);
      const found = { rows: shown.map(transferOf) };
      return rows.length > page.limit && last !== undefined
        ? { ...found, next: `${last.created_at}_${last.id}` }
        : found;
    },
    async testFunds(id) {
      const rows = await database.query<TestFundsColumns>('select * from test_funds where id = $1', [id]);
      return rows[0] === undefined ? undefined : testFundsOf(rows[0]);
    },
    async movingTestFunds() {
      const rows = await database.query<TestFundsColumns>(
        "select * from test_funds where state = 'pending' order by created_at",
      );
      return rows.map(testFundsOf);
    },
    async testFundsSince(user, since) {
      const rows = await database.query<{ sum: string }>(
        'select coalesce(sum(amount), 0)::text as sum from test_funds where user_id = $1 and created_at >= $2',
        [user, since],
      );
      return money(rows[0]?.sum ?? '0');
    },
    insertTransfer: (transfer) => ({ table: 'transfers.insert', row: transferColumns(transfer) }),
    updateTransfer: (transfer) => ({ table: 'transfers.update', row: transferColumns(transfer) }),
    insertTestFunds: (funds) => ({ table: 'test-funds.insert', row: testFundsColumns(funds) }),
    updateTestFunds: (funds) => ({ table: 'test-funds.update', row: testFundsColumns(funds) }),
  };
}
