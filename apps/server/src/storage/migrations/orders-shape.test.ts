import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing.ts';

/** An order as its row is made; a field that is absent has the column's default. */
const SPOT = {
  ...{ algo_id: null, shares_hold: false },
  ...{ user_id: 1, platform: 1, symbol_type: 'SPOT', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', side: 1 },
  ...{ order_type: 1, time_in_force: 1, price: '10', quantity: '2', quote_quantity: null, send_type: 1 },
  ...{
    send_time_in_force: 1,
    send_price: '10',
    effect: 0,
    margin_mode: null,
    leverage: null,
    cause: 'order',
  },
  ...{ payload_hash: '', hold_asset: 'USDT', hold_amount: '20', status: 1, settled: false },
  ...{ cum_quantity: '0', cum_quote: '0', created_at: 1, updated_at: 1 },
};
const SWAP = { ...SPOT, symbol_type: 'SWAP', margin_mode: 'cross', leverage: 10, effect: 1 };

const WRONG: readonly [string, object][] = [
  ['a platform of none', { ...SPOT, platform: 4 }],
  ['a type of market that is none', { ...SPOT, symbol_type: 'OPTION' }],
  ['a third side', { ...SPOT, side: 3 }],
  ['an unknown type', { ...SPOT, order_type: 3 }],
  ['an unknown time in force', { ...SPOT, time_in_force: 5 }],
  ['no price above zero', { ...SPOT, price: '0' }],
  ['no quantity above zero', { ...SPOT, quantity: '0' }],
  ['no quantity at all', { ...SPOT, quantity: null }],
  ['two quantities', { ...SPOT, quote_quantity: '20' }],
  ['an unknown type to send', { ...SPOT, send_type: 0 }],
  ['an unknown time in force to send', { ...SPOT, send_time_in_force: 0 }],
  ['no price to send above zero', { ...SPOT, send_price: '-1' }],
  ['spot that holds nothing', { ...SPOT, hold_amount: '0' }],
  ['an unknown status', { ...SPOT, status: 8 }],
  ['less than nothing executed', { ...SPOT, cum_quantity: '-1' }],
  ['less than nothing paid', { ...SPOT, cum_quote: '-1' }],
  ['an unknown leg', { ...SWAP, effect: 3 }],
  ['an unknown margin mode', { ...SWAP, margin_mode: 'portfolio' }],
  ['no leverage above zero', { ...SWAP, leverage: 0 }],
  ['an unknown cause', { ...SWAP, cause: 'whim' }],
  ['a contract without margin mode', { ...SWAP, margin_mode: null }],
  ['a share in a hold of no algo order', { ...SPOT, shares_hold: true }],
  ['more shown than there is', { ...SPOT, visible_quantity: '2.1' }],
  ['nothing shown of what is hidden', { ...SPOT, visible_quantity: '0' }],
  ['a hidden part at any price', { ...SPOT, order_type: 2, visible_quantity: '1' }],
  ['a hidden part of a contract', { ...SWAP, visible_quantity: '1' }],
  ['legs of more than there is', { ...SPOT, listed_quantity: '2.1' }],
  ['legs of nothing', { ...SPOT, listed_quantity: '0' }],
  ['listed legs at any price', { ...SPOT, order_type: 2, listed_quantity: '1' }],
  ['listed legs of a contract', { ...SWAP, listed_quantity: '1' }],
  ['spot with a margin mode', { ...SPOT, margin_mode: 'cross' }],
];

/** Which status may follow which besides itself (invariant I17). */
const FOLLOWS: readonly (readonly number[])[] = [
  [2, 3, 4, 5, 6, 7],
  [0, 2, 3, 4, 5, 6, 7],
  [0, 3, 4, 5],
  [0, 4],
  [0],
  [0, 3, 4],
  [0],
  [0],
];

describe('what the database takes for an order', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase();
  });
  afterAll(() => db.close());

  async function insert(row: object): Promise<string> {
    const id = randomUUID();
    const full = { hold_id: randomUUID(), ...row, id };
    const columns = Object.keys(full).join(', ');
    await db.database.query(
      `insert into orders (${columns}) select ${columns} from jsonb_populate_record(null::orders, $1)`,
      [JSON.stringify(full)],
    );
    return id;
  }

  const change = (id: string, set: string) =>
    db.database.query(`update orders set ${set} where id = $1`, [id]);

  test.each([['spot', SPOT] as const, ['a contract', SWAP] as const])(
    '%s of a known shape',
    async (_, row) => {
      expect(await insert(row)).toBeTypeOf('string');
      const others = [
        { ...SWAP, hold_amount: '0' },
        { ...SPOT, visible_quantity: '2', listed_quantity: '1.5' },
      ];
      for (const other of others) expect(await insert(other)).toBeTypeOf('string');
    },
  );

  test.each(WRONG)('never %s', async (_, row) => {
    await expect(insert(row)).rejects.toMatchObject({ code: '23514', table: 'orders' });
  });

  test('nor one that a later statement makes so', async () => {
    const id = await insert(SPOT);
    for (const set of [
      'side = 3',
      'price = 0',
      `margin_mode = 'cross'`,
      'quantity = null',
      'platform = 9',
      'visible_quantity = 3',
      'listed_quantity = 3',
    ]) {
      await expect(change(id, set)).rejects.toMatchObject({ code: '23514', table: 'orders' });
    }
    await change(id, 'status = 2');
  });

  test('a hold of its own is of one order alone; orders of one algo order share its hold', async () => {
    const hold = { hold_id: randomUUID() };
    const share = { ...SPOT, ...hold, algo_id: randomUUID(), shares_hold: true };
    for (const row of [share, share, { ...SPOT, ...hold }]) await insert(row);
    await expect(insert({ ...SPOT, ...hold })).rejects.toMatchObject({ code: '23505' });
  });

  test('every pair of statuses passes or is refused as the state table says', async () => {
    const statuses = FOLLOWS.map((_, status) => status);
    for (const from of statuses) {
      for (const to of [...statuses, 8, -1]) {
        const id = await insert({ ...SPOT, status: from });
        const passed = await change(id, `status = ${to}`).then(
          () => true,
          (error: unknown) => {
            expect(error).toMatchObject({ code: '23514' });
            return false;
          },
        );
        expect({ from, to, passed }).toEqual({
          from,
          to,
          passed: from === to || FOLLOWS[from]?.includes(to),
        });
      }
    }
  });

  test('executed quantity never shrinks, and what is settled only comes back as unknown', async () => {
    const id = await insert({ ...SPOT, status: 3, settled: true, cum_quantity: '1', cum_quote: '10' });
    for (const set of [
      'cum_quantity = 0.5',
      'cum_quote = 9',
      'settled = false',
      'settled = false, status = 4',
    ]) {
      await expect(change(id, set)).rejects.toMatchObject({ code: '23514' });
    }
    await change(id, 'settled = false, status = 0');
  });
});
