import { formatAmount, intervalMillis, type Millis } from '@crossbook/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { leverageTiers } from '../../../perps/tiers/leverage-tiers.ts';
import shapes from '../fixtures/shapes.json' with { type: 'json' };
import { startRig } from '../rig.fixture.ts';
import { shapeOf } from '../shape.fixture.ts';

const rig = openedOnce(startRig);

beforeAll(async () => {
  rig.advance(5_000);
});

const market = (call: string, params: Readonly<Record<string, string | number>> = {}) =>
  rig.get(`/v5/market/${call}`, params);
const symbolsOf = (list: readonly { symbol: string }[]) => list.map((row) => row.symbol);

test('every answer stands in the envelope', async () => {
  const { status, body, headers } = await market('time');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['retCode', 'retMsg', 'result', 'retExtInfo', 'time']);
  expect(body).toMatchObject({ retCode: 0, retMsg: 'OK', retExtInfo: {}, time: rig.now });
  expect(body.result).toEqual({
    timeSecond: String(Math.floor(rig.now / 1000)),
    timeNano: `${rig.now}000000`,
  });
  expect(headers.get('traceid')).toHaveLength(32);
});

describe('instruments', () => {
  test('spot rows are as recorded; only what trades is listed unless it is asked for', async () => {
    const { body } = await market('instruments-info', { category: 'spot' });
    expect(body.result).not.toHaveProperty('nextPageCursor');
    expect(symbolsOf(body.result.list)).not.toContain('WAVESUSDT');
    const btc = body.result.list.find((row: { symbol: string }) => row.symbol === 'BTCUSDT');
    expect(shapeOf(btc)).toEqual(shapeOf(shapes.spotInstrument));
    expect(btc.lotSizeFilter).toMatchObject({ basePrecision: '0.000001', minOrderAmt: '5' });
    const closed = await market('instruments-info', { category: 'spot', status: 'Closed' });
    expect(symbolsOf(closed.body.result.list)).toEqual(['WAVESUSDT']);
    const named = await market('instruments-info', { category: 'spot', symbol: 'WAVESUSDT' });
    expect(named.body.result.list[0].status).toBe('Closed');
  });

  test('contracts are as recorded; other coins of settlement and dated ones are told apart', async () => {
    const { body } = await market('instruments-info', { category: 'linear' });
    const rows = body.result.list as Record<string, unknown>[];
    const row = (symbol: string) => rows.find((one) => one.symbol === symbol) ?? {};
    expect(shapeOf(row('BTCUSDT'))).toEqual(shapeOf(shapes.linearInstrument));
    expect(row('BTCUSDT')).toMatchObject({ fundingInterval: 480, deliveryTime: '0' });
    expect(row('BTCPERP')).toMatchObject({ quoteCoin: 'USDC', settleCoin: 'USDC' });
    expect(row('BTCUSDT-26MAR27')).toMatchObject({
      contractType: 'LinearFutures',
      fundingInterval: 0,
      deliveryTime: String(Date.UTC(2027, 2, 26, 8)),
    });
    expect(symbolsOf(rows as never)).not.toContain('WAVESUSDT');
  });

  test('pages of contracts join to the whole list', async () => {
    const whole = (await market('instruments-info', { category: 'linear' })).body.result.list;
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await market('instruments-info', { category: 'linear', limit: 2, cursor });
      seen.push(...symbolsOf(page.body.result.list));
      cursor = page.body.result.nextPageCursor;
    } while (cursor !== '' && seen.length < 100);
    expect(seen).toEqual(symbolsOf(whole));
  });

  test.each([
    ['inverse', {}],
    ['option', { baseCoin: 'BTC' }],
  ])('%s is empty', async (category, more) => {
    const { body } = await market('instruments-info', { category, ...more });
    expect(body).toMatchObject({ retCode: 0, result: { category, list: [] } });
  });
});

