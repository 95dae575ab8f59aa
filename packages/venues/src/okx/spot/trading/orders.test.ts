import { amount, type Millis, ORDER_STATUS, type VenueClientId, type VenueOrderId } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../../../transport.ts';
import { BTC_USDT } from '../../market/sample-instruments.fixture.ts';
import {
  CREDENTIALS,
  connectedConnector,
  lastFrame,
  okxAnswer,
  okxItemRefusal,
  okxRefusal,
  pathOf,
  scriptedConnector,
} from '../../trading/scripted-connector.fixture.ts';

const CLIENT_ID = '0190f3a0c0de7abc8def000000000001' as VenueClientId;
const NOW = 1_770_000_000_000;
const ACK = {
  ordId: '312269865356374016',
  clOrdId: CLIENT_ID,
  tag: '',
  ts: String(NOW + 3),
  sCode: '0',
  sMsg: '',
};
const ORDER = {
  instType: 'SPOT',
  instId: 'BTC-USDT',
  ordId: '312269865356374016',
  clOrdId: CLIENT_ID,
  state: 'partially_filled',
  accFillSz: '0.015',
  avgPx: '65000.0333333333333333',
  uTime: String(NOW + 5),
};

describe('cancelling', () => {
  const acked = (order: object) => (request: { readonly method: string }) =>
    request.method === 'POST' ? okxAnswer(ACK) : okxAnswer({ ...ORDER, ...order });

  test('goes over the socket; a good answer is proved by a lookup of the order', async () => {
    const { sockets, http, trading } = await connectedConnector();
    http.answer = () => okxAnswer({ ...ORDER, state: 'canceled' });
    const outcome = trading.cancel(CREDENTIALS, BTC_USDT, CLIENT_ID);
    const frame = lastFrame(sockets);
    expect(frame).toMatchObject({ op: 'cancel-order', args: [{ clOrdId: CLIENT_ID, instIdCode: 7_001 }] });
    expect(frame).not.toHaveProperty('expTime');
    sockets.newest.say({ id: frame.id, op: 'cancel-order', code: '0', msg: '', data: [ACK] });
    expect(await outcome).toMatchObject({
      outcome: 'cancelled',
      state: { status: ORDER_STATUS.CANCELLED, cumulativeQuantity: amount('0.015') },
    });
    expect(pathOf(http.requests[0])).toBe(`/api/v5/trade/order?instId=BTC-USDT&clOrdId=${CLIENT_ID}`);
  });

  const answers: [string, (request: { readonly method: string }) => HttpAnswer, string][] = [
    ['taken, still open', acked({}), 'unknown'],
    ['taken, filled meanwhile', acked({ state: 'filled' }), 'gone'],
    [
      'taken, look-up refused',
      (request) => (request.method === 'POST' ? okxAnswer(ACK) : okxRefusal('50013')),
      'unknown',
    ],
    ['51400', () => okxItemRefusal('51400'), 'gone'],
    ['51401', () => okxItemRefusal('51401'), 'gone'],
    ['51402', () => okxItemRefusal('51402'), 'gone'],
    ['51400 behind a server error', () => okxRefusal('51400', 500), 'unknown'],
    ['50113', () => okxRefusal('50113', 401), 'refused'],
    ['50004', () => okxRefusal('50004', 400), 'unknown'],
    ["another order's cancel", () => okxAnswer({ ...ACK, clOrdId: 'else' }), 'unknown'],
    ['an unreadable answer', () => okxAnswer({}), 'unknown'],
  ];
  test.each(answers)('%s is taken for what it proves', async (_name, answer, outcome) => {
    const { http, trading } = scriptedConnector();
    http.answer = answer;
    expect((await trading.cancel(CREDENTIALS, BTC_USDT, CLIENT_ID)).outcome).toBe(outcome);
  });
});

