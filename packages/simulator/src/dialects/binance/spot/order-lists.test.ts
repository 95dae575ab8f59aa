import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type KeyPair, type Params, unique } from '../../wire/rig.fixture.ts';
import { type ApiSocket, startRig } from '../rig.fixture.ts';

/** Conditional orders, icebergs and lists of orders on Binance's wire (binance-spot-api-docs, rest-api.md). */

const SYMBOL = 'BTCUSDT';
const rig = openedOnce(startRig);
let key: KeyPair;
let last: number;

beforeEach(async () => {
  key = await rig.key(unique('lister'), { USDT: '100000', BTC: '2' });
  rig.letPass(11_000);
  // Trades are there once somebody looks.
  await rig.get('/api/v3/depth', { symbol: SYMBOL });
  // Trades are where the test before moved the price.
  for (let second = 0, ask = 0; second === 0 || Math.abs(last - ask) > ask / 100; second += 1) {
    if (second > 60) throw new Error('nobody trades');
    rig.advance(1_000);
    last = Number((await rig.get('/api/v3/ticker/price', { symbol: SYMBOL })).body.price);
    ask = Number((await rig.get('/api/v3/ticker/bookTicker', { symbol: SYMBOL })).body.askPrice);
  }
});

/** A price so many percent beside the last one. */
const beside = (percent: number) => (Math.round(last * (100 + percent)) / 100).toFixed(2);
const call = (method: string, path: string, params: Params = {}) =>
  rig.signed(key, path, { method, params: { symbol: SYMBOL, ...params } });
const place = (params: Params) =>
  call('POST', '/api/v3/order', { side: 'SELL', quantity: '0.5', newOrderRespType: 'RESULT', ...params });
const order = async (origClientOrderId: string) =>
  (await call('GET', '/api/v3/order', { origClientOrderId })).body;
const openIds = async () =>
  (await call('GET', '/api/v3/openOrders')).body.map((one: { clientOrderId: string }) => one.clientOrderId);
const locked = async (asset: string) => {
  const { body } = await rig.signed(key, '/api/v3/account');
  return body.balances.find((line: { asset: string }) => line.asset === asset)?.locked;
};
/** Moves the price a moment later, and lets people trade there. */
function move(percent: number): void {
  rig.advance(50);
  rig.exchange.shock(SYMBOL, 1 + percent / 100);
  rig.advance(3_000);
}
const OCO = () => ({
  side: 'SELL',
  quantity: '0.5',
  aboveType: 'LIMIT_MAKER',
  abovePrice: beside(3),
  aboveClientOrderId: 'above',
  belowType: 'STOP_LOSS_LIMIT',
  belowStopPrice: beside(-3),
  belowPrice: beside(-5),
  belowTimeInForce: 'GTC',
  belowClientOrderId: 'below',
  listClientOrderId: 'list',
});
const OTO = () => ({
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingPrice: beside(1),
  workingQuantity: '0.5',
  workingTimeInForce: 'GTC',
  workingClientOrderId: 'working',
  pendingSide: 'SELL',
  pendingQuantity: '0.4',
  listClientOrderId: 'list',
});
const oco = (changes: Params = {}) => call('POST', '/api/v3/orderList/oco', { ...OCO(), ...changes });

