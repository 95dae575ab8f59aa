import { randomUUID } from 'node:crypto';
import { amount, type Millis, type Platform, type UserId, type VenuePosition } from '@crossbook/domain';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { openTestDatabase } from '../../testing.ts';
import { createContractStore } from './contract-store.ts';
import { bookingOf, type FillRow, orderOf } from './runs-of-fills.fixture.ts';

/** A position is the sum of its booked fills, whatever their order, and whoever books at the same time. */

const database = openedOnce(openTestDatabase);
let user = 0;
let order = '';
beforeEach(async () => {
  user += 1;
  order = await orderOf(database, user);
});

const book = async (...fills: readonly FillRow[]): Promise<void> => {
  const { text, values } = bookingOf({ user, order }, fills);
  await database.database.query(text, values);
};
const quantities = async (): Promise<readonly number[]> => {
  const rows = await database.owner.query<{ quantity: string }>(
    'select quantity from contract_runs where user_id = $1 order by effect',
    [user],
  );
  return rows.map(({ quantity }) => Number(quantity));
};
const closed = () =>
  database.owner.query(
    `select effect, opened_at::int as opened, closed_at::int as closed, max_quantity::int as max from closed_positions
      where user_id = $1 order by sequence`,
    [user],
  );
const waiting = async (): Promise<number> => {
  const [row] = await database.owner.query<{ count: string }>(
    `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return Number(row?.count);
};

test('the first fills of a position, booked by two at once, both count', async () => {
  const [first, second] = [await database.database.pool.connect(), await database.database.pool.connect()];
  try {
    const booking = (fill: FillRow) => {
      const { text, values } = bookingOf({ user, order }, [fill]);
      return { text, values: [...values] };
    };
    await first.query('begin');
    await first.query(booking({ at: 1, side: 1, quantity: 2, effect: 0 }));
    const other = second.query(booking({ at: 2, side: 1, quantity: 3, effect: 0 }));
    await vi.waitUntil(async () => (await waiting()) > 0, 30_000);
    await first.query('commit');
    await other;
  } finally {
    first.release();
    second.release();
  }
  expect(await quantities()).toEqual([5]);
});

test('a fill that got its number first and is booked last is put in its place', async () => {
  await book({ at: 1, side: 1, quantity: 1, effect: 1, sequence: 1_000_000 });
  await book({ at: 3, side: 2, quantity: 2, effect: 1, sequence: 1_000_002 });
  await book({ at: 2, side: 1, quantity: 1, effect: 1, sequence: 1_000_001 });
  expect(await quantities()).toEqual([0]);
  expect(await closed()).toEqual([{ effect: 1, opened: 1, closed: 3, max: 2 }]);
});

test.each([1, 2] as const)(
  'of leg %i what closes may be booked before what opened in the same instant',
  async (effect) => {
    const [opens, closes] = effect === 1 ? ([1, 2] as const) : ([2, 1] as const);
    await book({ at: 5, side: closes, quantity: 1, effect });
    await book({ at: 5, side: opens, quantity: 1, effect });
    expect(await quantities()).toEqual([0]);
    expect(await closed()).toEqual([{ effect, opened: 5, closed: 5, max: 1 }]);
  },
);

test('a position that is not the sum of its fills is made anew, once; one that is stays as it is', async () => {
  const store = createContractStore(database.database);
  const of = { user: user as never, platform: 1 } as const;
  await book({ at: 1, side: 1, quantity: 1, effect: 0 }, { at: 2, side: 2, quantity: 1, effect: 0 });
  await book({ at: 3, side: 1, quantity: 2, effect: 0 }, { at: 4, side: 1, quantity: 2, effect: 0 });
  expect(await store.madeAnew(of, 'BTCUSDT')).toBe(false);
  const before = await closed();
  // As a write that was lost would leave it.
  await database.owner.query('update contract_runs set quantity = 2 where user_id = $1', [user]);
  expect(await store.madeAnew(of, 'BTCUSDT')).toBe(true);
  expect([await quantities(), await closed()]).toEqual([[4], before]);
  expect(await store.madeAnew(of, 'BTCUSDT')).toBe(false);
});

describe('the margin mode of an account', () => {
  const BYBIT = { platform: 3 as Platform };
  const runs = async () => {
    const rows = await database.owner.query<{ quantity: string; margin_mode: string; position_id: string }>(
      'select quantity, margin_mode, position_id from contract_runs where user_id = $1 order by margin_mode',
      [user],
    );
    return rows.map((row) => [Number(row.quantity), row.margin_mode]);
  };
  const over = () =>
    database.owner.query(
      `select margin_mode as mode, max_quantity::int as max, opened_at::int as opened, closed_at::int as closed,
        fees::float as fees, funding::float as funding from closed_positions where user_id = $1 order by sequence`,
      [user],
    );
  const at = async (platform: Platform, ...fills: readonly FillRow[]) => {
    order = await orderOf(database, user, platform);
    const { text, values } = bookingOf({ user, order, platform }, fills);
    await database.database.query(text, values);
  };
  const store = () => createContractStore(database.database);
  const owner = () => ({ user: user as UserId, ...BYBIT });

  test('takes the position along: one from flat to flat, with all that was booked to it', async () => {
    await at(3, { at: 1, side: 1, quantity: 2, effect: 0 });
    const [before] = await store().booked(owner());
    await store().modeMoved(owner(), 'isolated');
    expect(await store().booked(owner())).toEqual([{ ...before, marginMode: 'isolated' }]);
    // One that was filled before the change and is booked behind it belongs to the same one, and does not move it back.
    await at(3, { at: 2, side: 1, quantity: 1, effect: 0 });
    expect(await runs()).toEqual([[3, 'isolated']]);
    await at(3, { at: 4, side: 2, quantity: 3, effect: 0, mode: 'isolated' });
    await at(3, { at: 3, side: 1, quantity: 1, effect: 0, mode: 'isolated' });
    expect([await runs(), await over()]).toEqual([[[1, 'isolated']], []]);
    await at(3, { at: 5, side: 2, quantity: 1, effect: 0, mode: 'isolated' });
    const closed = { mode: 'isolated', max: 4, opened: 1, closed: 5, fees: 0.25, funding: 0 };
    expect([await runs(), await over()]).toEqual([[[0, 'isolated']], [closed]]);
    expect(await store().madeAnew(owner(), 'BTCUSDT')).toBe(false);
    // The next one begins in the mode of what opens it.
    await at(3, { at: 6, side: 2, quantity: 1, effect: 0 });
    expect([await runs(), await over()]).toEqual([[[-1, 'cross']], [closed]]);
  });

  test('at the others positions of both modes stand beside each other', async () => {
    await at(2, { at: 1, side: 1, quantity: 2, effect: 0 });
    await at(2, { at: 2, side: 2, quantity: 3, effect: 0, mode: 'isolated' });
    expect(await runs()).toEqual([
      [2, 'cross'],
      [-3, 'isolated'],
    ]);
  });

  test('takes along what waits, and what was stated is stated once', async () => {
    const at8 = (marginMode: 'cross' | 'isolated'): VenuePosition => ({
      ...{
        ...BYBIT,
        symbol: 'BTCUSDT',
        side: 0,
        marginMode,
        quantity: amount('2'),
        entryPrice: amount('100'),
      },
      ...{ markPrice: amount('100'), leverage: 10, unrealisedPnl: amount('0'), initialMargin: amount('20') },
      ...{ maintenanceMargin: amount('1'), adlRank: 1, status: 'normal', version: 8, updatedAt: 8 as Millis },
    });
    await store().state(owner(), [at8('cross')]);
    await database.owner.query(
      `insert into algo_orders (id, user_id, platform, symbol_type, symbol, base, quote, side, plan, quantity,
          time_in_force, reduce_only, margin_mode, leverage, payload_hash, hold_id, hold_asset, hold_amount, state,
          created_at, updated_at)
        values ($1, $2, 3, 'SWAP', 'BTCUSDT', 'BTC', 'USDT', 2, '{}', 1, 1, true, 'cross', 10, 'x', $1, 'USDT', 0,
          'waiting', 1, 1)`,
      [randomUUID(), user],
    );
    await store().modeMoved(owner(), 'isolated');
    await store().state(owner(), [at8('isolated')]);
    expect((await store().stated(owner())).map(({ marginMode }) => marginMode)).toEqual(['isolated']);
    const algos = 'select margin_mode from algo_orders where user_id = $1';
    expect(await database.owner.query(algos, [user])).toEqual([{ margin_mode: 'isolated' }]);
  });
});
