import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Millis } from '@crossbook/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../../tests/opened.ts';
import { RECORDINGS_DIR } from '../../../../../../../tests/recordings.ts';
import { shapeOf } from '../../shape.fixture.ts';
import { startFuturesRig } from '../rig.fixture.ts';
import shapes from './fixtures/rest-shapes.json' with { type: 'json' };

const MINUTE = 60_000;

const rig = openedOnce(startFuturesRig);

beforeAll(async () => {
  const watched = await rig.socket('/public/ws/btcusdt@trade');
  rig.advance(20_000);
  watched.close();
});

describe('the documented shape', () => {
  test.each([
    ['/fapi/v1/time', 'time'],
    ['/fapi/v1/depth?symbol=BTCUSDT&limit=5', 'depth'],
    ['/fapi/v1/trades?symbol=BTCUSDT&limit=3', 'trades'],
    ['/fapi/v1/historicalTrades?symbol=BTCUSDT&limit=3', 'trades'],
    ['/fapi/v1/aggTrades?symbol=BTCUSDT&limit=3', 'aggTrades'],
    ['/fapi/v1/klines?symbol=BTCUSDT&interval=1m&limit=3', 'klines'],
    ['/fapi/v1/continuousKlines?pair=BTCUSDT&contractType=PERPETUAL&interval=1h', 'klines'],
    ['/fapi/v1/markPriceKlines?symbol=BTCUSDT&interval=1m&limit=3', 'priceKlines'],
    ['/fapi/v1/indexPriceKlines?pair=BTCUSDT&interval=1m&limit=3', 'priceKlines'],
    ['/fapi/v1/premiumIndexKlines?symbol=BTCUSDT&interval=1m&limit=3', 'priceKlines'],
    ['/fapi/v1/premiumIndex?symbol=BTCUSDT', 'premiumIndex'],
    ['/fapi/v1/fundingRate?symbol=BTCUSDT', 'fundingRate'],
    ['/fapi/v1/fundingInfo', 'fundingInfo'],
    ['/fapi/v1/openInterest?symbol=BTCUSDT', 'openInterest'],
    ['/fapi/v1/ticker/24hr?symbol=BTCUSDT', 'ticker24hr'],
    ['/fapi/v1/ticker/price?symbol=BTCUSDT', 'tickerPrice'],
    ['/fapi/v2/ticker/price?symbol=BTCUSDT', 'tickerPrice'],
    ['/fapi/v1/ticker/bookTicker?symbol=BTCUSDT', 'bookTicker'],
  ] as const)('%s answers as %s', async (path, name) => {
    const answer = await rig.get(path);
    expect(answer.status).toBe(200);
    expect(shapeOf(answer.body)).toEqual(shapeOf(shapes[name]));
    expect(answer.headers.get('x-mbx-used-weight-1m')).toMatch(/^[0-9]+$/);
  });

  test('a contract in exchangeInfo', async () => {
    const { body } = await rig.get('/fapi/v1/exchangeInfo');
    expect(shapeOf(body.symbols[0])).toEqual(shapeOf(shapes.symbol));
    expect(Object.keys(body)).toEqual([
      'timezone',
      'serverTime',
      'futuresType',
      'rateLimits',
      'exchangeFilters',
      'assets',
      'symbols',
    ]);
    expect([body.futuresType, body.rateLimits[0]]).toEqual([
      'U_MARGINED',
      { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 2400 },
    ]);
  });

  test.each(['ticker/24hr', 'ticker/price', 'ticker/bookTicker', 'premiumIndex'])(
    '%s without a symbol is a list of every contract',
    async (path) => {
      const { body } = await rig.get(`/fapi/v1/${path}`);
      expect(body.map((row: { symbol: string }) => row.symbol)).toEqual([...rig.perps.contracts.keys()]);
    },
  );
});

describe.skipIf(!existsSync(RECORDINGS_DIR))(
  'answers of the documentation have the same keys and kinds',
  () => {
    test.each([
      ['/fapi/v1/depth?symbol=BTCUSDT', 'depth'],
      ['/fapi/v1/klines?symbol=BTCUSDT&interval=1h', 'klines'],
      ['/fapi/v1/openInterest?symbol=BTCUSDT', 'open_interest'],
      ['/fapi/v1/ticker/24hr?symbol=BTCUSDT', 'ticker_24hr'],
      ['/fapi/v1/premiumIndex?symbol=BTCUSDT', 'premium_index'],
    ])('%s', async (path, name) => {
      const file = join(
        RECORDINGS_DIR,
        `nautilus/binance-py/http_responses/http_futures_market_${name}.json`,
      );
      // The samples pad prices as spot does; here only keys and kinds count.
      const kinds = (value: unknown) => JSON.parse(JSON.stringify(shapeOf(value)).replaceAll('(8)', ''));
      const sample = kinds(JSON.parse(readFileSync(file, 'utf8')));
      const ours = kinds((await rig.get(path)).body);
      expect(ours).toEqual(sample);
      const keys = (value: unknown) => Object.keys(value as object).sort();
      expect(keys(ours)).toEqual(keys(sample));
    });
  },
);

