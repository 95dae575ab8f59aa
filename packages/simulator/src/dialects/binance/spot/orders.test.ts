import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type KeyPair, unique } from '../../wire/rig.fixture.ts';
import shapes from '../fixtures/rest-shapes.json' with { type: 'json' };
import { startRig } from '../rig.fixture.ts';
import { shapeOf } from '../shape.fixture.ts';

const rig = openedOnce(startRig);
let key: KeyPair;

beforeEach(async () => {
  key = await rig.key(unique('trader'), { USDT: '100000', BTC: '2' });
  rig.letPass(11_000);
});

const RESTING = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
  price: '50000',
};
const MARKET = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' };

const post = (path: string, params: object, signer = key) =>
  rig.signed(signer, path, { method: 'POST', params: params as Record<string, string> });
const place = (params: object, signer = key) => post('/api/v3/order', params, signer);
const balances = async () => {
  const { body } = await rig.signed(key, '/api/v3/account', { params: { omitZeroBalances: true } });
  return Object.fromEntries(
    body.balances.map((line: { asset: string; free: string; locked: string }) => [
      line.asset,
      [line.free, line.locked],
    ]),
  );
};

describe('placing', () => {
  test.each([
    ['ACK', 'orderAck'],
    ['RESULT', 'orderResult'],
  ] as const)('%s answers as documented', async (newOrderRespType, name) => {
    const answer = await place({ ...RESTING, newOrderRespType });
    expect(answer.status).toBe(200);
    expect(shapeOf(answer.body)).toEqual(shapeOf(shapes[name]));
    expect(answer.headers.get('x-mbx-order-count-10s')).toBe('1');
  });

  test('a market order fills at once and FULL names its fills', async () => {
    const { body } = await place(MARKET);
    expect(shapeOf(body)).toEqual(shapeOf(shapes.orderFull));
    expect(body.status).toBe('FILLED');
    expect(body.timeInForce).toBe('GTC');
    const filled = body.fills.reduce((sum: number, fill: { qty: string }) => sum + Number(fill.qty), 0);
    expect(filled).toBeCloseTo(0.01, 10);
    for (const fill of body.fills) expect(Number(fill.commission)).toBeCloseTo(Number(fill.qty) * 0.001, 8);
  });

  test('a market order by quote spends no more than it was given', async () => {
    const { body } = await place({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quoteOrderQty: '1000' });
    expect(body.origQuoteOrderQty).toBe('1000.00000000');
    expect(Number(body.cummulativeQuoteQty)).toBeLessThanOrEqual(1000);
    expect(Number(body.cummulativeQuoteQty)).toBeGreaterThan(990);
    expect(body.origQty).toBe(body.executedQty);
  });

  test.each([
    ['the query', {}, RESTING],
    ['the body', RESTING, {}],
    ['both, the query winning', { ...RESTING, quantity: '9' }, { quantity: '0.01' }],
  ])('parameters may stand in %s', async (_, body, params) => {
    const answer = await rig.signed(key, '/api/v3/order', { method: 'POST', params, body });
    expect([answer.status, answer.body.origQty]).toEqual([200, '0.01000000']);
  });

  test.each([
    ['IOC', 'EXPIRED'],
    ['FOK', 'EXPIRED'],
  ])('an %s order that nothing meets expires', async (timeInForce, status) => {
    const { body } = await place({ ...RESTING, timeInForce });
    expect([body.status, body.executedQty]).toEqual([status, '0.00000000']);
    expect(await balances()).toEqual({
      BTC: ['2.00000000', '0.00000000'],
      USDT: ['100000.00000000', '0.00000000'],
    });
  });

  test('a post-only order rests and answers with ACK by default', async () => {
    const { timeInForce: _, ...rest } = RESTING;
    const { body } = await place({ ...rest, type: 'LIMIT_MAKER' });
    expect(Object.keys(body)).toEqual(Object.keys(shapes.orderAck));
  });

  test('a client id may be used again only when its order is done', async () => {
    const order = { ...RESTING, newClientOrderId: 'mine-1' };
    const first = await place(order);
    expect((await place(order)).body).toEqual({ code: -2010, msg: 'Duplicate order sent.' });
    await rig.signed(key, '/api/v3/order', {
      method: 'DELETE',
      params: { symbol: 'BTCUSDT', orderId: first.body.orderId },
    });
    expect((await place(order)).status).toBe(200);
  });

  test('a tested order is not placed; it may tell its rates', async () => {
    expect((await post('/api/v3/order/test', RESTING)).body).toEqual({});
    const rates = await post('/api/v3/order/test', { ...RESTING, computeCommissionRates: true });
    expect(rates.body.standardCommissionForOrder).toEqual({ maker: '0.00100000', taker: '0.00100000' });
    expect((await rig.signed(key, '/api/v3/openOrders')).body).toEqual([]);
  });
});

