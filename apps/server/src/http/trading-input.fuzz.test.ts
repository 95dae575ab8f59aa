import { createServer, type Server } from 'node:http';
import { ERRORS } from '@crossbook/contract';
import { amount, type UserId } from '@crossbook/domain';
import { transferId } from '@crossbook/ledger';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { startTestHub, type TestBrowser, type TestHub } from '../main/testing.ts';
import { ledgerBreaches } from '../storage/ledger/ledger-check.ts';

/** A venue that lists instruments and answers nothing else: neither stream nor orders, as a half-dead one does. */
const LISTED = ['BTCUSDT', 'ETHUSDT'].map((symbol) => ({
  ...{ symbol, status: 'TRADING', baseAsset: symbol.slice(0, 3), quoteAsset: 'USDT' },
  ...{ baseAssetPrecision: 8, quoteAssetPrecision: 8, isSpotTradingAllowed: true, permissions: ['SPOT'] },
  filters: [
    {
      filterType: 'PRICE_FILTER',
      minPrice: '0.01000000',
      maxPrice: '1000000.00000000',
      tickSize: '0.01000000',
    },
    { filterType: 'LOT_SIZE', minQty: '0.00001000', maxQty: '9000.00000000', stepSize: '0.00001000' },
    { filterType: 'MARKET_LOT_SIZE', minQty: '0.00000000', maxQty: '100.00000000', stepSize: '0.00000000' },
    { filterType: 'NOTIONAL', minNotional: '5.00000000', maxNotional: '9000000.00000000' },
  ],
}));

