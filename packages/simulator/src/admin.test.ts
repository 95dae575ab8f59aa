import { amount, type Lots } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../tests/opened.ts';
import { startRig } from './dialects/binance/rig.fixture.ts';
import { TestSocket } from './dialects/wire/rig.fixture.ts';

const rig = openedOnce(startRig);
let count = 0;

const RESTING = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
  price: '50000',
};

async function trader() {
  count += 1;
  return await rig.key(`trader-${count}`, { USDT: '10000' });
}

const place = (key: Awaited<ReturnType<typeof trader>>) =>
  rig.signed(key, '/api/v3/order', { method: 'POST', params: RESTING });
const openCount = async (key: Awaited<ReturnType<typeof trader>>) =>
  (await rig.signed(key, '/api/v3/openOrders')).body.length;

describe('the door', () => {
  test.each([
    ['no token', '/sim/health', {}],
    ['a wrong token in the path', '/sim/wrong/health', {}],
    ['a wrong bearer token', '/sim/health', { authorization: 'Bearer wrong' }],
  ])('%s is refused', async (_, path, headers) => {
    expect((await rig.send('GET', path, { headers })).status).toBe(401);
  });

  test('the token opens it in the path and as bearer', async () => {
    expect((await rig.admin('GET', 'health')).body.status).toBe('ok');
    const headers = { authorization: 'Bearer test-token' };
    expect((await rig.send('GET', '/sim/health', { headers })).status).toBe(200);
  });

  test.each([
    ['keys', {}, 'label must be'],
    ['keys', { label: 'a b' }, 'label must be'],
    ['credit', { label: 'x', asset: 'USDT', amount: 5, creditId: 'c' }, 'amount must be'],
    ['credit', { label: 'x', asset: 'USDT', amount: '-5', creditId: 'c' }, 'amount must be'],
    ['credit', { label: 'x', asset: 'USDT', amount: '5' }, 'creditId must be'],
    ['agents', { paused: 'yes' }, 'paused must be true or false'],
    ['shock', { symbol: 'BTCUSDT', factor: 0 }, 'factor must be a number'],
    ['status', { symbol: 'BTCUSDT', status: 'OPEN' }, 'status must be one of'],
    ['funding', { symbol: '' }, 'symbol must be'],
    ['deleverage', { symbol: 'BTCUSDT', side: 'both', lots: 1 }, 'side must be one of'],
    ['insurance', { amount: '-1' }, 'amount must be'],
    ['positions', {}, 'label must be'],
    ['faults', { kind: 'flood' }, 'kind must be one of'],
    ['faults', { kind: 'delay', count: 0 }, 'count must be a number'],
    ['sockets/drop', {}, 'kind must be one of'],
  ])('%s %o says what is wrong', async (call, body, sentence) => {
    const answer = await rig.admin('POST', call, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(sentence);
  });

  test.each([['[]'], ['{'], ['"x"'], ['x'.repeat(100_000)]])(
    'a body that is no object is refused',
    async (body) => {
      const response = await fetch(`${rig.server.admin}/keys`, { method: 'POST', body });
      expect(response.status).toBe(400);
    },
  );

  test('what is not there is 404', async () => {
    expect((await rig.admin('POST', 'nope')).status).toBe(404);
    expect((await rig.admin('POST', 'shock', { symbol: 'NOPE', factor: 2 })).status).toBe(404);
    const credit = { label: 'nobody', asset: 'USDT', amount: '1', creditId: 'x' };
    expect((await rig.admin('POST', 'credit', credit)).status).toBe(404);
  });
});

describe('accounts', () => {
  test('a key opens its account, and a credit counts once', async () => {
    const { body } = await rig.admin('POST', 'keys', { label: 'carol' });
    expect(body).toMatchObject({ label: 'carol', apiKey: expect.any(String), secret: expect.any(String) });
    const again = await rig.admin('POST', 'keys', { label: 'carol' });
    expect([again.body.account, again.body.apiKey === body.apiKey]).toEqual([body.account, false]);
    const credit = { label: 'carol', asset: 'USDT', amount: '12.5', creditId: 'first' };
    expect((await rig.admin('POST', 'credit', credit)).body.applied).toBe(true);
    expect((await rig.admin('POST', 'credit', credit)).body.applied).toBe(false);
    expect((await rig.admin('POST', 'balances', { label: 'carol' })).body.balances).toEqual([
      { asset: 'USDT', free: '12.5', locked: '0' },
    ]);
  });
});

describe('the market', () => {
  const lastUpdate = async () => (await rig.get('/api/v3/depth', { symbol: 'BTCUSDT' })).body.lastUpdateId;

  test('paused agents leave the book as it is', async () => {
    await rig.admin('POST', 'agents', { paused: true });
    const before = await lastUpdate();
    rig.advance(5000);
    expect(await lastUpdate()).toBe(before);
    await rig.admin('POST', 'agents', { paused: false });
    rig.advance(5000);
    expect(await lastUpdate()).toBeGreaterThan(before);
  });

  test('a shock moves the price', async () => {
    const price = async () =>
      Number((await rig.get('/api/v3/ticker/bookTicker', { symbol: 'ETHUSDT' })).body.bidPrice);
    const before = await price();
    await rig.admin('POST', 'shock', { symbol: 'ETHUSDT', factor: 1.1 });
    rig.advance(20_000);
    expect((await price()) / before).toBeGreaterThan(1.05);
  });

  test('a suspended market takes no orders and says so', async () => {
    const key = await trader();
    await rig.admin('POST', 'status', { symbol: 'BTCUSDT', status: 'BREAK' });
    expect((await place(key)).body.msg).toBe('Market is closed.');
    const info = await rig.get('/api/v3/exchangeInfo', { symbol: 'BTCUSDT' });
    expect(info.body.symbols[0].status).toBe('BREAK');
    await rig.admin('POST', 'status', { symbol: 'BTCUSDT', status: 'TRADING' });
    expect((await place(key)).status).toBe(200);
  });
});

describe('faults', () => {
  const arm = (plan: object) => rig.admin('POST', 'faults', plan);

  test.each([
    ['timeout-after', 1],
    ['timeout-before', 0],
  ])('%s answers that the outcome is unknown, and %i order is there', async (kind, orders) => {
    const key = await trader();
    await arm({ kind, match: 'order.place' });
    const answer = await place(key);
    expect([answer.status, answer.body.code]).toEqual([504, -1007]);
    expect(await openCount(key)).toBe(orders);
    expect((await place(key)).status).toBe(200);
  });

  test.each([
    ['reset-after', 1],
    ['reset-before', 0],
  ])('%s closes the connection without an answer, and %i order is there', async (kind, orders) => {
    const key = await trader();
    await arm({ kind, match: 'order.place' });
    await expect(place(key)).rejects.toThrow();
    expect(await openCount(key)).toBe(orders);
  });

  test('reset-after drops the socket of the WebSocket API too, after the order is placed', async () => {
    const key = await trader();
    const socket = await rig.socket('/ws-api/v3');
    await arm({ kind: 'reset-after', match: 'order.place' });
    void socket.askSigned({ key, now: rig.now }, 1, 'order.place', RESTING).catch(() => undefined);
    expect(await socket.closed).toBe(1006);
    expect(await openCount(key)).toBe(1);
  });

  test('a delayed answer comes after answers that were asked for later', async () => {
    const key = await trader();
    const socket = await rig.socket('/ws-api/v3');
    await arm({ kind: 'delay', match: 'order.place', delayMillis: 300 });
    socket.send('{"id":0,"method":"ping"}');
    const placed = socket.askSigned({ key, now: rig.now }, 1, 'order.place', RESTING);
    await socket.ask(2, 'ping');
    expect((await placed).status).toBe(200);
    expect(socket.heard.map((message) => message.id)).toEqual([0, 2, 1]);
    socket.close();
  });

  test('a plan counts down, is listed, and can be cleared', async () => {
    await arm({ kind: 'timeout-before', match: 'ping', count: 2 });
    await rig.get('/api/v3/ping');
    expect((await rig.admin('GET', 'faults')).body.faults).toMatchObject([
      { kind: 'timeout-before', left: 1 },
    ]);
    await rig.admin('DELETE', 'faults');
    expect((await rig.get('/api/v3/ping')).status).toBe(200);
  });

  test('a seeded plan fails the same calls again', async () => {
    const story = async () => {
      await arm({ kind: 'timeout-before', match: 'ping', count: 1000, probability: 0.5, seed: 9 });
      const statuses = [];
      for (let at = 0; at < 20; at += 1) statuses.push((await rig.get('/api/v3/ping')).status);
      await rig.admin('DELETE', 'faults');
      return statuses;
    };
    const first = await story();
    expect(new Set(first)).toEqual(new Set([200, 504]));
    expect(await story()).toEqual(first);
  });

  test('sockets are dropped by kind', async () => {
    const streams = await rig.socket('/ws');
    const api = await rig.socket('/ws-api/v3');
    await rig.admin('POST', 'sockets/drop', { kind: 'streams' });
    expect(await streams.closed).toBe(1006);
    expect((await api.ask(1, 'ping')).status).toBe(200);
    await rig.admin('POST', 'sockets/drop', { kind: 'all' });
    expect(await api.closed).toBe(1006);
    expect(streams).toBeInstanceOf(TestSocket);
  });
});

describe('venues', () => {
  test('health lists every venue with its markets', async () => {
    const { body } = await rig.admin('GET', 'health');
    expect(body.venues).toEqual([
      { venue: 'binance', spot: rig.exchange.markets.size, perps: expect.any(Number) },
    ]);
  });

  test.each([
    ['keys', { label: 'x', venue: 'kraken' }, 400, 'venue must be one of binance, okx, bybit'],
    ['keys', { label: 'x', venue: 'okx' }, 404, 'no venue okx'],
    ['shock', { symbol: 'BTCUSDT', factor: 1, market: 'options' }, 400, 'market must be one of spot, perps'],
    ['shock', { symbol: 'ETHBTC', factor: 1.1, market: 'perps' }, 404, 'no market has the symbol ETHBTC'],
    ['custody/move', { from: 'binance', to: 'mars' }, 400, 'to must be one of'],
    [
      'custody/move',
      { from: 'binance', to: 'okx', asset: 'USDT', amount: '0', moveId: 'a' },
      400,
      'amount must be',
    ],
    [
      'custody/move',
      { from: 'okx', to: 'okx', asset: 'USDT', amount: '1', moveId: 'a' },
      400,
      'another venue',
    ],
    [
      'custody/move',
      { from: 'binance', to: 'okx', asset: 'USDT', amount: '1', moveId: 'a' },
      404,
      'both venues',
    ],
  ])('%s %o is refused with a sentence', async (call, body, status, sentence) => {
    const answer = await rig.admin('POST', call, body);
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(sentence)]);
  });

  test("a contract's status and price are steered by name and kind", async () => {
    const place = { symbol: 'ETHUSDT', market: 'perps' };
    await rig.admin('POST', 'status', { ...place, status: 'BREAK' });
    expect(rig.venue.perps.contracts.get('ETHUSDT')?.status).toBe('BREAK');
    await rig.admin('POST', 'status', { ...place, status: 'TRADING' });
    const before = rig.venue.perps.stats('ETHUSDT').index;
    await rig.admin('POST', 'shock', { ...place, factor: 1.2 });
    expect(rig.venue.perps.stats('ETHUSDT').index / before).toBeCloseTo(1.2, 6);
  });
});

