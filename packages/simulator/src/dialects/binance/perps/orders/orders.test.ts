import type { Millis } from '@crossbook/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../../tests/opened.ts';
import { type Member, MemberRig } from '../member-rig.fixture.ts';

const rig = openedOnce(() => MemberRig.open());
let member: Member;
let hedger: Member;

beforeAll(async () => {
  member = await rig.member('orders');
  hedger = await rig.member('hedger');
  await hedger.ask('POST /fapi/v1/positionSide/dual', { dualSidePosition: 'true' });
});

const RESTING = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
  price: '59000',
};
const MARKET = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' };
const PLACE = 'POST /fapi/v1/order';

describe('the documented shape', () => {
  test('of a new order, acknowledged as it was taken; GET has its time instead of cumQty', async () => {
    const placed = await member.ask(PLACE, { ...RESTING, newClientOrderId: 'shape/1:a.b' });
    const shape = {
      orderId: expect.any(Number),
      symbol: 'BTCUSDT',
      status: 'NEW',
      clientOrderId: 'shape/1:a.b',
      price: '59000.0',
      avgPrice: '0.00000',
      origQty: '0.010',
      executedQty: '0.000',
      cumQuote: '0.0000',
      timeInForce: 'GTC',
      type: 'LIMIT',
      reduceOnly: false,
      closePosition: false,
      side: 'BUY',
      positionSide: 'BOTH',
      stopPrice: '0',
      workingType: 'CONTRACT_PRICE',
      priceProtect: false,
      origType: 'LIMIT',
      priceMatch: 'NONE',
      selfTradePreventionMode: 'EXPIRE_MAKER',
      goodTillDate: 0,
      updateTime: rig.core.now,
    };
    expect(placed).toEqual({ ...shape, cumQty: '0.000' });
    const named = { symbol: 'BTCUSDT', origClientOrderId: 'shape/1:a.b' };
    const queried = { ...shape, time: rig.core.now };
    expect(await member.ask('GET /fapi/v1/order', named)).toEqual(queried);
    expect(
      await member.ask('GET /fapi/v1/openOrder', { symbol: 'BTCUSDT', orderId: placed.orderId }),
    ).toEqual(queried);
    expect(await member.ask('GET /fapi/v1/openOrders')).toEqual([queried]);
    const cancelled = await member.ask('DELETE /fapi/v1/order', named);
    expect(cancelled).toEqual({ ...shape, cumQty: '0.000', status: 'CANCELED' });
    expect((await member.call('GET /fapi/v1/openOrder', named)).body.code).toBe(-2013);
    expect(await member.ask('GET /fapi/v1/allOrders', { symbol: 'BTCUSDT' })).toMatchObject([
      { status: 'CANCELED' },
    ]);
  });

  test('RESULT says what became of it, ACK only that it was taken; the fills are own trades', async () => {
    const taker = await rig.member('taker');
    const bought = await taker.trade('BUY', '0.01', 60_000.5);
    expect(bought).toMatchObject({
      status: 'FILLED',
      avgPrice: '60000.50000',
      cumQuote: '600.0050',
      price: '0',
    });
    rig.core.house('BTCUSDT', 'BUY', 60_100, 10);
    const acknowledged = await taker.ask(PLACE, { ...MARKET, side: 'SELL' });
    expect(acknowledged).toMatchObject({ status: 'NEW', executedQty: '0.000', avgPrice: '0.00000' });
    const trades = await taker.ask('GET /fapi/v1/userTrades', { symbol: 'BTCUSDT' });
    expect(trades[1]).toEqual({
      symbol: 'BTCUSDT',
      id: expect.any(Number),
      orderId: acknowledged.orderId,
      side: 'SELL',
      price: '60100.0',
      qty: '0.010',
      realizedPnl: '0.99500000',
      quoteQty: '601.00000000',
      commission: '0.30050000',
      commissionAsset: 'USDT',
      time: rig.core.now,
      positionSide: 'BOTH',
      maker: false,
      buyer: false,
    });
    const page = { symbol: 'BTCUSDT', fromId: trades[1].id };
    expect(await taker.ask('GET /fapi/v1/userTrades', page)).toEqual([trades[1]]);
    const ofOrder = { symbol: 'BTCUSDT', orderId: bought.orderId };
    expect(await taker.ask('GET /fapi/v1/userTrades', ofOrder)).toEqual([trades[0]]);
  });

  test('post-only is the time in force GTX; a rest that may not rest expires', async () => {
    const maker = await rig.member('maker');
    const posted = await maker.ask(PLACE, { ...RESTING, timeInForce: 'GTX' });
    expect(posted).toMatchObject({ status: 'NEW', type: 'LIMIT', timeInForce: 'GTX' });
    await maker.ask('DELETE /fapi/v1/allOpenOrders', { symbol: 'BTCUSDT' });
    const rest = await maker.ask(PLACE, { ...RESTING, timeInForce: 'IOC', newOrderRespType: 'RESULT' });
    expect(rest).toMatchObject({ status: 'EXPIRED', timeInForce: 'IOC' });
  });
});

