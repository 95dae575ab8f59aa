import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing.ts';
import { migrate, readMigrations } from './migrations.ts';

/** The last migration of a version that traded contracts without 0018. */
const THEN = '0016-positions';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
  const { owner, ownerAddress } = database;
  await owner.query('drop schema public cascade');
  await owner.query('create schema public');
  await owner.query('grant usage on schema public to public');
  const all = readMigrations();
  await migrate(ownerAddress, all.slice(0, all.findIndex(({ name }) => name === THEN) + 1));
});
afterEach(() => database.close());

const ORDER = '01890000-0000-7000-8000-00000000000';

interface Part {
  readonly pnl?: string;
  readonly effect?: 0 | 1;
  readonly platform?: 1 | 3;
  readonly mode?: 'cross' | 'isolated';
}

/** A fill of 1 at 100 with a fee of 0.05 by an order of its own. */
async function fill(at: number, side: 1 | 2, part: Part = {}) {
  const { pnl = '0', effect = 1, platform = 1, mode = 'cross' } = part;
  await database.owner.query(
    `insert into orders (id, user_id, platform, symbol_type, symbol, base, quote, side, order_type, time_in_force, quantity,
        send_type, send_time_in_force, effect, margin_mode, leverage, payload_hash, hold_id, hold_asset, hold_amount, status,
        cancel_pending, settled, cum_quantity, cum_quote, looks, created_at, updated_at)
      values ($1, 7, $5, 'SWAP', 'BTCUSDT', 'BTC', 'USDT', $2, 2, 1, 1, 2, 1, $4, $6, 10, 'x', $1, 'USDT', 0, 4,
        false, true, 1, 100, 0, $3, $3)`,
    [`${ORDER}${at}`, side, at, effect, platform, mode],
  );
  await database.owner.query(
    `insert into fills (platform, symbol_type, symbol, trade_id, order_id, user_id, side, price, quantity, quote_quantity, fee,
        fee_asset, maker, filled_at, effect, margin_mode, realised_pnl, cause)
      values ($6, 'SWAP', 'BTCUSDT', $1::text, $2, 7, $3, 100, 1, 100, 0.05, 'USDT', false, $1::bigint, $4, $7, $5, 'trade')`,
    [at, `${ORDER}${at}`, side, effect, pnl, platform, mode],
  );
}

const closed = () =>
  database.owner.query(
    `select direction, trim_scale(max_quantity)::text as max, trim_scale(realised_pnl - fees + funding)::text as net,
      opened_at::int as opened, closed_at::int as closed from closed_positions order by sequence`,
  );
const runs = () => database.owner.query('select trim_scale(quantity)::text as quantity from contract_runs');

test('positions of the version before stand, and a fill that comes late is put in its place', async () => {
  await fill(1, 1);
  await fill(2, 2, { pnl: '3' });
  // The answer to what opened at 3 was lost: what closed it was booked first, and had nothing to close.
  await fill(4, 2, { pnl: '-1' });
  const before = await closed();
  expect(before).toEqual([{ direction: 'long', max: '1', net: '2.9', opened: 1, closed: 2 }]);
  await migrate(database.ownerAddress, readMigrations());
  expect([await closed(), await runs()]).toEqual([before, [{ quantity: '0' }]]);
  await fill(3, 1);
  expect(await closed()).toEqual([
    ...before,
    { direction: 'long', max: '1', net: '-1.1', opened: 3, closed: 4 },
  ]);
  expect(await runs()).toEqual([{ quantity: '0' }]);
});

test('funding and liquidation fees of positions that are made anew are kept', async () => {
  await migrate(database.ownerAddress, readMigrations());
  const income = (kind: string, id: string, amount: string) =>
    database.owner.query(
      `insert into contract_income (platform, user_id, kind, income_id, symbol, asset, amount, at)
        values (1, 7, $1, $2, 'BTCUSDT', 'USDT', $3, 9)`,
      [kind, id, amount],
    );
  await fill(1, 1, { effect: 0 });
  await income('funding', 'a', '-0.3');
  await fill(5, 1, { effect: 0 });
  await income('liquidation-fee', 'b', '-0.4');
  await fill(3, 2, { effect: 0, pnl: '2' });
  const [run] = await database.owner.query(
    `select trim_scale(quantity)::text as quantity, trim_scale(fees)::text as fees, trim_scale(funding)::text as funding
      from contract_runs`,
  );
  expect(await closed()).toEqual([{ direction: 'long', max: '1', net: '1.9', opened: 1, closed: 3 }]);
  expect(run).toEqual({ quantity: '1', fees: '0.45', funding: '-0.3' });
});

test.each([
  [
    'that was flat in the one mode before it was opened in the other',
    [
      [1, 1, 'cross'],
      [2, 2, 'cross'],
      [3, 1, 'isolated'],
    ],
    '1',
  ],
  [
    'that is flat in both',
    [
      [1, 1, 'cross'],
      [2, 2, 'cross'],
      [3, 1, 'isolated'],
      [4, 2, 'isolated'],
    ],
    '0',
  ],
  [
    'of which a part was booked in each',
    [
      [1, 1, 'cross'],
      [2, 1, 'isolated'],
    ],
    '2',
  ],
] as const)('a position of an account with one mode, %s, is one from now on', async (_, fills, quantity) => {
  for (const [at, side, mode] of fills) await fill(at, side, { platform: 3, mode });
  await migrate(database.ownerAddress, readMigrations());
  expect(await runs()).toEqual([{ quantity }]);
  await fill(8, 1, { platform: 3 });
  expect(await runs()).toEqual([{ quantity: `${Number(quantity) + 1}` }]);
});
