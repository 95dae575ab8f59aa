import { describe, expect, test } from 'vitest';
import { createBinanceTrading } from '../binance/trading/binance-trading.ts';
import { ORDER as BYBIT_ORDER } from '../bybit/perps/trading/messages.fixture.ts';
import { createBybitTrading } from '../bybit/trading/bybit-trading.ts';
import { BTC_USDT_SWAP } from '../okx/market/sample-instruments.fixture.ts';
import { ORDER as OKX_ORDER } from '../okx/perps/trading/messages.fixture.ts';
import { createOkxTrading } from '../okx/trading/okx-trading.ts';
import { VENUE_PROFILES } from '../profiles.ts';
import { okAnswer, scriptedVenue } from '../trading/scripted-transport.fixture.ts';
import type { HttpAnswer, HttpRequest } from '../transport.ts';
import type { CountdownRequest } from '../venue-countdown.ts';
import { BTCUSDT_PERP } from './sample-instruments.ts';
import { Witness } from './witness.fixture.ts';

/** What cancels resting orders once their owner is not heard of, in each exchange's words. */

const CREDENTIALS = { apiKey: 'key', secret: 'secret', passphrase: 'passphrase' };
const ON: CountdownRequest = { seconds: 120 };
const OFF: CountdownRequest = { seconds: 0 };

type Slug = 'binance' | 'okx' | 'bybit';

function open(slug: Slug, arbiter?: Witness) {
  const { options, http, sockets, time } = scriptedVenue();
  const all = { ...options, ...(arbiter === undefined ? {} : { arbiter }) };
  const futures = { restBase: 'http://venue', socketBase: 'ws://venue' };
  const trading =
    slug === 'binance'
      ? createBinanceTrading({ ...all, wsApiUrl: 'ws://venue/ws-api/v3', futures })
      : slug === 'okx'
        ? createOkxTrading({ ...all, privateSocketUrl: 'ws://venue/ws/v5/private', contracts: true })
        : createBybitTrading({ ...all, socketBase: 'ws://venue/', contracts: true });
  const asked = (): readonly HttpRequest[] => http.requests.filter(({ url }) => !url.includes('/public/'));
  const set = (request: CountdownRequest) => {
    if (trading.countdown === undefined) throw new Error('it has none');
    return trading.countdown.set(CREDENTIALS, request);
  };
  return { trading, http, sockets, time, asked, set };
}

test('each profile says what is covered: of Binance no pair', () => {
  const said = Object.values(VENUE_PROFILES).map(({ platform, trading: { countdown } }) => [
    ...[platform, countdown.counts, countdown.covers.SPOT, countdown.covers.SWAP],
    countdown.seconds.join(),
  ]);
  expect(said).toEqual([
    [1, 'symbol', false, true, '120,300'],
    [2, 'account', true, true, '60,120'],
    [3, 'connection', true, true, '60,120,300'],
  ]);
});

/** An exchange whose count has to be asked for again: how that is written, and its documented answer. */
interface RenewedKit {
  readonly name: string;
  readonly slug: Slug;
  readonly part: Pick<CountdownRequest, 'symbol'>;
  written(request: HttpRequest): object;
  readonly on: object;
  readonly off: object;
  readonly weights: readonly number[];
  answer(seconds: number): object;
  readonly strange: readonly object[];
}

const okxRow = (row: object) => ({ code: '0', msg: '', data: [row] });
const KITS: readonly RenewedKit[] = [
  {
    ...{ name: 'Binance contracts', slug: 'binance', part: { symbol: 'BTCUSDT' }, weights: [10] },
    written: ({ method, url, body }) => {
      const { symbol, countdownTime } = Object.fromEntries(new URLSearchParams(body ?? ''));
      return { method, path: new URL(url).pathname, symbol, countdownTime };
    },
    on: { method: 'POST', path: '/fapi/v1/countdownCancelAll', symbol: 'BTCUSDT', countdownTime: '120000' },
    off: { method: 'POST', path: '/fapi/v1/countdownCancelAll', symbol: 'BTCUSDT', countdownTime: '0' },
    answer: (seconds) => ({ symbol: 'BTCUSDT', countdownTime: String(seconds * 1_000) }),
    strange: [
      { symbol: 'ETHUSDT', countdownTime: '120000' },
      { symbol: 'BTCUSDT', countdownTime: '1' },
      { symbol: 'BTCUSDT' },
    ],
  },
  {
    ...{ name: 'OKX', slug: 'okx', part: {}, weights: [1] },
    written: ({ method, url, body }) => ({ method, path: new URL(url).pathname, ...JSON.parse(body ?? '') }),
    on: { method: 'POST', path: '/api/v5/trade/cancel-all-after', timeOut: '120' },
    off: { method: 'POST', path: '/api/v5/trade/cancel-all-after', timeOut: '0' },
    answer: (seconds) =>
      okxRow({ triggerTime: seconds === 0 ? '0' : '1770000120000', tag: '', ts: '1770000000000' }),
    strange: [
      okxRow({ triggerTime: '0', tag: '', ts: '1' }),
      okxRow({ tag: '' }),
      okxRow({ triggerTime: '-1' }),
    ],
  },
];

