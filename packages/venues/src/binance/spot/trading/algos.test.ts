import {
  type AlgoPlan,
  amount,
  ORDER_STATUS,
  SIDE,
  TIME_IN_FORCE,
  type VenueAlgoState,
  type VenueClientId,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BTCUSDT } from '../../../conformance/sample-instruments.ts';
import { okAnswer } from '../../../trading/scripted-transport.fixture.ts';
import type { HttpAnswer, HttpRequest } from '../../../transport.ts';
import type { AlgoKey, VenueAlgoRequest, VenueAlgos } from '../../../venue-algos.ts';
import { scriptedConnector } from '../../trading/scripted-connector.fixture.ts';

const KEY = { apiKey: 'the-api-key', secret: 'the-secret' };
const CLIENT_ID = 'ours' as VenueClientId;
const leg = (price: string, limit?: string) => ({
  trigger: { price: amount(price), by: 'last' as const },
  ...(limit === undefined ? {} : { limit: amount(limit) }),
});
const REQUEST: VenueAlgoRequest = {
  ...{ clientId: CLIENT_ID, childClientIds: ['target' as VenueClientId, 'stop' as VenueClientId] },
  ...{ instrument: BTCUSDT, side: SIDE.SELL, plan: { kind: 'stop', leg: leg('59000') } },
  ...{ quantity: amount('0.5'), timeInForce: TIME_IN_FORCE.GTC },
};
const OCO: AlgoPlan = {
  kind: 'oco',
  takeProfit: { limit: amount('65000') },
  stopLoss: leg('59000', '58900'),
};

/** A RESULT placement of rest-api.md, "New order" and "Conditional fields in Order Responses" (2026-07-21), figures ours. */
const ORDER = {
  ...{ symbol: 'BTCUSDT', orderId: 77, orderListId: -1, clientOrderId: 'ours', transactTime: 9 },
  ...{ price: '0.00000000', origQty: '0.50000000', executedQty: '0.00000000', status: 'NEW' },
  ...{ cummulativeQuoteQty: '0.00000000', type: 'STOP_LOSS', side: 'SELL', stopPrice: '59000.00000000' },
  workingTime: -1,
};
const TARGET = {
  ...{ ...ORDER, orderId: 78, orderListId: 5, clientOrderId: 'target', type: 'LIMIT_MAKER' },
  workingTime: 9,
};
const STOP = { ...ORDER, orderListId: 5, clientOrderId: 'stop', type: 'STOP_LOSS_LIMIT' };
const LIST = {
  ...{ orderListId: 5, contingencyType: 'OCO', listStatusType: 'EXEC_STARTED', listOrderStatus: 'EXECUTING' },
  ...{ listClientOrderId: 'ours', transactionTime: 9, symbol: 'BTCUSDT' },
  orders: [
    { symbol: 'BTCUSDT', orderId: 77, clientOrderId: 'stop' },
    { symbol: 'BTCUSDT', orderId: 78, clientOrderId: 'target' },
  ],
};

/** The connector over answers by method, path and the order that is asked for. */
function connector(answer: (request: HttpRequest, orderId: string | null) => object | HttpAnswer) {
  const { http, trading } = scriptedConnector();
  http.answer = (request) => {
    const query = new URL(request.url).searchParams;
    const said = answer(request, query.get('orderId'));
    return 'status' in said && 'text' in said ? (said as HttpAnswer) : okAnswer(said);
  };
  const fields = () =>
    http.requests.map(({ url, body }) =>
      Object.fromEntries(new URLSearchParams(body ?? new URL(url).search)),
    );
  return { http, trading, fields, algos: trading.algos as VenueAlgos };
}

const refusal = (code: number, msg = 'No.', status = 400): HttpAnswer => ({
  ...{ status, headers: {} },
  text: JSON.stringify({ code, msg }),
});

