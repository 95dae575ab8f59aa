import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import type { KeyPair } from '../wire/rig.fixture.ts';
import { startRig } from './rig.fixture.ts';

const rig = openedOnce(startRig);
let key: KeyPair;

beforeAll(async () => {
  key = await rig.key('alice', { USDT: '100000', BTC: '1' });
});

const SYMBOL_RANGE = '^[A-Z0-9-_.]{1,20}$';
const DECIMAL_RANGE = '^([0-9]{1,20})(\\.[0-9]{1,20})?$';
const mandatory = (name: string) =>
  `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`;
const illegal = (name: string, range: string) =>
  `Illegal characters found in parameter '${name}'; legal range is '${range}'.`;

describe('public calls', () => {
  test.each([
    ['no symbol', '/api/v3/depth', -1102, mandatory('symbol')],
    ['an empty symbol', '/api/v3/depth?symbol=', -1105, "Parameter 'symbol' was empty."],
    ['a lower-case symbol', '/api/v3/depth?symbol=btcusdt', -1100, illegal('symbol', SYMBOL_RANGE)],
    ['an unknown symbol', '/api/v3/depth?symbol=NOPE', -1121, 'Invalid symbol.'],
    ['a limit in words', '/api/v3/depth?symbol=BTCUSDT&limit=x', -1100, illegal('limit', '^[0-9]{1,20}$')],
    [
      'a limit below one',
      '/api/v3/depth?symbol=BTCUSDT&limit=0',
      -1130,
      "Data sent for parameter 'limit' is not valid.",
    ],
    ['an unknown interval', '/api/v3/klines?symbol=BTCUSDT&interval=7m', -1120, 'Invalid interval.'],
    ['no interval', '/api/v3/klines?symbol=BTCUSDT', -1102, mandatory('interval')],
    [
      'a parameter twice',
      '/api/v3/depth?symbol=BTCUSDT&symbol=ETHUSDT',
      -1101,
      'Duplicate values for a parameter detected.',
    ],
    [
      'a call without parameters',
      '/api/v3/time?x=1',
      -1101,
      "Too many parameters; expected '0' and received '1'.",
    ],
    [
      'an unknown parameter',
      '/api/v3/depth?symbol=BTCUSDT&x=1',
      -1104,
      "Not all sent parameters were read; read '1' parameter(s) but was sent '2'.",
    ],
    [
      'broken percent-encoding',
      '/api/v3/depth?symbol=%E0%A4%A',
      -1100,
      'Illegal characters found in a parameter.',
    ],
    [
      'symbol and symbols',
      '/api/v3/ticker/price?symbol=BTCUSDT&symbols=%5B%22ETHUSDT%22%5D',
      -1128,
      'Combination of optional parameters invalid.',
    ],
    [
      'a symbol twice in a list',
      '/api/v3/ticker/price?symbols=%5B%22ETHUSDT%22%2C%22ETHUSDT%22%5D',
      -1151,
      'Symbol is present multiple times in the list.',
    ],
    ['an unknown ticker type', '/api/v3/ticker/24hr?type=BIG', -1139, 'Invalid ticker type.'],
    ['an unknown status', '/api/v3/exchangeInfo?symbolStatus=OPEN', -1122, 'Invalid symbolStatus.'],
    [
      'a huge number',
      '/api/v3/klines?symbol=BTCUSDT&interval=1m&startTime=99999999999999999999',
      -1108,
      "Parameter 'startTime' overflowed.",
    ],
  ])('%s', async (_, path, code, msg) => {
    const answer = await rig.send('GET', path);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ code, msg });
  });

  const either = "Param 'symbol' or 'symbols' must be sent, but both were empty/null!";
  const invalid = (name: string) => `Data sent for parameter '${name}' is not valid.`;
  test.each([
    ['ticker', -1102, either],
    ['ticker/tradingDay', -1102, either],
    ['ticker?symbol=BTCUSDT&windowSize=60m', -1130, invalid('windowSize')],
    ['ticker?symbol=BTCUSDT&windowSize=24h', -1130, invalid('windowSize')],
    ['ticker?symbol=BTCUSDT&windowSize=8d', -1130, invalid('windowSize')],
    ['ticker?symbol=BTCUSDT&windowSize=1d2h', -1130, invalid('windowSize')],
    ['ticker?symbol=BTCUSDT&windowSize=0m', -1130, invalid('windowSize')],
    ['ticker/tradingDay?symbol=BTCUSDT&timeZone=15', -1130, invalid('timeZone')],
    ['ticker/tradingDay?symbol=BTCUSDT&timeZone=-12:01', -1130, invalid('timeZone')],
    ['ticker/tradingDay?symbol=BTCUSDT&timeZone=UTC', -1130, invalid('timeZone')],
  ])('a window: %s', async (call, code, msg) => {
    const answer = await rig.get(`/api/v3/${call}`);
    expect([answer.status, answer.body]).toEqual([400, { code, msg }]);
  });

  test('an unknown path is 404 and a known one with another method 405', async () => {
    expect((await rig.send('GET', '/api/v3/nope')).status).toBe(404);
    expect((await rig.send('POST', '/api/v3/ping')).status).toBe(405);
  });
});