test("a cancel by the venue's id is proved by an answer about that id alone", async () => {
  const id = ORDER.ordId as VenueOrderId;
  for (const [ordId, outcome] of [
    [ORDER.ordId, 'cancelled'],
    ['else', 'unknown'],
  ] as const) {
    const { http, trading } = scriptedConnector();
    http.answer = ({ method }) =>
      okxAnswer(
        method === 'POST' ? { ...ACK, clOrdId: '', ordId } : { ...ORDER, clOrdId: '', state: 'canceled' },
      );
    expect((await trading.cancelByVenueId(CREDENTIALS, BTC_USDT, id)).outcome).toBe(outcome);
    expect(JSON.parse(http.requests[0]?.body ?? '')).toEqual({ instId: 'BTC-USDT', ordId: id });
  }
});

describe('reading', () => {
  const lookups: [string, HttpAnswer, string][] = [
    ['51603', okxRefusal('51603'), 'not-found'],
    ['51603 behind a server error', okxRefusal('51603', 503), 'unknown'],
    ['51001', okxRefusal('51001'), 'unknown'],
    ['another order', okxAnswer({ ...ORDER, clOrdId: 'else' }), 'unknown'],
    ['an order of another instrument', okxAnswer({ ...ORDER, instId: 'ETH-USDT' }), 'unknown'],
    ['two orders', okxAnswer(ORDER, ORDER), 'unknown'],
    ['none', okxAnswer(), 'unknown'],
    ['filled with nothing', okxAnswer({ ...ORDER, state: 'filled', accFillSz: '0', avgPx: '' }), 'unknown'],
    ['executed at no price', okxAnswer({ ...ORDER, avgPx: '' }), 'unknown'],
    ['the order', okxAnswer(ORDER), 'found'],
  ];
  test.each(lookups)('%s to a lookup is taken for what it proves', async (_name, answer, outcome) => {
    const { http, trading } = scriptedConnector();
    http.answer = () => answer;
    expect((await trading.find(CREDENTIALS, BTC_USDT, CLIENT_ID)).outcome).toBe(outcome);
  });

  const fill = (billId: number, part: object = {}) => ({
    instType: 'SPOT',
    instId: 'BTC-USDT',
    tradeId: String(1_000 + billId),
    ordId: '77',
    clOrdId: '',
    billId: String(billId),
    fillPx: '100.5',
    fillSz: '0.1',
    side: 'buy',
    execType: 'T',
    feeCcy: 'BTC',
    fee: '-0.0001',
    ts: String(NOW),
    fillTime: String(NOW + billId),
    ...part,
  });
  /** Bills from `newest` down, as the venue pages them. */
  const pages = (newest: number, oldest: number) => (request: { readonly url: string }) => {
    const after = /after=(\d+)/.exec(request.url)?.[1];
    const first = after === undefined ? newest : Number(after) - 1;
    return okxAnswer(
      ...Array.from({ length: Math.max(0, Math.min(100, first - oldest + 1)) }, (_row, at) =>
        fill(first - at),
      ),
    );
  };

  test("all pages of an order's fills are read, from both lists, each fill once, oldest first", async () => {
    const { http, trading } = scriptedConnector();
    http.answer = (request) =>
      request.url.includes('fills-history') ? pages(150, 1)(request) : pages(250, 120)(request);
    const fills = await trading.fillsOfOrder(CREDENTIALS, BTC_USDT, '77' as never);
    expect(fills.ok && fills.value.map((one) => Number(one.tradeId) - 1_000)).toEqual(
      Array.from({ length: 250 }, (_row, at) => at + 1),
    );
    expect(http.requests.map((request) => pathOf(request).split('?')[0])).toEqual([
      ...['/api/v5/trade/fills', '/api/v5/trade/fills'],
      ...['/api/v5/trade/fills-history', '/api/v5/trade/fills-history'],
    ]);
    expect(fills.ok && fills.value[0]).toMatchObject({
      price: amount('100.5'),
      quoteQuantity: amount('10.05'),
      fee: amount('0.0001'),
      feeAsset: 'BTC',
      maker: false,
      time: NOW + 1,
    });
  });

  test('half an answer is none: history that does not answer makes the whole unread', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = (request) =>
      request.url.includes('history') ? okxRefusal('50001', 503) : pages(3, 1)(request);
    expect(await trading.fillsOfOrder(CREDENTIALS, BTC_USDT, '77' as never)).toEqual({
      ok: false,
      code: 'network',
    });
  });

  const lies: [string, object][] = [
    ['of another order', { ordId: '78' }],
    ['of another instrument', { instId: 'ETH-USDT' }],
    ['of nothing', { fillSz: '0' }],
    ['without a known fee', { fee: '' }],
    ['without an asset for its fee', { feeCcy: '' }],
    ['neither taken nor made', { execType: '' }],
  ];
  test.each(lies)('a fill %s among them is malformed', async (_name, part) => {
    const { http, trading } = scriptedConnector();
    http.answer = () => okxAnswer(fill(2), fill(1, part));
    expect(await trading.fillsOfOrder(CREDENTIALS, BTC_USDT, '77' as never)).toEqual({
      ok: false,
      code: 'malformed',
    });
  });

  test('a page that never moves on ends as malformed, not in a circle', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => okxAnswer(...Array.from({ length: 100 }, (_row, at) => fill(at + 1)));
    expect(await trading.fillsOfOrder(CREDENTIALS, BTC_USDT, '77' as never)).toEqual({
      ok: false,
      code: 'malformed',
    });
    expect(http.requests.length).toBe(2);
  });

  test('fills since a recent moment ask one list, since an old one both; what is older is not believed', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => okxAnswer(fill(1));
    expect((await trading.fillsSince(CREDENTIALS, BTC_USDT, NOW as Millis)).ok).toBe(true);
    expect(http.requests.map(pathOf)).toEqual([
      `/api/v5/trade/fills?instType=SPOT&instId=BTC-USDT&begin=${NOW - 1_000}&limit=100`,
    ]);
    expect((await trading.fillsSince(CREDENTIALS, BTC_USDT, (NOW - 10 * 86_400_000) as Millis)).ok).toBe(
      true,
    );
    expect(http.requests.length).toBe(3);
    http.answer = () => okxAnswer(fill(1, { fillTime: String(NOW - 5_000) }));
    expect(await trading.fillsSince(CREDENTIALS, BTC_USDT, NOW as Millis)).toEqual({
      ok: false,
      code: 'malformed',
    });
  });

  test('open orders are paged and kept to the instruments asked for; strangers have an empty id', async () => {
    const { http, trading } = scriptedConnector();
    const open = (id: number) => ({
      ...ORDER,
      ordId: String(id),
      clOrdId: '',
      state: 'live',
      accFillSz: '0',
      avgPx: '',
      instId: id % 2 === 0 ? 'BTC-USDT' : 'ETH-USDT',
    });
    http.answer = (request) => {
      const first = Number(/after=(\d+)/.exec(request.url)?.[1] ?? 131) - 1;
      return okxAnswer(...Array.from({ length: Math.min(100, first) }, (_row, at) => open(first - at)));
    };
    const orders = await trading.openOrders(CREDENTIALS, [BTC_USDT, { ...BTC_USDT, symbol: 'X-USDT' }]);
    expect(orders.ok && [orders.value.length, orders.value[0]?.clientId]).toEqual([65, '']);
    expect(http.requests.map((request) => request.url.includes('instId='))).toEqual([false, false]);
    await trading.openOrders(CREDENTIALS, [BTC_USDT]);
    expect(http.requests[2]?.url).toContain('instId=BTC-USDT');
  });

  test('balances are what is available and the rest of the wallet; an empty figure is malformed', async () => {
    const { http, trading } = scriptedConnector();
    const cash = { cashBal: '99.894696569999997', frozenBal: '5.468566666666667', eq: '99.9' };
    const detail = { ccy: 'USDT', availBal: '94.42612990333333', ...cash };
    http.answer = () => okxAnswer({ uTime: '1', details: [detail] });
    expect(await trading.balances(CREDENTIALS)).toEqual({
      ok: true,
      value: [{ asset: 'USDT', free: amount('94.42612990333333'), locked: amount('5.468566666666667') }],
    });
    http.answer = () => okxAnswer({ uTime: '1', details: [{ ...detail, availBal: '' }] });
    expect(await trading.balances(CREDENTIALS)).toEqual({ ok: false, code: 'malformed' });
  });
});