describe('what is listed', () => {
  test('kinds, states, dates and coins are told so that clients can leave out what is not theirs', async () => {
    const { body } = await rig.get('/fapi/v1/exchangeInfo');
    const reported = body.symbols.map((one: Record<string, unknown>) =>
      [one.symbol, one.pair, one.contractType, one.status, one.marginAsset].join(' '),
    );
    expect(reported).toEqual([
      'BTCUSDT BTCUSDT PERPETUAL TRADING USDT',
      'ETHUSDT ETHUSDT PERPETUAL TRADING USDT',
      'DOGEUSDT DOGEUSDT  PENDING_TRADING USDT',
      'BTCUSDC BTCUSDC PERPETUAL TRADING USDC',
      'WAVESUSDT WAVESUSDT PERPETUAL SETTLING USDT',
      'BTCUSDT_270326 BTCUSDT CURRENT_QUARTER TRADING USDT',
    ]);
    const [btc] = body.symbols;
    const dated = body.symbols.at(-1);
    expect([btc.deliveryDate, dated.deliveryDate]).toEqual([4_133_404_800_000, Date.UTC(2027, 2, 26, 8)]);
    expect(btc.filters.map((filter: { filterType: string }) => filter.filterType)).toEqual([
      'PRICE_FILTER',
      'LOT_SIZE',
      'MARKET_LOT_SIZE',
      'MAX_NUM_ORDERS',
      'MAX_NUM_ALGO_ORDERS',
      'MIN_NOTIONAL',
      'PERCENT_PRICE',
    ]);
    expect(btc.filters[5]).toEqual({ filterType: 'MIN_NOTIONAL', notional: '5' });
  });

  test('COIN-M lists nothing', async () => {
    const { body } = await rig.get('/dapi/v1/exchangeInfo');
    expect([body.futuresType, body.symbols]).toEqual(['COIN_MARGINED', []]);
  });

  test('prices and sizes have the decimals of their steps, in books as in tickers', async () => {
    const { body } = await rig.get('/fapi/v1/exchangeInfo');
    for (const { symbol, filters, pricePrecision, quantityPrecision } of body.symbols.slice(0, 2)) {
      const decimals = (text: string) => (text.split('.')[1] ?? '').length;
      expect([decimals(filters[0].tickSize), decimals(filters[1].stepSize)]).toEqual([
        pricePrecision,
        quantityPrecision,
      ]);
      const [price, size] = (await rig.get(`/fapi/v1/depth?symbol=${symbol}&limit=5`)).body.bids[0];
      expect([decimals(price), decimals(size)]).toEqual([pricePrecision, quantityPrecision]);
      const { lastPrice, volume } = (await rig.get(`/fapi/v1/ticker/24hr?symbol=${symbol}`)).body;
      expect([decimals(lastPrice), decimals(volume)]).toEqual([pricePrecision, quantityPrecision]);
    }
  });
});

describe('the insurance fund', () => {
  const symbols = ['BTCUSDT', 'ETHUSDT', 'DOGEUSDT', 'WAVESUSDT'];
  test.each([
    ['?symbol=BTCUSDT', (row: unknown) => row],
    ['', (row: unknown) => [row]],
  ])('insuranceBalance%s: one fund stands behind all contracts', async (query, listed) => {
    const asset = { asset: 'USDT', marginBalance: '1000000.00000000', updateTime: rig.now };
    expect((await rig.get(`/fapi/v1/insuranceBalance${query}`)).body).toEqual(
      listed({ symbols, assets: [asset] }),
    );
  });

  test('nobody is deleveraged while there is something in it', async () => {
    const row = { symbol: 'ETHUSDT', adlRisk: 'low', updateTime: rig.now };
    expect((await rig.get('/fapi/v1/symbolAdlRisk?symbol=ETHUSDT')).body).toEqual(row);
    expect((await rig.get('/fapi/v1/symbolAdlRisk')).body).toContainEqual(row);
    expect((await rig.get('/fapi/v1/symbolAdlRisk?symbol=NOUSDT')).body.code).toBe(-1121);
  });
});

