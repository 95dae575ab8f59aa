import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { formatFloat } from '../format.ts';
import { BEGINNING, startRig } from '../rig.fixture.ts';
import { barKind, readBars } from './bars.ts';

/** Public data by REST: shapes as documented, pages that join, bars that open where OKX's do. */

const rig = openedOnce(startRig);

const get = async (call: string) => (await rig.get(`/api/v5/${call}`)).body.data;
const fields = (row: object) => Object.keys(row).sort().join(' ');
const sorted = (text: string) => text.split(/\s+/).sort().join(' ');

const INSTRUMENT = `alias auctionEndTime baseCcy category contTdSwTime ctMult ctType ctVal ctValCcy expTime
  futureSettlement groupId instFamily instId instIdCode instType lever listTime lotSz maxIcebergSz maxLmtAmt maxLmtSz
  maxMktAmt maxMktSz maxPlatOILmt maxStopSz maxTriggerSz maxTwapSz minSz openType optType posLmtAmt posLmtPct
  preMktSwTime quoteCcy ruleType settleCcy state stk tickSz tradeQuoteCcyList uly upcChg`;
const TICKER = `askPx askSz bidPx bidSz high24h instId instType last lastSz low24h open24h sodUtc0 sodUtc8 ts vol24h
  volCcy24h`;

describe('answers have the documented fields', () => {
  test.each([
    ['public/instruments?instType=SPOT', INSTRUMENT],
    ['public/instruments?instType=SWAP', INSTRUMENT],
    ['public/instruments?instType=FUTURES', INSTRUMENT],
    ['market/ticker?instId=BTC-USDT', TICKER],
    ['market/tickers?instType=SWAP', TICKER],
    ['market/books?instId=BTC-USDT', 'asks bids seqId ts'],
    ['market/trades?instId=BTC-USDT', 'instId px side source sz tradeId ts'],
    ['market/index-tickers?quoteCcy=USDT', 'high24h idxPx instId low24h open24h sodUtc0 sodUtc8 ts'],
    ['public/mark-price?instType=SWAP', 'instId instType markPx ts'],
    ['public/open-interest?instType=SWAP', 'instId instType oi oiCcy oiUsd ts'],
    [
      'public/funding-rate?instId=BTC-USDT-SWAP',
      `formulaType fundingRate fundingTime impactValue instId instType interestRate maxFundingRate method
      minFundingRate nextFundingRate nextFundingTime premium prevFundingTime settFundingRate settState ts`,
    ],
    [
      'public/funding-rate-history?instId=BTC-USDT-SWAP&limit=3',
      'formulaType fundingRate fundingTime instId instType method realizedRate',
    ],
    ['public/price-limit?instId=BTC-USDT', 'buyLmt enabled instId instType sellLmt ts'],
    [
      'public/position-tiers?instType=SWAP&tdMode=cross&uly=BTC-USDT',
      'baseMaxLoan imr instFamily instId maxLever maxSz minSz mmr optMgnFactor quoteMaxLoan tier uly',
    ],
  ])('%s', async (call, documented) => {
    const rows = await get(call);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(fields(row)).toBe(sorted(documented));
  });

  test('an index is the mean of its parts, one object and no list of rows', async () => {
    const { components, ...whole } = await get('market/index-components?index=BTC-USDT');
    expect(whole).toEqual({ index: 'BTC-USDT', last: expect.any(String), ts: String(rig.now) });
    expect(components.map(fields)).toEqual(Array(3).fill('cnvPx exch symPx symbol wgt'));
    expect(components.map(({ exch }: Record<string, string>) => exch)).toEqual(['Binance', 'OKX', 'Bybit']);
    expect(components[0]).toMatchObject({ symbol: 'BTC/USDT', wgt: '0.333' });
    const parts = components.map(({ cnvPx }: Record<string, string>) => Number(cnvPx));
    const mean = parts.reduce((sum: number, part: number) => sum + part, 0) / 3;
    expect(Number(whole.last)).toBeCloseTo(mean, 6);
    expect(new Set(parts).size).toBe(3);
  });

  test('every figure is a string without an exponent; only ids of sequence and code are numbers', async () => {
    const look = (value: unknown, name: string): void => {
      if (Array.isArray(value)) for (const one of value) look(one, name);
      else if (typeof value === 'object' && value !== null) {
        for (const [key, one] of Object.entries(value)) look(one, key);
      } else if (typeof value === 'number') expect(['seqId', 'instIdCode']).toContain(name);
      else if (typeof value === 'string') expect(value).not.toMatch(/^-?[0-9.]+e/i);
    };
    for (const call of [
      'public/instruments?instType=SWAP',
      'market/tickers?instType=SPOT',
      'market/books?instId=DOGE-USDT&sz=400',
      'market/candles?instId=DOGE-USDT-SWAP',
      'public/open-interest?instType=SWAP',
    ]) {
      look(await get(call), '');
    }
  });

  test('kinds without instruments are empty; suspended, dated and otherwise settled ones are listed', async () => {
    for (const type of ['OPTION', 'MARGIN']) {
      expect(await get(`public/instruments?instType=${type}&uly=BTC-USD`)).toEqual([]);
    }
    const spot = await get('public/instruments?instType=SPOT');
    const states = new Map(spot.map((row: Record<string, string>) => [row.instId, row.state]));
    expect([states.get('WAVES-USDT'), states.get('BTC-USDT')]).toEqual(['suspend', 'live']);
    expect(states.has('ETH-BTC')).toBe(true);
    const [dated] = await get('public/instruments?instType=FUTURES');
    expect(Number(dated.expTime)).toBeGreaterThan(BEGINNING);
    const swaps = await get('public/instruments?instType=SWAP');
    expect(new Set(swaps.map((row: Record<string, string>) => row.settleCcy))).toEqual(
      new Set(['USDT', 'USDC']),
    );
    expect(swaps[0]).toMatchObject({ ctVal: '0.01', ctValCcy: 'BTC', ctType: 'linear', uly: 'BTC-USDT' });
    const codes = [...spot, ...swaps].map((row: Record<string, unknown>) => row.instIdCode);
    expect(new Set(codes).size).toBe(codes.length);
  });

  test('contracts count contracts, then coins, then money', async () => {
    const [ticker] = await get('market/ticker?instId=BTC-USDT-SWAP');
    expect(Number(ticker.vol24h) * 0.01).toBeCloseTo(Number(ticker.volCcy24h), 4);
    const [, bar] = await get('market/candles?instId=BTC-USDT-SWAP&bar=1H&limit=2');
    expect(Number(bar[5]) * 0.01).toBeCloseTo(Number(bar[6]), 4);
    expect(Number(bar[7]) / Number(bar[6]) / Number(bar[4])).toBeCloseTo(1, 1);
    const [interest] = await get('public/open-interest?instType=SWAP&instId=BTC-USDT-SWAP');
    expect(Number(interest.oi) * 0.01).toBeCloseTo(Number(interest.oiCcy), 4);
  });
});