let venue: Server;
let hub: TestHub;
let member: TestBrowser;
beforeAll(async () => {
  venue = createServer((request, response) => {
    const known = request.url?.startsWith('/api/v3/exchangeInfo') ?? false;
    response.writeHead(known ? 200 : 503, { 'content-type': 'application/json' });
    response.end(
      known ? JSON.stringify({ timezone: 'UTC', serverTime: 1, rateLimits: [], symbols: LISTED }) : '',
    );
  });
  await new Promise<void>((resolve) => venue.listen(0, '127.0.0.1', resolve));
  const address = venue.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  hub = await startTestHub({
    venueBase: `http://127.0.0.1:${port}`,
    environment: { ADDRESS_LIMIT_FACTOR: '10000' },
  });
  await hub.hub.start();
  member = await hub.member();
  const user = member.tid as UserId;
  const ledger = hub.database.openLedger();
  const from = { class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' } as const;
  await ledger.commit({
    commands: (
      [
        { class: 'FUNDING', user, asset: 'USDT' },
        { class: 'TRADING', user, platform: 1, asset: 'USDT' },
      ] as const
    ).map((to) => ({
      ...{ do: 'post' as const, id: transferId('test-credit', to.class), from, to },
      ...{ amount: amount('1000'), kind: 'test-funds' as const },
    })),
  });
});
afterAll(async () => {
  await hub.close();
  await new Promise((resolve) => venue.close(resolve));
});

/** All money and all movements, as text. */
async function money(): Promise<string> {
  const tables = ['ledger_transfers', 'ledger_holds', 'orders', 'fills', 'universal_transfers', 'test_funds'];
  // An account of nothing is no money: one is made before its first movement is judged.
  const accounts = 'ledger_accounts where posted <> 0 or held <> 0';
  const rows = await Promise.all(
    [...tables, accounts].map((source) => hub.database.owner.query(`select * from ${source} order by 1`)),
  );
  return JSON.stringify(rows);
}

async function ask(name: string, fields: Readonly<Record<string, string>>) {
  const answer = await member.form(`/api/${name}`, { sosflag: '3', stoken: member.stoken ?? '', ...fields });
  expect(answer.status).toBe(200);
  return answer.envelope;
}

const ORDER = { platformType: '43', tinstType: '1', symbol: 'BTCUSDT', side: '1', orderType: '1' };
const LIMIT = { ...ORDER, price: '100', quantity: '1' };
const MOVE = { platformType: '43', direction: '1', asset: 'USDT', amount: '1' };
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000ffff';

describe('well-formed requests that cannot be', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['connextrade/PlaceOrder', { ...LIMIT, symbol: 'NOPEUSDT' }, 'symbol-unknown'],
    ['connextrade/PlaceOrder', { ...LIMIT, tinstType: '2' }, 'symbol-unknown'],
    ['connextrade/PlaceOrder', { ...LIMIT, platformType: '41' }, 'symbol-unknown'],
    ['connextrade/PlaceOrder', { ...ORDER, quantity: '1' }, 'order-combination'],
    ['connextrade/PlaceOrder', { ...ORDER, price: '100' }, 'order-combination'],
    ['connextrade/PlaceOrder', { ...LIMIT, quoteQuantity: '5' }, 'order-combination'],
    ['connextrade/PlaceOrder', { ...LIMIT, orderType: '2' }, 'order-combination'],
    [
      'connextrade/PlaceOrder',
      { ...ORDER, orderType: '2', side: '2', quoteQuantity: '5' },
      'order-combination',
    ],
    ['connextrade/PlaceOrder', { ...LIMIT, price: '100.001' }, 'price-step'],
    ['connextrade/PlaceOrder', { ...LIMIT, price: '1000000.01' }, 'price-range'],
    ['connextrade/PlaceOrder', { ...LIMIT, price: '99999999999999999999' }, 'price-range'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: '1.000001' }, 'quantity-step'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: '0.000000000000000001' }, 'quantity-step'],
    ['connextrade/PlaceOrder', { ...LIMIT, quantity: '99999999999999999999' }, 'quantity-range'],
    ['connextrade/PlaceOrder', { ...LIMIT, price: '0.01', quantity: '1' }, 'notional-too-small'],
    ['connextrade/PlaceOrder', LIMIT, 'balance-insufficient'],
    ['connextrade/CancelOrder', { platformType: '43', orderId: UNKNOWN_ID }, 'order-unknown'],
    ['connexfunding/UniversalTransfer', { ...MOVE, amount: '1000.00000001' }, 'funds-insufficient'],
    ['connexfunding/UniversalTransfer', { ...MOVE, amount: '99999999999999999999' }, 'funds-insufficient'],
    ['connexfunding/UniversalTransfer', { ...MOVE, direction: '2', asset: 'BTC' }, 'funds-insufficient'],
    ['connexfunding/UniversalTransfer', { ...MOVE, asset: 'NOPE' }, 'asset-unknown'],
    ['connexfunding/UniversalTransfer', { ...MOVE, platformType: '42' }, 'transfer-not-open'],
    ['x/paper/TestFunds', {}, 'paper-only'],
  ])('%s %j: %s, and nothing changes', async (name, fields, error) => {
    const before = await money();
    const envelope = await ask(name, fields);
    expect(ERRORS.find((row) => row.code === envelope.code)?.name).toBe(error);
    expect(envelope.data).toBeNull();
    expect(await money()).toBe(before);
  });

  test('a market order at a venue that says nothing is refused in seconds as stale', async () => {
    const before = await money();
    const envelope = await ask('connextrade/PlaceOrder', { ...ORDER, orderType: '2', quoteQuantity: '50' });
    expect(ERRORS.find((row) => row.code === envelope.code)?.name).toBe('price-stale');
    expect(await money()).toBe(before);
  });

  test('instruments are listed while nothing else of the venue answers', async () => {
    const envelope = await ask('connexbasicdata/QuerySymInfo', { platformType: '43', tstate: '1' });
    expect(envelope).toMatchObject({ code: 1, data: [{ tinstId: 'BTCUSDT' }, { tinstId: 'ETHUSDT' }] });
  });
});

const value = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '1e5',
    '1E-5',
    '0x10',
    'NaN',
    'Infinity',
    '١',
    '1٣',
    '１',
    '.5',
    '5.',
    '+1',
    ' 1',
    '1 ',
    '1,5',
  ),
  fc.constantFrom(
    '1',
    '100',
    '0.00001',
    '5.0000',
    '100.000000000000000000000000',
    '99999999999999999999',
    '1'.repeat(61),
  ),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
  fc.tuple(fc.nat(10 ** 6), fc.nat(10 ** 9)).map(([whole, fraction]) => `${whole}.${fraction}`),
  fc.double().map(String),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const codeText = fc.constantFrom('1', '2', '3', '4', '0', '41', '42', '43', '-1', '', '1.0', '01', 'true');
