import type { Instrument, VenueClientId, VenueOrderId } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { openVenue } from '../../conformance/opened-venue.fixture.ts';
import { BTCUSDT_PERP } from '../../conformance/sample-instruments.ts';
import { Witness } from '../../conformance/witness.fixture.ts';
import type { HttpAnswer, HttpRequest } from '../../transport.ts';
import type { AlgoKey, VenueAlgos } from '../../venue-algos.ts';
import {
  CREDENTIALS,
  okxAnswer,
  okxItemRefusal,
  scriptedConnector,
} from '../trading/scripted-connector.fixture.ts';

/** Algo orders that are cancelled side by side (OKX v5 guide, "Cancel algo order" and "Algo order history", 2026-07). */

const SWAP: Instrument = { ...BTCUSDT_PERP, platform: 2, symbol: 'BTC-USDT-SWAP' };

/**
 * What becomes of one. `late`: taken, and only a look at the order itself shows its end; `fired`: it was, when the cancel came;
 * `missing`: the answer says nothing of it.
 */
type Fate = 'cancelled' | 'late' | 'fired' | 'gone' | 'refused' | 'strange' | 'missing';

const OUTCOMES: Readonly<Record<Fate, string>> = {
  ...{ cancelled: 'done', late: 'done', fired: 'gone', gone: 'gone' },
  ...{ refused: 'refused', strange: 'unknown', missing: 'unknown' },
};
const CODES: Partial<Record<Fate, string>> = { gone: '51400', refused: '51280', strange: '57777' };

const idOf = (at: number) => `90000${at}` as VenueOrderId;
const keyOf = (at: number, part: Partial<AlgoKey> = {}): AlgoKey => ({
  ...{ instrument: SWAP, clientId: `0190${at}` as VenueClientId, venueAlgoId: idOf(at), kind: 'stop' },
  ...part,
});
const rowOf = (algoId: string, state: string) => ({
  ...{ algoId, algoClOrdId: '', instId: SWAP.symbol, instType: 'SWAP', ordType: 'conditional', state },
  ...{ ordId: state === 'effective' ? '77' : '', ordIdList: [], failCode: '', cTime: '7', uTime: '9' },
});

const named = ({ body }: HttpRequest): readonly string[] =>
  (JSON.parse(body ?? '[]') as { algoId: string }[]).map(({ algoId }) => algoId);
const pathOf = ({ url }: HttpRequest) => new URL(url).pathname.replace('/api/v5/trade/', '');

/** The documented answers to what is asked about orders of these fates. */
function answering(fates: readonly Fate[]): (request: HttpRequest) => HttpAnswer {
  const fateOf = new Map(fates.map((fate, at) => [idOf(at) as string, fate]));
  const states = { cancelled: 'canceled', late: 'canceled', fired: 'effective' } as const;
  const shown = (id: string) => rowOf(id, states[fateOf.get(id) as keyof typeof states] ?? 'live');
  return (request) => {
    if (request.method === 'GET') {
      const query = new URL(request.url).searchParams;
      const id = query.get('algoId');
      if (id !== null) return okxAnswer(shown(id));
      expect(Object.fromEntries(query)).toEqual({
        ...{ ordType: 'conditional,oco', instId: SWAP.symbol, state: 'canceled' },
      });
      return okxAnswer(...[...fateOf].flatMap(([one, fate]) => (fate === 'cancelled' ? [shown(one)] : [])));
    }
    const data = named(request).flatMap((algoId) => {
      const fate = fateOf.get(algoId) ?? 'missing';
      return fate === 'missing' ? [] : [{ algoId, algoClOrdId: '', sCode: CODES[fate] ?? '0', sMsg: '' }];
    });
    const failed = data.filter(({ sCode }) => sCode !== '0').length;
    const code = failed === 0 ? '0' : failed === data.length ? '1' : '2';
    return { status: 200, headers: {}, text: JSON.stringify({ code, msg: '', data }) };
  };
}

/** Cancels so many side by side. */
async function cancelled(
  fates: readonly Fate[],
  answer: (request: HttpRequest, call: number) => HttpAnswer | Promise<HttpAnswer> = answering(fates),
) {
  const arbiter = new Witness();
  const { trading, http, asked } = openVenue('okx', arbiter);
  let calls = 0;
  http.answer = (request) => {
    if (request.method === 'POST') calls += 1;
    return answer(request, calls) as HttpAnswer;
  };
  const { algos } = trading as { algos: VenueAlgos };
  const outcomes = await Promise.all(fates.map((_fate, at) => algos.cancel(CREDENTIALS, keyOf(at))));
  trading.close();
  const requests = asked();
  const sent = requests.filter(({ method }) => method === 'POST').map((request) => named(request).length);
  const weights = arbiter.asked
    .filter(({ requestClass }) => requestClass === 'cancel')
    .map(({ costs }) => costs.map(({ weight }) => weight));
  return { outcomes: outcomes.map(({ outcome }) => outcome), requests, sent, weights };
}