describe('cancelling', () => {
  test('an order is cancelled by id or by client id, and its funds are free again', async () => {
    const first = (await place({ ...RESTING, newClientOrderId: 'a-1' })).body;
    const second = (await place({ ...RESTING, newClientOrderId: 'a-2' })).body;
    expect((await balances()).USDT).toEqual(['99000.00000000', '1000.00000000']);
    const byId = await rig.signed(key, '/api/v3/order', {
      method: 'DELETE',
      params: { symbol: 'BTCUSDT', orderId: first.orderId, newClientOrderId: 'c-1' },
    });
    expect(shapeOf(byId.body)).toEqual(shapeOf(shapes.orderCancelled));
    expect([byId.body.origClientOrderId, byId.body.clientOrderId, byId.body.status]).toEqual([
      'a-1',
      'c-1',
      'CANCELED',
    ]);
    const byClientId = await rig.signed(key, '/api/v3/order', {
      method: 'DELETE',
      params: { symbol: 'BTCUSDT', origClientOrderId: 'a-2' },
    });
    expect(byClientId.body.orderId).toBe(second.orderId);
    expect((await balances()).USDT).toEqual(['100000.00000000', '0.00000000']);
  });

  test('two names that disagree, and restrictions that do not hold, cancel nothing', async () => {
    const { orderId } = (await place({ ...RESTING, newClientOrderId: 'a-1' })).body;
    const remove = (params: object) =>
      rig.signed(key, '/api/v3/order', { method: 'DELETE', params: { symbol: 'BTCUSDT', ...params } });
    expect((await remove({ orderId, origClientOrderId: 'b' })).body.code).toBe(-2011);
    expect((await remove({ orderId, cancelRestrictions: 'ONLY_PARTIALLY_FILLED' })).body).toEqual({
      code: -2011,
      msg: 'Order was not canceled due to cancel restrictions.',
    });
    expect((await remove({ orderId, cancelRestrictions: 'ONLY_NEW' })).status).toBe(200);
  });

  test('all orders of a symbol are cancelled at once', async () => {
    await place(RESTING);
    await place({ ...RESTING, price: '50001' });
    const answer = await rig.signed(key, '/api/v3/openOrders', {
      method: 'DELETE',
      params: { symbol: 'BTCUSDT' },
    });
    expect(answer.body.map((order: { price: string }) => order.price).sort()).toEqual([
      '50000.00000000',
      '50001.00000000',
    ]);
    expect(shapeOf(answer.body[0])).toEqual(shapeOf(shapes.orderCancelled));
  });
});

