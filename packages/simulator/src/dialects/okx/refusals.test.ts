import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Key, startRig, type TestRig } from './rig.fixture.ts';

/** What is refused, with OKX's own codes, texts and HTTP statuses. */

let rig: TestRig;
let key: Key;
let master: Key;

beforeAll(async () => {
  rig = await startRig();
  key = await rig.key('alice', { USDT: '100000', BTC: '1' });
  master = await rig.key('master', { USDT: '1000' });
});
afterAll(async () => {
  expect(rig.faults).toEqual([]);
  await rig.close();
});

const NO_INSTRUMENT = "Instrument ID, Instrument ID code, or Spread ID doesn't exist.";
const empty = (name: string) => `Parameter ${name} cannot be empty.`;
const wrong = (name: string) => `Parameter ${name} error`;

describe('public calls', () => {
  test.each([
    ['market/ticker', 400, '50014', empty('instId')],
    ['market/ticker?instId=', 400, '50014', empty('instId')],
    ['market/ticker?instId=NO-USDT', 200, '51001', NO_INSTRUMENT],
    ['market/ticker?instId=btc-usdt', 200, '51001', NO_INSTRUMENT],
    ['market/tickers', 400, '50014', empty('instType')],
    ['market/tickers?instType=COINS', 400, '51000', wrong('instType')],
    ['market/books?instId=BTC-USDT&sz=0', 400, '51000', wrong('sz')],
    ['market/books?instId=BTC-USDT&sz=ten', 400, '51000', wrong('sz')],
    ['market/candles?instId=BTC-USDT&bar=7m', 400, '51000', wrong('bar')],
    ['market/candles?instId=BTC-USDT&bar=1s', 400, '51000', wrong('bar')],
    ['market/candles?instId=BTC-USDT&after=-1', 400, '51000', wrong('after')],
    ['market/candles?instId=BTC-USDT&limit=1e2', 400, '51000', wrong('limit')],
    ['market/mark-price-candles?instId=BTC-USDT', 400, '51000', wrong('instId')],
    ['market/index-candles?instId=NO-USDT', 200, '51014', "Index doesn't exist"],
    ['market/index-tickers', 400, '50015', 'Either parameter quoteCcy or instId is required.'],
    ['market/index-tickers?instId=NO-USDT', 200, '51014', "Index doesn't exist"],
    ['market/history-trades?instId=BTC-USDT&type=3', 400, '51000', wrong('type')],
    ['public/funding-rate?instId=BTC-USDT', 400, '51000', wrong('instId')],
    [
      'public/funding-rate?instId=BTC-USDT-270326',
      200,
      '51015',
      "Instrument ID doesn't match instrument type",
    ],
    ['public/instruments?instType=SPOT&instId=NO-USDT', 200, '51001', NO_INSTRUMENT],
    ['public/position-tiers?instType=SWAP&uly=BTC-USDT', 400, '50014', empty('tdMode')],
    ['public/position-tiers?instType=SWAP&tdMode=cross', 400, '50014', empty('instFamily')],
    ['market/ticker?instId=%E0%A4%A', 400, '51000', wrong('query')],
  ])('%s', async (call, status, code, msg) => {
    expect(await rig.get(`/api/v5/${call}`)).toEqual({ status, body: { code, data: [], msg } });
  });

  test('an unknown path is 404 and a known one with another method 405', async () => {
    expect(await rig.get('/api/v5/market/nothing')).toMatchObject({ status: 404, body: { code: '404' } });
    const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect(await rig.send('POST', '/api/v5/public/time', body)).toMatchObject({
      status: 405,
      body: { code: '50115' },
    });
  });

  test('parameters that a call does not know are ignored, as at OKX', async () => {
    expect((await rig.get('/api/v5/public/time?x=1')).body.code).toBe('0');
  });
});

