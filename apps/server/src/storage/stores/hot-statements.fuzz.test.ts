import { appendFileSync } from 'node:fs';
import {
  amount,
  type Millis,
  type OrderId,
  type Platform,
  type UserId,
  type VenueIncome,
  type VenueOrderId,
} from '@crossbook/domain';
import { type AccountRef, type HoldId, holdId, transferId } from '@crossbook/ledger';
import { escapeLiteral } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredAlgo } from '../../trading/algo.ts';
import type { StoredFill, StoredOrder } from '../../trading/order.ts';
import type { StoredTargets } from '../../trading/targets.ts';
import { PostgresLedgerStore } from '../ledger/ledger-store.ts';
import { type Database, openDatabase, type SqlValue } from '../postgres/database.ts';
import { openTestDatabase, type TestDatabase } from '../testing.ts';
import { createEquityStore } from './equity-store.ts';
import { createMovementStore } from './movement-store.ts';
import { ALGO_WRITES, createAlgoStore } from './trading/algo-store.ts';
import { createContractStore } from './trading/contract-store.ts';
import { createOrderStore, TRADING_WRITES } from './trading/trading-store.ts';

/**
 * What every statement of a request reads, by the database's own counters: no table of the size of the business is read
 * from end to end, and no index is walked for more rows than a few times those answered. The plan that is really run is
 * judged, inside functions and triggers too, often enough that PostgreSQL may have gone over to its generic plan. What adds up
 * or filters all that a member ever did has no such bound: it waits for its turn (long-reads.ts).
 */

/** A million in the campaign, which takes its time; plans are the same from far fewer rows on. */
const ORDERS = { campaign: 1_000_000, full: 100_000 }[process.env.TEST_TIER ?? ''] ?? 30_000;
const FILLS_PER_ORDER = ORDERS > 30_000 ? 5 : 3;
/** Where figures and plans are written; the campaign asks for them. */
const REPORT = process.env.HOT_STATEMENTS_REPORT;
/** Custom plans are used five times before a generic one may take over. */
const TIMES = 8;
/** Rows that one run of a statement may read to answer a page of a hundred. */
const ROWS_READ_MAX = 500;
const BIG = [
  ...['orders', 'fills', 'ledger_transfers', 'ledger_holds', 'ledger_accounts', 'universal_transfers'],
  ...['contract_runs', 'closed_positions', 'contract_income', 'algo_orders', 'order_targets'],
];

/** A third of everything is hers; one order of a thousand is of the market that she trades seldom. */
const WHALE = 7 as UserId;
const PLATFORM = 1 as Platform;
const uuid = (kind: string, number: number | string) => `md5('${kind}' || ${number})::uuid`;

/**
 * Keys and indexes of the tables, taken off and put back: one sort each instead of a random place for every row, of which
 * most would have to be read from the disk first.
 */
const KEYS_OFF = `create temp table keys_off as
    select conrelid::regclass as on_table, conname::text as name, contype <> 'f' as first,
      pg_get_constraintdef(oid) as definition
    from pg_constraint where contype in ('p', 'u', 'f') and conrelid = any ($1::regclass[])
      or contype = 'f' and confrelid = any ($1::regclass[])
  union all
    select indrelid::regclass, indexrelid::regclass::text, true, pg_get_indexdef(indexrelid) from pg_index i
    where indrelid = any ($1::regclass[]) and not exists (select from pg_constraint where conindid = i.indexrelid)`;
const EACH_KEY = (order: string, statement: string) => `do $do$ declare k record; begin
    for k in select *, definition like 'CREATE%' as bare from keys_off order by first ${order} loop
      execute ${statement}; end loop; end $do$`;
const TAKE_OFF = EACH_KEY(
  'asc',
  `case when k.bare then 'drop index ' || k.name
    else format('alter table %s drop constraint %I', k.on_table, k.name) end`,
);
const PUT_BACK = EACH_KEY(
  'desc',
  `case when k.bare then k.definition
    else format('alter table %s add constraint %I %s', k.on_table, k.name, k.definition) end`,
);

