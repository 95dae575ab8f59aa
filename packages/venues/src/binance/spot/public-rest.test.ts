import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { amount, type Millis, type Result } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BTCUSDT, SHIBUSDT } from '../../conformance/sample-instruments.ts';
import type { FetchText, MarketDataFailure } from '../../venue-public.ts';
import { createBinancePublic } from './binance-public.ts';

const NOW = 1_770_000_000_000 as Millis;
const fetchText: FetchText = async (url) => {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
};

// A real HTTP server that answers what each test puts here, and remembers what it was asked.
let answer = { status: 200, body: '' };
let asked = '';
let server: Server;
let restBase = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    asked = request.url ?? '';
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  restBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const venue = () =>
  createBinancePublic({ restBase: `${restBase}/`, socketBase: 'ws://x/', fetchText, clock: () => NOW });
const row = (time: number): unknown[] => [
  time,
  '1',
  '3',
  '0.5',
  '2',
  '7',
  time + 59_999,
  '9',
  4,
  '1',
  '1',
  '0',
];

const DAY = {
  symbol: 'BTCUSDT',
  ...{ lastPrice: '10.5', priceChangePercent: '1.2', openPrice: '10', highPrice: '11', lowPrice: '9' },
  ...{ volume: '5', quoteVolume: '50', closeTime: 7 },
};

describe('Binance public REST', () => {
  const asks: [string, unknown, () => Promise<Result<unknown, MarketDataFailure>>, string][] = [
    ['time', { serverTime: 5 }, () => venue().rest.serverTime(), '/api/v3/time'],
    ['pairs', { symbols: [] }, () => venue().rest.instruments('SPOT'), '/api/v3/exchangeInfo'],
    [
      'one pair',
      { symbols: [] },
      () => venue().rest.instruments('SPOT', 'BTCUSDT'),
      '/api/v3/exchangeInfo?symbol=BTCUSDT',
    ],
    ['tickers', [], () => venue().rest.tickers('SPOT'), '/api/v3/ticker/24hr'],
    ['a ticker', DAY, () => venue().rest.ticker(BTCUSDT), '/api/v3/ticker/24hr?symbol=BTCUSDT'],
    [
      'depth',
      { lastUpdateId: 1, bids: [], asks: [] },
      () => venue().rest.depth(BTCUSDT, 9_999),
      '/api/v3/depth?symbol=BTCUSDT&limit=5000',
    ],
    ['trades', [], () => venue().rest.trades(BTCUSDT, 0), '/api/v3/trades?symbol=BTCUSDT&limit=1'],
    [
      'candles',
      [row(60_000)],
      () => venue().rest.candles(BTCUSDT, '1m', { limit: 5_000, endTime: 120_000 as Millis }),
      '/api/v3/klines?symbol=BTCUSDT&interval=1m&limit=1000&endTime=119999',
    ],
    [
      'newest candles',
      [],
      () => venue().rest.candles(BTCUSDT, '1M', { limit: 10 }),
      '/api/v3/klines?symbol=BTCUSDT&interval=1M&limit=10',
    ],
  ];
  test.each(asks)('%s is asked for as documented', async (_name, body, call, path) => {
    answer = { status: 200, body: JSON.stringify(body) };
    expect(await call()).toMatchObject({ ok: true });
    expect(asked).toBe(path);
  });

  const failures: [string, number, string, MarketDataFailure][] = [
    ['an unknown symbol', 400, '{"code":-1121,"msg":"Invalid symbol."}', 'unknown-symbol'],
    ['another error of the venue', 429, '{"code":-1003,"msg":"Too many requests."}', 'venue-error'],
    ['a page of a proxy', 502, '<html>', 'http-status'],
    ['text that is no JSON', 200, '{"lastUpdateId":1,"bids":[', 'malformed'],
    ['a level of three fields', 200, '{"lastUpdateId":1,"bids":[["1","1","1"]],"asks":[]}', 'malformed'],
    ['a price between two ticks', 200, '{"lastUpdateId":1,"bids":[["1.001","1"]],"asks":[]}', 'malformed'],
    ['an exponent', 200, '{"lastUpdateId":1,"bids":[["1e3","1"]],"asks":[]}', 'malformed'],
    ['a number in place of a string', 200, '{"lastUpdateId":1,"bids":[[1,"1"]],"asks":[]}', 'malformed'],
    [
      'an update id that a double cannot hold',
      200,
      '{"lastUpdateId":9007199254740993,"bids":[],"asks":[]}',
      'malformed',
    ],
    ['size 0 in a snapshot', 200, '{"lastUpdateId":1,"bids":[["1","0"]],"asks":[]}', 'malformed'],
  ];
  test.each(failures)('%s is a named failure', async (_name, status, body, code) => {
    answer = { status, body };
    expect(await venue().rest.depth(BTCUSDT, 100)).toEqual({ ok: false, code });
  });

  test('nobody listening is a network failure', async () => {
    const nowhere = createBinancePublic({
      restBase: 'http://127.0.0.1:1',
      socketBase: '',
      fetchText,
      clock: () => NOW,
    });
    expect(await nowhere.rest.serverTime()).toEqual({ ok: false, code: 'network' });
  });

  test('bars out of order, bars that are impossible and bars beyond the asked end are not shown', async () => {
    const bodies = [
      [row(2), row(1)],
      [row(1), row(1)],
      [[1, '5', '4', '1', '2', '1']],
      [[1, '1', '1', '1', '1', '-1']],
      [row(60)],
    ];
    for (const body of bodies) {
      answer = { status: 200, body: JSON.stringify(body) };
      const page = { limit: 10, endTime: 60 as Millis };
      expect(await venue().rest.candles(BTCUSDT, '1m', page)).toEqual({ ok: false, code: 'malformed' });
    }
  });

  test("listed instruments are learnt, so that their frames can be read; perpetuals are not this half's", async () => {
    const frame = Buffer.from(
      JSON.stringify({
        stream: 'xyzusdt@trade',
        data: { e: 'trade', E: 1, s: 'XYZUSDT', t: 1, p: '0.02', q: '3', T: 1, m: false, M: true },
      }),
    );
    const filters = [
      { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '0', tickSize: '0.01' },
      { filterType: 'LOT_SIZE', minQty: '1', maxQty: '500', stepSize: '1' },
      { filterType: 'MARKET_LOT_SIZE', minQty: '0', maxQty: '900', stepSize: '0' },
      {
        filterType: 'PERCENT_PRICE_BY_SIDE',
        ...{ bidMultiplierUp: '2', bidMultiplierDown: '0.5', askMultiplierUp: '5', askMultiplierDown: 'x' },
      },
    ];
    const symbol = { symbol: 'XYZUSDT', status: 'BREAK', baseAsset: 'XYZ', quoteAsset: 'USDT', filters };
    const symbols = [symbol, { ...symbol, quoteAsset: 'BTC' }, { ...symbol, filters: [] }, 'rubbish'];
    answer = { status: 200, body: JSON.stringify({ symbols }) };
    const binance = venue();
    expect(binance.socket.decode(frame, NOW)).toEqual({ kind: 'malformed', why: 'unknown symbol' });
    const listed = await binance.rest.instruments('SPOT');
    expect(listed).toMatchObject({
      ok: true,
      value: [
        {
          ...{ symbol: 'XYZUSDT', status: 'halted', maxMarketQty: 500n * 10n ** 18n, minNotional: 0n },
          priceBand: { buyMost: amount('2'), buyLeast: amount('0.5'), sellMost: amount('5') },
        },
      ],
    });
    expect(binance.socket.decode(frame, NOW)).toMatchObject({
      kind: 'trades',
      trades: [{ price: 2, size: 3, side: 'buy' }],
    });
    expect(await binance.rest.instruments('SWAP')).toEqual({ ok: true, value: [] });
  });
});