describe('three venues', () => {
  test('keys, credits, balances and moves are those of the venue that is named; OKX keys have a passphrase', async () => {
    const three = await startRig({ venues: ['binance', 'okx', 'bybit'] });
    try {
      for (const venue of ['binance', 'okx', 'bybit']) {
        const { body } = await three.admin('POST', 'master', { venue });
        expect(typeof body.passphrase).toBe(venue === 'okx' ? 'string' : 'undefined');
      }
      const credit = { label: 'master', asset: 'USDT', amount: '50', creditId: 'one', venue: 'bybit' };
      expect((await three.admin('POST', 'credit', credit)).body.applied).toBe(true);
      const order = { from: 'bybit', to: 'okx', asset: 'USDT', amount: '20', moveId: 'm' };
      expect((await three.admin('POST', 'custody/move', order)).body).toEqual({ applied: true });
      expect((await three.admin('POST', 'custody/move', order)).body).toEqual({ applied: false });
      const short = await three.admin('POST', 'custody/move', { ...order, amount: '31', moveId: 'n' });
      expect([short.status, short.body.code]).toEqual([409, 'INSUFFICIENT_BALANCE']);
      const held = async (venue: string) =>
        (await three.admin('POST', 'balances', { label: 'master', venue })).body.balances;
      expect(await held('binance')).toEqual([]);
      expect(await held('okx')).toEqual([{ asset: 'USDT', free: '20', locked: '0' }]);
      expect(await held('bybit')).toEqual([{ asset: 'USDT', free: '30', locked: '0' }]);
      const { body } = await three.admin('GET', 'health');
      expect(body.venues.map(({ venue }: { venue: string }) => venue)).toEqual(['binance', 'okx', 'bybit']);
    } finally {
      await three.close();
    }
  });
});

