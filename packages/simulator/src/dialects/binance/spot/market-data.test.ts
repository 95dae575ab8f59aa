import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { RECORDINGS_DIR } from '../../../../../../tests/recordings.ts';
import shapes from '../fixtures/rest-shapes.json' with { type: 'json' };
import { startRig } from '../rig.fixture.ts';
import { shapeOf } from '../shape.fixture.ts';

const BTC = { symbol: 'BTCUSDT' };

const rig = openedOnce(startRig);

beforeAll(async () => {
  const watched = await rig.socket('/ws/btcusdt@trade');
  rig.advance(20_000);
  watched.close();
});

describe('the documented shape', () => {
  test.each([
    ['/api/v3/time', {}, 'time'],
    ['/api/v3/depth', { ...BTC, limit: 5 }, 'depth'],
    ['/api/v3/trades', { ...BTC, limit: 3 }, 'trades'],
    ['/api/v3/historicalTrades', { ...BTC, limit: 3 }, 'trades'],
    ['/api/v3/aggTrades', { ...BTC, limit: 3 }, 'aggTrades'],
    ['/api/v3/klines', { ...BTC, interval: '1m', limit: 3 }, 'klines'],
    ['/api/v3/uiKlines', { ...BTC, interval: '1h', limit: 3 }, 'klines'],
    ['/api/v3/avgPrice', BTC, 'avgPrice'],
    ['/api/v3/ticker/24hr', BTC, 'ticker24hr'],
    ['/api/v3/ticker/24hr', { ...BTC, type: 'MINI' }, 'ticker24hrMini'],
    ['/api/v3/ticker/price', BTC, 'tickerPrice'],
    ['/api/v3/ticker/bookTicker', BTC, 'bookTicker'],
  ] as const)('%s %o answers as %s', async (path, params, name) => {
    const answer = await rig.get(path, params);
    expect(answer.status).toBe(200);
    expect(shapeOf(answer.body)).toEqual(shapeOf(shapes[name]));
    expect(answer.headers.get('x-mbx-used-weight-1m')).toMatch(/^[0-9]+$/);
  });

  test('a list of symbols, or none, answers with a list', async () => {
    const two = await rig.get('/api/v3/ticker/price', { symbols: '["BTCUSDT","ETHUSDT"]' });
    expect(two.body.map((row: { symbol: string }) => row.symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
    const all = await rig.get('/api/v3/ticker/bookTicker');
    expect(all.body.length).toBe(rig.exchange.markets.size);
    expect((await rig.get('/api/v3/ticker/24hr')).body.length).toBe(rig.exchange.markets.size);
  });
});

describe.skipIf(!existsSync(RECORDINGS_DIR))('recorded answers have the same keys and kinds', () => {
  const recorded = (path: string): unknown => JSON.parse(readFileSync(join(RECORDINGS_DIR, path), 'utf8'));
  const raw = (path: string) => (recorded(path) as { http_response: unknown }).http_response;

  test.each([
    ['/api/v3/depth', BTC, () => raw('ccxt-rs/binance/fetch_order_book_BTC_USDT.json')],
    ['/api/v3/ticker/24hr', BTC, () => raw('ccxt-rs/binance/fetch_ticker_BTC_USDT.json')],
    ['/api/v3/klines', { ...BTC, interval: '1h' }, () => raw('ccxt-rs/binance/fetch_ohlcv_BTC_USDT.json')],
    [
      '/api/v3/historicalTrades',
      BTC,
      () => recorded('nautilus/binance-py/http_responses/http_spot_market_historical_trades.json'),
    ],
    ['/api/v3/avgPrice', BTC, () => recorded('nautilus/binance/spot/http_json/avg_price_response.json')],
    ['/api/v3/ping', {}, () => recorded('nautilus/binance/spot/http_json/ping_response.json')],
  ] as const)('%s', async (path, params, load) => {
    const answer = await rig.get(path, params);
    expect(shapeOf(answer.body)).toEqual(shapeOf(load()));
  });
});

describe('pages', () => {
  test('klines: start only is the oldest from there, end only the newest up to it, above 1000 is 1000', async () => {
    const minute = 60_000;
    const start = Math.floor(rig.now / minute) * minute - 5000 * minute;
    const page = async (params: object) =>
      (await rig.get('/api/v3/klines', { ...BTC, interval: '1m', ...params })).body.map(
        (row: number[]) => row[0],
      );
    expect(await page({ startTime: start, limit: 3 })).toEqual([start, start + minute, start + 2 * minute]);
    expect(await page({ endTime: start, limit: 2 })).toEqual([start - minute, start]);
    const both = await page({ startTime: start, endTime: start + minute, limit: 10 });
    expect(both).toEqual([start, start + minute]);
    expect((await page({ startTime: start, limit: 5000 })).length).toBe(1000);
    expect((await page({})).length).toBe(500);
  });

  test('trades from an id continue where the page before ended', async () => {
    const all = (await rig.get('/api/v3/trades', { ...BTC, limit: 10 })).body;
    const rest = (await rig.get('/api/v3/historicalTrades', { ...BTC, fromId: all[4].id, limit: 6 })).body;
    expect(rest).toEqual(all.slice(4));
  });

  test('aggregate trades cover every trade once, by id and by time, numbered without a hole', async () => {
    const kept = (await rig.get('/api/v3/trades', { ...BTC, limit: 1000 })).body;
    // Trades of the first one's moment may have begun before the page.
    const trades = kept.filter((trade: { time: number }) => trade.time > kept[0].time);
    const { time } = trades[0];
    const [begin] = (await rig.get('/api/v3/aggTrades', { ...BTC, startTime: time, limit: 1 })).body;
    const first = (await rig.get('/api/v3/aggTrades', { ...BTC, fromId: begin.a, limit: 5 })).body;
    const next = (await rig.get('/api/v3/aggTrades', { ...BTC, fromId: first[4].a + 1, limit: 1000 })).body;
    // The market goes on between two questions: what came after the first answer is not compared.
    const newest = trades.at(-1).id;
    const runs = [...first, ...next].filter((run: { l: number }) => run.l <= newest);
    for (let at = 1; at < runs.length; at += 1) {
      expect([runs[at].f, runs[at].a]).toEqual([runs[at - 1].l + 1, runs[at - 1].a + 1]);
    }
    expect(runs.at(-1).l).toBe(trades.at(-1).id);
    const sum = (rows: readonly object[], key: string) =>
      rows.reduce(
        (total: number, row) => total + Math.round(Number((row as Record<string, string>)[key]) * 1e8),
        0,
      );
    expect(sum(runs, 'q')).toBe(sum(trades, 'qty'));
    const startTime = trades[Math.floor(trades.length / 2)].time;
    const timed = (await rig.get('/api/v3/aggTrades', { ...BTC, startTime, limit: 1000 })).body;
    expect(timed[0].f).toBe(trades.find((trade: { time: number }) => trade.time >= startTime).id);
    const upTo = (await rig.get('/api/v3/aggTrades', { ...BTC, endTime: startTime, limit: 1000 })).body;
    expect(upTo.at(-1).T).toBeLessThanOrEqual(startTime);
    expect(upTo.at(-1).l + 1).toBe(
      trades.find((trade: { time: number }) => trade.time > startTime)?.id ?? trades.at(-1).id + 1,
    );
  });

  test.each([
    ['1s', 1000],
    ['1m', 60_000],
    ['4h', 14_400_000],
    ['1d', 86_400_000],
  ])('a %s bar closes one millisecond before the next', async (interval, length) => {
    const rows = (await rig.get('/api/v3/klines', { ...BTC, interval, limit: 3 })).body;
    for (const row of rows) expect(row[6]).toBe(row[0] + length - 1);
  });
});

describe('exchangeInfo', () => {
  test('names every market with its filters, and no market twice', async () => {
    const { body } = await rig.get('/api/v3/exchangeInfo');
    const names = body.symbols.map((entry: { symbol: string }) => entry.symbol);
    expect(new Set(names).size).toBe(rig.exchange.markets.size);
    for (const entry of body.symbols) {
      const kinds = entry.filters.map((filter: { filterType: string }) => filter.filterType);
      for (const kind of [
        'PRICE_FILTER',
        'LOT_SIZE',
        'MARKET_LOT_SIZE',
        'NOTIONAL',
        'PERCENT_PRICE_BY_SIDE',
      ]) {
        expect(kinds).toContain(kind);
      }
    }
  });

  test('can be asked for one, for several, or by status', async () => {
    const one = await rig.get('/api/v3/exchangeInfo', BTC);
    expect(one.body.symbols.length).toBe(1);
    const two = await rig.get('/api/v3/exchangeInfo', { symbols: '["BTCUSDT","ETHUSDT"]' });
    expect(two.body.symbols.length).toBe(2);
    const halted = await rig.get('/api/v3/exchangeInfo', { symbolStatus: 'BREAK' });
    expect(halted.body.symbols.every((entry: { status: string }) => entry.status === 'BREAK')).toBe(true);
    expect(halted.body.symbols.length).toBeGreaterThan(0);
  });
});
