import { afterEach, describe, expect, test } from 'vitest';
import { banMillisMin, ignoredRefusalsMax } from './address-bans.ts';
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

describe('an address that overlooks 429', () => {
  const ask = () => rig.get('/api/v3/time');
  /** Uses the minute up and goes on asking. @returns the status of the last answer. */
  async function overlook(): Promise<number> {
    let status = 0;
    for (let at = 0; at < ignoredRefusalsMax + 3; at += 1) ({ status } = await ask());
    return status;
  }

  test('is refused with 418 for two minutes, then for four; the ban ends by itself', async () => {
    rig = await startRig({ limits: { requestWeightPerMinuteMax: 1 } });
    for (const millis of [banMillisMin, 2 * banMillisMin]) {
      expect(await overlook()).toBe(418);
      const banned = await ask();
      const until = rig.now + millis;
      expect([banned.status, banned.headers.get('retry-after')]).toEqual([418, String(millis / 1_000)]);
      const text = `Way too much request weight used; IP banned until ${until}. Please use WebSocket Streams for live updates to avoid bans.`;
      expect(banned.body).toEqual({ code: -1003, msg: text });
      const socket = await rig.socket('/ws-api/v3');
      const data = { serverTime: rig.now, retryAfter: until };
      expect(await socket.ask(1, 'time')).toMatchObject({
        ...{ status: 418, error: { code: -1003, msg: text, data } },
      });
      socket.close();
      rig.letPass(millis - 1);
      expect((await ask()).status).toBe(418);
      rig.letPass(1);
      expect((await ask()).status).toBe(200);
    }
    // Futures have their own count and are not concerned.
    expect((await rig.get('/fapi/v1/time')).status).toBe(200);
  });

  test('is not refused for what it had under way, nor when it waits', async () => {
    rig = await startRig({ limits: { requestWeightPerMinuteMax: 1 } });
    for (let minute = 0; minute < 3; minute += 1) {
      expect((await ask()).status).toBe(200);
      for (let at = 0; at < ignoredRefusalsMax; at += 1) expect((await ask()).status).toBe(429);
      rig.letPass(60_000);
    }
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

describe("the wallet's calls", () => {
  const SIGNED_READ = '/sapi/v1/asset/tradeFee';
  test('have a minute of their own each, and use nothing of the others', async () => {
    rig = await startRig();
    const key = await rig.key('alice', { USDT: '1000' });
    const fee = await rig.signed(key, SIGNED_READ, { params: {} });
    const again = await rig.signed(key, SIGNED_READ, { params: {} });
    const coins = await rig.signed(key, '/sapi/v1/capital/config/getall', { params: {} });
    const used = [fee, again, coins].map(({ headers }) => Number(headers.get('x-sapi-used-ip-weight-1m')));
    expect(used).toEqual([1, 2, 10]);
    expect(fee.headers.get('x-mbx-used-weight-1m')).toBeNull();
    expect((await rig.get('/api/v3/time')).headers.get('x-mbx-used-weight-1m')).toBe('1');
  });

  test('into the futures count by account: 200 transfers a minute, and who made them waits alone', async () => {
    rig = await startRig();
    const move = async (key: Awaited<ReturnType<TestRig['key']>>) =>
      rig.signed(key, '/sapi/v1/asset/transfer', {
        method: 'POST',
        params: { asset: 'USDT', amount: '1', type: 'MAIN_UMFUTURE' },
      });
    const alice = await rig.key('alice', { USDT: '1000' });
    for (let at = 0; at < 200; at += 1) await move(alice);
    const refused = await move(alice);
    expect([refused.status, refused.body.code]).toEqual([429, -1003]);
    const bob = await move(await rig.key('bob', { USDT: '1000' }));
    expect([bob.status, bob.headers.get('x-sapi-used-uid-weight-1m')]).toEqual([200, '900']);
    rig.letPass(60_000);
    expect((await move(alice)).status).toBe(200);
  });
});
