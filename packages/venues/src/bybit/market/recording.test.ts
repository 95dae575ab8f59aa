import type { Candle, CandleInterval, Instrument, Millis } from '@crossbook/domain';
import { formatAmount, symbolKey } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BookSync } from '../../book-sync.ts';
import { foldCandles } from '../../built-candles.ts';
import { recorded, recordedJson } from '../../conformance/recorded.ts';
import { asObject, type WireObject } from '../../wire/guards.ts';
import { scaled } from '../../wire/scaled-instruments.ts';
import type { BybitCategory } from '../urls.ts';
import { asEnvelope } from '../wire.ts';
import { createBybitPublic } from './bybit-public.ts';
import { normaliseInstruments } from './filters.ts';
import { normaliseBook, normaliseCandles } from './normalise.ts';
import { normaliseTickers, TickerMemory } from './tickers.ts';

const NOW = 1_786_310_819_000 as Millis;

function venue(category: BybitCategory, instruments: readonly Instrument[]) {
  return createBybitPublic({
    category,
    restBase: 'http://127.0.0.1',
    socketBase: 'ws://127.0.0.1',
    fetchText: () => Promise.reject(new Error('no network in this test')),
    clock: () => NOW,
    instruments,
  });
}

const instrumentsPath = (category: BybitCategory) =>
  `cryptofeed/http/BYBIT.api_bybit_com_v5_market_instruments_info_category_${category}_status_Trading_limit_1000.json`;
const listed = {
  spot: recordedJson(instrumentsPath('spot')),
  linear: recordedJson(instrumentsPath('linear')),
};
const resultOf = (answer: unknown): WireObject => asEnvelope(answer)?.result ?? {};

function instrumentsOf(category: BybitCategory): readonly Instrument[] {
  return normaliseInstruments(resultOf(listed[category]), category)?.instruments ?? [];
}

interface Line {
  readonly t: string;
  readonly conn: string;
  readonly addr?: string;
  readonly data?: string;
}

const SESSION = recorded('cryptofeed/BYBIT.jsonl');

describe.skipIf(SESSION === undefined || listed.spot === undefined)(
  'the recorded Bybit session of 2026-08-09, spot and perpetuals',
  () => {
    const lines = (SESSION ?? Buffer.alloc(0))
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
    const categoryOf = new Map(
      lines
        .filter((line) => line.t === 'connect')
        .map((line) => [line.conn, line.addr?.endsWith('/spot') ? 'spot' : 'linear'] as const),
    );

    test('every update id continues the book, nothing crosses, nothing is unreadable', () => {
      const venues = {
        spot: venue('spot', instrumentsOf('spot')),
        linear: venue('linear', instrumentsOf('linear')),
      };
      const books = new Map<string, BookSync>();
      const seen = {
        deltas: 0,
        snapshots: 0,
        trades: 0,
        tickers: 0,
        candles: 0,
        acknowledged: 0,
        malformed: 0,
      };
      for (const line of lines) {
        const category = categoryOf.get(line.conn);
        if (line.t !== 'recv' || category === undefined) continue;
        const message = venues[category].socket.decode(Buffer.from(line.data ?? ''), NOW);
        if (message.kind === 'book') {
          const key = `${category} ${message.change.symbol}`;
          const sync =
            books.get(key) ?? new BookSync({ venue: venues[category], symbol: message.change.symbol });
          books.set(key, sync);
          expect(sync.apply(message.change)).toBe('applied');
          expect([sync.book.isCrossed(), sync.book.lastSeq]).toEqual([false, message.change.lastSeq]);
          if (message.change.kind === 'delta') seen.deltas += 1;
          else seen.snapshots += 1;
        } else if (message.kind === 'trades') seen.trades += message.trades.length;
        else if (message.kind === 'ticker') seen.tickers += 1;
        else if (message.kind === 'candle') seen.candles += 1 + (message.further?.length ?? 0);
        else if (message.kind === 'malformed') seen.malformed += 1;
        // These subscriptions carried no id: accepted ones say nothing.
        else if (message.kind === 'ignored') seen.acknowledged += 1;
      }
      expect(seen).toEqual({
        deltas: 1_044,
        snapshots: 3,
        trades: seen.trades,
        tickers: 418,
        // Two messages close a bar and open the next.
        candles: 59,
        acknowledged: 24,
        malformed: 0,
      });
      expect(seen.trades).toBeGreaterThan(80);
      expect([...books.keys()].sort()).toEqual(['linear BTCUSDT', 'linear SOLUSDT', 'spot ETHUSDT']);
      for (const { counters, book } of books.values()) {
        expect(counters).toMatchObject({ gaps: 0, crossed: 0, contradictions: 0, resyncs: 0, duplicates: 0 });
        // The stream keeps 200 levels a side: what falls out is removed by the venue itself.
        expect([book.count('bids'), book.count('asks')]).toEqual([200, 200]);
      }
    });

    test('merged tickers of perpetuals always carry every figure, and their best time', () => {
      const linear = venue('linear', instrumentsOf('linear'));
      let reported = 0;
      for (const line of lines) {
        if (line.t !== 'recv' || categoryOf.get(line.conn) !== 'linear') continue;
        const message = linear.socket.decode(Buffer.from(line.data ?? ''), NOW);
        if (message.kind !== 'ticker') continue;
        reported += 1;
        const { markPrice, indexPrice, fundingRate, nextFundingTime, volume } = message.ticker;
        for (const value of [markPrice, indexPrice, fundingRate, volume])
          expect(value).toMatch(/^-?[0-9.]+$/);
        expect(nextFundingTime).toBeGreaterThan(message.ticker.time);
      }
      expect(reported).toBe(378);
    });
  },
);

