import { createBinancePublic } from '../binance/spot/binance-public.ts';
import { createBinanceTrading } from '../binance/trading/binance-trading.ts';
import { ScriptedSockets, ScriptedTime } from '../trading/scripted-transport.fixture.ts';
import type { HttpAnswer } from '../transport.ts';
import { BTCUSDT } from './sample-instruments.ts';
import { type DecimalLevels, NOON, type ToldOrder, type VenueKit } from './venue-kit.ts';

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

const stream = (channel: string, data: object): string =>
  JSON.stringify({ stream: `btcusdt@${channel}`, data });

const delta = (
  symbol: string,
  ids: readonly [number, number],
  levels: readonly [DecimalLevels, DecimalLevels],
) => ({
  e: 'depthUpdate',
  E: NOON,
  s: symbol,
  U: ids[0],
  u: ids[1],
  b: levels[0],
  a: levels[1],
});

const error = (status: number, code: number, msg: string): HttpAnswer => ({
  status,
  headers: {},
  text: JSON.stringify({ code, msg }),
});

const STATUSES = { open: 'NEW', filled: 'FILLED', cancelled: 'CANCELED' } as const;

const stateOf = (order: ToldOrder, orderId: number): object => ({
  symbol: BTCUSDT.symbol,
  orderId,
  clientOrderId: order.clientId,
  executedQty: order.executed,
  cummulativeQuoteQty: order.executedQuote,
  status: STATUSES[order.status],
});

function placed(order: ToldOrder): HttpAnswer {
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
    candles: (times) =>
      JSON.stringify(
        times.map((time) => [time, '1', '2', '0.5', '1.5', '7', time + 59_999, '9', 3, '1', '1', '0']),
      ),
  },
  frames: {
    delta: (first, last, bids, asks) => stream('depth@100ms', delta('BTCUSDT', [first, last], [bids, asks])),
    trade: (p, q, aggressor) =>
      stream('trade', {
        e: 'trade',
        E: NOON,
        s: 'BTCUSDT',
        t: 1,
        p,
        q,
        T: NOON,
        m: aggressor === 'sell',
        M: true,
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
    ],
  },
  createTrading(answer) {
    const time = new ScriptedTime();
    let count = 0;
    const trading = createBinanceTrading({
      restBase: 'http://venue',
      wsApiUrl: 'ws://venue',
      clock: () => NOON,
      random: () => 0,
      timers: time,
      openSocket: new ScriptedSockets().open,
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
