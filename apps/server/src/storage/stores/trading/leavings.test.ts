import { randomUUID } from 'node:crypto';
import type { Millis, UserId } from '@crossbook/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../testing.ts';
import { type FrozenLeavings, frozenLeavings } from './leavings.ts';

let database: TestDatabase;
let leavings: FrozenLeavings;
let user = 100;
beforeAll(async () => {
  database = await openTestDatabase();
  leavings = frozenLeavings(database.database);
});
afterAll(() => database.close());

const FROZEN_AT = 1_770_000_000_000;
const AFTER_CALLS = (FROZEN_AT + 60_001) as Millis;

/** A frozen member with one order of these terms. */
async function frozenWith(terms: object): Promise<UserId> {
  user += 1;
  await database.owner.query(
    `insert into members (id, email, password_hash, frozen_at, nickname, referral_code, created_at)
     overriding system value values ($1, $2, 'x', $3, $4, $4, 1)`,
    [user, `m${user}@example.org`, FROZEN_AT, `M${user}`],
  );
  const id = randomUUID();
  const row = {
    ...{ id, user_id: user, platform: 1, symbol_type: 'SWAP', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' },
    ...{
      side: 1,
      order_type: 1,
      time_in_force: 1,
      quantity: 1,
      price: 100,
      send_type: 1,
      send_time_in_force: 1,
    },
    ...{
      effect: 0,
      reduce_only: false,
      payload_hash: 'x',
      hold_id: id,
      hold_asset: 'USDT',
      hold_amount: 0,
      status: 2,
    },
    ...{
      settled: false,
      cancel_pending: false,
      created_at: 1,
      updated_at: 1,
      cum_quantity: 0,
      cum_quote: 0,
      looks: 0,
    },
    ...{ cause: 'order', ...terms },
  };
  const swap = row.symbol_type === 'SWAP' ? { margin_mode: 'cross', leverage: 10 } : { hold_amount: 100 };
  const columns = Object.keys({ ...row, ...swap }).join(', ');
  await database.owner.query(
    `insert into orders (${columns}) select ${columns} from jsonb_populate_record(null::orders, $1)`,
    [JSON.stringify({ ...row, ...swap })],
  );
  return user as UserId;
}

test.each([
  ['a buy of a pair', { symbol_type: 'SPOT', side: 1 }, 1],
  ['a sale of a pair', { symbol_type: 'SPOT', side: 2, hold_asset: 'BTC' }, 0],
  ['a net buy', { side: 1 }, 1],
  ['a net sale', { side: 2 }, 1],
  ['what only reduces', { side: 2, reduce_only: true }, 0],
  ['the buy of a long leg', { effect: 1, side: 1 }, 1],
  ['the sale of a long leg', { effect: 1, side: 2 }, 0],
  ['the sale of a short leg', { effect: 2, side: 2 }, 1],
  ['the buy of a short leg', { effect: 2, side: 1 }, 0],
  ['an order that is over', { status: 4, settled: true }, 0],
  ['an order that was asked to end', { cancel_pending: true }, 0],
])('%s', async (_what, terms, opening) => {
  const member = await frozenWith(terms);
  expect((await leavings.opening(member)).orderIds).toHaveLength(opening);
});

test('a member is cleared once nothing that opens is left, and no call of before the freeze can be under way', async () => {
  const isLeft = async (member: UserId) =>
    (await leavings.uncleared((member - 1) as UserId, 1))[0] === member;
  const ending = await frozenWith({ cancel_pending: true });
  await leavings.markCleared(ending, AFTER_CALLS);
  expect(await isLeft(ending)).toBe(true);
  await database.owner.query('update orders set settled = true, status = 5 where user_id = $1', [ending]);
  await leavings.markCleared(ending, (FROZEN_AT + 60_000) as Millis);
  expect(await isLeft(ending)).toBe(true);
  await leavings.markCleared(ending, AFTER_CALLS);
  expect(await isLeft(ending)).toBe(false);
  // Thawed and frozen anew it begins anew.
  await database.owner.query('update members set frozen_at = $2 where id = $1', [ending, AFTER_CALLS + 1]);
  expect(await isLeft(ending)).toBe(true);
});
