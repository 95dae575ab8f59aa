import { amount, ORDER_STATUS, ORDER_TYPE, SIDE, TIME_IN_FORCE } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import type { HttpAnswer } from '../../transport.ts';
import type { SendOutcome, VenueOrderRequest } from '../../venue-orders.ts';
import {
  CLIENT_ID,
  CREDENTIALS,
  connectedConnector,
  errorResult,
  lastRequest,
  okResult,
  REQUEST,
  scriptedConnector,
} from './scripted-connector.fixture.ts';

const PLACED = { orderId: '1726025498520715008', orderLinkId: CLIENT_ID };
type Connected = Awaited<ReturnType<typeof connectedConnector>>;

describe('placing by REST', () => {
  test("the first order of an account goes by REST, once, signed, and opens the account's trade socket", async () => {
    const { http, sockets, trading } = scriptedConnector();
    http.answer = () => okResult(PLACED);
    expect(await trading.place(CREDENTIALS, REQUEST)).toEqual({
      outcome: 'accepted',
      fills: [],
      receiptOnly: true,
      state: {
        clientId: CLIENT_ID,
        venueOrderId: PLACED.orderId,
        symbol: 'BTCUSDT',
        status: ORDER_STATUS.OPEN,
        cumulativeQuantity: 0n,
        cumulativeQuote: 0n,
        time: 1_770_000_000_000,
      },
    });
    expect(http.requests.length).toBe(1);
    const [request] = http.requests;
    expect(request).toMatchObject({
      method: 'POST',
      url: 'http://venue/v5/order/create',
      headers: {
        'x-bapi-api-key': 'the-api-key',
        'x-bapi-timestamp': '1770000000000',
        'x-bapi-recv-window': '5000',
        'content-type': 'application/json',
      },
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      category: 'spot',
      symbol: 'BTCUSDT',
      side: 'Buy',
      orderType: 'Limit',
      qty: '0.02',
      price: '65000.1',
      timeInForce: 'IOC',
      orderLinkId: CLIENT_ID,
      orderFilter: 'Order',
      isLeverage: 0,
    });
    expect(sockets.peers.map((peer) => peer.url)).toEqual(['ws://venue/v5/trade']);
  });

  const shapes: [string, Partial<VenueOrderRequest>, object, string[]][] = [
    ['post-only', { timeInForce: TIME_IN_FORCE.POST_ONLY }, { timeInForce: 'PostOnly' }, ['marketUnit']],
    ['fill or kill', { timeInForce: TIME_IN_FORCE.FOK }, { timeInForce: 'FOK' }, []],
    [
      'market sale by quantity',
      { type: ORDER_TYPE.MARKET, side: SIDE.SELL },
      { orderType: 'Market', side: 'Sell', qty: '0.02', marketUnit: 'baseCoin' },
      ['price', 'timeInForce'],
    ],
  ];
  test.each(shapes)('%s is written as the venue wants it', async (_name, part, expected, absent) => {
    const { http, trading } = scriptedConnector();
    http.answer = () => okResult(PLACED);
    await trading.place(CREDENTIALS, { ...REQUEST, ...part });
    const body = JSON.parse(http.requests[0]?.body ?? '') as object;
    expect(body).toMatchObject(expected);
    for (const name of absent) expect(body).not.toHaveProperty(name);
  });

  test('a market buy by quote says that its quantity is quote', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => okResult(PLACED);
    const { price: _price, quantity: _quantity, ...rest } = REQUEST;
    await trading.place(CREDENTIALS, { ...rest, type: ORDER_TYPE.MARKET, quoteQuantity: amount('100.5') });
    expect(JSON.parse(http.requests[0]?.body ?? '')).toMatchObject({ qty: '100.5', marketUnit: 'quoteCoin' });
  });

  const failures: [string, () => HttpAnswer, SendOutcome['outcome']][] = [
    [
      'a reset',
      () => {
        throw new Error('fetch failed the-secret x-bapi-sign: abc');
      },
      'unknown',
    ],
    ['a page of a proxy', () => ({ status: 200, headers: {}, text: '<html>' }), 'unknown'],
    ['a server error', () => ({ ...errorResult(170_131, 'x'), status: 500 }), 'unknown'],
    ['success behind another status', () => ({ ...okResult(PLACED), status: 302 }), 'unknown'],
    ['a definitive code', () => errorResult(170_131, 'Insufficient balance.'), 'refused'],
    ['the limiter', () => ({ status: 403, headers: {}, text: '<html>' }), 'refused'],
    ['another order', () => okResult({ ...PLACED, orderLinkId: 'else' }), 'unknown'],
    ['no order', () => okResult({}), 'unknown'],
  ];
  test.each(failures)(
    '%s is told as it should be, once, without a secret in it',
    async (_name, answer, expected) => {
      const { http, time, trading } = scriptedConnector();
      http.answer = answer;
      const outcome = await trading.place(CREDENTIALS, REQUEST);
      expect(outcome.outcome).toBe(expected);
      expect(JSON.stringify(outcome)).not.toMatch(/the-secret|the-api-key|bapi/);
      time.advance(600_000);
      expect(http.requests.length).toBe(1);
    },
  );

  test('an order that cannot be expressed is refused here', async () => {
    const { http, trading } = scriptedConnector();
    const { price: _price, ...noPrice } = REQUEST;
    expect(await trading.place(CREDENTIALS, noPrice)).toMatchObject({
      outcome: 'refused',
      venueCode: 'LOCAL_NOT_EXPRESSIBLE',
    });
    expect(http.requests).toEqual([]);
  });
});

