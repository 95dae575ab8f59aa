import type { Lots, Millis, Ticks } from '@crossbook/domain';
import type { SimTrade } from '../../exchange.ts';

/**
 * Trades of one taker at one price, made in one step of the matcher: what Binance calls an aggregate
 * trade. Its id is the id of its last trade, so that paging by `a + 1` never counts a trade twice.
 */
export interface AggregateTrade {
  readonly firstTradeId: number;
  readonly lastTradeId: number;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly buyerIsMaker: boolean;
  readonly time: Millis;
}

/** Joins neighbouring trades of the same price, side and millisecond; ascending in, ascending out. */
export function aggregate(trades: readonly SimTrade[]): readonly AggregateTrade[] {
  const runs: AggregateTrade[] = [];
  for (const trade of trades) {
    const last = runs.at(-1);
    const joins =
      last !== undefined &&
      last.price === trade.price &&
      last.buyerIsMaker === trade.buyerIsMaker &&
      last.time === trade.time;
    if (joins) {
      runs[runs.length - 1] = {
        ...last,
        lastTradeId: trade.tradeId,
        quantity: (last.quantity + trade.quantity) as Lots,
      };
    } else {
      runs.push({
        firstTradeId: trade.tradeId,
        lastTradeId: trade.tradeId,
        price: trade.price,
        quantity: trade.quantity,
        buyerIsMaker: trade.buyerIsMaker,
        time: trade.time,
      });
    }
  }
  return runs;
}

/** Reads trades ascending: from an id, or the newest. */
type TradeReader = (page: { fromId?: number; limit: number }) => readonly SimTrade[];

const PAGE_TRADES_MAX = 1000;

/** The first kept trade id whose time is at or after `time`, by halving; `undefined` when there is none. */
function firstIdAt(read: TradeReader, time: number): number | undefined {
  const newest = read({ limit: 1 }).at(-1);
  const oldest = read({ fromId: 0, limit: 1 }).at(0);
  if (newest === undefined || oldest === undefined || newest.time < time) return undefined;
  let low = oldest.tradeId;
  let high = newest.tradeId;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const trade = read({ fromId: middle, limit: 1 }).at(0);
    if (trade === undefined || trade.time >= time) high = middle;
    else low = trade.tradeId + 1;
  }
  return low;
}

/** One page of /aggTrades: from an id or a start ascending, or the newest up to an end. */
export function aggregatePage(
  read: TradeReader,
  page: {
    readonly fromId: number | undefined;
    readonly startTime: number | undefined;
    readonly endTime: number | undefined;
    readonly limit: number;
  },
): readonly AggregateTrade[] {
  const endTime = page.endTime ?? Number.POSITIVE_INFINITY;
  const from = page.fromId ?? (page.startTime === undefined ? undefined : firstIdAt(read, page.startTime));
  if (from === undefined && page.startTime !== undefined) return [];
  if (from !== undefined) {
    const trades = read({ fromId: from, limit: PAGE_TRADES_MAX }).filter((trade) => trade.time <= endTime);
    return aggregate(trades).slice(0, page.limit);
  }
  if (page.endTime === undefined) return aggregate(read({ limit: PAGE_TRADES_MAX })).slice(-page.limit);
  const after = firstIdAt(read, page.endTime + 1);
  const trades =
    after === undefined
      ? read({ limit: PAGE_TRADES_MAX })
      : read({ fromId: Math.max(0, after - PAGE_TRADES_MAX), limit: PAGE_TRADES_MAX });
  return aggregate(trades.filter((trade) => trade.time <= endTime)).slice(-page.limit);
}
