import { createBinanceFuturesPublic } from '../binance/perps/binance-futures-public.ts';
import { BTCUSDT_PERP } from './sample-instruments.ts';
import { type DecimalLevels, NOON, type PublicKit } from './venue-kit.ts';

/** Binance USD-M futures' words for the claims about market data; shapes from the official connector's types. */

const contractOf = (symbol: string, facts: object): object => ({
  symbol,
  pair: symbol,
  contractType: 'PERPETUAL',
  status: 'TRADING',
  baseAsset: symbol.slice(0, 3),
  quoteAsset: 'USDT',
  marginAsset: 'USDT',
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' },
    { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '1000', stepSize: '0.00001' },
    { filterType: 'MARKET_LOT_SIZE', minQty: '0.00001', maxQty: '120', stepSize: '0.00001' },
    { filterType: 'MIN_NOTIONAL', notional: '5' },
  ],
  ...facts,
});

const stream = (channel: string, data: object): string =>
  JSON.stringify({ stream: `btcusdt@${channel}`, data });

const delta = (
  symbol: string,
  ids: readonly [number, number],
  levels: readonly [DecimalLevels, DecimalLevels],
) => ({
  e: 'depthUpdate',
  E: NOON,
  T: NOON,
  s: symbol,
  U: ids[0],
  u: ids[1],
  pu: ids[0] - 1,
  b: levels[0],
  a: levels[1],
});

/** Binance USD-M futures for the conformance claims. */
export const BINANCE_FUTURES_KIT: PublicKit = {
  name: 'Binance USD-M futures',
  instrument: BTCUSDT_PERP,
  createPublic: (fetchText) =>
    createBinanceFuturesPublic({
      restBase: 'http://venue',
      socketBase: 'ws://venue',
      fetchText,
      clock: () => NOON,
      instruments: [BTCUSDT_PERP],
    }),
  rest: {
    instruments: () =>
      JSON.stringify({
        symbols: [
          contractOf('BTCUSDT', {}),
          contractOf('XYZUSDT', { status: 'SETTLING' }),
          contractOf('ETHUSDC', { quoteAsset: 'USDC', marginAsset: 'USDC' }),
          contractOf('BTCUSDT_260626', { contractType: 'CURRENT_QUARTER' }),
          contractOf('NEWUSDT', { contractType: '', status: 'PENDING_TRADING' }),
        ],
      }),
    depth: (seq, bids, asks) => JSON.stringify({ lastUpdateId: seq, E: NOON, T: NOON, bids, asks }),
    candles: (times) =>
      JSON.stringify(
        times.map((time) => [time, '1', '2', '0.5', '1.5', '7', time + 59_999, '9', 3, '1', '1', '0']),
      ),
  },
  perpetual: {
    openInterest: (openInterest) => JSON.stringify({ openInterest, symbol: 'BTCUSDT', time: NOON }),
    tickers: (url, told) =>
      JSON.stringify(
        url.includes('/premiumIndex')
          ? [
              {
                symbol: 'BTCUSDT',
                markPrice: told.mark,
                indexPrice: told.index,
                lastFundingRate: told.funding,
                nextFundingTime: told.nextFunding,
                time: NOON,
              },
            ]
          : [
              {
                symbol: 'BTCUSDT',
                priceChangePercent: '-0.8',
                lastPrice: '10.01',
                openPrice: '10.09',
                highPrice: '11',
                lowPrice: '9.5',
                volume: '100',
                quoteVolume: '1000',
                closeTime: NOON,
              },
            ],
      ),
  },
  frames: {
    delta: (first, last, bids, asks) => stream('depth@100ms', delta('BTCUSDT', [first, last], [bids, asks])),
    trade: (p, q, aggressor) =>
      stream('trade', {
        e: 'trade',
        E: NOON,
        T: NOON,
        s: 'BTCUSDT',
        t: 1,
        p,
        q,
        X: 'MARKET',
        m: aggressor === 'sell',
      }),
    strangeDelta: () =>
      JSON.stringify({ stream: 'abcusdt@depth@100ms', data: delta('ABCUSDT', [1, 2], [[], []]) }),
    acknowledged: (id) => JSON.stringify({ result: null, id }),
    further: () => [
      stream('kline_1m', {
        e: 'kline',
        E: NOON,
        s: 'BTCUSDT',
        k: {
          t: 60_000,
          T: 119_999,
          s: 'BTCUSDT',
          i: '1m',
          o: '1',
          c: '1.5',
          h: '2',
          l: '0.5',
          v: '3',
          x: true,
        },
      }),
      stream('ticker', {
        e: '24hrTicker',
        E: NOON,
        s: 'BTCUSDT',
        P: '-0.8',
        c: '10.01',
        o: '10.09',
        h: '11',
        l: '9.5',
        v: '100',
        q: '1000',
      }),
      stream('markPrice@1s', {
        e: 'markPriceUpdate',
        E: NOON,
        s: 'BTCUSDT',
        p: '10.01',
        i: '10.02',
        P: '10.01',
        r: '0.0001',
        T: NOON,
      }),
    ],
  },
};