describe('placing by the trade socket', () => {
  test('is written at once, before anything is awaited', async () => {
    const { sockets, http, trading } = await connectedConnector();
    void trading.place(CREDENTIALS, REQUEST);
    expect(lastRequest(sockets)).toMatchObject({
      op: 'order.create',
      header: { 'X-BAPI-TIMESTAMP': '1770000000000', 'X-BAPI-RECV-WINDOW': '5000' },
      args: [{ category: 'spot', symbol: 'BTCUSDT', orderLinkId: CLIENT_ID }],
    });
    expect(http.requests).toEqual([]);
  });

  const answer = ({ sockets }: Connected, frame: object): void =>
    sockets.newest.say({ reqId: lastRequest(sockets).reqId, op: 'order.create', ...frame });

  test('an acknowledgement is accepted, a definitive code refused', async () => {
    const all = await connectedConnector();
    const placed = all.trading.place(CREDENTIALS, REQUEST);
    answer(all, { retCode: 0, retMsg: 'OK', data: PLACED, header: {}, connId: 'c' });
    expect(await placed).toMatchObject({ outcome: 'accepted', state: { venueOrderId: PLACED.orderId } });
    const refused = all.trading.place(CREDENTIALS, REQUEST);
    answer(all, { retCode: 170_131, retMsg: 'Insufficient balance.', data: {} });
    expect(await refused).toEqual({
      outcome: 'refused',
      venueCode: '170131',
      message: 'Insufficient balance.',
    });
  });

  const unclear: [string, (all: Connected) => void][] = [
    ['no answer in time', ({ time }) => time.advance(10_000)],
    ['a connection lost before the answer', ({ sockets }) => sockets.newest.drop()],
    ['an answer without code', (all) => answer(all, { data: PLACED })],
    ['10000', (all) => answer(all, { retCode: 10_000, retMsg: 'Server Timeout' })],
    ['10016', (all) => answer(all, { retCode: 10_016, retMsg: 'Internal System Error.' })],
    ['10019', (all) => answer(all, { retCode: 10_019, retMsg: 'restarting' })],
    ['20006', (all) => answer(all, { retCode: 20_006, retMsg: 'reqId is duplicated' })],
    ['an unknown code', (all) => answer(all, { retCode: 77, retMsg: '' })],
    ['a duplicate id', (all) => answer(all, { retCode: 170_141, retMsg: 'Duplicate clientOrderId' })],
    [
      'an answer about another order',
      (all) => answer(all, { retCode: 0, data: { ...PLACED, orderLinkId: 'else' } }),
    ],
    ['an answer without order', (all) => answer(all, { retCode: 0, data: [] })],
  ];
  test.each(unclear)(
    '%s is unknown with the moment its deadline passes, and is never sent again',
    async (_name, happen) => {
      const all = await connectedConnector();
      const promise = all.trading.place(CREDENTIALS, REQUEST);
      happen(all);
      // Clock never measured here: a minute of margin on top of the receive window.
      expect(await promise).toMatchObject({
        outcome: 'unknown',
        deadlineAt: 1_770_000_000_000 + 5_000 + 60_000,
      });
      all.time.advance(600_000);
      const placings = all.sockets.peers
        .flatMap((peer) => peer.heard)
        .filter((text) => text.includes('order.create'));
      expect([placings.length, all.http.requests]).toEqual([1, []]);
    },
  );

  test('a socket that fails while writing may have sent it: unknown, not repeated by REST', async () => {
    const { sockets, http, trading } = await connectedConnector();
    sockets.newest.failWrites = true;
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({ outcome: 'unknown' });
    expect(http.requests).toEqual([]);
  });

  test('a socket belongs to one account: the order of another goes by REST under its own key', async () => {
    const { sockets, http, trading } = await connectedConnector();
    const heard = sockets.newest.heard.length;
    http.answer = () => okResult(PLACED);
    await trading.place({ apiKey: 'other', secret: 's' }, REQUEST);
    expect(http.requests.map((request) => request.headers['x-bapi-api-key'])).toEqual(['other']);
    expect([sockets.peers.length, sockets.peers[0]?.heard.length]).toEqual([2, heard]);
  });

  test('a log-on that is refused is tried again with growing delays, and orders go by REST meanwhile', async () => {
    const { sockets, http, time, trading } = scriptedConnector();
    http.answer = () => okResult(PLACED);
    await trading.place(CREDENTIALS, REQUEST);
    sockets.newest.open();
    sockets.newest.say({ retCode: 10_004, retMsg: 'error sign', op: 'auth' });
    await trading.place(CREDENTIALS, REQUEST);
    expect([http.requests.length, sockets.newest.closedByClient]).toEqual([2, true]);
    time.advance(250);
    expect(sockets.peers.length).toBe(2);
  });

  test('an account that has not traded for ten minutes gives its socket back, and gets a new one', async () => {
    const { sockets, http, time, trading } = await connectedConnector();
    // Kept alive by pongs until then.
    for (let minute = 0; minute < 44; minute += 1) {
      time.advance(15_000);
      sockets.newest.say({ retCode: 0, op: 'pong', data: ['1'], connId: 'c' });
    }
    time.advance(60_000);
    expect(sockets.newest.closedByClient).toBe(true);
    const peers = sockets.peers.length;
    http.answer = () => okResult(PLACED);
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({ outcome: 'accepted' });
    expect([http.requests.length, sockets.peers.length]).toEqual([1, peers + 1]);
  });
});

