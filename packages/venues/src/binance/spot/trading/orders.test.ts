import { amount, ORDER_STATUS, ORDER_TYPE, SIDE, TIME_IN_FORCE, type VenueClientId } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BTCUSDT } from '../../../conformance/sample-instruments.ts';
import { okAnswer } from '../../../trading/scripted-transport.fixture.ts';
import type { HttpAnswer } from '../../../transport.ts';
import { connectedConnector, scriptedConnector } from '../../trading/scripted-connector.fixture.ts';

const CREDENTIALS = { apiKey: 'the-api-key', secret: 'the-secret' };
const CLIENT_ID = '0190f3a0c0de7abc8def000000000001' as VenueClientId;

describe('reading', () => {
  const trade = (id: number, orderId = 77) => ({
    symbol: 'BTCUSDT',
    id,
    orderId,
    price: '1',
    qty: '1',
    quoteQty: '1',
    commission: '0',
    commissionAsset: 'BTC',
    time: 1_770_000_000_000,
    isMaker: true,
  });

  test("all pages of an order's fills are read", async () => {
    const { http, trading } = scriptedConnector();
    http.answer = (request) => {
      const from = Number(/fromId=(\d+)/.exec(request.url)?.[1] ?? 1);
      return okAnswer(
        Array.from({ length: Math.min(1_000, 2_500 - from + 1) }, (_row, at) => trade(from + at)),
      );
    };
    const fills = await trading.fillsOfOrder(CREDENTIALS, BTCUSDT, '77' as never);
    expect(fills.ok && fills.value.map((fill) => Number(fill.tradeId))).toEqual(
      Array.from({ length: 2_500 }, (_row, at) => at + 1),
    );
    expect(http.requests.length).toBe(3);
  });

  const lies: [string, object[]][] = [
    ['a fill of another order', [trade(1, 78)]],
    ['a fill of another symbol', [{ ...trade(1), symbol: 'ETHUSDT' }]],
    ['a fill of nothing', [{ ...trade(1), qty: '0' }]],
  ];
  test.each(lies)('%s among them is malformed', async (_name, rows) => {
    const { http, trading } = scriptedConnector();
    http.answer = () => okAnswer(rows);
    expect(await trading.fillsOfOrder(CREDENTIALS, BTCUSDT, '77' as never)).toEqual({
      ok: false,
      code: 'malformed',
    });
  });

  test('a page that never moves on ends as malformed, not in a circle', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => okAnswer(Array.from({ length: 1_000 }, (_row, at) => trade(at)));
    expect(await trading.fillsOfOrder(CREDENTIALS, BTCUSDT, '77' as never)).toEqual({
      ok: false,
      code: 'malformed',
    });
    expect(http.requests.length).toBe(2);
  });

  test('an account is looked for on every page before one is made', async () => {
    const { http, trading } = scriptedConnector();
    const row = (at: number) => ({ subaccountId: String(at), tag: `t-${at}` });
    http.answer = (request) => {
      if (request.method === 'POST') return okAnswer({ subaccountId: '700', apiKey: 'a', secretKey: 'b' });
      const page = Number(/page=(\d+)/.exec(request.url)?.[1]);
      return okAnswer(
        Array.from({ length: page === 1 ? 500 : 201 }, (_row, at) => row((page - 1) * 500 + at)),
      );
    };
    const found = await trading.openMemberAccount(CREDENTIALS, 't-700');
    expect(found).toEqual({
      outcome: 'found',
      value: { accountId: '700', credentials: { apiKey: 'a', secret: 'b' } },
    });
    expect(http.requests.map((request) => `${request.method} ${new URL(request.url).pathname}`)).toEqual([
      'GET /sapi/v1/broker/subAccount',
      'GET /sapi/v1/broker/subAccount',
      'POST /sapi/v1/broker/subAccountApi',
    ]);
  });

  test.each([
    ['contracts too where they are traded', { restBase: 'http://futures', socketBase: 'ws://futures' }, true],
    ['pairs alone elsewhere', undefined, false],
  ])('a member’s key is for %s', async (_, futures, contracts) => {
    const { http, trading } = scriptedConnector(futures);
    http.answer = ({ method }) =>
      okAnswer(method === 'GET' ? [] : { subaccountId: '700', apiKey: 'a', secretKey: 'b' });
    await trading.openMemberAccount(CREDENTIALS, 't-700');
    const { url = '', body } = http.requests.at(-1) ?? {};
    const asked = new URLSearchParams(body ?? url.split('?')[1]);
    expect([asked.get('canTrade'), asked.get('futuresTrade')]).toEqual(['true', contracts ? 'true' : null]);
  });

  test('open orders of many instruments are one call, of few one each', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => okAnswer([]);
    await trading.openOrders(CREDENTIALS, [BTCUSDT, BTCUSDT]);
    await trading.openOrders(
      CREDENTIALS,
      Array.from({ length: 14 }, () => BTCUSDT),
    );
    expect(http.requests.map((request) => request.url.includes('symbol='))).toEqual([true, true, false]);
  });
});

