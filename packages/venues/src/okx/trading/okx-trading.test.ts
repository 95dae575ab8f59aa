import {
  amount,
  type Millis,
  ORDER_STATUS,
  ORDER_TYPE,
  SIDE,
  TIME_IN_FORCE,
  type VenueClientId,
} from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import type { HttpAnswer } from '../../transport.ts';
import type { VenueOrderWish } from '../../venue-trading.ts';
import { BTC_USDT, BTC_USDT_SWAP } from '../sample-instruments.fixture.ts';
import {
  CREDENTIALS,
  connectedConnector,
  lastFrame,
  okxAnswer,
  okxItemRefusal,
  okxRefusal,
  pathOf,
  scriptedConnector,
} from './scripted-connector.fixture.ts';

const CLIENT_ID = '0190f3a0c0de7abc8def000000000001' as VenueClientId;
const NOW = 1_770_000_000_000;
const WISH: VenueOrderWish = {
  clientId: CLIENT_ID,
  instrument: BTC_USDT,
  side: SIDE.BUY,
  type: ORDER_TYPE.LIMIT,
  timeInForce: TIME_IN_FORCE.IOC,
  price: amount('65000.1'),
  quantity: amount('0.02'),
};
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

describe('placing', () => {
  test("is written on the account's socket at once, with its deadline and the instrument's code", async () => {
    const { sockets, trading } = await connectedConnector();
    void trading.place(CREDENTIALS, WISH);
    expect(lastFrame(sockets)).toMatchObject({
      op: 'order',
      expTime: String(NOW + 5_000),
      args: [
        {
          instId: 'BTC-USDT',
          instIdCode: 7_001,
          tdMode: 'cash',
          side: 'buy',
          ordType: 'ioc',
          px: '65000.1',
          sz: '0.02',
          clOrdId: CLIENT_ID,
        },
      ],
    });
  });

  const shapes: [string, Partial<VenueOrderWish>, object, string[]][] = [
    ['post-only', { timeInForce: TIME_IN_FORCE.POST_ONLY }, { ordType: 'post_only' }, ['tgtCcy']],
    ['resting', { timeInForce: TIME_IN_FORCE.GTC }, { ordType: 'limit' }, ['tgtCcy']],
    ['all or nothing', { timeInForce: TIME_IN_FORCE.FOK }, { ordType: 'fok' }, ['tgtCcy']],
    [
      'market by quantity',
      { type: ORDER_TYPE.MARKET, side: SIDE.SELL },
      { ordType: 'market', side: 'sell', sz: '0.02', tgtCcy: 'base_ccy' },
      ['px'],
    ],
  ];
  test.each(shapes)('%s is written as the venue wants it', async (_name, part, expected, absent) => {
    const { sockets, trading } = await connectedConnector();
    void trading.place(CREDENTIALS, { ...WISH, ...part });
    const [parameters] = lastFrame(sockets).args;
    expect(parameters).toMatchObject(expected);
    for (const name of absent) expect(parameters).not.toHaveProperty(name);
  });

  test('a market buy by amount counts quote', async () => {
    const { sockets, trading } = await connectedConnector();
    const { price: _price, quantity: _quantity, ...rest } = WISH;
    void trading.place(CREDENTIALS, { ...rest, type: ORDER_TYPE.MARKET, quoteQuantity: amount('100') });
    expect(lastFrame(sockets).args[0]).toMatchObject({ ordType: 'market', sz: '100', tgtCcy: 'quote_ccy' });
  });

  test('what is no spot order is refused unsent', async () => {
    const { sockets, http, trading } = await connectedConnector();
    const before = sockets.newest.heard.length;
    expect(await trading.place(CREDENTIALS, { ...WISH, instrument: BTC_USDT_SWAP })).toMatchObject({
      outcome: 'refused',
      venueCode: 'LOCAL_NOT_EXPRESSIBLE',
    });
    expect([sockets.newest.heard.length, http.requests.length]).toEqual([before, 0]);
  });

  test('an acknowledged order is open and has executed nothing as far as anybody was told', async () => {
    const { sockets, trading } = await connectedConnector();
    const outcome = trading.place(CREDENTIALS, WISH);
    const { id } = lastFrame(sockets);
    sockets.newest.say({ id, op: 'order', code: '0', msg: '', data: [ACK], inTime: '1', outTime: '2' });
    expect(await outcome).toEqual({
      outcome: 'accepted',
      fills: [],
      state: {
        clientId: CLIENT_ID,
        venueOrderId: '312269865356374016',
        symbol: 'BTC-USDT',
        status: ORDER_STATUS.OPEN,
        cumulativeQuantity: 0n,
        cumulativeQuote: 0n,
        time: NOW + 3,
      },
    });
  });

  type Connected = Awaited<ReturnType<typeof connectedConnector>>;
  const say = ({ sockets }: Connected, frame: object): void =>
    sockets.newest.say({ id: lastFrame(sockets).id, op: 'order', msg: '', ...frame });
  const unclear: [string, (all: Connected) => void][] = [
    ['no answer in time', ({ time }) => time.advance(10_000)],
    ['a connection lost before the answer', ({ sockets }) => sockets.newest.drop()],
    ['an answer without code', (all) => say(all, { data: [ACK] })],
    ['a time-out of the venue', (all) => say(all, { code: '50004', data: [] })],
    ['a busy venue', (all) => say(all, { code: '50013', data: [] })],
    ['an unknown item code', (all) => say(all, { code: '1', data: [{ sCode: '57777', sMsg: '' }] })],
    ['a duplicate id', (all) => say(all, { code: '1', data: [{ sCode: '51016', sMsg: '' }] })],
    ['an answer about another order', (all) => say(all, { code: '0', data: [{ ...ACK, clOrdId: 'else' }] })],
    ['an answer about two orders', (all) => say(all, { code: '0', data: [ACK, ACK] })],
    ['an answer without an order id', (all) => say(all, { code: '0', data: [{ ...ACK, ordId: '' }] })],
    ['a contradictory answer', (all) => say(all, { code: '1', data: [ACK] })],
  ];
  test.each(unclear)(
    '%s is unknown with the moment its fence closes, and is never sent again',
    async (_name, happen) => {
      const all = await connectedConnector();
      const promise = all.trading.place(CREDENTIALS, WISH);
      happen(all);
      // Clock never measured here: a minute of margin on top of the window.
      expect(await promise).toMatchObject({ outcome: 'unknown', fenceClosesAt: NOW + 5_000 + 60_000 });
      all.time.advance(600_000);
      const placings = all.sockets.peers
        .flatMap((peer) => peer.heard)
        .filter((text) => text.includes('"order"'));
      expect([placings.length, all.http.requests.length]).toEqual([1, 0]);
    },
  );

  test('a socket that fails while writing may have sent it: unknown, not repeated by REST', async () => {
    const { sockets, http, trading } = await connectedConnector();
    sockets.newest.failWrites = true;
    expect(await trading.place(CREDENTIALS, WISH)).toMatchObject({ outcome: 'unknown' });
    expect(http.requests).toEqual([]);
  });

  test('a refusal of the socket itself is taken by its code', async () => {
    const { sockets, trading } = await connectedConnector();
    const outcome = trading.place(CREDENTIALS, WISH);
    sockets.newest.say({
      id: lastFrame(sockets).id,
      event: 'error',
      code: '60014',
      msg: 'Requests too frequent',
    });
    expect(await outcome).toMatchObject({ outcome: 'refused', venueCode: '60014' });
    expect(await trading.place(CREDENTIALS, WISH)).toMatchObject({ venueCode: 'LOCAL_RATE_LIMITED' });
  });

  const elsewhere: [string, () => Promise<ReturnType<typeof scriptedConnector>>][] = [
    ['without an open socket', async () => scriptedConnector()],
    [
      'for an instrument whose code is not known',
      async () => {
        const all = scriptedConnector();
        all.trading.userStream({ ...CREDENTIALS, apiKey: 'other' }, {} as never);
        return all;
      },
    ],
  ];
  test.each(elsewhere)('%s it goes by REST, once, signed, the secrets in no body', async (_name, connect) => {
    const { http, trading } = await connect();
    http.answer = () => okxAnswer(ACK);
    expect(await trading.place(CREDENTIALS, WISH)).toMatchObject({ outcome: 'accepted' });
    expect(http.requests.length).toBe(1);
    const [request] = http.requests;
    expect(request).toMatchObject({
      method: 'POST',
      url: 'http://venue/api/v5/trade/order',
      headers: {
        'ok-access-key': 'the-api-key',
        'ok-access-passphrase': 'the-passphrase',
        'ok-access-timestamp': '2026-02-02T02:40:00.000Z',
        exptime: String(NOW + 5_000),
      },
    });
    expect(JSON.parse(request?.body ?? '')).not.toHaveProperty('instIdCode');
    expect(request?.body).not.toMatch(/the-secret|the-passphrase/);
  });

  const failures: [string, () => HttpAnswer, string][] = [
    [
      'a reset',
      () => {
        throw new Error('fetch failed the-secret the-passphrase');
      },
      'unknown',
    ],
    ['a page of a proxy', () => ({ status: 200, headers: {}, text: '<html>' }), 'unknown'],
    ['a server error', () => okxRefusal('51008', 500), 'unknown'],
    ['a definitive item code', () => okxItemRefusal('51008'), 'refused'],
    ['the same under code 0', () => okxItemRefusal('51008', '0'), 'refused'],
    ['an expired request', () => okxItemRefusal('50037'), 'refused'],
    ['the firewall', () => ({ status: 403, headers: {}, text: '<html>' }), 'refused'],
  ];
  test.each(failures)(
    '%s by REST is told as it should be, without a secret in it',
    async (_name, answer, expected) => {
      const { http, trading } = scriptedConnector();
      http.answer = answer;
      const outcome = await trading.place(CREDENTIALS, WISH);
      expect(outcome.outcome).toBe(expected);
      expect(JSON.stringify(outcome)).not.toMatch(/the-secret|the-api-key|the-passphrase/);
      expect(http.requests.length).toBe(1);
    },
  );

  test("the limiter's word ends orders of that account for two seconds, and of no other", async () => {
    const { http, time, trading } = scriptedConnector();
    http.answer = () => okxRefusal('50011', 429);
    expect(await trading.place(CREDENTIALS, WISH)).toMatchObject({ outcome: 'refused', venueCode: '50011' });
    expect(await trading.place(CREDENTIALS, WISH)).toMatchObject({ venueCode: 'LOCAL_RATE_LIMITED' });
    http.answer = () => okxAnswer(ACK);
    expect(await trading.place({ ...CREDENTIALS, apiKey: 'b' }, WISH)).toMatchObject({ outcome: 'accepted' });
    time.advance(2_000);
    expect(await trading.place(CREDENTIALS, WISH)).toMatchObject({ outcome: 'accepted' });
  });

  test('more orders of one account than the venue takes in two seconds are refused here', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => okxAnswer(ACK);
    const outcomes = await Promise.all(Array.from({ length: 62 }, () => trading.place(CREDENTIALS, WISH)));
    expect(outcomes.filter((one) => one.outcome === 'refused').length).toBe(2);
    expect(http.requests.length).toBe(60);
  });

  test('a closed connector sends nothing', async () => {
    const { http, trading } = await connectedConnector();
    trading.close();
    expect(await trading.place(CREDENTIALS, WISH)).toMatchObject({ venueCode: 'LOCAL_CLOSED' });
    expect(http.requests.length).toBe(0);
  });
});