describe('keys, time and signature', () => {
  test.each([
    ['no key', {}],
    ['a malformed key', { 'x-mbx-apikey': 'no key!' }],
  ])('%s', async (_, headers) => {
    const answer = await rig.send('GET', '/api/v3/account?timestamp=1&signature=x', { headers });
    expect([answer.status, answer.body]).toEqual([401, { code: -2014, msg: 'API-key format invalid.' }]);
  });

  test('an unknown key', async () => {
    const answer = await rig.signed({ apiKey: 'A'.repeat(64), secret: 's' }, '/api/v3/account');
    expect([answer.status, answer.body.code]).toEqual([401, -2015]);
  });

  test('a wrong secret', async () => {
    const answer = await rig.signed({ apiKey: key.apiKey, secret: 'wrong' }, '/api/v3/account');
    expect([answer.status, answer.body]).toEqual([
      400,
      { code: -1022, msg: 'Signature for this request is not valid.' },
    ]);
  });

  test.each([
    ['timestamp', 'signature=x'],
    ['signature', 'timestamp=1'],
  ])('%s is mandatory', async (name, query) => {
    const headers = { 'x-mbx-apikey': key.apiKey };
    const answer = await rig.send('GET', `/api/v3/account?${query}`, { headers });
    expect(answer.body).toEqual({ code: -1102, msg: mandatory(name) });
  });

  const outside = 'Timestamp for this request is outside of the recvWindow.';
  const ahead = "Timestamp for this request was 1000ms ahead of the server's time.";
  test.each([
    ['5000 ms old', -5000, {}, undefined],
    ['5001 ms old', -5001, {}, outside],
    ['older than a smaller window', -101, { recvWindow: 100 }, outside],
    ['within a larger window', -59_000, { recvWindow: 60_000 }, undefined],
    ['within a window with decimals', -100, { recvWindow: '100.5' }, undefined],
    ['999 ms ahead', 999, {}, undefined],
    ['1000 ms ahead', 1000, {}, ahead],
    ['a window above 60000', 0, { recvWindow: 60_001 }, 'recvWindow must be less than 60000.'],
  ])('a call %s', async (_, offset, params, msg) => {
    const answer = await rig.signed(key, '/api/v3/account', { params, timestamp: rig.now + offset });
    expect([answer.status, answer.body.msg]).toEqual([msg === undefined ? 200 : 400, msg]);
  });

  test('microseconds are taken too', async () => {
    const answer = await rig.signed(key, '/api/v3/account', { timestamp: rig.now * 1000 });
    expect(answer.status).toBe(200);
  });
});

