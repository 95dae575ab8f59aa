import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Millis, type PlatformSlug, platformOfSlug } from '@crossbook/domain';
import { type RelayProfile, venueProfile } from '@crossbook/venues';
import { askPublic, hearPublic, PUBLIC_LIMITS, VenueArbiter } from '@crossbook/venues/trading';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keepMillis, relayRule } from './relay-paths.ts';
import { type RelayAnswer, type RelayDoor, venueRelay } from './venue-relay.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A venue over real HTTP: counts what it is asked, answers what the test says. */
class Venue {
  readonly asked: string[] = [];
  answer: Answer = (_request, response) => void response.end('{"ok":true}');
  readonly #server: Server = createServer((request, response) => {
    this.asked.push(request.url ?? '');
    this.answer(request, response);
  });
  base = '';

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    this.base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    return this;
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

let spot: Venue;
let perps: Venue;
let now: number;
beforeEach(async () => {
  [spot, perps] = await Promise.all([new Venue().open(), new Venue().open()]);
  now = 1_770_000_000_000;
});
afterEach(() => Promise.all([spot.close(), perps.close()]));

function relayOf(slug: PlatformSlug): RelayProfile {
  return venueProfile(platformOfSlug(slug)?.platform ?? 1).relay;
}

/** A relay before a real arbiter whose waits never end by themselves, asked by one visitor unless the test names more. */
function open(slug: PlatformSlug = 'binance', listed?: readonly string[]) {
  const restBases = { SPOT: spot.base, SWAP: perps.base };
  const clock = () => now as Millis;
  const arbiter = new VenueArbiter({ clock, timers: { after: () => () => undefined } });
  const limits = PUBLIC_LIMITS[platformOfSlug(slug)?.platform ?? 1];
  const door: RelayDoor = {
    async ask(question, visitor) {
      const member = visitor === undefined ? {} : { member: visitor };
      const permit = await askPublic({ arbiter, limits }, question, { requestClass: 'relay', ...member });
      return permit.granted ? undefined : permit.retryAfterMillis;
    },
    hear: (question, answer) => hearPublic({ arbiter, limits }, question, answer),
  };
  const knows = (symbol: string) => listed?.includes(symbol);
  const relay = venueRelay({ profile: relayOf(slug), restBases, clock, door, knows });
  const asVisitor = (path: string, query: string, visitor = '10.0.0.1') => relay(path, query, visitor);
  return Object.assign(asVisitor, { stats: relay.stats, arbiter });
}

const textOf = ({ body }: RelayAnswer) => Buffer.from(body).toString();
const DEPTH = ['/api/v3/depth', 'symbol=BTCUSDT&limit=5'] as const;

