import { ok } from '@crossbook/domain';
import type { SimTrade, TradePage } from '../../../../exchange.ts';
import { aggregatePage } from '../../aggregate-trades.ts';
import type { Prepared } from '../../endpoint.ts';
import { ERRORS } from '../../errors.ts';
import type { ParamReader } from '../../params.ts';
import { aggregateRow } from '../../streams/market-streams.ts';
import { aboutContract, type FuturesCall, type FuturesDesk, pageLimit, wireUpdateId } from '../desk.ts';
import { FUTURES_ERRORS } from '../errors.ts';

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 1000;
/** The only depths there are, and what they cost. */
const DEPTH_WEIGHTS: ReadonlyMap<number, number> = new Map([
  [5, 2],
  [10, 2],
  [20, 2],
  [50, 2],
  [100, 5],
  [500, 10],
  [1000, 20],
]);

function depth(reader: ParamReader, desk: FuturesDesk): Prepared {
  const limit = reader.integer('limit', { min: 1 }) ?? LIMIT_DEFAULT;
  const weight = DEPTH_WEIGHTS.get(limit);
  if (weight === undefined) reader.refuse(FUTURES_ERRORS.badDepthLimit);
  return aboutContract(reader, desk, weight ?? 1, ({ symbol }) => {
    const book = desk.perps.depth(symbol, limit);
    const format = desk.format.of(symbol);
    const now = desk.perps.now();
    return ok({
      lastUpdateId: wireUpdateId(book.lastUpdateId),
      E: now,
      T: now,
      bids: format.levels(book.bids),
      asks: format.levels(book.asks),
    });
  });
}

function tradeRow(desk: FuturesDesk, trade: SimTrade): object {
  const format = desk.format.of(trade.symbol);
  return {
    id: trade.tradeId,
    price: format.price(trade.price),
    qty: format.size(trade.quantity),
    quoteQty: format.value(trade.price, trade.quantity),
    time: trade.time,
    isBuyerMaker: trade.buyerIsMaker,
    isRPITrade: false,
  };
}

function trades(weight: number, withFromId: boolean): FuturesCall['prepare'] {
  return (reader, desk) => {
    const limit = pageLimit(reader, LIMIT_DEFAULT, LIMIT_MAX);
    const fromId = withFromId ? reader.integer('fromId') : undefined;
    return aboutContract(reader, desk, weight, ({ symbol }) => {
      const page = fromId === undefined ? { limit } : { fromId, limit };
      return ok(desk.perps.trades(symbol, page).map((trade) => tradeRow(desk, trade)));
    });
  };
}

function aggregateTrades(reader: ParamReader, desk: FuturesDesk): Prepared {
  const fromId = reader.integer('fromId');
  const startTime = reader.integer('startTime');
  const endTime = reader.integer('endTime');
  if (fromId !== undefined && (startTime !== undefined || endTime !== undefined)) {
    reader.refuse(ERRORS.badCombination);
  }
  const limit = pageLimit(reader, LIMIT_DEFAULT, LIMIT_MAX);
  return aboutContract(reader, desk, 20, ({ symbol }) => {
    const format = desk.format.of(symbol);
    const read = (page: TradePage) => desk.perps.trades(symbol, page);
    const tape = desk.aggregates.of(symbol);
    const runs = aggregatePage(read, tape, { fromId, startTime, endTime, limit });
    return ok(runs.map((run) => aggregateRow(run, format, (nq) => ({ nq }))));
  });
}

/** ping, time, depth and trades. */
export const MARKET_DATA_CALLS: readonly FuturesCall[] = [
  { name: 'fapi.ping', paths: ['/fapi/v1/ping'], prepare: () => ({ weight: 1, run: () => ok({}) }) },
  {
    name: 'fapi.time',
    paths: ['/fapi/v1/time'],
    prepare: (_, desk) => ({ weight: 1, run: () => ok({ serverTime: desk.perps.now() }) }),
  },
  { name: 'fapi.depth', paths: ['/fapi/v1/depth'], socket: true, prepare: depth },
  { name: 'fapi.trades', paths: ['/fapi/v1/trades'], prepare: trades(5, false) },
  { name: 'fapi.historicalTrades', paths: ['/fapi/v1/historicalTrades'], prepare: trades(20, true) },
  { name: 'fapi.aggTrades', paths: ['/fapi/v1/aggTrades'], prepare: aggregateTrades },
];
