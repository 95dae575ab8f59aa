import { formatAmount, type Instrument, type Millis, type Result, symbolKey } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BookSync } from '../../book-sync.ts';
import { recorded } from '../../conformance/recorded.ts';
import { BTCUSDT_PERP } from '../../conformance/sample-instruments.ts';
import type { FetchText } from '../../venue-public.ts';
import { asObject } from '../../wire/guards.ts';
import { createBinanceFuturesPublic } from './binance-futures-public.ts';

const NOW = 1_723_161_256_000 as Millis;
const SESSION = recorded('hftbacktest/usdm/btcusdt_20240808.gz');
const RECORDED_BTCUSDT: Instrument = {
  ...BTCUSDT_PERP,
  tickSize: (10n ** 17n) as Instrument['tickSize'],
  lotSize: (10n ** 15n) as Instrument['lotSize'],
};

/** The futures venue, whose every call is answered with the recorded text of its path. */
function venue(instruments: readonly Instrument[], answers: Readonly<Record<string, string>> = {}) {
  const fetchText: FetchText = async (url) => {
    const text = answers[new URL(url).pathname];
    return text === undefined ? { status: 404, text: '' } : { status: 200, text };
  };
  return createBinanceFuturesPublic({
    restBase: 'http://venue',
    socketBase: 'ws://venue',
    fetchText,
    clock: () => NOW,
    instruments,
  });
}

function had<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.code);
  return result.value;
}

describe.skipIf(SESSION === undefined)('the recorded USD-M session of 2024-08-08', () => {
  const bodies = (SESSION ?? Buffer.alloc(0))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(line.indexOf(' ') + 1));

  test('builds a book whose best prices and sizes equal bookTicker at every shared update id', async () => {
    const snapshot = bodies.find((body) => !body.includes('"stream"')) ?? '';
    const futures = venue([RECORDED_BTCUSDT], { '/fapi/v1/depth': snapshot });
    const sync = new BookSync({ venue: futures, symbol: 'BTCUSDT' });
    const bestAt = new Map<number, string>();
    const tickers: { seq: number; best: string }[] = [];
    const seen = { deltas: 0, trades: 0, malformed: 0, needed: 0 };
    const take = (change: Parameters<BookSync['apply']>[0]): void => {
      if (sync.apply(change) === 'needs-snapshot') seen.needed += 1;
      if (sync.state !== 'LIVE') return;
      const { book } = sync;
      const best = [book.bestBid(), book.bestBidSize(), book.bestAsk(), book.bestAskSize()];
      bestAt.set(book.lastSeq, best.join(' '));
    };
    for (const body of bodies) {
      if (body === snapshot) {
        take(had(await futures.rest.depth(RECORDED_BTCUSDT, 1_000)));
        continue;
      }
      const message = futures.socket.decode(Buffer.from(body), NOW);
      if (message.kind === 'book') {
        seen.deltas += 1;
        take(message.change);
      } else if (message.kind === 'trades') seen.trades += message.trades.length;
      else if (message.kind === 'malformed') seen.malformed += 1;
      else {
        const { u, b, B, a, A } = asObject(asObject(JSON.parse(body))?.data) ?? {};
        const steps = (text: unknown, scale: number) => Math.round(Number(text) * scale);
        const best = [steps(b, 10), steps(B, 1_000), steps(a, 10), steps(A, 1_000)].join(' ');
        tickers.push({ seq: Number(u), best });
      }
    }
    const shared = tickers.filter((ticker) => bestAt.has(ticker.seq));
    expect(shared.length).toBe(629);
    expect(shared.filter((ticker) => bestAt.get(ticker.seq) === ticker.best).length).toBe(629);
    // 6,547 of the 6,551 deltas reach past the snapshot; the snapshot itself counts as one.
    const none = { gaps: 0, crossed: 0, contradictions: 0, duplicates: 0, resyncs: 0 };
    expect(sync.counters).toMatchObject({ ...none, applied: 6_548 });
    expect(seen).toMatchObject({ deltas: 6_551, malformed: 0, needed: 0 });
    expect(seen.trades).toBeGreaterThan(20_000);
  });
});

