import {
  amount,
  type Instrument,
  type Millis,
  ORDER_TYPE,
  type OrderTargets,
  POSITION_SIDE,
  SIDE,
  TIME_IN_FORCE,
  type VenueClientId,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BTCUSDT, BTCUSDT_PERP } from '../../conformance/sample-instruments.ts';
import type { HttpAnswer, HttpRequest } from '../../transport.ts';
import type { VenueAlgos } from '../../venue-algos.ts';
import type { VenueOrderRequest } from '../../venue-orders.ts';
import { attachedId, PARTS_MAX } from '../account/attached-id.ts';
import { OKX_PROFILE } from '../profile.ts';
import {
  CREDENTIALS,
  okxAnswer,
  okxItemRefusal,
  okxRefusal,
  pathOf,
  scriptedConnector,
} from './scripted-connector.fixture.ts';

/** Take-profits, a stop and a trailing stop that come with an order on a contract (OKX v5 guide, "Place order", attachAlgoOrds). */

const SWAP: Instrument = { ...BTCUSDT_PERP, platform: 2, symbol: 'BTC-USDT-SWAP' };
const PAIR: Instrument = { ...BTCUSDT, platform: 2, symbol: 'BTC-USDT' };
const OURS = '0190a7b4c2d17e3f8a4b5c6d7e8f9a0b' as VenueClientId;
const ROW = {
  ...{ algoId: '25', instId: 'BTC-USDT-SWAP', instType: 'SWAP', ordType: 'conditional', state: 'live' },
  ...{ ordId: '', ordIdList: [], actualSide: '', failCode: '', cTime: '7', uTime: '9' },
};
const at = (price: string) => ({ trigger: { price: amount(price), by: 'mark' as const } });
const part = (price: string, quantity: string) => ({ ...at(price), quantity: amount(quantity) });
const STOP = { ...at('59000'), limit: amount('58900') };
const THREE = [part('61000', '1'), part('62000', '1.5'), part('63000', '2.5')];