describe('placing', () => {
  const shared = { symbol: 'BTCUSDT', side: 'SELL', quantity: '0.5', newOrderRespType: 'RESULT' };
  const alone = { ...shared, newClientOrderId: 'ours' };
  const listed = { ...shared, listClientOrderId: 'ours' };
  const sell = { aboveClientOrderId: 'target', belowClientOrderId: 'stop' };
  const trailing = { ratio: amount('0.0125'), by: 'last' } as const;
  const cases: [string, Partial<VenueAlgoRequest>, object][] = [
    ['a stop at market', {}, { ...alone, type: 'STOP_LOSS', stopPrice: '59000' }],
    [
      'a target at a limit',
      {
        plan: { kind: 'take-profit', leg: leg('65000', '64900') },
        timeInForce: TIME_IN_FORCE.IOC,
      },
      { ...alone, type: 'TAKE_PROFIT_LIMIT', stopPrice: '65000', price: '64900', timeInForce: 'IOC' },
    ],
    [
      'a trailing stop',
      { plan: { kind: 'trailing', trailing } },
      { ...alone, type: 'STOP_LOSS', trailingDelta: '125' },
    ],
    [
      'a trailing stop that waits for its activation as a target does',
      { plan: { kind: 'trailing', trailing: { ...trailing, activation: amount('66000') } } },
      { ...alone, type: 'TAKE_PROFIT', trailingDelta: '125', stopPrice: '66000' },
    ],
    [
      'a pair that sells: the target above',
      { plan: OCO },
      {
        ...{ ...listed, ...sell, aboveType: 'LIMIT_MAKER', abovePrice: '65000' },
        ...{ belowType: 'STOP_LOSS_LIMIT', belowStopPrice: '59000', belowPrice: '58900' },
        belowTimeInForce: 'GTC',
      },
    ],
    [
      'a pair that buys: the stop above',
      { side: SIDE.BUY, plan: { kind: 'oco', takeProfit: leg('59000'), stopLoss: leg('65000') } },
      {
        ...{ ...listed, side: 'BUY', aboveClientOrderId: 'stop', belowClientOrderId: 'target' },
        ...{ aboveType: 'STOP_LOSS', aboveStopPrice: '65000' },
        ...{ belowType: 'TAKE_PROFIT', belowStopPrice: '59000' },
      },
    ],
  ];
  test.each(cases)('%s is written in full, once', async (_name, part, expected) => {
    const { algos, fields } = connector(({ url }) =>
      url.endsWith('/oco') ? { ...LIST, orderReports: [STOP, TARGET] } : ORDER,
    );
    const sent = await algos.place(KEY, { ...REQUEST, ...part });
    expect(sent).toMatchObject({ outcome: 'accepted', state: { clientId: 'ours', status: 'waiting' } });
    const [{ recvWindow: _, timestamp: __, signature: ___, ...written } = {}, ...more] = fields();
    expect(written).toEqual(expected);
    expect(more).toEqual([]);
  });

  const { quantity: _, ...unsized } = REQUEST;
  const mark: AlgoPlan = {
    kind: 'stop',
    leg: { trigger: { price: amount('59000'), by: 'mark' } },
  };
  const trailed = (part: object): AlgoPlan => ({ kind: 'trailing', trailing: { by: 'last', ...part } });
  test.each<[string, VenueAlgoRequest]>([
    ['no quantity', { ...unsized, whole: true }],
    ['a mark', { ...REQUEST, plan: mark }],
    ['a leg that waits for nothing', { ...REQUEST, plan: { kind: 'stop', leg: { limit: amount('1') } } }],
    [
      'a post-only limit',
      {
        ...{ ...REQUEST, plan: { kind: 'stop', leg: leg('59000', '58900') } },
        timeInForce: TIME_IN_FORCE.POST_ONLY,
      },
    ],
    ['a distance to follow by', { ...REQUEST, plan: trailed({ distance: amount('100') }) }],
    ['a part of a hundredth of a percent', { ...REQUEST, plan: trailed({ ratio: amount('0.00125') }) }],
    [
      'a pair whose stop waits for nothing',
      { ...REQUEST, plan: { kind: 'oco', takeProfit: leg('65000'), stopLoss: { limit: amount('1') } } },
    ],
  ])('%s is not written at all', async (_name, request) => {
    const { algos, http } = connector(() => ORDER);
    expect(await algos.place(KEY, request)).toMatchObject({ venueCode: 'LOCAL_NOT_EXPRESSIBLE' });
    expect(http.requests).toEqual([]);
  });

  test('none can be changed', async () => {
    const { algos, http } = connector(() => ORDER);
    const key: AlgoKey = { instrument: BTCUSDT, clientId: CLIENT_ID, kind: 'stop' };
    expect(await algos.amend(KEY, key, { quantity: amount('1') })).toMatchObject({ outcome: 'refused' });
    expect(http.requests).toEqual([]);
  });

  const answers: [string, HttpAnswer | object, string][] = [
    ['would trigger', refusal(-2010, 'Order would trigger immediately.'), 'refused'],
    ['too many', refusal(-1013, 'Filter failure: MAX_NUM_ALGO_ORDERS'), 'refused'],
    [
      'prices of a pair',
      refusal(-2010, 'The relationship of the prices for the orders is not correct.'),
      'refused',
    ],
    ['an id in use', refusal(-2010, 'Duplicate order sent.'), 'unknown'],
    ['a time-out', refusal(-1007, '', 504), 'unknown'],
    ['a new code', refusal(-77), 'unknown'],
    ['another order', { ...ORDER, clientOrderId: 'else' }, 'unknown'],
    ['another symbol', { ...ORDER, symbol: 'ETHUSDT' }, 'unknown'],
    ['an ordinary order', { ...ORDER, type: 'LIMIT' }, 'unknown'],
    ['an order of a list', { ...ORDER, orderListId: 5 }, 'unknown'],
    ['no state', { ...ORDER, status: 'SLEEPING' }, 'unknown'],
  ];
  test.each(answers)('%s is told as it should be', async (_name, answer, outcome) => {
    expect((await connector(() => answer).algos.place(KEY, REQUEST)).outcome).toBe(outcome);
  });
});