describe('tickers', () => {
  test('spot', async () => {
    const { body } = await market('tickers', { category: 'spot', symbol: 'BTCUSDT' });
    expect(shapeOf(body.result.list[0])).toEqual(shapeOf(shapes.spotTicker));
    const all = await market('tickers', { category: 'spot' });
    expect(symbolsOf(all.body.result.list)).toContain('ETHUSDT');
  });

  test('perpetuals tell mark, index, funding and open interest in coins', async () => {
    const { body } = await market('tickers', { category: 'linear', symbol: 'BTCUSDT' });
    const [row] = body.result.list;
    expect(Object.keys(row).sort()).toEqual([...shapes.linearTickerKeys].sort());
    const stats = rig.venue.perps.stats('BTCUSDT');
    expect(Number(row.markPrice)).toBeCloseTo(stats.mark, 0);
    expect(Number(row.indexPrice)).toBeCloseTo(stats.index, 0);
    expect(Number(row.openInterest)).toBeCloseTo(stats.openInterest, 2);
    expect(Number(row.fundingRate)).toBeCloseTo(stats.fundingRate, 7);
    expect(row.nextFundingTime).toBe(String(stats.nextFundingTime));
    expect(Number(row.bid1Price)).toBeLessThan(Number(row.ask1Price));
  });

  test('a dated contract has a day of delivery and no funding', async () => {
    const { body } = await market('tickers', { category: 'linear', symbol: 'BTCUSDT-26MAR27' });
    expect(body.result.list[0]).toMatchObject({
      fundingRate: '',
      nextFundingTime: '0',
      deliveryTime: String(Date.UTC(2027, 2, 26, 8)),
    });
  });
});

describe('book and trades', () => {
  test.each(['spot', 'linear'] as const)('%s: the book is the core’s, best first', async (category) => {
    const { body } = await market('orderbook', { category, symbol: 'BTCUSDT', limit: 50 });
    const { b, a, s, u, seq } = body.result;
    const source = category === 'spot' ? rig.venue.spot : rig.venue.perps;
    const depth = source.depth('BTCUSDT', 50);
    expect([s, u, seq]).toEqual(['BTCUSDT', depth.lastUpdateId, depth.lastUpdateId]);
    expect([b.length, a.length]).toEqual([depth.bids.length, depth.asks.length]);
    const prices = (side: [string, string][]) => side.map(([price]) => Number(price));
    expect(prices(b)).toEqual([...prices(b)].sort((left, right) => right - left));
    expect(prices(a)).toEqual([...prices(a)].sort((left, right) => left - right));
    expect(prices(b)[0]).toBeLessThan(prices(a)[0] as number);
    const short = await market('orderbook', { category, symbol: 'BTCUSDT' });
    expect(short.body.result.b.length).toBe(category === 'spot' ? 1 : 25);
  });

  test('recent trades come newest first, at most 60 of spot', async () => {
    rig.advance(20_000);
    for (const [category, most] of [
      ['spot', 60],
      ['linear', 1000],
    ] as const) {
      const { body } = await market('recent-trade', { category, symbol: 'BTCUSDT', limit: 5000 });
      const times = body.result.list.map((row: { time: string }) => Number(row.time));
      expect(times.length).toBeGreaterThan(0);
      expect(times.length).toBeLessThanOrEqual(most);
      expect(times).toEqual([...times].sort((left, right) => right - left));
      const ids = new Set(body.result.list.map((row: { execId: string }) => row.execId));
      expect(ids.size).toBe(times.length);
    }
  });
});

