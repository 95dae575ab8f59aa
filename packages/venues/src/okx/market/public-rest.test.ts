import { amount, type Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { okxEnvelope } from '../../conformance/okx-public-kit.ts';
import type { VenuePublic } from '../../venue-public.ts';
import { createOkxPublic } from './okx-public.ts';
import { BTC_USDT, BTC_USDT_SWAP } from './sample-instruments.fixture.ts';

const NOW = Date.UTC(2026, 5, 15, 10, 30) as Millis;
const MINUTE = 60_000;

/** A venue that answers by path and remembers what it was asked. */
function setup(answers: (path: string, query: URLSearchParams) => string) {
  const asked: string[] = [];
  const okx = createOkxPublic({
    restBase: 'http://venue/',
    publicSocketUrl: '',
    businessSocketUrl: '',
    clock: () => NOW,
    instruments: [BTC_USDT, BTC_USDT_SWAP],
    async fetchText(url) {
      const { pathname, search, searchParams } = new URL(url);
      asked.push(`${pathname.split('/').at(-1)}${search}`);
      return { status: 200, text: answers(pathname, searchParams) };
    },
  });
  return { okx, asked };
}

/** Bars of one length back to `oldest`, newest first, as the venue pages them. */
function candleServer(length: number, oldest: number) {
  return (_path: string, query: URLSearchParams): string => {
    const newest = Math.floor(NOW / length) * length;
    const after = query.get('after');
    const last = after === null ? newest : Math.ceil(Number(after) / length) * length - length;
    const count = Math.max(0, Math.min(Number(query.get('limit')), (last - oldest) / length + 1));
    const rows = Array.from({ length: count }, (_row, at) => {
      const time = last - at * length;
      return [String(time), '1', '2', '0.5', '1.5', '1', '1', '1', '1'];
    });
    return okxEnvelope(...rows);
  };
}

const asks: readonly [string, (okx: VenuePublic) => Promise<unknown>, string][] = [
  ['time', ({ rest }) => rest.serverTime(), '/api/v5/public/time'],
  ['pairs', ({ rest }) => rest.instruments('SPOT'), '/api/v5/public/instruments?instType=SPOT'],
  ['contracts', ({ rest }) => rest.instruments('SWAP'), '/api/v5/public/instruments?instType=SWAP'],
  [
    'one contract',
    ({ rest }) => rest.instruments('SWAP', 'BTC-USDT-SWAP'),
    '/api/v5/public/instruments?instType=SWAP&instId=BTC-USDT-SWAP',
  ],
  ['tickers', ({ rest }) => rest.tickers('SPOT'), '/api/v5/market/tickers?instType=SPOT'],
  ['a ticker', ({ rest }) => rest.ticker(BTC_USDT), '/api/v5/market/ticker?instId=BTC-USDT'],
  ['depth', ({ rest }) => rest.depth(BTC_USDT, 9_999), '/api/v5/market/books?instId=BTC-USDT&sz=400'],
  ['trades', ({ rest }) => rest.trades(BTC_USDT, 9_999), '/api/v5/market/trades?instId=BTC-USDT&limit=500'],
  [
    'newest candles',
    ({ rest }) => rest.candles(BTC_USDT, '1d', { limit: 10 }),
    '/api/v5/market/candles?instId=BTC-USDT&bar=1Dutc&limit=10',
  ],
  [
    'candles before a time',
    ({ rest }) => rest.candles(BTC_USDT, '1d', { limit: 10, endTime: NOW }),
    `/api/v5/market/history-candles?instId=BTC-USDT&bar=1Dutc&limit=10&after=${NOW}`,
  ],
];
test.each(asks)('%s is asked for as documented', async (_name, call, path) => {
  const asked: string[] = [];
  const okx = createOkxPublic({
    ...{ restBase: 'http://venue/', publicSocketUrl: '', businessSocketUrl: '', clock: () => NOW },
    fetchText: async (url) => {
      asked.push(url.replace('http://venue', ''));
      return { status: 200, text: okxEnvelope() };
    },
  });
  await call(okx);
  expect(asked).toEqual([path]);
});

test('a thousand bars are the newest 300 and then history by 100, without a hole or a repetition', async () => {
  const { okx, asked } = setup(candleServer(MINUTE, 0));
  const bars = await okx.rest.candles(BTC_USDT, '1m', { limit: 1_000 });
  expect(asked.map((text) => text.split('?')[0])).toEqual(['candles', ...Array(7).fill('history-candles')]);
  expect(asked[0]).toBe('candles?instId=BTC-USDT&bar=1m&limit=300');
  expect(bars.ok && bars.value.map((bar) => bar.time)).toEqual(
    Array.from({ length: 1_000 }, (_bar, at) => NOW - (999 - at) * MINUTE),
  );
});

test('an end is exclusive and asked of history; the beginning of an instrument ends the paging', async () => {
  const { okx, asked } = setup(candleServer(MINUTE, NOW - 140 * MINUTE));
  const bars = await okx.rest.candles(BTC_USDT, '1m', { limit: 500, endTime: NOW });
  expect(bars.ok && [bars.value.length, bars.value.at(-1)?.time]).toEqual([140, NOW - MINUTE]);
  expect(asked.length).toBe(2);
});

test('bars of 8 hours are whole ones built of 4 hours, aligned at midnight UTC', async () => {
  const hours = 3_600_000;
  const { okx, asked } = setup(candleServer(4 * hours, 0));
  const endTime = (Date.UTC(2026, 5, 15) + 1) as Millis;
  const bars = await okx.rest.candles(BTC_USDT, '8h', { limit: 3, endTime });
  // The bar that opens at midnight, before the end, is whole though its second half opens after it.
  const midnight = Date.UTC(2026, 5, 15);
  expect(bars.ok && bars.value.map((bar) => [bar.time, bar.volume])).toEqual([
    [midnight - 16 * hours, 2],
    [midnight - 8 * hours, 2],
    [midnight, 2],
  ]);
  expect(asked).toEqual([`history-candles?instId=BTC-USDT&bar=4H&limit=6&after=${midnight + 8 * hours}`]);
});

test('a first bar of 8 hours whose beginning was not fetched is left out', async () => {
  const hours = 3_600_000;
  const { okx } = setup(candleServer(4 * hours, 0));
  // Six bars of 4 hours back from 08:00 begin at 12:00, in the middle of the bar of 08:00.
  const bars = await okx.rest.candles(BTC_USDT, '8h', { limit: 3 });
  const morning = Date.UTC(2026, 5, 15, 8);
  expect(bars.ok && bars.value.map((bar) => [bar.time, bar.volume])).toEqual([
    [morning - 16 * hours, 2],
    [morning - 8 * hours, 2],
    [morning, 1],
  ]);
});

test('contracts that are inverse, whatever they settle in, and contracts of nothing are no perpetuals of ours', async () => {
  const swap = {
    instType: 'SWAP',
    instId: 'BTC-USDT-SWAP',
    ctType: 'linear',
    settleCcy: 'USDT',
    ctVal: '0.01',
    ctMult: '2',
    ctValCcy: 'BTC',
    state: 'live',
    lever: '100',
    tickSz: '0.1',
    lotSz: '0.01',
    minSz: '0.01',
    maxLmtSz: '100',
    maxMktSz: '10',
  };
  const listOf = async (part: object) => {
    const listed = await setup(() => okxEnvelope({ ...swap, ...part })).okx.rest.instruments('SWAP');
    return listed.ok ? listed.value : [];
  };
  expect(await listOf({})).toMatchObject([{ contractValue: amount('0.02'), maxMarketQty: amount('10') }]);
  for (const part of [
    { ctType: 'inverse' },
    { instType: 'FUTURES' },
    // An option has neither a kind of contract nor a settlement in USDT.
    { instType: 'OPTION', instId: 'BTC-USD-260626-60000-C', ctType: '', settleCcy: 'BTC', optType: 'C' },
    { ctVal: '0' },
    { lever: '' },
    { lotSz: '0' },
  ])
    expect(await listOf(part)).toEqual([]);
});

const ticker = (instId: string, instType: string, part: object = {}) => ({
  instType,
  instId,
  last: '110',
  open24h: '100',
  high24h: '120',
  low24h: '90',
  vol24h: '5000',
  volCcy24h: '50',
  ts: String(NOW),
  ...part,
});

test('a ticker keeps the price at the beginning of the day in UTC and the last size, where they are told', async () => {
  const kept = async (sodUtc0: string, lastSz: string) => {
    const { okx } = setup(() => okxEnvelope(ticker('BTC-USDT', 'SPOT', { sodUtc0, lastSz })));
    const read = await okx.rest.ticker(BTC_USDT);
    return read.ok ? [read.value.openPrice, read.value.utcDayOpenPrice, read.value.lastSize] : read.code;
  };
  expect([await kept('105.5', '0.7'), await kept('', '')]).toEqual([
    ['100', '105.5', '0.7'],
    ['100', undefined, undefined],
  ]);
});

test('tickers of perpetuals carry mark, index and funding; other quotes and dated ones are left out', async () => {
  const { okx, asked } = setup((path) => {
    if (path.endsWith('mark-price')) return okxEnvelope({ instId: 'BTC-USDT-SWAP', markPx: '111' });
    if (path.endsWith('index-tickers')) return okxEnvelope({ instId: 'BTC-USDT', idxPx: '109' });
    if (path.endsWith('funding-rate'))
      return okxEnvelope({ instId: 'BTC-USDT-SWAP', fundingRate: '0.0001', fundingTime: '1781524800000' });
    return okxEnvelope(
      ticker('BTC-USDT-SWAP', 'SWAP'),
      ticker('BTC-USD-SWAP', 'SWAP'),
      ticker('ETH-USDT-SWAP', 'SWAP', { last: '', open24h: '' }),
    );
  });
  expect(await okx.rest.tickers('SWAP')).toEqual({
    ok: true,
    value: [
      {
        symbol: 'BTC-USDT-SWAP',
        lastPrice: '110',
        change: '10.0000',
        openPrice: '100',
        highPrice: '120',
        lowPrice: '90',
        volume: '50',
        quoteVolume: '5500',
        time: NOW,
        markPrice: '111',
        indexPrice: '109',
        fundingRate: '0.0001',
        nextFundingTime: 1_781_524_800_000,
      },
    ],
  });
  expect(asked.sort()).toEqual([
    'funding-rate?instId=ANY',
    'index-tickers?quoteCcy=USDT',
    'mark-price?instType=SWAP',
    'tickers?instType=SWAP',
  ]);
});

test('without mark, index and funding the ticker is told without them', async () => {
  const { okx } = setup((path) =>
    path.endsWith('ticker')
      ? okxEnvelope(ticker('BTC-USDT-SWAP', 'SWAP'))
      : '{"code":"50011","msg":"Too Many Requests"}',
  );
  const one = await okx.rest.ticker(BTC_USDT_SWAP);
  expect(one.ok && [one.value.lastPrice, one.value.markPrice]).toEqual(['110', undefined]);
});

test('refusals keep their name, whatever the status', async () => {
  const refuse = (code: string) => setup(() => `{"code":"${code}","msg":"","data":[]}`).okx;
  expect(await refuse('51001').rest.depth(BTC_USDT, 5)).toEqual({ ok: false, code: 'unknown-symbol' });
  expect(await refuse('50011').rest.trades(BTC_USDT, 5)).toEqual({ ok: false, code: 'venue-error' });
  expect(await refuse('0').rest.ticker(BTC_USDT)).toEqual({ ok: false, code: 'malformed' });
});

test('time and trades are read; trades come oldest first', async () => {
  const { okx } = setup((path) =>
    path.endsWith('time')
      ? okxEnvelope({ ts: '1770000000001' })
      : okxEnvelope(
          { instId: 'BTC-USDT', tradeId: '2', px: '10.01', sz: '1', side: 'sell', ts: '5' },
          { instId: 'BTC-USDT', tradeId: '1', px: '10.00', sz: '2', side: 'buy', ts: '4' },
        ),
  );
  expect(await okx.rest.serverTime()).toEqual({ ok: true, value: 1_770_000_000_001 });
  const trades = await okx.rest.trades(BTC_USDT, 2);
  expect(trades.ok && trades.value.map((trade) => [trade.id, trade.side])).toEqual([
    ['1', 'buy'],
    ['2', 'sell'],
  ]);
});