describe('Binance public socket', () => {
  const codec = createBinancePublic({
    restBase: '',
    socketBase: 'ws://h:1/',
    fetchText,
    clock: () => NOW,
    instruments: [BTCUSDT, SHIBUSDT],
  }).socket;
  const decode = (frame: unknown) => codec.decode(Buffer.from(JSON.stringify(frame)), NOW);

  test('channels have the documented names', () => {
    expect(codec.url()).toBe('ws://h:1/stream');
    expect(
      codec.subscribe(
        [
          { kind: 'book', symbol: 'BTCUSDT' },
          { kind: 'trades', symbol: 'BTCUSDT' },
          { kind: 'ticker', symbol: 'BTCUSDT' },
          { kind: 'candle', symbol: 'BTCUSDT', interval: '1M' },
        ],
        3,
      ),
    ).toBe(
      '{"method":"SUBSCRIBE","params":["btcusdt@depth@100ms","btcusdt@trade","btcusdt@ticker","btcusdt@kline_1M"],"id":3}',
    );
    expect(codec.unsubscribe([{ kind: 'book', symbol: 'X' }], 4)).toContain('UNSUBSCRIBE');
  });

  const trade = { e: 'trade', E: 1, s: 'BTCUSDT', t: 9, p: '10.01', q: '0.5', T: 2, m: true };
  const frames: [string, unknown, unknown][] = [
    [
      'a trade',
      { stream: 'btcusdt@trade', data: trade },
      { kind: 'trades', trades: [{ id: '9', price: 1_001, size: 50_000, side: 'sell', time: 2 }] },
    ],
    ['an accepted request', { result: null, id: 3 }, { kind: 'acknowledged', requestId: 3, accepted: true }],
    [
      'a refused request',
      { code: 2, msg: 'Invalid request', id: 3 },
      { kind: 'acknowledged', requestId: 3, accepted: false },
    ],
    [
      'a refused request, other form',
      { error: { code: 2, msg: '' }, id: 3 },
      { kind: 'acknowledged', requestId: 3, accepted: false },
    ],
    ['a shutdown notice', { e: 'serverShutdown', E: 1 }, { kind: 'ignored' }],
    ['a stream we do not follow', { stream: 'btcusdt@bookTicker', data: {} }, { kind: 'ignored' }],
    ['a payload of another symbol', { stream: 'ethusdt@trade', data: trade }, { kind: 'malformed' }],
    ['a payload of another kind', { stream: 'btcusdt@depth', data: trade }, { kind: 'malformed' }],
    [
      'a bar of another interval',
      {
        stream: 'btcusdt@kline_5m',
        data: {
          e: 'kline',
          s: 'BTCUSDT',
          k: { t: 1, s: 'BTCUSDT', i: '1m', o: '1', h: '1', l: '1', c: '1', v: '1', x: true },
        },
      },
      { kind: 'malformed' },
    ],
    [
      'a closed bar',
      {
        stream: 'btcusdt@kline_1m',
        data: {
          e: 'kline',
          s: 'BTCUSDT',
          k: { t: 1, s: 'BTCUSDT', i: '1m', o: '1', h: '1', l: '1', c: '1', v: '1', x: true },
        },
      },
      { kind: 'candle', interval: '1m', closed: true },
    ],
    [
      'a ticker',
      {
        stream: 'btcusdt@ticker',
        data: {
          e: '24hrTicker',
          E: 4,
          s: 'BTCUSDT',
          c: '1',
          P: '-0.5',
          o: '2',
          h: '3',
          l: '1',
          v: '4',
          q: '5',
          Q: '0.7',
        },
      },
      {
        kind: 'ticker',
        ticker: { lastPrice: '1', change: '-0.5', quoteVolume: '5', lastSize: '0.7', time: 4 },
      },
    ],
    [
      'a figure with an exponent',
      {
        stream: 'btcusdt@ticker',
        data: {
          e: '24hrTicker',
          E: 4,
          s: 'BTCUSDT',
          c: '1e5',
          P: '-0.5',
          o: '2',
          h: '3',
          l: '1',
          v: '4',
          q: '5',
        },
      },
      { kind: 'malformed' },
    ],
    [
      'a resting size finer than the lot',
      {
        stream: 'btcusdt@depth@100ms',
        data: {
          e: 'depthUpdate',
          E: 1,
          s: 'BTCUSDT',
          U: 1,
          u: 2,
          b: [
            ['1', '25.42618900'],
            ['2', '0.000001'],
          ],
          a: [['3', '0.00000']],
        },
      },
      {
        kind: 'book',
        change: {
          bids: [
            [100, 2_542_618],
            [200, 1],
          ],
          asks: [[300, 0]],
        },
      },
    ],
    [
      'update ids that run backwards',
      {
        stream: 'btcusdt@depth@100ms',
        data: { e: 'depthUpdate', E: 1, s: 'BTCUSDT', U: 2, u: 1, b: [], a: [] },
      },
      { kind: 'malformed' },
    ],
  ];
  test('every instrument is read by its own steps', () => {
    const shib = { ...trade, s: 'SHIBUSDT', p: '0.00001234', q: '1000000.00' };
    expect(decode({ stream: 'shibusdt@trade', data: shib })).toMatchObject({
      kind: 'trades',
      trades: [{ symbol: 'SHIBUSDT', price: 1_234, size: 1_000_000 }],
    });
  });

  test.each(frames)('%s', (_name, frame, expected) => {
    expect(decode(frame)).toMatchObject(expected as object);
  });
});