describe('what is relayed', () => {
  test.each<[PlatformSlug, string]>([
    ['binance', '/api/v3/time'],
    ['binance', '/api/v3/exchangeInfo'],
    ['binance', '/api/v3/ticker/24hr'],
    ['binance', '/api/v3/klines'],
    ['okx', '/api/v5/public/instruments'],
    ['okx', '/api/v5/market/tickers'],
    ['okx', '/api/v5/market/books'],
    ['okx', '/api/v5/market/candles'],
    ['okx', '/api/v5/market/history-candles'],
    ['okx', '/api/v5/market/trades'],
    ['okx', '/api/v5/market/index-tickers'],
    ['okx', '/api/v5/public/mark-price'],
    ['okx', '/api/v5/public/funding-rate'],
    ['okx', '/api/v5/public/open-interest'],
    ['okx', '/api/v5/public/time'],
    ['bybit', '/v5/market/instruments-info'],
    ['bybit', '/v5/market/tickers'],
    ['bybit', '/v5/market/orderbook'],
    ['bybit', '/v5/market/kline'],
    ['bybit', '/v5/market/recent-trade'],
    ['bybit', '/v5/market/time'],
  ])('%s %s goes to the host of spot', async (slug, path) => {
    expect((await open(slug)(path, '')).status).toBe(200);
    expect([spot.asked, perps.asked]).toEqual([[path], []]);
  });

  test.each([
    ...['time', 'exchangeInfo', 'ticker/24hr', 'premiumIndex', 'depth', 'klines', 'trades', 'openInterest'],
    'fundingRate',
  ])('binance /fapi/v1/%s goes to the host of futures', async (call) => {
    expect((await open()(`/fapi/v1/${call}`, '')).status).toBe(200);
    expect([spot.asked, perps.asked]).toEqual([[], [`/fapi/v1/${call}`]]);
  });

  test.each<[PlatformSlug, string, string, number]>([
    ['binance', '/api/v3/order', '', 404],
    ['binance', '/api/v3/account', '', 404],
    ['binance', '/fapi/v1/order', '', 404],
    ['binance', '/sapi/v1/capital/config/getall', '', 404],
    ['binance', '/api/v3/depth/../account', '', 404],
    ['binance', '//api/v3/depth', '', 404],
    ['okx', '/api/v5/account/balance', '', 404],
    ['okx', '/api/v3/depth', '', 404],
    ['okx', '/api/v5/trade/order', '', 404],
    ['bybit', '/v5/order/create', '', 404],
    ['bybit', '/v5/account/wallet-balance', '', 404],
    ['bybit', '/v5/market/tickers/x', '', 404],
    ['binance', '/api/v3/depth', 'a=b c', 400],
    ['binance', '/api/v3/depth', 'a=%0d%0a\r\n', 400],
    ['binance', '/api/v3/depth', `a=${'x'.repeat(8_200)}`, 400],
  ])('%s %s?%s is answered %i here and nobody is asked', async (slug, path, query, status) => {
    expect((await open(slug)(path, query)).status).toBe(status);
    expect([spot.asked, perps.asked]).toEqual([[], []]);
  });
});

describe('a question is written in one way', () => {
  test.each<[PlatformSlug, string, string, string]>([
    ['binance', '/api/v3/depth', 'limit=5000&symbol=BTCUSDT', 'limit=100&symbol=BTCUSDT'],
    ['binance', '/api/v3/depth', 'symbol=BTCUSDT&limit=63', 'limit=100&symbol=BTCUSDT'],
    ['binance', '/api/v3/depth', 'symbol=BTCUSDT&limit=007', 'limit=10&symbol=BTCUSDT'],
    ['binance', '/fapi/v1/depth', 'symbol=BTCUSDT&limit=1000', 'limit=100&symbol=BTCUSDT'],
    ['okx', '/api/v5/market/books', 'sz=5000&instId=BTC-USDT', 'instId=BTC-USDT&sz=400'],
    [
      'bybit',
      '/v5/market/orderbook',
      'symbol=BTCUSDT&limit=9999&category=spot',
      'category=spot&limit=1000&symbol=BTCUSDT',
    ],
  ])('%s %s?%s is asked as %s', async (slug, path, given, asked) => {
    await open(slug)(path, given);
    expect([...spot.asked, ...perps.asked]).toEqual([`${path}?${asked}`]);
  });

  test.each<[PlatformSlug, string, string, string]>([
    ['binance', '/api/v3/depth', 'symbol=BTCUSDT&x=1', 'The parameter "x" is not relayed.'],
    ['binance', '/api/v3/depth', 'symbol=NOPE', 'The parameter "symbol" is not valid.'],
    ['binance', '/api/v3/depth', 'symbol=BTCUSDT&symbol=BTCUSDT', 'The parameter "symbol" is not valid.'],
    ['binance', '/api/v3/depth', 'symbol=BTCUSDT&limit=0', 'The parameter "limit" is not valid.'],
    ['binance', '/api/v3/depth', 'symbol=BTCUSDT&limit=1e3', 'The parameter "limit" is not valid.'],
    ['binance', '/api/v3/klines', 'symbol=BTCUSDT&interval=7m', 'The parameter "interval" is not valid.'],
    ['binance', '/api/v3/exchangeInfo', 'permissions=SPOT', 'The parameter "permissions" is not relayed.'],
    ['binance', '/api/v3/time', '__proto__=1', 'The parameter "__proto__" is not relayed.'],
    ['binance', '/api/v3/time', '%3Cb%3E=1', 'A parameter is not relayed.'],
    ['okx', '/api/v5/market/candles', 'instId=BTCUSDT&bar=1Hutc', 'The parameter "bar" is not valid.'],
  ])('%s %s?%s is refused: %s', async (slug, path, given, why) => {
    const answer = await open(slug, ['BTCUSDT'])(path, given);
    expect([answer.status, JSON.parse(textOf(answer))]).toEqual([400, { code: -400, msg: why }]);
    expect([...spot.asked, ...perps.asked]).toEqual([]);
  });
});

