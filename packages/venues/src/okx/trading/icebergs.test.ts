import {
  amount,
  type Instrument,
  type Millis,
  POSITION_SIDE,
  SIDE,
  TIME_IN_FORCE,
  type VenueClientId,
  type VenueOrderId,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BTCUSDT, BTCUSDT_PERP } from '../../conformance/sample-instruments.ts';
import type { HttpAnswer, HttpRequest } from '../../transport.ts';
import type { VenueAlgoRequest, VenueAlgos } from '../../venue-algos.ts';
import { normaliseAlgo } from '../account/algo-shapes.ts';
import {
  CREDENTIALS,
  okxAnswer,
  okxRefusal,
  pathOf,
  scriptedConnector,
} from './scripted-connector.fixture.ts';

/** Icebergs as OKX is asked for them and tells of them, and the orders that it makes of one (OKX v5 guide, 2026). */

const PAIR: Instrument = { ...BTCUSDT, platform: 2, symbol: 'BTC-USDT' };
const SWAP: Instrument = { ...BTCUSDT_PERP, platform: 2, symbol: 'BTC-USDT-SWAP' };
const OURS = '0190a7b4c2d17e3f8a4b5c6d7e8f9a0b' as VenueClientId;
const ID = '2510789768709120123' as VenueOrderId;
const NET = {
  side: POSITION_SIDE.NET,
  positionMode: 'one-way',
  marginMode: 'cross',
  reduceOnly: false,
} as const;

const iceberg = (behind: object): VenueAlgoRequest['plan'] => ({
  kind: 'iceberg',
  iceberg: { limit: amount('60000.5'), visible: amount('2'), ...behind },
});
const asked = (part: Partial<VenueAlgoRequest> = {}): VenueAlgoRequest => ({
  ...{ clientId: OURS, childClientIds: [OURS, OURS], instrument: SWAP, side: SIDE.BUY },
  plan: iceberg({ ratio: amount('0.0001') }),
  ...{ quantity: amount('5'), timeInForce: TIME_IN_FORCE.GTC, contract: NET, ...part },
});
const pairOf = (): VenueAlgoRequest => {
  const { contract: _, ...request } = asked({ instrument: PAIR, plan: iceberg({ distance: amount('0.5') }) });
  return request;
};

function venue(answer: (request: HttpRequest) => HttpAnswer) {
  const { trading, http, time } = scriptedConnector();
  http.answer = answer;
  return { algos: trading.algos as VenueAlgos, http, time };
}
const ACK = { algoId: ID, algoClOrdId: OURS, clOrdId: '', sCode: '0', sMsg: '', tag: '' };
const bodyOf = (request: HttpRequest | undefined) => JSON.parse(request?.body ?? 'null') as unknown;

describe('a placement', () => {
  const words = {
    algoClOrdId: OURS,
    side: 'buy',
    sz: '5',
    ordType: 'iceberg',
    szLimit: '2',
    pxLimit: '60000.5',
  };
  test.each([
    [
      'of a contract, so much of a hundred behind',
      asked(),
      { ...words, instId: 'BTC-USDT-SWAP', tdMode: 'cross', pxVar: '0.0001' },
    ],
    [
      'of a pair, so far behind in its quote',
      pairOf(),
      { ...words, instId: 'BTC-USDT', tdMode: 'cash', pxSpread: '0.5' },
    ],
  ])('%s is written as the venue knows it', async (_, request, body) => {
    const { algos, http } = venue(() => okxAnswer(ACK));
    expect(await algos.place(CREDENTIALS, request)).toMatchObject({
      ...{ outcome: 'accepted', state: { venueAlgoId: ID, status: 'waiting' } },
    });
    expect(http.requests.map(pathOf)).toEqual(['/api/v5/trade/order-algo']);
    expect(bodyOf(http.requests[0])).toEqual(body);
  });

  const { quantity: _, ...whole } = asked();
  test.each<[string, VenueAlgoRequest]>([
    ['without a distance', asked({ plan: iceberg({}) })],
    ['with two', asked({ plan: iceberg({ ratio: amount('0.001'), distance: amount('1') }) })],
    ['of the whole position', { ...whole, whole: true, contract: { ...NET, reduceOnly: true } }],
  ])('%s is refused before it is sent', async (_, request) => {
    const { algos, http } = venue(() => okxAnswer(ACK));
    expect(await algos.place(CREDENTIALS, request)).toMatchObject({
      ...{ outcome: 'refused', venueCode: 'LOCAL_NOT_EXPRESSIBLE' },
    });
    expect(http.requests).toEqual([]);
  });
});

