import {
  amount,
  ORDER_STATUS,
  ORDER_TYPE,
  SIDE,
  TIME_IN_FORCE,
  type TriggerPlan,
  type VenueClientId,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BTCUSDT } from '../../../conformance/sample-instruments.ts';
import { okAnswer } from '../../../trading/scripted-transport.fixture.ts';
import type { HttpAnswer, HttpRequest } from '../../../transport.ts';
import type { AlgoKey, VenueAlgos } from '../../../venue-algos.ts';
import type { VenueOrderRequest } from '../../../venue-orders.ts';
import { scriptedConnector } from '../../trading/scripted-connector.fixture.ts';

/** A buy with what it brings along as one list (rest-api.md, "New Order List - OTO" and "OTOCO", 2026-07-21), figures ours. */

const KEY = { apiKey: 'the-api-key', secret: 'the-secret' };
const id = (text: string) => text as VenueClientId;
const leg = (price: string, limit?: string) => ({
  trigger: { price: amount(price), by: 'last' as const },
  ...(limit === undefined ? {} : { limit: amount(limit) }),
});
const STOP_PLAN: TriggerPlan = { kind: 'stop', leg: leg('55000') };
const PAIR_PLAN: TriggerPlan = {
  kind: 'oco',
  takeProfit: leg('65000'),
  stopLoss: leg('55000', '54900'),
};

function buy(plan: TriggerPlan, part: Partial<VenueOrderRequest> = {}): VenueOrderRequest {
  return {
    ...{ clientId: id('buy'), instrument: BTCUSDT, side: SIDE.BUY, type: ORDER_TYPE.LIMIT },
    ...{ timeInForce: TIME_IN_FORCE.GTC, price: amount('60000'), quantity: amount('0.5') },
    listed: {
      ...{ clientId: id('ours'), childClientIds: [id('target'), id('stop')], side: SIDE.SELL, plan },
      ...{ quantity: amount('0.4995'), timeInForce: TIME_IN_FORCE.GTC },
    },
    ...part,
  };
}

const WORKING = {
  ...{ symbol: 'BTCUSDT', orderId: 1, orderListId: 5, clientOrderId: 'buy', transactTime: 9 },
  ...{ price: '60000.00000000', origQty: '0.50000000', executedQty: '0.00000000', status: 'NEW' },
  ...{ cummulativeQuoteQty: '0.00000000', type: 'LIMIT', side: 'BUY', workingTime: 9 },
};
const behind = (orderId: number, clientOrderId: string, type: string) => ({
  ...{ ...WORKING, orderId, clientOrderId, type, side: 'SELL', origQty: '0.49950000' },
  ...{ price: '0.00000000', status: 'PENDING_NEW', workingTime: -1 },
});
const LEG = behind(2, 'ours', 'STOP_LOSS');
const STOP = behind(2, 'stop', 'STOP_LOSS_LIMIT');
const TARGET = behind(3, 'target', 'TAKE_PROFIT');
const listOf = (clientId: string, ...orders: readonly (typeof WORKING)[]) => ({
  ...{ orderListId: 5, contingencyType: 'OTO', listStatusType: 'EXEC_STARTED', listOrderStatus: 'EXECUTING' },
  ...{ listClientOrderId: clientId, transactionTime: 9, symbol: 'BTCUSDT' },
  orders: orders.map(({ orderId, clientOrderId }) => ({ symbol: 'BTCUSDT', orderId, clientOrderId })),
});
const OTO = listOf('theirs', WORKING, LEG);
const OTOCO = listOf('ours', WORKING, STOP, TARGET);
const active = (row: typeof WORKING) => ({ ...row, status: 'NEW' });
const taken = (row: typeof WORKING) => ({
  ...{ ...row, origClientOrderId: row.clientOrderId, clientOrderId: 'x', status: 'CANCELED' },
});

function connector(answer: (request: HttpRequest) => object | HttpAnswer) {
  const { http, trading } = scriptedConnector();
  http.answer = (request) => {
    const said = answer(request);
    return 'status' in said && 'text' in said ? (said as HttpAnswer) : okAnswer(said);
  };
  return { http, trading, algos: trading.algos as VenueAlgos };
}

