import { type BookChange, formatAmount, type Instrument, type Millis, symbolKey } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BookSync } from '../../book-sync.ts';
import { recorded, recordedJson } from '../../conformance/recorded.ts';
import type { MarketMessage } from '../../venue-public.ts';
import { asArray, asObject } from '../../wire/guards.ts';
import { scaled } from '../../wire/scaled-instruments.ts';
import { dataOf } from '../wire.ts';
import { normaliseInstruments } from './filters.ts';
import { normaliseCandles, normaliseTrades } from './normalise.ts';
import { createOkxPublic } from './okx-public.ts';
import { BTC_USDT, BTC_USDT_SWAP } from './sample-instruments.fixture.ts';
import { normaliseFunding, normaliseMarkPrice, normaliseTicker, statsBySymbol } from './tickers.ts';

const NOW = 1_652_459_230_000 as Millis;

function venue(instruments: readonly Instrument[], answer: unknown = {}) {
  return createOkxPublic({
    restBase: '',
    publicSocketUrl: '',
    businessSocketUrl: '',
    fetchText: async () => ({ status: 200, text: JSON.stringify(answer) }),
    clock: () => NOW,
    instruments,
  });
}

const listing = (type: string): unknown =>
  recordedJson(`cryptofeed/http/OKX.www_okx_com_api_v5_public_instruments_instType_${type}.json`);
const spotListing = listing('SPOT');
const swapListing = listing('SWAP');
const session = recorded('cryptofeed/OKX.jsonl');

/** The frames the venue sent, in order. */
const frames = (session ?? Buffer.alloc(0))
  .toString('utf8')
  .split('\n')
  .map((line) => asObject(line === '' ? undefined : JSON.parse(line)))
  .filter((entry) => entry?.t === 'recv')
  .map((entry) => Buffer.from(String(entry?.data)));

describe.skipIf(session === undefined || spotListing === undefined)(
  'the recorded OKX session of 2022-05-13',
  () => {
    const spot = normaliseInstruments(spotListing, 'SPOT')?.instruments ?? [];

    test('builds a book whose checksum equals that of every message', () => {
      const okx = venue(spot);
      const sync = new BookSync({ venue: okx, symbol: 'BTC-USDT' });
      const kinds = new Map<string, number>();
      for (const frame of frames) {
        const message = okx.socket.decode(frame, NOW);
        const kind = message.kind === 'malformed' ? `malformed: ${message.why}` : message.kind;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        if (message.kind !== 'book') continue;
        expect(sync.apply(message.change)).toBe('applied');
        expect(sync.book.isCrossed()).toBe(false);
      }
      // Six answers to subscriptions carry no id.
      expect(Object.fromEntries(kinds)).toEqual({ ignored: 6, ticker: 25, trades: 69, book: 98 });
      expect(sync.counters).toMatchObject({
        applied: 98,
        checksumsCompared: 98,
        checksumsWrong: 0,
        gaps: 0,
        crossed: 0,
        resyncs: 0,
      });
      expect([sync.book.count('bids'), sync.book.count('asks')]).toEqual([400, 400]);
    });

    test('a message left out is found by the checksum of the next, ids or none', () => {
      for (let left = 1; left < 40; left += 1) {
        const okx = venue(spot);
        const sync = new BookSync({ venue: okx, symbol: 'BTC-USDT' });
        const changes = frames
          .map((frame) => okx.socket.decode(frame, NOW))
          .filter((message): message is MarketMessage & { kind: 'book' } => message.kind === 'book')
          .map((message) => message.change)
          // As if nothing were missing: the numbers are made to follow each other.
          .filter((_change, at) => at !== left)
          .map((change, at) => ({ ...change, firstSeq: at + 1, lastSeq: at + 1 }) as BookChange);
        const steps = changes.slice(0, left + 4).map((change) => sync.apply(change));
        expect(steps.slice(0, left).every((step) => step === 'applied')).toBe(true);
        expect(steps.slice(left)).toContain('needs-snapshot');
      }
    });
  },
);

