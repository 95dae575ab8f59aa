import type { PlatformType } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { readMigrations } from '../../apps/server/src/storage/migrations/migrations.ts';
import {
  JOURNAL_BEGIN,
  newestSeals,
  verifyJournals,
} from '../../apps/server/src/storage/stores/journal-seals.ts';
import type { TestDatabase } from '../../apps/server/src/storage/testing.ts';
import { until } from './hub-process.ts';
import {
  type Installation,
  type KeptDatabase,
  openInstallation,
  readFixture,
} from './installations/installation.ts';

/** A data folder of an earlier version starts under this one with equal balances, orders and journal. */

const NAME = 'installation-0.1.0';

type Row = Readonly<Record<string, unknown>>;

interface Expected {
  readonly members: readonly {
    readonly email: string;
    readonly label: string;
    readonly platformType: PlatformType;
    readonly platform: 1 | 2 | 3;
    readonly trading: readonly Row[];
    readonly funding: readonly Row[];
    readonly orders: readonly Row[];
    readonly open: readonly Row[];
    readonly fills: readonly Row[];
    readonly transfers: readonly Row[];
    /** Free and locked by asset of the member's account at the venue. */
    readonly venue: Readonly<Record<string, { readonly free: string; readonly locked: string }>>;
  }[];
  /** The operator's own account by platform. */
  readonly master: Readonly<Record<string, Expected['members'][number]['venue']>>;
}

const kept = readFixture<KeptDatabase>(NAME, 'database.json');
const expected = readFixture<Expected>(NAME, 'expected.json');
const SLUGS = { 1: 'binance', 2: 'okx', 3: 'bybit' } as const;

/** The money of the database: every account, hold and transfer of the ledger. */
async function ledgerOf({ owner }: TestDatabase): Promise<readonly (readonly unknown[])[]> {
  return Promise.all([
    owner.query('select key, posted::text, held::text from ledger_accounts order by key'),
    owner.query('select id::text, amount::text, paid::text, released from ledger_holds order by id'),
    owner.query('select id::text, amount::text, kind, hold::text from ledger_transfers order by id'),
  ]);
}

let installation: Installation;
let before: readonly (readonly unknown[])[];

beforeAll(async () => {
  installation = await openInstallation(NAME, {
    before: async (database) => {
      before = await ledgerOf(database);
    },
  });
});

afterAll(() => installation?.stop());

async function fundsOf(platform: 1 | 2 | 3, label: string): Promise<Row> {
  const answer = await fetch(`${installation.simulator.ready.admin}/balances`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ venue: SLUGS[platform], label }),
  });
  const { balances } = (await answer.json()) as {
    readonly balances: readonly { readonly asset: string; readonly free: string; readonly locked: string }[];
  };
  return Object.fromEntries(balances.map(({ asset, free, locked }) => [asset, { free, locked }]));
}