async function fillTables(owner: Database): Promise<void> {
  const client = await owner.pool.connect();
  // Straight into the tables: guards and foreign keys would take an hour.
  await client.query('set session_replication_role = replica; set statement_timeout = 0');
  await client.query(`set maintenance_work_mem = '256MB'; set work_mem = '64MB'`);
  await client.query(KEYS_OFF.replaceAll('$1', `'{${BIG.join(',')}}'`));
  await client.query(TAKE_OFF);
  // Of every thousand orders fifty are those of one iceberg.
  await client.query(`insert into orders (id, user_id, platform, symbol_type, symbol, base, quote, side, order_type,
      time_in_force, price, quantity, send_type, send_time_in_force, send_price, payload_hash, hold_id, hold_asset,
      hold_amount, status, settled, created_at, updated_at, algo_id)
    select ${uuid('o', 'n')}, case when n % 3 = 0 then ${WHALE} else 100 + n % 1000 end, 1, 'SPOT',
      case when n % 999 = 0 then 'RAREUSDT' else 'BTCUSDT' end, 'BTC', 'USDT', 1, 1, 1, 50000, 1, 1, 1, 50000, 'x',
      ${uuid('h', 'n')}, 'USDT', 50000, case when n % 997 = 0 then 2 else 4 end, n % 997 <> 0, n, n,
      case when n % 1000 between 500 and 549 then ${uuid('a', '(n - n % 1000 + 500)')} end
    from generate_series(1, ${ORDERS}) n`);
  await client.query(`insert into fills (platform, symbol_type, symbol, trade_id, order_id, user_id, side, price,
      quantity, quote_quantity, fee, fee_asset, maker, filled_at)
    select 1, 'SPOT', case when n % 999 = 0 then 'RAREUSDT' else 'BTCUSDT' end, n || '-' || f, ${uuid('o', 'n')},
      case when n % 3 = 0 then ${WHALE} else 100 + n % 1000 end, 1, 50000, 0.1, 5000, 0, 'USDT', true, n
    from generate_series(1, ${ORDERS}) n, generate_series(1, ${FILLS_PER_ORDER}) f`);
  await client.query(`insert into ledger_accounts (key, class, owner, platform, asset, posted)
    select 'TRADING/' || u || '/1/' || a, 'TRADING', u, 1, a, 1000000
    from generate_series(1, ${Math.ceil(ORDERS / 10)}) u, unnest(array['USDT', 'BTC', 'ETH']) a order by u, a desc`);
  await client.query(`insert into ledger_accounts (key, class, counterparty, asset)
    values ('EXTERNAL/venue:1/USDT', 'EXTERNAL', 'venue:1', 'USDT')`);
  await client.query(`insert into ledger_holds (id, account, asset, amount, kind, paid, released)
    select ${uuid('h', 'n')}, 1 + 3 * (n % ${ORDERS / 10}), 'USDT', 50000, 'order-hold', 50000, n % 997 <> 0
    from generate_series(1, ${ORDERS}) n`);
  await client.query(`insert into ledger_transfers (id, unit, from_account, to_account, asset, amount, kind, hold)
    select ${uuid('t', "n || '-' || f")}, n, 1 + 3 * (n % ${ORDERS / 10}), (select max(id) from ledger_accounts), 'USDT',
      10000, 'fill', ${uuid('h', 'n')}
    from generate_series(1, ${ORDERS}) n, generate_series(1, ${FILLS_PER_ORDER}) f`);
  await client.query(`insert into universal_transfers (id, user_id, platform, direction, asset, amount, payload_hash,
      state, created_at, updated_at)
    select ${uuid('u', 'n')}, 100 + n % 1000, 1, 1, 'USDT', 1, 'x', 'done', n, n
    from generate_series(1, ${ORDERS / 2}) n`);
  // Ten contracts of everybody, of which few are held.
  await client.query(`insert into contract_runs (user_id, platform, symbol, effect, margin_mode, position_id, quantity,
      max_quantity, entry_quantity, entry_value, exit_quantity, exit_value, realised_pnl, fees, funding, leverage, opened_at)
    select 1 + n / 10, 1, 'C' || n % 10, 0, 'cross', ${uuid('p', 'n')}, case when n % 97 = 0 then 1 else 0 end,
      1, 1, 1, 0, 0, 0, 0, 0, 20, n from generate_series(1, ${ORDERS}) n`);
  await client.query(`insert into closed_positions (position_id, user_id, platform, symbol, effect, direction, margin_mode,
      leverage, max_quantity, entry_price, exit_price, realised_pnl, fees, funding, ended, opened_at, closed_at)
    select ${uuid('p', 'n')}, case when n % 3 = 0 then ${WHALE} else 100 + n % 1000 end, 1,
      case when n % 999 = 0 then 'RAREUSDT' else 'BTCUSDT' end, 0, 'long', 'cross', 20, 1, 1, 1, 0, 0, 0, 'closed', n, n
    from generate_series(1, ${ORDERS}) n`);
  await client.query(`insert into contract_income (platform, user_id, kind, income_id, symbol, effect, margin_mode, asset,
      amount, at)
    select 1, case when n % 3 = 0 then ${WHALE} else 100 + n % 1000 end, 'funding', n,
      case when n % 999 = 0 then 'RAREUSDT' else 'BTCUSDT' end, 0, 'cross', 'USDT', -1, n
    from generate_series(1, ${ORDERS}) n`);
  await client.query(
    `insert into contract_accounts (user_id, platform, income_until) values (${WHALE}, 1, 0)`,
  );
  // Every tenth order brought targets along, and has the legs of one part; hers are mostly over.
  const member = `case when n % 3 = 0 then ${WHALE} else 100 + n % 1000 end`;
  await client.query(`insert into order_targets (order_id, user_id, platform, stop_loss, placed, parts, ended, attached,
      created_at)
    select ${uuid('o', 'n')}, ${member}, 1, '{}', 1, 1, n % 9970 <> 0, false, n
    from generate_series(10, ${ORDERS}, 10) n`);
  await client.query(`insert into algo_orders (id, user_id, platform, symbol_type, symbol, base, quote, side, plan, quantity,
      time_in_force, effect, reduce_only, margin_mode, leverage, parent_id, payload_hash, hold_id, hold_asset, hold_amount,
      state, child_id, created_at, updated_at)
    select ${uuid('a', 'n')}, ${member}, 1, case when n % 2 = 0 then 'SWAP' else 'SPOT' end, case when n % 999 = 0 then 'RAREUSDT' else 'BTCUSDT' end, 'BTC', 'USDT', 2,
      '{"kind": "stop", "leg": {"trigger": {"price": "1", "by": "last"}}}', 1, 1,
      0, n % 2 = 0, case when n % 2 = 0 then 'cross' end, case when n % 2 = 0 then 20 end,
      case when n % 10 = 0 then ${uuid('o', 'n')} end, 'x', ${uuid('ah', 'n')}, 'BTC', 1,
      case when n % 9973 = 0 then 'waiting' else 'cancelled' end, null, n, n
    from generate_series(1, ${ORDERS}) n`);
  await client.query(PUT_BACK);
  await client.query('reset session_replication_role');
  for (const table of BIG) await client.query(`vacuum (analyze) ${table}`);
  client.release();
}

