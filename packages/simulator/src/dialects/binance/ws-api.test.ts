import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import type { KeyPair } from '../wire/rig.fixture.ts';
import shapes from './fixtures/rest-shapes.json' with { type: 'json' };
import { type ApiSocket, startRig } from './rig.fixture.ts';
import { shapeOf } from './shape.fixture.ts';

const rig = openedOnce(startRig);
let key: KeyPair;
let socket: ApiSocket;
let count = 0;

beforeEach(async () => {
  count += 1;
  key = await rig.key(`trader-${count}`, { USDT: '100000', BTC: '2' });
  rig.letPass(11_000);
  socket = await rig.socket('/ws-api/v3');
  return () => socket.close();
});

const RESTING = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
  price: '50000',
};

const signer = () => ({ key, now: rig.now });

/** Keys of executionReport as documented (user-data-stream.md 2026-07). */
const REPORT_KEYS = 'e E s c S o f q p P F g C x X r i l z L n N T t I w m M O Z Y Q W V'.split(' ');

describe('requests', () => {
  test('the same handlers answer as behind REST', async () => {
    expect((await socket.ask(1, 'ping')).result).toEqual({});
    const depth = await socket.ask('two', 'depth', { symbol: 'BTCUSDT', limit: 5 });
    expect([depth.id, depth.status]).toEqual(['two', 200]);
    expect(depth.result).toEqual((await rig.get('/api/v3/depth', { symbol: 'BTCUSDT', limit: 5 })).body);
    expect(depth.rateLimits).toEqual([
      {
        rateLimitType: 'REQUEST_WEIGHT',
        interval: 'MINUTE',
        intervalNum: 1,
        limit: 6000,
        count: expect.any(Number),
      },
    ]);
    const two = await socket.ask(3, 'ticker.price', { symbols: ['BTCUSDT', 'ETHUSDT'] });
    expect(two.result.length).toBe(2);
    for (const [id, method, params] of [
      [4, 'time', {}],
      [5, 'exchangeInfo', { symbol: 'BTCUSDT' }],
      [6, 'trades.recent', { symbol: 'BTCUSDT', limit: 1 }],
      [7, 'klines', { symbol: 'BTCUSDT', interval: '1m', limit: 1 }],
      [8, 'ticker.24hr', { symbol: 'BTCUSDT' }],
      [9, 'ticker.book', { symbol: 'BTCUSDT' }],
    ] as const) {
      expect((await socket.ask(id, method, params)).status).toBe(200);
    }
  });

  test('an order is placed, read, amended, replaced and cancelled', async () => {
    const placed = await socket.askSigned(signer(), 1, 'order.place', {
      ...RESTING,
      newOrderRespType: 'RESULT',
    });
    expect(shapeOf(placed.result)).toEqual(shapeOf(shapes.orderResult));
    const limits = placed.rateLimits.map((line: { rateLimitType: string }) => line.rateLimitType);
    expect(limits).toEqual(['ORDERS', 'ORDERS', 'REQUEST_WEIGHT']);
    const { orderId } = placed.result;
    const one = { symbol: 'BTCUSDT', orderId };
    expect((await socket.askSigned(signer(), 2, 'order.status', one)).result.status).toBe('NEW');
    const amended = await socket.askSigned(signer(), 3, 'order.amend.keepPriority', {
      ...one,
      newQty: '0.005',
    });
    expect(amended.result.amendedOrder.qty).toBe('0.00500000');
    const replaced = await socket.askSigned(signer(), 4, 'order.cancelReplace', {
      ...RESTING,
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelOrderId: orderId,
    });
    expect(replaced.result.newOrderResult).toBe('SUCCESS');
    const open = await socket.askSigned(signer(), 5, 'openOrders.status', { symbol: 'BTCUSDT' });
    expect(open.result.length).toBe(1);
    const cancelled = await socket.askSigned(signer(), 6, 'order.cancel', {
      symbol: 'BTCUSDT',
      orderId: open.result[0].orderId,
    });
    expect(cancelled.result.status).toBe('CANCELED');
    await socket.askSigned(signer(), 7, 'order.place', RESTING);
    expect(
      (await socket.askSigned(signer(), 8, 'openOrders.cancelAll', { symbol: 'BTCUSDT' })).result.length,
    ).toBe(1);
    expect((await socket.askSigned(signer(), 9, 'order.test', RESTING)).result).toEqual({});
    expect((await socket.askSigned(signer(), 10, 'allOrders', { symbol: 'BTCUSDT' })).result.length).toBe(3);
    expect((await socket.askSigned(signer(), 11, 'myTrades', { symbol: 'BTCUSDT' })).result).toEqual([]);
    expect(shapeOf((await socket.askSigned(signer(), 12, 'account.status')).result)).toEqual(
      shapeOf(shapes.account),
    );
  });

  test('numbers are signed with the digits they were sent with', async () => {
    const { hexHmac } = await import('../wire/hmac.ts');
    const timestamp = rig.now;
    const payload = `apiKey=${key.apiKey}&price=50000.00&quantity=0.0100&side=BUY&symbol=BTCUSDT&timeInForce=GTC&timestamp=${timestamp}&type=LIMIT`;
    socket.send(
      `{"id":1,"method":"order.place","params":{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","timeInForce":"GTC","quantity":0.0100,"price":50000.00,"apiKey":"${key.apiKey}","timestamp":${timestamp},"signature":"${hexHmac(key.secret, payload)}"}}`,
    );
    expect((await socket.hear((message) => message.id === 1)).status).toBe(200);
  });

  test.each([
    ['no JSON', 'hello', null, -1135],
    ['a list', '[]', null, -1135],
    ['no method', '{"id":1}', 1, -1135],
    ['an unusable id', '{"id":{},"method":"ping"}', null, -1135],
    ['parameters in a list', '{"id":2,"method":"ping","params":[1]}', 2, -1135],
    ['a nested parameter', '{"id":3,"method":"depth","params":{"symbol":{"a":1}}}', 3, -1135],
    ['an unknown method', '{"id":4,"method":"nope"}', 4, -1020],
    ['no signature', '{"id":5,"method":"order.place","params":{}}', 5, -2014],
    ['a number as id too long', '{"id":123456789012345678901,"method":"ping"}', null, -1135],
  ])('%s is refused and the socket lives', async (_, text, id, code) => {
    socket.send(text);
    const answer = await socket.hear((message) => message.status !== 200);
    expect([answer.id, answer.status >= 400 && answer.status < 500, answer.error.code]).toEqual([
      id,
      true,
      code,
    ]);
    expect((await socket.ask(99, 'ping')).status).toBe(200);
  });

  test('limits are hidden on request', async () => {
    const quiet = await rig.socket('/ws-api/v3?returnRateLimits=false');
    expect(await quiet.ask(1, 'ping')).toEqual({ id: 1, status: 200, result: {} });
    quiet.close();
  });

  test('HMAC keys cannot log on', async () => {
    const answer = await socket.askSigned(signer(), 1, 'session.logon');
    expect(answer.error).toEqual({ code: -4056, msg: 'HMAC_SHA256 API key is not supported.' });
    expect((await socket.ask(2, 'session.status')).result.apiKey).toBeNull();
  });
});

