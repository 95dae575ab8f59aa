import { type Lots, ok, refused, type Ticks } from '@crossbook/domain';
import type { SimTrade } from '../../../exchange.ts';
import type { Desk } from '../desk.ts';
import { type Answer, type Endpoint, publicEndpoint, rows, rowsUnlessRefused } from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import type { Listed } from '../listing.ts';
import type { ParamReader } from '../params.ts';
import { listedOf } from './instruments.ts';

const DEPTH_DEFAULT = 1;
const DEPTH_MAX = 400;
const FULL_DEPTH_MAX = 5_000;
const TRADES_DEFAULT = 100;
const TRADES_MAX = 500;
const HISTORY_TRADES_MAX = 100;

/** `[price, size, "0" (once liquidation orders), number of orders]`; the simulator tells one order a level. */
export function levelRows(
  listed: Listed,
  side: readonly (readonly [Ticks, Lots])[],
): readonly (readonly string[])[] {
  const { format } = listed;
  return side.map(([ticks, lots]) => [format.price(ticks), format.quantity(lots), '0', '1']);
}

/** One public trade; `side` is the taker's. */
export function tradeRow(listed: Listed, trade: SimTrade): object {
  const { format } = listed;
  return {
    instId: listed.instId,
    side: trade.buyerIsMaker ? 'sell' : 'buy',
    sz: format.quantity(trade.quantity),
    px: format.price(trade.price),
    source: '0',
    tradeId: String(trade.tradeId),
    ts: String(trade.time),
  };
}

function answerBook(
  desk: Desk,
  reader: ParamReader,
  shape: { readonly sizeMax: number; readonly orderCounts: 'both' | 'only' },
): Answer {
  const listed = listedOf(desk, reader);
  const size = reader.limit(shape.sizeMax, DEPTH_DEFAULT, 'sz');
  return rowsUnlessRefused(reader, () => {
    if (listed === undefined) return [];
    const { bids, asks, lastUpdateId } = listed.markets.depth(listed.instId, size);
    const levels = (side: readonly (readonly [Ticks, Lots])[]) =>
      shape.orderCounts === 'both'
        ? levelRows(listed, side)
        : levelRows(listed, side).map(([price, lots, , orders]) => [price, lots, orders]);
    const times = { ts: String(desk.now()) };
    // The full book tells no sequence.
    const sequence = shape.orderCounts === 'both' ? { seqId: lastUpdateId } : {};
    return [{ asks: levels(asks), bids: levels(bids), ...times, ...sequence }];
  });
}

/** Trades older or newer than an id or a time, newest first; nothing where history ends, a day back. */
function tradeHistory(desk: Desk, reader: ParamReader): Answer {
  const listed = listedOf(desk, reader);
  const byTime = reader.choice('type', ['1', '2']) === '2';
  const after = reader.integer('after');
  const before = reader.integer('before');
  const limit = reader.limit(HISTORY_TRADES_MAX, TRADES_DEFAULT);
  if (reader.refusal !== undefined) return refused(reader.refusal);
  if (listed === undefined) return refused(ERRORS.noInstrument);
  const keyOf = (trade: SimTrade): number => (byTime ? trade.time : trade.tradeId);
  const older = after === undefined ? {} : byTime ? { endTime: after - 1 } : { beforeId: after };
  const fitting = listed.markets
    .trades(listed.instId, { ...older, limit })
    .filter((trade) => keyOf(trade) > (before ?? -1));
  return rows(fitting.reverse().map((trade) => tradeRow(listed, trade)));
}

/** Books and trades. */
export const MARKET_DATA_ENDPOINTS: readonly Endpoint[] = [
  publicEndpoint('books GET /api/v5/market/books', 40, ({ desk, reader }) =>
    answerBook(desk, reader, { sizeMax: DEPTH_MAX, orderCounts: 'both' }),
  ),
  publicEndpoint('books.full GET /api/v5/market/books-full', 10, ({ desk, reader }) =>
    answerBook(desk, reader, { sizeMax: FULL_DEPTH_MAX, orderCounts: 'only' }),
  ),
  publicEndpoint('trades GET /api/v5/market/trades', 100, ({ desk, reader }) => {
    const listed = listedOf(desk, reader);
    const limit = reader.limit(TRADES_MAX, TRADES_DEFAULT);
    return rowsUnlessRefused(reader, () => {
      if (listed === undefined) return [];
      const trades = listed.markets.trades(listed.instId, { limit });
      return trades.map((trade) => tradeRow(listed, trade)).reverse();
    });
  }),
  publicEndpoint('trades.history GET /api/v5/market/history-trades', 20, ({ desk, reader }) =>
    tradeHistory(desk, reader),
  ),
  publicEndpoint('exchangeRate GET /api/v5/market/exchange-rate', 1, () =>
    ok({ code: '0', msg: '', data: [{ usdCny: '7.162' }] }),
  ),
];
