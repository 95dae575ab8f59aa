import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Member, MemberRig } from '../member-rig.fixture.ts';

let rig: MemberRig;

beforeAll(async () => {
  rig = await MemberRig.open();
});
afterAll(async () => {
  expect(rig.complaints).toEqual([]);
  await rig.close();
});

const LEVERAGE = { symbol: 'BTCUSDT', leverage: 7 };
const resting = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
  price: '59000',
};

describe('private streams', () => {
  test.each([
    ['/private/ws?listenKey=', false],
    ['/private/ws/', false],
    ['/ws/', false],
    ['/private/stream?listenKey=', true],
    ['/private/stream?streams=', true],
  ])('%s tells of the account', async (path, combined) => {
    const member = await rig.member(`door ${path}`);
    const socket = await member.listen(path);
    await member.ask('POST /fapi/v1/leverage', LEVERAGE);
    const heard = await socket.hear(() => true);
    const { listenKey } = await member.ask('POST /fapi/v1/listenKey');
    expect(combined ? heard.stream : heard.e).toBe(combined ? listenKey : 'ACCOUNT_CONFIG_UPDATE');
    expect((combined ? heard.data : heard).ac).toEqual({ s: 'BTCUSDT', l: 7 });
    socket.close();
  });

  test('a life in one-way mode: open, reduce, flip, close, each fill in the order of the venue', async () => {
    const member = await rig.member('life');
    const socket = await member.listen();
    await member.trade('BUY', '0.01', 60_000);
    await member.trade('SELL', '0.004', 60_000);
    await member.trade('SELL', '0.010', 60_000);
    await member.trade('BUY', '0.004', 60_000, { reduceOnly: 'true' });
    await socket.hear(() => socket.heard.length >= 16);
    const kinds = socket.heard.map(({ e, o }) => (o === undefined ? e : o.x));
    const fill = ['NEW', 'TRADE_LITE', 'ACCOUNT_UPDATE', 'TRADE'];
    expect(kinds).toEqual([...fill, ...fill, ...fill, ...fill]);
    const positions = socket.heard.filter(({ e }) => e === 'ACCOUNT_UPDATE').map(({ a }) => a.P[0].pa);
    expect(positions).toEqual(['0.010', '0.006', '-0.004', '0']);
    socket.close();
  });

  test('only the events that are asked for, where some are', async () => {
    const member = await rig.member('some');
    const { listenKey } = await member.ask('POST /fapi/v1/listenKey');
    const socket = await rig.socket(
      `/private/ws?listenKey=${listenKey}&events=ORDER_TRADE_UPDATE/TRADE_LITE`,
    );
    await member.ask('POST /fapi/v1/leverage', LEVERAGE);
    await member.ask('POST /fapi/v1/order', resting);
    await socket.hear(() => true);
    expect(socket.heard.map(({ e }) => e)).toEqual(['ORDER_TRADE_UPDATE']);
    socket.close();
  });

  test('a listen key is one an account, and kept for an hour at a time', async () => {
    const member = await rig.member('keys');
    const { listenKey } = await member.ask('POST /fapi/v1/listenKey');
    expect(await member.ask('POST /fapi/v1/listenKey')).toEqual({ listenKey });
    rig.core.now = (rig.core.now + 3_500_000) as typeof rig.core.now;
    expect(await member.ask('PUT /fapi/v1/listenKey')).toEqual({ listenKey });
    rig.core.now = (rig.core.now + 3_600_001) as typeof rig.core.now;
    expect((await member.call('PUT /fapi/v1/listenKey')).body).toEqual({
      code: -1125,
      msg: 'This listenKey does not exist.',
    });
    const next = await member.ask('POST /fapi/v1/listenKey');
    expect(next.listenKey).not.toBe(listenKey);
    expect(await member.ask('DELETE /fapi/v1/listenKey')).toEqual({});
    expect((await member.call('DELETE /fapi/v1/listenKey')).body.code).toBe(-1125);
  });
});

