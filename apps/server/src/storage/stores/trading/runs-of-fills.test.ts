import { beforeEach, expect, test, vi } from 'vitest';
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