describe('the door', () => {
  const balance = '/api/v5/account/balance';
  test.each([
    ['ok-access-key', '50103', 'Request header OK-ACCESS-KEY cannot be empty.'],
    ['ok-access-passphrase', '50104', 'Request header OK-ACCESS-PASSPHRASE cannot be empty.'],
    ['ok-access-sign', '50106', 'Request header OK-ACCESS-SIGN cannot be empty.'],
    ['ok-access-timestamp', '50107', 'Request header OK-ACCESS-TIMESTAMP cannot be empty.'],
  ])('without %s', async (header, code, msg) => {
    const answer = await rig.signed(key, 'GET', balance, { headers: { [header]: '' } });
    expect(answer).toEqual({ status: 401, body: { msg, code } });
  });

  test.each([
    ['a wrong secret', { secret: 'wrong' }, '50113', 'Invalid Sign'],
    [
      'a wrong passphrase',
      { passphrase: 'wrong' },
      '50105',
      'Request header OK-ACCESS-PASSPHRASE incorrect.',
    ],
    ['an unknown key', { apiKey: 'a'.repeat(36) }, '50111', 'Invalid OK-ACCESS-KEY'],
  ])('%s', async (_, change, code, msg) => {
    const answer = await rig.signed({ ...key, ...change }, 'GET', balance);
    expect(answer).toEqual({ status: 401, body: { msg, code } });
  });

  test.each([
    [-30_000, 200],
    [-30_001, 401],
    [30_000, 200],
    [30_001, 401],
  ])('a timestamp %i ms from ours is answered with %i', async (offsetMillis, status) => {
    const answer = await rig.signed(key, 'GET', balance, { offsetMillis });
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.body.code).toBe('50102');
  });

  test('a timestamp that is none, a query that was not signed, a body that is no JSON', async () => {
    const headers = { 'ok-access-timestamp': '1795176000' };
    expect((await rig.signed(key, 'GET', balance, { headers })).body.code).toBe('50112');
    const signed = await rig.signed(key, 'GET', balance, { headers: {} });
    expect(signed.status).toBe(200);
    const post = (body: string, type = 'application/json') =>
      rig.send('POST', '/api/v5/trade/order', { body, headers: { 'content-type': type } });
    expect((await post('')).body.code).toBe('50000');
    expect((await post('{"a":')).body.code).toBe('50002');
    expect((await post('5')).body.code).toBe('50002');
    expect((await post('a=b', 'application/x-www-form-urlencoded')).body.code).toBe('50006');
    expect(await post('x'.repeat(300_000))).toMatchObject({ status: 413 });
    expect((await rig.get('/api/v5/public/time')).status).toBe(200);
  });

  test('a deadline that has passed stops an order and nothing else', async () => {
    const body = {
      instId: 'BTC-USDT',
      tdMode: 'cash',
      side: 'buy',
      ordType: 'limit',
      sz: '0.01',
      px: '50000',
    };
    const headers = { exptime: String(rig.now - 1) };
    const late = await rig.signed(key, 'POST', '/api/v5/trade/order', { body, headers });
    expect([late.status, late.body.code]).toEqual([200, '50036']);
    expect((await rig.signed(key, 'GET', '/api/v5/trade/orders-pending', { headers })).body.data).toEqual([]);
  });
});

