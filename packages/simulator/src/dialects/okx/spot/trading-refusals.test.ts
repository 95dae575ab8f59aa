import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type Key, startRig } from '../rig.fixture.ts';

/** What is refused of orders, queries, accounts and transfers, with OKX's own codes and texts. */

const rig = openedOnce(startRig);
let key: Key;
let master: Key;

beforeAll(async () => {
  key = await rig.key('alice', { USDT: '100000', BTC: '1' });
  master = await rig.key('master', { USDT: '1000' });
});

const NO_INSTRUMENT = "Instrument ID, Instrument ID code, or Spread ID doesn't exist.";
const empty = (name: string) => `Parameter ${name} cannot be empty.`;
const wrong = (name: string) => `Parameter ${name} error`;

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
      'more than the largest value',
      { ...limit, sz: '400' },
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
    ['account/trade-fee?instType=SWAP&instId=BTC-USDT', 200, '51001'],
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

  test.each<[string, number]>([
    ['read_only', 401],
    ['read_only,trade', 200],
  ])('a key that was made for %s may read, and trade where that was said', async (perm, status) => {
    const asked = { subAcct: 'member1', label: 'x', passphrase: 'Pass-word1', perm };
    const made = await rig.signed(master, 'POST', '/api/v5/users/subaccount/apikey', { body: asked });
    const { apiKey, secretKey, passphrase } = made.body.data[0];
    const own: Key = { apiKey, secret: secretKey, passphrase, account: 0 as Key['account'] };
    const config = (await rig.signed(own, 'GET', '/api/v5/account/config')).body.data[0];
    expect(config.perm).toBe(perm);
    const calls: [string, object][] = [
      ['trade/order', { instId: 'BTC-USDT-SWAP', tdMode: 'cross', side: 'buy', ordType: 'market', sz: '1' }],
      ['trade/order', { instId: 'BTC-USDT', tdMode: 'cash', side: 'buy', ordType: 'market', sz: '1' }],
      ['trade/cancel-all-after', { timeOut: '0' }],
      ['account/set-position-mode', { posMode: 'net_mode' }],
    ];
    for (const [call, body] of calls) {
      const answer = await rig.signed(own, 'POST', `/api/v5/${call}`, { body });
      expect([call, answer.status]).toEqual([call, status]);
      if (status === 401) expect(answer.body).toMatchObject({ code: '50120' });
    }
    const socket = await rig.loggedIn(own);
    socket.send({ id: 'o1', op: 'order', args: [{ instId: 'BTC-USDT', ...calls[1]?.[1] }] });
    const { code } = await socket.hear((message) => message.id === 'o1');
    expect(code === '50120').toBe(status === 401);
    socket.close();
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