describe('contracts', () => {
  test('funding is paid and winners are deleveraged when it is asked for, the fund is as large as it is told to be', async () => {
    const key = await trader();
    const { perps, spot } = rig.venue;
    const account = spot.accountOfLabel(`trader-${count}`);
    if (account === undefined) throw new Error(`${key.apiKey} has an account`);
    await perps.movePocket(account, amount('1000'), `pocket ${count}`);
    const placed = await perps.placePerp({
      ...{
        account,
        symbol: 'BTCUSDT',
        side: 'BUY',
        positionSide: 'BOTH',
        kind: 'MARKET',
        timeInForce: 'GTC',
      },
      ...{ quantity: 10 as Lots, reduceOnly: false, clientId: 'one', selfTradePrevention: 'NONE' },
    });
    expect(placed).toMatchObject({ ok: true, value: { order: { status: 'FILLED' } } });
    const label = `trader-${count}`;
    const before = (await rig.admin('POST', 'positions', { label })).body;
    expect(before.positions).toMatchObject([{ symbol: 'BTCUSDT', lots: 10, marginMode: 'CROSS' }]);
    expect((await rig.admin('POST', 'funding', { symbol: 'NOPE' })).status).toBe(404);
    expect((await rig.admin('POST', 'funding', { symbol: 'BTCUSDT' })).body.symbol).toBe('BTCUSDT');
    const after = (await rig.admin('POST', 'positions', { label })).body;
    expect(after.wallet).not.toBe(before.wallet);
    const half = { symbol: 'BTCUSDT', side: 'long', lots: 4 };
    expect((await rig.admin('POST', 'deleverage', { ...half, symbol: 'NOPE' })).status).toBe(404);
    expect((await rig.admin('POST', 'delist', { symbol: 'NOPE' })).status).toBe(404);
    expect((await rig.admin('POST', 'delist', {})).body).toMatchObject({ error: /symbol/ });
    expect((await rig.admin('POST', 'deleverage', half)).body).toEqual(half);
    expect((await rig.admin('POST', 'positions', { label })).body.positions).toMatchObject([{ lots: 6 }]);
    expect((await rig.admin('POST', 'insurance', { amount: '5.5' })).body).toEqual({ amount: '5.5' });
    expect(perps.insuranceFund()).toBe(amount('5.5'));
  });
});