describe('what an order says', () => {
  const child = { venueOrderId: '77' };
  const cases: [string, object, object][] = [
    ['one that waits', {}, { status: 'waiting' }],
    ['one in the book', { workingTime: 8 }, { status: 'fired', child }],
    ['one that is filled', { status: 'FILLED', executedQty: '0.5' }, { status: 'fired', child }],
    ['one cancelled in part', { status: 'CANCELED', executedQty: '0.1' }, { status: 'fired', child }],
    ['one taken back', { status: 'CANCELED' }, { status: 'cancelled' }],
    ['one taken back in the book', { status: 'CANCELED', workingTime: 8 }, { status: 'fired', child }],
    ['one the venue ended', { status: 'EXPIRED', expiryReason: 'EXCHANGE_CANCELED' }, { status: 'expired' }],
    [
      'one that the engine would not take',
      { status: 'EXPIRED', expiryReason: 'REJECTED' },
      { status: 'refused', reason: 'REJECTED' },
    ],
  ];
  test.each(cases)('%s', async (_name, part, expected) => {
    const { transactTime: time, ...order } = ORDER;
    const { algos } = connector(() => ({ ...order, updateTime: time, ...part }));
    const found = await algos.find(KEY, { instrument: BTCUSDT, clientId: CLIENT_ID, kind: 'stop' });
    const state = { clientId: 'ours', venueAlgoId: '77', symbol: 'BTCUSDT', time: 9 };
    expect(found).toMatchObject({ outcome: 'found', value: { ...state, ...expected } });
    expect('child' in (found as { value: VenueAlgoState }).value).toBe('child' in expected);
  });
});

