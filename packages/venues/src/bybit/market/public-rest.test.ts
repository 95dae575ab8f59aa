import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Millis, Result } from '@crossbook/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BTCUSDT } from '../../conformance/sample-instruments.ts';
import type { FetchText, MarketDataFailure } from '../../venue-public.ts';
import type { BybitCategory } from '../urls.ts';
import { createBybitPublic } from './bybit-public.ts';

const NOW = 1_770_000_000_000 as Millis;
const fetchText: FetchText = async (url) => {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
};

// A real HTTP server that answers what each test puts here, and remembers what it was asked.
let answer: (url: URL) => { readonly status: number; readonly body: string } = () => ({
  status: 200,
  body: '',
});
let asked: string[] = [];
let server: Server;
let restBase = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const { status, body } = answer(new URL(path, 'http://venue'));
    response.writeHead(status).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  restBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const venue = (category: BybitCategory = 'spot') =>
  createBybitPublic({
    category,
    restBase: `${restBase}/`,
    socketBase: 'ws://x/',
    fetchText,
    clock: () => NOW,
  });
const envelope = (result: unknown, retCode = 0, retMsg = 'OK'): string =>
  JSON.stringify({ retCode, retMsg, result, retExtInfo: {}, time: NOW });
function answering(result: unknown): void {
  asked = [];
  answer = () => ({ status: 200, body: envelope(result) });
}
const row = (time: number): string[] => [String(time), '1', '3', '0.5', '2', '7', '9'];
const candles = (...times: number[]) => ({ category: 'spot', symbol: 'BTCUSDT', list: times.map(row) });

