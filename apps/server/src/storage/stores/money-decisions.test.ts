import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openedForEach } from '../../../../../tests/opened.ts';
import { MIGRATIONS_DIRECTORY } from '../migrations/migrations.ts';
import { clientConfig } from '../postgres/database.ts';
import { openTestDatabase } from '../testing.ts';
import { MOVEMENT_WRITES } from './movement-store.ts';
import { ALGO_WRITES } from './trading/algo-store.ts';
import { SETTING_WRITES } from './trading/setting-store.ts';
import { TRADING_WRITES } from './trading/trading-store.ts';

const db = openedForEach(openTestDatabase);

const ID = '01930000-0000-7000-8000-000000000001';
const OTHER = '01930000-0000-7000-8000-000000000002';
const MOMENTS = { created_at: 5, updated_at: 5 };
const WHOSE = { id: ID, user_id: 100001, platform: 1, payload_hash: 'asked', ...MOMENTS };
const MARKET = {
  symbol_type: 'SPOT',
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
  side: 1,
  time_in_force: 1,
};
const HOLD = { hold_id: OTHER, hold_asset: 'USDT', hold_amount: '60' };
const ORDER = {
  ...{
    ...WHOSE,
    ...MARKET,
    ...HOLD,
    order_type: 1,
    cause: 'order',
    price: '60000',
    quantity: '0.001',
    status: 1,
    leverage: null,
  },
  ...{
    send_type: 1,
    send_time_in_force: 1,
    send_price: '60000',
    effect: 0,
    reduce_only: false,
    shares_hold: false,
  },
  ...{ cancel_pending: false, settled: false, cum_quantity: '0', cum_quote: '0', looks: 0 },
};
const ALGO = {
  ...{
    ...WHOSE,
    ...MARKET,
    ...HOLD,
    plan: { at: '59000' },
    quantity: '0.001',
    effect: 0,
    reduce_only: false,
  },
  ...{ attempt: 0, state: 'placing', unknown: false, cancel_pending: false, lookups: 0, executed: '0' },
};

const sqlOf = (statement: string | { readonly sql: string } | undefined): string =>
  typeof statement === 'object' ? statement.sql : (statement ?? '');
/** As the server's role writes it. */
const write = (statement: string | { readonly sql: string } | undefined, row: object) =>
  db.database.query(sqlOf(statement), [JSON.stringify([row])]);
const decisions = () =>
  db.owner.query<{ kind: string; facts: Record<string, unknown> }>(
    'select kind, at::text, member::text, subject, facts from money_decisions order by id',
  );

const MOVEMENT = { ...WHOSE, asset: 'USDT', amount: '25', state: 'pending', looks: 0 };
const ASKED: readonly (readonly [
  kind: string,
  statement: Parameters<typeof write>[0],
  row: object,
  facts: object,
])[] = [
  [
    'order',
    TRADING_WRITES['orders.insert'],
    ORDER,
    { symbol: 'BTCUSDT', price: 60_000, quantity: 0.001, hold_amount: 60 },
  ],
  ['algo-order', ALGO_WRITES['algo-orders.insert'], ALGO, { plan: { at: '59000' }, quantity: 0.001 }],
  [
    'transfer',
    MOVEMENT_WRITES['transfers.insert'],
    { ...MOVEMENT, direction: 1, pocket: 'spot' },
    { amount: 25, direction: 1 },
  ],
  ['test-funds', MOVEMENT_WRITES['test-funds.insert'], MOVEMENT, { asset: 'USDT', amount: 25 }],
  [
    'setting',
    SETTING_WRITES['setting-changes.insert'],
    { ...WHOSE, symbol: 'BTCUSDT', change: { leverage: 20 }, state: 'asked', lookups: 0 },
    { change: { leverage: 20 } },
  ],
];

