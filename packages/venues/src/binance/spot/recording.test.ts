import {
  type BookChange,
  formatAmount,
  type Instrument,
  type Millis,
  stepsToAmount,
  symbolKey,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BookSync } from '../../book-sync.ts';
import { recorded, recordedJson } from '../../conformance/recorded.ts';
import { BTCUSDT } from '../../conformance/sample-instruments.ts';
import { asDecimalText, asObject } from '../../wire/guards.ts';
import { scaled } from '../../wire/scaled-instruments.ts';
import { normaliseInstruments, SPOT_LISTING } from '../market/filters.ts';
import {
  normaliseBookSnapshot,
  normaliseCandles,
  normaliseTicker,
  normaliseTrades,
} from '../market/normalise.ts';
import { createBinancePublic } from './binance-public.ts';

const SESSION = recorded('hftbacktest/spot/btcusdt_20240808.gz');
const NOW = 1_723_161_254_000 as Millis;

function venue(instruments: readonly Instrument[]) {
  return createBinancePublic({
    restBase: 'http://127.0.0.1',
    socketBase: 'ws://127.0.0.1',
    fetchText: () => Promise.reject(new Error('no network in this test')),
    clock: () => NOW,
    instruments,
  });
}

describe.skipIf(SESSION === undefined)('the recorded Binance spot session of 2024-08-08', () => {
  const lines = (SESSION ?? Buffer.alloc(0))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  const bodies = lines.map((line) => line.slice(line.indexOf(' ') + 1));

  test('builds a book whose best prices and sizes equal bookTicker at every shared update id', () => {
    const binance = venue([BTCUSDT]);
    const sync = new BookSync({ venue: binance, symbol: 'BTCUSDT' });
    const seen = { deltas: 0, trades: 0, ignored: 0, malformed: 0, needed: 0 };
    const bestAt = new Map<number, string>();
    const tickers: { seq: number; best: string }[] = [];
    const remember = (change: BookChange): void => {
      if (sync.apply(change) === 'needs-snapshot') seen.needed += 1;
      if (sync.state !== 'LIVE') return;
      const { book } = sync;
      expect(book.isCrossed()).toBe(false);
      expect(book.lastSeq).toBeGreaterThanOrEqual(change.lastSeq);
      bestAt.set(
        book.lastSeq,
        [book.bestBid(), book.bestBidSize(), book.bestAsk(), book.bestAskSize()].join(' '),
      );
    };
    for (const body of bodies) {
      if (!body.includes('"stream"')) {
        const snapshot = normaliseBookSnapshot(JSON.parse(body), scaled(BTCUSDT), NOW);
        expect(snapshot).toBeDefined();
        remember(snapshot as BookChange);
        continue;
      }
      const message = binance.socket.decode(Buffer.from(body), NOW);
      if (message.kind === 'book') {
        seen.deltas += 1;
        remember(message.change);
      } else if (message.kind === 'trades') seen.trades += message.trades.length;
      else if (message.kind === 'malformed') seen.malformed += 1;
      else if (message.kind === 'ignored') {
        seen.ignored += 1;
        const data = (JSON.parse(body) as { data: Record<string, string> }).data;
        const steps = (text: string | undefined, decimals: number) =>
          Math.round(Number(text) * 10 ** decimals);
        const best = [steps(data.b, 2), steps(data.B, 5), steps(data.a, 2), steps(data.A, 5)].join(' ');
        tickers.push({ seq: Number(data.u), best });
      }
    }
    const shared = tickers.filter((ticker) => bestAt.has(ticker.seq));
    expect(shared.filter((ticker) => bestAt.get(ticker.seq) === ticker.best).length).toBe(564);
    expect(shared.length).toBe(564);
    expect(sync.counters).toMatchObject({
      gaps: 0,
      crossed: 0,
      contradictions: 0,
      resyncs: 0,
      duplicates: 0,
    });
    expect(seen.malformed).toBe(0);
    expect(seen.needed).toBe(0);
    // Two of the 3,451 deltas are older than the snapshot; the snapshot itself counts as one.
    expect([seen.deltas, sync.counters.applied]).toEqual([3_451, 3_450]);
    expect(seen.trades).toBeGreaterThan(1_000);
  });
});