describe('recorded lists of instruments', () => {
  test.skipIf(spotListing === undefined)('spot keeps every USDT pair and nothing else', () => {
    const listed = normaliseInstruments(spotListing, 'SPOT');
    const raw = (spotListing as { data: { quoteCcy: string }[] }).data;
    expect(listed?.skipped).toBe(0);
    expect(listed?.instruments.length).toBe(raw.filter((row) => row.quoteCcy === 'USDT').length);
    expect(listed?.instruments.length).toBe(350);
    const btc = listed?.instruments.find((instrument) => instrument.symbol === 'BTC-USDT');
    expect(btc === undefined ? '' : symbolKey(btc)).toBe('OKX_SPOT_BTC_USDT');
    expect(
      [btc?.tickSize, btc?.lotSize, btc?.minQty].map((step) => formatAmount(step ?? BTC_USDT.maxQty)),
    ).toEqual(['0.1', '0.00000001', '0.00001']);
  });

  test.skipIf(swapListing === undefined)(
    'perpetuals keep the linear ones in USDT, counted in contracts',
    () => {
      const listed = normaliseInstruments(swapListing, 'SWAP');
      expect([listed?.skipped, listed?.instruments.length]).toEqual([0, 126]);
      const btc = listed?.instruments.find((instrument) => instrument.symbol === 'BTC-USDT-SWAP');
      expect(btc === undefined ? '' : symbolKey(btc)).toBe('OKX_PERP_BTC_USDT');
      expect(btc).toMatchObject({ base: 'BTC', maxLeverage: 125, status: 'trading' });
      expect(formatAmount(btc?.contractValue ?? BTC_USDT.maxQty)).toBe('0.01');
      expect(formatAmount(btc?.maxMarketQty ?? BTC_USDT.maxQty)).toBe('1600');
      expect(normaliseInstruments(swapListing, 'SPOT')?.instruments).toEqual([]);
    },
  );

  const options = asObject(recordedJson('ccxt-rs/okx/fetch_markets.json'))?.http_response;
  test.skipIf(options === undefined)('options are neither', () => {
    expect(normaliseInstruments(options, 'SPOT')).toEqual({ instruments: [], skipped: 0 });
    expect(normaliseInstruments(options, 'SWAP')).toEqual({ instruments: [], skipped: 0 });
  });

  const dated = recordedJson('nautilus/okx/http_get_instruments_futures.json');
  test.skipIf(dated === undefined)('dated contracts are neither', () => {
    expect(normaliseInstruments(dated, 'SWAP')).toEqual({ instruments: [], skipped: 0 });
  });
});

describe('recorded REST answers', () => {
  const fine = {
    ...BTC_USDT,
    tickSize: BTC_USDT_SWAP.tickSize,
    lotSize: (10n ** 10n) as Instrument['lotSize'],
  };

  const depth = asObject(recordedJson('ccxt-rs/okx/fetch_order_book_BTC_USDT.json'))?.http_response;
  test.skipIf(depth === undefined)('depth becomes exact ticks and lots under its id', async () => {
    const snapshot = await venue([fine], depth).rest.depth(fine, 5);
    expect(snapshot).toMatchObject({
      ok: true,
      value: { kind: 'snapshot', lastSeq: 71_066_999_493, time: 1_770_531_570_756 },
    });
    const { bids, asks } = (snapshot as { value: BookChange }).value;
    expect([bids[0], asks[4]]).toEqual([
      [693_599, 72_129_682],
      [693_648, 3_600_000],
    ]);
  });

  const candles = asObject(recordedJson('ccxt-rs/okx/fetch_ohlcv_BTC_USDT.json'));
  test.skipIf(candles === undefined)('candles are turned and equal those another client read', () => {
    const bars = normaliseCandles(dataOf(candles?.http_response), scaled(fine));
    expect(bars?.map((bar) => [bar.time, bar.open, bar.high, bar.low, bar.close, bar.volume])).toEqual(
      candles?.parsed_response,
    );
  });

  const ticker = asObject(recordedJson('ccxt-rs/okx/fetch_ticker_BTC_USDT.json'));
  test.skipIf(ticker === undefined)('the change is against open24h, cut at four decimals', () => {
    const read = normaliseTicker(dataOf(ticker?.http_response)?.[0]);
    expect(read).toMatchObject({ lastPrice: '69344.1', openPrice: '69953.5', volume: '11820.721099' });
    // Another client computed -0.871150121151908.
    expect(read?.change).toBe('-0.8711');
    expect(read?.quoteVolume).toBe('814107860.330412248');
  });

  const trades = recordedJson('nautilus/okx/http_get_trades.json');
  test.skipIf(trades === undefined)('trades keep the side of the taker', () => {
    expect(normaliseTrades(dataOf(trades), scaled(fine))).toMatchObject([
      { id: '734864333', price: 1_025_379, size: 13_669, side: 'sell' },
      { id: '734864332', size: 1_250, side: 'buy' },
    ]);
  });

  const mark = recordedJson('nautilus/okx/http_get_mark_price.json');
  test.skipIf(mark === undefined)('a mark price belongs to its perpetual', () => {
    expect(statsBySymbol(mark, normaliseMarkPrice)?.get('BTC-USDT-SWAP')).toEqual({ markPrice: '84660.1' });
  });

  const funding = recorded('okx.net/Endpoints/UnifiedApi/ExchangeData/GetFundingRates.txt');
  test.skipIf(funding === undefined)('the documented funding answer is read', () => {
    const body = JSON.parse((funding ?? Buffer.alloc(0)).toString('utf8').split('\n').slice(3).join('\n'));
    expect(statsBySymbol(body, normaliseFunding)?.get('BTC-USDT-SWAP')).toEqual({
      fundingRate: '0.0000792386885340',
      nextFundingTime: 1_703_088_000_000,
    });
  });
});