describe('bars', () => {
  const bars = async (params: Readonly<Record<string, string | number>>, call = 'kline') => {
    const { body } = await market(call, { category: 'linear', symbol: 'BTCUSDT', interval: '60', ...params });
    return (body.result.list as string[][]).map((row) => Number(row[0]));
  };
  const hour = intervalMillis('1h') as number;

  test('rows are texts, newest first, at most a thousand', async () => {
    const { body } = await market('kline', { symbol: 'BTCUSDT', interval: '60' });
    expect(body.result).toMatchObject({ category: 'linear', symbol: 'BTCUSDT' });
    expect(body.result.list.length).toBe(200);
    expect(
      body.result.list.every(
        (row: string[]) => row.length === 7 && row.every((cell) => typeof cell === 'string'),
      ),
    ).toBe(true);
    const times = await bars({ limit: 5000 });
    expect(times.length).toBe(1000);
    expect(times.every((time, at) => at === 0 || time === (times[at - 1] as number) - hour)).toBe(true);
    expect(times[0]).toBe(rig.now - (rig.now % hour));
  });

  test('start and end are inclusive: with a start alone the oldest, with an end the newest', async () => {
    const edge = rig.now - (rig.now % hour) - 500 * hour;
    expect(await bars({ start: edge, limit: 3 })).toEqual([edge + 2 * hour, edge + hour, edge]);
    expect(await bars({ end: edge, limit: 2 })).toEqual([edge, edge - hour]);
    expect(await bars({ end: edge - 1, limit: 1 })).toEqual([edge - hour]);
    expect(await bars({ start: edge, end: edge + 2 * hour, limit: 2 })).toEqual([
      edge + 2 * hour,
      edge + hour,
    ]);
  });

  test.each(['mark-price-kline', 'index-price-kline'])('%s has rows of five', async (call) => {
    const { body } = await market(call, { symbol: 'BTCUSDT', interval: '1', limit: 2 });
    expect(body.result.list.map((row: string[]) => row.length)).toEqual([5, 5]);
  });
});

describe('the premium over the index', () => {
  const rows = async (params: Readonly<Record<string, string | number>>) =>
    (await market('premium-index-price-kline', { symbol: 'BTCUSDT', ...params })).body.result
      .list as string[][];

  test.each(['1', '15', '60', '240', 'D', 'W'])(
    'bars of %s join, and end where the premium stands',
    async (interval) => {
      const list = await rows({ category: 'linear', interval, limit: 4 });
      expect(list.map((row) => row.length)).toEqual([5, 5, 5, 5]);
      for (const row of list) for (const value of row.slice(1)) expect(value).toMatch(/^-?0\.[0-9]{6}$/);
      for (const [at, [, open, high, low, close]] of list.entries()) {
        const after = list[at - 1];
        if (after !== undefined) expect(close).toBe(after[1]);
        const [top, bottom] = [Number(high), Number(low)];
        expect(top).toBeGreaterThanOrEqual(Math.max(Number(open), Number(close)));
        expect(bottom).toBeLessThanOrEqual(Math.min(Number(open), Number(close)));
      }
      expect(list[0]?.[4]).toBe(rig.venue.story.premium('BTCUSDT', rig.now as Millis).toFixed(6));
    },
  );

  test('the extremes of an hour are those of its minutes; a dated contract has none', async () => {
    const [, hour] = await rows({ interval: '60', limit: 2 });
    const start = Number(hour?.[0]);
    const minutes = await rows({ interval: '1', start, end: start + 3_599_999 });
    expect(minutes.length).toBe(60);
    expect(Number(hour?.[2])).toBe(Math.max(...minutes.map((row) => Number(row[2]))));
    expect(Number(hour?.[3])).toBe(Math.min(...minutes.map((row) => Number(row[3]))));
    const dated = { category: 'linear', symbol: 'BTCUSDT-26MAR27', interval: '60' };
    expect((await market('premium-index-price-kline', dated)).body.result.list).toEqual([]);
  });
});