describe('cancelling and looking up', () => {
  const error = (status: number, code: number): HttpAnswer => ({
    status,
    headers: {},
    text: JSON.stringify({ code, msg: '' }),
  });
  const cancelled = {
    symbol: 'BTCUSDT',
    origClientOrderId: CLIENT_ID,
    clientOrderId: 'of-the-cancel',
    orderId: 4,
    status: 'CANCELED',
    executedQty: '0.1',
    cummulativeQuoteQty: '6500',
    transactTime: 5,
  };

  test("a cancel is told under the order's own id with what had executed", async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => okAnswer(cancelled);
    expect(await trading.cancel(CREDENTIALS, BTCUSDT, CLIENT_ID)).toMatchObject({
      outcome: 'cancelled',
      state: { clientId: CLIENT_ID, status: ORDER_STATUS.CANCELLED, cumulativeQuantity: amount('0.1') },
    });
    expect(http.requests[0]).toMatchObject({ method: 'DELETE' });
    expect(http.requests[0]?.url).toContain(`origClientOrderId=${CLIENT_ID}`);
  });

  const cancels: [string, HttpAnswer, string][] = [
    ['-2011', error(400, -2011), 'gone'],
    ['-1022', error(400, -1022), 'refused'],
    ['-1007', error(504, -1007), 'unknown'],
    ['-2011 behind a server error', error(500, -2011), 'unknown'],
    ["another order's cancel", okAnswer({ ...cancelled, origClientOrderId: 'else' }), 'unknown'],
    ['an unreadable answer', okAnswer({}), 'unknown'],
  ];
  test.each(cancels)('%s to a cancel is taken for what it proves', async (_name, answer, outcome) => {
    const { http, trading } = scriptedConnector();
    http.answer = () => answer;
    expect((await trading.cancel(CREDENTIALS, BTCUSDT, CLIENT_ID)).outcome).toBe(outcome);
  });

  const lookups: [string, HttpAnswer, string][] = [
    ['-2013', error(400, -2013), 'not-found'],
    ['-2013 behind a server error', error(503, -2013), 'unknown'],
    ['-2015', error(401, -2015), 'unknown'],
    ['another order', okAnswer({ ...cancelled, clientOrderId: 'else', updateTime: 5 }), 'unknown'],
    ['the order', okAnswer({ ...cancelled, clientOrderId: CLIENT_ID, updateTime: 5 }), 'found'],
  ];
  test.each(lookups)('%s to a lookup is taken for what it proves', async (_name, answer, outcome) => {
    const { http, trading } = scriptedConnector();
    http.answer = () => answer;
    expect((await trading.find(CREDENTIALS, BTCUSDT, CLIENT_ID)).outcome).toBe(outcome);
  });

  const ORDER = {
    ...{ clientId: CLIENT_ID, instrument: BTCUSDT, side: SIDE.BUY, type: ORDER_TYPE.LIMIT },
    ...{ timeInForce: TIME_IN_FORCE.GTC, price: amount('10'), quantity: amount('1') },
  };

  test('"too many new orders" holds up the account it speaks of and nobody else', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => ({ ...error(429, -1015), headers: { 'retry-after': '5' } });
    await trading.place(CREDENTIALS, ORDER);
    const written = http.requests.length;
    expect(await trading.place(CREDENTIALS, ORDER)).toMatchObject({
      ...{ outcome: 'refused', retryAfterMillis: expect.any(Number) },
    });
    expect(http.requests.length).toBe(written);
    http.answer = () => error(400, -2011);
    const other = { ...CREDENTIALS, apiKey: 'another-key' };
    expect(await trading.cancel(other, BTCUSDT, CLIENT_ID)).toEqual({ outcome: 'gone' });
    expect(http.requests.length).toBe(written + 1);
  });

  const heard: [string, Readonly<Record<string, string>>, number | undefined][] = [
    ['a count of ten seconds below the bound', { 'x-mbx-order-count-10s': '94' }, undefined],
    ['one at the bound', { 'x-mbx-order-count-10s': '95' }, 10_000],
    ['a count of a day below the bound', { 'x-mbx-order-count-1d': '199899' }, undefined],
    ['one at it', { 'x-mbx-order-count-1d': '199900' }, 86_400_000],
    ['what is no count', { 'x-mbx-order-count-10s': 'many', 'x-mbx-order-count-1d': '' }, undefined],
  ];
  test.each(heard)(
    "%s in the venue's headers is believed of that account",
    async (_name, headers, waitMax) => {
      const { http, trading } = scriptedConnector();
      http.answer = () => ({ ...error(400, -2010), headers });
      await trading.place(CREDENTIALS, ORDER);
      const written = http.requests.length;
      const next = await trading.place(CREDENTIALS, ORDER);
      const wait = 'retryAfterMillis' in next ? next.retryAfterMillis : undefined;
      expect([wait !== undefined, http.requests.length]).toEqual(
        waitMax === undefined ? [false, written + 1] : [true, written],
      );
      expect(wait ?? 0).toBeLessThanOrEqual(waitMax ?? 0);
      await trading.place({ ...CREDENTIALS, apiKey: 'another-key' }, ORDER);
      expect(http.requests.at(-1)?.headers).toMatchObject({ 'x-mbx-apikey': 'another-key' });
    },
  );

  test('the counts in an answer of the socket are believed as well', async () => {
    const { http, sockets, trading } = connectedConnector();
    const placed = trading.place(CREDENTIALS, ORDER);
    const frame = sockets.newest.lastRequest;
    const counts = { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 100, count: 99 };
    const refusal = { code: -2010, msg: 'no' };
    sockets.newest.say({ id: frame.id, status: 400, error: refusal, rateLimits: [counts] });
    expect((await placed).outcome).toBe('refused');
    const written = sockets.newest.heard.length;
    expect(await trading.place(CREDENTIALS, ORDER)).toMatchObject({ retryAfterMillis: expect.any(Number) });
    expect([sockets.newest.heard.length, http.requests.length]).toEqual([written, 0]);
  });

  const transfers: [string, HttpAnswer, string][] = [
    ['a good answer', okAnswer({ txnId: 9, clientTranId: 'm' }), 'done'],
    ['the answer of another transfer', okAnswer({ txnId: 9, clientTranId: 'n' }), 'unknown'],
    [
      'no funds',
      { ...error(400, -9000), text: '{"code":-9000,"msg":"user have no avaliable amount"}' },
      'refused',
    ],
    [
      'a repeated id',
      { ...error(400, -9000), text: '{"code":-9000,"msg":"clientTranId is duplicated"}' },
      'unknown',
    ],
    ['-1000', error(400, -1000), 'unknown'],
    ['the limiter', error(429, -1003), 'not-now'],
    ['a ban of the address', error(418, -1003), 'not-now'],
    ['a limiter behind a server error', error(503, -1003), 'unknown'],
  ];
  test.each(transfers)('%s to a transfer is taken for what it proves', async (_name, answer, outcome) => {
    const { http, trading } = scriptedConnector();
    http.answer = () => answer;
    const move = { clientId: 'm', to: '1', asset: 'USDT', amount: amount('1') };
    expect((await trading.transfer(CREDENTIALS, move)).outcome).toBe(outcome);
  });

  const finds: [string, object[], string][] = [
    ['SUCCESS', [{ clientTranId: 'm', txnId: '9', status: 'SUCCESS' }], 'found'],
    ['PROCESS', [{ clientTranId: 'm', txnId: '9', status: 'PROCESS' }], 'unknown'],
    ['FAILURE', [{ clientTranId: 'm', txnId: '9', status: 'FAILURE' }], 'not-found'],
    ['an empty list', [], 'not-found'],
    ['a list of others', [{ clientTranId: 'n', txnId: '9', status: 'SUCCESS' }], 'unknown'],
  ];
  test.each(finds)(
    '%s to a lookup of a transfer is taken for what it proves',
    async (_name, rows, outcome) => {
      const { http, trading } = scriptedConnector();
      http.answer = () => okAnswer(rows);
      expect((await trading.findTransfer(CREDENTIALS, 'm')).outcome).toBe(outcome);
    },
  );
});
