import { amount, type Millis, ORDER_STATUS, type VenueOrderId } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import type { HttpAnswer, HttpRequest } from '../../../transport.ts';
import {
  BYBIT_BTCUSDT,
  CLIENT_ID,
  CREDENTIALS,
  connectedConnector,
  EXECUTION,
  errorResult,
  lastRequest,
  ORDER,
  okResult,
  scriptedConnector,
} from '../../trading/scripted-connector.fixture.ts';

const NOW = 1_770_000_000_000;
const DAY = 86_400_000;
const pathOf = (request: HttpRequest): string => new URL(request.url).pathname;
const paramOf = (request: HttpRequest, name: string): string | null =>
  new URL(request.url).searchParams.get(name);
const list = (rows: readonly object[], nextPageCursor = ''): HttpAnswer =>
  okResult({ category: 'spot', list: rows, nextPageCursor });
/** Different answers by path. */
const byPath =
  (answers: Readonly<Record<string, HttpAnswer>>) =>
  (request: HttpRequest): HttpAnswer =>
    answers[pathOf(request)] ?? errorResult(10_016, 'not scripted');

describe('looking an order up', () => {
  const lookups: [string, Readonly<Record<string, HttpAnswer>>, string, number][] = [
    ['an open order', { '/v5/order/realtime': list([ORDER]) }, 'found', 1],
    [
      'an order only the history has',
      { '/v5/order/realtime': list([]), '/v5/order/history': list([ORDER]) },
      'found',
      2,
    ],
    ['none anywhere', { '/v5/order/realtime': list([]), '/v5/order/history': list([]) }, 'not-found', 2],
    [
      '170213 twice',
      { '/v5/order/realtime': errorResult(170_213, ''), '/v5/order/history': errorResult(110_001, '') },
      'not-found',
      2,
    ],
    [
      'none among the open ones and a silent history',
      { '/v5/order/realtime': list([]), '/v5/order/history': errorResult(10_000, 'Server Timeout') },
      'unknown',
      2,
    ],
    [
      '170213 behind a server error',
      { '/v5/order/realtime': { ...errorResult(170_213, ''), status: 503 } },
      'unknown',
      1,
    ],
    ['a wrong key', { '/v5/order/realtime': errorResult(10_003, '') }, 'unknown', 1],
    ['another order', { '/v5/order/realtime': list([{ ...ORDER, orderLinkId: 'else' }]) }, 'unknown', 1],
    ['another symbol', { '/v5/order/realtime': list([{ ...ORDER, symbol: 'ETHUSDT' }]) }, 'unknown', 1],
    [
      'two orders of one id',
      { '/v5/order/realtime': list([ORDER, { ...ORDER, orderId: '2' }]) },
      'unknown',
      1,
    ],
    ['no list', { '/v5/order/realtime': okResult({}) }, 'unknown', 1],
  ];
  test.each(lookups)('%s is taken for what it proves', async (_name, answers, outcome, requests) => {
    const { http, trading } = scriptedConnector();
    http.answer = byPath(answers);
    expect((await trading.find(CREDENTIALS, BYBIT_BTCUSDT, CLIENT_ID)).outcome).toBe(outcome);
    expect(http.requests.length).toBe(requests);
    for (const request of http.requests) expect(paramOf(request, 'orderLinkId')).toBe(CLIENT_ID);
  });

  const states: [string, object, object | undefined][] = [
    ['New', {}, { status: ORDER_STATUS.OPEN }],
    [
      'New that has traded',
      { cumExecQty: '0.01', cumExecValue: '650' },
      { status: ORDER_STATUS.PARTIALLY_FILLED },
    ],
    [
      'Filled',
      { orderStatus: 'Filled', cumExecQty: '0.02', cumExecValue: '1300' },
      { status: ORDER_STATUS.FILLED },
    ],
    [
      'PartiallyFilledCanceled',
      { orderStatus: 'PartiallyFilledCanceled', cumExecQty: '0.01', cumExecValue: '650' },
      { status: ORDER_STATUS.CANCELLED, cumulativeQuantity: amount('0.01'), cumulativeQuote: amount('650') },
    ],
    [
      'Cancelled',
      { orderStatus: 'Cancelled', rejectReason: 'EC_PostOnlyWillTakeLiquidity' },
      { status: ORDER_STATUS.CANCELLED },
    ],
    ['Rejected', { orderStatus: 'Rejected' }, { status: ORDER_STATUS.REJECT }],
    ['a status nobody knows', { orderStatus: 'Paused' }, undefined],
    ['Filled with nothing', { orderStatus: 'Filled' }, undefined],
    ['a quantity without value', { cumExecQty: '0.01' }, undefined],
    ['an exponent', { cumExecQty: '1e-2', cumExecValue: '650' }, undefined],
    ['a number in place of a string', { cumExecQty: 0 }, undefined],
    ['no time', { updatedTime: '' }, undefined],
  ];
  test.each(states)('%s is read or refused', async (_name, part, expected) => {
    const { http, trading } = scriptedConnector();
    http.answer = () => list([{ ...ORDER, ...part }]);
    const found = await trading.find(CREDENTIALS, BYBIT_BTCUSDT, CLIENT_ID);
    if (expected === undefined) expect(found.outcome).toBe('unknown');
    else expect(found).toMatchObject({ outcome: 'found', value: { clientId: CLIENT_ID, ...expected } });
  });
});