describe('new orders', () => {
  const limit = {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.001',
    price: '50000',
  };
  const without = (name: string) => Object.fromEntries(Object.entries(limit).filter(([key]) => key !== name));
  const market = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET' };

  test.each([
    ['no side', without('side'), -1102, mandatory('side')],
    ['no type', without('type'), -1102, mandatory('type')],
    ['no time in force', without('timeInForce'), -1102, mandatory('timeInForce')],
    ['no quantity', without('quantity'), -1102, mandatory('quantity')],
    ['no price', without('price'), -1102, mandatory('price')],
    ['an unknown side', { ...limit, side: 'HOLD' }, -1117, 'Invalid side.'],
    ['an unknown type', { ...limit, type: 'ICEBERG' }, -1116, 'Invalid orderType.'],
    ['an unknown time in force', { ...limit, timeInForce: 'GTX' }, -1115, 'Invalid timeInForce.'],
    ['a negative quantity', { ...limit, quantity: '-1' }, -1100, illegal('quantity', DECIMAL_RANGE)],
    ['an exponent', { ...limit, quantity: '1e-3' }, -1100, illegal('quantity', DECIMAL_RANGE)],
    ['a quantity in words', { ...limit, quantity: 'all' }, -1100, illegal('quantity', DECIMAL_RANGE)],
    [
      'nine decimals',
      { ...limit, quantity: '0.000000001' },
      -1111,
      "Parameter 'quantity' has too much precision.",
    ],
    ['a quantity of nothing', { ...limit, quantity: '0' }, -1013, 'Invalid quantity.'],
    ['a price of nothing', { ...limit, price: '0.00' }, -1013, 'Invalid price.'],
    ['a price between ticks', { ...limit, price: '50000.001' }, -1013, 'Filter failure: PRICE_FILTER'],
    ['a price above the highest', { ...limit, price: '99999999' }, -1013, 'Filter failure: PRICE_FILTER'],
    [
      'a price no integer holds',
      { ...limit, price: '99999999999999999999' },
      -1013,
      'Filter failure: PRICE_FILTER',
    ],
    ['a quantity between lots', { ...limit, quantity: '0.001001' }, -1013, 'Filter failure: LOT_SIZE'],
    ['a quantity above the largest', { ...limit, quantity: '10000' }, -1013, 'Filter failure: LOT_SIZE'],
    ['a value too small', { ...limit, quantity: '0.00001' }, -1013, 'Filter failure: NOTIONAL'],
    [
      'a price far above',
      { ...limit, side: 'SELL', price: '900000' },
      -1013,
      'Filter failure: PERCENT_PRICE_BY_SIDE',
    ],
    [
      'more than there is',
      { ...limit, quantity: '5' },
      -2010,
      'Account has insufficient balance for requested action.',
    ],
    [
      'a suspended market',
      { ...limit, symbol: 'WAVESUSDT', price: '0.7', quantity: '100' },
      -2010,
      'Market is closed.',
    ],
    ['a stop price', { ...limit, stopPrice: '1' }, -1106, "Parameter 'stopPrice' sent when not required."],
    ['an iceberg larger than its order', { ...limit, icebergQty: '0.02' }, -2010, 'IcebergQty exceeds QTY.'],
    [
      'an iceberg in too many parts',
      { ...limit, icebergQty: '0.00009' },
      -1013,
      'Filter failure: ICEBERG_PARTS',
    ],
    [
      'an iceberg that does not rest',
      { ...limit, timeInForce: 'IOC', icebergQty: '0.005' },
      -2010,
      'Unsupported order combination',
    ],
    [
      'an iceberg at market',
      { ...market, quantity: '1', icebergQty: '0.5' },
      -1106,
      "Parameter 'icebergQty' sent when not required.",
    ],
    [
      'a stop that is reached already',
      { ...limit, type: 'STOP_LOSS_LIMIT', stopPrice: '1' },
      -2010,
      'Order would trigger immediately.',
    ],
    [
      'a stop without a price to wait for',
      { ...limit, type: 'STOP_LOSS_LIMIT' },
      -1102,
      "Param 'stopPrice' or 'trailingDelta' must be sent, but both were empty/null!",
    ],
    [
      'a stop at market with a price',
      { ...limit, type: 'STOP_LOSS', stopPrice: '999999' },
      -1106,
      "Parameter 'timeInForce' sent when not required.",
    ],
    [
      'a way back that is too short',
      { ...limit, type: 'TAKE_PROFIT_LIMIT', trailingDelta: '9' },
      -1013,
      'Filter failure: TRAILING_DELTA',
    ],
    [
      'a stop price between ticks',
      { ...limit, type: 'STOP_LOSS_LIMIT', stopPrice: '99999.001' },
      -1013,
      'Filter failure: PRICE_FILTER',
    ],
    [
      'a bad client id',
      { ...limit, newClientOrderId: 'a b' },
      -1100,
      illegal('newClientOrderId', '^[a-zA-Z0-9-_]{1,36}$'),
    ],
    ['a small strategy type', { ...limit, strategyType: '9' }, -1134, 'strategyType was less than 1000000.'],
    [
      'a market order of nothing',
      market,
      -1102,
      "Param 'quantity' or 'quoteOrderQty' must be sent, but both were empty/null!",
    ],
    [
      'a market order with a price',
      { ...market, quantity: '1', price: '1' },
      -1106,
      "Parameter 'price' sent when not required.",
    ],
    [
      'a market order with both',
      { ...market, quantity: '1', quoteOrderQty: '1' },
      -1106,
      "Parameter 'quoteOrderQty' sent when not required.",
    ],
    [
      'a post-only order with a time in force',
      { ...limit, type: 'LIMIT_MAKER' },
      -1106,
      "Parameter 'timeInForce' sent when not required.",
    ],
  ])('%s', async (_, params, code, msg) => {
    const placed = await rig.signed(key, '/api/v3/order', { method: 'POST', params });
    expect([placed.status, placed.body]).toEqual([400, { code, msg }]);
    const tested = await rig.signed(key, '/api/v3/order/test', { method: 'POST', params });
    expect([tested.status, tested.body]).toEqual([400, { code, msg }]);
  });

  test('a post-only order that would take is refused', async () => {
    const params = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT_MAKER', quantity: '0.001', price: '0' };
    const { body } = await rig.get('/api/v3/ticker/bookTicker', { symbol: 'BTCUSDT' });
    const price = (Number(body.askPrice) * 1.01).toFixed(2);
    const answer = await rig.signed(key, '/api/v3/order', { method: 'POST', params: { ...params, price } });
    expect(answer.body).toEqual({ code: -2010, msg: 'Order would immediately match and take.' });
  });

  test('nothing was placed by any of these', async () => {
    const open = await rig.signed(key, '/api/v3/openOrders');
    const account = await rig.signed(key, '/api/v3/account', { params: { omitZeroBalances: true } });
    expect(open.body).toEqual([]);
    expect(account.body.balances).toEqual([
      { asset: 'BTC', free: '1.00000000', locked: '0.00000000' },
      { asset: 'USDT', free: '100000.00000000', locked: '0.00000000' },
    ]);
  });
});