describe('recorded REST answers', () => {
  test.skipIf(listed.spot === undefined)('spot lists its USDT pairs and no others', () => {
    const list = normaliseInstruments(resultOf(listed.spot), 'spot');
    expect([list?.instruments.length, list?.skipped]).toEqual([410, 0]);
    const btc = list?.instruments.find((one) => one.symbol === 'BTCUSDT') as Instrument;
    expect(symbolKey(btc)).toBe('BYBIT_SPOT_BTC_USDT');
    const values = [btc.tickSize, btc.lotSize, btc.minQty, btc.maxQty, btc.maxMarketQty, btc.minNotional];
    expect(values.map(formatAmount)).toEqual(['0.1', '0.000001', '0.000001', '230', '120', '5']);
  });

  test.skipIf(listed.linear === undefined)(
    'linear lists its USDT perpetuals: no USDC ones, none that expire',
    () => {
      const list = normaliseInstruments(resultOf(listed.linear), 'linear');
      expect([list?.instruments.length, list?.skipped]).toEqual([692, 0]);
      const btc = list?.instruments.find((one) => one.symbol === 'BTCUSDT') as Instrument;
      expect(symbolKey(btc)).toBe('BYBIT_PERP_BTC_USDT');
      const values = [
        btc.tickSize,
        btc.lotSize,
        btc.minPrice,
        btc.maxPrice,
        btc.maxMarketQty,
        btc.minNotional,
      ];
      expect(values.map(formatAmount)).toEqual(['0.1', '0.001', '0.1', '1999999.8', '150', '5']);
      expect([btc.maxLeverage, btc.symbolType, btc.status]).toEqual([100, 'SWAP', 'trading']);
    },
  );

  const options = recordedJson('ccxt-rs/bybit/fetch_markets.json');
  test.skipIf(options === undefined)('a list of options is not misread as perpetuals', () => {
    const result = resultOf(asObject(options)?.http_response);
    expect(normaliseInstruments(result, 'linear')).toEqual({ instruments: [], skipped: 0 });
  });

  const depth = recordedJson('ccxt-rs/bybit/fetch_order_book_BTC_USDT.json');
  test.skipIf(depth === undefined || listed.spot === undefined)('depth becomes exact ticks and lots', () => {
    const btc = instrumentsOf('spot').find((one) => one.symbol === 'BTCUSDT') as Instrument;
    const result = resultOf(asObject(depth)?.http_response);
    const book = normaliseBook(result, 'snapshot', scaled(btc), { time: result.ts, receivedAt: NOW });
    expect(book).toMatchObject({ lastSeq: 14_168_789, time: 1_770_531_563_992 });
    expect(book?.bids[0]).toEqual([693_725, 249_877]);
    expect(book?.asks[1]).toEqual([693_760, 547]);
  });

  const candles = recordedJson('ccxt-rs/bybit/fetch_ohlcv_BTC_USDT.json');
  test.skipIf(candles === undefined)('candles equal those another client read from the same answer', () => {
    const rows = normaliseCandles(resultOf(asObject(candles)?.http_response).list);
    expect(rows?.map((bar) => [bar.time, bar.open, bar.high, bar.low, bar.close, bar.volume])).toEqual(
      asObject(candles)?.parsed_response,
    );
  });

  const ticker = recordedJson('ccxt-rs/bybit/fetch_ticker_BTC_USDT.json');
  test.skipIf(ticker === undefined)('the change of a ticker is percent, as another client has it', () => {
    const envelope = asEnvelope(asObject(ticker)?.http_response);
    const [read] = normaliseTickers(envelope?.result ?? {}, envelope?.time) ?? [];
    expect(read).toEqual({
      symbol: 'BTCUSDT',
      lastPrice: '69372.6',
      change: '-0.86',
      openPrice: '69974.7',
      highPrice: '70304.9',
      lowPrice: '67339',
      volume: '11832.171709',
      quoteVolume: '814182828.76347208',
      time: 1_770_531_563_839,
    });
    expect(Number(read?.change)).toBeCloseTo(
      Number(asObject(asObject(ticker)?.parsed_response)?.percentage),
      10,
    );
  });
});