describe('limits', () => {
  test('twenty orders of an account in a second; the next ones wait for a moment, and too many are refused unsent', async () => {
    const { http, time, trading } = scriptedConnector();
    http.answer = () => okResult(PLACED);
    const outcomes = Array.from({ length: 37 }, () => trading.place(CREDENTIALS, REQUEST));
    expect(http.requests.length).toBe(20);
    expect(await outcomes[36]).toMatchObject({
      outcome: 'refused',
      venueCode: 'LOCAL_RATE_LIMITED',
      retryAfterMillis: 1_000,
    });
    expect(await trading.place({ apiKey: 'other', secret: 's' }, REQUEST)).toMatchObject({
      outcome: 'accepted',
    });
    time.advance(1_000);
    const reported = await Promise.all(outcomes);
    expect(reported.filter((one) => one.outcome === 'accepted').length).toBe(36);
  });

  test('"too many visits" stops the account until the moment that the venue names', async () => {
    const { http, time, trading } = scriptedConnector();
    const headers = {
      'x-bapi-limit-status': '0',
      'x-bapi-limit-reset-timestamp': String(1_770_000_003_000),
    };
    http.answer = () => ({ ...errorResult(10_006, 'Too many visits!'), headers });
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({
      outcome: 'refused',
      venueCode: '10006',
    });
    time.advance(1_999);
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({
      venueCode: 'LOCAL_RATE_LIMITED',
      retryAfterMillis: 1_001,
    });
    time.advance(1);
    http.answer = () => okResult(PLACED);
    const waiting = trading.place(CREDENTIALS, REQUEST);
    expect(http.requests.length).toBe(1);
    time.advance(1_000);
    expect(await waiting).toMatchObject({ outcome: 'accepted' });
  });

  test("the venue's own count of what is left is believed", async () => {
    const { http, time, trading } = scriptedConnector();
    http.answer = () => ({ ...okResult(PLACED), headers: { 'x-bapi-limit-status': '1' } });
    await trading.place(CREDENTIALS, REQUEST);
    http.answer = () => okResult(PLACED);
    await trading.place(CREDENTIALS, REQUEST);
    const third = trading.place(CREDENTIALS, REQUEST);
    expect(http.requests.length).toBe(2);
    time.advance(1_000);
    expect(await third).toMatchObject({ outcome: 'accepted' });
  });

  test('after a 403 nothing is sent by REST for ten minutes', async () => {
    const { http, time, trading } = scriptedConnector();
    http.answer = () => ({ status: 403, headers: {}, text: 'access too frequent' });
    await trading.balances(CREDENTIALS);
    time.advance(594_999);
    expect(await trading.balances({ apiKey: 'other', secret: 's' })).toMatchObject({
      ok: false,
      code: 'refused',
    });
    expect(http.requests.length).toBe(1);
    time.advance(5_001);
    await trading.balances(CREDENTIALS);
    expect(http.requests.length).toBe(2);
  });

  test('a closed connector sends nothing', async () => {
    const { http, sockets, trading } = await connectedConnector();
    trading.close();
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({
      outcome: 'refused',
      venueCode: 'LOCAL_CLOSED',
    });
    expect([http.requests.length, sockets.newest.heard.length]).toEqual([0, 0]);
  });
});