describe.each(KITS)('$name', (kit) => {
  const { slug, part } = kit;
  test.each([
    ['begins', ON, kit.on],
    ['ends', OFF, kit.off],
  ] as const)('a count %s by one call', async (_name, request, expected) => {
    const { http, asked, set, trading } = open(slug);
    http.answer = () => okAnswer(kit.answer(request.seconds));
    expect(await set({ ...request, ...part })).toEqual({ outcome: 'done' });
    trading.close();
    expect(asked().map(kit.written)).toEqual([expected]);
  });

  const answers: [string, () => HttpAnswer | Promise<never>, string][] = [
    ['a reset', () => Promise.reject(new Error('reset')), 'unknown'],
    ['a server error', () => ({ status: 502, headers: {}, text: '' }), 'unknown'],
    ['rubbish', () => ({ status: 200, headers: {}, text: '<html>' }), 'unknown'],
    ['nothing', () => okAnswer({}), 'unknown'],
    ["the limiter's refusal", () => ({ status: 429, headers: {}, text: '' }), 'refused'],
    ...kit.strange.map((body): [string, () => HttpAnswer, string] => [
      JSON.stringify(body),
      () => okAnswer(body),
      'unknown',
    ]),
  ];
  test.each(answers)(
    'of %s nothing is assumed, and nothing is sent again',
    async (_name, answer, outcome) => {
      const { http, asked, set, trading } = open(slug);
      http.answer = answer as () => HttpAnswer;
      expect(await set({ ...ON, ...part })).toMatchObject({ outcome });
      trading.close();
      expect(asked()).toHaveLength(1);
    },
  );

  test('it has a class and a share of its own, and its weight at the exchange; without room nothing is asked', async () => {
    const arbiter = new Witness();
    const { http, set, trading } = open(slug, arbiter);
    http.answer = () => okAnswer(kit.answer(120));
    await set({ ...ON, ...part });
    trading.close();
    const said = arbiter.asked.map(({ requestClass, costs }) => [
      requestClass,
      costs.map((one) => one.weight),
    ]);
    expect(said).toEqual([['countdown', kit.weights]]);
    const full = open(slug, new Witness(true));
    expect(await full.set({ ...ON, ...part })).toMatchObject({
      outcome: 'refused',
      retryAfterMillis: 12_000,
    });
    full.trading.close();
    expect(full.asked()).toEqual([]);
  });
});

test('Binance counts for a contract: without one nothing is asked', async () => {
  const { asked, set, trading } = open('binance');
  expect(await set(ON)).toMatchObject({ outcome: 'refused' });
  trading.close();
  expect([BTCUSDT_PERP.symbol, asked()]).toEqual(['BTCUSDT', []]);
});

