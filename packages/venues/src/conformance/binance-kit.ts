import { createBinancePublic } from '../binance/spot/binance-public.ts';
import { createBinanceTrading } from '../binance/trading/binance-trading.ts';
import { standingVenue } from '../trading/scripted-transport.fixture.ts';
import type { HttpAnswer } from '../transport.ts';
import { binanceCandles, binanceFrames } from './binance-words.ts';
import { BTCUSDT } from './sample-instruments.ts';
import { NOON, type ReportedOrder, type VenueKit } from './venue-kit.ts';

/** Binance spot's words for the claims; shapes from rest-api.md and web-socket-streams.md (2026-07-21). */

const symbolOf = (symbol: string, quoteAsset: string, status: string): object => ({
  symbol,
  status,
  baseAsset: symbol.slice(0, 3),
  quoteAsset,
  isSpotTradingAllowed: true,
  filters: [
    {
      filterType: 'PRICE_FILTER',
      minPrice: '0.01000000',
      maxPrice: '1000000.00000000',
      tickSize: '0.01000000',
    },
    { filterType: 'LOT_SIZE', minQty: '0.00001000', maxQty: '9000.00000000', stepSize: '0.00001000' },
    { filterType: 'MARKET_LOT_SIZE', minQty: '0.00000000', maxQty: '120.00000000', stepSize: '0.00000000' },
    {
      filterType: 'NOTIONAL',
      minNotional: '5.00000000',
      applyMinToMarket: true,
      maxNotional: '9000000.00000000',
    },
  ],
});

const error = (status: number, code: number, msg: string): HttpAnswer => ({
  status,
  headers: {},
  text: JSON.stringify({ code, msg }),
});

const STATUSES = { open: 'NEW', filled: 'FILLED', cancelled: 'CANCELED' } as const;

const stateOf = (order: ReportedOrder, orderId: number): object => ({
  symbol: BTCUSDT.symbol,
  orderId,
  clientOrderId: order.clientId,
  executedQty: order.executed,
  cummulativeQuoteQty: order.executedQuote,
  status: STATUSES[order.status],
});

function placed(order: ReportedOrder): HttpAnswer {
  const executed = Number(order.executed) > 0;
  const body = {
    ...stateOf(order, 1),
    transactTime: NOON,
    fills: executed
      ? [{ price: '10', qty: order.executed, commission: '0', commissionAsset: 'BTC', tradeId: 1 }]
      : [],
  };
  return { status: 200, headers: {}, text: JSON.stringify(body) };
}

/** Binance spot for the conformance claims. */
export const BINANCE_KIT: VenueKit = {
  name: 'Binance spot',
  instrument: BTCUSDT,
  createPublic: (fetchText) =>
    createBinancePublic({
      restBase: 'http://venue',
      socketBase: 'ws://venue',
      fetchText,
      clock: () => NOON,
      instruments: [BTCUSDT],
    }),
  rest: {
    instruments: () =>
      JSON.stringify({
        symbols: [
          symbolOf('BTCUSDT', 'USDT', 'TRADING'),
          symbolOf('XYZUSDT', 'USDT', 'BREAK'),
          symbolOf('ETHBTC', 'BTC', 'TRADING'),
        ],
      }),
    depth: (seq, bids, asks) => JSON.stringify({ lastUpdateId: seq, bids, asks }),
    candles: binanceCandles,
  },
  frames: binanceFrames(() => ({}), { M: true }),
  createTrading(answer, arbiter) {
    let count = 0;
    const trading = createBinanceTrading({
      ...standingVenue(() => NOON),
      wsApiUrl: 'ws://venue',
      ...(arbiter === undefined ? {} : { arbiter }),
      async sendHttp(request) {
        if (request.method === 'POST' && request.url.endsWith('/api/v3/order')) count += 1;
        return request.url.endsWith('/time') ? { status: 503, headers: {}, text: '' } : answer();
      },
    });
    return { trading, placings: () => count };
  },
  answers: {
    placed,
    queried: (order, id) => ({
      status: 200,
      headers: {},
      text: JSON.stringify({ ...stateOf(order, Number(id)), updateTime: NOON }),
    }),
    insufficientBalance: () => error(400, -2010, 'Account has insufficient balance for requested action.'),
    duplicateId: () => error(400, -2010, 'Duplicate order sent.'),
    serverTimeout: () => error(504, -1007, 'Timeout waiting for response from backend server.'),
    unheardOfCode: () => error(400, -77_777, 'Something new.'),
    unknownOrderOnCancel: () => error(400, -2011, 'Unknown order sent.'),
    unknownOrderOnQuery: () => error(400, -2013, 'Order does not exist.'),
  },
};