describe('conditional orders', () => {
  test.each([
    ['STOP_LOSS', -3, {}, 'FILLED'],
    ['STOP_LOSS_LIMIT', -3, { timeInForce: 'GTC', price: -5 }, 'FILLED'],
    ['TAKE_PROFIT', 3, {}, 'FILLED'],
    ['TAKE_PROFIT_LIMIT', 3, { timeInForce: 'GTC', price: 2 }, 'FILLED'],
  ] as const)('%s waits with its money locked, and fires', async (type, stop, limit, end) => {
    const { price, ...rest } = { price: undefined, ...limit };
    const priced = price === undefined ? {} : { price: beside(price) };
    const stopPrice = beside(stop);
    const placed = await place({ type, stopPrice, newClientOrderId: 'one', ...rest, ...priced });
    expect([placed.body.status, placed.body.type, placed.body.workingTime]).toEqual(['NEW', type, -1]);
    expect(Number(placed.body.stopPrice)).toBe(Number(stopPrice));
    const waiting = await order('one');
    expect([waiting.isWorking, waiting.workingTime, await locked('BTC')]).toEqual([false, -1, '0.50000000']);
    move(stop * 1.2);
    const fired = await order('one');
    expect([fired.status, fired.type, fired.isWorking, fired.orderId]).toEqual([
      end,
      type,
      true,
      placed.body.orderId,
    ]);
    expect(fired.workingTime).toBeGreaterThan(placed.body.transactTime);
  });

  test('one that trails says how far, since when, and fires on the way back', async () => {
    const { body } = await place({ type: 'STOP_LOSS', trailingDelta: 100, newClientOrderId: 'trail' });
    expect([body.stopPrice, body.trailingDelta, body.trailingTime]).toEqual(['0.00000000', 100, rig.now]);
    move(4);
    move(-3);
    expect((await order('trail')).status).toBe('FILLED');
  });

  test('one that is named but not reached is cancelled like any other', async () => {
    await place({ type: 'TAKE_PROFIT', stopPrice: beside(9), newClientOrderId: 'far' });
    expect(await openIds()).toEqual(['far']);
    const { body } = await call('DELETE', '/api/v3/order', { origClientOrderId: 'far' });
    expect([body.status, body.type, await locked('BTC')]).toEqual(['CANCELED', 'TAKE_PROFIT', '0.00000000']);
  });

  test('cancelReplace puts a stop where a limit order was, and an amend lowers it', async () => {
    const limit = { type: 'LIMIT', timeInForce: 'GTC', price: beside(5), newClientOrderId: 'limit' };
    await place(limit);
    const replaced = await call('POST', '/api/v3/order/cancelReplace', {
      ...{
        side: 'SELL',
        type: 'STOP_LOSS',
        quantity: '0.5',
        stopPrice: beside(-4),
        newClientOrderId: 'stop',
      },
      ...{ cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrigClientOrderId: 'limit' },
    });
    expect([replaced.status, await openIds()]).toEqual([200, ['stop']]);
    const amended = await call('PUT', '/api/v3/order/amend/keepPriority', {
      ...{ origClientOrderId: 'stop', newClientOrderId: 'stop', newQty: '0.2' },
    });
    expect([amended.body.amendedOrder.type, await locked('BTC')]).toEqual(['STOP_LOSS', '0.20000000']);
  });

  test('an iceberg shows a part of itself', async () => {
    const price = beside(0.5);
    const shown = async () => {
      const { asks } = (await rig.get('/api/v3/depth', { symbol: SYMBOL, limit: 5000 })).body;
      const level = asks.find(([at]: [string, string]) => Number(at) === Number(price));
      return Number(level?.[1] ?? 0);
    };
    const before = await shown();
    const { body } = await place({ type: 'LIMIT_MAKER', price, icebergQty: '0.1' });
    expect([body.icebergQty, Math.round((await shown()) * 1e8 - before * 1e8)]).toEqual(['0.10000000', 1e7]);
  });
});

