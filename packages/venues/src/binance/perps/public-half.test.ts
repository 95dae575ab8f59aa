import type { Instrument, Millis } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BINANCE_FUTURES_KIT } from '../../conformance/binance-futures-kit.ts';
import { BTCUSDT_PERP } from '../../conformance/sample-instruments.ts';
import { NOON } from '../../conformance/venue-kit.ts';
import type { MarketChannel } from '../../venue-public.ts';
import type { BinancePublic } from '../spot/binance-public.ts';
import { createBinanceFuturesPublic } from './binance-futures-public.ts';

/** A futures venue that notes what it is asked and answers by path. */
function venue(answers: Readonly<Record<string, unknown>> = {}): {
  readonly futures: BinancePublic;
  readonly asked: string[];
} {
  const asked: string[] = [];
  const futures = createBinanceFuturesPublic({
    restBase: 'http://venue/',
    socketBase: 'ws://venue/',
    fetchText: async (url) => {
      const { pathname, search } = new URL(url);
      asked.push(pathname + search);
      const body = answers[pathname];
      return { status: body === undefined ? 404 : 200, text: JSON.stringify(body ?? {}) };
    },
    clock: () => NOON,
    instruments: [BTCUSDT_PERP],
  });
  return { futures, asked };
}

describe('calls of Binance USD-M futures', () => {
  const calls: [string, (futures: BinancePublic) => Promise<unknown>, string[]][] = [
    ['time', ({ rest }) => rest.serverTime(), ['/fapi/v1/time']],
    ['contracts', ({ rest }) => rest.instruments('SWAP'), ['/fapi/v1/exchangeInfo']],
    ['pairs, which it has none of', ({ rest }) => rest.instruments('SPOT'), []],
    ['tickers', ({ rest }) => rest.tickers('SWAP'), ['/fapi/v1/ticker/24hr', '/fapi/v1/premiumIndex']],
    [
      'a ticker',
      ({ rest }) => rest.ticker(BTCUSDT_PERP),
      ['/fapi/v1/ticker/24hr?symbol=BTCUSDT', '/fapi/v1/premiumIndex?symbol=BTCUSDT'],
    ],
    ['depth 6', ({ rest }) => rest.depth(BTCUSDT_PERP, 6), ['/fapi/v1/depth?symbol=BTCUSDT&limit=10']],
    [
      'depth 9999',
      ({ rest }) => rest.depth(BTCUSDT_PERP, 9_999),
      ['/fapi/v1/depth?symbol=BTCUSDT&limit=1000'],
    ],
    ['trades', ({ rest }) => rest.trades(BTCUSDT_PERP, 5_000), ['/fapi/v1/trades?symbol=BTCUSDT&limit=1000']],
    [
      'candles by 1,500 and before a time',
      ({ rest }) => rest.candles(BTCUSDT_PERP, '3d', { limit: 9_999, endTime: 120_000 as Millis }),
      ['/fapi/v1/klines?symbol=BTCUSDT&interval=3d&limit=1500&endTime=119999'],
    ],
    ['candles it lacks', ({ rest }) => rest.candles(BTCUSDT_PERP, '1s', { limit: 10 }), []],
  ];
  test.each(calls)('%s is asked for as documented', async (_name, call, paths) => {
    const { futures, asked } = venue();
    await call(futures);
    expect(asked).toEqual(paths);
  });

  const day = (symbol: string): object => ({
    symbol,
    lastPrice: '10.5',
    lastQty: '0.7',
    priceChangePercent: '1.2',
    openPrice: '10',
    highPrice: '11',
    lowPrice: '9',
    volume: '5',
    quoteVolume: '50',
    closeTime: 7,
  });
  const premium = (symbol: string, lastFundingRate: string, nextFundingTime: number): object => ({
    symbol,
    markPrice: '10.4',
    indexPrice: '10.3',
    lastFundingRate,
    nextFundingTime,
    time: 9,
  });

  test('a dated contract has no funding: absent, not zero', async () => {
    const { futures } = venue({
      '/fapi/v1/ticker/24hr': [day('BTCUSDT'), day('BTCUSDT_260626'), day('NEWUSDT')],
      '/fapi/v1/premiumIndex': [premium('BTCUSDT', '-0.0001', 800), premium('BTCUSDT_260626', '', 0)],
    });
    const listed = await futures.rest.tickers('SWAP');
    expect(listed.ok && listed.value).toMatchObject([
      { symbol: 'BTCUSDT', markPrice: '10.4', fundingRate: '-0.0001', nextFundingTime: 800 },
      { symbol: 'BTCUSDT_260626', markPrice: '10.4' },
      { symbol: 'NEWUSDT', lastPrice: '10.5', lastSize: '0.7' },
    ]);
    const [, dated, fresh] = listed.ok ? listed.value : [];
    expect(dated).not.toHaveProperty('fundingRate');
    expect(dated).not.toHaveProperty('nextFundingTime');
    expect(fresh).not.toHaveProperty('markPrice');
  });

  test('where the premium index does not answer the day is still told', async () => {
    const { futures } = venue({ '/fapi/v1/ticker/24hr': day('BTCUSDT') });
    const ticker = await futures.rest.ticker(BTCUSDT_PERP);
    expect(ticker.ok && ticker.value).toMatchObject({ lastPrice: '10.5', change: '1.2', time: 7 });
    expect(ticker.ok && ticker.value).not.toHaveProperty('markPrice');
  });

  test('the public list names no leverage: contracts get the default of 5', async () => {
    const { rest } = BINANCE_FUTURES_KIT.createPublic(async () => ({
      status: 200,
      text: BINANCE_FUTURES_KIT.rest.instruments(),
    }));
    const listed = await rest.instruments('SWAP');
    expect(listed.ok && listed.value.map(({ maxLeverage }) => maxLeverage)).toEqual([5, 5]);
  });

  test('figures of another symbol, or no decimals, are not taken for the asked one', async () => {
    const { futures } = venue({ '/fapi/v1/ticker/24hr': day('ETHUSDT'), '/fapi/v1/premiumIndex': {} });
    expect(await futures.rest.ticker(BTCUSDT_PERP)).toEqual({ ok: false, code: 'malformed' });
    const damaged = venue({
      '/fapi/v1/ticker/24hr': day('BTCUSDT'),
      '/fapi/v1/premiumIndex': { ...premium('BTCUSDT', '0.1', 8), markPrice: 'NaN' },
    });
    const ticker = await damaged.futures.rest.ticker(BTCUSDT_PERP);
    expect(ticker.ok && ticker.value).not.toHaveProperty('markPrice');
  });
});