describe('changing', () => {
  test('an order gets another price and size under its id, and the change is listed', async () => {
    const amender = await rig.member('amender');
    const { orderId } = await amender.ask(PLACE, RESTING);
    const to = { symbol: 'BTCUSDT', side: 'BUY', orderId, quantity: '0.02', price: '58000' };
    expect(await amender.ask('PUT /fapi/v1/order', to)).toMatchObject({
      orderId,
      price: '58000.0',
      origQty: '0.020',
    });
    const again = await amender.call('PUT /fapi/v1/order', to);
    expect(again.body).toEqual({ code: -5027, msg: 'No need to modify the order.' });
    expect((await amender.call('PUT /fapi/v1/order', { ...to, orderId: 1 })).body.code).toBe(-2013);
    const changes = await amender.ask('GET /fapi/v1/orderAmendment', { symbol: 'BTCUSDT', orderId });
    expect(changes).toMatchObject([
      {
        orderId,
        pair: 'BTCUSDT',
        amendment: {
          price: { before: '59000.0', after: '58000.0' },
          origQty: { before: '0.010', after: '0.020' },
          count: 1,
        },
      },
    ]);
  });

  test('what the documents say cancels an order cancels it: a size that has filled, a post-only price that would take', async () => {
    const amender = await rig.member('canceller');
    const { symbol } = RESTING;
    const post = await amender.ask(PLACE, { ...RESTING, timeInForce: 'GTX' });
    rig.core.house(symbol, 'SELL', 59_500, 1);
    const change = { symbol, side: 'BUY', quantity: '0.01' };
    const taking = await amender.ask('PUT /fapi/v1/order', {
      ...change,
      orderId: post.orderId,
      price: '59600',
    });
    expect(taking).toMatchObject({ orderId: post.orderId, status: 'CANCELED', executedQty: '0.000' });
    const resting = await amender.ask(PLACE, RESTING);
    rig.core.house(symbol, 'SELL', 59_000, 4);
    const small = { ...change, orderId: resting.orderId, quantity: '0.004', price: '58900' };
    expect(await amender.ask('PUT /fapi/v1/order', small)).toMatchObject({
      ...{ status: 'CANCELED', executedQty: '0.004', origQty: '0.010' },
    });
    expect(await amender.ask('GET /fapi/v1/openOrders', { symbol })).toEqual([]);
  });

  test('whatever changes, the order goes to the end of its queue', async () => {
    const [first, second] = [await rig.member('first'), await rig.member('second')];
    const { orderId } = await first.ask(PLACE, RESTING);
    await second.ask(PLACE, RESTING);
    const smaller = { symbol: 'BTCUSDT', side: 'BUY', orderId, quantity: '0.005', price: '59000' };
    await first.ask('PUT /fapi/v1/order', smaller);
    rig.core.house('BTCUSDT', 'SELL', 59_000, 10);
    expect(await first.ask('GET /fapi/v1/openOrders')).toMatchObject([{ orderId, executedQty: '0.000' }]);
    expect(await second.ask('GET /fapi/v1/openOrders')).toEqual([]);
  });

  test('a batch is taken line by line, changed and cancelled; a refused line says why', async () => {
    const batcher = await rig.member('batcher');
    const { symbol } = RESTING;
    const line = (price: string) => ({ ...RESTING, price, newClientOrderId: `b-${price}` });
    const orders = [line('59000'), { ...line('58000'), quantity: '0' }, line('57000')];
    const placed = await batcher.ask('POST /fapi/v1/batchOrders', { batchOrders: JSON.stringify(orders) });
    expect(placed).toMatchObject([{ price: '59000.0' }, { code: -4003 }, { price: '57000.0' }]);
    const change = { symbol, side: 'BUY', orderId: placed[0].orderId, quantity: 0.011, price: 59000 };
    const changed = await batcher.ask('PUT /fapi/v1/batchOrders', { batchOrders: JSON.stringify([change]) });
    expect(changed).toMatchObject([{ origQty: '0.011' }]);
    const ids = JSON.stringify([placed[0].orderId, 12345]);
    const cancelled = await batcher.ask('DELETE /fapi/v1/batchOrders', { symbol, orderIdList: ids });
    expect(cancelled).toMatchObject([{ status: 'CANCELED' }, { code: -2011 }]);
    const names = JSON.stringify(['b-57000']);
    const byName = await batcher.ask('DELETE /fapi/v1/batchOrders', { symbol, origClientOrderIdList: names });
    expect(byName).toMatchObject([{ status: 'CANCELED' }]);
    // One client writes the names of both lists in small letters.
    for (const small of ['orderidlist', 'origclientorderidlist']) {
      const { orderId, clientOrderId } = await batcher.ask(PLACE, RESTING);
      const list = JSON.stringify([small === 'orderidlist' ? orderId : clientOrderId]);
      const inSmall = await batcher.ask('DELETE /fapi/v1/batchOrders', { symbol, [small]: list });
      expect(inSmall).toMatchObject([{ status: 'CANCELED' }]);
    }
    expect(await batcher.ask('GET /fapi/v1/openOrders', { symbol })).toEqual([]);
  });

  test('a countdown cancels what is open of its contract, unless it is set anew or ended', async () => {
    const counter = await rig.member('counter');
    const witness = await rig.member('witness');
    const open = async (who: Member) => (await who.ask('GET /fapi/v1/openOrders')).length;
    const count = (who: Member, countdownTime: number) =>
      who.ask('POST /fapi/v1/countdownCancelAll', { symbol: 'BTCUSDT', countdownTime });
    /** So much time passes, and every countdown is looked at: that of another ends then. */
    const pass = async (millis: number) => {
      await witness.ask(PLACE, RESTING);
      await count(witness, millis);
      rig.core.now = (rig.core.now + millis) as Millis;
      await expect.poll(() => open(witness)).toBe(0);
    };
    await counter.ask(PLACE, RESTING);
    expect(await count(counter, 5_000)).toEqual({ symbol: 'BTCUSDT', countdownTime: '5000' });
    await pass(4_000);
    await count(counter, 5_000);
    await pass(4_000);
    expect(await open(counter)).toBe(1);
    await count(counter, 0);
    await pass(9_000);
    expect(await open(counter)).toBe(1);
    await count(counter, 1_000);
    rig.core.now = (rig.core.now + 1_000) as Millis;
    await expect.poll(() => open(counter)).toBe(0);
    const { body } = await counter.call('POST /fapi/v1/countdownCancelAll', { symbol: 'BTCUSDT' });
    expect(body.code).toBe(-1102);
  });

  test.each([
    ['POST /fapi/v1/batchOrders', {}, -1102],
    ['POST /fapi/v1/batchOrders', { batchOrders: 'no json' }, -1130],
    ['POST /fapi/v1/batchOrders', { batchOrders: JSON.stringify(Array(6).fill(RESTING)) }, -1130],
    ['DELETE /fapi/v1/batchOrders', { symbol: 'BTCUSDT' }, -1102],
    ['DELETE /fapi/v1/batchOrders', { symbol: 'BTCUSDT', orderIdList: '["x"]' }, -1130],
  ])('%s of %o is refused as a whole', async (route, params, code) => {
    expect((await member.call(route, params)).body.code).toBe(code);
  });
});