describe('a page of 1,500 bars', () => {
  /** A venue that has a bar at each of these minutes and gives 1,000 at once, as the documentation says. */
  const withBars = (minutes: number, failing?: (url: URL) => boolean) => {
    const urls: string[] = [];
    const all = Array.from({ length: minutes }, (_, at) => row(at * 60_000));
    const paged = createBinancePublic({
      restBase: 'http://venue',
      socketBase: 'ws://venue',
      clock: () => NOW,
      async fetchText(address) {
        const url = new URL(address);
        urls.push(url.search);
        if (failing?.(url)) return { status: 503, text: '' };
        const end = Number(url.searchParams.get('endTime') ?? Number.MAX_SAFE_INTEGER);
        const until = all.filter(([time]) => (time as number) <= end);
        const limit = Math.min(Number(url.searchParams.get('limit')), 1_000);
        return { status: 200, text: JSON.stringify(until.slice(-limit)) };
      },
    });
    return { urls, candles: (limit: number) => paged.rest.candles(BTCUSDT, '1m', { limit }) };
  };

  test.each([
    [2_000, 1_500, 1_500, 2],
    [1_200, 1_500, 1_200, 2],
    [700, 1_500, 700, 1],
    [2_000, 1_000, 1_000, 1],
    [2_000, 9_999, 1_500, 2],
  ])('of %s bars, %s asked: %s given, without a gap, in %s requests', async (has, limit, given, requests) => {
    const { urls, candles } = withBars(has);
    const page = await candles(limit);
    expect(page.ok && page.value.length).toBe(given);
    const times = page.ok ? page.value.map(({ time }) => time) : [];
    expect(times).toEqual(Array.from({ length: given }, (_, at) => (has - given + at) * 60_000));
    expect(urls.length).toBe(requests);
  });

  test('is none when its older half fails', async () => {
    const { candles } = withBars(2_000, (url) => url.searchParams.has('endTime'));
    expect(await candles(1_500)).toEqual({ ok: false, code: 'http-status' });
  });
});