describe('cancelling', () => {
  const acked = (order: object) => (request: { readonly method: string }) =>
    request.method === 'POST' ? okxAnswer(ACK) : okxAnswer({ ...ORDER, ...order });

  test('goes over the socket; a good answer is proved by a look at the order', async () => {
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

describe('reading', () => {
  const looks: [string, HttpAnswer, string][] = [
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
  test.each(looks)('%s to a look-up is taken for what it proves', async (_name, answer, outcome) => {
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

  test('balances are what is available and what is frozen; an empty figure is malformed', async () => {
    const { http, trading } = scriptedConnector();
    const detail = { ccy: 'USDT', availBal: '94.42612990333333', frozenBal: '5.468566666666667', eq: '99.9' };
    http.answer = () => okxAnswer({ uTime: '1', details: [detail] });
    expect(await trading.balances(CREDENTIALS)).toEqual({
      ok: true,
      value: [{ asset: 'USDT', free: amount('94.42612990333333'), locked: amount('5.468566666666667') }],
    });
    http.answer = () => okxAnswer({ uTime: '1', details: [{ ...detail, availBal: '' }] });
    expect(await trading.balances(CREDENTIALS)).toEqual({ ok: false, code: 'malformed' });
  });
});

test('whatever a hostile venue answers, an order is accepted only under our id and with nothing executed', async () => {
  const damaged = fc.record(
    {
      ordId: fc.oneof(fc.constant('77'), fc.double(), fc.string()),
      clOrdId: fc.constantFrom(CLIENT_ID, 'else', 7),
      sCode: fc.constantFrom('0', '51008', '57777', '', 0, null),
      ts: fc.oneof(fc.constant('1'), fc.jsonValue()),
      accFillSz: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const codes = fc.constantFrom('0', '1', '2', '50004', '', 0);
  await fc.assert(
    fc.asyncProperty(damaged, codes, fc.nat(2), async (part, code, copies) => {
      const { http, trading } = scriptedConnector();
      const data = Array.from({ length: copies }, () => ({ ...ACK, ...part }));
      http.answer = () => ({ status: 200, headers: {}, text: JSON.stringify({ code, msg: '', data }) });
      const outcome = await trading.place(CREDENTIALS, WISH);
      trading.close();
      if (outcome.outcome === 'refused') expect(outcome.venueCode).toBe('51008');
      if (outcome.outcome !== 'accepted') return;
      expect([copies, code]).toEqual([1, '0']);
      expect(outcome).toMatchObject({ fills: [], state: { clientId: CLIENT_ID, cumulativeQuantity: 0n } });
    }),
    { numRuns: runs(1_000) },
  );
});