describe('visitors have a small share of what the exchange lets us ask', () => {
  test('two dozen snapshots with varied rows are one question', async () => {
    const relay = open();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_none, at) => relay('/api/v3/depth', `symbol=BTCUSDT&limit=${4_000 + at}`)),
    );
    expect([answers.every(({ status }) => status === 200), spot.asked.length]).toEqual([true, 1]);
  });

  test('thirty addresses that ask without end share three tenths, are told when to come back, and take no cancel', async () => {
    const relay = open();
    const outcomes: string[] = [];
    for (let at = 0; at < 1_200; at += 1) {
      const query = `symbol=S${at}&interval=1h`;
      const { status, retryAfter } = await relay('/api/v3/klines', query, `v${at % 30}`);
      outcomes.push(status === 200 ? 'answered' : `${status} ${Number(retryAfter) > 0}`);
    }
    const answered = outcomes.filter((outcome) => outcome === 'answered').length;
    expect(new Set(outcomes)).toEqual(new Set(['answered', '503 true']));
    // 2 for each of 6,000.
    expect([answered * 2 <= 1_800, answered > 800, spot.asked.length]).toEqual([true, true, answered]);
    expect(relay.stats().refusals).toBe(outcomes.length - answered);
    const ping = { market: 'SPOT', path: '/api/v3/ping', query: new URLSearchParams() } as const;
    const cancel = { requestClass: 'cancel', member: 'm', costs: PUBLIC_LIMITS[1].costs(ping) } as const;
    expect(relay.arbiter.ask(cancel)).toMatchObject({ granted: true });
  });
});