interface Reads {
  readonly scans: string;
  readonly fetched: string;
}

type Stores = {
  readonly orders: ReturnType<typeof createOrderStore>;
  readonly movements: ReturnType<typeof createMovementStore>;
  readonly equity: ReturnType<typeof createEquityStore>;
  readonly contracts: ReturnType<typeof createContractStore>;
  readonly algos: ReturnType<typeof createAlgoStore>;
  readonly ledger: PostgresLedgerStore;
};

let db: TestDatabase;
let ids: Readonly<Record<'order' | 'algo' | 'iceberg', OrderId>> & { readonly hold: HoldId };

beforeAll(async () => {
  db = await openTestDatabase();
  await fillTables(db.owner);
  const [row] = await db.owner.query<typeof ids>(
    `select ${uuid('o', 3)} as order, ${uuid('h', 3)} as hold, ${uuid('a', 3)} as algo,
       ${uuid('a', 500)} as iceberg`,
  );
  if (row !== undefined) ids = row;
}, 1_800_000);
afterAll(() => db.close());

async function counters(): Promise<ReadonlyMap<string, Reads>> {
  const gone = 'select pid from pg_stat_activity where datname = current_database() and usename = $1';
  // A backend hands in its counters when it ends.
  await expect.poll(async () => (await db.owner.query(gone, ['crossbook_app'])).length).toBe(0);
  const rows = await db.owner.query<Reads & { name: string }>(
    `select relname as name, seq_scan::text as scans, coalesce(idx_tup_fetch, 0)::text as fetched
     from pg_stat_user_tables where relname = any ($1)`,
    [BIG],
  );
  return new Map(rows.map((row) => [row.name, row]));
}