const ROW = {
  ...{ algoId: ID, algoClOrdId: OURS, instId: 'BTC-USDT-SWAP', instType: 'SWAP', ordType: 'iceberg' },
  ...{
    state: 'live',
    ordId: '',
    ordIdList: [],
    actualSz: '0',
    sz: '5',
    failCode: '',
    cTime: '7',
    uTime: '9',
  },
};

describe('what the venue tells of one', () => {
  const slices = { ordId: '78', ordIdList: ['77', '78'], actualSz: '3' };
  test.each([
    ['waits before its first slice', {}, { status: 'waiting', executed: amount('0') }],
    ['waits while slices fill', slices, { status: 'waiting', executed: amount('3') }],
    ['waits where a part is done', { ...slices, state: 'partially_effective' }, { status: 'waiting' }],
    ['is over with all of it', { ...slices, state: 'effective', actualSz: '5' }, { status: 'fired' }],
    ['is cancelled with a part done', { ...slices, state: 'canceled' }, { status: 'cancelled' }],
    ['is refused', { state: 'order_failed', failCode: '51008' }, { status: 'refused', reason: '51008' }],
  ])('it %s, and no slice is its child', (_, part, expected) => {
    const state = normaliseAlgo({ ...ROW, ...part });
    expect(state).toMatchObject({ venueAlgoId: ID, quantity: amount('5'), ...expected });
    expect(state).not.toHaveProperty('child');
  });
});

describe('the slices of one', () => {
  const order = (ordId: string, part: object = {}) => ({
    ...{ ordId, clOrdId: '', algoId: ID, instId: 'BTC-USDT-SWAP', instType: 'SWAP', state: 'filled' },
    ...{ px: '59990', sz: '2', accFillSz: '2', avgPx: '59990', uTime: '9', ...part },
  });
  const resting = order('79', { state: 'live', accFillSz: '0', avgPx: '' });
  const of = (since: number) => ({ instrument: SWAP, venueAlgoId: ID, since: since as Millis });
  const listing = (pending: readonly object[], ended: readonly object[]) =>
    venue((request) => okxAnswer(...(pathOf(request).includes('pending') ? pending : ended)));

  test('are those that name it, resting or over; what ended between two lists counts as ended', async () => {
    const now = order('78', { state: 'live', accFillSz: '1' });
    const { algos, http, time } = listing(
      [resting, now, order('80', { algoId: 'another' })],
      [order('78'), order('77'), order('76', { algoId: '' })],
    );
    const read = await algos.slices?.(CREDENTIALS, of(time.clock()));
    if (read?.ok !== true) throw new Error('the lists were to be read');
    const shown = read.value.map(({ state, ...terms }) => [
      state.venueOrderId,
      state.cumulativeQuantity,
      terms,
    ]);
    const terms = { price: amount('59990'), quantity: amount('2') };
    expect(new Map(shown.map(([id, ...rest]) => [id, rest]))).toEqual(
      new Map([
        ['79', [amount('0'), terms]],
        ['78', [amount('2'), terms]],
        ['77', [amount('2'), terms]],
      ]),
    );
    expect(http.requests.map((request) => pathOf(request).replace(/begin=\d+/, 'begin='))).toEqual([
      '/api/v5/trade/orders-pending?instType=SWAP&instId=BTC-USDT-SWAP&limit=100',
      '/api/v5/trade/orders-history?instType=SWAP&instId=BTC-USDT-SWAP&begin=&limit=100',
    ]);
  });

  test('are read page by page, and of an old one from the archive as well', async () => {
    const rows = Array.from({ length: 130 }, (_, index) => order(String(1_000 - index)));
    const { algos, http, time } = venue((request) => {
      const path = pathOf(request);
      if (!path.includes('archive')) return okxAnswer();
      return okxAnswer(...(path.includes('after=901') ? rows.slice(100) : rows.slice(0, 100)));
    });
    const read = await algos.slices?.(CREDENTIALS, of(time.clock() - 8 * 86_400_000));
    expect(read?.ok === true && read.value.length).toBe(130);
    const lists = http.requests.map((request) => pathOf(request).split('?')[0]?.split('/').at(-1));
    expect(lists).toEqual([
      ...['orders-pending', 'orders-history-archive', 'orders-history-archive', 'orders-history'],
    ]);
  });

  test.each<[string, () => HttpAnswer]>([
    ['a list is refused', () => okxRefusal('50001', 503)],
    ['a row is none', () => okxAnswer({ ...resting, state: 'dreaming' })],
    [
      'a page repeats itself',
      () => okxAnswer(...Array.from({ length: 100 }, (_, index) => order(String(500 - index)))),
    ],
  ])('are not known where %s', async (_, answer) => {
    const { algos, time } = venue(answer);
    expect(await algos.slices?.(CREDENTIALS, of(time.clock()))).toMatchObject({ ok: false });
  });
});