describe('Bybit public REST', () => {
  const asks: [string, unknown, () => Promise<Result<unknown, MarketDataFailure>>, string][] = [
    [
      'time',
      { timeSecond: '1770000000', timeNano: '1770000000123456789' },
      () => venue().rest.serverTime(),
      '/v5/market/time',
    ],
    [
      'tickers',
      { category: 'linear', list: [] },
      () => venue('linear').rest.tickers('SWAP'),
      '/v5/market/tickers?category=linear',
    ],
    [
      'depth',
      { s: 'BTCUSDT', b: [], a: [], ts: 1, u: 2, seq: 3 },
      () => venue().rest.depth(BTCUSDT, 9_999),
      '/v5/market/orderbook?category=spot&symbol=BTCUSDT&limit=1000',
    ],
    [
      'trades of spot',
      { category: 'spot', list: [] },
      () => venue().rest.trades(BTCUSDT, 500),
      '/v5/market/recent-trade?category=spot&symbol=BTCUSDT&limit=60',
    ],
    [
      'trades of perpetuals',
      { category: 'linear', list: [] },
      () => venue('linear').rest.trades(BTCUSDT, 5_000),
      '/v5/market/recent-trade?category=linear&symbol=BTCUSDT&limit=1000',
    ],
    [
      'candles',
      candles(60_000),
      () => venue().rest.candles(BTCUSDT, '1h', { limit: 5_000, endTime: 120_000 as Millis }),
      '/v5/market/kline?category=spot&symbol=BTCUSDT&interval=60&limit=1000&end=119999',
    ],
    [
      'newest candles',
      candles(),
      () => venue().rest.candles(BTCUSDT, '1M', { limit: 10 }),
      '/v5/market/kline?category=spot&symbol=BTCUSDT&interval=M&limit=10',
    ],
  ];
  test.each(asks)('%s is asked for as documented', async (_name, result, call, path) => {
    answering(result);
    expect(await call()).toMatchObject({ ok: true });
    expect(asked).toEqual([path]);
  });

  test('the time is that of timeNano', async () => {
    answering({ timeSecond: '1770000000', timeNano: '1770000000123456789' });
    expect(await venue().rest.serverTime()).toEqual({ ok: true, value: 1_770_000_000_123 });
  });

  const failures: [string, number, string, MarketDataFailure][] = [
    ['an unknown symbol', 200, envelope({}, 10_001, 'Not supported symbols'), 'unknown-symbol'],
    ['another error of the venue', 200, envelope({}, 10_016, 'Internal System Error.'), 'venue-error'],
    ['an error behind a status', 429, envelope({}, 10_006, 'Too many visits!'), 'venue-error'],
    ['a page of a proxy', 502, '<html>', 'http-status'],
    ['text that is no JSON', 200, '{"retCode":0,', 'malformed'],
    ['an answer without envelope', 200, '{"s":"BTCUSDT","b":[],"a":[],"ts":1,"u":1}', 'malformed'],
    ['a book of another symbol', 200, envelope({ s: 'X', b: [], a: [], ts: 1, u: 1 }), 'malformed'],
    ['an exponent', 200, envelope({ s: 'BTCUSDT', b: [['1e3', '1']], a: [], ts: 1, u: 1 }), 'malformed'],
    ['size 0', 200, envelope({ s: 'BTCUSDT', b: [['1', '0']], a: [], ts: 1, u: 1 }), 'malformed'],
    [
      'an update id that a double cannot hold',
      200,
      envelope({ s: 'BTCUSDT', b: [], a: [], ts: 1, u: 1 }).replace('"u":1', '"u":9007199254740993'),
      'malformed',
    ],
  ];
  test.each(failures)('%s is a named failure', async (_name, status, body, code) => {
    answer = () => ({ status, body });
    expect(await venue().rest.depth(BTCUSDT, 100)).toEqual({ ok: false, code });
  });

  test('nobody listening is a network failure', async () => {
    const nowhere = createBybitPublic({
      category: 'spot',
      restBase: 'http://127.0.0.1:1',
      socketBase: '',
      fetchText,
      clock: () => NOW,
    });
    expect(await nowhere.rest.serverTime()).toEqual({ ok: false, code: 'network' });
  });

  test('bars out of order, of another symbol, impossible or beyond the asked end are not shown', async () => {
    const bad = [
      candles(1, 2),
      candles(1, 1),
      { ...candles(1), symbol: 'X' },
      { symbol: 'BTCUSDT', list: [['1', '5', '4', '1', '2', '1', '1']] },
      candles(60),
    ];
    for (const result of bad) {
      answering(result);
      const page = { limit: 10, endTime: 60 as Millis };
      expect(await venue().rest.candles(BTCUSDT, '1m', page)).toEqual({ ok: false, code: 'malformed' });
    }
  });

  test('trades come oldest first, with the side of the taker', async () => {
    const trade = {
      execId: '2',
      symbol: 'BTCUSDT',
      price: '10.01',
      size: '0.5',
      side: 'Sell',
      time: '7',
      isBlockTrade: false,
    };
    answering({ category: 'spot', list: [trade, { ...trade, execId: '1', side: 'Buy', time: '6' }] });
    expect(await venue().rest.trades(BTCUSDT, 2)).toMatchObject({
      ok: true,
      value: [
        { id: '1', side: 'buy', time: 6 },
        { id: '2', side: 'sell', time: 7, price: 1_001, size: 50_000 },
      ],
    });
  });

  test('tickers: symbols that never traded are left out; the other type is the other half', async () => {
    const ticker = {
      symbol: 'BTCUSDT',
      lastPrice: '1',
      price24hPcnt: '0.01',
      prevPrice24h: '1',
      highPrice24h: '1',
      lowPrice24h: '1',
      volume24h: '1',
      turnover24h: '1',
      markPrice: '1.5',
      indexPrice: '1.4',
      fundingRate: '-0.0001',
      nextFundingTime: '1770000000000',
    };
    answering({ category: 'linear', list: [ticker, { ...ticker, symbol: 'NEWUSDT', lastPrice: '' }] });
    expect(await venue('linear').rest.tickers('SWAP')).toMatchObject({
      ok: true,
      value: [{ symbol: 'BTCUSDT', change: '1', markPrice: '1.5', nextFundingTime: NOW, time: NOW }],
    });
    expect(await venue('linear').rest.tickers('SPOT')).toEqual({ ok: true, value: [] });
    expect(await venue('spot').rest.instruments('SWAP')).toEqual({ ok: true, value: [] });
    const dated = { ...ticker, symbol: 'BTC-26MAR27', fundingRate: '', nextFundingTime: '0' };
    answering({ category: 'linear', list: [dated] });
    const read = await venue('linear').rest.tickers('SWAP');
    expect(read.ok && Object.keys(read.value[0] ?? {})).not.toContain('fundingRate');
    expect(read).toMatchObject({ ok: true, value: [{ symbol: 'BTC-26MAR27', markPrice: '1.5' }] });
    answering({ category: 'linear', list: [ticker] });
    expect(await venue('linear').rest.ticker(BTCUSDT)).toMatchObject({ ok: true });
    answering({ category: 'linear', list: [{ ...ticker, symbol: 'X' }] });
    expect(await venue('linear').rest.ticker(BTCUSDT)).toEqual({ ok: false, code: 'malformed' });
  });
});

