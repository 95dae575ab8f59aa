import type { Instrument, VenueClientId, VenueOrderId } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import type { VenueArbiter } from '../arbiter/venue-arbiter.ts';
import { ORDER as BINANCE_ORDER } from '../binance/perps/trading/messages.fixture.ts';
import { ORDER as BYBIT_ORDER } from '../bybit/perps/trading/messages.fixture.ts';
import { BTC_USDT, BTC_USDT_SWAP } from '../okx/market/sample-instruments.fixture.ts';
import { ORDER as OKX_ORDER } from '../okx/perps/trading/messages.fixture.ts';
import { VENUE_PROFILES } from '../profiles.ts';
import { okAnswer } from '../trading/scripted-transport.fixture.ts';
import type { HttpAnswer, HttpRequest } from '../transport.ts';
import type { CancelOutcome, OrderName } from '../venue-orders.ts';
import { openVenue } from './opened-venue.fixture.ts';
import { BTCUSDT, BTCUSDT_PERP } from './sample-instruments.ts';
import { Witness } from './witness.fixture.ts';

/**
 * What becomes of one order of a call that names several. `filled`: it was, when the cancel came; `late`: taken, and only a
 * look at the order itself shows its end; `missing`: the answer says nothing of it.
 */
type Fate = 'cancelled' | 'filled' | 'late' | 'gone' | 'refused' | 'strange' | 'missing';

const OUTCOMES: Readonly<Record<Fate, CancelOutcome['outcome']>> = {
  ...{ cancelled: 'cancelled', late: 'cancelled', filled: 'gone', gone: 'gone' },
  ...{ refused: 'refused', strange: 'unknown', missing: 'unknown' },
};

/** A market whose exchange cancels several by one call: how the call is written, and its documented answer. */
interface BatchKit {
  readonly name: string;
  readonly instrument: Instrument;
  readonly path: string;
  open(arbiter?: VenueArbiter): ReturnType<typeof openVenue>;
  /** The ids that a request names, and what it says besides. */
  written(request: HttpRequest): { readonly ids: readonly string[]; readonly besides: object };
  readonly besides: object;
  /** What it counts as before the arbiter, for eight orders. */
  readonly weights: readonly number[];
  answer(request: HttpRequest, fates: ReadonlyMap<string, Fate>): HttpAnswer;
}

const CREDENTIALS = { apiKey: 'key', secret: 'secret', passphrase: 'passphrase' };

/** USD-M, "Cancel Multiple Orders": orders, and codes at the places of those that were not cancelled. */
const BINANCE: BatchKit = {
  name: 'Binance contracts',
  instrument: BTCUSDT_PERP,
  path: '/fapi/v1/batchOrders',
  open: (arbiter) => openVenue('binance', arbiter),
  written({ method, url }) {
    const query = new URL(url).searchParams;
    const ids = JSON.parse(query.get('origClientOrderIdList') ?? '[]') as string[];
    return { ids, besides: { method, symbol: query.get('symbol') } };
  },
  besides: { method: 'DELETE', symbol: 'BTCUSDT' },
  weights: [1],
  answer(request, fates) {
    const code = { gone: -2011, filled: -2011, refused: -2015, strange: -99_999 } as const;
    const rows = this.written(request).ids.flatMap((id): object[] => {
      const fate = fates.get(id) ?? 'missing';
      if (fate === 'missing') return [];
      return fate === 'cancelled' || fate === 'late'
        ? [{ ...BINANCE_ORDER, clientOrderId: id, status: 'CANCELED' }]
        : [{ code: code[fate], msg: 'so' }];
    });
    return okAnswer(rows);
  },
};

/** OKX v5 guide, "Cancel multiple orders": a row of each with a code of its own, below 1 or 2 where not all were taken. */
function okxKit(instrument: Instrument, name: string): BatchKit {
  const instId = instrument.symbol;
  const order = (id: string, fate: Fate) => ({
    ...{ ...OKX_ORDER, instType: instrument.symbolType, instId, clOrdId: id },
    state: fate === 'filled' ? 'filled' : 'canceled',
  });
  return {
    ...{ name, instrument, path: '/api/v5/trade/cancel-batch-orders' },
    open: (arbiter) => openVenue('okx', arbiter),
    written({ method, body }) {
      const items = JSON.parse(body ?? '[]') as { clOrdId: string; instId: string }[];
      return { ids: items.map((one) => one.clOrdId), besides: { method, instId: items[0]?.instId } };
    },
    besides: { method: 'POST', instId },
    weights: [8],
    answer(request, fates) {
      const url = new URL(request.url);
      const id = url.searchParams.get('clOrdId');
      const data = (rows: readonly object[], code = '0') => okAnswer({ code, msg: '', data: rows });
      if (id !== null) return data([order(id, fates.get(id) ?? 'missing')]);
      if (url.pathname === '/api/v5/trade/orders-history') {
        expect(url.searchParams.get('instId')).toBe(instId);
        return data(
          [...fates].flatMap(([one, fate]) =>
            fate === 'cancelled' || fate === 'filled' ? [order(one, fate)] : [],
          ),
        );
      }
      const code = { gone: '51400', refused: '50113', strange: '59999' } as const;
      const rows = this.written(request).ids.flatMap((clOrdId) => {
        const fate = fates.get(clOrdId) ?? 'missing';
        const sCode = fate in code ? code[fate as keyof typeof code] : '0';
        return fate === 'missing' ? [] : [{ clOrdId, ordId: '77', ts: '1', sCode, sMsg: '' }];
      });
      const failed = rows.filter(({ sCode }) => sCode !== '0').length;
      return data(rows, failed === 0 ? '0' : failed === rows.length ? '1' : '2');
    },
  };
}

