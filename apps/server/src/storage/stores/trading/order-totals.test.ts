import { formatAmount, type UserId, type VenueOrderId } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderFilter } from '../../../trading/contract-store.ts';
import { openTestDatabase, type TestDatabase } from '../../testing.ts';
import { createContractStore } from './contract-store.ts';
import { createOrderStore } from './trading-store.ts';

/** What v2/OrderHistory and its sums take of a filter: every part of it narrows, and both tell of the same orders. */

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
  for (const row of ORDERS) await insert(row);
});
afterAll(() => db.close());

const USER = 7 as UserId;

interface Row {
  readonly name: string;
  readonly user?: number;
  readonly platform: 1 | 2 | 3;
  readonly type: 'SPOT' | 'SWAP';
  readonly symbol: string;
  readonly side: 1 | 2;
  readonly status: number;
  readonly at: number;
  /** Traded value, what it realised, and fees by asset. */
  readonly quote?: string;
  readonly pnl?: string;
  readonly fees?: readonly (readonly [asset: string, fee: string])[];
}

/** Two orders of one venue id, as Binance has them: each instrument counts its own. */
const ORDERS: readonly Row[] = [
  {
    name: 'a',
    platform: 1,
    type: 'SPOT',
    symbol: 'BTCUSDT',
    side: 1,
    status: 4,
    at: 10,
    quote: '100.5',
    fees: [['BTC', '0.000001']],
  },
  {
    name: 'b',
    platform: 1,
    type: 'SWAP',
    symbol: 'BTCUSDT',
    side: 1,
    status: 4,
    at: 20,
    quote: '200',
    pnl: '0',
    fees: [['USDT', '0.1']],
  },
  {
    name: 'c',
    platform: 1,
    type: 'SWAP',
    symbol: 'ETHUSDT',
    side: 2,
    status: 3,
    at: 30,
    quote: '50',
    pnl: '-3.000000000000000001',
    fees: [
      ['USDT', '0.05'],
      ['USDT', '0.01'],
    ],
  },
  {
    name: 'd',
    platform: 2,
    type: 'SWAP',
    symbol: 'BTC-USDT-SWAP',
    side: 2,
    status: 4,
    at: 40,
    quote: '300',
    pnl: '7',
    fees: [['USDT', '0.2']],
  },
  { name: 'e', platform: 3, type: 'SWAP', symbol: 'BTCUSDT', side: 1, status: 2, at: 50 },
  {
    name: 'other',
    user: 8,
    platform: 1,
    type: 'SWAP',
    symbol: 'BTCUSDT',
    side: 1,
    status: 4,
    at: 20,
    quote: '9',
    fees: [['USDT', '9']],
  },
];
const idOf = (name: string) =>
  `00000000-0000-7000-8000-${Buffer.from(name).toString('hex').padStart(12, '0')}`;

async function insert({
  name,
  user = USER,
  platform,
  type,
  symbol,
  side,
  status,
  at,
  quote = '0',
  pnl,
  fees = [],
}: Row) {
  const swap = type === 'SWAP';
  await db.owner.query(
    `insert into orders (id, user_id, platform, symbol_type, symbol, base, quote, side, order_type, time_in_force, price,
        quantity, send_type, send_time_in_force, send_price, payload_hash, hold_id, hold_asset, hold_amount, status, settled,
        created_at, updated_at, margin_mode, leverage, cum_quantity, cum_quote, realised_pnl, venue_order_id)
      values ($1, $2, $3, $4, $5, 'BTC', 'USDT', $6, 1, 1, 50000, 1, 1, 1, 50000, 'x',
        gen_random_uuid(), 'USDT', 1, $7, true, $8, $8, $9, $10, $11, $12, $13, '5')`,
    [
      ...[idOf(name), user, platform, type, symbol, side, status, at],
      ...(swap ? ['cross', 20] : [null, null]),
      ...[quote === '0' ? '0' : '1', quote, pnl ?? (swap ? '0' : null)],
    ],
  );
  for (const [count, [asset, fee]] of fees.entries())
    await db.owner.query(
      `insert into fills (platform, symbol_type, symbol, trade_id, order_id, user_id, side, price, quantity, quote_quantity,
          fee, fee_asset, maker, filled_at, effect, margin_mode, realised_pnl, cause)
        values ($1, $2, $3, $4, $5, $6, $7, 1, 1, 1, $8, $9, false, $10, $11, $12, $13, $14)`,
      [
        ...[platform, type, symbol, `${name}${count}`, idOf(name), user, side, fee, asset, at],
        ...(swap ? [0, 'cross', '0', 'trade'] : [0, null, null, 'trade']),
      ],
    );
}

