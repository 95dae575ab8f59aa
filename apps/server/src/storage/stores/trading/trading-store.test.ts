import {
  amount,
  type Millis,
  type OrderId,
  type Platform,
  SIDE,
  type UserId,
  type VenueOrderId,
} from '@crossbook/domain';
import type { CompanionWrite } from '@crossbook/ledger';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredOrder } from '../../../trading/order.ts';
import { pastOrders } from '../../../trading/orders/order-queries.ts';
import { CALLER, OPEN, openTradingWorld, type TradingWorld } from '../../../trading/trading-world.fixture.ts';
import { FEE_FILLS_MAX, TRADING_WRITES } from './trading-store.ts';

let world: TradingWorld;
const orders: StoredOrder[] = [];
const user = CALLER.user;
const other = 8 as UserId;
beforeAll(async () => {
  world = await openTradingWorld();
  await world.fund('USDT', '10000');
  await world.fund('USDT', '10000', other);
  for (let count = 0; count < 7; count += 1) {
    // Three share one moment: pages must not lose or repeat any of them.
    if (count < 2 || count > 4) world.time.advance(1);
    orders.push(await world.reserved({ quantity: amount(`0.${count + 1}`) }));
  }
  orders.push(await world.reserved({ user: other }));
});
afterAll(() => world.close());

/** Every id of a list read page by page. */
async function pages<Row>(
  read: (cursor: string | undefined) => Promise<{ readonly rows: readonly Row[]; readonly next?: string }>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    rows.push(...page.rows);
    cursor = page.next;
  } while (cursor !== undefined);
  return rows;
}
const after = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });

