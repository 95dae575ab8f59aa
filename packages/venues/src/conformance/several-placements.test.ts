import {
  amount,
  type Instrument,
  ORDER_STATUS,
  ORDER_TYPE,
  POSITION_SIDE,
  SIDE,
  TIME_IN_FORCE,
  type VenueClientId,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import type { VenueArbiter } from '../arbiter/venue-arbiter.ts';
import * as binance from '../binance/account/errors.ts';
import { ORDER as BINANCE_ORDER } from '../binance/perps/trading/messages.fixture.ts';
import * as bybit from '../bybit/account/errors.ts';
import { ORDER as BYBIT_ORDER } from '../bybit/perps/trading/messages.fixture.ts';
import * as okx from '../okx/account/errors.ts';
import { BTC_USDT, BTC_USDT_SWAP } from '../okx/market/sample-instruments.fixture.ts';
import { ORDER as OKX_ORDER } from '../okx/perps/trading/messages.fixture.ts';
import { VENUE_PROFILES } from '../profiles.ts';
import { okAnswer } from '../trading/scripted-transport.fixture.ts';
import type { HttpAnswer, HttpRequest } from '../transport.ts';
import type { SendOutcome, VenueOrderRequest } from '../venue-orders.ts';
import { openVenue } from './opened-venue.fixture.ts';
import { BTCUSDT, BTCUSDT_PERP } from './sample-instruments.ts';
import { Witness } from './witness.fixture.ts';

/**
 * What becomes of one order of a call that places several: taken; refused with a code; the answer speaks of another order in its
 * place; it says nothing of it.
 */
type Fate = 'taken' | 'other' | 'missing' | { readonly code: string | number; readonly text?: string };

/** A market whose exchange places several by one call: how the call is written, and its documented answer. */
interface BatchKit {
  readonly name: string;
  readonly instrument: Instrument;
  readonly path: string;
  open(arbiter?: VenueArbiter): ReturnType<typeof openVenue>;
  /** The orders that a request names, each with its id first, and what it says besides. */
  written(request: HttpRequest): { readonly orders: readonly object[]; readonly besides: object };
  /** One order as it is to be written. */
  order(id: string): object;
  readonly besides: object;
  /** What it counts as before the arbiter, for as many orders as one call takes. */
  weights(orders: number): readonly number[];
  answer(request: HttpRequest, fates: readonly Fate[]): HttpAnswer;
  /** The list of open orders with these, each with so much executed; absent where the answer tells what was executed. */
  list?(orders: readonly { readonly id: string; readonly executed: string }[]): HttpAnswer;
  readonly definitive: readonly (string | number)[];
  /** Codes that prove nothing: an id that exists, a time-out, one that no document has. */
  readonly ambiguous: readonly (string | number)[];
}

const CREDENTIALS = { apiKey: 'key', secret: 'secret', passphrase: 'passphrase' };
const idOf = (at: number): string => `0190f3a0c0de7abc8def${String(at).padStart(12, '0')}`;
const isCoded = (fate: Fate): fate is Exclude<Fate, string> => typeof fate === 'object';

/** USD-M, "Place Multiple Orders": orders, and errors at the places of those that were refused. */
const BINANCE: BatchKit = {
  name: 'Binance contracts',
  instrument: BTCUSDT_PERP,
  path: '/fapi/v1/batchOrders',
  open: (arbiter) => openVenue('binance', arbiter),
  written({ method, body }) {
    const form = new URLSearchParams(body);
    return { orders: JSON.parse(form.get('batchOrders') ?? '[]') as object[], besides: { method } };
  },
  order: (id) => ({
    ...{ symbol: 'BTCUSDT', side: 'BUY', positionSide: 'BOTH', quantity: '0.5', newClientOrderId: id },
    ...{ newOrderRespType: 'RESULT', type: 'LIMIT', timeInForce: 'GTC', price: '61000' },
  }),
  besides: { method: 'POST' },
  // Of the address, of ten seconds, of a minute.
  weights: () => [5, 5, 5],
  answer: (_request, fates) =>
    okAnswer(
      fates.flatMap((fate, at): object[] => {
        if (fate === 'missing') return [];
        if (isCoded(fate)) return [{ code: fate.code, msg: fate.text ?? 'so' }];
        return [{ ...BINANCE_ORDER, clientOrderId: fate === 'taken' ? idOf(at) : idOf(99) }];
      }),
    ),
  definitive: [...binance.DEFINITIVE.keys(), ...binance.DEFINITIVE_ON_CONTRACTS.keys()],
  ambiguous: [-1000, -1006, -1007, -1008, -99_999],
};

/** OKX v5 guide, "Place multiple orders": a row of each with a code of its own, below 1 or 2 where not all were taken. */
function okxKit(instrument: Instrument, name: string): BatchKit {
  const instId = instrument.symbol;
  return {
    ...{ name, instrument, path: '/api/v5/trade/batch-orders' },
    open: (arbiter) => openVenue('okx', arbiter),
    written: ({ method, headers, body }) => ({
      orders: JSON.parse(body ?? '[]') as object[],
      besides: { method, expires: 'exptime' in headers },
    }),
    order: (id) => ({
      instId,
      ...(instrument.symbolType === 'SPOT' ? { tdMode: 'cash' } : { tdMode: 'cross' }),
      ...{ side: 'buy', clOrdId: id, ordType: 'limit', sz: '0.5', px: '61000' },
    }),
    besides: { method: 'POST', expires: true },
    // Of the instrument, and of all orders of the account.
    weights: (orders) => [orders, orders],
    answer(_request, fates) {
      const rows = fates.flatMap((fate, at) => {
        if (fate === 'missing') return [];
        const clOrdId = fate === 'other' ? idOf(99) : idOf(at);
        return isCoded(fate)
          ? [{ clOrdId, ordId: '', ts: '1', sCode: fate.code, sMsg: fate.text ?? 'so' }]
          : [{ clOrdId, ordId: '77', ts: '1', sCode: '0', sMsg: '' }];
      });
      const failed = rows.filter(({ sCode }) => sCode !== '0').length;
      const code = failed === 0 ? '0' : failed === rows.length ? '1' : '2';
      return okAnswer({ code, msg: '', data: rows });
    },
    list: (orders) =>
      okAnswer({
        ...{ code: '0', msg: '' },
        data: orders.map(({ id, executed }) => ({
          ...{ ...OKX_ORDER, instType: instrument.symbolType, instId, clOrdId: id, ordId: '77' },
          ...{ state: executed === '0' ? 'live' : 'partially_filled', accFillSz: executed },
        })),
      }),
    definitive: [...okx.DEFINITIVE],
    ambiguous: ['1', '2', '50001', '50004', '50013', '50026', '51011', '51016', '51054', '51149', '59999'],
  };
}

/** bybit-exchange/docs v5, order/batch-place: rows, and their codes in `retExtInfo`, both in the order of the request. */
function bybitKit(instrument: Instrument, name: string): BatchKit {
  const category = instrument.symbolType === 'SPOT' ? 'spot' : 'linear';
  return {
    ...{ name, instrument: { ...instrument, platform: 3 }, path: '/v5/order/create-batch' },
    open: (arbiter) => openVenue('bybit', arbiter),
    written({ method, body }) {
      const { request = [], ...besides } = JSON.parse(body ?? '{}') as { request?: object[] };
      return { orders: request, besides: { method, ...besides } };
    },
    order: (id) => ({
      ...{ symbol: 'BTCUSDT', side: 'Buy', orderLinkId: id },
      ...(category === 'spot' ? { orderFilter: 'Order', isLeverage: 0 } : { positionIdx: 0 }),
      ...{ qty: '0.5', orderType: 'Limit', price: '61000', timeInForce: 'GTC' },
    }),
    besides: { method: 'POST', category },
    weights: (orders) => [orders, 1],
    answer(_request, fates) {
      const said = fates.filter((fate) => fate !== 'missing');
      const row = { category, symbol: 'BTCUSDT', createAt: '', orderId: '', orderLinkId: '' };
      return okAnswer({
        ...{ retCode: 0, retMsg: 'OK', time: 1 },
        result: {
          list: said.map((fate, at) =>
            isCoded(fate)
              ? row
              : { ...row, orderId: '77', orderLinkId: fate === 'taken' ? idOf(at) : idOf(99) },
          ),
        },
        retExtInfo: {
          list: said.map((fate) =>
            isCoded(fate) ? { code: fate.code, msg: fate.text ?? 'so' } : { code: 0, msg: 'OK' },
          ),
        },
      });
    },
    list: (orders) =>
      okAnswer({
        ...{ retCode: 0, retMsg: 'OK', retExtInfo: {}, time: 1 },
        result: {
          list: orders.map(({ id, executed }) => ({
            ...{ ...BYBIT_ORDER, category, orderLinkId: id, orderId: '77', cumExecQty: executed },
            cumExecValue: executed === '0' ? '0' : '6100',
            orderStatus: executed === '0' ? 'New' : 'PartiallyFilled',
          })),
        },
      }),
    definitive: [...bybit.DEFINITIVE.keys()],
    ambiguous: [10_000, 10_007, 10_014, 10_016, 10_019, 110_072, 170_141, 170_007, 99_999],
  };
}

const KITS: readonly BatchKit[] = [
  BINANCE,
  okxKit(BTC_USDT, 'OKX pairs'),
  okxKit(BTC_USDT_SWAP, 'OKX contracts'),
  bybitKit(BTCUSDT, 'Bybit pairs'),
  bybitKit(BTCUSDT_PERP, 'Bybit contracts'),
];

const ofContracts = { side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross' } as const;

describe.each(KITS)('$name', (kit) => {
  const { instrument } = kit;
  const requestsOf = (orders: number, part: Partial<VenueOrderRequest> = {}): VenueOrderRequest[] =>
    Array.from({ length: orders }, (_order, at) => ({
      ...{ clientId: idOf(at) as VenueClientId, instrument, side: SIDE.BUY, type: ORDER_TYPE.LIMIT },
      ...{ timeInForce: TIME_IN_FORCE.GTC, price: amount('61000'), quantity: amount('0.5') },
      ...(instrument.symbolType === 'SPOT' ? {} : { contract: { ...ofContracts, reduceOnly: false } }),
      ...part,
    }));

  const SILENT: HttpAnswer = { status: 502, headers: {}, text: '' };
  const isPlacing = ({ url }: HttpRequest): boolean => new URL(url).pathname === kit.path;

  async function place(fates: readonly Fate[], list = SILENT) {
    const { trading, http, asked } = kit.open();
    http.answer = (request) => (isPlacing(request) ? kit.answer(request, fates) : list);
    const outcomes = await trading.placeSeveral(CREDENTIALS, requestsOf(fates.length));
    trading.close();
    return {
      outcomes,
      requests: asked().filter(isPlacing),
      others: asked().filter((one) => !isPlacing(one)),
    };
  }
  const outcomesOf = async (fates: readonly Fate[]) =>
    (await place(fates)).outcomes.map(({ outcome }) => outcome);

  const atOnce = VENUE_PROFILES[instrument.platform].trading.placesAtOnce[instrument.symbolType];

  test('its profile says so, and no other market has such a call', () => {
    const has = Object.values(VENUE_PROFILES).flatMap(({ platform, trading }) =>
      (['SPOT', 'SWAP'] as const)
        .filter((symbolType) => trading.placesAtOnce[symbolType] > 1)
        .map((symbolType) => `${platform} ${symbolType}`),
    );
    expect(has).toEqual(KITS.map((one) => `${one.instrument.platform} ${one.instrument.symbolType}`));
  });

  test('one call names each order as it is; it is sent once, and what it executed is not said', async () => {
    const { outcomes, requests } = await place(Array.from({ length: atOnce }, () => 'taken' as const));
    const [first] = requests;
    if (first === undefined) throw new Error('nothing was asked');
    expect(requests).toHaveLength(1);
    expect(kit.written(first)).toEqual({
      orders: Array.from({ length: atOnce }, (_order, at) => kit.order(idOf(at))),
      besides: kit.besides,
    });
    for (const [at, one] of outcomes.entries())
      expect(one).toMatchObject({
        outcome: 'accepted',
        state: { clientId: idOf(at), venueOrderId: '77', status: ORDER_STATUS.OPEN },
        fills: [],
      });
  });

  test('one list tells which of them rest with nothing executed; of the others only a receipt is there', async () => {
    const { list } = kit;
    const shown = [
      { id: idOf(0), executed: '0' },
      { id: idOf(1), executed: '0.1' },
      { id: idOf(98), executed: '0' },
    ];
    const { outcomes, others } = await place(['taken', 'taken', 'taken'], list?.(shown));
    // At Binance the answer itself says what was executed.
    const receipts = list === undefined ? [undefined, undefined, undefined] : [undefined, true, true];
    expect(outcomes.map((one) => one.outcome === 'accepted' && one.receiptOnly)).toEqual(receipts);
    expect(others).toHaveLength(list === undefined ? 0 : 1);
  });

  test('each definitive code refuses the order it stands at, and no other', async () => {
    for (const code of kit.definitive) {
      const { outcomes } = await place(['taken', { code }, 'taken']);
      expect([code, ...outcomes.map(({ outcome }) => outcome)]).toEqual([
        ...[code, 'accepted', 'refused', 'accepted'],
      ]);
      expect(outcomes[1]).toMatchObject({ venueCode: String(code) });
    }
  });

  test('a code that proves nothing leaves the order it stands at unknown', async () => {
    for (const code of kit.ambiguous)
      expect([code, ...(await outcomesOf(['taken', { code }, 'taken']))]).toEqual([
        ...[code, 'accepted', 'unknown', 'accepted'],
      ]);
  });

  const refused = { code: kit.definitive[0] ?? '' };
  const fates: readonly (readonly [string, readonly Fate[], readonly SendOutcome['outcome'][]])[] = [
    ['all refused', [refused, refused, refused], ['refused', 'refused', 'refused']],
    ['about another order', ['taken', 'other', 'taken'], ['accepted', 'unknown', 'accepted']],
    ['of none', ['missing', 'missing', 'missing'], ['unknown', 'unknown', 'unknown']],
    // Who is meant nobody can say.
    ['one refusal for three', ['missing', 'missing', refused], ['unknown', 'unknown', 'unknown']],
  ];
  test.each(fates)('an answer that is %s', async (_says, given, expected) => {
    expect(await outcomesOf(given)).toEqual(expected);
  });

  test('an answer that leaves one out proves nothing of that one', async () => {
    const outcomes = await outcomesOf(['taken', 'taken', 'missing']);
    expect(outcomes[2]).toBe('unknown');
    expect(outcomes).not.toContain('refused');
  });

  const lost: [string, () => HttpAnswer | Promise<never>, string][] = [
    ['a reset', () => Promise.reject(new Error('reset')), 'unknown'],
    ['a server error', () => ({ status: 502, headers: {}, text: '' }), 'unknown'],
    ['rubbish', () => ({ status: 200, headers: {}, text: '<html>' }), 'unknown'],
    ['an answer of nothing', () => okAnswer([]), 'unknown'],
    ["the limiter's refusal", () => ({ status: 429, headers: {}, text: '' }), 'refused'],
  ];
  test.each(lost)(
    'of %s all have the same outcome, and nothing is sent again',
    async (_name, answer, outcome) => {
      const { trading, http, asked } = kit.open();
      http.answer = answer as () => HttpAnswer;
      const outcomes = await trading.placeSeveral(CREDENTIALS, requestsOf(3));
      trading.close();
      expect(outcomes.map((one) => one.outcome)).toEqual([outcome, outcome, outcome]);
      expect(asked()).toHaveLength(1);
    },
  );

  test("it counts as what it costs at the exchange: each order of the account's", async () => {
    const arbiter = new Witness();
    const { trading, http } = kit.open(arbiter);
    http.answer = () => SILENT;
    await trading.placeSeveral(CREDENTIALS, requestsOf(atOnce));
    trading.close();
    expect(
      arbiter.asked.map(({ requestClass, costs }) => [requestClass, costs.map((one) => one.weight)]),
    ).toEqual([['order', kit.weights(atOnce)]]);
  });

  test('without room nothing is written, and each says when there may be some', async () => {
    const { trading, asked } = kit.open(new Witness(true));
    const outcomes = await trading.placeSeveral(CREDENTIALS, requestsOf(3));
    trading.close();
    expect(outcomes).toHaveLength(3);
    for (const one of outcomes)
      expect(one).toMatchObject({
        outcome: 'refused',
        venueCode: 'LOCAL_RATE_LIMITED',
        retryAfterMillis: 12_000,
      });
    expect(asked()).toEqual([]);
  });

  if (instrument.symbolType === 'SWAP')
    test('orders that only lower a position go in the class of closing', async () => {
      const arbiter = new Witness();
      const { trading, http } = kit.open(arbiter);
      http.answer = () => SILENT;
      await trading.placeSeveral(
        CREDENTIALS,
        requestsOf(2, { contract: { ...ofContracts, reduceOnly: true } }),
      );
      trading.close();
      expect(arbiter.asked.map(({ requestClass }) => requestClass)).toEqual(['close']);
    });

  test('what cannot be written keeps none of the others', async () => {
    const { trading, http, asked } = kit.open();
    http.answer = () => SILENT;
    const [first, second] = requestsOf(2);
    const { price: _none, ...priceless } = first as VenueOrderRequest;
    const outcomes = await trading.placeSeveral(CREDENTIALS, [priceless, second as VenueOrderRequest]);
    trading.close();
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['refused', 'unknown']);
    expect(asked()).toHaveLength(1);
  });

  test('one alone is placed as one', async () => {
    const { trading, http, asked } = kit.open();
    http.answer = () => SILENT;
    await trading.placeSeveral(CREDENTIALS, requestsOf(1));
    trading.close();
    expect(asked().map(({ url }) => new URL(url).pathname)).not.toContain(kit.path);
  });
});