describe('order lists', () => {
  test('an OCO answers with the list and a report of each order, the stop first', async () => {
    const { status, body } = await oco();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      ...['orderListId', 'contingencyType', 'listStatusType', 'listOrderStatus', 'listClientOrderId'],
      ...['transactionTime', 'symbol', 'orders', 'orderReports'],
    ]);
    expect([body.contingencyType, body.listStatusType, body.listOrderStatus, body.listClientOrderId]).toEqual(
      [...['OCO', 'EXEC_STARTED', 'EXECUTING', 'list']],
    );
    expect(body.orders.map((one: { clientOrderId: string }) => one.clientOrderId)).toEqual([
      'below',
      'above',
    ]);
    const [stop, limit] = body.orderReports;
    expect([stop.type, stop.workingTime, stop.orderListId]).toEqual([
      'STOP_LOSS_LIMIT',
      -1,
      body.orderListId,
    ]);
    expect([limit.type, limit.workingTime]).toEqual(['LIMIT_MAKER', rig.now]);
    expect(await locked('BTC')).toBe('0.50000000');
  });

  test('the older call names a limit order and a stop', async () => {
    const asked = { side: 'SELL', quantity: '0.5', price: beside(3), stopPrice: beside(-3) };
    const ids = { limitClientOrderId: 'above', stopClientOrderId: 'below' };
    const limit = { stopLimitPrice: beside(-4), stopLimitTimeInForce: 'GTC' };
    for (const [more, type] of [[{}, 'STOP_LOSS'] as const, [limit, 'STOP_LOSS_LIMIT'] as const]) {
      const { body } = await call('POST', '/api/v3/order/oco', { ...asked, ...ids, ...more });
      expect(body.orderReports.map((one: { type: string }) => one.type)).toEqual([type, 'LIMIT_MAKER']);
      await call('DELETE', '/api/v3/orderList', { orderListId: body.orderListId });
    }
    const half = await call('POST', '/api/v3/order/oco', { ...asked, stopLimitPrice: beside(-4) });
    expect([half.body.code, half.body.msg]).toEqual([
      ...[-1102, "Mandatory parameter 'stopLimitTimeInForce' was not sent, was empty/null, or malformed."],
    ]);
  });

  test('a limit order that the price has fallen through rests once it has fired', async () => {
    await oco();
    move(-9);
    const [below, above] = [await order('below'), await order('above')];
    expect([below.status, below.isWorking, above.status, above.expiryReason]).toEqual([
      ...['NEW', true, 'EXPIRED', 'OCO_TRIGGER'],
    ]);
    expect([await locked('BTC'), await openIds()]).toEqual(['0.50000000', ['below']]);
  });

  test.each([
    ['up', 4, 'above', 'below'],
    ['down', -4, 'below', 'above'],
  ])('the price goes %s: one order is filled, the other has expired', async (_, percent, filled, expired) => {
    const { orderListId } = (await oco()).body;
    move(percent);
    expect((await order(filled)).status).toBe('FILLED');
    const other = await order(expired);
    expect([other.status, other.expiryReason]).toEqual(['EXPIRED', 'OCO_TRIGGER']);
    const list = await rig.signed(key, '/api/v3/orderList', { params: { orderListId } });
    expect([list.body.listOrderStatus, await locked('BTC'), await openIds()]).toEqual([
      'ALL_DONE',
      '0.00000000',
      [],
    ]);
  });

  test('a list is found and cancelled by its id, by its client id, and with any order of it', async () => {
    const lists = async () => (await rig.signed(key, '/api/v3/openOrderList')).body;
    for (const ref of ['orderListId', 'listClientOrderId', 'order'] as const) {
      const { orderListId } = (await oco()).body;
      expect(await lists()).toMatchObject([{ orderListId, listOrderStatus: 'EXECUTING' }]);
      const cancelled =
        ref === 'order'
          ? await call('DELETE', '/api/v3/order', { origClientOrderId: 'above', newClientOrderId: 'gone' })
          : await call('DELETE', '/api/v3/orderList', {
              newClientOrderId: 'gone',
              ...(ref === 'orderListId' ? { orderListId } : { listClientOrderId: 'list' }),
            });
      expect([cancelled.status, cancelled.body.orderListId, cancelled.body.listOrderStatus]).toEqual([
        ...[200, orderListId, 'ALL_DONE'],
      ]);
      const reports = cancelled.body.orderReports.map(
        (one: { origClientOrderId: string; clientOrderId: string; status: string }) =>
          `${one.origClientOrderId} ${one.clientOrderId} ${one.status}`,
      );
      expect(reports).toEqual(['below gone CANCELED', 'above gone CANCELED']);
      expect(await lists()).toEqual([]);
    }
    const all = await rig.signed(key, '/api/v3/allOrderList', { params: { limit: 2 } });
    expect(all.body.map((one: { listOrderStatus: string }) => one.listOrderStatus)).toEqual([
      'ALL_DONE',
      'ALL_DONE',
    ]);
  });

  test('cancelling all open orders shows a list once, and the others alone', async () => {
    await oco();
    await place({ type: 'TAKE_PROFIT', stopPrice: beside(9), newClientOrderId: 'alone' });
    const { body } = await call('DELETE', '/api/v3/openOrders');
    expect(
      body.map((one: { orderListId: number; orders?: object[] }) => one.orders?.length ?? one.orderListId),
    ).toEqual([...[2, -1]]);
  });

  test('the pending order of an OTO comes when the working one is filled', async () => {
    const { body } = await call('POST', '/api/v3/orderList/oto', {
      ...OTO(),
      ...{ workingPrice: beside(-2), pendingType: 'TAKE_PROFIT', pendingStopPrice: beside(2) },
      pendingClientOrderId: 'pending',
    });
    expect(body.contingencyType).toBe('OTO');
    const [working, pending] = body.orderReports;
    expect([working.status, pending.status, pending.workingTime]).toEqual(['NEW', 'PENDING_NEW', -1]);
    expect(await locked('BTC')).toBe('0.00000000');
    move(-3);
    expect([(await order('working')).status, (await order('pending')).status]).toEqual(['FILLED', 'NEW']);
    expect(await locked('BTC')).toBe('0.40000000');
  });

  test('an OTOCO filled at once answers before its pair comes', async () => {
    const { body } = await call('POST', '/api/v3/orderList/otoco', {
      ...OTO(),
      ...{ pendingAboveType: 'LIMIT_MAKER', pendingAbovePrice: beside(3), pendingAboveClientOrderId: 'high' },
      ...{
        pendingBelowType: 'STOP_LOSS',
        pendingBelowStopPrice: beside(-3),
        pendingBelowClientOrderId: 'low',
      },
    });
    const statuses = body.orderReports.map((one: { status: string }) => one.status);
    expect(statuses).toEqual(['FILLED', 'PENDING_NEW', 'PENDING_NEW']);
    expect([(await order('high')).status, (await order('low')).status]).toEqual(['NEW', 'NEW']);
    expect(await locked('BTC')).toBe('0.40000000');
  });

  test.each([
    [
      'two limits',
      { belowType: 'LIMIT_MAKER' },
      -1106,
      "Parameter 'belowTimeInForce' sent when not required.",
    ],
    ['a stop that gains', { side: 'BUY' }, -1165, 'A limit order in a buy OCO must be below.'],
    ['an unknown type', { aboveType: 'LIMIT' }, -1158, 'Order type not supported in OCO.'],
    ['no stop price', { belowStopPrice: '' }, -1105, "Parameter 'belowStopPrice' was empty."],
    [
      'prices on one side',
      { belowStopPrice: '1000000' },
      -2010,
      'The relationship of the prices for the orders is not correct.',
    ],
    [
      'more than there is',
      { quantity: '3' },
      -2010,
      'Account has insufficient balance for requested action.',
    ],
    ['one id twice', { belowClientOrderId: 'above' }, -2010, 'Duplicate order sent.'],
    ['an unread word', { workingType: 'LIMIT' }, -1104, /Not all sent parameters were read/],
  ])('%s: nothing of the list is placed', async (_, changes, code, message) => {
    const { status, body } = await oco(changes);
    expect([status, body.code]).toEqual([400, code]);
    expect(body.msg).toMatch(message);
    expect([await openIds(), await locked('BTC')]).toEqual([[], '0.00000000']);
  });
});

