import { amount, ORDER_STATUS, ORDER_TYPE, SIDE, TIME_IN_FORCE, type VenueClientId } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import type { HttpAnswer } from '../../transport.ts';
import type { VenueOrderRequest } from '../../venue-orders.ts';
import { BTC_USDT, BTC_USDT_SWAP } from '../market/sample-instruments.fixture.ts';
import {
  CREDENTIALS,
  connectedConnector,
  lastFrame,
  okxAnswer,
  okxItemRefusal,
  okxRefusal,
  scriptedConnector,
} from './scripted-connector.fixture.ts';

const CLIENT_ID = '0190f3a0c0de7abc8def000000000001' as VenueClientId;
const NOW = 1_770_000_000_000;
const REQUEST: VenueOrderRequest = {
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

describe('placing', () => {
  test("is written on the account's socket at once, with its deadline and the instrument's code", async () => {
    const { sockets, trading } = await connectedConnector();
    void trading.place(CREDENTIALS, REQUEST);
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

  const shapes: [string, Partial<VenueOrderRequest>, object, string[]][] = [
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
    void trading.place(CREDENTIALS, { ...REQUEST, ...part });
    const [parameters] = lastFrame(sockets).args;
    expect(parameters).toMatchObject(expected);
    for (const name of absent) expect(parameters).not.toHaveProperty(name);
  });

  test('a market buy by amount counts quote', async () => {
    const { sockets, trading } = await connectedConnector();
    const { price: _price, quantity: _quantity, ...rest } = REQUEST;
    void trading.place(CREDENTIALS, { ...rest, type: ORDER_TYPE.MARKET, quoteQuantity: amount('100') });
    expect(lastFrame(sockets).args[0]).toMatchObject({ ordType: 'market', sz: '100', tgtCcy: 'quote_ccy' });
  });

  test('what is no spot order is refused unsent', async () => {
    const { sockets, http, trading } = await connectedConnector();
    const before = sockets.newest.heard.length;
    expect(await trading.place(CREDENTIALS, { ...REQUEST, instrument: BTC_USDT_SWAP })).toMatchObject({
      outcome: 'refused',
      venueCode: 'LOCAL_NOT_EXPRESSIBLE',
    });
    expect([sockets.newest.heard.length, http.requests.length]).toEqual([before, 0]);
  });

  test('an acknowledged order is open and has executed nothing as far as anybody was told', async () => {
    const { sockets, trading } = await connectedConnector();
    const outcome = trading.place(CREDENTIALS, REQUEST);
    const { id } = lastFrame(sockets);
    sockets.newest.say({ id, op: 'order', code: '0', msg: '', data: [ACK], inTime: '1', outTime: '2' });
    expect(await outcome).toEqual({
      outcome: 'accepted',
      fills: [],
      receiptOnly: true,
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
    '%s is unknown with the moment its deadline passes, and is never sent again',
    async (_name, happen) => {
      const all = await connectedConnector();
      const promise = all.trading.place(CREDENTIALS, REQUEST);
      happen(all);
      // Clock never measured here: a minute of margin on top of the window.
      expect(await promise).toMatchObject({ outcome: 'unknown', deadlineAt: NOW + 5_000 + 60_000 });
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
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({ outcome: 'unknown' });
    expect(http.requests).toEqual([]);
  });

  test('a refusal of the socket itself is taken by its code', async () => {
    const { sockets, trading } = await connectedConnector();
    const outcome = trading.place(CREDENTIALS, REQUEST);
    sockets.newest.say({
      id: lastFrame(sockets).id,
      event: 'error',
      code: '60014',
      msg: 'Requests too frequent',
    });
    expect(await outcome).toMatchObject({ outcome: 'refused', venueCode: '60014' });
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({ venueCode: 'LOCAL_RATE_LIMITED' });
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
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({ outcome: 'accepted' });
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
      const outcome = await trading.place(CREDENTIALS, REQUEST);
      expect(outcome.outcome).toBe(expected);
      expect(JSON.stringify(outcome)).not.toMatch(/the-secret|the-api-key|the-passphrase/);
      expect(http.requests.length).toBe(1);
    },
  );

  test("the limiter's word ends orders of that account for two seconds, and of no other", async () => {
    const { http, time, trading } = scriptedConnector();
    http.answer = () => okxRefusal('50011', 429);
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({
      outcome: 'refused',
      venueCode: '50011',
    });
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({ venueCode: 'LOCAL_RATE_LIMITED' });
    http.answer = () => okxAnswer(ACK);
    expect(await trading.place({ ...CREDENTIALS, apiKey: 'b' }, REQUEST)).toMatchObject({
      outcome: 'accepted',
    });
    time.advance(2_000);
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({ outcome: 'accepted' });
  });

  test('more orders of one account than the venue takes in two seconds are refused here', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => okxAnswer(ACK);
    const outcomes = await Promise.all(Array.from({ length: 62 }, () => trading.place(CREDENTIALS, REQUEST)));
    expect(outcomes.filter((one) => one.outcome === 'refused').length).toBe(2);
    expect(http.requests.length).toBe(60);
  });

  test('a closed connector sends nothing', async () => {
    const { http, trading } = await connectedConnector();
    trading.close();
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({ venueCode: 'LOCAL_CLOSED' });
    expect(http.requests.length).toBe(0);
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
      const outcome = await trading.place(CREDENTIALS, REQUEST);
      trading.close();
      if (outcome.outcome === 'refused') expect(outcome.venueCode).toBe('51008');
      if (outcome.outcome !== 'accepted') return;
      expect([copies, code]).toEqual([1, '0']);
      expect(outcome).toMatchObject({ fills: [], state: { clientId: CLIENT_ID, cumulativeQuantity: 0n } });
    }),
    { numRuns: runs(1_000) },
  );
});
