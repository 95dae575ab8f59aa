import {
  amount,
  POSITION_SIDE,
  SIDE,
  TIME_IN_FORCE,
  type VenueAlgoState,
  type VenueClientId,
  type VenueOrderId,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { recordedJson } from '../../../conformance/recorded.ts';
import { BTCUSDT_PERP } from '../../../conformance/sample-instruments.ts';
import { okAnswer } from '../../../trading/scripted-transport.fixture.ts';
import type { HttpAnswer } from '../../../transport.ts';
import type { AlgoKey, VenueAlgoRequest, VenueAlgos } from '../../../venue-algos.ts';
import type { ContractOrderTerms } from '../../../venue-contracts.ts';
import { asArray, asObject } from '../../../wire/guards.ts';
import { scriptedConnector } from '../../trading/scripted-connector.fixture.ts';
import { normaliseAlgo, normaliseAlgoUpdate } from './algo-states.ts';
import { ALGO, ALGO_UPDATE } from './messages.fixture.ts';

const KEY = { apiKey: 'the-api-key', secret: 'the-secret' };
const NET: ContractOrderTerms = {
  ...{ side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross', reduceOnly: true },
};
const LEG: ContractOrderTerms = { ...NET, side: POSITION_SIDE.LONG, positionMode: 'hedge' };
const REQUEST: VenueAlgoRequest = {
  clientId: 'ours' as VenueClientId,
  childClientIds: ['target' as VenueClientId, 'stop' as VenueClientId],
  ...{ instrument: BTCUSDT_PERP, side: SIDE.SELL, quantity: amount('0.5'), timeInForce: TIME_IN_FORCE.GTC },
  plan: { kind: 'stop', leg: { trigger: { price: amount('59000'), by: 'mark' } } },
  contract: NET,
};
const ALGO_KEY: AlgoKey = { instrument: BTCUSDT_PERP, clientId: REQUEST.clientId, kind: 'stop' };

function connector(answer: object | HttpAnswer) {
  const { http, trading } = scriptedConnector({ restBase: 'http://futures', socketBase: 'ws://futures' });
  http.answer = () => ('status' in answer && 'text' in answer ? (answer as HttpAnswer) : okAnswer(answer));
  const fields = () =>
    http.requests.map(({ url, body }) =>
      Object.fromEntries(new URLSearchParams(body ?? new URL(url).search)),
    );
  return { http, fields, algos: trading.algos as VenueAlgos };
}

const refusal = (code: number, msg = 'No.', status = 400): HttpAnswer => ({
  ...{ status, headers: {} },
  text: JSON.stringify({ code, msg }),
});

describe('placing', () => {
  const common = {
    ...{ algoType: 'CONDITIONAL', symbol: 'BTCUSDT', side: 'SELL', clientAlgoId: 'ours' },
    newOrderRespType: 'RESULT',
  };
  const net = { ...common, positionSide: 'BOTH', reduceOnly: 'true', quantity: '0.5' };
  const { quantity: _, ...unsized } = REQUEST;
  const trailing = { ratio: amount('0.015'), activation: amount('66000'), by: 'last' } as const;
  const cases: [string, VenueAlgoRequest, object][] = [
    [
      'a stop at market',
      REQUEST,
      { ...net, type: 'STOP_MARKET', triggerPrice: '59000', workingType: 'MARK_PRICE' },
    ],
    [
      'a post-only target',
      {
        ...REQUEST,
        timeInForce: TIME_IN_FORCE.POST_ONLY,
        plan: {
          kind: 'take-profit',
          leg: { trigger: { price: amount('65000'), by: 'last' }, limit: amount('65100') },
        },
      },
      {
        ...{ ...net, type: 'TAKE_PROFIT', triggerPrice: '65000', workingType: 'CONTRACT_PRICE' },
        ...{ price: '65100', timeInForce: 'GTX' },
      },
    ],
    [
      'a trailing stop in percent',
      { ...REQUEST, plan: { kind: 'trailing', trailing } },
      {
        ...{ ...net, type: 'TRAILING_STOP_MARKET', callbackRate: '1.5', activatePrice: '66000' },
        workingType: 'CONTRACT_PRICE',
      },
    ],
    [
      'what closes the whole position says neither quantity nor reduce-only',
      { ...unsized, whole: true },
      {
        ...{ ...common, positionSide: 'BOTH', closePosition: 'true' },
        ...{ type: 'STOP_MARKET', triggerPrice: '59000', workingType: 'MARK_PRICE' },
      },
    ],
    [
      'what closes a whole leg',
      { ...unsized, whole: true, contract: LEG },
      {
        ...{ ...common, positionSide: 'LONG', closePosition: 'true' },
        ...{ type: 'STOP_MARKET', triggerPrice: '59000', workingType: 'MARK_PRICE' },
      },
    ],
    [
      'a stop of a leg',
      { ...REQUEST, contract: LEG },
      {
        ...{ ...common, positionSide: 'LONG', quantity: '0.5' },
        ...{ type: 'STOP_MARKET', triggerPrice: '59000', workingType: 'MARK_PRICE' },
      },
    ],
  ];
  test.each(cases)('%s is written in full, once', async (_name, request, expected) => {
    const { algos, fields } = connector(ALGO);
    expect(await algos.place(KEY, request)).toEqual({ outcome: 'accepted', state: normaliseAlgo(ALGO) });
    const [{ recvWindow: _window, timestamp: __, signature: ___, ...written } = {}, ...more] = fields();
    expect(written).toEqual(expected);
    expect(more).toEqual([]);
  });

  const { contract: __, ...ofNoContract } = REQUEST;
  const limited = {
    kind: 'stop',
    leg: { trigger: { price: amount('59000'), by: 'last' }, limit: amount('58000') },
  } as const;
  test.each<[string, VenueAlgoRequest]>([
    ['no terms of a contract', ofNoContract],
    ['neither quantity nor whole', unsized],
    ['both', { ...REQUEST, whole: true }],
    [
      'an index',
      { ...REQUEST, plan: { kind: 'stop', leg: { trigger: { price: amount('1'), by: 'index' } } } },
    ],
    ['a pair', { ...REQUEST, plan: { kind: 'oco', takeProfit: limited.leg, stopLoss: limited.leg } }],
    [
      'a distance to follow by',
      { ...REQUEST, plan: { kind: 'trailing', trailing: { distance: amount('1'), by: 'last' } } },
    ],
    ['a whole position at a limit', { ...unsized, whole: true, plan: limited }],
    ['a whole position that trails', { ...unsized, whole: true, plan: { kind: 'trailing', trailing } }],
    ['a buy that would close a long leg', { ...unsized, whole: true, side: SIDE.BUY, contract: LEG }],
    ['a leg in one-way mode', { ...REQUEST, contract: { ...NET, side: POSITION_SIDE.LONG } }],
  ])('%s is not written at all', async (_name, request) => {
    const { algos, http } = connector(ALGO);
    expect(await algos.place(KEY, request)).toMatchObject({ venueCode: 'LOCAL_NOT_EXPRESSIBLE' });
    expect(http.requests).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['would trigger', refusal(-2021, 'Order would immediately trigger.'), 'refused'],
    ['another closes it already', refusal(-4130), 'refused'],
    ['too many', refusal(-4045, 'Reach max stop order limit.'), 'refused'],
    ['an id in use', refusal(-4116, 'ClientOrderId is duplicated.'), 'unknown'],
    ['a time-out', refusal(-1007, '', 504), 'unknown'],
    ['a new code', refusal(-4999), 'unknown'],
    ['another order', { ...ALGO, clientAlgoId: 'else' }, 'unknown'],
    ['no state', { ...ALGO, algoStatus: 'SLEEPING' }, 'unknown'],
  ])('%s is told as it should be', async (_name, answer, outcome) => {
    expect((await connector(answer).algos.place(KEY, REQUEST)).outcome).toBe(outcome);
  });
});

test.each<[string, object, string, string]>([
  ['waits', { clientAlgoId: 'ours', algoId: 7, code: '200', msg: 'success' }, 'done', 'unknown'],
  ['has fired', refusal(-2011, 'Unknown order sent.'), 'gone', 'unknown'],
  ['never was', refusal(-2013, 'Order does not exist.'), 'unknown', 'not-found'],
  ['is another', { clientAlgoId: 'else', algoId: 7, code: '200', msg: 'success' }, 'unknown', 'unknown'],
  ['is not told of', refusal(-1007, '', 504), 'unknown', 'unknown'],
])('a cancel and a lookup of one that %s', async (_name, answer, cancelled, found) => {
  expect((await connector(answer).algos.cancel(KEY, ALGO_KEY)).outcome).toBe(cancelled);
  expect((await connector(answer).algos.find(KEY, ALGO_KEY)).outcome).toBe(found);
});

describe('what the venue says of one', () => {
  const child = { venueOrderId: '88' as VenueOrderId };
  const cases: [string, object, Partial<VenueAlgoState>][] = [
    ['NEW', {}, { status: 'waiting' }],
    ['TRIGGERING', {}, { status: 'firing' }],
    ['TRIGGERED', {}, { status: 'firing' }],
    ['TRIGGERED', { ai: '88' }, { status: 'fired', child }],
    ['FINISHED', { ai: '88' }, { status: 'fired', child }],
    ['REJECTED', { rm: 'Margin is insufficient.' }, { status: 'refused', reason: 'Margin is insufficient.' }],
    ['CANCELED', { rm: 'Reduce Only reject' }, { status: 'cancelled', reason: 'Reduce Only reject' }],
    ['EXPIRED', {}, { status: 'expired' }],
  ];
  test.each(cases)('one that is %s, with %j, is read', (X, part, said) => {
    const expected = { clientId: 'ours', venueAlgoId: '7', symbol: 'BTCUSDT', time: 1_770_000_000_040 };
    const update = { ...ALGO_UPDATE, o: { ...ALGO_UPDATE.o, X, ...part } };
    expect(normaliseAlgoUpdate(update)).toEqual({ ...expected, ...said });
    const { reason: _, ...queried } = said;
    const actualOrderId = 'ai' in part ? part.ai : '';
    const row = { ...ALGO, algoStatus: X, actualOrderId, updateTime: 1_770_000_000_040 };
    expect(normaliseAlgo(row)).toEqual({ ...expected, ...queried });
  });

  test('of a list only what waits or fires is kept, and only of what was asked for', async () => {
    const rows = [
      ALGO,
      { ...ALGO, clientAlgoId: 'firing', algoStatus: 'TRIGGERING' },
      { ...ALGO, clientAlgoId: 'over', algoStatus: 'FINISHED', actualOrderId: '88' },
      { ...ALGO, clientAlgoId: 'other', symbol: 'ETHUSDT' },
    ];
    const waiting = await connector(rows).algos.waiting(KEY, [BTCUSDT_PERP]);
    expect(waiting.ok && waiting.value.map(({ clientId }) => clientId)).toEqual(['ours', 'firing']);
  });
});

const recordings: [string, Partial<VenueAlgoState>][] = [
  ['binance-py/ws_messages/ws_futures_algo_update_triggering.json', { status: 'firing' }],
  [
    'binance-py/ws_messages/ws_futures_algo_update_finished_canceled.json',
    { status: 'fired', child: { venueOrderId: '88937381064' as VenueOrderId } },
  ],
  [
    'binance/futures/user_data_json/algo_update_canceled.json',
    { status: 'cancelled', reason: 'Reduce Only reject' },
  ],
];
for (const [path, said] of recordings) {
  const message = asObject(recordedJson(`nautilus/${path}`));
  test.skipIf(message === undefined)(`recorded ${path} is read`, () => {
    expect(normaliseAlgoUpdate(asObject(message?.data) ?? message ?? {})).toMatchObject(said);
  });
}

const listed = asArray(recordedJson('nautilus/binance/futures/http_json/open_algo_orders.json'));
test.skipIf(listed === undefined)('recorded rows of open algo orders are read', () => {
  expect(listed?.map(normaliseAlgo)).toMatchObject([{ clientId: 'test-algo-order-1', status: 'waiting' }]);
});