describe('open interest of Binance USD-M futures', () => {
  const contracts = (count: number): Instrument[] =>
    Array.from({ length: count }, (_, at) => ({ ...BTCUSDT_PERP, symbol: `C${at}USDT` }));

  /** Answers when told to, and counts how many calls were open at once. */
  function crowd(answer: (symbol: string) => { status: number; text: string }) {
    const seen = { asked: 0, open: 0, mostOpen: 0 };
    const { rest } = createBinanceFuturesPublic({
      restBase: 'http://venue',
      socketBase: 'ws://venue',
      async fetchText(url) {
        seen.asked += 1;
        seen.open += 1;
        seen.mostOpen = Math.max(seen.mostOpen, seen.open);
        await new Promise((resolve) => setImmediate(resolve));
        seen.open -= 1;
        return answer(new URL(url).searchParams.get('symbol') ?? '');
      },
      clock: () => NOON,
    });
    return { rest, seen };
  }

  const reported = (symbol: string) => ({
    status: 200,
    text: JSON.stringify({ symbol, openInterest: '7.5', time: 1 }),
  });

  test('a call a contract, four at once, no more than the first six hundred', async () => {
    const { rest, seen } = crowd(reported);
    const answer = await rest.openInterest(contracts(700));
    expect(answer.ok && answer.value.size).toBe(600);
    expect(seen).toEqual({ asked: 600, open: 0, mostOpen: 4 });
  });

  test('one contract that cannot be told of takes no other with it', async () => {
    const { rest } = crowd((symbol) =>
      symbol === 'C1USDT'
        ? { status: 400, text: '{"code":-1121,"msg":"Invalid symbol."}' }
        : reported(symbol),
    );
    const answer = await rest.openInterest(contracts(3));
    expect(answer.ok && [...answer.value.keys()].sort()).toEqual(['C0USDT', 'C2USDT']);
  });

  test('a venue that refuses is not asked for the rest: what was told stays', async () => {
    const { rest, seen } = crowd((symbol) =>
      symbol === 'C0USDT'
        ? reported(symbol)
        : { status: 429, text: '{"code":-1003,"msg":"Too many requests."}' },
    );
    const answer = await rest.openInterest(contracts(500));
    expect(answer.ok && [...answer.value]).toEqual([['C0USDT', '7.5']]);
    expect(seen.asked).toBeLessThanOrEqual(8);
  });

  test.each(['-1', '1e3', '', 7])('the figure %j is none', async (openInterest) => {
    const { rest } = crowd((symbol) => ({ status: 200, text: JSON.stringify({ symbol, openInterest }) }));
    expect(await rest.openInterest(contracts(1))).toEqual({ ok: false, code: 'malformed' });
  });
});

