import { amount, ORDER_STATUS, ORDER_TYPE, SIDE, TIME_IN_FORCE, type VenueClientId } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BTCUSDT, BTCUSDT_PERP } from '../../conformance/sample-instruments.ts';
import { okAnswer } from '../../trading/scripted-transport.fixture.ts';
import type { HttpAnswer } from '../../transport.ts';
import type { SendOutcome, VenueOrderRequest } from '../../venue-orders.ts';
import { connectedConnector, scriptedConnector } from './scripted-connector.fixture.ts';

const CREDENTIALS = { apiKey: 'the-api-key', secret: 'the-secret' };
const CLIENT_ID = '0190f3a0c0de7abc8def000000000001' as VenueClientId;
const REQUEST: VenueOrderRequest = {
  clientId: CLIENT_ID,
  instrument: BTCUSDT,
  side: SIDE.BUY,
  type: ORDER_TYPE.LIMIT,
  timeInForce: TIME_IN_FORCE.IOC,
  price: amount('65000.1'),
  quantity: amount('0.02'),
};
const PLACED = {
  symbol: 'BTCUSDT',
  orderId: 77,
  orderListId: -1,
  clientOrderId: CLIENT_ID,
  transactTime: 1_770_000_000_001,
  price: '65000.10000000',
  origQty: '0.02000000',
  executedQty: '0.01500000',
  cummulativeQuoteQty: '975.00050000',
  status: 'EXPIRED',
  fills: [
    {
      price: '65000.00000000',
      qty: '0.01000000',
      commission: '0.00001000',
      commissionAsset: 'BTC',
      tradeId: 5,
    },
    {
      price: '65000.10000000',
      qty: '0.00500000',
      commission: '0.00000500',
      commissionAsset: 'BTC',
      tradeId: 6,
    },
  ],
};