describe('recorded REST answers', () => {
  const exchangeInfo = recordedJson('cryptofeed/http/BINANCE.api_binance_com_api_v3_exchangeInfo.json');
  test.skipIf(exchangeInfo === undefined)(
    'exchangeInfo of 2021 lists every USDT symbol, halted ones too',
    () => {
      const listed = normaliseInstruments(exchangeInfo, SPOT_LISTING);
      const raw = (
        exchangeInfo as { symbols: { quoteAsset: string; status: string; isSpotTradingAllowed: boolean }[] }
      ).symbols;
      const usdt = raw.filter((symbol) => symbol.quoteAsset === 'USDT');
      expect(listed?.skipped).toBe(0);
      expect(listed?.instruments.length).toBe(usdt.length);
      expect(usdt.length).toBeGreaterThan(200);
      expect(listed?.instruments.filter((instrument) => instrument.status === 'trading').length).toBe(
        usdt.filter((symbol) => symbol.status === 'TRADING' && symbol.isSpotTradingAllowed).length,
      );
      const btc = listed?.instruments.find((instrument) => instrument.symbol === 'BTCUSDT');
      expect(btc === undefined ? '' : symbolKey(btc)).toBe('BINANCE_SPOT_BTC_USDT');
      expect([
        formatAmount(btc?.tickSize ?? BTCUSDT.maxQty),
        formatAmount(btc?.minNotional ?? BTCUSDT.maxQty),
      ]).toEqual(['0.01', '10']);
    },
  );

  const market = recordedJson('ccxt-rs/binance/fetch_markets.json');
  test.skipIf(market === undefined)('a coin-margined answer has no USDT symbols and is not misread', () => {
    const answer = asObject(market)?.http_response;
    expect(normaliseInstruments(answer, SPOT_LISTING)).toEqual({ instruments: [], skipped: 0 });
  });

  const depth = recordedJson('ccxt-rs/binance/fetch_order_book_BTC_USDT.json');
  test.skipIf(depth === undefined)('depth becomes exact ticks and lots', () => {
    const snapshot = normaliseBookSnapshot(asObject(depth)?.http_response, scaled(BTCUSDT), NOW);
    expect(snapshot?.lastSeq).toBe(87_265_283_675);
    expect(snapshot?.bids[0]).toEqual([6_938_305, 51_856]);
    expect(snapshot?.asks[4]).toEqual([6_938_338, 8]);
    expect(formatAmount(stepsToAmount(snapshot?.bids[0]?.[0] ?? 0, BTCUSDT.tickSize))).toBe('69383.05');
  });

  const candles = recordedJson('ccxt-rs/binance/fetch_ohlcv_BTC_USDT.json');
  test.skipIf(candles === undefined)('candles equal those another client read from the same answer', () => {
    const rows = normaliseCandles(asObject(candles)?.http_response);
    const theirs = asObject(candles)?.parsed_response as number[][];
    expect(rows?.map((bar) => [bar.time, bar.open, bar.high, bar.low, bar.close, bar.volume])).toEqual(
      theirs,
    );
  });

  const ticker = recordedJson('ccxt-rs/binance/fetch_ticker_BTC_USDT.json');
  test.skipIf(ticker === undefined)('the 24-hour ticker keeps the strings of the venue', () => {
    expect(normaliseTicker(asObject(ticker)?.http_response)).toMatchObject({
      symbol: 'BTCUSDT',
      lastPrice: '69383.05000000',
      change: '-0.847',
      quoteVolume: '2650347449.74101610',
      time: 1_770_531_546_004,
    });
  });

  const trades = recordedJson('nautilus/binance/spot/http_json/trades_response.json');
  test.skipIf(trades === undefined)('a trade whose buyer was the maker was sold', () => {
    const coarse = { ...BTCUSDT, tickSize: BTCUSDT.tickSize, symbol: 'BNBBTC' };
    const fine = scaled({ ...coarse, tickSize: stepsToAmount(1, BTCUSDT.lotSize) });
    // 4.00000100 lies between two ticks of 0.00001: refused, never rounded.
    expect(normaliseTrades(trades, fine)).toBeUndefined();
    const exact = scaled({ ...coarse, tickSize: (10n ** 10n) as Instrument['tickSize'] });
    expect(normaliseTrades(trades, exact)).toMatchObject([{ id: '28457', price: 400_000_100, side: 'sell' }]);
  });

  const wire = recorded('cryptofeed/BINANCE.jsonl');
  test.skipIf(wire === undefined)(
    'every frame of the recorded 2021 session decodes or is of a stream we do not follow',
    () => {
      const listed = normaliseInstruments(exchangeInfo, SPOT_LISTING);
      const binance = venue(listed?.instruments ?? []);
      const kinds = new Map<string, number>();
      for (const line of (wire ?? Buffer.alloc(0)).toString('utf8').split('\n')) {
        const entry = asObject(line === '' ? undefined : JSON.parse(line));
        if (entry?.t !== 'recv') continue;
        const message = binance.socket.decode(Buffer.from(String(entry.data)), NOW);
        const kind = message.kind === 'malformed' ? `malformed: ${message.why}` : message.kind;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
      expect(kinds.get('book')).toBeGreaterThan(100);
      expect(
        [...kinds.keys()].filter((kind) => kind.startsWith('malformed') && !kind.endsWith('unknown symbol')),
      ).toEqual([]);
    },
  );
});

test('a decimal text is digits only', () => {
  expect(['1e5', '', '.5', '1.', 'NaN', '0x1', '١', ' 1', '1 '].map(asDecimalText)).toEqual(
    Array.from({ length: 9 }, () => undefined),
  );
});