describe('orders', () => {
  const limit = {
    instId: 'BTC-USDT',
    tdMode: 'cash',
    side: 'buy',
    ordType: 'limit',
    sz: '0.01',
    px: '60000',
  };
  const without = (name: string) => Object.fromEntries(Object.entries(limit).filter(([key]) => key !== name));

  test.each<[string, object, string, string]>([
    ['no instrument', without('instId'), '50014', empty('instId')],
    ['an unknown instrument', { ...limit, instId: 'NO-USDT' }, '51001', NO_INSTRUMENT],
    ['no mode', without('tdMode'), '50014', empty('tdMode')],
    [
      'margin',
      { ...limit, tdMode: 'cross' },
      '51010',
      "You can't complete this request under your current account mode.",
    ],
    [
      'a contract',
      { ...limit, instId: 'BTC-USDT-SWAP' },
      '51010',
      "You can't complete this request under your current account mode.",
    ],
    ['no side', without('side'), '50014', empty('side')],
    ['an unknown side', { ...limit, side: 'hold' }, '51000', wrong('side')],
    ['an unknown type', { ...limit, ordType: 'iceberg' }, '51000', wrong('ordType')],
    ['no size', without('sz'), '50014', empty('sz')],
    ['no price', without('px'), '51204', 'The price for the limit order cannot be empty'],
    ['a size of 0', { ...limit, sz: '0' }, '51000', wrong('sz')],
    ['a size in words', { ...limit, sz: 'much' }, '51000', wrong('sz')],
    ['a negative size', { ...limit, sz: '-1' }, '51000', wrong('sz')],
    ['an exponent', { ...limit, sz: '1e-2' }, '51000', wrong('sz')],
    ['a price of 0', { ...limit, px: '0' }, '51000', wrong('px')],
    ['a price between two ticks', { ...limit, px: '60000.05' }, '51000', wrong('px')],
    [
      'a size between two lots',
      { ...limit, sz: '0.000000001' },
      '51121',
      'Order quantity must be a multiple of the lot size.',
    ],
    [
      'less than the smallest size',
      { ...limit, sz: '0.000001' },
      '51020',
      'Your order should meet or exceed the minimum order amount.',
    ],
    [
      'more than the largest size',
      { ...limit, sz: '9000001' },
      '51005',
      'Your order amount exceeds the max order amount.',
    ],
    [
      'a price out of the band',
      { ...limit, px: '1000000' },
      '51006',
      'Order price is not within the price limit',
    ],
    [
      'too little money',
      { ...limit, sz: '5' },
      '51008',
      'Order failed. Insufficient USDT balance in account.',
    ],
    [
      'too few coins',
      { ...limit, side: 'sell', px: '95000', sz: '5' },
      '51008',
      'Order failed. Insufficient BTC balance in account.',
    ],
    ['a client id with a dash', { ...limit, clOrdId: 'a-b' }, '51000', wrong('clOrdId')],
    ['a client id too long', { ...limit, clOrdId: 'a'.repeat(33) }, '51000', wrong('clOrdId')],
    ['a tag too long', { ...limit, tag: 'a'.repeat(17) }, '51000', wrong('tag')],
    ['an unknown prevention', { ...limit, stpMode: 'none' }, '51000', wrong('stpMode')],
    ['an attached stop', { ...limit, attachAlgoOrds: 'x' }, '51000', wrong('attachAlgoOrds')],
    [
      'a suspended pair',
      { ...limit, instId: 'WAVES-USDT', px: '0.5', sz: '10' },
      '51022',
      'Contract suspended',
    ],
  ])('%s', async (_, body, sCode, sMsg) => {
    const answer = await rig.signed(key, 'POST', '/api/v5/trade/order', { body });
    expect(answer).toMatchObject({
      status: 200,
      body: { code: '1', msg: 'Operation failed.', data: [{ ordId: '', sCode, sMsg }] },
    });
    expect((await rig.signed(key, 'GET', '/api/v5/trade/orders-pending')).body.data).toEqual([]);
  });

  test('a client id is taken while its order is open, and free again afterwards', async () => {
    const body = { ...limit, clOrdId: 'twice' };
    const place = () => rig.signed(key, 'POST', '/api/v5/trade/order', { body });
    expect((await place()).body.code).toBe('0');
    expect((await place()).body.data[0]).toMatchObject({ sCode: '51016', clOrdId: 'twice' });
    const cancel = { instId: 'BTC-USDT', clOrdId: 'twice' };
    await rig.signed(key, 'POST', '/api/v5/trade/cancel-order', { body: cancel });
    expect((await place()).body.code).toBe('0');
    await rig.signed(key, 'POST', '/api/v5/trade/cancel-order', { body: cancel });
  });

  test.each<[string, string, object, string]>([
    ['cancel-order', 'without an id', { instId: 'BTC-USDT' }, '51003'],
    ['cancel-order', 'of an order that is not there', { instId: 'BTC-USDT', ordId: '1' }, '51400'],
    ['cancel-order', 'of words', { instId: 'BTC-USDT', ordId: 'abc' }, '51400'],
    ['cancel-order', 'at an unknown instrument', { instId: 'NO-USDT', ordId: '1' }, '51001'],
    ['amend-order', 'without an id', { instId: 'BTC-USDT', newSz: '1' }, '51003'],
    ['amend-order', 'of an order that is not there', { instId: 'BTC-USDT', ordId: '1', newSz: '1' }, '51503'],
  ])('%s %s', async (call, _, body, sCode) => {
    const answer = await rig.signed(key, 'POST', `/api/v5/trade/${call}`, { body });
    expect(answer).toMatchObject({ status: 200, body: { code: '1', data: [{ sCode }] } });
  });

  test('an order that has ended tells how, and cannot be cancelled or amended', async () => {
    const placed = await rig.signed(key, 'POST', '/api/v5/trade/order', { body: limit });
    const { ordId } = placed.body.data[0];
    const named = { instId: 'BTC-USDT', ordId };
    const amend = (change: object) =>
      rig.signed(key, 'POST', '/api/v5/trade/amend-order', { body: { ...named, ...change } });
    for (const [change, sCode] of [
      [{}, '51500'],
      [{ newPx: '60000.05' }, '51000'],
      [{ newSz: '0.0000000001' }, '51121'],
      [{ newSz: '5' }, '51502'],
      [{ newSz: '0.000001' }, '51020'],
    ] as const) {
      expect((await amend(change)).body.data[0].sCode).toBe(sCode);
    }
    const cancel = () => rig.signed(key, 'POST', '/api/v5/trade/cancel-order', { body: named });
    expect((await cancel()).body.code).toBe('0');
    expect((await cancel()).body.data[0].sCode).toBe('51401');
    expect((await amend({ newPx: '60001' })).body.data[0].sCode).toBe('51509');
    const market = { ...limit, ordType: 'market', sz: '10' };
    const filled = (await rig.signed(key, 'POST', '/api/v5/trade/order', { body: market })).body.data[0]
      .ordId;
    const body = { instId: 'BTC-USDT', ordId: filled };
    const late = await rig.signed(key, 'POST', '/api/v5/trade/cancel-order', { body });
    expect(late.body.data[0].sCode).toBe('51402');
    const changed = await rig.signed(key, 'POST', '/api/v5/trade/amend-order', {
      body: { ...body, newSz: '1' },
    });
    expect(changed.body.data[0].sCode).toBe('51510');
  });

  test.each([
    ['trade/order?instId=BTC-USDT', 200, '51003'],
    ['trade/order?instId=BTC-USDT&ordId=1', 200, '51603'],
    ['trade/order?instId=BTC-USDT&clOrdId=nobody', 200, '51603'],
    ['trade/order?instId=NO-USDT&ordId=1', 200, '51001'],
    ['trade/orders-history', 400, '50014'],
    ['trade/fills-history', 400, '50014'],
    ['trade/orders-pending?state=filled', 400, '51000'],
    ['trade/orders-pending?after=abc', 400, '51000'],
    ['trade/fills?limit=0', 400, '51000'],
    ['account/max-size?instId=BTC-USDT', 400, '50014'],
    ['account/max-size?instId=BTC-USDT&tdMode=cross', 200, '51010'],
    ['account/trade-fee?instType=COINS', 400, '51000'],
    ['account/subaccount/balances?subAcct=nobody', 200, '59500'],
  ])('GET %s', async (call, status, code) => {
    expect(await rig.signed(key, 'GET', `/api/v5/${call}`)).toMatchObject({ status, body: { code } });
  });

  test('more than twenty orders in one batch are refused as a whole', async () => {
    const body = Array.from({ length: 21 }, () => limit);
    const answer = await rig.signed(key, 'POST', '/api/v5/trade/batch-orders', { body });
    expect(answer.body).toMatchObject({ code: '51111', data: [] });
  });
});