describe('cancelling', () => {
  const acknowledged = okResult({ orderId: ORDER.orderId, orderLinkId: CLIENT_ID });
  const seen = (part: object) => ({
    '/v5/order/cancel': acknowledged,
    '/v5/order/realtime': list([{ ...ORDER, ...part }]),
  });
  const cancels: [string, Readonly<Record<string, HttpAnswer>>, string][] = [
    ['an acknowledged cancel of an order that is over', seen({ orderStatus: 'Cancelled' }), 'cancelled'],
    [
      'an acknowledged cancel of an order that filled first',
      seen({ orderStatus: 'Filled', cumExecQty: '0.02', cumExecValue: '1300' }),
      'gone',
    ],
    ['an acknowledged cancel of an order still seen open', seen({}), 'unknown'],
    ['an acknowledged cancel with a silent look-up', { '/v5/order/cancel': acknowledged }, 'unknown'],
    ['110001', { '/v5/order/cancel': errorResult(110_001, '') }, 'gone'],
    ['170213', { '/v5/order/cancel': errorResult(170_213, '') }, 'gone'],
    [
      '170213 behind a server error',
      { '/v5/order/cancel': { ...errorResult(170_213, ''), status: 500 } },
      'unknown',
    ],
    ['a wrong signature', { '/v5/order/cancel': errorResult(10_004, 'error sign') }, 'refused'],
    ['a time-out of the venue', { '/v5/order/cancel': errorResult(10_000, 'Server Timeout') }, 'unknown'],
    [
      "another order's acknowledgement",
      { '/v5/order/cancel': okResult({ orderId: '1', orderLinkId: 'else' }) },
      'unknown',
    ],
  ];
  test.each(cancels)('%s is taken for what it proves', async (_name, answers, outcome) => {
    const { http, trading } = scriptedConnector();
    http.answer = byPath(answers);
    expect((await trading.cancel(CREDENTIALS, BYBIT_BTCUSDT, CLIENT_ID)).outcome).toBe(outcome);
    expect(http.requests.filter((request) => pathOf(request) === '/v5/order/cancel').length).toBe(1);
  });

  test('goes by the trade socket where it is open', async () => {
    const { http, sockets, trading } = await connectedConnector();
    http.answer = () => list([{ ...ORDER, orderStatus: 'Cancelled' }]);
    const cancelled = trading.cancel(CREDENTIALS, BYBIT_BTCUSDT, CLIENT_ID);
    const { reqId, op, args } = lastRequest(sockets);
    expect([op, args[0]?.orderLinkId]).toEqual(['order.cancel', CLIENT_ID]);
    sockets.newest.say({ reqId, retCode: 0, op, data: { orderId: '1', orderLinkId: CLIENT_ID } });
    expect(await cancelled).toMatchObject({
      outcome: 'cancelled',
      state: { status: ORDER_STATUS.CANCELLED },
    });
  });
});

