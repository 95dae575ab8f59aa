import {
  type AlgoPlan,
  amount,
  type Millis,
  ORDER_STATUS,
  ORDER_TYPE,
  POSITION_SIDE,
  SIDE,
  TIME_IN_FORCE,
  type VenueAlgoState,
  type VenueClientId,
  type VenueOrderId,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BYBIT_CONTRACT_KIT } from '../../conformance/bybit-contract-kit.ts';
import type { HttpAnswer, HttpRequest } from '../../transport.ts';
import type { AlgoKey, VenueAlgoRequest, VenueAlgos } from '../../venue-algos.ts';
import type { ContractOrderTerms } from '../../venue-contracts.ts';
import {
  BYBIT_BTCUSDT,
  CLIENT_ID,
  CREDENTIALS,
  errorResult,
  okResult,
  REQUEST,
  scriptedConnector,
} from '../trading/scripted-connector.fixture.ts';
import { normaliseAlgo } from './algo-shapes.ts';

const { instrument: SWAP } = BYBIT_CONTRACT_KIT;
const NET: ContractOrderTerms = {
  ...{ side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross', reduceOnly: false },
};
const STOP: AlgoPlan = { kind: 'stop', leg: { trigger: { price: amount('61000'), by: 'mark' } } };
const TAKE: AlgoPlan = {
  kind: 'take-profit',
  leg: { trigger: { price: amount('61000'), by: 'last' }, limit: amount('60900') },
};
const ALGO: VenueAlgoRequest = {
  clientId: CLIENT_ID,
  childClientIds: ['0a', '0b'] as unknown as VenueAlgoRequest['childClientIds'],
  ...{ instrument: SWAP, side: SIDE.BUY, plan: STOP, quantity: amount('0.02') },
  ...{ timeInForce: TIME_IN_FORCE.GTC, contract: NET },
};
const PAIR: VenueAlgoRequest = (({ contract: _, ...rest }) => ({ ...rest, instrument: BYBIT_BTCUSDT }))(ALGO);
const KEY: AlgoKey = { instrument: SWAP, clientId: CLIENT_ID, kind: 'stop' };

/** A stop as the venue documents it (order/open-order); a part of the fields. */
const ROW = {
  ...{ orderId: '77', orderLinkId: CLIENT_ID as string, symbol: 'BTCUSDT', orderStatus: 'Untriggered' },
  ...{ stopOrderType: 'Stop', createType: 'CreateByStopOrder', cancelType: 'UNKNOWN' },
  ...{ rejectReason: 'EC_NoError', cumExecQty: '0', cumExecValue: '0', parentOrderLinkId: '' },
  ...{ triggerPrice: '61000', updatedTime: '1770000000001' },
};
const STATE = {
  ...{
    clientId: CLIENT_ID,
    venueAlgoId: '77',
    symbol: 'BTCUSDT',
    status: 'waiting',
    time: 1_770_000_000_001,
  },
};
const list = (...rows: readonly object[]) => okResult({ list: rows, nextPageCursor: '' });

/** The connector over answers by path; what it has asked is kept. */
function connector(answers: Readonly<Record<string, HttpAnswer>> = {}) {
  const { http, trading } = scriptedConnector();
  const pathOf = (request: HttpRequest): string => new URL(request.url).pathname.replace('/v5/order/', '');
  http.answer = (request) => answers[pathOf(request)] ?? errorResult(10_016, 'not scripted');
  const bodies = () => http.requests.flatMap(({ body }) => (body === undefined ? [] : [JSON.parse(body)]));
  return { http, trading, bodies, algos: trading.algos as VenueAlgos };
}
const ACK = okResult({ orderId: '77', orderLinkId: CLIENT_ID });

describe('placing', () => {
  const linear = { ...{ category: 'linear', symbol: 'BTCUSDT', side: 'Buy', orderLinkId: CLIENT_ID } };
  const spot = {
    ...linear,
    category: 'spot',
    orderFilter: 'tpslOrder',
    triggerPrice: '61000',
    isLeverage: 0,
  };
  const closing: ContractOrderTerms = { ...NET, reduceOnly: true };
  const leg: ContractOrderTerms = { ...closing, positionMode: 'hedge', side: POSITION_SIDE.LONG };
  const { quantity: _, ...unsized } = ALGO;
  const last: AlgoPlan = { kind: 'stop', leg: { trigger: { price: amount('61000'), by: 'last' } } };
  const cases: [string, VenueAlgoRequest, object][] = [
    [
      'a stop of a contract rises for who buys',
      ALGO,
      {
        ...{ ...linear, positionIdx: 0, qty: '0.02', orderType: 'Market' },
        ...{ triggerPrice: '61000', triggerDirection: 1, triggerBy: 'MarkPrice' },
      },
    ],
    [
      'a take-profit with a limit falls for who buys',
      { ...ALGO, plan: TAKE },
      {
        ...{ ...linear, positionIdx: 0, qty: '0.02', orderType: 'Limit', price: '60900', timeInForce: 'GTC' },
        ...{ triggerPrice: '61000', triggerDirection: 2, triggerBy: 'LastPrice' },
      },
    ],
    [
      'what closes all of a leg has the size 0',
      { ...unsized, side: SIDE.SELL, whole: true, contract: leg },
      {
        ...{ ...linear, side: 'Sell', positionIdx: 1, qty: '0', orderType: 'Market' },
        ...{ reduceOnly: true, closeOnTrigger: true },
        ...{ triggerPrice: '61000', triggerDirection: 2, triggerBy: 'MarkPrice' },
      },
    ],
    [
      'a pair locks its money and says no direction',
      { ...PAIR, plan: last },
      { ...spot, orderType: 'Market', marketUnit: 'baseCoin', qty: '0.02' },
    ],
    [
      'a pair with a limit',
      { ...PAIR, plan: TAKE },
      { ...spot, orderType: 'Limit', qty: '0.02', price: '60900', timeInForce: 'GTC' },
    ],
  ];
  test.each(cases)('%s', async (_name, request, body) => {
    const { algos, bodies } = connector({ create: ACK });
    expect(await algos.place(CREDENTIALS, request)).toMatchObject({
      ...{ outcome: 'accepted', state: { clientId: CLIENT_ID, venueAlgoId: '77', status: 'waiting' } },
    });
    expect(bodies()).toEqual([body]);
  });

  const trailing: AlgoPlan = { kind: 'trailing', trailing: { ratio: amount('0.01'), by: 'last' } };
  const oco: AlgoPlan = { kind: 'oco', takeProfit: TAKE.leg, stopLoss: STOP.leg };
  const resting: AlgoPlan = { kind: 'take-profit', leg: { limit: amount('60900') } };
  test.each<[string, VenueAlgoRequest]>([
    ['a trailing stop', { ...ALGO, plan: trailing }],
    ['a pair of legs', { ...ALGO, plan: oco }],
    ['a leg without a price to wait for', { ...ALGO, plan: resting }],
    ['a mark of a pair', { ...PAIR, plan: STOP }],
    ['a leg in one-way mode', { ...ALGO, contract: { ...NET, side: POSITION_SIDE.LONG } }],
  ])('%s is not written at all', async (_name, request) => {
    const { algos, bodies } = connector();
    expect(await algos.place(CREDENTIALS, request)).toMatchObject({
      ...{ outcome: 'refused', venueCode: 'LOCAL_NOT_EXPRESSIBLE' },
    });
    expect(bodies()).toEqual([]);
  });

  test.each<[number, string, string]>([
    [110_092, 'expect Rising, but trigger_price[1] <= current[2]', 'refused'],
    [110_093, 'expect Falling, but trigger_price[2] >= current[1]', 'refused'],
    [110_009, 'The number of stop orders exceeds the maximum allowable limit', 'refused'],
    [110_072, 'OrderLinkedID is duplicate', 'unknown'],
    [10_000, 'Server Timeout', 'unknown'],
  ])('%s is %s', async (code, message, outcome) => {
    const { algos } = connector({ create: errorResult(code, message) });
    expect((await algos.place(CREDENTIALS, ALGO)).outcome).toBe(outcome);
  });

  test('what protects an order is partial, so that orders do not replace what others brought', async () => {
    const { trading, bodies } = connector({ create: ACK });
    const attached = { takeProfit: TAKE.leg, stopLoss: STOP.leg };
    const order = { ...REQUEST, instrument: SWAP, contract: NET, attached };
    await trading.place(CREDENTIALS, order);
    expect(bodies()).toMatchObject([
      {
        ...{ tpslMode: 'Partial', takeProfit: '61000', tpTriggerBy: 'LastPrice', tpOrderType: 'Limit' },
        ...{ tpLimitPrice: '60900', stopLoss: '61000', slTriggerBy: 'MarkPrice', slOrderType: 'Market' },
      },
    ]);
    for (const refused of [
      { ...order, contract: { ...NET, reduceOnly: true } },
      { ...REQUEST, attached },
      { ...order, type: ORDER_TYPE.MARKET, attached: { takeProfit: { limit: amount('60900') } } },
    ])
      expect(await trading.place(CREDENTIALS, refused)).toMatchObject({ venueCode: 'LOCAL_NOT_EXPRESSIBLE' });
    expect(bodies()).toHaveLength(1);
  });
});

describe('what a row says', () => {
  const child = { venueOrderId: '77' };
  const cases: [string, object, object | undefined][] = [
    ['one that waits', {}, {}],
    ['one that fires', { orderStatus: 'Triggered' }, { status: 'firing' }],
    ['one in the market', { orderStatus: 'New' }, { status: 'fired', child }],
    ['one that is filled', { orderStatus: 'Filled' }, { status: 'fired', child }],
    [
      'one that was cancelled in part',
      { orderStatus: 'Cancelled', cumExecQty: '1' },
      { status: 'fired', child },
    ],
    ['one of a pair, in part', { orderStatus: 'PartiallyFilledCanceled' }, { status: 'fired', child }],
    [
      'one taken back',
      { orderStatus: 'Deactivated', cancelType: 'CancelByUser' },
      { status: 'cancelled', reason: 'CancelByUser' },
    ],
    [
      'one that went with its position',
      { orderStatus: 'Cancelled', cancelType: 'CancelByTpSlTsClear' },
      { status: 'cancelled', reason: 'CancelByTpSlTsClear' },
    ],
    [
      'one that was refused',
      { orderStatus: 'Rejected', rejectReason: 'EC_Others' },
      { status: 'refused', reason: 'EC_Others' },
    ],
    [
      'one that found nobody',
      { orderStatus: 'Cancelled', rejectReason: 'EC_NoImmediateQtyToFill' },
      { status: 'refused', reason: 'EC_NoImmediateQtyToFill' },
    ],
    [
      'what an order brought',
      { orderLinkId: '', stopOrderType: 'PartialStopLoss', parentOrderLinkId: 'mine', qty: '0.02' },
      { clientId: '', parent: 'mine', leg: 'stop-loss', quantity: amount('0.02') },
    ],
    [
      'what an order brought, fired',
      { stopOrderType: 'PartialTakeProfit', parentOrderLinkId: 'mine', orderStatus: 'Filled' },
      { status: 'fired', parent: 'mine', leg: 'take-profit', child: { ...child, leg: 'take-profit' } },
    ],
    ['another state', { orderStatus: 'Sleeping' }, undefined],
    ['no id', { orderId: undefined }, undefined],
    [
      'a cancelled one that does not say what it traded',
      { orderStatus: 'Cancelled', cumExecQty: '' },
      undefined,
    ],
  ];
  test.each(cases)('%s', (_name, part, said) => {
    const expected = said === undefined ? undefined : { ...STATE, ...said };
    expect(normaliseAlgo({ ...ROW, ...part })).toEqual(expected);
  });
});

describe('changing and looking up', () => {
  test('an amend says what changes, and what is so already is done', async () => {
    const { algos, bodies } = connector({ amend: ACK });
    const change = {
      quantity: amount('0.03'),
      stopLoss: { trigger: amount('62000'), limit: amount('62500') },
    };
    expect(await algos.amend(CREDENTIALS, KEY, change)).toEqual({ outcome: 'done' });
    const named = { category: 'linear', symbol: 'BTCUSDT', orderLinkId: CLIENT_ID };
    expect(bodies()).toEqual([{ ...named, qty: '0.03', price: '62500', triggerPrice: '62000' }]);
    const answers: [HttpAnswer, string][] = [
      [
        errorResult(10_001, 'The order remains unchanged as the parameters entered match the existing ones.'),
        'done',
      ],
      [errorResult(110_001, 'order not exists or too late to replace'), 'gone'],
      [errorResult(110_092, 'expect Rising'), 'refused'],
      [errorResult(10_016, ''), 'unknown'],
    ];
    for (const [amend, outcome] of answers)
      expect((await connector({ amend }).algos.amend(CREDENTIALS, KEY, change)).outcome).toBe(outcome);
  });

  const cancels: [string, Readonly<Record<string, HttpAnswer>>, string][] = [
    ['taken back', { cancel: ACK, realtime: list({ ...ROW, orderStatus: 'Deactivated' }) }, 'done'],
    ['fired first', { cancel: ACK, realtime: list({ ...ROW, orderStatus: 'Filled' }) }, 'gone'],
    ['not carried out yet', { cancel: ACK, realtime: list(ROW) }, 'unknown'],
    ['not there', { cancel: errorResult(110_001, '') }, 'gone'],
    ['silent', { cancel: errorResult(10_000, '') }, 'unknown'],
  ];
  test.each(cancels)('a cancel of one that is %s', async (_name, answers, outcome) => {
    const { algos } = connector(answers);
    expect((await algos.cancel(CREDENTIALS, KEY)).outcome).toBe(outcome);
  });

  test('one that the venue attached is named by its own id, one of a pair by its kind too', async () => {
    const { algos, bodies, http } = connector({ cancel: ACK, realtime: list({ ...ROW, orderLinkId: '' }) });
    const key: AlgoKey = { ...KEY, clientId: '' as VenueClientId, venueAlgoId: '77' as VenueOrderId };
    await algos.cancel(CREDENTIALS, key);
    await algos.cancel(CREDENTIALS, { ...KEY, instrument: BYBIT_BTCUSDT });
    expect(bodies()).toEqual([
      { category: 'linear', symbol: 'BTCUSDT', orderId: '77' },
      { category: 'spot', symbol: 'BTCUSDT', orderLinkId: CLIENT_ID, orderFilter: 'tpslOrder' },
    ]);
    expect(await algos.find(CREDENTIALS, key)).toMatchObject({
      outcome: 'found',
      value: { venueAlgoId: '77' },
    });
    expect(http.requests.at(-1)?.url).toContain('orderId=77');
  });

  describe('what the venue has made of the targets of an order', () => {
    const leg = (orderId: string, parentOrderLinkId: string, orderStatus: string) => ({
      ...{ ...ROW, orderId, parentOrderLinkId, orderStatus },
      ...{ orderLinkId: '', stopOrderType: 'PartialStopLoss', qty: '0.02' },
    });
    const parent = {
      ...{ instrument: SWAP, clientId: CLIENT_ID, side: SIDE.BUY, targets: {}, since: 1 as Millis },
    };

    test('is everything that names the order, open and ended, each once', async () => {
      const { algos } = connector({
        realtime: list(leg('1', CLIENT_ID, 'Untriggered'), leg('2', 'else', 'Untriggered'), ROW),
        history: list(leg('1', CLIENT_ID, 'Deactivated'), leg('3', CLIENT_ID, 'Filled')),
      });
      const made = await algos.attached?.(CREDENTIALS, parent);
      expect(made).toMatchObject({ ok: true, value: [{ status: 'cancelled' }, { status: 'fired' }] });
    });

    test('is not known while one of the lists is silent', async () => {
      expect(await connector({ realtime: list() }).algos.attached?.(CREDENTIALS, parent)).toMatchObject({
        ok: false,
      });
    });
  });

  const finds: [string, Readonly<Record<string, HttpAnswer>>, string][] = [
    ['among the open ones', { realtime: list(ROW) }, 'found'],
    ['in the history', { realtime: list(), history: list(ROW) }, 'found'],
    ['nowhere', { realtime: list(), history: list() }, 'not-found'],
    ['nowhere, with a silent history', { realtime: list() }, 'unknown'],
    ['another one', { realtime: list({ ...ROW, orderLinkId: 'else' }) }, 'unknown'],
  ];
  test.each(finds)('one that is %s is taken for what it proves', async (_name, answers, outcome) => {
    expect((await connector(answers).algos.find(CREDENTIALS, KEY)).outcome).toBe(outcome);
  });

  test('of all open orders those that wait are these, and the rest are orders', async () => {
    const plain = { ...ROW, orderLinkId: 'plain', stopOrderType: '', orderStatus: 'New' };
    const fired = { ...ROW, orderLinkId: 'fired', orderStatus: 'New' };
    const other = { ...ROW, symbol: 'ETHUSDT' };
    const { algos, trading } = connector({ realtime: list(ROW, plain, fired, other) });
    const waiting = await algos.waiting(CREDENTIALS, [SWAP]);
    expect(waiting).toEqual({ ok: true, value: [STATE] });
    const open = await trading.openOrders(CREDENTIALS, [SWAP]);
    expect(open.ok && open.value.map(({ clientId }) => clientId)).toEqual(['plain', 'fired']);
    expect(await algos.waiting(CREDENTIALS, [])).toEqual({ ok: true, value: [] });
  });

  test.each(['BidirectionalTpslOrder', 'OcoOrder'])(
    'a %s that waits is no open order',
    async (stopOrderType) => {
      const { trading } = connector({ realtime: list({ ...ROW, stopOrderType }) });
      expect(await trading.openOrders(CREDENTIALS, [SWAP])).toEqual({ ok: true, value: [] });
    },
  );
});

test('the stream tells what waits as such, and as an order once it is in the market', () => {
  const { sockets, trading } = scriptedConnector();
  const heard: string[] = [];
  trading.userStream(CREDENTIALS, {
    onOpen: () => undefined,
    onOrder: ({ state }) => heard.push(`order ${state.status}`),
    onAlgo: ({ status, child }: VenueAlgoState) =>
      heard.push(`algo ${status} ${child?.venueOrderId ?? ''}`.trim()),
    onBalances: () => undefined,
    onClosed: () => undefined,
    onMalformed: (why) => heard.push(`malformed ${why}`),
  });
  sockets.newest.open();
  sockets.newest.say({ success: true, ret_msg: '', op: 'auth', conn_id: 'c' });
  sockets.newest.say({ success: true, ret_msg: '', op: 'subscribe', conn_id: 'c', req_id: 'subscribe' });
  const say = (part: object) =>
    sockets.newest.say({
      ...{ id: 'm', topic: 'order', creationTime: 9 },
      data: [{ ...ROW, category: 'spot', stopOrderType: 'tpslOrder', ...part }],
    });
  say({});
  say({ orderStatus: 'Triggered' });
  say({ orderStatus: 'Filled', cumExecQty: '1', cumExecValue: '2' });
  say({ orderStatus: 'Deactivated' });
  say({ orderStatus: 'Asleep' });
  expect(heard).toEqual([
    ...[
      'algo waiting',
      'algo firing',
      'algo fired 77',
      `order ${ORDER_STATUS.FILLED}`,
      'algo cancelled',
      'malformed order',
    ],
  ]);
});