const messages = recordedJson('tardis-node/bybit.messagesV5.json') as WireObject[] | undefined;
test.skipIf(messages === undefined)(
  'recorded messages of 2023: a delta fills its snapshot, a dated future has no funding',
  () => {
    const memory = new TickerMemory();
    const reported = (messages ?? [])
      .filter((message) => String(message.topic).startsWith('tickers.'))
      .map((message) => memory.apply(message, String(message.topic).slice('tickers.'.length)));
    expect(reported).toMatchObject([
      { symbol: 'BTCUSD', lastPrice: '28560.00', change: '2.3362' },
      { symbol: 'BTCUSD', lastPrice: '28560.00', time: 1_680_673_822_776 },
      { symbol: 'BTCUSDU23', markPrice: '29023.60' },
      { symbol: 'BTCUSDU23', markPrice: '29023.60' },
      { symbol: 'BTCUSDT', nextFundingTime: 1_680_681_600_000, fundingRate: '0.0001' },
    ]);
    expect(reported[2]).not.toHaveProperty('fundingRate');
  },
);

/** `timestamp,open,high,low,close,volume`, oldest first. */
function downloaded(name: string): Candle[] | undefined {
  const bytes = recorded(`klines-bybit/BTCUSDT_${name}.csv`);
  return bytes
    ?.toString('utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [time = '', ...values] = line.split(',');
      const [open, high, low, close, volume] = values.map(Number);
      return { time: Date.parse(time.replace(' ', 'T')), open, high, low, close, volume } as Candle;
    });
}

const minutes = downloaded('1m');
describe.skipIf(minutes === undefined)('43,200 recorded one-minute bars', () => {
  const sizes: [string, CandleInterval, number][] = [
    ['5m', '5m', 8_639],
    ['15m', '15m', 2_879],
    ['60m', '1h', 719],
    ['240m', '4h', 179],
  ];
  test.each(sizes)('fold exactly into the bars the venue itself gives for %s', (name, interval, complete) => {
    const length = { '5m': 5, '15m': 15, '1h': 60, '4h': 240 }[interval as '5m'] as number;
    const counts = new Map<number, number>();
    for (const [built] of (minutes ?? []).map((bar) => foldCandles([bar], interval))) {
      if (built !== undefined) counts.set(built.time, (counts.get(built.time) ?? 0) + 1);
    }
    const theirs = new Map((downloaded(name) ?? []).map((bar) => [bar.time, bar]));
    const whole = foldCandles(minutes ?? [], interval).filter((bar) => counts.get(bar.time) === length);
    const equal = whole.filter((bar) => {
      const other = theirs.get(bar.time);
      // Volumes are sums of decimals in floats: equal to the last decimal the venue writes.
      return (
        other !== undefined &&
        [bar.open, bar.high, bar.low, bar.close].join() ===
          [other.open, other.high, other.low, other.close].join() &&
        bar.volume.toFixed(3) === other.volume.toFixed(3)
      );
    });
    expect([whole.length, equal.length]).toEqual([complete, complete]);
  });
});