describe('orders in the database', () => {
  test('come back as they were written, with and without the optional parts', async () => {
    for (const order of orders) expect(await world.orders.byId(order.id)).toEqual(order);
    await world.fund('BTC', '1');
    const full: StoredOrder = {
      ...(await world.reserved({ side: SIDE.SELL, quantity: amount('0.05') })),
      ...{ status: OPEN, cancelPending: true, reason: 'a "reason" \\ 理由', lookups: 3 },
      ...{ venueOrderId: '9' as VenueOrderId, deadlineAt: 5 as Millis, firstLookupAt: 6 as Millis },
    };
    await world.ledger.commit({ commands: [], writes: [world.orders.progress(full)] });
    expect(await world.orders.byId(full.id)).toEqual(full);
    await world.database.owner.query('delete from orders where id = $1', [full.id]);
  });

  test('are written alone as they are written with others', async () => {
    const { database } = world.database;
    const made = await world.reserved({ quantity: amount('0.07') });
    const read = async () => (await database.query('select * from orders where id = $1', [made.id]))[0];
    const write = async ({ table, row }: CompanionWrite, alone: boolean) => {
      const { sql, one } = TRADING_WRITES[table as 'orders.insert' | 'orders.progress'];
      const fields: Readonly<Record<string, unknown>> = row;
      const values = one.columns.map((column) => (fields[column] ?? null) as string | null);
      await (alone ? database.query(one.sql, values) : database.query(sql, [JSON.stringify([row])]));
      return read();
    };
    const changed: StoredOrder = {
      ...made,
      ...{
        status: OPEN,
        cancelPending: true,
        reason: 'a "reason" \\ 理由',
        lookups: 3,
        cumQuantity: amount('0.01'),
      },
      ...{ venueOrderId: '9' as VenueOrderId, deadlineAt: 5 as Millis, firstLookupAt: 6 as Millis },
    };
    const seen: unknown[] = [];
    for (const alone of [true, false]) {
      await world.database.owner.query('delete from orders where id = $1', [made.id]);
      const inserted = await write(world.plainOrders.insert(made), alone);
      seen.push([inserted, await write(world.plainOrders.progress(changed), alone)]);
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(await world.orders.byId(made.id)).toEqual(changed);
    await world.database.owner.query('delete from orders where id = $1', [made.id]);
  });

  test("history is one member's, newest first, every order once, whatever the page size", async () => {
    const newest = orders
      .filter((order) => order.user === user)
      .sort((left, right) => right.createdAt - left.createdAt || (left.id < right.id ? 1 : -1))
      .map((order) => order.id);
    for (const limit of [1, 2, 3, 7, 200]) {
      const read = (cursor: string | undefined) => world.orders.history(user, 1, { limit, ...after(cursor) });
      expect((await pages(read)).map((order) => order.id)).toEqual(newest);
    }
    const elsewhere = { limit: 5, symbol: 'ETHUSDT' };
    expect(await world.orders.history(user, 1, elsewhere)).toEqual({ rows: [] });
    expect(await world.orders.history(user, 2, { limit: 5 })).toEqual({ rows: [] });
  });

  test.each(['', 'x', '1_2', `1_${'-'.repeat(36)}`, `1_${'0'.repeat(36)}`, '99999999999999999999'])(
    'a cursor %j of no page gives the first page, of orders and of fills',
    async (cursor) => {
      const first = await world.orders.history(user, 1, { limit: 2 });
      expect(await world.orders.history(user, 1, { limit: 2, cursor })).toEqual(first);
      expect(await world.orders.fills(user, 1, { limit: 2, cursor })).toEqual({ rows: [] });
    },
  );

  test('open orders, unsettled ones and their owners', async () => {
    expect((await world.orders.openOf(user, 1)).length).toBe(7);
    expect((await world.orders.openOf(user, 1, { symbol: 'ETHUSDT' })).length).toBe(0);
    expect((await world.orders.unsettled()).map((order) => order.createdAt)).toEqual(
      [...orders].sort((left, right) => left.createdAt - right.createdAt).map((order) => order.createdAt),
    );
    expect(await world.orders.unsettledOwners()).toEqual([
      { user, platform: 1 },
      { user: other, platform: 1 },
    ]);
    expect((await world.orders.unsettledOf({ user: other, platform: 1 })).map((order) => order.id)).toEqual([
      orders.at(-1)?.id,
    ]);
    expect(await world.orders.byId('01890000-0000-7000-8000-00000000ffff' as OrderId)).toBeUndefined();
  });

  test('a fill is kept once; pages of fills are newest first', async () => {
    const [order] = orders;
    if (order === undefined) throw new Error('no order');
    const fill = (trade: number) => ({
      ...{
        tradeId: String(trade),
        orderId: order.id,
        user,
        platform: 1 as Platform,
        symbolType: 'SPOT' as const,
      },
      ...{ symbol: 'BTCUSDT', side: order.side, price: amount('100'), quantity: amount('0.001') },
      ...{ quoteQuantity: amount('0.1'), fee: amount('0'), feeAsset: 'BTC', maker: true, time: 5 as Millis },
    });
    for (const trade of [1, 2, 3, 2, 1, 4, 5]) {
      await world.ledger.commit({ commands: [], writes: [world.orders.fill(fill(trade))] });
    }
    const read = (cursor: string | undefined) => world.orders.fills(user, 1, { limit: 2, ...after(cursor) });
    expect((await pages(read)).map((row) => row.tradeId)).toEqual(['5', '4', '3', '2', '1']);
    expect(await world.orders.fillsOfOrder(order.id)).toEqual([1, 2, 3, 4, 5].map(fill));
    expect(await world.orders.fills(other, 1, { limit: 5 })).toEqual({ rows: [] });
    expect((await world.orders.fills(user, 1, { limit: 5, orderId: order.id })).rows).toHaveLength(5);
    const [, second] = orders;
    expect(await world.orders.fills(user, 1, { limit: 5, orderId: second?.id as OrderId })).toEqual({
      rows: [],
    });
  });

  test('what the fills of a page of orders cost is added up by asset, of none with more fills than are read', async () => {
    const [paid, plain, many] = await Promise.all([1, 2, 3].map(() => world.reserved()));
    if (paid === undefined || plain === undefined || many === undefined) throw new Error('no orders');
    const write = (order: StoredOrder, count: number, fee: string, feeAsset: string) =>
      world.database.owner.query(
        `insert into fills (platform, symbol_type, symbol, trade_id, order_id, user_id, side, price, quantity,
            quote_quantity, fee, fee_asset, maker, filled_at)
          select 1, 'SPOT', 'BTCUSDT', $2 || '-' || n, $1, 7, 1, 100, 0.001, 0.1, $3::numeric, $2, true, n
          from generate_series(1, $4) n`,
        [order.id, feeAsset, fee, count],
      );
    await write(paid, 2, '0.000000000000000001', 'BNB');
    await write(paid, 3, '0.05', 'USDT');
    await write(many, FEE_FILLS_MAX, '0.001', 'BTC');
    const fees = () => world.orders.feesOf([paid, plain, many].map(({ id }) => id));
    expect(await fees()).toEqual(
      new Map([
        [
          paid.id,
          [
            { asset: 'BNB', amount: 2n },
            { asset: 'USDT', amount: amount('0.15') },
          ],
        ],
        [many.id, [{ asset: 'BTC', amount: amount('1') }]],
      ]),
    );
    await write(many, 1, '0', 'USDT');
    expect((await fees()).get(many.id)).toBe('too-many');
    // Whose order says that it filled shows it; the others have nothing to show.
    const filled = [paid, plain, many].map((order) => ({ ...order, cumQuantity: amount('0.001') }));
    const page = await pastOrders(world, { rows: filled, next: 'x' });
    expect(page.rows.map((row) => row.fees)).toEqual([
      [
        { asset: 'BNB', amount: '0.000000000000000002' },
        { asset: 'USDT', amount: '0.15' },
      ],
      [],
      null,
    ]);
    expect((await pastOrders(world, { rows: [paid] })).rows.map((row) => row.fees)).toEqual([[]]);
    expect(page.next).toBe('x');
    await world.database.owner.query('delete from fills where order_id = any($1)', [[paid.id, many.id]]);
    for (const { id } of [paid, plain, many])
      await world.database.owner.query('delete from orders where id = $1', [id]);
  });
});

test('venue accounts: made in steps, secrets sealed, ready ones listed page by page', async () => {
  const { accounts, database } = world;
  expect(await accounts.find(user, 1)).toEqual({ state: 'none' });
  await accounts.begin(user, 1);
  await accounts.begin(user, 1);
  expect(await accounts.find(user, 1)).toEqual({ state: 'creating' });
  const credentials = { apiKey: 'the-key', secret: 'the-secret' };
  await accounts.complete(user, 1, { accountId: 'sub', credentials });
  expect(await accounts.find(user, 1)).toEqual({ state: 'ready', accountId: 'sub', credentials });
  const rows = await database.owner.query('select * from venue_accounts');
  expect(JSON.stringify(rows)).not.toContain('the-secret');
  await database.owner.query('update venue_accounts set user_id = 9 where user_id = 7');
  await expect(accounts.find(9 as UserId, 1)).rejects.toThrow();
  await database.owner.query('update venue_accounts set user_id = 7 where user_id = 9');
  for (const more of [20, 21, 22]) await world.account(more as UserId);
  await accounts.begin(23 as UserId, 1);
  const first = await accounts.ready(3);
  expect(first.map((owner) => owner.user)).toEqual([7, 20, 21]);
  expect(await accounts.ready(3, first.at(-1))).toEqual([{ user: 22, platform: 1 }]);
  expect(await accounts.ready(3, { user: 22 as UserId, platform: 1 })).toEqual([]);
});
