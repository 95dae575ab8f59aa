import { CANDLE_INTERVALS, type Millis, ok, refused } from '@crossbook/domain';
import type { MarketFacts, SimTrade, TradePage } from '../../../exchange.ts';
import { aggregatePage } from '../aggregate-trades.ts';
import { type Answer, type Desk, type Endpoint, endpoint, type Prepared, PUBLIC } from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { CHART_STATS, formatFloat } from '../format.ts';
import type { ParamReader } from '../params.ts';
import { aggregateRow, klineRow } from '../streams/market-streams.ts';

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 1000;
const DEPTH_LIMIT_DEFAULT = 100;
const DEPTH_LIMIT_MAX = 5000;
const AVERAGE_PRICE_MINUTES = 5;

/** A call about one market that must be named. */
function aboutMarket(
  reader: ParamReader,
  desk: Desk,
  weight: number,
  run: (market: MarketFacts) => Answer,
): Prepared {
  const market = reader.market(desk.exchange.markets);
  return { weight, run: () => (market === undefined ? refused(ERRORS.badSymbol) : run(market)) };
}

function depthWeight(limit: number): number {
  if (limit <= 100) return 5;
  if (limit <= 500) return 25;
  return limit <= 1000 ? 50 : 250;
}

function tradeRow(desk: Desk, trade: SimTrade): object {
  const format = desk.format.of(trade.symbol);
  return {
    id: trade.tradeId,
    price: format.price(trade.price),
    qty: format.size(trade.quantity),
    quoteQty: format.value(trade.price, trade.quantity),
    time: trade.time,
    isBuyerMaker: trade.buyerIsMaker,
    isBestMatch: true,
  };
}

function klines(reader: ParamReader, desk: Desk): Prepared {
  const market = reader.market(desk.exchange.markets);
  reader.requiredText('interval');
  const interval = reader.choice('interval', CANDLE_INTERVALS, ERRORS.badInterval);
  const startTime = reader.integer('startTime');
  const endTime = reader.integer('endTime');
  const zone = reader.text('timeZone');
  // Bars of other time zones are not kept; UTC is what every client here asks for.
  if (zone !== undefined && !['0', '00:00', '+00:00'].includes(zone)) reader.refuse(ERRORS.badCombination);
  const limit = reader.limit(LIMIT_DEFAULT, LIMIT_MAX);
  return {
    weight: 2,
    run: () => {
      if (market === undefined || interval === undefined) return refused(ERRORS.badSymbol);
      const page = {
        limit,
        ...(startTime === undefined ? {} : { startTime: startTime as Millis }),
        ...(endTime === undefined ? {} : { endTime: endTime as Millis }),
      };
      const bars = desk.exchange.candles(market.symbol, interval, page);
      return ok(bars.map((bar) => klineRow(bar, interval, CHART_STATS)));
    },
  };
}

function trades(withFromId: boolean): (reader: ParamReader, desk: Desk) => Prepared {
  return (reader, desk) => {
    const limit = reader.limit(LIMIT_DEFAULT, LIMIT_MAX);
    const fromId = withFromId ? reader.integer('fromId') : undefined;
    return aboutMarket(reader, desk, 25, (market) => {
      const page = fromId === undefined ? { limit } : { fromId, limit };
      return ok(desk.exchange.trades(market.symbol, page).map((trade) => tradeRow(desk, trade)));
    });
  };
}

function aggregateTrades(reader: ParamReader, desk: Desk): Prepared {
  const fromId = reader.integer('fromId');
  const startTime = reader.integer('startTime');
  const endTime = reader.integer('endTime');
  if (fromId !== undefined && (startTime !== undefined || endTime !== undefined)) {
    reader.refuse(ERRORS.badCombination);
  }
  const limit = reader.limit(LIMIT_DEFAULT, LIMIT_MAX);
  return aboutMarket(reader, desk, 4, (market) => {
    const format = desk.format.of(market.symbol);
    const read = (page: TradePage) => desk.exchange.trades(market.symbol, page);
    const tape = desk.aggregates.of(market.symbol);
    const runs = aggregatePage(read, tape, { fromId, startTime, endTime, limit });
    return ok(runs.map((run) => ({ ...aggregateRow(run, format), M: true })));
  });
}

/** ping, time, depth, trades, klines and the average price. */
export const MARKET_DATA_ENDPOINTS: readonly Endpoint[] = [
  endpoint(PUBLIC, 'ping GET /api/v3/ping', '', () => ({
    weight: 1,
    run: () => ok({}),
  })),
  endpoint(PUBLIC, 'time GET /api/v3/time', '', (_, desk) => ({
    weight: 1,
    run: () => ok({ serverTime: desk.exchange.now() }),
  })),
  endpoint(PUBLIC, 'depth GET /api/v3/depth', 'symbol limit symbolStatus', (reader, desk) => {
    const limit = reader.limit(DEPTH_LIMIT_DEFAULT, DEPTH_LIMIT_MAX);
    return aboutMarket(reader, desk, depthWeight(limit), (market) => {
      const book = desk.exchange.depth(market.symbol, limit);
      const format = desk.format.of(market.symbol);
      return ok({
        lastUpdateId: book.lastUpdateId,
        bids: format.levels(book.bids),
        asks: format.levels(book.asks),
      });
    });
  }),
  endpoint(PUBLIC, 'trades.recent GET /api/v3/trades', 'symbol limit', trades(false)),
  endpoint(PUBLIC, 'trades.historical GET /api/v3/historicalTrades', 'symbol limit fromId', trades(true)),
  endpoint(
    PUBLIC,
    'trades.aggregate GET /api/v3/aggTrades',
    'symbol fromId startTime endTime limit',
    aggregateTrades,
  ),
  endpoint(PUBLIC, 'klines GET /api/v3/klines', 'symbol interval startTime endTime timeZone limit', klines),
  endpoint(
    PUBLIC,
    'uiKlines GET /api/v3/uiKlines',
    'symbol interval startTime endTime timeZone limit',
    klines,
  ),
  endpoint(PUBLIC, 'avgPrice GET /api/v3/avgPrice', 'symbol', (reader, desk) =>
    aboutMarket(reader, desk, 2, (market) =>
      ok({
        mins: AVERAGE_PRICE_MINUTES,
        price: formatFloat(desk.exchange.averagePrice(market.symbol)),
        closeTime: desk.exchange.ticker(market.symbol).closeTime,
      }),
    ),
  ),
];