describe('an installation of version 0.1.0', () => {
  test('has every migration of this version', async () => {
    const rows = await installation.database.owner.query<{ name: string }>(
      'select name from schema_migrations order by number',
    );
    expect(rows.map(({ name }) => name)).toEqual(readMigrations().map(({ name }) => name));
  });

  test.each(expected.members)(
    '$email finds balances, orders, fills and transfers as they were',
    async (was) => {
      const { platformType } = was;
      const member = new TestBrowser(installation.hub.ready.url);
      expect(await member.logIn(was.email)).toMatchObject({ code: 1 });
      const { data: trading } = await member.call('connexfunding/tradingbalance', { platformType });
      expect(trading).toHaveLength(was.trading.length);
      expect(trading).toMatchObject(was.trading);
      const { data: funding } = await member.call('connexfunding/fundingbalance', {});
      expect(funding).toEqual(was.funding);
      const { data: orders } = await member.call('connextrade/OrderHistory', { platformType });
      expect(orders?.rows).toHaveLength(was.orders.length);
      expect(orders?.rows).toMatchObject(was.orders);
      const { data: open } = await member.call('connextrade/CurOrderList', { platformType });
      expect(open).toHaveLength(was.open.length);
      expect(open).toMatchObject(was.open);
      const { data: fills } = await member.call('x/trade/Fills', { platformType });
      expect(fills?.rows).toHaveLength(was.fills.length);
      expect(fills?.rows).toMatchObject(was.fills);
      const { data: transfers } = await member.call('connexfunding/UniversalTransferHistory', {});
      expect(transfers?.rows).toHaveLength(was.transfers.length);
      expect(transfers?.rows).toMatchObject(was.transfers);
      expect(await fundsOf(was.platform, was.label)).toEqual(was.venue);
    },
  );

  test("the operator's accounts hold what they held", async () => {
    expect(await fundsOf(1, 'master')).toEqual(expected.master['1']);
    expect(await fundsOf(2, 'master')).toEqual(expected.master['2']);
    expect(await fundsOf(3, 'master')).toEqual(expected.master['3']);
  });

  test('the ledger has the same accounts, holds and transfers', async () => {
    expect(before.map((rows) => rows.length)).toEqual(
      ['ledger_accounts', 'ledger_holds', 'ledger_transfers'].map((name) => kept.tables[name]?.length),
    );
    expect(await ledgerOf(installation.database)).toEqual(before);
  });

  test('what was asked for and moved then is sealed in the audit log by now, and is as it was sealed', async () => {
    const { owner, database } = installation.database;
    await until(
      () => newestSeals(database),
      ({ at, waiting }) => at !== undefined && waiting === 0,
    );
    const kinds = await owner.query<{ kind: string; rows: number }>(
      `select kind, count(*)::int as rows from money_decisions where kind in ('order', 'transfer', 'test-funds')
       group by kind order by kind`,
    );
    expect(kinds).toEqual([
      { kind: 'order', rows: kept.tables.orders?.length },
      { kind: 'test-funds', rows: kept.tables.test_funds?.length },
      { kind: 'transfer', rows: kept.tables.universal_transfers?.length },
    ]);
    const { broken, place } = await verifyJournals(owner, JOURNAL_BEGIN, {
      rowsMax: Number.POSITIVE_INFINITY,
    });
    expect(broken).toBeUndefined();
    expect(place.until.transfers).toBeGreaterThanOrEqual(kept.tables.ledger_transfers?.length ?? 0);
  });

  test('a resting order of then can be cancelled now, and gives back what it held', async () => {
    const [was] = expected.members;
    if (was === undefined) throw new Error('the fixture has no member');
    const { platformType } = was;
    const member = new TestBrowser(installation.hub.ready.url);
    await member.logIn(was.email);
    const { data: open } = await member.call('connextrade/CurOrderList', { platformType });
    for (const { orderId } of open ?? []) {
      expect(await member.call('connextrade/CancelOrder', { platformType, orderId })).toMatchObject({
        code: 1,
      });
    }
    expect(open).toHaveLength(2);
    await until(
      async () => (await member.call('connexfunding/tradingbalance', { platformType })).data,
      (trading) => trading?.every(({ locked }) => locked === '0') === true,
    );
  });

  test('a member of then opens and closes a contract now: tables that were not there are, and are empty', async () => {
    const was = expected.members.find(({ platform }) => platform === 1);
    if (was === undefined) throw new Error('the fixture has no member at the first venue');
    const tables = [
      'contract_accounts',
      'contract_runs',
      'closed_positions',
      'contract_income',
      'setting_changes',
    ];
    for (const table of tables)
      expect(await installation.database.owner.query(`select * from ${table}`)).toEqual([]);
    const contract = { platformType: was.platformType, symbol: 'BTCUSDT' } as const;
    const member = new TestBrowser(installation.hub.ready.url);
    await member.logIn(was.email);
    const move = { platformType: was.platformType, direction: 3, asset: 'USDT', amount: '100' } as const;
    expect(await member.call('connexfunding/UniversalTransfer', move)).toMatchObject({ code: 1 });
    await until(
      async () => (await member.call('connexfunding/UniversalTransferHistory', {})).data?.rows ?? [],
      (rows) => rows.every(({ state }) => state === 'done'),
    );
    const { data: setting } = await member.call('connextrade/SetLeverage', {
      ...contract,
      leverage: 10,
      effect: 0,
    });
    expect(setting).toMatchObject({ leverageLong: 10 });
    const order = { ...contract, tinstType: 2, side: 1, orderType: 2, quantity: '0.002' } as const;
    const seen = { marginMode: 'cross', leverage: 10 } as const;
    const placed = await member.call('connextrade/PlaceOrder', { ...order, ...seen });
    expect(placed).toMatchObject({ code: 1, data: { status: 4 } });
    const closed = await member.call('connextrade/ClosePosition', { ...contract, effect: 0 });
    expect(closed).toMatchObject({ code: 1, data: { outcome: 'sent' } });
    const history = await until(
      async () => (await member.call('connextrade/PositionHistory', {})).data?.rows ?? [],
      (rows) => rows.length > 0,
    );
    expect(history).toMatchObject([{ direction: 'long', maxQuantity: '0.002', ended: 'closed' }]);
  });
});