describe('recorded frames of 2026 and other sources', () => {
  const fineSwap = { ...BTC_USDT_SWAP };
  const fineSpot = {
    ...BTC_USDT,
    tickSize: BTC_USDT_SWAP.tickSize,
    lotSize: (10n ** 10n) as Instrument['lotSize'],
  };
  const okx = venue([fineSpot, fineSwap]);
  const decode = (frame: unknown): MarketMessage => {
    const bytes = Buffer.from(JSON.stringify(frame));
    const business = okx.furtherSockets?.[0] ?? okx.socket;
    const channel = String(asObject(asObject(frame)?.arg)?.channel);
    return (channel.startsWith('candle') ? business : okx.socket).decode(bytes, NOW);
  };

  const cases = asArray(asObject(recordedJson('ccxt-static-excerpt/ws-okx.json'))?.cases) ?? [];
  test.skipIf(cases.length === 0)('tickers and trades of 2026 decode, books5 is not followed', () => {
    const read = cases.flatMap((entry) => (asArray(asObject(entry)?.messages) ?? []).map(decode));
    expect(read.map((message) => message.kind)).toEqual([
      ...['ignored', 'ticker', 'ticker'],
      ...['ignored', 'trades', 'trades'],
      ...['ignored', 'ignored', 'ignored'],
    ]);
    expect(read[1]).toMatchObject({
      ticker: {
        symbol: 'BTC-USDT-SWAP',
        // Contracts become base, base times last stands for quote.
        volume: '73998.8786',
        quoteVolume: formatAmount((739_988_786n * 63_921n * 10n ** 14n) as Instrument['tickSize']),
        change: '-0.5857',
      },
    });
    expect(read[4]).toMatchObject({ trades: [{ id: '1040968613', size: 240_857, side: 'buy' }] });
  });

  const files: [string, string][] = [
    ['nautilus/okx/ws_trades.json', 'malformed'],
    ['nautilus/okx/ws_candle.json', 'ignored'],
    ['nautilus/okx/ws_instruments.json', 'ignored'],
    ['nautilus/okx/ws_account_empty.json', 'ignored'],
  ];
  for (const [file, kind] of files) {
    const frame = recordedJson(file);
    // Trades of an instrument nobody was told of; bars of midnight in Hong Kong; channels we do not follow.
    test.skipIf(frame === undefined)(`${file} is ${kind}`, () => expect(decode(frame).kind).toBe(kind));
  }

  const older = ['okex-spot.messages', 'okex-swap.messages', 'okex-swap.okexV5WithBookTickerMessages'];
  const tardis = older.flatMap((name) => asArray(recordedJson(`tardis-node/${name}.json`)) ?? []);
  test.skipIf(tardis.length === 0)('version 3 frames are malformed, bbo-tbt is ignored, all answered', () => {
    const kinds = tardis.map((frame) => decode(frame).kind);
    expect(kinds.slice(0, -2).every((kind) => kind === 'malformed')).toBe(true);
    expect(kinds.slice(-2)).toEqual(['ignored', 'malformed']);
  });
});
