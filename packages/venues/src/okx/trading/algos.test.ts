import {
  type AlgoPlan,
  amount,
  type Instrument,
  type Millis,
  ORDER_TYPE,
  POSITION_SIDE,
  SIDE,
  TIME_IN_FORCE,
  type VenueAlgoState,
  type VenueClientId,
  type VenueOrderId,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { recordedJson } from '../../conformance/recorded.ts';
import { BTCUSDT, BTCUSDT_PERP } from '../../conformance/sample-instruments.ts';
import type { HttpAnswer, HttpRequest } from '../../transport.ts';
import type { AlgoKey, VenueAlgoRequest, VenueAlgos } from '../../venue-algos.ts';
import type { ContractOrderTerms } from '../../venue-contracts.ts';
import type { UserStreamHandlers } from '../../venue-streams.ts';
import { asArray, asObject } from '../../wire/guards.ts';
import { normaliseAlgo } from '../account/algo-shapes.ts';
import { attachedId } from '../account/attached-id.ts';
import {
  CREDENTIALS,
  okxAnswer,
  okxItemRefusal,
  okxRefusal,
  pathOf,
  scriptedConnector,
} from './scripted-connector.fixture.ts';

/** Algo orders as OKX is asked about them and tells of them (OKX v5 guide, "Algo trading", 2026-11). */

const PAIR: Instrument = { ...BTCUSDT, platform: 2, symbol: 'BTC-USDT' };
const SWAP: Instrument = { ...BTCUSDT_PERP, platform: 2, symbol: 'BTC-USDT-SWAP' };
const OURS = '0190a7b4c2d17e3f8a4b5c6d7e8f9a0b' as VenueClientId;
const ID = '2510789768709120123' as VenueOrderId;

const CLOSING: ContractOrderTerms = {
  ...{ side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross', reduceOnly: true },
};
const at = (price: string, by: 'last' | 'mark' | 'index' = 'last', limit?: string) => ({
  trigger: { price: amount(price), by },
  ...(limit === undefined ? {} : { limit: amount(limit) }),
});
const STOP: AlgoPlan = { kind: 'stop', leg: at('59000', 'mark') };
const TARGET: AlgoPlan = { kind: 'take-profit', leg: at('61000', 'index', '60900') };
const EITHER: AlgoPlan = { kind: 'oco', takeProfit: at('61000', 'last', '60900'), stopLoss: at('59000') };
const TRAIL = { kind: 'trailing', trailing: { by: 'last', ratio: amount('0.015') } } as const;

const asked = (part: Partial<VenueAlgoRequest> = {}): VenueAlgoRequest => ({
  ...{ clientId: OURS, childClientIds: [OURS, OURS], instrument: SWAP, side: SIDE.SELL, plan: STOP },
  ...{ quantity: amount('5'), timeInForce: TIME_IN_FORCE.GTC, contract: CLOSING },
  ...part,
});
/** The same on a pair. */
const paired = (plan: AlgoPlan, part: Partial<VenueAlgoRequest> = {}): VenueAlgoRequest => {
  const { contract: _, ...request } = asked({ instrument: PAIR, plan, ...part });
  return request;
};
const whole = (part: Partial<VenueAlgoRequest> = {}): VenueAlgoRequest => {
  const { quantity: _, ...request } = asked(part);
  return { ...request, whole: true };
};

const ROW = {
  ...{ algoId: ID, algoClOrdId: OURS, instId: 'BTC-USDT-SWAP', instType: 'SWAP', ordType: 'conditional' },
  ...{ state: 'live', ordId: '', ordIdList: [], actualSide: '', failCode: '', cTime: '7', uTime: '9' },
};
const STATE = { clientId: OURS, venueAlgoId: ID, symbol: 'BTC-USDT-SWAP', status: 'waiting', time: 9 };
const ACK = { algoId: ID, algoClOrdId: OURS, clOrdId: '', sCode: '0', sMsg: '', tag: '' };
const KEY: AlgoKey = { instrument: SWAP, clientId: OURS, kind: 'stop' };

function venue(answer: (request: HttpRequest) => HttpAnswer | Promise<never>) {
  const { trading, http, time } = scriptedConnector();
  http.answer = answer as (request: HttpRequest) => HttpAnswer;
  return { algos: trading.algos as VenueAlgos, trading, http, time };
}
const bodyOf = (request: HttpRequest | undefined) => JSON.parse(request?.body ?? 'null') as unknown;
const lost = () => Promise.reject(new Error('reset'));

describe('a placement', () => {
  const net = { instId: 'BTC-USDT-SWAP', side: 'sell', algoClOrdId: OURS, tdMode: 'cross', reduceOnly: true };
  const cash = { instId: 'BTC-USDT', side: 'sell', algoClOrdId: OURS, tdMode: 'cash', sz: '5' };
  const stop = { slTriggerPx: '59000', slOrdPx: '-1' };
  const target = { tpTriggerPx: '61000', tpOrdPx: '60900' };
  const opening: ContractOrderTerms = {
    ...CLOSING,
    reduceOnly: false,
    side: POSITION_SIDE.SHORT,
    positionMode: 'hedge',
  };
  const written: [string, VenueAlgoRequest, object][] = [
    [
      'a stop that reduces',
      asked(),
      { ...net, sz: '5', ordType: 'conditional', ...stop, slTriggerPxType: 'mark' },
    ],
    [
      'a target at a limit',
      asked({ plan: TARGET }),
      { ...net, sz: '5', ordType: 'conditional', ...target, tpTriggerPxType: 'index' },
    ],
    [
      'both, of which one fires',
      asked({ plan: EITHER }),
      {
        ...net,
        sz: '5',
        ordType: 'oco',
        ...target,
        ...stop,
        tpTriggerPxType: 'last',
        slTriggerPxType: 'last',
      },
    ],
    [
      'a trailing stop by a share',
      asked({ plan: { ...TRAIL, trailing: { ...TRAIL.trailing, activation: amount('61000') } } }),
      { ...net, sz: '5', ordType: 'move_order_stop', callbackRatio: '0.015', activePx: '61000' },
    ],
    [
      'a trailing stop by a distance',
      asked({ plan: { kind: 'trailing', trailing: { by: 'last', distance: amount('250.5') } } }),
      { ...net, sz: '5', ordType: 'move_order_stop', callbackSpread: '250.5' },
    ],
    [
      'all of a position',
      whole(),
      { ...net, closeFraction: '1', ordType: 'conditional', ...stop, slTriggerPxType: 'mark' },
    ],
    [
      'a leg in hedge mode',
      asked({ contract: opening }),
      {
        ...{ instId: 'BTC-USDT-SWAP', side: 'sell', algoClOrdId: OURS, tdMode: 'cross', posSide: 'short' },
        ...{ sz: '5', ordType: 'conditional', ...stop, slTriggerPxType: 'mark' },
      },
    ],
    [
      'a sale of a pair',
      paired({ kind: 'stop', leg: at('59000') }),
      { ...cash, ordType: 'conditional', ...stop, slTriggerPxType: 'last' },
    ],
    [
      'a purchase of a pair, counted in base',
      paired({ kind: 'stop', leg: at('59000') }, { side: SIDE.BUY }),
      {
        ...{ ...cash, side: 'buy', tgtCcy: 'base_ccy' },
        ...{ ordType: 'conditional', ...stop, slTriggerPxType: 'last' },
      },
    ],
    [
      'a purchase of a pair at a limit',
      paired({ kind: 'take-profit', leg: at('61000', 'last', '60900') }, { side: SIDE.BUY }),
      { ...cash, side: 'buy', ordType: 'conditional', ...target, tpTriggerPxType: 'last' },
    ],
    [
      'a trailing purchase of a pair',
      paired(TRAIL, { side: SIDE.BUY }),
      {
        ...{ ...cash, side: 'buy', tgtCcy: 'base_ccy' },
        ...{ ordType: 'move_order_stop', callbackRatio: '0.015' },
      },
    ],
  ];
  test.each(written)('of %s is written as the venue knows it', async (_, request, body) => {
    const { algos, http } = venue(() => okxAnswer(ACK));
    const outcome = await algos.place(CREDENTIALS, request);
    expect(outcome).toMatchObject({
      outcome: 'accepted',
      state: { clientId: OURS, venueAlgoId: ID, symbol: request.instrument.symbol, status: 'waiting' },
    });
    expect(http.requests.map(pathOf)).toEqual(['/api/v5/trade/order-algo']);
    expect(bodyOf(http.requests[0])).toEqual(body);
  });

  const strange: [string, VenueAlgoRequest][] = [
    ['a leg that rests', asked({ plan: { kind: 'take-profit', leg: { limit: amount('61000') } } })],
    ['a trailing stop by the mark', asked({ plan: { kind: 'trailing', trailing: { by: 'mark' } } })],
    ['a trailing stop without a way', asked({ plan: { kind: 'trailing', trailing: { by: 'last' } } })],
    ['a limit that does not rest', asked({ plan: TARGET, timeInForce: TIME_IN_FORCE.IOC })],
    ['all of a position at a limit', whole({ plan: TARGET })],
    ['all of a position by a trailing stop', whole({ plan: TRAIL })],
    ['all of a position that might grow', whole({ contract: { ...CLOSING, reduceOnly: false } })],
    ['all of a leg', whole({ contract: { ...CLOSING, side: POSITION_SIDE.LONG, positionMode: 'hedge' } })],
    ['a side that is none of the mode', asked({ contract: { ...CLOSING, side: POSITION_SIDE.LONG } })],
    ['a pair by the mark', paired(STOP)],
    ['a contract without terms', paired(EITHER, { instrument: SWAP })],
  ];
  test.each(strange)('of %s is refused before it is sent', async (_, request) => {
    const { algos, http } = venue(() => okxAnswer(ACK));
    expect(await algos.place(CREDENTIALS, request)).toMatchObject({
      ...{ outcome: 'refused', venueCode: 'LOCAL_NOT_EXPRESSIBLE' },
    });
    expect(http.requests).toEqual([]);
  });

  const answers: [string, () => HttpAnswer | Promise<never>, object][] = [
    [
      'a trigger on the wrong side',
      () => okxItemRefusal('51280'),
      { outcome: 'refused', venueCode: '51280' },
    ],
    ['one beyond the mark', () => okxItemRefusal('51304', '0'), { outcome: 'refused', venueCode: '51304' }],
    ['too many of them', () => okxItemRefusal('51261'), { outcome: 'refused', venueCode: '51261' }],
    ['no connection', lost, { outcome: 'unknown' }],
    ['an id that exists', () => okxItemRefusal('51065'), { outcome: 'unknown' }],
    ['a code that nobody knows', () => okxItemRefusal('57777'), { outcome: 'unknown' }],
    ['an answer about another', () => okxAnswer({ ...ACK, algoClOrdId: 'other' }), { outcome: 'unknown' }],
    ['no answer', () => okxAnswer(), { outcome: 'unknown' }],
  ];
  test.each(answers)('that meets %s comes to what that proves', async (_, answer, outcome) => {
    const { algos } = venue(answer);
    expect(await algos.place(CREDENTIALS, asked())).toMatchObject(outcome);
  });

  test('can arrive as long as its signature is good: nothing else bounds it', async () => {
    const { algos, http, time } = venue(lost);
    const sent = await algos.place(CREDENTIALS, asked());
    if (sent.outcome !== 'unknown') throw new Error('the answer was lost');
    expect(sent.deadlineAt).toBeGreaterThanOrEqual(time.clock() + 30_000);
    expect(http.requests[0]?.headers).not.toHaveProperty('exptime');
  });
});

describe('one that waits', () => {
  test('is changed by its id and the values that change', async () => {
    const { algos, http } = venue(() => okxAnswer({ ...ACK, reqId: '' }));
    const change = {
      quantity: amount('3'),
      takeProfit: { trigger: amount('62000'), limit: amount('61900') },
      stopLoss: { trigger: amount('58000') },
    };
    expect(await algos.amend(CREDENTIALS, KEY, change)).toEqual({ outcome: 'done' });
    expect(
      await algos.amend(CREDENTIALS, { ...KEY, venueAlgoId: ID }, { trailing: { ratio: amount('0.02') } }),
    ).toEqual({ outcome: 'done' });
    expect(http.requests.map(bodyOf)).toEqual([
      {
        ...{ instId: 'BTC-USDT-SWAP', algoClOrdId: OURS, newSz: '3' },
        ...{ newTpTriggerPx: '62000', newTpOrdPx: '61900', newSlTriggerPx: '58000' },
      },
      { instId: 'BTC-USDT-SWAP', algoId: ID, newCallbackRatio: '0.02' },
    ]);
    expect(await algos.amend(CREDENTIALS, KEY, {})).toMatchObject({ outcome: 'refused' });
  });

  test('is cancelled by a list of one, and believed to be once a lookup shows it', async () => {
    const { algos, http } = venue(({ method }) =>
      method === 'POST' ? okxAnswer(ACK) : okxAnswer({ ...ROW, state: 'canceled' }),
    );
    expect(await algos.cancel(CREDENTIALS, { ...KEY, venueAlgoId: ID })).toEqual({ outcome: 'done' });
    expect(bodyOf(http.requests[0])).toEqual([{ instId: 'BTC-USDT-SWAP', algoId: ID }]);
    expect(pathOf(http.requests[1])).toBe(`/api/v5/trade/order-algo?algoId=${ID}`);
  });

  const after: [string, () => HttpAnswer, string][] = [
    ['waits still', () => okxAnswer(ROW), 'unknown'],
    ['fired meanwhile', () => okxAnswer({ ...ROW, state: 'effective', ordId: '77' }), 'gone'],
    ['is not there', () => okxRefusal('51603'), 'gone'],
    ['cannot be looked up', () => okxRefusal('50001', 503), 'unknown'],
  ];
  test.each(after)(
    'whose cancel was taken and which %s is not called cancelled',
    async (_, found, outcome) => {
      const { algos } = venue(({ method }) => (method === 'POST' ? okxAnswer(ACK) : found()));
      expect((await algos.cancel(CREDENTIALS, KEY)).outcome).toBe(outcome);
    },
  );

  const refusals: [string, string][] = [
    ['51400', 'gone'],
    ['51416', 'gone'],
    ['51503', 'gone'],
    ['51280', 'refused'],
    ['57777', 'unknown'],
  ];
  test.each(refusals)('answered with %s is %s', async (code, outcome) => {
    const { algos } = venue(() => okxItemRefusal(code));
    expect((await algos.cancel(CREDENTIALS, KEY)).outcome).toBe(outcome);
    const changed = await algos.amend(CREDENTIALS, KEY, { quantity: amount('1') });
    expect(changed.outcome).toBe(outcome);
  });

  const found: [string, () => HttpAnswer | Promise<never>, object][] = [
    ['is told', () => okxAnswer(ROW), { outcome: 'found', value: STATE }],
    ['is proved absent', () => okxRefusal('51603'), { outcome: 'not-found' }],
    ['is another', () => okxAnswer({ ...ROW, algoClOrdId: 'other' }), { outcome: 'unknown' }],
    ['is of another market', () => okxAnswer({ ...ROW, instId: 'BTC-USDT' }), { outcome: 'unknown' }],
    ['is told by nobody', lost, { outcome: 'unknown' }],
  ];
  test.each(found)('and that is looked up %s', async (_, answer, outcome) => {
    const { algos, http } = venue(answer);
    expect(await algos.find(CREDENTIALS, KEY)).toMatchObject(outcome);
    expect(http.requests.map(pathOf)).toEqual([`/api/v5/trade/order-algo?algoClOrdId=${OURS}`]);
  });

  test('is listed with all of its kind, page by page, and those of other markets are left out', async () => {
    const rows = Array.from({ length: 130 }, (_, index) => ({ ...ROW, algoId: String(1_000 - index) }));
    const { algos, http } = venue(({ url }) => {
      if (url.includes('iceberg') || url.includes('trigger')) return okxAnswer();
      if (url.includes('move_order_stop')) return okxAnswer({ ...ROW, instId: 'ETH-USDT-SWAP' });
      return okxAnswer(...(url.includes('after=901') ? rows.slice(100) : rows.slice(0, 100)));
    });
    const listed = await algos.waiting(CREDENTIALS, [SWAP, PAIR]);
    if (!listed.ok) throw new Error(listed.code);
    expect(listed.value.map(({ venueAlgoId }) => venueAlgoId)).toEqual(rows.map(({ algoId }) => algoId));
    const pages = http.requests.map((request) => pathOf(request).split('?')[1]);
    expect(pages).toEqual([
      'ordType=conditional%2Coco&limit=100',
      'ordType=conditional%2Coco&limit=100&after=901',
      'ordType=move_order_stop&limit=100',
      'ordType=iceberg&limit=100',
      'ordType=trigger&limit=100',
    ]);
    await algos.waiting(CREDENTIALS, [SWAP]);
    expect(pathOf(http.requests.at(-1))).toContain('instId=BTC-USDT-SWAP');
    const circle = venue(() => okxAnswer(...rows.slice(0, 100)));
    expect(await circle.algos.waiting(CREDENTIALS, [SWAP])).toMatchObject({ ok: false, code: 'malformed' });
  });
});

describe('what the venue tells of it', () => {
  const states: [string, object, Partial<VenueAlgoState> | undefined][] = [
    ['waiting', {}, {}],
    ['paused', { state: 'pause' }, {}],
    ['fired, the order not named yet', { state: 'effective' }, { status: 'firing' }],
    [
      'fired',
      { state: 'effective', ordIdList: ['77'], ordId: '77', actualSide: 'sl' },
      { status: 'fired', child: { venueOrderId: '77' as VenueOrderId } },
    ],
    [
      'the take profit of two',
      { ordType: 'oco', state: 'effective', ordId: '77', actualSide: 'tp' },
      { status: 'fired', child: { venueOrderId: '77' as VenueOrderId, leg: 'take-profit' } },
    ],
    [
      'refused as it fired',
      { state: 'order_failed', failCode: '51008' },
      { status: 'refused', reason: '51008' },
    ],
    ['cancelled', { state: 'canceled' }, { status: 'cancelled' }],
    ['attached to an order of ours', { algoClOrdId: attachedId(OURS) }, { parent: OURS }],
    [
      'the third target of one',
      { algoClOrdId: attachedId(OURS, 3), sz: '2' },
      { parent: OURS, leg: 'take-profit', part: 3, quantity: amount('2') },
    ],
    ['of nobody', { algoClOrdId: '' }, {}],
    ['without the time of its change', { uTime: '' }, { time: 7 as Millis }],
    ['of so many contracts', { sz: '5' }, { quantity: amount('5') }],
    ['in a state that is none', { state: 'dreaming' }, undefined],
    ['without its number', { algoId: '' }, undefined],
    ['without any time', { uTime: '', cTime: '' }, undefined],
  ];
  test.each(states)('a row of one that is %s is read', (_, part, expected) => {
    const clientId = (part as { algoClOrdId?: string }).algoClOrdId ?? OURS;
    expect(normaliseAlgo({ ...ROW, ...part })).toEqual(expected && { ...STATE, clientId, ...expected });
  });

  const history = ['http_get_orders_algo_history', 'http_get_orders_algo_pending_attached_oco'].map((name) =>
    asObject(asArray(asObject(recordedJson(`nautilus/okx/${name}.json`))?.data)?.[0]),
  );
  test.skipIf(history.includes(undefined))('recorded rows are read, their made-up ids replaced', () => {
    const read = history.map((row) => normaliseAlgo({ ...row, algoId: '1', ordId: row?.ordId && '2' }));
    expect(read).toMatchObject([
      { symbol: 'ETH-USDT-SWAP', status: 'fired', child: { venueOrderId: '2' }, time: 1_622_559_940_237 },
      { symbol: 'ETH-USDT-SWAP', status: 'waiting', clientId: 'O-attached-oco' },
    ]);
  });
});

describe('the stream of algo orders', () => {
  function followed(onAlgo?: UserStreamHandlers['onAlgo']) {
    const all = scriptedConnector();
    const reported: string[] = [];
    const stream = all.trading.userStream(CREDENTIALS, {
      onOpen: () => reported.push('open'),
      onOrder: () => undefined,
      onBalances: () => undefined,
      onClosed: (why) => reported.push(`closed: ${why}`),
      onMalformed: (why) => reported.push(`malformed: ${why}`),
      ...(onAlgo === undefined ? {} : { onAlgo }),
    });
    return { ...all, reported, stream };
  }
  const logOnAll = (peer: ReturnType<typeof followed>['sockets']['newest']) => {
    peer.open();
    peer.say({ event: 'login', code: '0', msg: '' });
    const { args } = JSON.parse(peer.heard.at(-1) ?? '{}') as { args: object[] };
    for (const arg of args) peer.say({ id: 'subscribe', event: 'subscribe', arg });
    return args;
  };

  test('is the business socket, which nobody opens who does not listen', () => {
    expect(followed().sockets.peers.map(({ url }) => url)).toEqual(['ws://venue/ws/v5/private']);
    const { sockets } = followed(() => undefined);
    expect(sockets.peers.map(({ url }) => url)).toEqual([
      ...['ws://venue/ws/v5/private', 'ws://venue/ws/v5/business'],
    ]);
    expect(logOnAll(sockets.newest)).toEqual([
      { channel: 'orders-algo', instType: 'SPOT' },
      // Icebergs and trailing orders.
      { channel: 'algo-advance', instType: 'SPOT' },
    ]);
  });

  test('is open with the other one, tells what comes, and opens anew after it was gone', () => {
    const states: VenueAlgoState[] = [];
    const { sockets, time, reported, stream } = followed((state) => states.push(state));
    const [account, business] = sockets.peers;
    if (account === undefined || business === undefined) throw new Error('two sockets were to open');
    logOnAll(account);
    expect(reported).toEqual([]);
    logOnAll(business);
    const pair = { ...ROW, instType: 'SPOT', instId: 'BTC-USDT' };
    const arg = { channel: 'orders-algo', instType: 'SPOT', uid: '1' };
    business.say({ arg, data: [pair, { ...pair, state: 'dreaming' }] });
    expect(states).toEqual([{ ...STATE, symbol: 'BTC-USDT' }]);
    business.drop();
    time.advance(250);
    logOnAll(sockets.newest);
    expect(reported).toEqual(['open', 'malformed: orders-algo', 'closed: reset', 'open']);
    stream.close();
    expect([account, sockets.newest].map(({ closedByClient }) => closedByClient)).toEqual([true, true]);
  });
});

describe('what an order brings with it', () => {
  const order = (part: object) => ({
    ...{ clientId: OURS, instrument: SWAP, side: SIDE.BUY, type: ORDER_TYPE.LIMIT },
    ...{ timeInForce: TIME_IN_FORCE.GTC, price: amount('60000'), quantity: amount('5') },
    ...{ contract: { ...CLOSING, reduceOnly: false }, ...part },
  });

  test('is attached under a name of its own', async () => {
    const { trading, http } = venue(() => okxAnswer({ ordId: '77', clOrdId: OURS, sCode: '0', ts: '9' }));
    const attached = { takeProfit: at('61000', 'mark'), stopLoss: at('59000', 'mark', '58900') };
    const sent = await trading.place(CREDENTIALS, order({ attached }));
    expect(sent.outcome).toBe('accepted');
    const legs = {
      ...{ tpTriggerPx: '61000', tpTriggerPxType: 'mark', tpOrdPx: '-1' },
      ...{ slTriggerPx: '59000', slTriggerPxType: 'mark', slOrdPx: '58900' },
    };
    expect(bodyOf(http.requests[0])).toMatchObject({
      clOrdId: OURS,
      attachAlgoOrds: [{ attachAlgoClOrdId: attachedId(OURS), ...legs }],
    });
  });

  describe('with a buy of a pair', () => {
    const LEG = 'c0de' as VenueClientId;
    const [up, down] = [at('61000', 'last'), at('59000', 'last', '58900')];
    const [takes, stops] = [
      { tpTriggerPx: '61000', tpTriggerPxType: 'last', tpOrdPx: '-1' },
      { slTriggerPx: '59000', slTriggerPxType: 'last', slOrdPx: '58900' },
    ];
    const both = { kind: 'oco', takeProfit: up, stopLoss: down } as const;
    const { contract: _none, ...bid } = order({ instrument: { ...BTCUSDT, symbol: 'BTC-USDT' } });
    const { price: _price, ...market } = { ...bid, type: ORDER_TYPE.MARKET };
    const { quantity: _size, ...money } = { ...market, quoteQuantity: amount('200') };
    const behind = { clientId: LEG, childClientIds: [LEG, LEG], side: SIDE.SELL } as const;
    const send = async (asked: object, listed: object) => {
      const { trading, http } = venue(() => okxAnswer({ ordId: '77', clOrdId: OURS, sCode: '0', ts: '9' }));
      const brought = { ...behind, timeInForce: TIME_IN_FORCE.GTC, ...listed };
      const sent = await trading.place(CREDENTIALS, { ...asked, listed: brought } as never);
      return { sent, requests: http.requests };
    };

    test.each([
      ['both', bid, both, { ...takes, ...stops }],
      ['a target', bid, { kind: 'take-profit', leg: up }, takes],
      ['a stop', bid, { kind: 'stop', leg: down }, stops],
      ['both, at market', market, both, { ...takes, ...stops }],
      ['both, for so much money', money, both, { ...takes, ...stops }],
    ] as const)('%s, under an id of ours and without a size', async (_name, asked, plan, legs) => {
      const { sent, requests } = await send(asked, { plan });
      expect(sent.outcome).toBe('accepted');
      expect(bodyOf(requests[0])).toMatchObject({ attachAlgoOrds: [{ attachAlgoClOrdId: LEG, ...legs }] });
    });

    test.each([
      ['a size', { plan: both, quantity: amount('1') }],
      ['the mark', { plan: { kind: 'stop', leg: at('59000', 'mark') } }],
      ['a target that rests', { plan: { kind: 'take-profit', leg: { limit: amount('61000') } } }],
      ['a limit that is not for good', { plan: both, timeInForce: TIME_IN_FORCE.IOC }],
      ['a trailing stop', { plan: { kind: 'trailing', trailing: { by: 'last', ratio: amount('0.1') } } }],
    ])('%s has no words there, and nothing is sent', async (_name, listed) => {
      const { sent, requests } = await send(bid, listed);
      expect([sent.outcome, requests]).toEqual(['refused', []]);
    });
  });

  test.each([
    ['a leg that rests', { attached: { takeProfit: { limit: amount('61000') } } }],
    ['nothing', { attached: {} }],
    ['a pair', { attached: { stopLoss: at('59000') }, instrument: PAIR }],
  ])('is refused before it is sent where it is %s', async (_, part) => {
    const { trading, http } = venue(() => okxAnswer());
    expect(await trading.place(CREDENTIALS, order(part))).toMatchObject({ outcome: 'refused' });
    expect(http.requests).toEqual([]);
  });
});