describe('what a member decides about money', () => {
  test.each(ASKED)(
    '%s: is a row of the journal, written with it, without the state it is in',
    async (kind, statement, row, facts) => {
      await write(statement, row);
      expect(await decisions()).toEqual([
        { kind, at: '5', member: '100001', subject: ID, facts: expect.objectContaining(facts) },
      ]);
      const [decision] = await decisions();
      for (const progress of ['status', 'state', 'updated_at', 'settled', 'looks', 'lookups', 'user_id'])
        expect(decision?.facts).not.toHaveProperty(progress);
    },
  );

  test('orders that one statement writes are a row each, in their order', async () => {
    const ids = [OTHER, ID];
    const rows = ids.map((id) => ({ ...ORDER, id, hold_id: id }));
    await db.database.query(sqlOf(TRADING_WRITES['orders.insert']), [JSON.stringify(rows)]);
    await db.database.query(sqlOf(TRADING_WRITES['orders.progress']), [
      JSON.stringify(rows.map((row) => ({ ...row, status: 2 }))),
    ]);
    expect(await decisions()).toMatchObject(
      ids.map((id) => ({ kind: 'order', subject: id, facts: { hold_id: id, symbol: 'BTCUSDT' } })),
    );
  });

  test('every kind that a trigger writes is one of these, and nobody else writes any', async () => {
    const triggers = await db.owner.query<{ kind: string }>(
      `select split_part(encode(t.tgargs, 'escape'), '\\000', 1) as kind from pg_trigger t join pg_proc p on p.oid = t.tgfoid
        where p.proname in ('money_decided', 'money_decided_anew') order by 1`,
    );
    expect(triggers.map(({ kind }) => kind)).toEqual([
      ...['algo-order', 'algo-order-cancel', 'algo-order-change', 'order', 'order-cancel', 'order-change'],
      ...['setting', 'targets', 'test-funds', 'transfer'],
    ]);
    await expect(
      db.database.query(
        `insert into money_decisions (at, member, kind, subject, facts) values (1, 1, 'order', '${ID}', '{}')`,
      ),
    ).rejects.toThrow(/permission denied/);
  });

  const PARTS = [
    { trigger: { price: '61000', by: 'last' }, quantity: '2' },
    { trigger: { price: '62000', by: 'last' }, quantity: '3' },
  ];
  const TRAILING = { ratio: '0.01', by: 'last' };
  const PROGRESS = { placed: '0', parts: 0, ended: false, attached: false };
  const writeTargets = async (targets: object) => {
    await write(TRADING_WRITES['orders.insert'], ORDER);
    const row = { order_id: ID, user_id: 100001, platform: 1, created_at: 5, ...PROGRESS };
    await write(ALGO_WRITES['order-targets.insert'], { ...row, ...targets });
  };

  test.each([
    ['a stop', { stop_loss: { at: '58000' } }],
    ['several take-profits and a stop', { take_profits: PARTS, stop_loss: { at: '58000' } }],
    ['a trailing stop', { trailing_stop: TRAILING }],
  ])('%s that comes with an order is one too', async (_claim, targets) => {
    await writeTargets(targets);
    const [, decision] = await decisions();
    expect(decision).toMatchObject({ kind: 'targets', subject: ID });
    expect(decision?.facts).toMatchObject(targets);
    for (const progress of Object.keys(PROGRESS).slice(0, 3))
      expect(decision?.facts).not.toHaveProperty(progress);
  });

  test.each([
    ['nothing', {}],
    ['a take-profit and several', { take_profit: { at: '61000' }, take_profits: PARTS }],
    ['a trailing stop beside a stop', { trailing_stop: TRAILING, stop_loss: { at: '58000' } }],
  ])('%s is no row of targets', async (_claim, targets) => {
    await expect(writeTargets(targets)).rejects.toThrow(/order_targets_(some|one_kind)/);
  });

  test('a change and a cancel of an order are rows of their own; what the exchange says of it is none', async () => {
    await write(TRADING_WRITES['orders.insert'], ORDER);
    const progress = (changed: object) => write(TRADING_WRITES['orders.progress'], { ...ORDER, ...changed });
    await progress({ status: 2 });
    const amended = { ...ORDER, amend_price: '61000', amend_quantity: '0.002', updated_at: 6 };
    await write(TRADING_WRITES['orders.amend'], amended);
    await write(TRADING_WRITES['orders.amend'], {
      ...amended,
      amend_deadline_at: 9,
      amend_lookups: 1,
      updated_at: 7,
    });
    await write(TRADING_WRITES['orders.amend'], {
      ...ORDER,
      price: '61000',
      quantity: '0.002',
      updated_at: 8,
    });
    await progress({ status: 2, cancel_pending: true, updated_at: 9 });
    await progress({ status: 3, cancel_pending: true, settled: true, updated_at: 10 });
    expect((await decisions()).slice(1)).toMatchObject([
      { kind: 'order-change', at: '6', subject: ID, facts: { amend_price: 61_000, amend_quantity: 0.002 } },
      { kind: 'order-cancel', at: '9', subject: ID, facts: {} },
    ]);
  });

  test('so are those of an order that waits', async () => {
    await write(ALGO_WRITES['algo-orders.insert'], ALGO);
    const progress = (changed: object) => write(ALGO_WRITES['algo-orders.progress'], { ...ALGO, ...changed });
    await progress({ state: 'waiting' });
    await progress({ state: 'placing', attempt: 1, plan: { at: '57000' }, updated_at: 6 });
    await progress({
      state: 'waiting',
      attempt: 1,
      plan: { at: '57000' },
      cancel_pending: true,
      updated_at: 7,
    });
    await progress({
      state: 'cancelled',
      attempt: 1,
      plan: { at: '57000' },
      cancel_pending: true,
      updated_at: 8,
    });
    expect((await decisions()).slice(1)).toMatchObject([
      { kind: 'algo-order-change', at: '6', facts: { plan: { at: '57000' }, attempt: 1 } },
      { kind: 'algo-order-cancel', at: '7', facts: {} },
    ]);
  });

  test('and all of it is there after the migration, once, for what was decided before', async () => {
    for (const [, statement, row] of ASKED) await write(statement, row);
    const before = await db.owner.query('select kind, at::text, subject, member::text from money_decisions');
    const client = new pg.Client(clientConfig(db.ownerAddress));
    await client.connect();
    // As the database was before.
    await client.query('drop table money_decisions, journal_seals cascade');
    await client.query('drop function money_decided, money_decided_anew cascade');
    await client.query(readFileSync(join(MIGRATIONS_DIRECTORY, '0089-journal-seals', 'up.sql'), 'utf8'));
    await client.end();
    const rows = await decisions();
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual(ASKED.map(([kind]) => kind).toSorted());
    const after = await db.owner.query('select kind, at::text, subject, member::text from money_decisions');
    expect(after).toEqual(expect.arrayContaining([...before]));
    for (const [kind, , , facts] of ASKED)
      expect(rows.find((row) => row.kind === kind)?.facts).toMatchObject(facts);
  });
});