describe('the sockets of Binance USD-M futures', () => {
  const { futures } = venue();
  const sockets = [futures.socket, ...(futures.furtherSockets ?? [])];
  const symbol = 'BTCUSDT';

  test.each<[MarketChannel, string, string[]]>([
    [{ kind: 'book', symbol }, 'ws://venue/public/stream', ['btcusdt@depth@100ms']],
    [{ kind: 'trades', symbol }, 'ws://venue/public/stream', ['btcusdt@trade']],
    [{ kind: 'ticker', symbol }, 'ws://venue/market/stream', ['btcusdt@ticker', 'btcusdt@markPrice@1s']],
    [{ kind: 'candle', symbol, interval: '1M' }, 'ws://venue/market/stream', ['btcusdt@kline_1M']],
  ])('%o is carried by exactly one', (channel, url, params) => {
    const carrying = sockets.filter((socket) => socket.carries?.(channel));
    expect(carrying.map((socket) => socket.url())).toEqual([url]);
    expect(JSON.parse(carrying[0]?.subscribe([channel], 3) ?? '')).toEqual({
      method: 'SUBSCRIBE',
      params,
      id: 3,
    });
  });

  const decode = (stream: string, data: object, instruments: readonly Instrument[] = []) => {
    futures.learn(instruments);
    return futures.socket.decode(Buffer.from(JSON.stringify({ stream: `btcusdt@${stream}`, data })), NOON);
  };
  const depth = { e: 'depthUpdate', E: 5, T: 4, s: symbol, U: 20, u: 25, pu: 12, b: [], a: [] };

  test('a diff covers all ids after the message before, at any speed', () => {
    for (const stream of ['depth', 'depth@0ms', 'depth@100ms', 'depth@500ms']) {
      expect(decode(stream, depth)).toMatchObject({ kind: 'book', change: { firstSeq: 13, lastSeq: 25 } });
    }
  });

  test.each([{ pu: 20 }, { pu: undefined }, { pu: '12' }, { pu: -1 }, { U: 26 }, { s: 'ETHUSDT' }])(
    'ids that do not rise, and a symbol that is not of the stream, are malformed: %o',
    (wrong) => {
      expect(decode('depth@100ms', { ...depth, ...wrong }).kind).toBe('malformed');
    },
  );

  test('partial books and best prices are no diffs', () => {
    expect(decode('depth20@100ms', depth).kind).toBe('ignored');
    expect(decode('bookTicker', { e: 'bookTicker' }).kind).toBe('ignored');
  });

  test('trades outside the book are not of the tape', () => {
    const trade = { e: 'trade', E: 5, T: 4, s: symbol, t: 9, p: '10.01', q: '0.5', X: 'MARKET', m: true };
    expect(decode('trade', trade)).toMatchObject({ kind: 'trades', trades: [{ id: '9', side: 'sell' }] });
    expect(decode('trade', { ...trade, X: 'INSURANCE_FUND', p: '0', q: '0' }).kind).toBe('ignored');
    expect(decode('trade', { ...trade, X: 7 }).kind).toBe('malformed');
  });

  test('mark, index and funding come as figures of their own', () => {
    const mark = { e: 'markPriceUpdate', E: 5, s: symbol, p: '10.1', i: '10.2', P: '10', r: '0.0001', T: 8 };
    const stats = { markPrice: '10.1', indexPrice: '10.2', fundingRate: '0.0001', nextFundingTime: 8 };
    expect(decode('markPrice@1s', mark)).toEqual({ kind: 'perp-stats', symbol, stats });
    expect(decode('markPrice', { ...mark, r: '', T: 0 })).toEqual({
      kind: 'perp-stats',
      symbol,
      stats: { markPrice: '10.1', indexPrice: '10.2' },
    });
    expect(decode('markPrice@1s', { ...mark, p: '' }).kind).toBe('malformed');
  });
});
