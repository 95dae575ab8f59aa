import { afterEach, describe, expect, test } from 'vitest';
import { startRig, type TestRig } from './rig.fixture.ts';

let rig: TestRig;

afterEach(() => rig.close());

const RESTING = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.001',
  price: '50000',
};

describe('request weight', () => {
  test('adds up per minute; above the limit comes 429 until the minute ends', async () => {
    rig = await startRig({ limits: { requestWeightPerMinuteMax: 12 } });
    const depth = () => rig.get('/api/v3/depth', { symbol: 'BTCUSDT' });
    const used = [];
    for (let at = 0; at < 3; at += 1) used.push((await depth()).headers.get('x-mbx-used-weight-1m'));
    expect(used).toEqual(['5', '10', '15']);
    const refused = await depth();
    expect([refused.status, refused.body.code]).toEqual([429, -1003]);
    expect(refused.body.msg).toContain('current limit is 12 request weight per 1 MINUTE');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBe(60);
    rig.letPass(seconds * 1000);
    expect((await depth()).status).toBe(200);
  });

  test('a larger book weighs more', async () => {
    rig = await startRig();
    const weights = [];
    for (const limit of [100, 500, 1000, 5000]) {
      rig.letPass(60_000);
      const answer = await rig.get('/api/v3/depth', { symbol: 'BTCUSDT', limit });
      weights.push(Number(answer.headers.get('x-mbx-used-weight-1m')));
    }
    expect(weights).toEqual([5, 25, 50, 250]);
  });

  test('orders that succeed weigh nothing, orders that fail one', async () => {
    rig = await startRig();
    const key = await rig.key('alice', { USDT: '1000' });
    const place = async (params: object) => {
      const answer = await rig.signed(key, '/api/v3/order', {
        method: 'POST',
        params: { ...RESTING, ...params },
      });
      return answer.headers.get('x-mbx-used-weight-1m');
    };
    expect(await place({})).toBe('0');
    expect(await place({ quantity: '1' })).toBe('1');
    expect(await place({})).toBe('1');
  });
});

describe('orders', () => {
  test('are counted per account; above the limit comes -1015, for that account alone', async () => {
    rig = await startRig({ limits: { ordersPer10SecondsMax: 2 } });
    const alice = await rig.key('alice', { USDT: '1000' });
    const bob = await rig.key('bob', { USDT: '1000' });
    const place = (key: typeof alice) =>
      rig.signed(key, '/api/v3/order', { method: 'POST', params: RESTING });
    expect((await place(alice)).headers.get('x-mbx-order-count-10s')).toBe('1');
    expect((await place(alice)).headers.get('x-mbx-order-count-1d')).toBe('2');
    const refused = await place(alice);
    expect([refused.status, refused.body]).toEqual([
      429,
      { code: -1015, msg: 'Too many new orders; current limit is 2 orders per 10 SECOND.' },
    ]);
    expect((await place(bob)).status).toBe(200);
    rig.letPass(10_000);
    expect((await place(alice)).status).toBe(200);
    const counts = await rig.signed(alice, '/api/v3/rateLimit/order');
    expect(counts.body.map((line: { count: number }) => line.count)).toEqual([1, 3]);
  });
});