describe('recorded REST answers of USD-M futures', () => {
  const listing = recorded('cryptofeed/http/BINANCE_FUTURES.fapi_binance_com_fapi_v1_exchangeInfo.json');
  test.skipIf(listing === undefined)('exchangeInfo of 2021 lists the perpetuals in USDT only', async () => {
    const text = (listing ?? '').toString();
    const listed = had(await venue([], { '/fapi/v1/exchangeInfo': text }).rest.instruments('SWAP'));
    expect(listed.length).toBe(117);
    expect(listed.every((one) => one.status === 'trading' && !one.symbol.includes('_'))).toBe(true);
    const btc = listed.find((one) => one.symbol === 'BTCUSDT');
    expect(btc).toMatchObject({ symbolType: 'SWAP', maxLeverage: 5, base: 'BTC', quote: 'USDT' });
    expect(btc && symbolKey(btc)).toBe('BINANCE_PERP_BTC_USDT');
    expect(btc && [btc.minNotional, btc.lotSize, btc.maxMarketQty].map(formatAmount)).toEqual([
      '5',
      '0.001',
      '1000',
    ]);
  });

  const market = (name: string) =>
    recorded(`nautilus/binance-py/http_responses/http_futures_market_${name}.json`)?.toString();
  const fine: Instrument = { ...BTCUSDT_PERP, tickSize: (10n ** 10n) as Instrument['tickSize'] };
  const depth = market('depth');
  const trades = market('trades');
  const candles = market('klines');
  const ticker = market('ticker_24hr');
  const premium = market('premium_index');
  const answers = {
    '/fapi/v1/depth': depth ?? '',
    '/fapi/v1/trades': trades ?? '',
    '/fapi/v1/klines': candles ?? '',
    '/fapi/v1/ticker/24hr': ticker ?? '',
    '/fapi/v1/premiumIndex': premium ?? '',
  };

  test.skipIf(depth === undefined)('depth carries the time of the venue', async () => {
    const book = had(await venue([fine], answers).rest.depth(fine, 100));
    expect(book).toMatchObject({
      kind: 'snapshot',
      lastSeq: 1_027_024,
      time: 1_589_436_922_972,
      receivedAt: NOW,
      bids: [[400_000_000, 43_100_000]],
    });
  });

  test.skipIf(ticker === undefined)('the ticker holds mark, index and funding beside the day', async () => {
    const whole = had(await venue([fine], answers).rest.ticker(fine));
    expect(whole).toMatchObject({
      symbol: 'BTCUSDT',
      lastPrice: '4.00000200',
      change: '-95.960',
      markPrice: '11793.63104562',
      indexPrice: '11781.80495970',
      fundingRate: '0.00038246',
      nextFundingTime: 1_597_392_000_000,
    });
  });

  test.skipIf(ticker === undefined)('without the premium index the prices are still had', async () => {
    const { '/fapi/v1/premiumIndex': _absent, ...without } = answers;
    const bare = had(await venue([fine], without).rest.ticker(fine));
    expect(bare.lastPrice).toBe('4.00000200');
    expect(bare).not.toHaveProperty('markPrice');
  });

  test.skipIf(trades === undefined)('trades and candles are those of the answer', async () => {
    const { rest } = venue([fine], answers);
    expect(had(await rest.trades(fine, 10))).toMatchObject([
      { id: '28457', price: 400_000_100, side: 'sell' },
    ]);
    expect(had(await rest.candles(fine, '1w', { limit: 1 }))).toEqual([
      {
        time: 1_499_040_000_000,
        open: 0.0163479,
        high: 0.8,
        low: 0.015758,
        close: 0.015771,
        volume: 148_976.11427815,
      },
    ]);
  });

  const frames = [
    'binance-py/ws_messages/ws_futures_ticker_24hr',
    'binance/futures/market_data_json/ticker_stream',
    'binance/futures/market_data_json/kline_stream_closed',
  ];
  for (const path of frames) {
    const payload = recorded(`nautilus/${path}.json`)?.toString();
    test.skipIf(payload === undefined)(`the recorded payload ${path} is read`, () => {
      const channel = path.includes('kline') ? 'kline_1m' : 'ticker';
      const frame = `{"stream":"btcusdt@${channel}","data":${payload}}`;
      const message = venue([fine]).socket.decode(Buffer.from(frame), NOW);
      expect(message.kind).toBe(path.includes('kline') ? 'candle' : 'ticker');
    });
  }

  const wire = recorded('cryptofeed/BINANCE_FUTURES.jsonl');
  test.skipIf(wire === undefined || listing === undefined)(
    'every frame of the recorded 2021 session decodes or is of a stream we do not follow',
    async () => {
      const futures = venue([], { '/fapi/v1/exchangeInfo': (listing ?? '').toString() });
      had(await futures.rest.instruments('SWAP'));
      const kinds: Record<string, number> = {};
      for (const line of (wire ?? '').toString().split('\n')) {
        const entry = asObject(line === '' ? undefined : JSON.parse(line));
        if (entry?.t !== 'recv') continue;
        const message = futures.socket.decode(Buffer.from(String(entry.data)), NOW);
        kinds[message.kind] = (kinds[message.kind] ?? 0) + 1;
      }
      expect(kinds).toEqual({ book: 444, candle: 30, ignored: 441 });
    },
  );
});