const known = (values: fc.Arbitrary<string>, rarely: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 6, arbitrary: values }, { weight: 1, arbitrary: rarely });
const orderRequest = fc.record(
  {
    platformType: known(fc.constant('43'), codeText),
    tinstType: known(fc.constantFrom('1', '2'), codeText),
    symbol: known(fc.constantFrom('BTCUSDT', 'ETHUSDT', 'NOPEUSDT'), fc.string({ maxLength: 50 })),
    side: known(fc.constantFrom('1', '2'), codeText),
    orderType: known(fc.constant('1'), codeText),
    timeInForce: known(fc.constantFrom('1', '2', '3', '4'), codeText),
    price: value,
    quantity: value,
    quoteQuantity: value,
    clientId: known(fc.uuid(), fc.string()),
    orderId: known(fc.uuid(), fc.string()),
  },
  { requiredKeys: ['platformType', 'tinstType', 'symbol', 'side', 'orderType'] },
);

test('no order comes of any request without an account, none is answered but by name, none is a 5xx', {
  timeout: 900_000,
}, async () => {
  const before = await money();
  await fc.assert(
    fc.asyncProperty(orderRequest, fc.boolean(), async ({ orderId, ...fields }, cancels) => {
      // A market order waits seconds for a price that never comes: one test above is enough.
      if (fields.orderType === '2') fields.orderType = '1';
      const envelope = cancels
        ? await ask('connextrade/CancelOrder', { platformType: fields.platformType, orderId: orderId ?? '' })
        : await ask('connextrade/PlaceOrder', fields as Record<string, string>);
      expect(ERRORS.some((row) => row.code === envelope.code)).toBe(true);
      expect(['unavailable', 'outcome-unknown']).not.toContain(
        ERRORS.find((row) => row.code === envelope.code)?.name,
      );
      expect(envelope.data).toBeNull();
    }),
    { numRuns: runs(200, 20) },
  );
  expect(await money()).toBe(before);
});

test('transfers of any amount leave every unit where it was at a venue that does not answer', {
  timeout: 900_000,
}, async () => {
  const move = fc.record({
    direction: known(fc.constantFrom('1', '2'), codeText),
    asset: known(fc.constantFrom('USDT', 'BTC'), fc.string({ maxLength: 30 })),
    amount: value.filter((text) => !/^[0-9]{1,3}(\.|$)/.test(text)),
  });
  const before = await money();
  await fc.assert(
    fc.asyncProperty(move, async (fields) => {
      const envelope = await ask('connexfunding/UniversalTransfer', { platformType: '43', ...fields });
      expect(ERRORS.some((row) => row.code === envelope.code)).toBe(true);
    }),
    { numRuns: runs(150, 20) },
  );
  expect(await money()).toBe(before);
  expect(await ledgerBreaches(hub.database.database, 'fold')).toEqual([]);
});

test('/metrics shows the figures of feed, books, live connections, orders and ledger', async () => {
  const text = await (await fetch(`${hub.url}/metrics`)).text();
  for (const line of [
    'crossbook_feed_live{venue="binance",market="SPOT"} 0',
    'crossbook_feed_events{venue="binance",market="SPOT",event="frames"} 0',
    'crossbook_books{venue="binance",market="SPOT",state="LIVE"} 0',
    'crossbook_book_events{venue="binance",market="SPOT",event="gaps"} 0',
    'crossbook_book_events{venue="okx",market="SWAP",event="checksumsWrong"} 0',
    'crossbook_relay_answers{venue="bybit",stat="asked"} 0',
    'crossbook_live_connections 0',
    'crossbook_orders_waiting 0',
    'crossbook_private_streams 0',
    'crossbook_balance_checks{result="doubted"} 0',
    'crossbook_ledger_writer{stat="unitsQueued"} 0',
  ]) {
    expect(text).toContain(line);
  }
});