describe('accounts and transfers', () => {
  const transfer = { type: '1', ccy: 'USDT', amt: '1', from: '6', to: '18', subAcct: 'member1' };
  beforeAll(async () => {
    const body = { subAcct: 'member1', type: '1', label: 'first' };
    await rig.signed(master, 'POST', '/api/v5/users/subaccount/create-subaccount', { body });
  });

  test.each<[string, object, number, string]>([
    ['asset/transfer', { ...transfer, ccy: '' }, 400, '50014'],
    ['asset/transfer', { ...transfer, ccy: 'NOPE' }, 400, '51000'],
    ['asset/transfer', { ...transfer, amt: '0' }, 200, '58114'],
    ['asset/transfer', { ...transfer, amt: 'all' }, 400, '51000'],
    ['asset/transfer', { ...transfer, from: '7' }, 400, '51000'],
    ['asset/transfer', { ...transfer, subAcct: '' }, 400, '50014'],
    ['asset/transfer', { ...transfer, subAcct: 'nobody1' }, 200, '58115'],
    ['asset/transfer', { ...transfer, amt: '1000000' }, 200, '58350'],
    ['asset/transfer', { ...transfer, type: '9' }, 400, '51000'],
    ['asset/transfer', { ...transfer, type: '3' }, 200, '58127'],
    ['asset/transfer', { ...transfer, clientId: 'a b' }, 400, '51000'],
    ['asset/transfer', { ...transfer, type: '0', to: '6' }, 400, '51000'],
    ['users/subaccount/create-subaccount', { subAcct: 'member1', type: '1' }, 200, '59601'],
    ['users/subaccount/create-subaccount', { subAcct: 'me', type: '1' }, 400, '51000'],
    ['users/subaccount/apikey', { subAcct: 'member1', label: 'x', passphrase: 'weak' }, 200, '59505'],
    ['users/subaccount/apikey', { subAcct: 'nobody1', label: 'x', passphrase: 'Pass-word1' }, 200, '58115'],
    [
      'users/subaccount/apikey',
      { subAcct: 'member1', label: 'x', passphrase: 'Pass-word1', perm: 'withdraw' },
      400,
      '51000',
    ],
  ])('POST %s %o', async (call, body, status, code) => {
    expect(await rig.signed(master, 'POST', `/api/v5/${call}`, { body })).toMatchObject({
      status,
      body: { code },
    });
  });

  test('only the main account’s key makes accounts and moves funds of others', async () => {
    const post = (call: string, body: object) => rig.signed(key, 'POST', `/api/v5/${call}`, { body });
    expect((await post('asset/transfer', transfer)).body.code).toBe('58128');
    for (const call of ['create-subaccount', 'apikey']) {
      const body = { subAcct: 'member2', label: 'x', passphrase: 'Pass-word1' };
      expect((await post(`users/subaccount/${call}`, body)).body.code).toBe('59500');
    }
    expect((await rig.signed(key, 'GET', '/api/v5/users/subaccount/list')).body.code).toBe('59500');
  });

  test('a transfer’s id cannot be used for another, nor be found among another type', async () => {
    const post = (body: object) => rig.signed(master, 'POST', '/api/v5/asset/transfer', { body });
    const first = await post({ ...transfer, clientId: 'once' });
    expect((await post({ ...transfer, clientId: 'once' })).body.data).toEqual(first.body.data);
    expect((await post({ ...transfer, clientId: 'once', amt: '2' })).body.code).toBe('58119');
    const find = (query: string) => rig.signed(master, 'GET', `/api/v5/asset/transfer-state?${query}`);
    expect((await find('clientId=once&type=1')).body.data[0]).toMatchObject({
      state: 'success',
      amt: '1',
      subAcct: 'member1',
      from: '6',
      to: '18',
    });
    const { transId } = first.body.data[0];
    expect((await find(`transId=${transId}&type=1`)).body.data[0]).toMatchObject({ clientId: 'once' });
    expect((await find('clientId=once&type=2')).body.code).toBe('58129');
    expect((await find('clientId=never&type=1')).body.code).toBe('58129');
    expect((await find('type=1')).body.code).toBe('50015');
  });
});

describe('the limiter', () => {
  test('says 429 and 50011 beyond a call’s number in two seconds, by address or by account, and forgets', async () => {
    const limited = await startRig({ limited: true });
    try {
      const time = () => limited.get('/api/v5/public/time');
      for (let call = 0; call < 10; call += 1) expect((await time()).status).toBe(200);
      expect(await time()).toEqual({ status: 429, body: { msg: 'Too Many Requests', code: '50011' } });
      const one = await limited.key('one', {});
      const other = await limited.key('other', {});
      const config = (who: Key) => limited.signed(who, 'GET', '/api/v5/account/config');
      for (let call = 0; call < 5; call += 1) expect((await config(one)).status).toBe(200);
      expect((await config(one)).body.code).toBe('50011');
      expect((await config(other)).status).toBe(200);
      limited.letPass(2_000);
      expect((await time()).status).toBe(200);
      expect((await config(one)).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});