describe('one answer for everybody', () => {
  test('a hundred at the same moment are one question', async () => {
    let answerNow: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      spot.answer = (_request, response) => {
        answerNow = () => void response.end('{"bids":[]}');
        resolve();
      };
    });
    const relay = open();
    const all = Array.from({ length: 100 }, () => relay(...DEPTH));
    await asked;
    answerNow();
    expect(new Set((await Promise.all(all)).map(textOf))).toEqual(new Set(['{"bids":[]}']));
    expect(spot.asked).toHaveLength(1);
    expect(relay.stats()).toMatchObject({ asked: 1, joined: 99, kept: 0 });
  });

  const day = 86_400_000;
  const closed = `interval=1h&symbol=A&endTime=${1_770_000_000_000 - day}`;
  test.each<[PlatformSlug, string, string, number]>([
    ['binance', '/api/v3/time', '', 0],
    ['okx', '/api/v5/public/time', '', 0],
    ['bybit', '/v5/market/time', '', 0],
    ['binance', '/api/v3/depth', 'symbol=A', 500],
    ['binance', '/fapi/v1/trades', 'symbol=A', 500],
    ['binance', '/api/v3/ticker/24hr', '', 5_000],
    ['binance', '/api/v3/ticker/24hr', 'symbol=A', 1_000],
    ['binance', '/fapi/v1/premiumIndex', '', 5_000],
    ['binance', '/api/v3/exchangeInfo', '', 120_000],
    ['binance', '/api/v3/klines', 'interval=1h&symbol=A', 1_000],
    ['binance', '/api/v3/klines', closed, 300_000],
    ['binance', '/api/v3/klines', `interval=1h&endTime=${1_770_000_000_000 - 3_500_000}`, 1_000],
    ['binance', '/api/v3/klines', `interval=1M&endTime=${1_770_000_000_000 - 30 * day}`, 1_000],
    ['binance', '/api/v3/klines', `interval=1M&endTime=${1_770_000_000_000 - 31 * day}`, 300_000],
    ['binance', '/api/v3/klines', `interval=bogus&endTime=1`, 1_000],
    ['okx', '/api/v5/market/candles', `bar=1Dutc&after=${1_770_000_000_000 - day}`, 300_000],
    ['okx', '/api/v5/market/candles', `bar=1Dutc&after=${1_770_000_000_000 - day + 1}`, 1_000],
    ['okx', '/api/v5/market/history-candles', `bar=4H&after=${1_770_000_000_000 - day}`, 300_000],
    ['okx', '/api/v5/market/candles', 'bar=1m', 1_000],
    ['bybit', '/v5/market/kline', `interval=60&end=${1_770_000_000_000 - 3_600_000}`, 300_000],
    ['bybit', '/v5/market/kline', `interval=60&end=${1_770_000_000_000 - 3_599_999}`, 1_000],
    ['bybit', '/v5/market/kline', `interval=D&end=${1_770_000_000_000 - day}`, 300_000],
    ['bybit', '/v5/market/kline', `interval=M&end=${1_770_000_000_000 - 20 * day}`, 1_000],
  ])('%s %s?%s is good for %i ms', (slug, path, query, millis) => {
    const rule = relayRule(relayOf(slug), path);
    expect(rule && keepMillis(rule, new URLSearchParams(query), now)).toBe(millis);
  });

  test('an answer is given again until its time is over, then asked for anew; another query is another question', async () => {
    const relay = open();
    await relay(...DEPTH);
    now += 499;
    await relay(...DEPTH);
    expect(spot.asked).toHaveLength(1);
    now += 1;
    await relay(...DEPTH);
    await relay('/api/v3/depth', 'symbol=ETHUSDT');
    expect(spot.asked).toHaveLength(3);
    expect(relay.stats()).toMatchObject({ kept: 1, asked: 3, entries: 2 });
  });

  test.each<[PlatformSlug, string, number, string]>([
    ['binance', '/api/v3/exchangeInfo', 400, '{"code":-1121,"msg":"Invalid symbol."}'],
    ['binance', '/api/v3/exchangeInfo', 500, 'oops'],
    ['okx', '/api/v5/public/instruments', 200, '{"code":"51001","msg":"no","data":[]}'],
    ['okx', '/api/v5/public/instruments', 200, '{"msg":"busy","code":"50013","data":[]}'],
    ['bybit', '/v5/market/instruments-info', 200, '{"retCode":10001,"retMsg":"no","result":{}}'],
    ['bybit', '/v5/market/instruments-info', 200, ''],
  ])('%s %s answering %i %s is passed on as it is and not kept', async (slug, path, status, body) => {
    const relay = open(slug);
    spot.answer = (_request, response) => void response.writeHead(status).end(body);
    const first = await relay(path, '');
    expect([first.status, textOf(first)]).toEqual([status, body]);
    await relay(path, '');
    expect([spot.asked.length, relay.stats().entries]).toEqual([2, 0]);
  });

  test.each<[PlatformSlug, string, string]>([
    ['okx', '/api/v5/public/instruments', '{"code":"0","msg":"","data":[]}'],
    ['okx', '/api/v5/public/instruments', '{ "msg": "", "code": "0", "data": [] }'],
    ['bybit', '/v5/market/instruments-info', '{"retCode":0,"retMsg":"OK","result":{}}'],
  ])('%s %s answering %s is kept', async (slug, path, body) => {
    const relay = open(slug);
    spot.answer = (_request, response) => void response.end(body);
    expect(textOf(await relay(path, ''))).toBe(body);
    expect(textOf(await relay(path, ''))).toBe(body);
    expect(spot.asked).toHaveLength(1);
  });
});