describe('a pair is what its orders say', () => {
  const key: AlgoKey = { instrument: BTCUSDT, clientId: CLIENT_ID, kind: 'oco' };
  const fired = (leg: string, venueOrderId: string) => ({ status: 'fired', child: { leg, venueOrderId } });
  const expired = { status: 'EXPIRED', expiryReason: 'OCO_TRIGGER' };
  const cases: [string, object, object, object][] = [
    ['both wait', {}, {}, { status: 'waiting' }],
    ['the stop works', { workingTime: 8 }, expired, fired('stop-loss', '77')],
    [
      'the target fills',
      expired,
      { status: 'PARTIALLY_FILLED', executedQty: '0.1' },
      fired('take-profit', '78'),
    ],
    ['both were cancelled', { status: 'CANCELED' }, { status: 'CANCELED' }, { status: 'cancelled' }],
    ['both expired', { status: 'EXPIRED' }, { status: 'EXPIRED' }, { status: 'expired' }],
  ];
  test.each(cases)('%s', async (_name, stop, target, expected) => {
    const { algos } = connector(({ url }, orderId) =>
      url.includes('/orderList') ? LIST : orderId === '77' ? { ...STOP, ...stop } : { ...TARGET, ...target },
    );
    const state = { clientId: 'ours', venueAlgoId: '5' };
    expect(await algos.find(KEY, key)).toMatchObject({ outcome: 'found', value: { ...state, ...expected } });
  });

  test('one of its orders that cannot be read leaves it unknown; no such list is not-found', async () => {
    const { algos } = connector(({ url }) => (url.includes('/orderList') ? LIST : refusal(-1007, '', 504)));
    expect((await algos.find(KEY, key)).outcome).toBe('unknown');
    const none = connector(() => refusal(-2013, 'Order does not exist.'));
    expect(await none.algos.find(KEY, key)).toEqual({ outcome: 'not-found' });
  });

  test('a cancel is done where nothing had executed, gone where something had or nothing waits', async () => {
    const cancelled = (executedQty: string) => ({
      ...{ ...LIST, listStatusType: 'ALL_DONE', listOrderStatus: 'ALL_DONE' },
      orderReports: [
        { ...STOP, origClientOrderId: 'stop', clientOrderId: 'x', status: 'CANCELED' },
        { ...TARGET, origClientOrderId: 'target', clientOrderId: 'x', status: 'CANCELED', executedQty },
      ],
    });
    const answers: [object | HttpAnswer, string][] = [
      [cancelled('0.00000000'), 'done'],
      [cancelled('0.10000000'), 'gone'],
      [refusal(-2011, 'Unknown order sent.'), 'gone'],
      [refusal(-2015), 'refused'],
      [{ ...cancelled('0'), listClientOrderId: 'else' }, 'unknown'],
    ];
    for (const [answer, outcome] of answers)
      expect((await connector(() => answer).algos.cancel(KEY, key)).outcome).toBe(outcome);
  });
});

test('of open orders those that wait are no orders, and pairs are named by their list', async () => {
  const plain = {
    ...ORDER,
    orderId: 1,
    clientOrderId: 'plain',
    type: 'LIMIT',
    workingTime: 9,
    updateTime: 9,
  };
  const works = { ...ORDER, orderId: 2, clientOrderId: 'works', workingTime: 9 };
  const { algos, trading } = connector(({ url }) =>
    url.includes('/openOrderList') ? [LIST] : [ORDER, plain, works, STOP, TARGET],
  );
  const open = await trading.openOrders(KEY, [BTCUSDT]);
  expect(open.ok && open.value.map(({ clientId }) => clientId)).toEqual(['plain', 'works']);
  const waiting = await algos.waiting(KEY, [BTCUSDT]);
  expect(waiting.ok && waiting.value.map(({ venueAlgoId }) => venueAlgoId)).toEqual(['77', '5']);
});