describe('placing', () => {
  const order = {
    ...{ symbol: 'BTCUSDT', newOrderRespType: 'RESULT', workingSide: 'BUY', workingClientOrderId: 'buy' },
    ...{ workingPrice: '60000', workingQuantity: '0.5', pendingSide: 'SELL', pendingQuantity: '0.4995' },
  };
  const gtc = { workingType: 'LIMIT', workingTimeInForce: 'GTC' };
  const stop = { pendingType: 'STOP_LOSS', pendingStopPrice: '55000', pendingClientOrderId: 'ours' };
  const pair = {
    ...{ listClientOrderId: 'ours', pendingAboveType: 'TAKE_PROFIT', pendingAboveStopPrice: '65000' },
    ...{ pendingAboveClientOrderId: 'target', pendingBelowClientOrderId: 'stop' },
    ...{ pendingBelowType: 'STOP_LOSS_LIMIT', pendingBelowStopPrice: '55000', pendingBelowPrice: '54900' },
    pendingBelowTimeInForce: 'GTC',
  };
  const rests: TriggerPlan = { kind: 'oco', takeProfit: { limit: amount('65000') }, stopLoss: leg('55000') };
  const cases: [string, VenueOrderRequest, string, object][] = [
    ['one leg', buy(STOP_PLAN), '/api/v3/orderList/oto', { ...order, ...gtc, ...stop }],
    ['a pair', buy(PAIR_PLAN), '/api/v3/orderList/otoco', { ...order, ...gtc, ...pair }],
    [
      'a post-only order and a target that rests',
      buy(rests, { timeInForce: TIME_IN_FORCE.POST_ONLY }),
      '/api/v3/orderList/otoco',
      {
        ...{ ...order, workingType: 'LIMIT_MAKER', listClientOrderId: 'ours' },
        ...{
          pendingAboveType: 'LIMIT_MAKER',
          pendingAbovePrice: '65000',
          pendingAboveClientOrderId: 'target',
        },
        ...{
          pendingBelowType: 'STOP_LOSS',
          pendingBelowStopPrice: '55000',
          pendingBelowClientOrderId: 'stop',
        },
      },
    ],
    [
      'an iceberg',
      buy(STOP_PLAN, { visible: amount('0.1') }),
      '/api/v3/orderList/oto',
      { ...order, ...gtc, ...stop, workingIcebergQty: '0.1' },
    ],
  ];
  test.each(cases)('%s is written in full, once', async (_name, request, path, expected) => {
    const { trading, http } = connector(() => ({ ...OTOCO, orderReports: [WORKING, STOP, TARGET] }));
    expect(await trading.place(KEY, request)).toMatchObject({
      ...{ outcome: 'accepted', fills: [] },
      state: { clientId: 'buy', venueOrderId: '1', status: ORDER_STATUS.OPEN },
    });
    const [sent, ...more] = http.requests;
    const fields = Object.fromEntries(new URLSearchParams(sent?.body ?? ''));
    const { recvWindow: _, timestamp: __, signature: ___, ...written } = fields;
    expect([new URL(sent?.url ?? '').pathname, written, more]).toEqual([path, expected, []]);
  });

  test.each<[string, VenueOrderRequest]>([
    ['a market order', buy(STOP_PLAN, { type: ORDER_TYPE.MARKET })],
    ['a leg without a trigger', buy({ kind: 'take-profit', leg: { limit: amount('65000') } })],
    ['a trailing leg', buy({ kind: 'trailing', trailing: { ratio: amount('0.01'), by: 'last' } })],
  ])('%s cannot be said and is not sent', async (_name, request) => {
    const { trading, http } = connector(() => OTO);
    expect((await trading.place(KEY, request)).outcome).toBe('refused');
    expect(http.requests).toEqual([]);
  });

  const filled = { ...WORKING, status: 'FILLED', executedQty: '0.50000000', cummulativeQuoteQty: '30000.0' };
  const refusal = (code: number, status = 400): HttpAnswer => ({
    ...{ status, headers: {}, text: JSON.stringify({ code, msg: 'No.' }) },
  });
  test.each<[string, object | HttpAnswer, object]>([
    [
      'filled at once: its fills are told elsewhere',
      { ...OTO, orderReports: [filled, LEG] },
      { outcome: 'accepted', fills: [], state: { status: ORDER_STATUS.FILLED } },
    ],
    ['without its order', { ...OTO, orderReports: [LEG] }, { outcome: 'unknown' }],
    ['unreadable', {}, { outcome: 'unknown' }],
    [
      'larger than asked for',
      { ...OTO, orderReports: [{ ...filled, executedQty: '0.60000000' }, LEG] },
      { outcome: 'unknown' },
    ],
    ['refused', refusal(-2010), { outcome: 'refused', venueCode: '-2010' }],
    ['lost', refusal(-1007, 504), { outcome: 'unknown' }],
  ])('an answer %s', async (_name, answer, expected) => {
    expect(await connector(() => answer).trading.place(KEY, buy(STOP_PLAN))).toMatchObject(expected);
  });
});