describe('user data stream', () => {
  let socket: ApiSocket;
  const heard = () =>
    socket.heard
      .flatMap(({ event }) => (event === undefined ? [] : [event]))
      .filter(({ e }) => e === 'executionReport' || e === 'listStatus')
      .map((event) =>
        event.e === 'listStatus'
          ? `list ${event.C} ${event.l} ${event.L}`
          : `${event.C === '' ? event.c : event.C} ${event.x} ${event.X} ${event.w}${event.eR === undefined ? '' : ` ${event.eR}`}`,
      );
  const signer = () => ({ key, now: rig.now });

  test('an OCO over the WebSocket API: placed, its stop fires, and it is over', async () => {
    socket = await rig.socket('/ws-api/v3');
    await socket.askSigned(signer(), 1, 'userDataStream.subscribe.signature');
    const placed = await socket.askSigned(signer(), 2, 'orderList.place.oco', { symbol: SYMBOL, ...OCO() });
    expect(placed.status).toBe(200);
    const status = await socket.askSigned(signer(), 3, 'orderList.status', { origClientOrderId: 'list' });
    expect(status.result.orderListId).toBe(placed.result.orderListId);
    move(-4);
    await socket.hear(({ event }) => event?.e === 'listStatus' && event.l === 'ALL_DONE');
    expect(heard()).toEqual([
      ...['below NEW NEW false', 'above NEW NEW true', 'list list EXEC_STARTED EXECUTING'],
      ...['below NEW NEW true', 'above EXPIRED EXPIRED false OCO_TRIGGER'],
      ...heard().filter((line) => line.startsWith('below TRADE')),
      'list list ALL_DONE ALL_DONE',
    ]);
    const report = socket.heard.find(({ event }) => event?.c === 'below')?.event;
    expect([report.o, report.g, Number(report.P)]).toEqual([
      ...['STOP_LOSS_LIMIT', placed.result.orderListId, Number(beside(-3))],
    ]);
    expect('W' in report).toBe(false);
    socket.close();
  });

  test('an OTOCO: what is pending is told as such, then placed with the fill, and its pair ends as one', async () => {
    socket = await rig.socket('/ws-api/v3');
    await socket.askSigned(signer(), 1, 'userDataStream.subscribe.signature');
    const pending = {
      ...{ pendingAboveType: 'LIMIT_MAKER', pendingAbovePrice: beside(3), pendingAboveClientOrderId: 'high' },
      ...{
        pendingBelowType: 'STOP_LOSS',
        pendingBelowStopPrice: beside(-5),
        pendingBelowClientOrderId: 'low',
      },
    };
    const placed = await socket.askSigned(signer(), 2, 'orderList.place.otoco', {
      ...{ symbol: SYMBOL, ...OTO(), workingPrice: beside(-2), ...pending },
    });
    expect([placed.status, placed.result.contingencyType]).toEqual([200, 'OTO']);
    move(-3);
    move(9);
    await socket.hear(({ event }) => event?.e === 'listStatus' && event.l === 'ALL_DONE');
    const whole = heard().filter((line) => !line.endsWith('TRADE PARTIALLY_FILLED true'));
    expect(whole).toEqual([
      ...['working NEW NEW true', 'low NEW PENDING_NEW false', 'high NEW PENDING_NEW false'],
      'list list EXEC_STARTED EXECUTING',
      ...['working TRADE FILLED false', 'low NEW NEW false', 'high NEW NEW true'],
      'list list EXEC_STARTED EXECUTING',
      // The pair ends with its first trade, which may be the whole of it.
      ...whole.slice(8, 10),
      'list list ALL_DONE ALL_DONE',
    ]);
    const end = ['high TRADE FILLED false', 'low EXPIRED EXPIRED false OCO_TRIGGER'];
    expect(whole.slice(8, 10).toSorted()).toEqual(end);
    socket.close();
  });
});