describe('the stream', () => {
  /** An `executionReport` of user-data-stream.md (2026-07-21), figures ours. */
  const report = (part: object) => ({
    ...{ e: 'executionReport', E: 10, s: 'BTCUSDT', c: 'ours', C: '', S: 'SELL', o: 'STOP_LOSS', g: -1 },
    ...{ x: 'NEW', X: 'NEW', r: 'NONE', i: 77, l: '0', z: '0', L: '0', n: '0', N: null, T: 9, t: -1 },
    ...{ w: false, m: false, Z: '0', Y: '0' },
    ...part,
  });
  const fill = {
    x: 'TRADE',
    X: 'FILLED',
    l: '0.5',
    z: '0.5',
    L: '59000',
    t: 5,
    Z: '29500',
    Y: '29500',
    W: 9,
  };
  const list = (l: string, L: string) => ({
    ...{ e: 'listStatus', E: 10, s: 'BTCUSDT', g: 5, c: 'OCO', l, L, r: 'NONE', C: 'ours', T: 9 },
    O: [
      { s: 'BTCUSDT', i: 77, c: 'stop' },
      { s: 'BTCUSDT', i: 78, c: 'target' },
    ],
  });

  function heardOf(events: readonly object[]): string[] {
    const { sockets, trading } = scriptedConnector();
    const heard: string[] = [];
    trading.userStream(KEY, {
      onOpen: () => undefined,
      onOrder: ({ state }) =>
        heard.push(
          `order ${state.venueOrderId} ${state.status === ORDER_STATUS.FILLED ? 'filled' : 'other'}`,
        ),
      onAlgo: ({ clientId, status, child }) =>
        heard.push(`algo ${clientId} ${status} ${child?.leg ?? ''}${child?.venueOrderId ?? ''}`.trim()),
      onBalances: () => undefined,
      onClosed: () => undefined,
      onMalformed: (why) => heard.push(`malformed ${why}`),
    });
    const peer = sockets.newest;
    peer.open();
    peer.say({ id: 'subscribe', status: 200, result: { subscriptionId: 0 } });
    for (const event of events) peer.say({ subscriptionId: 0, event });
    trading.close();
    return heard;
  }

  const stop = { g: 5, c: 'stop', o: 'STOP_LOSS_LIMIT' };
  const target = { g: 5, c: 'target', o: 'LIMIT_MAKER', i: 78, W: 9, w: true };
  const begun = [report(stop), report(target), list('EXEC_STARTED', 'EXECUTING')];
  const expired = { x: 'EXPIRED', X: 'EXPIRED', eR: 'OCO_TRIGGER' };
  const cases: [string, object[], string[]][] = [
    ['one that waits is no order', [report({})], ['algo ours waiting']],
    [
      'one that fires is both',
      [report({}), report(fill)],
      ['algo ours waiting', 'algo ours fired 77', 'order 77 filled'],
    ],
    [
      'one taken back is named by its own id',
      [report({ c: 'cancel', C: 'ours', x: 'CANCELED', X: 'CANCELED' })],
      ['algo ours cancelled', 'order 77 other'],
    ],
    ['a pair waits once', begun, ['algo ours waiting']],
    [
      'the stop of a pair fires',
      [
        ...begun,
        report({ ...target, ...expired }),
        report({ ...stop, ...fill }),
        list('ALL_DONE', 'ALL_DONE'),
      ],
      [
        'algo ours waiting',
        'order 78 other',
        'algo ours fired stop-loss77',
        'order 77 filled',
        'algo ours fired stop-loss77',
      ],
    ],
    [
      'the same with the list first: to be looked up',
      [...begun, list('ALL_DONE', 'ALL_DONE')],
      ['algo ours waiting', 'algo ours firing'],
    ],
    [
      'a pair that began before the stream, and whose other order was not heard of: to be looked up',
      [report({ ...target, ...expired }), list('ALL_DONE', 'ALL_DONE')],
      ['order 78 other', 'algo ours firing'],
    ],
    [
      'a pair taken back',
      [
        ...begun,
        report({ ...stop, c: 'x', C: 'stop', x: 'CANCELED', X: 'CANCELED' }),
        report({ ...target, c: 'x', C: 'target', x: 'CANCELED', X: 'CANCELED' }),
        list('ALL_DONE', 'ALL_DONE'),
      ],
      ['algo ours waiting', 'order 77 other', 'order 78 other', 'algo ours cancelled'],
    ],
    ['a list of another kind is not of ours', [{ ...list('EXEC_STARTED', 'EXECUTING'), c: 'OTO' }], []],
    ['a list without an id', [{ ...list('EXEC_STARTED', 'EXECUTING'), g: 'x' }], ['malformed listStatus']],
  ];
  test.each(cases)('%s', (_name, events, expected) => {
    expect(heardOf(events)).toEqual(expected);
  });
});