describe('instrument pages', () => {
  const contract = (symbol: string) => ({
    symbol,
    contractType: 'LinearPerpetual',
    status: 'Trading',
    baseCoin: symbol.slice(0, 3),
    quoteCoin: 'USDT',
    settleCoin: 'USDT',
    leverageFilter: { maxLeverage: '12.50' },
    priceFilter: { minPrice: '0.01', maxPrice: '10', tickSize: '0.01' },
    lotSizeFilter: {
      minOrderQty: '1',
      maxOrderQty: '5',
      qtyStep: '1',
      maxMktOrderQty: '9',
      minNotionalValue: '5',
    },
  });

  test('are followed by their cursor until it ends, and what they list is learnt', async () => {
    asked = [];
    answer = (url) => {
      const cursor = url.searchParams.get('cursor') ?? '';
      const next: Record<string, string> = { '': 'first%3DA', 'first%3DA': 'b&c', 'b&c': '' };
      const list = [contract(`${'AAA,BBB,CCC'.split(',')[Object.keys(next).indexOf(cursor)]}USDT`)];
      return { status: 200, body: envelope({ category: 'linear', list, nextPageCursor: next[cursor] }) };
    };
    const linear = venue('linear');
    const listed = await linear.rest.instruments('SWAP');
    expect(listed.ok && listed.value.map((one) => one.symbol)).toEqual(['AAAUSDT', 'BBBUSDT', 'CCCUSDT']);
    expect(listed.ok && listed.value[0]).toMatchObject({ maxLeverage: 12, maxMarketQty: 5n * 10n ** 18n });
    expect(asked.length).toBe(3);
    const frame = {
      topic: 'orderbook.200.CCCUSDT',
      type: 'snapshot',
      ts: 1,
      data: { s: 'CCCUSDT', b: [], a: [], u: 1 },
    };
    expect(linear.socket.decode(Buffer.from(JSON.stringify(frame)), NOW).kind).toBe('book');
  });

  test('only what trades is asked for, and of one contract where it is named', async () => {
    answering({ category: 'linear', list: [contract('AAAUSDT')], nextPageCursor: '' });
    await venue('linear').rest.instruments('SWAP', 'AAAUSDT');
    await venue('linear').rest.instruments('SWAP');
    expect(asked).toEqual([
      '/v5/market/instruments-info?category=linear&symbol=AAAUSDT&status=Trading&limit=1000',
      '/v5/market/instruments-info?category=linear&status=Trading&limit=1000',
    ]);
  });

  test('options, dated contracts and those in USDC are no perpetuals of ours', async () => {
    const others = [
      { contractType: 'LinearFutures', deliveryTime: '1774598400000' },
      { contractType: undefined, optionsType: 'Call', settleCoin: 'USDC', quoteCoin: 'USD' },
      { quoteCoin: 'USDC', settleCoin: 'USDC' },
      { contractType: 'InversePerpetual', quoteCoin: 'USD', settleCoin: 'BTC' },
    ].map((part) => ({ ...contract('BBBUSDT'), ...part }));
    answering({ category: 'linear', list: [...others, contract('AAAUSDT')], nextPageCursor: '' });
    const listed = await venue('linear').rest.instruments('SWAP');
    expect(listed.ok && listed.value.map(({ symbol }) => symbol)).toEqual(['AAAUSDT']);
  });

  test('that go in a circle, or one of which fails, are no list', async () => {
    answering({ category: 'linear', list: [contract('AAAUSDT')], nextPageCursor: 'same' });
    expect(await venue('linear').rest.instruments('SWAP')).toEqual({ ok: false, code: 'malformed' });
    expect(asked.length).toBe(2);
    answer = (url) =>
      url.searchParams.has('cursor')
        ? { status: 503, body: '' }
        : { status: 200, body: envelope({ list: [], nextPageCursor: 'x' }) };
    expect(await venue('linear').rest.instruments('SWAP')).toEqual({ ok: false, code: 'http-status' });
  });
});