describe('lists', () => {
  test('open orders are read to the last page; other symbols and orders of no client are told apart', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = (request) =>
      paramOf(request, 'cursor') === null
        ? list([ORDER, { ...ORDER, symbol: 'ETHUSDT' }], 'page%3D2')
        : list([{ ...ORDER, orderId: '2', orderLinkId: '' }]);
    const orders = await trading.openOrders(CREDENTIALS, [BYBIT_BTCUSDT]);
    expect(orders.ok && orders.value.map((order) => [order.clientId, order.venueOrderId])).toEqual([
      [CLIENT_ID, ORDER.orderId],
      ['', '2'],
    ]);
    expect(http.requests.map((request) => paramOf(request, 'cursor'))).toEqual([null, 'page%3D2']);
  });

  const fill = (id: number, part: object = {}) => ({ ...EXECUTION, execId: String(id), ...part });
  const orderId = ORDER.orderId as VenueOrderId;

  test("all pages of an order's fills are read, oldest first, and none is counted twice", async () => {
    const { http, trading } = scriptedConnector();
    const time = (at: number) => ({ execTime: String(NOW + at) });
    http.answer = (request) => {
      const page = Number(paramOf(request, 'cursor') ?? 0);
      if (page === 2) return list([fill(2, time(2)), fill(1, time(1))], '3');
      return page === 3
        ? list([])
        : list([fill(9 - page, time(9 - page)), fill(2, time(2))], String(page + 1));
    };
    const fills = await trading.fillsOfOrder(CREDENTIALS, BYBIT_BTCUSDT, orderId);
    expect(fills.ok && fills.value.map((one) => one.tradeId)).toEqual(['1', '2', '8', '9']);
    expect(fills.ok && fills.value[0]).toEqual({
      tradeId: '1',
      venueOrderId: orderId,
      price: amount('65000'),
      quantity: amount('0.01'),
      quoteQuantity: amount('650'),
      fee: amount('0.00001'),
      feeAsset: 'BTC',
      maker: false,
      time: NOW + 1,
    });
  });

  test('executions that are no trades are no fills', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => list([fill(1), fill(2, { execType: 'Settle' })]);
    const fills = await trading.fillsOfOrder(CREDENTIALS, BYBIT_BTCUSDT, orderId);
    expect(fills.ok && fills.value.length).toBe(1);
  });

  test('a fee of no named currency is in what was received', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => list([fill(2, { feeCurrency: '', side: 'Sell' }), fill(1, { feeCurrency: '' })]);
    const fills = await trading.fillsOfOrder(CREDENTIALS, BYBIT_BTCUSDT, orderId);
    expect(fills.ok && fills.value.map((one) => one.feeAsset)).toEqual(['BTC', 'USDT'].reverse());
  });

  const lies: [string, object][] = [
    ['a fill of another order', { orderId: 'else' }],
    ['a fill of another symbol', { symbol: 'ETHUSDT' }],
    ['a fill of nothing', { execQty: '0' }],
    ['a rebate, which we cannot express', { execFee: '-0.1' }],
    ['a fill of no side of the book', { isMaker: 'false' }],
  ];
  test.each(lies)('%s among them is malformed', async (_name, part) => {
    const { http, trading } = scriptedConnector();
    http.answer = () => list([fill(1), fill(2, part)]);
    expect(await trading.fillsOfOrder(CREDENTIALS, BYBIT_BTCUSDT, orderId)).toEqual({
      ok: false,
      code: 'malformed',
    });
  });

  test('a cursor that comes back ends as malformed, not in a circle', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => list([fill(1)], 'again');
    expect(await trading.fillsOfOrder(CREDENTIALS, BYBIT_BTCUSDT, orderId)).toEqual({
      ok: false,
      code: 'malformed',
    });
    expect(http.requests.length).toBe(2);
  });

  test('fills since a moment are asked for in spans of at most seven days, without a hole', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = (request) =>
      list([fill(http.requests.length, { execTime: paramOf(request, 'startTime') })]);
    const fills = await trading.fillsSince(CREDENTIALS, BYBIT_BTCUSDT, (NOW - 16 * DAY) as Millis);
    const spans = http.requests.map((request) =>
      ['startTime', 'endTime'].map((name) => Number(paramOf(request, name))),
    );
    expect(spans.length).toBe(3);
    expect(spans[0]?.[0]).toBe(NOW - 16 * DAY - 1_000);
    expect(spans.at(-1)?.[1]).toBe(NOW + 1_000);
    spans.forEach(([start = 0, end = 0], at) => {
      expect(end - start).toBeLessThanOrEqual(7 * DAY);
      if (at > 0) expect(start).toBe((spans[at - 1]?.[1] ?? 0) + 1);
    });
    expect(fills.ok && fills.value.map((one) => one.tradeId)).toEqual(['1', '2', '3']);
  });

  test('a fill outside of the span that was asked for is not believed', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => list([fill(1, { execTime: '1' })]);
    expect(await trading.fillsSince(CREDENTIALS, BYBIT_BTCUSDT, NOW as Millis)).toEqual({
      ok: false,
      code: 'malformed',
    });
  });

  test('what is free is the balance without what open orders lock', async () => {
    const { http, trading } = scriptedConnector();
    const coin = { coin: 'USDT', walletBalance: '100.5', locked: '0.5', equity: '100.5' };
    http.answer = () =>
      okResult({
        list: [
          { accountType: 'UNIFIED', coin: [coin, { ...coin, coin: 'BTC', walletBalance: '1', locked: '2' }] },
        ],
      });
    expect(await trading.balances(CREDENTIALS)).toEqual({
      ok: true,
      value: [
        { asset: 'USDT', free: amount('100'), locked: amount('0.5') },
        { asset: 'BTC', free: 0n, locked: amount('2') },
      ],
    });
    http.answer = () => okResult({ list: [{ accountType: 'CONTRACT', coin: [coin] }] });
    expect(await trading.balances(CREDENTIALS)).toEqual({ ok: false, code: 'malformed' });
    http.answer = () => ({ status: 502, headers: {}, text: '' });
    expect(await trading.balances(CREDENTIALS)).toEqual({ ok: false, code: 'network' });
  });
});