describe('user events', () => {
  const reports = () =>
    socket.heard
      .filter((message) => message.event?.e === 'executionReport')
      .map(({ event }) => ({ x: event.x, X: event.X, c: event.c, C: event.C, i: event.i }));
  const report = (x: string) => socket.hear((message) => message.event?.x === x);
  const subscribe = async () => {
    const answer = await socket.askSigned(signer(), 1000, 'userDataStream.subscribe.signature');
    expect(answer.result).toEqual({ subscriptionId: 0 });
  };

  test('an order tells NEW, REPLACED and CANCELED with their client ids', async () => {
    await subscribe();
    const placed = await socket.askSigned(signer(), 1, 'order.place', {
      ...RESTING,
      newClientOrderId: 'first',
    });
    const { orderId } = placed.result;
    const fresh = await report('NEW');
    expect(Object.keys(fresh.event)).toEqual(REPORT_KEYS);
    expect(fresh.subscriptionId).toBe(0);
    const one = { symbol: 'BTCUSDT', orderId };
    const amended = await socket.askSigned(signer(), 2, 'order.amend.keepPriority', {
      ...one,
      newQty: '0.004',
      newClientOrderId: 'second',
    });
    const replaced = await report('REPLACED');
    expect(amended.result.executionId).toBe(replaced.event.I);
    expect(replaced.event.q).toBe('0.00400000');
    await socket.askSigned(signer(), 3, 'order.cancel', { ...one, newClientOrderId: 'cancel' });
    await report('CANCELED');
    expect(reports()).toEqual([
      { x: 'NEW', X: 'NEW', c: 'first', C: '', i: orderId },
      { x: 'REPLACED', X: 'NEW', c: 'second', C: 'first', i: orderId },
      { x: 'CANCELED', X: 'CANCELED', c: 'cancel', C: 'second', i: orderId },
    ]);
  });

  test('a market order tells NEW before TRADE, and then the balances', async () => {
    await subscribe();
    const placed = await socket.askSigned(signer(), 1, 'order.place', {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'MARKET',
      quantity: '0.01',
    });
    const last = await socket.hear((message) => message.event?.X === 'FILLED');
    expect(reports()[0]?.x).toBe('NEW');
    const trades = socket.heard.filter((message) => message.event?.x === 'TRADE').map(({ event }) => event);
    expect(trades.map((event) => event.t)).toEqual(
      placed.result.fills.map((fill: { tradeId: number }) => fill.tradeId),
    );
    expect(last.event.Z).toBe(placed.result.cummulativeQuoteQty);
    const fees = trades.map((event) => [event.n, event.N, event.m]);
    expect(fees.every(([fee, asset, maker]) => Number(fee) > 0 && asset === 'BTC' && maker === false)).toBe(
      true,
    );
    const position = await socket.hear((message) => message.event?.e === 'outboundAccountPosition');
    expect(Object.keys(position.event)).toEqual(['e', 'E', 'u', 'B']);
    const final = await socket.hear((message) =>
      message.event?.B?.some((line: { a: string; f: string }) => line.a === 'BTC' && line.f === '2.00999000'),
    );
    expect(final.event.B.map((line: { a: string }) => line.a)).toContain('USDT');
  });

  test('an order that nothing meets tells EXPIRED', async () => {
    await subscribe();
    await socket.askSigned(signer(), 1, 'order.place', { ...RESTING, timeInForce: 'IOC' });
    const expired = await report('EXPIRED');
    expect([expired.event.X, expired.event.w, expired.event.l]).toEqual(['EXPIRED', false, '0.00000000']);
  });

  test('a credit tells its amount and the new balance', async () => {
    await subscribe();
    await rig.admin('POST', 'credit', {
      label: `trader-${count}`,
      asset: 'ETH',
      amount: '1.5',
      creditId: `x-${count}`,
    });
    const update = await socket.hear((message) => message.event?.e === 'balanceUpdate');
    expect(update.event).toEqual({
      e: 'balanceUpdate',
      E: expect.any(Number),
      a: 'ETH',
      d: '1.50000000',
      T: expect.any(Number),
    });
    const position = await socket.hear((message) => message.event?.e === 'outboundAccountPosition');
    expect(position.event.B).toContainEqual({ a: 'ETH', f: '1.50000000', l: '0.00000000' });
  });

  test('a subscription is made once, listed, and ended', async () => {
    await subscribe();
    const again = await socket.askSigned(signer(), 1, 'userDataStream.subscribe.signature');
    expect(again.error.code).toBe(-2035);
    expect((await socket.ask(2, 'session.subscriptions')).result).toEqual([{ subscriptionId: 0 }]);
    expect((await socket.ask(3, 'userDataStream.unsubscribe', { subscriptionId: 7 })).error.code).toBe(-2036);
    expect((await socket.ask(4, 'userDataStream.unsubscribe', { subscriptionId: 0 })).result).toEqual({});
    await socket.askSigned(signer(), 5, 'order.place', RESTING);
    expect(reports()).toEqual([]);
  });

  test('the old listen key carries the same events, raw', async () => {
    const headers = { 'x-mbx-apikey': key.apiKey };
    const { listenKey } = (await rig.send('POST', '/api/v3/userDataStream', { headers })).body;
    const again = await rig.send('POST', '/api/v3/userDataStream', { headers });
    expect(again.body.listenKey).toBe(listenKey);
    const old = await rig.socket(`/ws/${listenKey}`);
    await socket.askSigned(signer(), 1, 'order.place', RESTING);
    expect(Object.keys(await old.hear((message) => message.e === 'executionReport'))).toEqual(REPORT_KEYS);
    old.close();
    const keep = `/api/v3/userDataStream?listenKey=${listenKey}`;
    expect((await rig.send('PUT', keep, { headers })).status).toBe(200);
    expect((await rig.send('DELETE', keep, { headers })).status).toBe(200);
    expect((await rig.send('PUT', keep, { headers })).body.code).toBe(-1125);
  });

  test('a listen key that nobody kept alive makes room for another', async () => {
    const headers = { 'x-mbx-apikey': key.apiKey };
    const ask = async () =>
      (await rig.send('POST', '/api/v3/userDataStream', { headers })).body.listenKey as string;
    const first = await ask();
    rig.letPass(3_600_001);
    const second = await ask();
    expect(second).not.toBe(first);
    const keep = (listenKey: string) =>
      rig.send('PUT', `/api/v3/userDataStream?listenKey=${listenKey}`, { headers });
    expect([(await keep(first)).body.code, (await keep(second)).status]).toEqual([-1125, 200]);
  });
});