/** bybit-exchange/docs v5, order/batch-cancel: rows, and their codes in `retExtInfo`, both in the order of the request. */
function bybitKit(instrument: Instrument, name: string): BatchKit {
  const category = instrument.symbolType === 'SPOT' ? 'spot' : 'linear';
  const result = (list: readonly object[], codes: readonly object[] = []) =>
    okAnswer({ retCode: 0, retMsg: 'OK', result: { list }, retExtInfo: { list: codes }, time: 1 });
  const order = (id: string, fate: Fate) => ({
    ...{ ...BYBIT_ORDER, category, orderLinkId: id },
    orderStatus: fate === 'filled' ? 'Filled' : 'Cancelled',
  });
  return {
    ...{ name, instrument: { ...instrument, platform: 3 }, path: '/v5/order/cancel-batch' },
    open: (arbiter) => openVenue('bybit', arbiter),
    written({ method, body }) {
      const { request = [], ...besides } = JSON.parse(body ?? '{}') as {
        request?: { symbol: string; orderLinkId: string }[];
      };
      const ids = request.map(({ orderLinkId }) => orderLinkId);
      return { ids, besides: { method, ...besides, symbol: request[0]?.symbol } };
    },
    besides: { method: 'POST', category, symbol: 'BTCUSDT' },
    weights: [8, 1],
    answer(request, fates) {
      const query = new URL(request.url).searchParams;
      const id = query.get('orderLinkId');
      if (id !== null) return result([order(id, fates.get(id) ?? 'missing')]);
      if (query.get('openOnly') === '1')
        return result(
          [...fates].flatMap(([one, fate]) =>
            fate === 'cancelled' || fate === 'filled' ? [order(one, fate)] : [],
          ),
        );
      const code = { gone: 170_213, refused: 10_005, strange: 99_999 } as const;
      const rows = this.written(request).ids.map((orderLinkId) => {
        const fate = fates.get(orderLinkId) ?? 'missing';
        const row = { category, symbol: 'BTCUSDT', createAt: '', orderId: '', orderLinkId: '' };
        if (fate === 'missing') return { row, said: {} };
        return fate in code
          ? { row, said: { code: code[fate as keyof typeof code], msg: 'so' } }
          : { row: { ...row, orderId: '77', orderLinkId }, said: { code: 0, msg: 'OK' } };
      });
      return result(
        rows.map(({ row }) => row),
        rows.map(({ said }) => said),
      );
    },
  };
}

/** As OKX refuses a call of one. */
const OF_ONE = { code: '1', msg: '', data: [{ clOrdId: '', ordId: '', sCode: '50113', sMsg: '' }] };

const KITS: readonly BatchKit[] = [
  BINANCE,
  okxKit(BTC_USDT, 'OKX pairs'),
  okxKit(BTC_USDT_SWAP, 'OKX contracts'),
  bybitKit(BTCUSDT, 'Bybit pairs'),
  bybitKit(BTCUSDT_PERP, 'Bybit contracts'),
];

const idOf = (at: number): string => `0190f3a0c0de7abc8def${String(at).padStart(12, '0')}`;
const namesOf = (fates: readonly Fate[]): readonly OrderName[] =>
  fates.map((_fate, at) => ({ clientId: idOf(at) as VenueClientId }));