describe('placing', () => {
  test('is written at once, before anything is awaited, with every parameter signed', () => {
    const { sockets, trading } = connectedConnector();
    void trading.place(CREDENTIALS, REQUEST);
    expect(sockets.newest.lastRequest).toMatchObject({
      method: 'order.place',
      params: {
        symbol: 'BTCUSDT',
        side: 'BUY',
        type: 'LIMIT',
        timeInForce: 'IOC',
        price: '65000.1',
        quantity: '0.02',
        newClientOrderId: CLIENT_ID,
        newOrderRespType: 'FULL',
        recvWindow: 5_000,
        timestamp: 1_770_000_000_000,
        apiKey: 'the-api-key',
      },
    });
    expect(String(sockets.newest.lastRequest.params.signature)).toMatch(/^[0-9a-f]{64}$/);
  });

  const shapes: [string, Partial<VenueOrderRequest>, object, string[]][] = [
    ['post-only', { timeInForce: TIME_IN_FORCE.POST_ONLY }, { type: 'LIMIT_MAKER' }, ['timeInForce']],
    ['an iceberg', { visible: amount('0.004') }, { icebergQty: '0.004', quantity: '0.02' }, []],
    [
      'market by quantity',
      { type: ORDER_TYPE.MARKET, side: SIDE.SELL },
      { type: 'MARKET', side: 'SELL', quantity: '0.02' },
      ['price', 'timeInForce', 'quoteOrderQty'],
    ],
  ];
  test.each(shapes)('%s is written as the venue wants it', (_name, part, expected, absent) => {
    const { sockets, trading } = connectedConnector();
    void trading.place(CREDENTIALS, { ...REQUEST, ...part });
    const { params } = sockets.newest.lastRequest;
    expect(params).toMatchObject(expected);
    for (const name of absent) expect(params).not.toHaveProperty(name);
  });

  test('a partly executed IOC is accepted as cancelled with its fills, quote amounts exact', async () => {
    const { sockets, trading } = connectedConnector();
    const outcome = trading.place(CREDENTIALS, REQUEST);
    sockets.newest.say({ id: sockets.newest.lastRequest.id, status: 200, result: PLACED });
    expect(await outcome).toMatchObject({
      outcome: 'accepted',
      state: { status: ORDER_STATUS.CANCELLED, cumulativeQuantity: amount('0.015'), venueOrderId: '77' },
      fills: [
        { tradeId: '5', quoteQuantity: amount('650'), maker: false },
        { tradeId: '6', quoteQuantity: amount('325.0005'), feeAsset: 'BTC', fee: amount('0.000005') },
      ],
    });
  });

  const unclear: [string, (peer: ReturnType<typeof connectedConnector>) => void][] = [
    ['no answer in time', ({ time }) => time.advance(10_000)],
    ['a connection lost before the answer', ({ sockets }) => sockets.newest.drop()],
    ['an answer without status', ({ sockets }) => sockets.newest.say({ id: sockets.newest.lastRequest.id })],
    [
      '-1007',
      ({ sockets }) =>
        sockets.newest.say({
          id: sockets.newest.lastRequest.id,
          status: 504,
          error: { code: -1007, msg: 'Timeout' },
        }),
    ],
    [
      'an unknown code',
      ({ sockets }) =>
        sockets.newest.say({ id: sockets.newest.lastRequest.id, status: 400, error: { code: -77, msg: '' } }),
    ],
    [
      'a duplicate id',
      ({ sockets }) =>
        sockets.newest.say({
          id: sockets.newest.lastRequest.id,
          status: 400,
          error: { code: -2010, msg: 'Duplicate order sent.' },
        }),
    ],
    [
      'an answer about another order',
      ({ sockets }) =>
        sockets.newest.say({
          id: sockets.newest.lastRequest.id,
          status: 200,
          result: { ...PLACED, clientOrderId: 'else' },
        }),
    ],
    [
      'fills that do not add up',
      ({ sockets }) =>
        sockets.newest.say({
          id: sockets.newest.lastRequest.id,
          status: 200,
          result: { ...PLACED, executedQty: '0.02' },
        }),
    ],
    [
      'more than was asked for',
      ({ sockets }) =>
        sockets.newest.say({
          id: sockets.newest.lastRequest.id,
          status: 200,
          result: {
            ...PLACED,
            executedQty: '3',
            cummulativeQuoteQty: '300',
            fills: [{ ...PLACED.fills[0], price: '100', qty: '3' }],
          },
        }),
    ],
    [
      'filled with nothing',
      ({ sockets }) =>
        sockets.newest.say({
          id: sockets.newest.lastRequest.id,
          status: 200,
          result: { ...PLACED, status: 'FILLED', executedQty: '0', cummulativeQuoteQty: '0', fills: [] },
        }),
    ],
    [
      'an answer of another shape',
      ({ sockets }) => sockets.newest.say({ id: sockets.newest.lastRequest.id, status: 200, result: [] }),
    ],
  ];
  test.each(unclear)(
    '%s is unknown with the moment its deadline passes, and is never sent again',
    async (_name, happen) => {
      const all = connectedConnector();
      const promise = all.trading.place(CREDENTIALS, REQUEST);
      happen(all);
      const outcome = await promise;
      // Clock never measured here: a minute of margin on top of the receive window.
      expect(outcome).toMatchObject({
        outcome: 'unknown',
        deadlineAt: 1_770_000_000_000 + 5_000 + 60_000,
      });
      all.time.advance(600_000);
      const placings = all.sockets.peers
        .flatMap((peer) => peer.heard)
        .filter((text) => text.includes('order.place'));
      expect(placings.length).toBe(1);
      expect(all.http.requests).toEqual([]);
    },
  );

  test('a socket that fails while writing may have sent it: unknown, not repeated by REST', async () => {
    const { sockets, http, trading } = connectedConnector();
    sockets.newest.failWrites = true;
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({ outcome: 'unknown' });
    expect(http.requests).toEqual([]);
  });

  test('without an open socket it goes by REST, once, signed, the key only in the header', async () => {
    const { http, trading } = scriptedConnector();
    http.answer = () => okAnswer(PLACED);
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({ outcome: 'accepted' });
    expect(http.requests.length).toBe(1);
    const [request] = http.requests;
    expect(request).toMatchObject({
      method: 'POST',
      url: 'http://venue/api/v3/order',
      headers: { 'x-mbx-apikey': 'the-api-key' },
    });
    expect(request?.body).toMatch(
      /^symbol=BTCUSDT&side=BUY&.*&timestamp=1770000000000&signature=[0-9a-f]{64}$/,
    );
  });

  const failures: [string, () => HttpAnswer, SendOutcome['outcome']][] = [
    [
      'a reset',
      () => {
        throw new Error('fetch failed http://venue/?signature=abc');
      },
      'unknown',
    ],
    ['a page of a proxy', () => ({ status: 200, headers: {}, text: '<html>' }), 'unknown'],
    ['a server error', () => ({ status: 500, headers: {}, text: '{"code":-2010,"msg":"x"}' }), 'unknown'],
    [
      'a definitive code',
      () => ({
        status: 400,
        headers: {},
        text: '{"code":-2010,"msg":"Account has insufficient balance for requested action."}',
      }),
      'refused',
    ],
    ['the firewall', () => ({ status: 403, headers: {}, text: '<html>' }), 'refused'],
  ];
  test.each(failures)(
    '%s by REST is told as it should be, without a secret in it',
    async (_name, answer, expected) => {
      const { http, trading } = scriptedConnector();
      http.answer = answer;
      const outcome = await trading.place(CREDENTIALS, REQUEST);
      expect(outcome.outcome).toBe(expected);
      expect(JSON.stringify(outcome)).not.toMatch(/the-secret|the-api-key|signature/);
      expect(http.requests.length).toBe(1);
    },
  );

  test("after a 429 orders are refused here, unsent, until the venue's time has passed", async () => {
    const { http, time, trading } = scriptedConnector();
    http.answer = () => ({
      status: 429,
      headers: { 'retry-after': '30' },
      text: '{"code":-1003,"msg":"Too many requests."}',
    });
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({
      outcome: 'refused',
      venueCode: '-1003',
    });
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({
      outcome: 'refused',
      venueCode: 'LOCAL_RATE_LIMITED',
    });
    expect(await trading.balances(CREDENTIALS)).toEqual({
      ...{ ok: false, code: 'refused' },
      retryAfterMillis: 30_000,
    });
    expect(http.requests.length).toBe(1);
    time.advance(30_000);
    http.answer = () => okAnswer(PLACED);
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({ outcome: 'accepted' });
  });

  test('a closed connector sends nothing', async () => {
    const { http, sockets, trading } = connectedConnector();
    trading.close();
    expect(await trading.place(CREDENTIALS, REQUEST)).toMatchObject({
      outcome: 'refused',
      venueCode: 'LOCAL_CLOSED',
    });
    expect([http.requests.length, sockets.newest.heard.length]).toEqual([0, 0]);
  });
});