describe('queries and cancels', () => {
  test.each([
    [
      'GET',
      '/api/v3/order',
      { symbol: 'BTCUSDT' },
      { code: -1102, msg: "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!" },
    ],
    [
      'GET',
      '/api/v3/order',
      { symbol: 'BTCUSDT', orderId: 1 },
      { code: -2013, msg: 'Order does not exist.' },
    ],
    [
      'DELETE',
      '/api/v3/order',
      { symbol: 'BTCUSDT', orderId: 1 },
      { code: -2011, msg: 'Unknown order sent.' },
    ],
    [
      'DELETE',
      '/api/v3/order',
      { symbol: 'BTCUSDT', origClientOrderId: 'nope' },
      { code: -2011, msg: 'Unknown order sent.' },
    ],
    [
      'DELETE',
      '/api/v3/order',
      { symbol: 'BTCUSDT', orderId: 1, cancelRestrictions: 'X' },
      { code: -1145, msg: 'cancelRestrictions has to be either ONLY_NEW or ONLY_PARTIALLY_FILLED.' },
    ],
    ['DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' }, { code: -2011, msg: 'Unknown order sent.' }],
    [
      'GET',
      '/api/v3/allOrders',
      { symbol: 'BTCUSDT', startTime: 0, endTime: 86_400_001 },
      { code: -1127, msg: 'More than 24 hours between startTime and endTime.' },
    ],
    [
      'GET',
      '/api/v3/myTrades',
      { symbol: 'BTCUSDT', orderId: 1, startTime: 1 },
      { code: -1128, msg: 'Combination of optional parameters invalid.' },
    ],
    [
      'PUT',
      '/api/v3/order/amend/keepPriority',
      { symbol: 'BTCUSDT', orderId: 1 },
      { code: -1102, msg: mandatory('newQty') },
    ],
    [
      'PUT',
      '/api/v3/order/amend/keepPriority',
      { symbol: 'BTCUSDT', orderId: 1, newQty: '1' },
      { code: -2011, msg: 'Unknown order sent.' },
    ],
  ])('%s %s %o', async (method, path, params, refusal) => {
    const answer = await rig.signed(key, path, { method, params });
    expect([answer.status, answer.body]).toEqual([400, refusal]);
  });

  test('a listen key is mandatory where one is kept', async () => {
    const headers = { 'x-mbx-apikey': key.apiKey };
    const answer = await rig.send('PUT', '/api/v3/userDataStream', { headers });
    expect(answer.body).toEqual({ code: -1102, msg: mandatory('listenKey') });
  });

  test('an oversized body is refused by size, and the server goes on', async () => {
    const headers = { 'x-mbx-apikey': key.apiKey };
    const answer = await rig.send('POST', '/api/v3/order', { headers, body: 'x'.repeat(100_000) });
    expect(answer.status).toBe(413);
    expect((await rig.get('/api/v3/ping')).status).toBe(200);
  });
});