describe.each(KITS)('$name', (kit) => {
  async function cancel(fates: readonly Fate[], names = namesOf(fates)) {
    const { trading, http, asked } = kit.open();
    const byId = new Map(fates.map((fate, at) => [idOf(at), fate]));
    http.answer = (request) => kit.answer(request, byId);
    const outcomes = await trading.cancelSeveral(CREDENTIALS, kit.instrument, names);
    trading.close();
    return { outcomes, requests: asked() };
  }

  test('its profile says so, and no other market has such a call', () => {
    const has = Object.values(VENUE_PROFILES).flatMap(({ platform, trading }) =>
      (['SPOT', 'SWAP'] as const)
        .filter((symbolType) => trading.cancelsAtOnce[symbolType] > 1)
        .map((symbolType) => `${platform} ${symbolType}`),
    );
    expect(has).toEqual(KITS.map(({ instrument }) => `${instrument.platform} ${instrument.symbolType}`));
  });

  test('one call names each order; each outcome is its own', async () => {
    const fates = ['cancelled', 'gone', 'cancelled', 'refused', 'strange', 'filled', 'late'] as const;
    const { outcomes, requests } = await cancel(fates);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(fates.map((fate) => OUTCOMES[fate]));
    const [first] = requests;
    if (first === undefined) throw new Error('nothing was asked');
    expect(new URL(first.url).pathname).toBe(kit.path);
    expect(kit.written(first)).toEqual({ ids: fates.map((_fate, at) => idOf(at)), besides: kit.besides });
    outcomes.forEach((outcome, at) => {
      if (outcome.outcome === 'cancelled') expect(outcome.state.clientId).toBe(idOf(at));
    });
  });

  const { cancelsAtOnce } = VENUE_PROFILES[kit.instrument.platform].trading;
  const atOnce = cancelsAtOnce[kit.instrument.symbolType];
  test('to know that as many as one call takes are cancelled takes that call, and at most one list', async () => {
    const { outcomes, requests } = await cancel(Array.from({ length: atOnce }, () => 'cancelled' as const));
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['cancelled']));
    expect(requests.length).toBeLessThanOrEqual(2);
  });

  const partial: readonly (readonly Fate[])[] = [
    ['gone', 'gone', 'gone'],
    ['refused', 'refused'],
    ['strange', 'cancelled'],
    ['filled', 'filled', 'cancelled'],
    ['late', 'late', 'gone'],
    ['cancelled', 'missing'],
    ['missing', 'missing', 'missing'],
  ];
  test.each(partial.map((fates) => ({ says: fates.join(', '), fates })))('$says', async ({ fates }) => {
    const { outcomes } = await cancel(fates);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(fates.map((fate) => OUTCOMES[fate]));
  });

  const lost: [string, () => HttpAnswer | Promise<never>, string][] = [
    ['a reset', () => Promise.reject(new Error('reset')), 'unknown'],
    ['a server error', () => ({ status: 502, headers: {}, text: '' }), 'unknown'],
    ['rubbish', () => ({ status: 200, headers: {}, text: '<html>' }), 'unknown'],
    ['an answer of nothing', () => okAnswer([]), 'unknown'],
    ['a refusal of one that it does not name', () => okAnswer(OF_ONE), 'unknown'],
    ["the limiter's refusal", () => ({ status: 429, headers: {}, text: '' }), 'refused'],
  ];
  test.each(lost)(
    'of %s all have the same outcome, and nothing is sent again',
    async (_name, answer, outcome) => {
      const { trading, http, asked } = kit.open();
      http.answer = answer as () => HttpAnswer;
      const outcomes = await trading.cancelSeveral(
        CREDENTIALS,
        kit.instrument,
        namesOf(['late', 'late', 'late']),
      );
      trading.close();
      expect(outcomes.map((one) => one.outcome)).toEqual([outcome, outcome, outcome]);
      expect(asked()).toHaveLength(1);
    },
  );

  test("it counts as what it costs at the exchange: each order of the account's, one request of our address", async () => {
    const arbiter = new Witness();
    const { trading, http } = kit.open(arbiter);
    http.answer = () => ({ status: 502, headers: {}, text: '' });
    const names = namesOf(Array.from({ length: 8 }, () => 'late' as const));
    await trading.asking('cancel').cancelSeveral(CREDENTIALS, kit.instrument, names);
    trading.close();
    expect(
      arbiter.asked.map(({ requestClass, costs }) => [requestClass, costs.map((one) => one.weight)]),
    ).toEqual([['cancel', kit.weights]]);
  });

  test('one whose id is not ours is named by that of the exchange', async () => {
    const id = '77' as VenueOrderId;
    const { trading, http, asked } = kit.open();
    http.answer = () => ({ status: 502, headers: {}, text: '' });
    await trading.cancelSeveral(CREDENTIALS, kit.instrument, [
      { venueOrderId: id },
      ...namesOf(['late', 'late']),
    ]);
    trading.close();
    const text = asked()
      .map(({ url, body = '' }) => `${decodeURIComponent(url)} ${body}`)
      .join('\n');
    expect(text).toMatch(/(?:orderId|ordId)"?[=:]"?77\b/);
    for (const at of [0, 1]) expect(text.split(idOf(at))).toHaveLength(2);
  });

  test('one alone is cancelled as one', async () => {
    const { trading, http, asked } = kit.open();
    http.answer = () => ({ status: 502, headers: {}, text: '' });
    await trading.cancelSeveral(CREDENTIALS, kit.instrument, namesOf(['late']));
    trading.close();
    expect(asked().map(({ url }) => new URL(url).pathname)).not.toContain(kit.path);
  });
});