describe('refusals', () => {
  test.each([
    ['no side', { side: '' }, -1105, "Parameter 'side' was empty."],
    ['another side', { side: 'LONG' }, -1117, 'Invalid side.'],
    ['another type', { type: 'ICEBERG' }, -1116, 'Invalid orderType.'],
    ['another time in force', { timeInForce: 'GTD' }, -1115, 'Invalid timeInForce.'],
    ['another position side', { positionSide: 'NET' }, -4060, 'Invalid position side.'],
    [
      'no price',
      { price: undefined },
      -1102,
      "Mandatory parameter 'price' was not sent, was empty/null, or malformed.",
    ],
    [
      'a price between ticks',
      { price: '59000.05' },
      -1111,
      'Precision is over the maximum defined for this asset.',
    ],
    [
      'a size between steps',
      { quantity: '0.0105' },
      -1111,
      'Precision is over the maximum defined for this asset.',
    ],
    ['a size of nothing', { quantity: '0' }, -4003, 'Quantity less than zero.'],
    ['a price of nothing', { price: '0' }, -4001, 'Price less than 0.'],
    ['a size above the largest', { quantity: '2000000' }, -4005, 'Quantity greater than max quantity.'],
    ['a price above the largest', { price: '2000000' }, -4002, 'Price greater than max price.'],
    [
      'too little',
      { quantity: '0.001', price: '4000' },
      -4164,
      "Order's notional must be no smaller than 5 (unless you choose reduce only).",
    ],
    [
      'a leg in one-way mode',
      { positionSide: 'LONG' },
      -4061,
      "Order's position side does not match user's setting.",
    ],
    ['too little margin', { quantity: '10' }, -2019, 'Margin is insufficient.'],
    [
      'more than the tier',
      { quantity: '300' },
      -2027,
      'Exceeded the maximum allowable position at current leverage.',
    ],
    ['reduce-only without a position', { reduceOnly: 'true' }, -2022, 'ReduceOnly Order is rejected.'],
    ['a client id of other letters', { newClientOrderId: 'ä' }, -4015, 'Client order id is not valid.'],
    [
      'a price that the venue finds',
      { priceMatch: 'QUEUE' },
      -1130,
      "Data sent for parameter 'priceMatch' is not valid.",
    ],
    ['a trigger price', { stopPrice: '1' }, -1106, "Parameter 'stopPrice' sent when not required."],
  ])('%s', async (_, change, code, msg) => {
    const params = Object.fromEntries(
      Object.entries({ ...RESTING, ...change }).filter(([, value]) => value !== undefined),
    );
    const { status, body } = await member.call(PLACE, params as typeof RESTING);
    expect([status, body]).toEqual([400, { code, msg }]);
    expect((await member.call('POST /fapi/v1/order/test', params as typeof RESTING)).body).toEqual({
      code,
      msg,
    });
  });

  test.each(['STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET'])(
    '%s belongs to the algo service',
    async (type) => {
      const { body } = await member.call(PLACE, { ...MARKET, type, stopPrice: '1' });
      expect(body).toEqual({
        code: -4120,
        msg: 'Order type not supported for this endpoint. Please use the Algo Order API endpoints instead.',
      });
      expect(await member.ask('GET /fapi/v1/openAlgoOrders')).toEqual([]);
    },
  );

  test.each([
    ['a price', { price: '1' }, -1106],
    ['a time in force', { timeInForce: 'GTC' }, -1106],
    ['closePosition', { closePosition: 'true' }, -4136],
    ['no size', { quantity: '' }, -1105],
  ])('a market order with %s', async (_, change, code) => {
    expect((await member.call(PLACE, { ...MARKET, ...change })).body.code).toBe(code);
  });

  test('the band around the mark is named with its bound', async () => {
    const { body } = await member.call(PLACE, { ...RESTING, price: '500000', quantity: '0.001' });
    expect(body.code).toBe(-4016);
    expect(body.msg).toMatch(/^Limit price can't be higher than [0-9]+\.[0-9]\.$/);
    const low = await member.call(PLACE, { ...RESTING, side: 'SELL', price: '100', quantity: '0.1' });
    expect(low.body.code).toBe(-4024);
  });

  test('the same client id twice while the first is open, and post-only that would take', async () => {
    const twice = { ...RESTING, newClientOrderId: 'twice' };
    await member.ask(PLACE, twice);
    expect((await member.call(PLACE, twice)).body).toEqual({
      code: -4116,
      msg: 'ClientOrderId is duplicated.',
    });
    await member.ask('DELETE /fapi/v1/allOpenOrders', { symbol: 'BTCUSDT' });
    rig.core.house('BTCUSDT', 'SELL', 59_500, 1);
    const taking = await member.call(PLACE, { ...RESTING, timeInForce: 'GTX', price: '59500' });
    expect(taking.body.code).toBe(-5022);
    rig.core.clearHouse('BTCUSDT');
  });

  test('in hedge mode: reduceOnly is not sent, a side is, and a leg is not closed by more than it is', async () => {
    const said = await hedger.call(PLACE, { ...MARKET, positionSide: 'LONG', reduceOnly: 'false' });
    expect(said.body).toEqual({ code: -1106, msg: "Parameter 'reduceonly' sent when not required." });
    expect((await hedger.call(PLACE, MARKET)).body.code).toBe(-4061);
    await hedger.trade('BUY', '0.01', 60_000, { positionSide: 'LONG' });
    const tooMuch = await hedger.order('SELL', '0.011', { positionSide: 'LONG' });
    expect(tooMuch.body).toEqual({ code: -2022, msg: 'ReduceOnly Order is rejected.' });
  });

  test.each([
    ['GET /fapi/v1/order', { symbol: 'BTCUSDT' }, -1102],
    ['GET /fapi/v1/order', { symbol: 'BTCUSDT', orderId: 1 }, -2013],
    ['DELETE /fapi/v1/order', { symbol: 'BTCUSDT', orderId: 1 }, -2011],
    ['GET /fapi/v1/allOrders', {}, -1102],
    ['GET /fapi/v1/allOrders', { symbol: 'BTCUSDT', startTime: 0, endTime: 604_800_001 }, -4165],
    ['GET /fapi/v1/userTrades', { symbol: 'BTCUSDT', fromId: 1, startTime: 1 }, -1128],
    ['GET /fapi/v1/userTrades', { symbol: 'BTCUSDT', limit: 1001 }, -1130],
    ['PUT /fapi/v1/order', { symbol: 'BTCUSDT', side: 'BUY', orderId: 1, quantity: '1' }, -1102],
  ])('%s with %o', async (route, params, code) => {
    expect((await member.call(route, params)).body.code).toBe(code);
  });
});

describe('limits and faults', () => {
  test('orders are counted by account and told in headers', async () => {
    const counted = await rig.member('counted');
    const { headers } = await counted.call(PLACE, RESTING);
    expect(headers.get('x-mbx-order-count-10s')).toBe('1');
    expect(headers.get('x-mbx-order-count-1m')).toBe('1');
    expect(Number(headers.get('x-mbx-used-weight-1m'))).toBeGreaterThan(0);
    const counts = await counted.ask('GET /fapi/v1/rateLimit/order');
    expect(counts).toMatchObject([
      { rateLimitType: 'ORDERS', interval: 'MINUTE', limit: 1200, count: 1 },
      { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 300, count: 1 },
    ]);
  });

  test('a lost answer leaves the order placed or not, as the fault says, and no call of spot is meant', async () => {
    const plan = { count: 1, delayMillis: 1, probability: 1, seed: 1, match: 'fapi.order.place' } as const;
    const unlucky = await rig.member('unlucky');
    for (const [kind, open] of [
      ['timeout-before', 0],
      ['timeout-after', 1],
    ] as const) {
      rig.faults.arm({ ...plan, kind });
      expect((await unlucky.call('GET /api/v3/account')).status).toBe(200);
      const lost = await unlucky.call(PLACE, RESTING);
      expect([lost.status, lost.body.code]).toEqual([504, -1007]);
      expect((await unlucky.ask('GET /fapi/v1/openOrders')).length).toBe(open);
    }
    rig.faults.arm({ ...plan, kind: 'reset-after', match: 'fapi.leverage' });
    await expect(
      unlucky.call('POST /fapi/v1/leverage', { symbol: 'BTCUSDT', leverage: 7 }),
    ).rejects.toThrow();
    expect(await unlucky.ask('GET /fapi/v1/symbolConfig', { symbol: 'BTCUSDT' })).toMatchObject([
      { leverage: 7 },
    ]);
  });
});