describe('bars the venue lacks', () => {
  const HOUR = 3_600_000;
  const MIDNIGHT = 1_769_990_400_000;
  /** A venue with four-hour bars since `first`. */
  function withHistory(first: number, last: number): void {
    asked = [];
    answer = (url) => {
      const end = Number(url.searchParams.get('end') ?? last);
      const limit = Number(url.searchParams.get('limit'));
      const times: number[] = [];
      const newest = Math.min(last, Math.floor(end / (4 * HOUR)) * 4 * HOUR);
      for (let time = newest; time >= first && times.length < limit; time -= 4 * HOUR) times.push(time);
      return { status: 200, body: envelope(candles(...times)) };
    };
  }

  test('eight hours are two native bars, over as many pages as it takes', async () => {
    withHistory(MIDNIGHT - 4_000 * HOUR * 4, MIDNIGHT);
    const bars = await venue().rest.candles(BTCUSDT, '8h', { limit: 1_000 });
    expect(bars.ok && [bars.value.length, bars.value.at(-1)?.time, bars.value.at(-2)]).toEqual([
      1_000,
      MIDNIGHT,
      { time: MIDNIGHT - 8 * HOUR, open: 1, high: 3, low: 0.5, close: 2, volume: 14 },
    ]);
    expect(asked.length).toBe(2);
    expect(asked[0]).toContain('interval=240');
  });

  test('a page whose oldest bar is cut drops it; at the beginning of history it is all there is', async () => {
    withHistory(MIDNIGHT - 400 * HOUR, MIDNIGHT);
    const cut = await venue().rest.candles(BTCUSDT, '8h', { limit: 2 });
    // Four native bars: 12, 16, 20 and 0 h. The one at 12 h is the second half of a bar.
    expect(cut.ok && cut.value.map((bar) => bar.time)).toEqual([MIDNIGHT - 8 * HOUR, MIDNIGHT]);
    withHistory(MIDNIGHT - 12 * HOUR, MIDNIGHT);
    const all = await venue().rest.candles(BTCUSDT, '8h', { limit: 10 });
    expect(all.ok && all.value.map((bar) => [bar.time, bar.volume])).toEqual([
      [MIDNIGHT - 16 * HOUR, 7],
      [MIDNIGHT - 8 * HOUR, 14],
      [MIDNIGHT, 7],
    ]);
  });

  test('a bar that opens before the asked end is whole, also where its parts open after it', async () => {
    withHistory(MIDNIGHT - 400 * HOUR, MIDNIGHT + 40 * HOUR);
    const page = { limit: 1, endTime: (MIDNIGHT + HOUR) as Millis };
    const bars = await venue().rest.candles(BTCUSDT, '8h', page);
    expect(bars.ok && bars.value.map((bar) => [bar.time, bar.volume])).toEqual([[MIDNIGHT, 14]]);
  });

  test('a page read before lets a bar be followed from its middle on', async () => {
    withHistory(MIDNIGHT - 400 * HOUR, MIDNIGHT + 4 * HOUR);
    const bybit = venue();
    bybit.learn([BTCUSDT]);
    const bar = {
      start: MIDNIGHT + 4 * HOUR,
      interval: '240',
      open: '2',
      high: '9',
      low: '2',
      close: '8',
      volume: '1',
      confirm: false,
    };
    const frame = Buffer.from(JSON.stringify({ topic: 'kline.240.BTCUSDT', data: [bar] }));
    expect(bybit.socket.decode(frame, NOW)).not.toHaveProperty('further');
    await bybit.rest.candles(BTCUSDT, '8h', { limit: 5 });
    expect(bybit.socket.decode(frame, NOW)).toMatchObject({
      further: [{ interval: '8h', candle: { time: MIDNIGHT, open: 1, high: 9, close: 8, volume: 8 } }],
    });
  });

  test('one second is not offered', async () => {
    asked = [];
    expect(await venue().rest.candles(BTCUSDT, '1s', { limit: 5 })).toEqual({
      ok: false,
      code: 'venue-error',
    });
    expect(asked).toEqual([]);
  });
});