describe('cancelReplace', () => {
  const replace = (params: object) =>
    post('/api/v3/order/cancelReplace', { ...RESTING, cancelReplaceMode: 'STOP_ON_FAILURE', ...params });

  test('both halves succeed', async () => {
    const { orderId } = (await place(RESTING)).body;
    const answer = await replace({ cancelOrderId: orderId, price: '50010', newOrderRespType: 'RESULT' });
    expect(answer.status).toBe(200);
    expect([answer.body.cancelResult, answer.body.newOrderResult]).toEqual(['SUCCESS', 'SUCCESS']);
    expect(shapeOf(answer.body.cancelResponse)).toEqual(shapeOf(shapes.orderCancelled));
    expect(shapeOf(answer.body.newOrderResponse)).toEqual(shapeOf(shapes.orderResult));
  });

  test('nothing to cancel: the new order is not attempted, or is where failure is allowed', async () => {
    const stopped = await replace({ cancelOrderId: 1 });
    expect(stopped.status).toBe(400);
    expect(stopped.body).toEqual({
      code: -2022,
      msg: 'Order cancel-replace failed.',
      data: {
        cancelResult: 'FAILURE',
        newOrderResult: 'NOT_ATTEMPTED',
        cancelResponse: { code: -2011, msg: 'Unknown order sent.' },
        newOrderResponse: null,
      },
    });
    const allowed = await replace({ cancelOrderId: 1, cancelReplaceMode: 'ALLOW_FAILURE' });
    expect([allowed.status, allowed.body.code]).toEqual([409, -2021]);
    expect(allowed.body.data.newOrderResult).toBe('SUCCESS');
    const neither = await replace({ cancelOrderId: 1, cancelReplaceMode: 'ALLOW_FAILURE', quantity: '5' });
    expect([neither.status, neither.body.code]).toEqual([400, -2022]);
    expect(neither.body.data).toMatchObject({
      ...{ cancelResult: 'FAILURE', newOrderResult: 'FAILURE' },
      ...{ cancelResponse: { code: -2011 }, newOrderResponse: { code: -2010 } },
    });
  });

  test('a new order that the balance refuses leaves the old one cancelled', async () => {
    const { orderId } = (await place(RESTING)).body;
    const answer = await replace({ cancelOrderId: orderId, quantity: '5' });
    expect([answer.status, answer.body.code]).toEqual([409, -2021]);
    expect([answer.body.data.cancelResult, answer.body.data.newOrderResponse.code]).toEqual([
      'SUCCESS',
      -2010,
    ]);
    expect((await rig.signed(key, '/api/v3/openOrders')).body).toEqual([]);
  });

  test('a new order that a filter refuses leaves the old one alone', async () => {
    const { orderId } = (await place(RESTING)).body;
    const answer = await replace({ cancelOrderId: orderId, price: '0.02' });
    expect(answer.body.code).toBe(-1013);
    expect((await rig.signed(key, '/api/v3/openOrders')).body.length).toBe(1);
  });
});

describe('amending', () => {
  const amend = (params: object) =>
    rig.signed(key, '/api/v3/order/amend/keepPriority', {
      method: 'PUT',
      params: { symbol: 'BTCUSDT', ...params },
    });

  test('a lower quantity keeps the order and gives it a new client id', async () => {
    const { orderId } = (await place({ ...RESTING, newClientOrderId: 'old' })).body;
    const answer = await amend({ orderId, newQty: '0.004', newClientOrderId: 'new' });
    expect(shapeOf(answer.body)).toEqual(shapeOf(shapes.orderAmended));
    const { amendedOrder } = answer.body;
    expect([
      amendedOrder.orderId,
      amendedOrder.qty,
      amendedOrder.origClientOrderId,
      amendedOrder.clientOrderId,
    ]).toEqual([orderId, '0.00400000', 'old', 'new']);
    expect((await balances()).USDT).toEqual(['99800.00000000', '200.00000000']);
  });

  test.each([
    ['higher', '0.02', 'Order amend (quantity increase) is not supported.'],
    ['equal', '0.01', 'The requested action would change no state; rejecting.'],
  ])('a quantity that is %s is refused', async (_, newQty, msg) => {
    const { orderId } = (await place(RESTING)).body;
    expect((await amend({ orderId, newQty })).body).toEqual({ code: -2038, msg });
  });
});