describe('candles', () => {
  const times = (rows: readonly string[][]) => rows.map((row) => Number(row[0]));

  test('come newest first: 300 at most, of index and mark 100, and the running one is not confirmed', async () => {
    const newest = await get('market/candles?instId=BTC-USDT&limit=500');
    expect(newest.length).toBe(300);
    expect(newest.map((row: string[]) => row[8])).toEqual(['0', ...Array(299).fill('1')]);
    expect((await get('market/candles?instId=BTC-USDT')).length).toBe(100);
    const history = await get('market/history-candles?instId=BTC-USDT&limit=500');
    expect(times(history)).toEqual(times(newest));
    expect((await get('market/history-candles?instId=BTC-USDT')).length).toBe(100);
    for (const path of ['mark-price-candles?instId=BTC-USDT-SWAP', 'history-index-candles?instId=BTC-USDT']) {
      const bars = await get(`market/${path}&limit=300`);
      expect([bars.length, new Set(bars.map((bar: string[]) => bar.length))]).toEqual([100, new Set([6])]);
    }
    expect(times(newest)).toEqual(times(newest).sort((left, right) => right - left));
  });

  test('are paged to both sides, both ends exclusive, and reach 1,440 bars back only in history', async () => {
    const page = await get('market/candles?instId=BTC-USDT&bar=1H&limit=10');
    const [last] = page.at(-1);
    const older = await get(`market/candles?instId=BTC-USDT&bar=1H&limit=10&after=${last}`);
    expect(times([...page, ...older])).toEqual(
      Array.from({ length: 20 }, (_, at) => Number(page[0][0]) - at * 3_600_000),
    );
    const between = await get(
      `market/candles?instId=BTC-USDT&bar=1H&before=${older[5][0]}&after=${page[3][0]}`,
    );
    expect(times(between)).toEqual(times([...page.slice(4), ...older.slice(0, 5)]));
    const edge = BEGINNING - 1_440 * 60_000;
    expect(await get(`market/candles?instId=BTC-USDT&after=${edge - 60_000}`)).toEqual([]);
    expect((await get(`market/history-candles?instId=BTC-USDT&after=${edge - 60_000}`)).length).toBe(100);
    expect(await get('market/history-candles?instId=BTC-USDT&after=1')).toEqual([]);
  });

  test.each([
    ['6H', '2026-11-20T10:00:00Z'],
    ['6Hutc', '2026-11-20T12:00:00Z'],
    ['12H', '2026-11-20T04:00:00Z'],
    ['12Hutc', '2026-11-20T12:00:00Z'],
    ['1D', '2026-11-19T16:00:00Z'],
    ['1Dutc', '2026-11-20T00:00:00Z'],
    ['1W', '2026-11-15T16:00:00Z'],
    ['1Wutc', '2026-11-16T00:00:00Z'],
    ['1M', '2026-10-31T16:00:00Z'],
    ['1Mutc', '2026-11-01T00:00:00Z'],
    ['3M', '2026-09-30T16:00:00Z'],
    ['3Mutc', '2026-10-01T00:00:00Z'],
  ])('a bar of %s opened at %s', async (bar, opened) => {
    const rows = await get(`market/history-candles?instId=BTC-USDT&bar=${bar}&limit=3`);
    expect(times(rows)[0]).toBe(Date.parse(opened));
    expect(rows.length).toBe(3);
  });

  test.each(['2D', '3D', '2Dutc', '3Dutc', '1s', '3m', '15m', '30m', '2H', '4H'])(
    'there are bars of %s',
    async (bar) => {
      const rows = await get(`market/history-candles?instId=BTC-USDT&bar=${bar}&limit=5`);
      const steps = times(rows)
        .slice(1)
        .map((time, at) => (times(rows)[at] ?? 0) - time);
      expect(rows.length).toBe(5);
      expect(new Set(steps).size).toBe(1);
    },
  );

  test('folded bars have the extremes and the volume of their parts', () => {
    const kind = barKind('1D');
    if (kind === undefined) throw new Error('there is a bar of a day');
    const page = { newerThan: -1, olderThan: BEGINNING - 86_400_000, limit: 2 };
    for (const bar of readBars(rig.venue.spot, 'BTC-USDT', kind, page)) {
      const parts = rig.venue.spot.candles('BTC-USDT', '1h', {
        startTime: bar.time,
        endTime: (bar.time + 86_399_999) as never,
        limit: 24,
      });
      expect(parts.length).toBe(24);
      expect(bar.high).toBe(Math.max(...parts.map((part) => part.high)));
      expect(bar.low).toBe(Math.min(...parts.map((part) => part.low)));
      expect([bar.open, bar.close]).toEqual([parts[0]?.open, parts.at(-1)?.close]);
      expect(bar.volume).toBeCloseTo(
        parts.reduce((sum, part) => sum + part.volume, 0),
        4,
      );
    }
  });
});