test('whatever a hostile venue answers, only an acknowledgement of this very order is accepted', async () => {
  const damaged = fc.record(
    {
      retCode: fc.oneof(fc.constantFrom(0, 170_131, 10_000), fc.jsonValue()),
      retMsg: fc.oneof(fc.constantFrom('OK', 'duplicate'), fc.jsonValue()),
      result: fc.oneof(
        fc.record({
          orderId: fc.oneof(fc.constant('77'), fc.jsonValue()),
          orderLinkId: fc.constantFrom(CLIENT_ID, 'else', 7),
        }),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(damaged, async (body) => {
      const { http, trading } = scriptedConnector();
      const text = JSON.stringify(body);
      http.answer = () => ({ status: 200, headers: {}, text });
      const outcome = await trading.place(CREDENTIALS, REQUEST);
      trading.close();
      // As it was sent: a 0 below 0 is none there.
      const reported = JSON.parse(text) as {
        retCode?: unknown;
        result?: { orderId?: unknown; orderLinkId?: unknown };
      };
      if (outcome.outcome === 'accepted') {
        expect([reported.retCode, reported.result?.orderLinkId]).toEqual([0, CLIENT_ID]);
        expect(typeof reported.result?.orderId).toBe('string');
      } else if (outcome.outcome === 'refused') expect(reported.retCode).not.toBe(0);
    }),
    { numRuns: runs(1_000) },
  );
});