describe('contracts', () => {
  test('who is long and who is short comes at whole periods, newest first, and pages join', async () => {
    const ask = async (params: object) =>
      (await market('account-ratio', { category: 'linear', symbol: 'BTCUSDT', period: '1h', ...params })).body
        .result;
    const { list, nextPageCursor } = await ask({});
    const hour = 3_600_000;
    const newest = rig.now - (rig.now % hour);
    const times = list.map(({ timestamp }: { timestamp: string }) => Number(timestamp));
    expect(times).toEqual(Array.from({ length: 50 }, (_, at) => newest - at * hour));
    for (const row of list) {
      expect(Object.keys(row)).toEqual(['symbol', 'buyRatio', 'sellRatio', 'timestamp']);
      expect(Number(row.buyRatio) + Number(row.sellRatio)).toBeCloseTo(1, 10);
      expect(Number(row.buyRatio)).toBe(
        Number(rig.venue.story.longShare('BTCUSDT', Number(row.timestamp) as Millis).toFixed(4)),
      );
    }
    const older = await ask({ cursor: nextPageCursor, limit: 10 });
    expect(Number(older.list[0].timestamp)).toBe(newest - 50 * hour);
    const part = await ask({ startTime: times[9], endTime: times[3] });
    expect(part).toEqual({ list: list.slice(3, 10), nextPageCursor: '' });
    expect((await ask({ limit: 5000 })).list.length).toBe(500);
  });

  test('funding comes newest first within its span', async () => {
    const ask = async (params: object) =>
      (await market('funding/history', { category: 'linear', symbol: 'BTCUSDT', ...params })).body;
    const newest = (await ask({})).result.list;
    expect(newest.length).toBe(200);
    const times = newest.map((row: { fundingRateTimestamp: string }) => Number(row.fundingRateTimestamp));
    expect(times[0]).toBeLessThanOrEqual(rig.now);
    expect(times[0] - times[1]).toBe(8 * 3_600_000);
    const part = await ask({ startTime: times[10], endTime: times[5] });
    expect(part.result.list).toEqual(newest.slice(5, 11));
    expect((await ask({ startTime: times[10] })).retCode).toBe(10_001);
  });

  test('open interest is that of the ticker', async () => {
    const params = { category: 'linear', symbol: 'BTCUSDT', intervalTime: '1h' };
    const { body } = await market('open-interest', params);
    const ticker = await market('tickers', { category: 'linear', symbol: 'BTCUSDT' });
    expect(body.result.list[0].openInterest).toBe(ticker.body.result.list[0].openInterest);
  });

  test('each contract has all its tiers of risk', async () => {
    const { body } = await market('risk-limit', { category: 'linear', symbol: 'BTCUSDT' });
    const { list } = body.result;
    expect(list).toHaveLength(35);
    expect(list[0]).toMatchObject({
      symbol: 'BTCUSDT',
      isLowestRisk: 1,
      maxLeverage: '100.00',
      mmDeduction: '',
    });
    expect(list[2]).toMatchObject({
      ...{ riskLimitValue: '3200000', maintenanceMargin: '0.0063', initialMargin: '0.0125' },
      ...{ isLowestRisk: 0, maxLeverage: '80.00', mmDeduction: '3020' },
    });
  });

  test('without a symbol risk limits are those of every contract, from where the cursor says', async () => {
    const symbolsFrom = async (cursor: string) => {
      const { list, nextPageCursor } = (await market('risk-limit', { category: 'linear', cursor })).body
        .result;
      expect(nextPageCursor).toBe('');
      return [...new Set(list.map((row: { symbol: string }) => row.symbol))];
    };
    const all = await symbolsFrom('0');
    expect(all.length).toBeGreaterThan(2);
    expect(await symbolsFrom('2')).toEqual(all.slice(2));
    const traded = all.filter((symbol) => /^[A-Z0-9]+USDT$/.test(String(symbol))) as string[];
    expect(traded.length).toBeGreaterThan(1);
    for (const symbol of traded) {
      const { list } = (await market('risk-limit', { category: 'linear', symbol })).body.result;
      const coin = symbol.replace(/^1000/, '').replace(/USDT$/, '');
      const own = leverageTiers('bybit', coin).map(({ cap }) => formatAmount(cap));
      expect(list.map((row: { riskLimitValue: string }) => row.riskLimitValue)).toEqual(own);
      expect(own.length).toBeGreaterThan(2);
    }
    expect((await market('risk-limit', { category: 'inverse' })).body.result.list).toEqual([]);
  });
});

