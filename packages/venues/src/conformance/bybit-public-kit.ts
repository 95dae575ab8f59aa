import type { Instrument } from '@crossbook/domain';
import { createBybitPublic } from '../bybit/market/bybit-public.ts';
import type { BybitCategory } from '../bybit/urls.ts';
import { BTCUSDT, BTCUSDT_PERP } from './sample-instruments.ts';
import {
  type DecimalLevels,
  NOON,
  type PerpetualWords,
  type PublicKit,
  type ReportedStats,
} from './venue-kit.ts';

/** Bybit's words for the claims about market data; shapes from bybit-exchange/docs v5 (2026-07-24). */

const INSTRUMENTS: Readonly<Record<BybitCategory, Instrument>> = {
  spot: { ...BTCUSDT, platform: 3 },
  linear: { ...BTCUSDT_PERP, platform: 3 },
};

/** The envelope of a good REST answer. */
export const envelope = (result: object): string =>
  JSON.stringify({ retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time: NOON });

const spotRow = (symbol: string, quoteCoin: string, status: string): object => ({
  symbol,
  baseCoin: symbol.slice(0, 3),
  quoteCoin,
  status,
  lotSizeFilter: {
    basePrecision: '0.00001',
    quotePrecision: '0.0000001',
    minOrderQty: '0.00001',
    maxOrderQty: '9000',
    minOrderAmt: '5',
    maxOrderAmt: '8000000',
    maxLimitOrderQty: '9000',
    maxMarketOrderQty: '120',
  },
  priceFilter: { tickSize: '0.01' },
});

const linearRow = (symbol: string, quoteCoin: string, status: string): object => ({
  symbol,
  contractType: 'LinearPerpetual',
  status,
  baseCoin: symbol.slice(0, 3),
  quoteCoin,
  settleCoin: quoteCoin,
  leverageFilter: { minLeverage: '1', maxLeverage: '5.00', leverageStep: '0.01' },
  priceFilter: { minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' },
  lotSizeFilter: {
    maxOrderQty: '9000',
    minOrderQty: '0.00001',
    qtyStep: '0.00001',
    maxMktOrderQty: '120',
    minNotionalValue: '5',
  },
});

function book(
  type: 'snapshot' | 'delta',
  symbol: string,
  u: number,
  [b, a]: readonly [DecimalLevels, DecimalLevels],
): string {
  const data = { s: symbol, b, a, u, seq: u };
  return JSON.stringify({ topic: `orderbook.200.${symbol}`, type, ts: NOON, data, cts: NOON });
}

/** The ticker of the perpetual, in which everything stands. */
const perpetualTicker = (reported: Partial<ReportedStats>, openInterest: string): string =>
  envelope({
    category: 'linear',
    list: [
      {
        symbol: 'BTCUSDT',
        lastPrice: '10.01',
        price24hPcnt: '-0.008',
        prevPrice24h: '10.09',
        highPrice24h: '11',
        lowPrice24h: '9.5',
        volume24h: '100',
        turnover24h: '1000',
        markPrice: reported.mark ?? '',
        indexPrice: reported.index ?? '',
        fundingRate: reported.funding ?? '',
        nextFundingTime: String(reported.nextFunding ?? ''),
        openInterest,
      },
    ],
  });

const PERPETUAL: PerpetualWords = {
  openInterest: (base) => perpetualTicker({}, base),
  tickers: (_url, reported) => perpetualTicker(reported, ''),
};

/** One of Bybit's two categories for the claims about market data. */
export function bybitPublicKit(category: BybitCategory, name: string): PublicKit {
  const instrument = INSTRUMENTS[category];
  const rowOf = category === 'spot' ? spotRow : linearRow;
  // Perpetuals that expire are none: the second of these is left out on its quote, the dated one on its type.
  const dated = { ...linearRow('BTCUSDT-26DEC25', 'USDT', 'Trading'), contractType: 'LinearFutures' };
  return {
    name,
    instrument,
    createPublic: (fetchText) =>
      createBybitPublic({
        category,
        restBase: 'http://venue',
        socketBase: 'ws://venue',
        fetchText,
        clock: () => NOON,
        instruments: [instrument],
      }),
    rest: {
      instruments: () => {
        const rows = [
          rowOf('BTCUSDT', 'USDT', 'Trading'),
          rowOf('XYZUSDT', 'USDT', 'PreLaunch'),
          rowOf('ETHUSDC', 'USDC', 'Trading'),
        ];
        const list = category === 'spot' ? rows : [...rows, dated];
        return envelope({ category, list, nextPageCursor: '' });
      },
      depth: (seq, b, a) => envelope({ s: 'BTCUSDT', b, a, ts: NOON, u: seq, seq, cts: NOON }),
      candles: (times) => {
        const rows = times.map((time) => [String(time), '1', '2', '0.5', '1.5', '7', '9']);
        return envelope({ category, symbol: 'BTCUSDT', list: rows.reverse() });
      },
    },
    ...(category === 'spot' ? {} : { perpetual: PERPETUAL }),
    frames: {
      snapshot: (seq, bids, asks) => book('snapshot', 'BTCUSDT', seq, [bids, asks]),
      delta: (_first, last, bids, asks) => book('delta', 'BTCUSDT', last, [bids, asks]),
      trade: (p, v, aggressor) =>
        JSON.stringify({
          topic: 'publicTrade.BTCUSDT',
          type: 'snapshot',
          ts: NOON,
          data: [
            {
              T: NOON,
              s: 'BTCUSDT',
              S: aggressor === 'buy' ? 'Buy' : 'Sell',
              v,
              p,
              i: '2280000001739247417',
              BT: false,
            },
          ],
        }),
      strangeDelta: () => book('delta', 'ABCUSDT', 2, [[], []]),
      acknowledged: (id) =>
        JSON.stringify({ success: true, ret_msg: '', conn_id: 'c', req_id: String(id), op: 'subscribe' }),
    },
  };
}