describe('trades', () => {
  test('are newest first and paged by id or time', async () => {
    const all = await get('market/trades?instId=BTC-USDT&limit=500');
    const page = await get('market/history-trades?instId=BTC-USDT&limit=20');
    expect(page).toEqual(all.slice(0, 20));
    const older = await get(`market/history-trades?instId=BTC-USDT&limit=20&after=${page.at(-1).tradeId}`);
    expect(older).toEqual(all.slice(20, 40));
    const newer = await get(`market/history-trades?instId=BTC-USDT&before=${all[5].tradeId}`);
    expect(newer).toEqual(all.slice(0, 5));
    const byTime = await get(`market/history-trades?instId=BTC-USDT&type=2&after=${all[30].ts}&limit=10`);
    expect(byTime.every((trade: Record<string, string>) => Number(trade.ts) < Number(all[30].ts))).toBe(true);
  });
});

test('funding is paid at whole intervals, newest first, and pages join', async () => {
  const all = await get('public/funding-rate-history?instId=BTC-USDT-SWAP&limit=30');
  const times = all.map((row: Record<string, string>) => Number(row.fundingTime));
  expect(times.every((time: number, at: number) => at === 0 || times[at - 1] - time === 8 * 3_600_000)).toBe(
    true,
  );
  const older = await get(`public/funding-rate-history?instId=BTC-USDT-SWAP&limit=10&after=${times[9]}`);
  expect(older).toEqual(all.slice(10, 20));
  const newer = await get(`public/funding-rate-history?instId=BTC-USDT-SWAP&before=${times[4]}`);
  expect(newer).toEqual(all.slice(0, 4));
  const rates = await get('public/funding-rate?instId=ANY');
  expect(rates.every((row: Record<string, string>) => row.instType === 'SWAP')).toBe(true);
});

test.each([
  [0, '0'],
  [1, '1'],
  [0.1 + 0.2, '0.3'],
  [1e-9, '0'],
  [123456789.5, '123456789.5'],
  [33516094.31999999, '33516094.32'],
  [1e15, '1000000000000000'],
  [-0.00001, '-0.00001'],
  [-1e-12, '0'],
  [Number.NaN, ''],
  [Number.POSITIVE_INFINITY, ''],
])('the float %d is written %s', (value, text) => {
  expect(formatFloat(value)).toBe(text);
});