interface Seen {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** A value as the text of a statement has it; of a list all elements in quotes. */
function literalOf(value: SqlValue): string {
  if (value === null) return 'null';
  if (value instanceof Date) return escapeLiteral(value.toISOString());
  const text = Array.isArray(value)
    ? `{${value.map((one) => JSON.stringify(String(one))).join(',')}}`
    : String(value);
  return escapeLiteral(text);
}

/** The generic plan, as PostgreSQL runs it once a statement was asked often; on a connection whose reads are not counted. */
async function planOf({ text, values }: Seen): Promise<string> {
  const database = openDatabase({ address: db.database.address, connectionsMax: 1 });
  try {
    await database.query(`set plan_cache_mode = force_generic_plan; prepare hot as ${text}`);
    const given = values.map(literalOf);
    const run = given.length === 0 ? 'hot' : `hot(${given.join(', ')})`;
    const explain = 'explain (analyze, costs off, timing off, buffers off)';
    const rows = await database.query<{ 'QUERY PLAN': string }>(`${explain} execute ${run}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await database.close();
  }
}

/** Appends what one statement read and how it was planned to the report, where one is asked for. */
async function report(what: string, rowsRead: object, seen: ReadonlyMap<string, Seen>): Promise<void> {
  if (REPORT === undefined) return;
  const plans: string[] = [];
  for (const one of seen.values()) plans.push(await planOf(one));
  if (plans.length === 0) plans.push('inside the functions of the ledger');
  appendFileSync(
    REPORT,
    `## ${what}\n\nRows read: ${JSON.stringify(rowsRead)}\n\n\`\`\`\n${plans.join('\n\n')}\n\`\`\`\n\n`,
  );
}

/** Runs it often on connections of its own. @returns scans and rows fetched per run, of the tables that it touched. */
async function reads(
  run: (stores: Stores, time: number) => Promise<unknown>,
  what: string,
): Promise<Record<string, object>> {
  const before = await counters();
  const opened = openDatabase({ address: db.database.address, connectionsMax: 1 });
  const seen = new Map<string, Seen>();
  const database: Database = {
    ...opened,
    query: (statement, values = []) => {
      const text = typeof statement === 'string' ? statement : statement.text;
      seen.set(text, { text, values });
      return opened.query(statement, values);
    },
  };
  const ledger = new PostgresLedgerStore(database);
  for (const writes of [TRADING_WRITES, ALGO_WRITES]) ledger.register(writes);
  const stores = {
    orders: createOrderStore(database),
    movements: createMovementStore(database),
    equity: createEquityStore(database),
    contracts: createContractStore(database),
    algos: createAlgoStore(database),
    ledger,
  };
  try {
    for (let time = 0; time < TIMES; time += 1) await run(stores, time);
  } finally {
    await ledger.close();
    await database.close();
  }
  const found: Record<string, object> = {};
  const rowsRead: Record<string, number> = {};
  for (const [name, after] of await counters()) {
    const scans = Number(after.scans) - Number(before.get(name)?.scans ?? 0);
    const fetched = (Number(after.fetched) - Number(before.get(name)?.fetched ?? 0)) / TIMES;
    if (fetched > 0) rowsRead[name] = Math.round(fetched);
    if (scans > 0 || fetched > ROWS_READ_MAX) found[name] = { scans, fetched };
  }
  await report(what, rowsRead, seen);
  return found;
}

const PAGE = { limit: 100 };
const RARE = { ...PAGE, symbol: 'RAREUSDT' };
const wallet: AccountRef = { class: 'TRADING', user: WHALE, platform: PLATFORM, asset: 'USDT' };

const order = (time: number): StoredOrder => ({
  ...{
    id: crypto.randomUUID() as OrderId,
    user: WHALE,
    platform: PLATFORM,
    symbolType: 'SPOT',
    symbol: 'BTCUSDT',
  },
  ...{
    base: 'BTC',
    quote: 'USDT',
    side: 1,
    type: 1,
    timeInForce: 1,
    price: amount('2'),
    quantity: amount('1'),
  },
  ...{ sendType: 1, sendTimeInForce: 1, payloadHash: 'x', holdId: holdId('hot', time, crypto.randomUUID()) },
  ...{ holdAsset: 'USDT', holdAmount: amount('2'), status: 1, cancelPending: false, settled: false },
  ...{
    cumQuantity: amount('0'),
    cumQuote: amount('0'),
    lookups: 0,
    createdAt: 1 as Millis,
    updatedAt: 1 as Millis,
  },
});

async function lifeOfAnOrder({ ledger, orders }: Stores, time: number): Promise<void> {
  const made = order(time);
  const { holdId: hold, holdAmount } = made;
  const fill: StoredFill = {
    ...{
      tradeId: made.id,
      orderId: made.id,
      user: WHALE,
      platform: PLATFORM,
      symbolType: 'SPOT',
      symbol: 'BTCUSDT',
    },
    ...{ side: 1, price: amount('2'), quantity: amount('1'), quoteQuantity: amount('2'), fee: amount('0') },
    ...{ feeAsset: 'USDT', maker: true, time: 1 as Millis },
  };
  const to: AccountRef = { class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' };
  const pay = {
    do: 'post-held',
    id: transferId('hot', made.id),
    hold,
    to,
    amount: holdAmount,
    kind: 'fill',
  } as const;
  const units = [
    {
      commands: [{ do: 'hold', id: hold, account: wallet, amount: holdAmount, kind: 'order-hold' } as const],
      writes: [orders.insert(made)],
    },
    {
      commands: [pay, { do: 'release', hold } as const],
      writes: [orders.fill(fill), orders.progress({ ...made, status: 4, settled: true })],
    },
  ];
  for (const unit of units) expect(await ledger.commit(unit)).toMatchObject({ ok: true });
}

const stop = (time: number, part: Partial<StoredAlgo>): StoredAlgo => ({
  ...{ id: crypto.randomUUID() as OrderId, user: WHALE, platform: PLATFORM, symbolType: 'SPOT' },
  ...{ symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', side: 2, quantity: amount('1'), timeInForce: 1 },
  plan: { kind: 'stop', leg: { trigger: { price: amount('1'), by: 'last' } } },
  ...{ payloadHash: 'x', attempt: 0, holdId: holdId('hot algo', time, crypto.randomUUID()) },
  ...{ holdAsset: 'USDT', holdAmount: amount('0'), state: 'placing', unknown: false, cancelPending: false },
  ...{ executed: amount('0'), lookups: 0, createdAt: 1 as Millis, updatedAt: 1 as Millis },
  ...part,
});

/** Placed with its hold, waiting, changed for another amount, and cancelled. */
async function lifeOfAStop({ ledger, algos }: Stores, time: number): Promise<void> {
  const made = stop(time, { holdAmount: amount('2') });
  const next = holdId('hot algo', made.holdId, 'next');
  const hold = (id: HoldId) =>
    ({ do: 'hold', id, account: wallet, amount: made.holdAmount, kind: 'order-hold' }) as const;
  const changed = { ...made, state: 'waiting', holdId: next } as const;
  const units = [
    { commands: [hold(made.holdId)], writes: [algos.insert(made)] },
    { commands: [], writes: [algos.progress({ ...made, state: 'waiting' })] },
    {
      commands: [{ do: 'release', hold: made.holdId } as const, hold(next)],
      writes: [algos.progress(changed)],
    },
    {
      commands: [{ do: 'release', hold: next } as const],
      writes: [algos.progress({ ...changed, state: 'cancelled' })],
    },
  ];
  for (const unit of units) expect(await ledger.commit(unit)).toMatchObject({ ok: true });
}

/** An order with targets, and the two legs of all that it filled. */
async function lifeOfABracket({ ledger, orders, algos }: Stores, time: number): Promise<void> {
  const made = order(time);
  const { id, holdId: hold, holdAmount } = made;
  const targets: StoredTargets = {
    ...{
      order: id,
      user: WHALE,
      platform: PLATFORM,
      stopLoss: { trigger: { price: amount('1'), by: 'last' } },
    },
    ...{ placed: amount('0'), parts: 0, attached: false, ended: false, createdAt: 1 as Millis },
  };
  const contract = { side: 0, marginMode: 'cross', reduceOnly: true, leverage: 20 } as const;
  const legs = [1, 2].map(() => stop(time, { parent: id, symbolType: 'SWAP', contract }));
  const units = [
    {
      commands: [{ do: 'hold', id: hold, account: wallet, amount: holdAmount, kind: 'order-hold' } as const],
      writes: [orders.insert(made), algos.targets.insert(targets)],
    },
    {
      commands: [{ do: 'release', hold } as const],
      writes: [
        ...legs.map((leg) => algos.insert(leg)),
        algos.targets.progress({ ...targets, placed: amount('1'), parts: 1, ended: true }),
        orders.progress({ ...made, status: 3, settled: true }),
      ],
    },
    { commands: [], writes: legs.map((leg) => algos.progress({ ...leg, state: 'cancelled' })) },
  ];
  for (const unit of units) expect(await ledger.commit(unit)).toMatchObject({ ok: true });
}

/** Held for once, paid out of by two orders, and ended after both. */
async function lifeOfAnIceberg({ ledger, orders, algos }: Stores, time: number): Promise<void> {
  const made = stop(time, { side: 1, holdAmount: amount('4') });
  const { holdId: hold, holdAmount } = made;
  const to: AccountRef = { class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' };
  const slices = [1, 2].map(
    () => ({ ...order(time), algoId: made.id, holdId: hold, sharesHold: true }) as const,
  );
  const units = [
    {
      commands: [{ do: 'hold', id: hold, account: wallet, amount: holdAmount, kind: 'order-hold' } as const],
      writes: [algos.insert(made)],
    },
    { commands: [], writes: slices.flatMap((slice) => [orders.insert(slice), orders.progress(slice)]) },
    ...slices.map((slice) => ({
      commands: [
        {
          ...({ do: 'post-held', id: transferId('hot', slice.id), hold, to, kind: 'fill' } as const),
          amount: slice.holdAmount,
        },
      ],
      writes: [orders.progress({ ...slice, status: 4, settled: true })],
    })),
    {
      commands: [{ do: 'release', hold } as const],
      writes: [algos.progress({ ...made, state: 'cancelled' })],
    },
  ];
  for (const unit of units) expect(await ledger.commit(unit)).toMatchObject({ ok: true });
}

describe('statements of a request read no more than they answer', () => {
  test.each<[string, (stores: Stores, time: number) => Promise<unknown>]>([
    ['an order', ({ orders }) => orders.byId(ids.order)],
    ['open orders of a market', ({ orders }) => orders.openOf(WHALE, PLATFORM, { symbol: 'RAREUSDT' })],
    [
      'orders of a member that are not settled',
      ({ orders }) => orders.unsettledOf({ user: 105 as UserId, platform: 1 }),
    ],
    ['history', ({ orders }) => orders.history(WHALE, PLATFORM, PAGE)],
    ['history of a market traded seldom', ({ orders }) => orders.history(WHALE, PLATFORM, RARE)],
    [
      'the end of a long history',
      ({ orders }) => orders.history(WHALE, PLATFORM, { ...PAGE, cursor: `500_${ids.order}` }),
    ],
    ['fills', ({ orders }) => orders.fills(WHALE, PLATFORM, PAGE)],
    ['fills of a market traded seldom', ({ orders }) => orders.fills(WHALE, PLATFORM, RARE)],
    ['the end of long fills', ({ orders }) => orders.fills(WHALE, PLATFORM, { ...PAGE, cursor: '1500' })],
    [
      'fills of an order, asked by a member',
      ({ orders }) => orders.fills(WHALE, PLATFORM, { ...PAGE, orderId: ids.order }),
    ],
    ['fills of an order', ({ orders }) => orders.fillsOfOrder(ids.order)],
    [
      'what the fills of a page of orders cost',
      async ({ orders }) => {
        const page = await orders.history(WHALE, PLATFORM, PAGE);
        return orders.feesOf(page.rows.map(({ id }) => id));
      },
    ],
    ['what the orders of an iceberg come to', ({ orders }) => orders.ofIceberg(ids.iceberg)],
    ['a transfer', ({ movements }) => movements.transfer(ids.order)],
    ['whether a transfer moves', ({ movements }) => movements.transferMoving(105 as UserId, PLATFORM)],
    ['transfers that move', ({ movements }) => movements.movingTransfers()],
    [
      'transfers of a member',
      ({ movements }) => movements.transfers(105 as UserId, { ...PAGE, platform: PLATFORM }),
    ],
    ['a wallet', ({ ledger }) => ledger.tradingBalances(WHALE, PLATFORM)],
    ['funding', ({ ledger }) => ledger.fundingBalances(WHALE)],
    ['an account', ({ ledger }) => ledger.balanceOf(wallet)],
    ['a hold', ({ ledger }) => ledger.holdState(ids.hold)],
    [
      'a statement of the busiest account',
      ({ ledger }) => ledger.statement({ class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' }, 100),
    ],
    ['equity', ({ equity }) => equity.reading(WHALE, 0 as Millis)],
    ['accounts with something open on contracts', ({ contracts }) => contracts.exposed(100)],
    [
      'the next of them',
      ({ contracts }) => contracts.exposed(100, { user: 105 as UserId, platform: PLATFORM }),
    ],
    [
      'which of some accounts have something open on contracts',
      ({ contracts }) =>
        contracts.exposedAmong(Array.from({ length: 100 }, (_, at) => ({ user: at as UserId, platform: 1 }))),
    ],
    ['orders of a member that wait', ({ algos }) => algos.openOf(105 as UserId, { platform: PLATFORM })],
    ['all orders that wait', ({ algos }) => algos.open()],
    ['whose they are', ({ algos }) => algos.openOwners()],
    ['an order that waits', ({ algos }) => algos.byId(ids.algo)],
    ['the legs of an order', ({ algos }) => algos.ofParent(ids.order)],
    ['history of those that waited', ({ algos }) => algos.page(WHALE, PAGE)],
    ['targets of an order', ({ algos }) => algos.targets.byOrder(ids.order)],
    ['orders whose targets are not all placed', ({ algos }) => algos.targets.open()],
    [
      'those of a member whose legs an exchange makes',
      ({ algos }) => algos.targets.attachedTo({ user: WHALE, platform: PLATFORM }, 'BTCUSDT'),
    ],
    [
      'positions that lack legs',
      ({ algos }) => algos.targets.unprotected({ user: WHALE, platform: PLATFORM }),
    ],
    ['positions of a member', ({ contracts }) => contracts.booked({ user: 105 as UserId, platform: 1 })],
    ['positions that are over', ({ contracts }) => contracts.closed({ user: WHALE }, PAGE)],
    [
      'positions of a contract that ended lately',
      ({ contracts }) =>
        contracts.closedSince({ user: WHALE, platform: PLATFORM }, 'RAREUSDT', {
          ...{ since: 0 as Millis, count: '0' },
        }),
    ],
    ['payments of funding', ({ contracts }) => contracts.funding({ user: WHALE }, PAGE)],
    [
      'which entries of a list of income are booked',
      ({ contracts }) =>
        contracts.knownIncome(
          { user: WHALE, platform: PLATFORM },
          Array.from({ length: 100 }, (_, at) => ({ id: `${at * 3}` }) as VenueIncome),
        ),
    ],
    ['orders of all exchanges', ({ contracts }) => contracts.orders({ user: WHALE }, PAGE)],
    [
      'those of a market traded seldom',
      ({ contracts }) => contracts.orders({ user: WHALE, symbol: 'RAREUSDT' }, PAGE),
    ],
    [
      'those of all exchanges that stand so',
      ({ contracts }) => contracts.orders({ user: WHALE, status: 2 }, PAGE),
    ],
    [
      'those of one exchange that stand so',
      ({ contracts }) =>
        contracts.orders({ user: WHALE, platform: PLATFORM, symbolType: 'SPOT', status: 2 }, PAGE),
    ],
    [
      'those of a market traded seldom that stand so',
      ({ contracts }) => contracts.orders({ user: WHALE, symbol: 'RAREUSDT', status: 4 }, PAGE),
    ],
    [
      'an order by the id of the exchange',
      ({ orders }) => orders.ofVenueId({ user: WHALE, platform: PLATFORM }, 'v3' as VenueOrderId),
    ],
    [
      'when positions of a member last agreed',
      ({ contracts }) => contracts.agreedAt({ user: WHALE, platform: PLATFORM }),
    ],
    [
      'what waits though its position is gone',
      ({ algos }) => algos.withoutPosition(100, { platform: PLATFORM }),
    ],
    [
      'the same of a contract of a member',
      ({ algos }) => algos.withoutPosition(100, { platform: PLATFORM, user: WHALE, symbol: 'RAREUSDT' }),
    ],
    ['an order that is held, filled and settled', lifeOfAnOrder],
    ['an order that waits, is changed and cancelled', lifeOfAStop],
    ['an order with its legs', lifeOfABracket],
    ['an iceberg, two of its orders, and its end', lifeOfAnIceberg],
  ])('%s', async (what, run) => {
    expect(await reads(run, what)).toEqual({});
  });

  test('a plan is told of whatever a statement takes', async () => {
    const values = [[1, 2], ['it\'s "so"', 'a,b'], null, new Date(0), 'text'];
    const text = 'select from unnest($1::bigint[], $2::text[]), (select $3::text, $4::timestamptz, $5::text)';
    expect(await planOf({ text, values })).toContain('actual rows=2');
  });

  test('the counters see what they must: a table read from end to end is found', async () => {
    const found = await reads(async ({ orders }) => {
      await orders.byId(ids.order);
      const database = openDatabase({ address: db.database.address, connectionsMax: 1 });
      await database.query(`select count(*) from orders where payload_hash <> 'x'`);
      await database.close();
    }, 'a table read from end to end, on purpose');
    expect(found).toMatchObject({ orders: { scans: TIMES } });
  });
});