function venue(answer: (request: HttpRequest) => HttpAnswer | Promise<never>) {
  const { trading, http } = scriptedConnector();
  http.answer = answer as (request: HttpRequest) => HttpAnswer;
  return { algos: trading.algos as VenueAlgos, trading, http };
}
const order = (attached: OrderTargets, more: object = {}): VenueOrderRequest => ({
  ...{ clientId: OURS, instrument: SWAP, side: SIDE.BUY, type: ORDER_TYPE.LIMIT, attached },
  ...{ timeInForce: TIME_IN_FORCE.GTC, price: amount('60000'), quantity: amount('5') },
  contract: {
    ...{ side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross', reduceOnly: false },
  },
  ...more,
});

test('as many are offered as have names', () => {
  expect(OKX_PROFILE.trading.algos.SWAP).toMatchObject({ targetsMax: PARTS_MAX, attachedTrails: true });
});

const target = (name: number, price: string, sz: string) => ({
  attachAlgoClOrdId: attachedId(OURS, name),
  ...{ tpTriggerPx: price, tpTriggerPxType: 'mark', tpOrdPx: '-1', sz },
});
const stop = {
  attachAlgoClOrdId: attachedId(OURS),
  ...{ slTriggerPx: '59000', slTriggerPxType: 'mark', slOrdPx: '58900' },
};
const ten = Array.from({ length: 10 }, (_, index) => part(String(61_000 + index), '0.5'));
test.each<[string, OrderTargets, object[]]>([
  [
    'several take-profits and a stop',
    { takeProfits: THREE, stopLoss: STOP },
    [target(1, '61000', '1'), target(2, '62000', '1.5'), target(3, '63000', '2.5'), stop],
  ],
  ['ten', { takeProfits: ten }, ten.map((_, index) => target(index + 1, String(61_000 + index), '0.5'))],
  [
    'a trailing stop by a ratio',
    { trailing: { ratio: amount('0.015'), activation: amount('60500'), by: 'last' } },
    [{ attachAlgoClOrdId: attachedId(OURS), callbackRatio: '0.015', activePx: '60500' }],
  ],
  [
    'a trailing stop by a distance',
    { trailing: { distance: amount('50'), by: 'last' } },
    [{ attachAlgoClOrdId: attachedId(OURS), callbackSpread: '50' }],
  ],
  [
    'one take-profit and a stop, in one entry',
    { takeProfit: at('61000'), stopLoss: STOP },
    [{ ...stop, tpTriggerPx: '61000', tpTriggerPxType: 'mark', tpOrdPx: '-1' }],
  ],
])('%s: every entry under a name of its own, and nothing else is said', async (_, attached, entries) => {
  const { trading, http } = venue(() => okxAnswer({ ordId: '77', clOrdId: OURS, sCode: '0', ts: '9' }));
  expect(await trading.place(CREDENTIALS, order(attached))).toMatchObject({ outcome: 'accepted' });
  expect(JSON.parse(http.requests[0]?.body ?? '{}')).toMatchObject({ sz: '5' });
  expect(JSON.parse(http.requests[0]?.body ?? '{}').attachAlgoOrds).toEqual(entries);
});

describe('is refused before it is sent where it brings', () => {
  const trailing = { ratio: amount('0.01'), by: 'last' } as const;
  test.each<[string, OrderTargets, object]>([
    ['nothing', {}, {}],
    ['no target', { takeProfits: [] }, {}],
    ['one of several', { takeProfits: THREE.slice(0, 1) }, {}],
    ['eleven', { takeProfits: [...ten, part('62000', '1')] }, {}],
    ['several beside one', { takeProfits: THREE, takeProfit: at('64000') }, {}],
    ['several and a stop without a trigger', { takeProfits: THREE, stopLoss: { limit: amount('1') } }, {}],
    ['a trailing stop beside a stop', { trailing, stopLoss: STOP }, {}],
    ['a trailing stop beside a target', { trailing, takeProfit: at('61000') }, {}],
    ['a trailing stop beside several', { trailing, takeProfits: THREE }, {}],
    ['a trailing stop that follows the mark', { trailing: { ...trailing, by: 'mark' } }, {}],
    ['a trailing stop by nothing', { trailing: { by: 'last' } as never }, {}],
    ['several on a pair', { takeProfits: THREE }, { instrument: PAIR, contract: undefined }],
    ['a trailing stop on a pair', { trailing }, { instrument: PAIR, contract: undefined }],
  ])('%s', async (_, attached, more) => {
    const { trading, http } = venue(() => okxAnswer());
    expect(await trading.place(CREDENTIALS, order(attached, more))).toMatchObject({ outcome: 'refused' });
    expect(http.requests).toEqual([]);
  });
});

test.each(['51079', '51080', '51081', '51082', '51083', '51084', '51089'])(
  'what the venue refuses of several by %s has no effect, and says why',
  async (code) => {
    const { trading } = venue(() => okxItemRefusal(code));
    const sent = await trading.place(CREDENTIALS, order({ takeProfits: THREE }));
    expect(sent).toMatchObject({ outcome: 'refused', venueCode: code, message: 'refused' });
  },
);

describe('what the venue has made of it', () => {
  const lost = () => Promise.reject(new Error('reset'));
  type Answers = Readonly<Record<string, () => HttpAnswer | Promise<never>>>;
  const listOf = 'ordType=conditional,oco&instType=SWAP&instId=BTC-USDT-SWAP&limit=100';
  const PENDING = `/api/v5/trade/orders-algo-pending?${listOf}`;
  const find = (name: number) => `/api/v5/trade/order-algo?algoClOrdId=${attachedId(OURS, name)}`;
  const named = (name: number, more: object = {}) => ({
    ...{ ...ROW, algoId: `25${name}`, algoClOrdId: attachedId(OURS, name), sz: '2' },
    ...more,
  });
  const asked = (request: HttpRequest) => decodeURIComponent(pathOf(request));
  const read = async (targets: OrderTargets, answers: Answers) => {
    const { algos, http } = venue((request) => answers[asked(request)]?.() ?? okxRefusal('51603'));
    const parent = { instrument: SWAP, clientId: OURS, targets, since: 1 as Millis };
    const made = await algos.attached?.(CREDENTIALS, parent);
    return { made, requests: http.requests.map(asked) };
  };

  const ONE = { takeProfit: at('61000'), stopLoss: STOP };
  const TRAIL = { trailing: { ratio: amount('0.01'), by: 'last' } } as const;
  test.each([
    ['one entry', ONE],
    ['a trailing stop', TRAIL],
  ])('of %s is read by its name alone', async (_, targets) => {
    const { made, requests } = await read(targets, { [find(0)]: () => okxAnswer(named(0)) });
    expect(made).toEqual({
      ok: true,
      value: [expect.objectContaining({ parent: OURS, venueAlgoId: '250', quantity: amount('2') })],
    });
    expect(made?.ok && made.value[0]).not.toHaveProperty('leg');
    expect(made?.ok && made.value[0]).not.toHaveProperty('part');
    expect(requests).toEqual([find(0)]);
    expect((await read(targets, {})).made).toEqual({ ok: true, value: [] });
    expect((await read(targets, { [find(0)]: lost })).made).toMatchObject({ ok: false });
  });

  test('of one entry that is over nothing follows', async () => {
    const fired = () => okxAnswer(named(0, { state: 'effective', ordId: '77' }));
    const { made, requests } = await read(ONE, { [find(0)]: fired });
    expect(made).toMatchObject({ ok: true, value: [{ status: 'fired', child: { venueOrderId: '77' } }] });
    expect(requests).toEqual([find(0)]);
  });

  const SEVERAL = { takeProfits: THREE, stopLoss: STOP };
  const target = (number: number) => ({ parent: OURS, leg: 'take-profit', part: number });
  test('of several, all waiting, is read by one list, whoever else has rows there', async () => {
    const strange = { ...ROW, algoId: '9', algoClOrdId: '' };
    const another = named(1, { algoId: '8', algoClOrdId: attachedId(OURS, 4) });
    const rows = () => okxAnswer(named(0), strange, named(3), named(2), another, named(1));
    const { made, requests } = await read(SEVERAL, { [PENDING]: rows });
    expect(made).toMatchObject({
      ok: true,
      value: [target(1), target(2), target(3), { parent: OURS, leg: 'stop-loss' }],
    });
    expect(made?.ok && made.value.map(({ venueAlgoId }) => venueAlgoId)).toEqual([
      '251',
      '252',
      '253',
      '250',
    ]);
    expect(made?.ok && made.value[3]).not.toHaveProperty('part');
    expect(requests).toEqual([PENDING]);
  });

  test('of several, some over: each that does not wait is read by its name', async () => {
    const fired = () => okxAnswer(named(1, { state: 'effective', ordId: '77', uTime: '12' }));
    const { made, requests } = await read(SEVERAL, {
      [PENDING]: () => okxAnswer(named(2)),
      [find(1)]: fired,
      [find(0)]: () => okxAnswer(named(0, { state: 'canceled' })),
    });
    expect(made).toMatchObject({
      ok: true,
      value: [
        { ...target(1), status: 'fired', child: { venueOrderId: '77' } },
        { ...target(2), status: 'waiting' },
        { leg: 'stop-loss', status: 'cancelled' },
      ],
    });
    expect(requests).toEqual([PENDING, find(1), find(3), find(0)]);
  });

  test('of several without a stop no stop is asked for', async () => {
    const { made, requests } = await read({ takeProfits: THREE }, { [PENDING]: () => okxAnswer() });
    expect(made).toEqual({ ok: true, value: [] });
    expect(requests).toEqual([PENDING, find(1), find(2), find(3)]);
  });

  test.each<[string, Answers]>([
    ['the list is refused', { [PENDING]: () => okxRefusal('50001', 503) }],
    ['a row of the list is none', { [PENDING]: () => okxAnswer(named(1, { state: 'dreaming' })) }],
    ['a lookup is lost', { [PENDING]: () => okxAnswer(named(1), named(2)), [find(3)]: lost }],
    ['a lookup answers of another', { [PENDING]: () => okxAnswer(), [find(1)]: () => okxAnswer(named(2)) }],
  ])('nothing is known where %s', async (_, answers) => {
    expect((await read(SEVERAL, { [PENDING]: () => okxAnswer(), ...answers })).made).toMatchObject({
      ok: false,
    });
  });
});
