import { createBinanceFuturesPublic } from '../binance/perps/binance-futures-public.ts';
import { binanceCandles, binanceFrames, binanceStream } from './binance-words.ts';
import { BTCUSDT_PERP } from './sample-instruments.ts';
import { NOON, type PublicKit } from './venue-kit.ts';

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

const FRAMES = binanceFrames((first) => ({ T: NOON, pu: first - 1 }), { X: 'MARKET' });

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
    candles: binanceCandles,
  },
  perpetual: {
    openInterest: (openInterest) => JSON.stringify({ openInterest, symbol: 'BTCUSDT', time: NOON }),
    tickers: (url, reported) =>
      JSON.stringify(
        url.includes('/premiumIndex')
          ? [
              {
                symbol: 'BTCUSDT',
                markPrice: reported.mark,
                indexPrice: reported.index,
                lastFundingRate: reported.funding,
                nextFundingTime: reported.nextFunding,
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
    ...FRAMES,
    further: () => [
      ...FRAMES.further(),
      binanceStream('markPrice@1s', {
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
