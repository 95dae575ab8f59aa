import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { type Key, startRig } from './rig.fixture.ts';

/** What is refused at the door and of public calls, with OKX's own codes, texts and HTTP statuses. */

const rig = openedOnce(startRig);
let key: Key;

beforeAll(async () => {
  key = await rig.key('alice', { USDT: '100000', BTC: '1' });
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
    ['market/index-components', 400, '50014', empty('index')],
    ['market/index-components?index=NO-USDT', 200, '51014', "Index doesn't exist"],
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
    const answer = await rig.get(`/api/v5/${call}`);
    expect([answer.status, answer.body]).toEqual([status, { code, data: [], msg }]);
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
    expect([answer.status, answer.body]).toEqual([401, { msg, code }]);
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
    expect([answer.status, answer.body]).toEqual([401, { msg, code }]);
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

describe('the limiter', () => {
  test('says 429 and 50011 beyond a call’s number in two seconds, by address or by account, and forgets', async () => {
    const limited = await startRig({ limited: true });
    try {
      const time = () => limited.get('/api/v5/public/time');
      for (let call = 0; call < 10; call += 1) expect((await time()).status).toBe(200);
      const answer = await time();
      expect([answer.status, answer.body]).toEqual([429, { msg: 'Too Many Requests', code: '50011' }]);
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