describe('its orders', () => {
  test('cancelling one cancels the list, and the answer shows it', async () => {
    const gone = { ...OTO, listStatusType: 'ALL_DONE', orderReports: [taken(WORKING), taken(LEG)] };
    const { trading, algos } = connector(() => gone);
    const state = { clientId: 'buy', venueOrderId: '1', status: ORDER_STATUS.CANCELLED };
    expect(await trading.cancel(KEY, BTCUSDT, id('buy'))).toMatchObject({ outcome: 'cancelled', state });
    const key: AlgoKey = { instrument: BTCUSDT, clientId: id('ours'), kind: 'stop' };
    expect(await algos.cancel(KEY, key)).toEqual({ outcome: 'done' });
    expect((await trading.cancel(KEY, BTCUSDT, id('another'))).outcome).toBe('unknown');
  });

  test('a leg that stands alone behind its order is found by its own id, a pair by that of the list', async () => {
    const rows = new Map<string | null, object>([
      ['2', active(STOP)],
      ['3', active(TARGET)],
    ]);
    const { algos } = connector(({ url }) => {
      const query = new URL(url).searchParams;
      if (query.get('origClientOrderId') === 'ours') return url.includes('/orderList') ? OTOCO : active(LEG);
      return rows.get(query.get('orderId')) ?? {};
    });
    const key = { instrument: BTCUSDT, clientId: id('ours') };
    for (const [kind, venueAlgoId] of [
      ['stop', '2'],
      ['oco', '5'],
    ] as const)
      expect(await algos.find(KEY, { ...key, kind })).toMatchObject({
        value: { clientId: 'ours', status: 'waiting', venueAlgoId },
      });
    rows.set('2', { ...active(STOP), status: 'FILLED', executedQty: '0.49950000' });
    rows.set('3', { ...TARGET, status: 'EXPIRED' });
    expect(await algos.find(KEY, { ...key, kind: 'oco' })).toMatchObject({
      value: { status: 'fired', child: { venueOrderId: '2', leg: 'stop-loss' } },
    });
  });

  test('a leg that waits for its order still is not known to stand', async () => {
    const { algos } = connector(({ url }) => {
      const query = new URL(url).searchParams;
      if (url.includes('/orderList')) return OTOCO;
      return query.get('orderId') === '3' ? TARGET : query.get('orderId') === '2' ? STOP : LEG;
    });
    for (const kind of ['stop', 'oco'] as const)
      expect((await algos.find(KEY, { instrument: BTCUSDT, clientId: id('ours'), kind })).outcome).toBe(
        'unknown',
      );
  });

  test.each(['LIMIT', 'LIMIT_MAKER'])(
    'of open ones a %s that others wait for is an order, and they are nothing yet',
    async (type) => {
      const rests = { ...WORKING, type, updateTime: 9 };
      let rows: readonly object[] = [rests, STOP, TARGET];
      const { trading, algos } = connector(({ url }) => (url.includes('/openOrderList') ? [OTOCO] : rows));
      const open = async () => {
        const [orders, waiting] = [
          await trading.openOrders(KEY, [BTCUSDT]),
          await algos.waiting(KEY, [BTCUSDT]),
        ];
        return [
          orders.ok && orders.value.map(({ clientId }) => clientId),
          waiting.ok && waiting.value.map(({ clientId, status }) => `${clientId} ${status}`),
        ];
      };
      expect(await open()).toEqual([['buy'], []]);
      rows = [active(STOP), active(TARGET)];
      expect(await open()).toEqual([[], ['ours waiting']]);
    },
  );

  test('of open ones a single leg is named by itself', async () => {
    const { algos } = connector(({ url }) => (url.includes('/openOrderList') ? [OTO] : [active(LEG)]));
    const waiting = await algos.waiting(KEY, [BTCUSDT]);
    expect(waiting.ok && waiting.value).toMatchObject([{ clientId: 'ours', venueAlgoId: '2' }]);
  });
});