const BTC = { category: 'spot', symbol: 'BTCUSDT' };
const refusals: [string, string, Record<string, string | number>, number, string][] = [
  ['no category', 'tickers', {}, 10_001, 'category is required'],
  ['an unknown category', 'tickers', { category: 'futures' }, 10_001, 'Category Is Invalid'],
  [
    'an unknown symbol, ticker',
    'tickers',
    { category: 'spot', symbol: 'NOPEUSDT' },
    10_001,
    'Not supported symbols',
  ],
  [
    'an unknown symbol, book',
    'orderbook',
    { category: 'spot', symbol: 'NOPEUSDT' },
    10_001,
    'Symbol Is Invalid',
  ],
  [
    'an unknown symbol, bars',
    'kline',
    { category: 'spot', symbol: 'btcusdt', interval: '1' },
    10_001,
    'Symbol Is Invalid',
  ],
  [
    'an unknown symbol, list',
    'instruments-info',
    { category: 'linear', symbol: 'NOPE' },
    10_001,
    'Symbol Is Invalid',
  ],
  ['a symbol that is missing', 'orderbook', { category: 'spot' }, 10_001, 'symbol is required'],
  ['an empty category', 'orderbook', { category: 'option', symbol: 'BTCUSDT' }, 10_001, 'Symbol Is Invalid'],
  ['an interval that Bybit lacks', 'kline', { ...BTC, interval: '480' }, 10_001, 'interval is invalid'],
  ['no interval', 'kline', BTC, 10_001, 'interval is required'],
  [
    'a limit that is no number',
    'kline',
    { ...BTC, interval: '1', limit: 'many' },
    10_001,
    'limit is invalid',
  ],
  ['a time that is no number', 'kline', { ...BTC, interval: '1', start: '-5' }, 10_001, 'start is invalid'],
  [
    'a status that is none',
    'instruments-info',
    { category: 'spot', status: 'Open' },
    10_001,
    'status is invalid',
  ],
  [
    'a cursor of somebody else',
    'instruments-info',
    { category: 'linear', cursor: 'x' },
    10_001,
    'cursor is invalid',
  ],
  ['funding of spot', 'funding/history', BTC, 10_001, 'Category Is Invalid'],
  ['a ratio of spot', 'account-ratio', { ...BTC, period: '1h' }, 10_001, 'Category Is Invalid'],
  [
    'a ratio of a period that is none',
    'account-ratio',
    { category: 'linear', symbol: 'BTCUSDT', period: '2h' },
    10_001,
    'period is invalid',
  ],
  [
    'a premium of spot',
    'premium-index-price-kline',
    { ...BTC, interval: '1' },
    10_001,
    'Category Is Invalid',
  ],
  [
    'open interest without its interval',
    'open-interest',
    { category: 'linear', symbol: 'BTCUSDT' },
    10_001,
    'intervalTime',
  ],
];
test.each(refusals)('%s is refused by name', async (...[, call, params, ...said]) => {
  const [code, text] = said;
  const { status, body } = await market(call, params);
  expect(status).toBe(200);
  expect(body.retCode).toBe(code);
  expect(body.retMsg).toContain(text);
  expect(body.result).toEqual({});
});

test('a path of nobody, and a wrong method, are 404 in the envelope', async () => {
  for (const [method, path] of [
    ['GET', '/v5/market/nope'],
    ['POST', '/v5/market/time'],
  ] as const) {
    const { status, body } = await rig.send(method, path);
    expect([status, body.retCode]).toEqual([404, 10_017]);
  }
});

test('an address that asks too often is shut out with 403', async () => {
  const limited = await startRig({ addressCallsPer5SecondsMax: 3 });
  const statuses: number[] = [];
  for (let call = 0; call < 4; call += 1) statuses.push((await limited.get('/v5/market/time')).status);
  limited.letPass(5_000 as Millis);
  statuses.push((await limited.get('/v5/market/time')).status);
  expect(statuses).toEqual([200, 200, 200, 403, 200]);
  await limited.close();
});