describe('mark, index and funding', () => {
  test('the premium index tells what will be paid and when', async () => {
    const { body } = await rig.get('/fapi/v1/premiumIndex?symbol=BTCUSDT');
    const { mark, index, fundingRate, nextFundingTime } = rig.perps.stats('BTCUSDT');
    expect(body).toMatchObject({
      markPrice: mark.toFixed(8),
      indexPrice: index.toFixed(8),
      lastFundingRate: fundingRate.toFixed(8),
      nextFundingTime,
    });
    expect(nextFundingTime).toBeGreaterThan(rig.now);
    // Mark and last price tell the same story, a few basis points apart.
    const { lastPrice } = (await rig.get('/fapi/v1/ticker/24hr?symbol=BTCUSDT')).body;
    expect(Math.abs(mark / lastPrice - 1)).toBeLessThan(0.01);
  });

  test('bars of the premium join and end where it stands', async () => {
    const rows = (await rig.get('/fapi/v1/premiumIndexKlines?symbol=BTCUSDT&interval=5m&limit=3')).body;
    for (const [at, row] of rows.entries()) if (at > 0) expect(row[1]).toBe(rows[at - 1][4]);
    const now = rig.venue.story.premium('BTCUSDT', rig.now as Millis);
    expect(Number(rows.at(-1)[4])).toBeCloseTo(now, 7);
    expect(rows.at(-1)[2]).toMatch(/^-?0\.[0-9]{8}$/);
  });

  test('open interest is in base coins, with the decimals of a size', async () => {
    const { body } = await rig.get('/fapi/v1/openInterest?symbol=BTCUSDT');
    expect(body.openInterest).toBe(rig.perps.stats('BTCUSDT').openInterest.toFixed(3));
  });

  test('a dated contract has no funding: an empty rate, the time 0, no history', async () => {
    const { body } = await rig.get('/fapi/v1/premiumIndex?symbol=BTCUSDT_270326');
    expect([body.lastFundingRate, body.interestRate, body.nextFundingTime]).toEqual(['', '', 0]);
    expect((await rig.get('/fapi/v1/fundingRate?symbol=BTCUSDT_270326')).body).toEqual([]);
    const { body: every } = await rig.get('/fapi/v1/fundingInfo');
    expect(every.map((row: { symbol: string }) => row.symbol)).not.toContain('BTCUSDT_270326');
    expect(every.map((row: { fundingIntervalHours: number }) => row.fundingIntervalHours)).toContain(8);
  });

  test('funding paid: the newest without a start, the oldest from one, every contract when none is named', async () => {
    const times = async (query: string) =>
      (await rig.get(`/fapi/v1/fundingRate?${query}`)).body.map(
        (row: { fundingTime: number }) => row.fundingTime,
      );
    const all = await times('symbol=BTCUSDT');
    expect(all.length).toBe(100);
    expect(await times('symbol=BTCUSDT&limit=2')).toEqual(all.slice(-2));
    expect(await times(`symbol=BTCUSDT&startTime=${all[3]}&limit=2`)).toEqual(all.slice(3, 5));
    expect(await times(`symbol=BTCUSDT&startTime=${all[3]}&endTime=${all[3]}`)).toEqual([all[3]]);
    const every = await times('limit=1000');
    expect([every.length, every.at(-1)]).toEqual([1000, all.at(-1)]);
  });
});

describe('pages', () => {
  test('klines: start only is the oldest from there, end only the newest up to it, 1500 at most', async () => {
    const start = Math.floor(rig.now / MINUTE) * MINUTE - 5000 * MINUTE;
    const page = async (query: string) =>
      (await rig.get(`/fapi/v1/klines?symbol=BTCUSDT&interval=1m&${query}`)).body.map(
        (row: number[]) => row[0],
      );
    expect(await page(`startTime=${start}&limit=3`)).toEqual([start, start + MINUTE, start + 2 * MINUTE]);
    expect(await page(`endTime=${start}&limit=2`)).toEqual([start - MINUTE, start]);
    expect(await page(`startTime=${start}&endTime=${start + MINUTE}`)).toEqual([start, start + MINUTE]);
    expect((await page(`startTime=${start}&limit=1500`)).length).toBe(1500);
    expect((await page('')).length).toBe(500);
  });

  test('trades from an id continue where the page before ended', async () => {
    const all = (await rig.get('/fapi/v1/trades?symbol=BTCUSDT&limit=10')).body;
    const rest = (await rig.get(`/fapi/v1/historicalTrades?symbol=BTCUSDT&fromId=${all[4].id}&limit=6`)).body;
    expect(rest).toEqual(all.slice(4));
  });

  test('aggregate trades cover every trade once, numbered without a hole', async () => {
    const kept = (await rig.get('/fapi/v1/trades?symbol=BTCUSDT&limit=1000')).body;
    // Trades of the first one's moment may have begun before the page.
    const trades = kept.filter(({ time }: { time: number }) => time > kept[0].time);
    const page = async (from: string) =>
      (await rig.get(`/fapi/v1/aggTrades?symbol=BTCUSDT&${from}&limit=1000`)).body;
    const [begin] = await page(`startTime=${trades[0].time}`);
    const runs = await page(`fromId=${begin.a}`);
    for (let at = 1; at < runs.length; at += 1) {
      expect([runs[at].f, runs[at].a]).toEqual([runs[at - 1].l + 1, runs[at - 1].a + 1]);
    }
    expect([runs[0].f, runs.at(-1).l]).toEqual([trades[0].id, trades.at(-1).id]);
  });
});