describe.each<[string, Omit<OrderFilter, 'user'>, string, object]>([
  [
    'nothing',
    {},
    'e d c b a',
    {
      orders: 5,
      filled: 4,
      cumQuote: '650.5',
      realisedPnl: '3.999999999999999999',
      fees: 'BTC 0.000001, USDT 0.36',
    },
  ],
  ['a platform', { platform: 1 }, 'c b a', { orders: 3, cumQuote: '350.5', fees: 'BTC 0.000001, USDT 0.16' }],
  ['pairs', { symbolType: 'SPOT' }, 'a', { orders: 1, realisedPnl: '0', fees: 'BTC 0.000001' }],
  ['contracts', { symbolType: 'SWAP' }, 'e d c b', { orders: 4, filled: 3, fees: 'USDT 0.36' }],
  ['a symbol, wherever it is', { symbol: 'BTCUSDT' }, 'e b a', { orders: 3, cumQuote: '300.5' }],
  ['a side', { side: 2 }, 'd c', { orders: 2, realisedPnl: '3.999999999999999999' }],
  ['a status', { status: 3 }, 'c', { orders: 1, filled: 1, fees: 'USDT 0.06' }],
  ['a begin, which is part of it', { begin: 30 as never }, 'e d c', { orders: 3 }],
  ['an end, which is none', { end: 30 as never }, 'b a', { orders: 2, cumQuote: '300.5' }],
  [
    'all of it',
    {
      platform: 1,
      symbolType: 'SWAP',
      symbol: 'BTCUSDT',
      side: 1,
      status: 4,
      begin: 20 as never,
      end: 21 as never,
    },
    'b',
    { orders: 1, cumQuote: '200', fees: 'USDT 0.1' },
  ],
  [
    'what nothing is',
    { platform: 2, symbolType: 'SPOT' },
    '',
    { orders: 0, filled: 0, cumQuote: '0', realisedPnl: '0', fees: '' },
  ],
])('a filter of %s', (_what, filter, names, sums) => {
  test('gives its orders page by page, and their sums', async () => {
    const store = createContractStore(db.database);
    const rows: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.orders(
        { user: USER, ...filter },
        { limit: 2, ...(cursor === undefined ? {} : { cursor }) },
      );
      rows.push(...page.rows.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(rows).toEqual(names.split(' ').filter(Boolean).map(idOf));
    const { orders, filled, cumQuote, realisedPnl, fees } = await store.totals({ user: USER, ...filter });
    expect({
      ...{ orders, filled, cumQuote: formatAmount(cumQuote), realisedPnl: formatAmount(realisedPnl) },
      fees: fees.map(({ asset, amount }) => `${asset} ${formatAmount(amount)}`).join(', '),
    }).toMatchObject(sums);
  });
});

test('an id of the exchange is that of the instrument that is meant; all that have it come newest first', async () => {
  const orders = createOrderStore(db.database);
  const at = { user: USER, platform: 1 } as const;
  const id = '5' as VenueOrderId;
  const of = async (symbol: string, symbolType?: 'SPOT' | 'SWAP') =>
    (await orders.byVenueId(at, id, { symbol, symbolType }))?.id;
  expect(await of('BTCUSDT', 'SWAP')).toBe(idOf('b'));
  expect(await of('BTCUSDT', 'SPOT')).toBe(idOf('a'));
  expect(await of('ETHUSDT', 'SWAP')).toBe(idOf('c'));
  expect(await of('SOLUSDT', 'SWAP')).toBeUndefined();
  expect((await orders.ofVenueId(at, id)).map((order) => order.id)).toEqual(['c', 'b', 'a'].map(idOf));
});