describe('the WebSocket API', () => {
  async function asking(member: Member) {
    const socket = await rig.socket('/ws-fapi/v1');
    let id = 0;
    return (method: string, params: object = {}) => {
      id += 1;
      return socket.askSigned({ key: member.key, now: rig.core.now }, id, method, params);
    };
  }

  test('an order is placed, changed, found and cancelled; answers count orders', async () => {
    const member = await rig.member('api');
    const ask = await asking(member);
    const placed = await ask('order.place', resting);
    expect(placed).toMatchObject({ status: 200, result: { status: 'NEW' } });
    expect(placed.rateLimits.map(({ rateLimitType }: { rateLimitType: string }) => rateLimitType)).toEqual([
      'ORDERS',
      'ORDERS',
      'REQUEST_WEIGHT',
    ]);
    const { orderId } = placed.result;
    const named = { symbol: 'BTCUSDT', orderId };
    const changed = await ask('order.modify', { ...named, side: 'BUY', quantity: '0.02', price: '58000' });
    expect(changed.result).toMatchObject({ orderId, origQty: '0.020' });
    expect((await ask('order.status', named)).result.price).toBe('58000.0');
    expect((await ask('order.cancel', named)).result.status).toBe('CANCELED');
    expect((await ask('order.cancel', named)).error).toEqual({ code: -2011, msg: 'Unknown order sent.' });
    expect((await ask('order.place', { ...resting, type: 'STOP' })).error.code).toBe(-4120);
  });

  test('a conditional order is placed and cancelled there too, and is the one of the algo service', async () => {
    const member = await rig.member('algo api');
    const ask = await asking(member);
    const stop = {
      ...{ algoType: 'CONDITIONAL', symbol: 'BTCUSDT', side: 'BUY', type: 'STOP_MARKET' },
      ...{ quantity: '0.01', triggerPrice: '61000', clientAlgoId: 'by-socket' },
    };
    const { status, result } = await ask('algoOrder.place', stop);
    expect([status, result]).toMatchObject([200, { algoStatus: 'NEW', triggerPrice: '61000.0' }]);
    const { algoId } = result;
    expect(await member.ask('GET /fapi/v1/openAlgoOrders')).toMatchObject([{ algoId }]);
    expect((await ask('algoOrder.place', { ...stop, triggerPrice: '59000' })).error.code).toBe(-2021);
    expect((await ask('algoOrder.cancel', { clientAlgoId: 'by-socket' })).result).toEqual({
      ...{ algoId, clientAlgoId: 'by-socket', code: '200', msg: 'success' },
    });
    expect((await ask('algoOrder.cancel', { algoId })).error.code).toBe(-2011);
  });

  test.each([
    ['account.balance', '/fapi/v2/balance'],
    ['v2/account.balance', '/fapi/v3/balance'],
    ['account.status', '/fapi/v2/account'],
    ['v2/account.status', '/fapi/v3/account'],
    ['account.position', '/fapi/v2/positionRisk'],
    ['v2/account.position', '/fapi/v3/positionRisk'],
  ])('%s answers as GET %s', async (method, path) => {
    const member = await rig.member(`both ${method}`);
    await member.order('BUY', '0.01', { at: '59000' });
    expect((await (await asking(member))(method)).result).toEqual(await member.ask(`GET ${path}`));
  });

  test.each([
    ['depth', 'depth', { symbol: 'BTCUSDT', limit: 5 }],
    ['ticker.price', 'ticker/price', { symbol: 'BTCUSDT' }],
    ['ticker.price', 'ticker/price', {}],
    ['ticker.book', 'ticker/bookTicker', { symbol: 'ETHUSDT' }],
  ])('%s answers as GET /fapi/v1/%s, without a key', async (method, path, params) => {
    const socket = await rig.socket('/ws-fapi/v1');
    const body = await (await rig.member(`public ${path} ${Object.keys(params)}`)).ask(
      `GET /fapi/v1/${path}`,
      params,
    );
    expect((await socket.ask(1, method, params)).result).toEqual(body);
    expect((await socket.ask(2, method, { symbol: 'NONE' })).error.code).toBe(-1121);
    socket.close();
  });

  test('listen keys are opened, kept and closed there too; HMAC keys cannot log on', async () => {
    const member = await rig.member('session');
    const socket = await rig.socket('/ws-fapi/v1');
    const { apiKey } = member.key;
    const { result } = await socket.ask(1, 'userDataStream.start', { apiKey });
    expect(await member.ask('POST /fapi/v1/listenKey')).toEqual(result);
    expect((await socket.ask(2, 'userDataStream.ping', { apiKey })).result).toEqual(result);
    expect((await socket.ask(3, 'userDataStream.stop', { apiKey })).result).toEqual({});
    const logon = await socket.askSigned({ key: member.key, now: rig.core.now }, 4, 'session.logon');
    expect(logon.error.code).toBe(-4056);
    expect((await socket.ask(5, 'session.status')).result.apiKey).toBe(null);
    socket.close();
  });
});