describe('a venue that wants fewer requests', () => {
  const ended = 1_770_000_000_000 - 86_400_000;
  test.each<[PlatformSlug, number, string, string]>([
    ['binance', 429, '/api/v3/klines', `symbol=A&interval=1h&endTime=${ended}`],
    ['binance', 418, '/api/v3/klines', `symbol=A&interval=1h&endTime=${ended}`],
    ['okx', 429, '/api/v5/market/candles', `instId=A&bar=1H&after=${ended}`],
    ['bybit', 403, '/v5/market/kline', `category=spot&symbol=A&interval=60&end=${ended}`],
  ])(
    '%s answering %i is left alone for as long as it says; kept answers go on',
    async (slug, status, path, kept) => {
      const relay = open(slug);
      const success = slug === 'okx' ? '{"code":"0"}' : '{"retCode":0}';
      spot.answer = (_request, response) => void response.end(success);
      await relay(path, kept);
      spot.answer = (_request, response) =>
        void response.writeHead(status, { 'retry-after': '30' }).end('{}');
      expect(await relay(path, '')).toMatchObject({ status, retryAfter: '30' });
      spot.answer = (_request, response) => void response.end(success);
      now += 10_000;
      expect(await relay(path, '')).toMatchObject({ status: 503, retryAfter: '20' });
      expect(await relay(path, kept)).toMatchObject({ status: 200 });
      expect(spot.asked).toHaveLength(2);
      now += 20_000;
      expect(await relay(path, '')).toMatchObject({ status: 200 });
      expect(relay.stats().pauses).toBe(1);
    },
  );

  test.each([
    ['', '10'],
    ['0', '1'],
    ['999999999', '259200'],
    ['Wed, 21 Oct 2026 07:28:00 GMT', '10'],
  ])('a Retry-After of "%s" counts as %s s', async (given, seconds) => {
    const headers = given === '' ? {} : { 'retry-after': given };
    spot.answer = (_request, response) => void response.writeHead(429, headers).end('{}');
    expect(await open()(...DEPTH)).toMatchObject({ status: 429, retryAfter: seconds });
  });

  test('at its spot host is still asked at its futures host', async () => {
    const relay = open();
    spot.answer = (_request, response) => void response.writeHead(429).end('{}');
    await relay(...DEPTH);
    expect(await relay('/fapi/v1/depth', 'symbol=A')).toMatchObject({ status: 200 });
  });
});

describe('a venue that is not well', () => {
  test('refused connections and redirects are 502, and asked again the next time', async () => {
    const relay = open();
    spot.answer = (_request, response) => void response.writeHead(302, { location: perps.base }).end();
    expect((await relay(...DEPTH)).status).toBe(502);
    spot.answer = (_request, response) => void response.destroy();
    expect((await relay(...DEPTH)).status).toBe(502);
    spot.answer = (_request, response) => void response.end('{}');
    expect((await relay(...DEPTH)).status).toBe(200);
    expect(perps.asked).toEqual([]);
  });

  test('that does not answer takes 64 questions, and refuses the next at once', async () => {
    const relay = open();
    let arrived: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (arrived = resolve));
    spot.answer = () => spot.asked.length === 64 && arrived();
    const waiting = Array.from({ length: 64 }, (_none, at) =>
      relay('/api/v3/depth', `symbol=A${at}`, `v${at}`),
    );
    await all;
    expect(await relay('/api/v3/depth', 'symbol=B', 'other')).toMatchObject({
      status: 503,
      retryAfter: '1',
    });
    await spot.close();
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([502]));
    spot = await new Venue().open();
  });
});
