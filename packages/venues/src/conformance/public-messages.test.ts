import { type Amount, amount, type Instrument, type Millis } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { largestCount } from '../wire/numbers.ts';
import { MARKET_MESSAGES } from './public-messages.fixture.ts';
import { NOON } from './venue-kit.ts';
import { PUBLIC_KITS } from './venue-kits.ts';

/** What a market's messages say beside what all of them say. */
interface Said {
  readonly instrument: Partial<Instrument>;
  readonly ticker: object;
  /** Of the answer, of the frame: some markets stamp them differently, or not at all. */
  readonly tickerTimes: readonly [number, number];
  readonly depthTime: number;
}

const TICK = amount('0.01');
const STATS = {
  ...{ markPrice: '100.04', indexPrice: '100.06', fundingRate: '-0.000125' },
  nextFundingTime: NOON + 3_600_000,
};
/** OKX bounds prices by bands, and counts the market size of pairs in quote. */
const OKX_LISTING = { minPrice: TICK, maxPrice: largestCount(TICK), minNotional: amount('0') };
const OKX_DAY = { change: '-0.8917', utcDayOpenPrice: '100.70' };

const SAID: Readonly<Record<string, Said>> = {
  'Binance spot': {
    ...{ instrument: {}, ticker: { lastSize: '0.00123' }, depthTime: NOON },
    tickerTimes: [NOON - 3, NOON - 3],
  },
  'Binance USD-M futures': {
    instrument: { maxLeverage: 5 },
    ...{ ticker: { lastSize: '0.00123', ...STATS }, tickerTimes: [NOON - 3, NOON - 3], depthTime: NOON - 1 },
  },
  'OKX spot': {
    instrument: { ...OKX_LISTING, symbol: 'BTC-USDT', maxMarketQty: amount('9000') },
    ticker: { ...OKX_DAY, lastSize: '0.00123' },
    ...{ tickerTimes: [NOON - 3, NOON - 3], depthTime: NOON - 1 },
  },
  'OKX perpetuals': {
    instrument: {
      ...{ ...OKX_LISTING, symbol: 'BTC-USDT-SWAP', contractValue: amount('0.01'), maxLeverage: 100 },
    },
    // It says no turnover in quote: that is base coins at the last price.
    ticker: { ...OKX_DAY, ...STATS, lastSize: '0.00123', quoteVolume: '891597.399' },
    ...{ tickerTimes: [NOON - 3, NOON - 3], depthTime: NOON - 1 },
  },
  'Bybit spot': {
    instrument: { minPrice: TICK, maxPrice: largestCount(TICK) },
    ...{ ticker: {}, tickerTimes: [NOON, NOON - 3], depthTime: NOON - 1 },
  },
  'Bybit perpetuals': {
    instrument: { maxLeverage: 100 },
    ticker: { ...STATS, openInterest: '54321.5' },
    ...{ tickerTimes: [NOON, NOON - 3], depthTime: NOON - 1 },
  },
};

const CANDLES = [
  { time: NOON - 120_000, open: 100.01, high: 100.09, low: 99.97, close: 100.05, volume: 12.5 },
  { time: NOON - 60_000, open: 100.05, high: 100.11, low: 99.98, close: 100.02, volume: 7.25 },
];
const TRADE = { id: '28457', price: 10_003, size: 123, side: 'sell', time: NOON - 5 };

describe.each(PUBLIC_KITS.map((kit) => ({ name: kit.name, kit })))('$name', ({ name, kit }) => {
  const { answers, frames } = MARKET_MESSAGES[name] ?? {};
  const said = SAID[name];
  const venue = kit.createPublic(async (url) => {
    const answer = answers?.[new URL(url).pathname.split('/').at(-1) ?? ''];
    return { status: answer === undefined ? 404 : 200, text: JSON.stringify(answer ?? {}) };
  });
  const { rest } = venue;
  const { symbol, symbolType } = kit.instrument;
  const day = {
    ...{ symbol, lastPrice: '100.03', change: '-0.891', openPrice: '100.93', highPrice: '101.50' },
    ...{ lowPrice: '99.50', volume: '8913.3', quoteVolume: '895786.65', ...said?.ticker },
  };

  test('an instrument of whole documented shape is read field by field', async () => {
    const { platform } = kit.instrument;
    expect(await rest.instruments(symbolType)).toEqual({
      ok: true,
      value: [
        {
          ...{ platform, symbolType, symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', status: 'trading' },
          ...{ tickSize: TICK, lotSize: amount('0.00001'), minPrice: amount('0.03') },
          ...{ maxPrice: amount('900000'), minQty: amount('0.00002'), maxQty: amount('9000') },
          ...{ maxMarketQty: amount('120'), minNotional: amount('5'), contractValue: amount('1') as Amount },
          ...{ maxLeverage: 1, ...said?.instrument },
        },
      ],
    });
  });

  test('so are levels, trades, bars and the day, oldest first', async () => {
    const levels = {
      ...{ kind: 'snapshot', symbol, firstSeq: 160, lastSeq: 160, time: said?.depthTime, receivedAt: NOON },
      bids: [
        [10_001, 50_000],
        [9_999, 125_000],
      ],
      asks: [
        [10_002, 75_000],
        [10_004, 200_000],
      ],
    };
    expect(await rest.depth(kit.instrument, 100)).toEqual({ ok: true, value: levels });
    const later = { ...TRADE, symbol, id: '28458', side: 'buy', time: NOON - 4 };
    expect(await rest.trades(kit.instrument, 2)).toEqual({ ok: true, value: [{ ...TRADE, symbol }, later] });
    expect(await rest.candles(kit.instrument, '1m', { limit: 2 })).toEqual({ ok: true, value: CANDLES });
    expect(await rest.ticker(kit.instrument)).toEqual({
      ok: true,
      value: { ...day, time: said?.tickerTimes[0] },
    });
  });

  test('and frames of a trade, a bar and the day', () => {
    const read = (frame: object | undefined): object =>
      venue.socket.decode(Buffer.from(JSON.stringify(frame)), NOON as Millis);
    expect(read(frames?.trade)).toEqual({ kind: 'trades', trades: [{ ...TRADE, symbol }] });
    const bar = { kind: 'candle', symbol, interval: '1m', candle: CANDLES[1], closed: true };
    expect(read(frames?.candle)).toEqual(bar);
    if (frames?.ticker === undefined) return;
    // Binance tells mark, index and funding of contracts by a stream of their own.
    const ownStream = name === 'Binance USD-M futures' ? Object.keys(STATS) : [];
    const streamed = Object.entries({ ...day, time: said?.tickerTimes[1] });
    const ticker = Object.fromEntries(streamed.filter(([field]) => !ownStream.includes(field)));
    expect(read(frames.ticker)).toEqual({ kind: 'ticker', ticker });
  });
});