const ways: [string, object, object][] = [
  ['to the member', { to: '7' }, { fromAccountType: 'SPOT', toAccountType: 'SPOT' }],
  [
    'to the member, for contracts',
    { to: '7', pocket: 'futures' },
    { toAccountType: 'USDT_FUTURE', toId: '7' },
  ],
  [
    'back to the operator',
    { from: '7', pocket: 'futures' },
    { fromAccountType: 'USDT_FUTURE', toAccountType: 'SPOT' },
  ],
  [
    'within an account, to contracts',
    { from: '7', to: '7', pocket: 'futures' },
    { fromAccountType: 'SPOT', toAccountType: 'USDT_FUTURE', fromId: '7', toId: '7' },
  ],
  [
    'within an account, back to spot',
    { from: '7', to: '7', pocket: 'spot' },
    { fromAccountType: 'USDT_FUTURE', toAccountType: 'SPOT', fromId: '7', toId: '7' },
  ],
];
test.each(ways)('a transfer %s names the wallets of both sides', async (_says, way, fields) => {
  const { http, trading } = scriptedConnector();
  http.answer = () => okAnswer({ txnId: 9, clientTranId: 'transfer-1' });
  const request = { clientId: 'transfer-1', asset: 'USDT', amount: amount('5'), ...way };
  expect(await trading.transfer(CREDENTIALS, request)).toEqual({ outcome: 'done', venueId: '9' });
  expect(Object.fromEntries(new URLSearchParams(http.requests[0]?.body))).toMatchObject(fields);
});

test('where only pairs are traded, an order on a contract is refused unsent', async () => {
  const { http, trading } = scriptedConnector();
  const contract = { side: 0, positionMode: 'one-way', marginMode: 'cross', reduceOnly: false } as const;
  const outcome = await trading.place(CREDENTIALS, { ...REQUEST, instrument: BTCUSDT_PERP, contract });
  expect(outcome).toMatchObject({ outcome: 'refused', venueCode: 'LOCAL_NOT_EXPRESSIBLE' });
  expect([http.requests.length, trading.contracts]).toEqual([0, undefined]);
});

test('whatever a hostile venue answers, an order is accepted only with figures that add up', async () => {
  const damaged = fc.record(
    {
      clientOrderId: fc.constantFrom(CLIENT_ID, 'else', 7),
      orderId: fc.oneof(fc.constant(77), fc.double(), fc.string()),
      symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT', null),
      status: fc.constantFrom('NEW', 'FILLED', 'EXPIRED', 'WHATEVER', 3),
      executedQty: fc.oneof(fc.constantFrom('0.015', '-1', '1e3', 'NaN', '0'), fc.jsonValue()),
      cummulativeQuoteQty: fc.oneof(fc.constantFrom('975.0005', '0'), fc.jsonValue()),
      transactTime: fc.oneof(fc.constant(1), fc.jsonValue()),
      fills: fc.oneof(fc.constantFrom(PLACED.fills, [], PLACED.fills.slice(1)), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(damaged, async (part) => {
      const { http, trading } = scriptedConnector();
      http.answer = () => okAnswer({ ...PLACED, ...part });
      const outcome = await trading.place(CREDENTIALS, REQUEST);
      trading.close();
      expect(['accepted', 'unknown']).toContain(outcome.outcome);
      if (outcome.outcome !== 'accepted') return;
      expect(outcome.state).toMatchObject({ clientId: CLIENT_ID, symbol: 'BTCUSDT' });
      const sum = outcome.fills.reduce((total, fill) => total + fill.quantity, 0n);
      expect(sum).toBe(outcome.state.cumulativeQuantity);
    }),
    { numRuns: 1_000 },
  );
});