describe('the stream', () => {
  /** An `executionReport` of user-data-stream.md (2026-07-21), figures ours. */
  const report = (part: object) => ({
    ...{ e: 'executionReport', E: 10, s: 'BTCUSDT', c: 'buy', C: '', S: 'BUY', o: 'LIMIT', g: 5 },
    ...{ x: 'NEW', X: 'NEW', r: 'NONE', i: 1, l: '0', z: '0', L: '0', n: '0', N: null, T: 9, t: -1 },
    ...{ w: false, m: false, Z: '0', Y: '0' },
    ...part,
  });
  const pending = { x: 'PENDING_NEW', X: 'PENDING_NEW' };
  const fill = {
    x: 'TRADE',
    X: 'FILLED',
    l: '0.5',
    z: '0.5',
    L: '60000',
    t: 5,
    Z: '30000',
    Y: '30000',
    W: 9,
  };
  const single = { c: 'ours', o: 'STOP_LOSS', i: 2 };
  const stop = { c: 'stop', o: 'STOP_LOSS_LIMIT', i: 2 };
  const target = { c: 'target', o: 'TAKE_PROFIT', i: 3 };
  const list = (C: string, ids: readonly number[], [l, L] = ['EXEC_STARTED', 'EXECUTING']) => ({
    ...{ e: 'listStatus', E: 10, s: 'BTCUSDT', g: 5, c: 'OTO', l, L, r: 'NONE', C, T: 9 },
    O: ids.map((i) => ({ s: 'BTCUSDT', i, c: String(i) })),
  });
  const DONE = ['ALL_DONE', 'ALL_DONE'] as const;

  function heardOf(events: readonly object[]): string[] {
    const { sockets, trading } = scriptedConnector();
    const heard: string[] = [];
    trading.userStream(KEY, {
      onOpen: () => undefined,
      onOrder: ({ state: { venueOrderId, status } }) => heard.push(`order ${venueOrderId} ${status}`),
      onAlgo: ({ clientId, status, child }) =>
        heard.push(`algo ${clientId} ${status} ${child?.venueOrderId ?? ''}`.trim()),
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

  const { OPEN, FILLED, CANCELLED } = ORDER_STATUS;
  const one = [report({}), report({ ...single, ...pending }), list('theirs', [1, 2])];
  const both = [
    report({ o: 'LIMIT_MAKER' }),
    ...[stop, target].map((leg) => report({ ...leg, ...pending })),
    list('ours', [1, 2, 3]),
  ];
  const begun = [...[stop, target].map(report), list('ours', [1, 2, 3])];
  const cancelled = { x: 'CANCELED', X: 'CANCELED', c: 'x' };
  test.each<[string, object[], string[]]>([
    ['what is pending is not told', one, [`order 1 ${OPEN}`]],
    [
      'one leg waits once its order has filled, and fires',
      [...one, report(fill), report(single), list('theirs', [1, 2]), report({ ...single, ...fill })],
      [
        `order 1 ${OPEN}`,
        `order 1 ${FILLED}`,
        'algo ours waiting',
        'algo ours waiting',
        'algo ours fired 2',
        `order 2 ${FILLED}`,
      ],
    ],
    ['a pair that is pending is not told, nor a post-only order for its target', both, []],
    [
      'a pair waits once its order has filled, and one of it fires',
      [...both, report({ o: 'LIMIT_MAKER', ...fill }), ...begun, report({ ...stop, ...fill })],
      [`order 1 ${FILLED}`, 'algo ours waiting', 'algo ours fired 2', `order 2 ${FILLED}`],
    ],
    [
      'a pair whose list began before the stream',
      [report({ o: 'LIMIT_MAKER', ...fill }), ...begun],
      [`order 1 ${FILLED}`, 'algo ours waiting'],
    ],
    [
      'an order that is taken back takes its leg along',
      [
        ...one,
        report({ ...cancelled, C: 'buy' }),
        report({ ...single, ...cancelled, C: 'ours' }),
        list('theirs', [1, 2], [...DONE]),
      ],
      [
        `order 1 ${OPEN}`,
        `order 1 ${CANCELLED}`,
        'algo ours cancelled',
        `order 2 ${CANCELLED}`,
        'algo ours cancelled',
      ],
    ],
  ])('%s', (_name, events, expected) => {
    expect(heardOf(events)).toEqual(expected);
  });
});