const many = (length: number): readonly Fate[] => Array.from({ length }, () => 'cancelled' as const);

test('the first goes at once, those that come behind it by calls of ten, and each counts', async () => {
  const { outcomes, requests, sent, weights } = await cancelled(many(15));
  expect(new Set(outcomes)).toEqual(new Set(['done']));
  expect(sent).toEqual([1, 10, 4]);
  expect(weights).toEqual([[1], [10], [4]]);
  // Beside the calls one look at the first, and one list for each of the others.
  expect(requests.map(pathOf).sort()).toEqual(
    [
      ...Array.from({ length: 3 }, () => 'cancel-algos'),
      ...['order-algo', 'orders-algo-history', 'orders-algo-history'],
    ].sort(),
  );
});

test.each(['gone', 'refused', 'strange', 'fired', 'missing'] as const)(
  'one of ten that is %s leaves the other nine cancelled',
  async (fate) => {
    const fates = many(11).with(5, fate);
    const { outcomes, sent } = await cancelled(fates);
    expect(sent).toEqual([1, 10]);
    expect(outcomes).toEqual(fates.map((one) => OUTCOMES[one]));
  },
);

test('of a call that was taken in part each has its own outcome', async () => {
  const fates = ['cancelled', 'gone', 'cancelled', 'refused', 'strange', 'fired', 'late', 'missing'] as const;
  const { outcomes, sent } = await cancelled(fates);
  expect(sent).toEqual([1, 7]);
  expect(outcomes).toEqual(fates.map((fate) => OUTCOMES[fate]));
});

test('those of other markets and accounts go by themselves, and kinds of other lists are looked up in theirs', async () => {
  const { trading, http, asked } = openVenue('okx', new Witness());
  http.answer = answering(many(6));
  const { algos } = trading as { algos: VenueAlgos };
  const PAIR: Instrument = { ...SWAP, symbolType: 'SPOT', symbol: 'BTC-USDT' };
  await Promise.all([
    algos.cancel(CREDENTIALS, keyOf(0)),
    algos.cancel(CREDENTIALS, keyOf(1, { instrument: PAIR })),
    algos.cancel({ ...CREDENTIALS, apiKey: 'another' }, keyOf(2)),
    algos.cancel(CREDENTIALS, keyOf(3)),
    algos.cancel(CREDENTIALS, keyOf(4, { kind: 'trailing' })),
  ]);
  trading.close();
  const posts = asked().filter(({ method }) => method === 'POST');
  expect(posts.map(named)).toEqual([[idOf(0)], [idOf(1)], [idOf(2)], [idOf(3), idOf(4)]]);
  expect(asked().some(({ url }) => url.includes('orders-algo-history'))).toBe(false);
});

describe('a call whose answer proves nothing of each', () => {
  const lost: readonly (readonly [string, () => HttpAnswer | Promise<HttpAnswer>, string])[] = [
    ['no answer in time', () => Promise.reject(new Error('timed out')), 'unknown'],
    ['a server error', () => ({ status: 502, headers: {}, text: '' }), 'unknown'],
    ['an answer of nothing', () => okxAnswer(), 'unknown'],
    ['a refusal of one that it does not name', () => okxItemRefusal('51400'), 'unknown'],
    ["the limiter's refusal", () => ({ status: 429, headers: {}, text: '' }), 'refused'],
  ];
  test.each(lost)('%s leaves all of them so, and nothing is sent again', async (_says, answer, outcome) => {
    const fates = many(4);
    const right = answering(fates);
    const { outcomes, sent } = await cancelled(fates, (request, call) =>
      request.method === 'POST' && call > 1 ? answer() : right(request),
    );
    expect(outcomes).toEqual(['done', outcome, outcome, outcome]);
    expect(sent).toEqual([1, 3]);
  });
});

test('behind an answer that does not come nobody waits for long', async () => {
  const { trading, http, time } = scriptedConnector();
  const right = answering(many(3));
  const silent = Promise.withResolvers<HttpAnswer>();
  http.answer = ((request: HttpRequest) =>
    request.method === 'POST' && named(request).includes(idOf(0)) ? silent.promise : right(request)) as never;
  const { algos } = trading as { algos: VenueAlgos };
  const first = algos.cancel(CREDENTIALS, keyOf(0));
  const others = [1, 2].map((at) => algos.cancel(CREDENTIALS, keyOf(at)));
  const [request, ...more] = http.requests.filter(({ method }) => method === 'POST');
  expect(more).toEqual([]);
  time.advance(500);
  expect((await Promise.all(others)).map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  silent.resolve(right(request as HttpRequest));
  expect((await first).outcome).toBe('done');
  trading.close();
});
