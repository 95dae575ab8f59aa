import type { StreamChannel } from '../../../wire/channel-hub.ts';
import type { AggregateTrade } from '../../aggregate-trades.ts';
import { aggregateChannel, aggregateRow, tapeChannel } from '../../streams/market-streams.ts';
import type { FuturesDesk } from '../desk.ts';

/** `trade`: every trade of the book. */
export function tradeChannel(desk: FuturesDesk, symbol: string): StreamChannel {
  const format = desk.format.of(symbol);
  return tapeChannel(symbol, 0, (trades, now) =>
    trades.map((trade) => ({
      e: 'trade',
      E: now,
      T: trade.time,
      s: symbol,
      t: trade.tradeId,
      p: format.price(trade.price),
      q: format.size(trade.quantity),
      X: 'MARKET',
      m: trade.buyerIsMaker,
    })),
  );
}

const AGGREGATE_EVERY_MILLIS = 100;

/** `aggTrade`: trades of one taker at one price. */
export function joinedChannel(desk: FuturesDesk, symbol: string): StreamChannel {
  const format = desk.format.of(symbol);
  const row = (run: AggregateTrade) => aggregateRow(run, format, (nq) => ({ nq }));
  const stream = { symbol, everyMillis: AGGREGATE_EVERY_MILLIS };
  return aggregateChannel(desk.aggregates.of(symbol), stream, row);
}
