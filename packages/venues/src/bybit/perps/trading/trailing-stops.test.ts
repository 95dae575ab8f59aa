import {
  type AlgoPlan,
  amount,
  type Millis,
  POSITION_SIDE,
  SIDE,
  TIME_IN_FORCE,
  type VenueOrderId,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BYBIT_CONTRACT_KIT } from '../../../conformance/bybit-contract-kit.ts';
import type { HttpAnswer, HttpRequest } from '../../../transport.ts';
import type { AlgoKey, HangingStop, VenueAlgoRequest, VenueAlgos } from '../../../venue-algos.ts';
import {
  CLIENT_ID,
  CREDENTIALS,
  errorResult,
  okResult,
  scriptedConnector,
} from '../../trading/scripted-connector.fixture.ts';

/** Trailing stops of positions: what is sent, and by what they are known. */

const { instrument } = BYBIT_CONTRACT_KIT;
const TRAILING = { distance: amount('500'), activation: amount('61000'), by: 'last' } as const;
const PLAN: AlgoPlan = { kind: 'trailing', trailing: TRAILING };
const REQUEST: VenueAlgoRequest = {
  clientId: CLIENT_ID,
  childClientIds: [CLIENT_ID, CLIENT_ID],
  ...{ instrument, side: SIDE.SELL, plan: PLAN, whole: true, timeInForce: TIME_IN_FORCE.GTC },
  contract: { side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross', reduceOnly: true },
};
const HANGS: HangingStop = {
  ...{ position: POSITION_SIDE.NET, side: SIDE.SELL, trailing: TRAILING, since: 1_770_000_000_000 as Millis },
  changing: false,
};
const UNNAMED: AlgoKey = { instrument, clientId: CLIENT_ID, kind: 'trailing', hangs: HANGS };
const NAMED: AlgoKey = { ...UNNAMED, venueAlgoId: '77' as VenueOrderId };
const CHANGING: AlgoKey = { ...NAMED, hangs: { ...HANGS, changing: true } };

/** As the venue documents it (order/open-order); a part of the fields. */
const ROW = {
  ...{ orderId: '77', orderLinkId: '', symbol: 'BTCUSDT', orderStatus: 'Untriggered', side: 'Sell' },
  ...{ stopOrderType: 'TrailingStop', createType: 'CreateByTrailingStop', cancelType: 'UNKNOWN' },
  ...{ rejectReason: 'EC_NoError', cumExecQty: '0', parentOrderLinkId: '', positionIdx: 0, qty: '0.02' },
  ...{ triggerPrice: '61000', createdTime: '1770000000001', updatedTime: '1770000000001' },
};
const list = (...rows: readonly object[]) => okResult({ list: rows, nextPageCursor: '' });
const position = (row: object) => list({ symbol: 'BTCUSDT', positionIdx: 0, ...row });

type Answers = Readonly<Record<string, HttpAnswer>>;

/** The connector over answers by path; what it has asked is kept. */
function connector(answers: Answers = {}) {
  const { http, trading } = scriptedConnector();
  const pathOf = ({ url }: HttpRequest): string => new URL(url).pathname.replace('/v5/', '');
  // A question for one id has an answer of its own where a test gives it.
  const byId = (request: HttpRequest) =>
    request.url.includes('orderId=') ? answers[`${pathOf(request)} by id`] : undefined;
  http.answer = (request) => byId(request) ?? answers[pathOf(request)] ?? errorResult(10_016, 'not scripted');
  const bodies = () =>
    http.requests.flatMap((request) =>
      request.body === undefined ? [] : [[pathOf(request), JSON.parse(request.body)]],
    );
  const asked = () => http.requests.map(({ url }) => url);
  return { bodies, asked, algos: trading.algos as VenueAlgos };
}
const SET = 'position/trading-stop';
const OPEN = 'order/realtime';
const PAST = 'order/history';

describe('setting one', () => {
  const golden = { category: 'linear', symbol: 'BTCUSDT', tpslMode: 'Full', trailingStop: '500' };
  const { contract } = REQUEST;
  const long = { side: POSITION_SIDE.LONG, positionMode: 'hedge', reduceOnly: false } as const;
  test.each<[string, VenueAlgoRequest, object, object]>([
    ['of a position', REQUEST, { ...golden, positionIdx: 0, activePrice: '61000' }, ROW],
    [
      'that follows at once',
      { ...REQUEST, plan: { kind: 'trailing', trailing: { distance: amount('500'), by: 'last' } } },
      { ...golden, positionIdx: 0 },
      ROW,
    ],
    [
      'of a long leg',
      { ...REQUEST, ...(contract && { contract: { ...contract, ...long } }) },
      { ...golden, positionIdx: 1, activePrice: '61000' },
      { ...ROW, positionIdx: 1 },
    ],
  ])('%s says how far and from where; its id is read', async (_, request, body, row) => {
    const { algos, bodies } = connector({ [SET]: okResult({}), [OPEN]: list(row) });
    expect(await algos.place(CREDENTIALS, request)).toMatchObject({
      ...{ outcome: 'accepted', state: { clientId: CLIENT_ID, venueAlgoId: '77', status: 'waiting' } },
    });
    expect(bodies()).toEqual([[SET, body]]);
  });

  const { whole: _, ...sized } = { ...REQUEST, quantity: amount('1') };
  test.each<[string, VenueAlgoRequest]>([
    ['a part of a position', sized],
    [
      'a share of the price',
      { ...REQUEST, plan: { kind: 'trailing', trailing: { ratio: amount('0.01'), by: 'last' } } },
    ],
    ['the mark', { ...REQUEST, plan: { kind: 'trailing', trailing: { ...TRAILING, by: 'mark' } } }],
    ['what may open', { ...REQUEST, ...(contract && { contract: { ...contract, reduceOnly: false } }) }],
    [
      'the other leg',
      { ...REQUEST, ...(contract && { contract: { ...contract, ...long, side: 2 as const } }) },
    ],
  ])('%s is not written at all', async (_name, request) => {
    const { algos, bodies } = connector();
    expect(await algos.place(CREDENTIALS, request)).toMatchObject({ venueCode: 'LOCAL_NOT_EXPRESSIBLE' });
    expect(bodies()).toEqual([]);
  });

  test.each<[string, Answers, string]>([
    ['that stands so', { [SET]: errorResult(34_040, 'not modified'), [OPEN]: list(ROW) }, 'accepted'],
    ['of no position', { [SET]: errorResult(10_001, 'can not set tp/sl/ts for zero position') }, 'refused'],
    ['without an answer', { [SET]: errorResult(10_000, '') }, 'unknown'],
    ['that is not seen', { [SET]: okResult({}), [OPEN]: list() }, 'unknown'],
    ['whose list is silent', { [SET]: okResult({}) }, 'unknown'],
    ['unreadable', { [SET]: okResult({}), [OPEN]: list({ ...ROW, createdTime: '' }) }, 'unknown'],
  ])('one %s', async (_name, answers, outcome) => {
    expect((await connector(answers).algos.place(CREDENTIALS, REQUEST)).outcome).toBe(outcome);
  });

  test('that hangs on a flipped position is taken away again', async () => {
    const row = { ...ROW, side: 'Buy' };
    const taken = { 'order/cancel': errorResult(110_001, '') };
    const { algos, bodies } = connector({ [SET]: okResult({}), [OPEN]: list(row), ...taken });
    expect(await algos.place(CREDENTIALS, REQUEST)).toMatchObject({ outcome: 'refused' });
    expect(bodies()[1]).toEqual(['order/cancel', { category: 'linear', symbol: 'BTCUSDT', orderId: '77' }]);
    const silent = connector({ [SET]: okResult({}), [OPEN]: list(row) });
    expect((await silent.algos.place(CREDENTIALS, REQUEST)).outcome).toBe('unknown');
  });
});

describe('one without an id', () => {
  const old = { ...ROW, orderId: '76', orderStatus: 'Deactivated', createdTime: '1770000000000' };
  const ended = { ...ROW, orderStatus: 'Filled' };
  const before = { ...ended, createdTime: '1760000000000' };
  test.each<[string, Answers, object]>([
    ['hangs there', { [OPEN]: list(ROW) }, { outcome: 'found', value: { status: 'waiting' } }],
    [
      'is the newest that did',
      { [OPEN]: list(), [PAST]: list(old, ended) },
      { outcome: 'found', value: { status: 'fired', venueAlgoId: '77', clientId: CLIENT_ID } },
    ],
    ['is none from before', { [OPEN]: list(), [PAST]: list(before) }, { outcome: 'not-found' }],
    [
      'is none of another leg, side or kind',
      {
        [OPEN]: list({ ...ROW, positionIdx: 1 }, { ...ROW, stopOrderType: 'StopLoss' }),
        [PAST]: list({ ...ended, side: 'Buy' }),
      },
      { outcome: 'not-found' },
    ],
    ['is unknown while a list is silent', { [OPEN]: list() }, { outcome: 'unknown' }],
  ])('%s', async (_, answers, found) => {
    expect(await connector(answers).algos.find(CREDENTIALS, UNNAMED)).toMatchObject(found);
  });

  test('is cancelled by that of the position, and gone where there is none', async () => {
    const { algos, bodies } = connector({
      [OPEN]: list(ROW),
      'order/cancel': errorResult(110_001, ''),
    });
    expect(await algos.cancel(CREDENTIALS, UNNAMED)).toEqual({ outcome: 'gone' });
    expect(bodies()).toEqual([['order/cancel', expect.objectContaining({ orderId: '77' })]]);
    expect(await connector({ [OPEN]: list() }).algos.cancel(CREDENTIALS, UNNAMED)).toEqual({
      outcome: 'gone',
    });
    expect((await connector().algos.cancel(CREDENTIALS, UNNAMED)).outcome).toBe('unknown');
  });
});

describe('changing one', () => {
  const change = { trailing: { distance: amount('700') } };
  test('says all of it again', async () => {
    const { algos, bodies } = connector({ [SET]: okResult({}), [OPEN]: list(ROW) });
    expect(await algos.amend(CREDENTIALS, NAMED, change)).toEqual({ outcome: 'done' });
    expect(bodies()).toMatchObject([[SET, { trailingStop: '700', activePrice: '61000', positionIdx: 0 }]]);
  });

  const fired = { ...ROW, orderStatus: 'Filled' };
  test.each<[string, Answers, string]>([
    ['that is so already', { [SET]: errorResult(34_040, ''), [OPEN]: list(ROW) }, 'done'],
    ['refused', { [SET]: errorResult(10_001, 'wrong side') }, 'refused'],
    ['without an answer', { [SET]: errorResult(10_000, '') }, 'unknown'],
    ['that nobody can look at', { [SET]: okResult({}) }, 'unknown'],
  ])('a change %s', async (_, answers, outcome) => {
    expect((await connector(answers).algos.amend(CREDENTIALS, NAMED, change)).outcome).toBe(outcome);
  });

  test('of one that has fired makes none: what came of it is taken away', async () => {
    const answers = { [SET]: okResult({}), [`${OPEN} by id`]: list(fired) };
    const taken = { ...answers, [OPEN]: list({ ...ROW, orderId: '78' }) };
    const { algos, bodies } = connector({ ...taken, 'order/cancel': errorResult(110_001, '') });
    expect(await algos.amend(CREDENTIALS, NAMED, change)).toEqual({ outcome: 'gone' });
    expect(bodies()[1]).toMatchObject(['order/cancel', { orderId: '78' }]);
    expect((await connector(taken).algos.amend(CREDENTIALS, NAMED, change)).outcome).toBe('unknown');
    const none = connector({ ...answers, [OPEN]: list() });
    expect(await none.algos.amend(CREDENTIALS, NAMED, change)).toEqual({ outcome: 'gone' });
    expect((await connector(answers).algos.amend(CREDENTIALS, NAMED, change)).outcome).toBe('unknown');
  });

  test('a size and a share cannot be said', async () => {
    const { algos, bodies } = connector();
    for (const wrong of [{ quantity: amount('1') }, { trailing: { ratio: amount('0.1') } }])
      expect((await algos.amend(CREDENTIALS, NAMED, wrong)).outcome).toBe('refused');
    expect(bodies()).toEqual([]);
  });

  test.each<[string, object, HttpAnswer, object]>([
    [
      'both of its values',
      {},
      position({ trailingStop: '700' }),
      { value: { asks: { trailing: { distance: amount('700'), activation: amount('61000') } } } },
    ],
    [
      'that it follows at once',
      { triggerPrice: '' },
      position({ trailingStop: '700' }),
      { value: { asks: { trailing: { distance: amount('700') } } } },
    ],
    ['nothing of a position without one', {}, position({ trailingStop: '0' }), { outcome: 'unknown' }],
    ['nothing while that is silent', {}, errorResult(10_016, ''), { outcome: 'unknown' }],
  ])('a lookup meanwhile shows %s', async (_, part, held, found) => {
    const { algos } = connector({ [OPEN]: list({ ...ROW, ...part }), 'position/list': held });
    expect(await algos.find(CREDENTIALS, CHANGING)).toMatchObject(found);
  });

  test('where none is under way the position is not asked', async () => {
    const { algos, asked } = connector({ [OPEN]: list(ROW) });
    expect((await algos.find(CREDENTIALS, NAMED)).outcome).toBe('found');
    expect(asked().some((url) => url.includes('position/list'))).toBe(false);
  });
});

describe('one that hangs on a position, in the list of what waits', () => {
  const LISTED = { ...ROW, triggerBy: 'LastPrice', timeInForce: 'IOC', price: '0', reduceOnly: true };
  const distanceIn = async (answers: Answers) => {
    const { algos, asked } = connector({ [OPEN]: list(LISTED), ...answers });
    const listed = await algos.waiting(CREDENTIALS, [instrument]);
    const [row] = listed.ok ? listed.value : [];
    const positions = asked().filter((url) => url.includes('position/list'));
    return [row?.shown?.plan, positions.map((url) => new URL(url).search)];
  };

  test.each<[string, Answers, object]>([
    [
      'says how far it follows, by its position',
      { 'position/list': position({ trailingStop: '500' }) },
      TRAILING,
    ],
    [
      'of the other leg says nothing of this one',
      { 'position/list': position({ trailingStop: '500', positionIdx: 1 }) },
      { by: 'last', activation: amount('61000') },
    ],
    ['leaves it unsaid where positions cannot be read', {}, { by: 'last', activation: amount('61000') }],
  ])('%s', async (_, answers, trailing) => {
    expect(await distanceIn(answers)).toEqual([
      { kind: 'trailing', trailing },
      [expect.stringContaining('settleCoin=USDT')],
    ]);
  });

  test('costs no read of positions where nothing trails', async () => {
    expect((await distanceIn({ [OPEN]: list() }))[1]).toEqual([]);
  });
});