describe('Bybit, for a connection', () => {
  const done = okAnswer({ retCode: 0, retMsg: 'OK', result: {}, retExtInfo: {}, time: 1 });
  function connected(answer = done) {
    const all = open('bybit');
    all.http.answer = () => answer;
    const closed: string[] = [];
    const stream = all.trading.userStream(CREDENTIALS, {
      ...{ onOpen: () => undefined, onOrder: () => undefined, onBalances: () => undefined },
      ...{ onClosed: (why) => closed.push(why), onMalformed: (why) => closed.push(why) },
    });
    const live = () => {
      all.sockets.newest.open();
      all.sockets.newest.say({ success: true, ret_msg: '', op: 'auth', conn_id: 'c' });
      all.sockets.newest.say({ success: true, op: 'subscribe', conn_id: 'c', req_id: 'subscribe' });
    };
    live();
    /** What the newest connection was told of what watches it. */
    const watches = () =>
      all.sockets.newest.heard
        .map((text) => JSON.parse(text) as { op: string; req_id: string; args?: unknown[] })
        .filter(({ args }) => args?.some((arg) => String(arg).startsWith('dcp.')));
    const answered = async (success = true) => {
      await expect.poll(() => watches().length).toBeGreaterThan(0);
      const { req_id, op } = watches().at(-1) ?? { req_id: '', op: '' };
      all.sockets.newest.say({ success, ret_msg: '', op, conn_id: 'c', req_id });
    };
    return { ...all, stream, closed, live, watches, answered };
  }

  test('both windows are set, then the connection is watched', async () => {
    const { set, answered, asked, watches, trading } = connected();
    const setting = set(ON);
    await answered();
    expect(await setting).toEqual({ outcome: 'done' });
    trading.close();
    const calls = asked().map(({ method, url, body }) => [
      method,
      new URL(url).pathname,
      JSON.parse(body ?? ''),
    ]);
    const path = '/v5/order/disconnected-cancel-all';
    expect(calls).toEqual([
      ['POST', path, { product: 'SPOT', timeWindow: 120 }],
      ['POST', path, { product: 'DERIVATIVES', timeWindow: 120 }],
    ]);
    expect(watches()).toMatchObject([{ op: 'subscribe', args: ['dcp.spot', 'dcp.future'] }]);
  });

  test('a connection that takes the place of another is watched too, until the venue has said that none is', async () => {
    const { set, answered, watches, sockets, time, live, trading } = connected();
    const setting = set(ON);
    await answered();
    await setting;
    sockets.newest.drop();
    expect(await set(OFF), 'no connection hears it').toMatchObject({ outcome: 'unknown' });
    time.advance(1_000);
    live();
    expect(watches()).toMatchObject([{ op: 'subscribe' }]);
    await answered();
    const ending = set(OFF);
    await answered();
    expect(await ending).toEqual({ outcome: 'done' });
    expect(watches()).toMatchObject([{ op: 'subscribe' }, { op: 'unsubscribe' }]);
    sockets.newest.drop();
    time.advance(2_000);
    live();
    expect(watches()).toEqual([]);
    trading.close();
  });

  test('a window that is refused is a refusal, and nothing is watched', async () => {
    const body = { retCode: 10_005, retMsg: 'Permission denied', result: {}, retExtInfo: {}, time: 1 };
    const { set, watches, trading } = connected(okAnswer(body));
    expect(await set(ON)).toMatchObject({ outcome: 'refused', venueCode: '10005' });
    expect(watches()).toEqual([]);
    trading.close();
  });

  test.each([
    ['a topic that is refused', (all: ReturnType<typeof connected>) => all.answered(false)],
    [
      'a connection that is lost',
      async (all: ReturnType<typeof connected>) => {
        await expect.poll(() => all.watches().length).toBe(1);
        all.sockets.newest.drop();
      },
    ],
  ])('%s leaves it unknown, and orders are heard of as before', async (name, happens) => {
    const all = connected();
    const setting = all.set(ON);
    await happens(all);
    expect(await setting).toMatchObject({ outcome: 'unknown' });
    if (name.startsWith('a topic')) expect(all.closed).toEqual([]);
    all.trading.close();
  });

  test('without a private stream nothing is on, and nothing has to end', async () => {
    const { set, http, trading } = open('bybit');
    http.answer = () => done;
    expect(await set(ON)).toMatchObject({ outcome: 'unknown' });
    expect(await set(OFF)).toEqual({ outcome: 'done' });
    trading.close();
  });
});

describe('an order that it ended', () => {
  const find = async (slug: Slug, answer: object) => {
    const { trading, http } = open(slug);
    http.answer = () => okAnswer(answer);
    const instrument = slug === 'okx' ? BTC_USDT_SWAP : { ...BTCUSDT_PERP, platform: 3 as const };
    const found = await trading.findByVenueId(CREDENTIALS, instrument, '77' as never);
    trading.close();
    return found;
  };
  const okx = (part: object) => okxRow({ ...OKX_ORDER, state: 'canceled', ...part });
  const bybit = (part: object) => ({
    ...{ retCode: 0, retMsg: 'OK', retExtInfo: {}, time: 1 },
    result: { list: [{ ...BYBIT_ORDER, orderStatus: 'Cancelled', ...part }] },
  });
  test.each([
    ['okx', okx({ ordId: '77', cancelSource: '20' }), 'countdown'],
    ['okx', okx({ ordId: '77', cancelSource: '1' }), undefined],
    ['okx', okx({ ordId: '77', cancelSource: '20', state: 'filled' }), undefined],
    ['bybit', bybit({ orderId: '77', cancelType: 'CancelByDCP' }), 'countdown'],
    ['bybit', bybit({ orderId: '77', cancelType: 'CancelByUser' }), undefined],
  ] as const)('%s %#: says so, or does not', async (slug, answer, endedBy) => {
    const found = await find(slug, answer);
    if (found.outcome !== 'found') throw new Error(found.outcome);
    expect(found.value.endedBy).toBe(endedBy);
  });
});