describe('reading back', () => {
  test('an order is found open, then cancelled, by either id', async () => {
    const placed = (await place({ ...RESTING, newClientOrderId: 'a-1' })).body;
    const find = (params: object) =>
      rig.signed(key, '/api/v3/order', { params: { symbol: 'BTCUSDT', ...params } });
    const open = await rig.signed(key, '/api/v3/openOrders', { params: { symbol: 'BTCUSDT' } });
    expect(shapeOf(open.body)).toEqual([shapeOf(shapes.orderQueried)]);
    expect((await find({ orderId: placed.orderId })).body).toEqual(open.body[0]);
    expect((await find({ origClientOrderId: 'a-1' })).body).toEqual(open.body[0]);
    await rig.signed(key, '/api/v3/openOrders', { method: 'DELETE', params: { symbol: 'BTCUSDT' } });
    expect((await find({ orderId: placed.orderId })).body.status).toBe('CANCELED');
    expect((await find({ orderId: placed.orderId })).body.clientOrderId).toBe('a-1');
  });

  test('history pages by order id, and trades by trade id and order', async () => {
    const ids: number[] = [];
    for (let at = 0; at < 3; at += 1) ids.push((await place(MARKET)).body.orderId);
    const history = async (params: object) =>
      (await rig.signed(key, '/api/v3/allOrders', { params: { symbol: 'BTCUSDT', ...params } })).body;
    const all = await history({});
    expect(all.map((order: { orderId: number }) => order.orderId)).toEqual([...ids].sort((a, b) => a - b));
    expect(await history({ orderId: all[1].orderId })).toEqual(all.slice(1));
    expect(await history({ limit: 2 })).toEqual(all.slice(-2));
    const trades = async (params: object) =>
      (await rig.signed(key, '/api/v3/myTrades', { params: { symbol: 'BTCUSDT', ...params } })).body;
    const fills = await trades({});
    expect(shapeOf(fills)).toEqual(shapeOf(shapes.myTrades));
    expect(await trades({ fromId: fills[1].id })).toEqual(fills.slice(1));
    const own = await trades({ orderId: ids[0] as number });
    expect(own.every((fill: { orderId: number }) => fill.orderId === ids[0])).toBe(true);
    expect(await trades({ startTime: rig.now + 1 })).toEqual([]);
  });

  test('account, fees, coins and limits answer as documented', async () => {
    const account = await rig.signed(key, '/api/v3/account');
    expect(shapeOf(account.body)).toEqual(shapeOf(shapes.account));
    const fees = await rig.signed(key, '/sapi/v1/asset/tradeFee', { params: { symbol: 'BTCUSDT' } });
    expect(shapeOf(fees.body)).toEqual(shapeOf(shapes.tradeFee));
    const coins = await rig.signed(key, '/sapi/v1/capital/config/getall');
    expect(coins.body.find((line: { coin: string }) => line.coin === 'BTC').free).toBe('2.00000000');
    const limits = await rig.signed(key, '/api/v3/rateLimit/order');
    expect(shapeOf(limits.body)).toEqual(shapeOf(shapes.rateLimitOrder));
    for (const path of ['allPairs', 'isolated/allPairs']) {
      expect((await rig.signed(key, `/sapi/v1/margin/${path}`)).body).toEqual([]);
    }
  });

  test("one account sees nothing of another's", async () => {
    const { orderId } = (await place(RESTING)).body;
    const other = await rig.key(unique('stranger'));
    const answer = await rig.signed(other, '/api/v3/order', { params: { symbol: 'BTCUSDT', orderId } });
    expect(answer.body.code).toBe(-2013);
    const cancel = await rig.signed(other, '/api/v3/order', {
      method: 'DELETE',
      params: { symbol: 'BTCUSDT', orderId },
    });
    expect(cancel.body.code).toBe(-2011);
  });
});
