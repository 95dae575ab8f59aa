import { type CandleInterval, type Lots, type Millis, nextCandleOpen, type Ticks } from '@crossbook/domain';
import type { SimCandle, SimTrade } from '../../../exchange.ts';
import type { PublicMarkets } from '../../../venue.ts';
import { BARS_PER_MESSAGE_MAX, BarUpdates } from '../../wire/bar-updates.ts';
import type { StreamChannel } from '../../wire/channel-hub.ts';
import { TradeQueue } from '../../wire/trade-queue.ts';
import type { AggregateTape, AggregateTrade } from '../aggregate-trades.ts';

/** Streams and rows that spot and the futures write alike, each with its own figures. */

/** Trades looked at for the ids of a bar. */
const TRADE_PAGE_MAX = 1000;
const ALL_TICKERS_EVERY_MILLIS = 1000;

/** How floats of charts and tickers are written. */
export interface ChartStats {
  shownPrice(price: number): string;
  shownSize(size: number): string;
  shownValue(value: number): string;
}

/** How ticks and lots are written. */
export interface TapeStats {
  price(ticks: Ticks): string;
  size(lots: Lots): string;
}

/** One row of /klines. */
export function klineRow(
  bar: SimCandle,
  interval: CandleInterval,
  format: ChartStats,
): readonly (number | string)[] {
  return [
    bar.time,
    ...[bar.open, bar.high, bar.low, bar.close].map(format.shownPrice),
    format.shownSize(bar.volume),
    nextCandleOpen(bar.time, interval) - 1,
    format.shownValue(bar.quoteVolume),
    bar.trades,
    format.shownSize(bar.takerBaseVolume),
    format.shownValue(bar.takerQuoteVolume),
    '0',
  ];
}

/** One aggregate trade; the futures add how much of it was no RPI order (`nq`). */
export function aggregateRow(
  run: AggregateTrade,
  format: TapeStats,
  more: (quantity: string) => object = () => ({}),
): object {
  const quantity = format.size(run.quantity);
  return {
    a: run.id,
    p: format.price(run.price),
    q: quantity,
    ...more(quantity),
    f: run.firstTradeId,
    l: run.lastTradeId,
    T: run.time,
    m: run.buyerIsMaker,
  };
}

/** A channel that writes what was traded since its last message. */
export function tapeChannel(
  symbol: string,
  everyMillis: number,
  write: (trades: readonly SimTrade[], now: Millis) => readonly object[],
): StreamChannel {
  const queue = new TradeQueue();
  return {
    symbol,
    everyMillis,
    onTrade: (trade) => queue.push(trade),
    flush: (now) => write(queue.take(), now).map((payload) => JSON.stringify(payload)),
  };
}

/** `aggTrade`: what was traded since the last message, joined; what is told has ended. */
export function aggregateChannel(
  tape: AggregateTape,
  stream: { readonly symbol: string; readonly everyMillis: number },
  row: (run: AggregateTrade) => object,
): StreamChannel {
  const { symbol, everyMillis } = stream;
  return tapeChannel(symbol, everyMillis, (trades, now) => {
    const runs = tape.runs(trades);
    tape.seal();
    return runs.map((run) => ({ e: 'aggTrade', E: now, s: symbol, ...row(run) }));
  });
}

/** First and last trade id of a bar: ids rise by one, so the last and the count say both. */
function tradeIdsOf(
  markets: PublicMarkets,
  symbol: string,
  bar: SimCandle,
  closeTime: number,
): { readonly f: number; readonly L: number } {
  const none = { f: -1, L: -1 };
  if (bar.trades === 0) return none;
  const recent = markets.trades(symbol, { limit: TRADE_PAGE_MAX });
  const last = recent.findLast((trade) => trade.time <= closeTime);
  if (last === undefined || last.time < bar.time) return none;
  return { f: Math.max(0, last.tradeId - bar.trades + 1), L: last.tradeId };
}

/** `kline_*`: every bar that closed since the last message, with x true, then the running one if it changed. */
export function klineChannel(
  markets: PublicMarkets,
  format: ChartStats,
  stream: { readonly symbol: string; readonly interval: CandleInterval; readonly everyMillis: number },
): StreamChannel {
  const { symbol, interval, everyMillis } = stream;
  const update = new BarUpdates();
  const payload = (bar: SimCandle, now: Millis): object => {
    const closeTime = nextCandleOpen(bar.time, interval) - 1;
    return {
      e: 'kline',
      E: now,
      s: symbol,
      k: {
        t: bar.time,
        T: closeTime,
        s: symbol,
        i: interval,
        ...tradeIdsOf(markets, symbol, bar, closeTime),
        o: format.shownPrice(bar.open),
        c: format.shownPrice(bar.close),
        h: format.shownPrice(bar.high),
        l: format.shownPrice(bar.low),
        v: format.shownSize(bar.volume),
        n: bar.trades,
        x: closeTime < now,
        q: format.shownValue(bar.quoteVolume),
        V: format.shownSize(bar.takerBaseVolume),
        Q: format.shownValue(bar.takerQuoteVolume),
        B: '0',
      },
    };
  };
  return {
    symbol,
    everyMillis,
    flush: (now) => {
      const newest = markets.candles(symbol, interval, { endTime: now, limit: BARS_PER_MESSAGE_MAX });
      return update.take(newest).map((bar) => JSON.stringify(payload(bar, now)));
    },
  };
}

/** Of all markets that traded since the last message, in one list. */
export function allTickersChannel(
  markets: PublicMarkets,
  write: (symbol: string, now: Millis) => object,
): StreamChannel {
  const lastIds = new Map<string, number>();
  return {
    symbol: undefined,
    everyMillis: ALL_TICKERS_EVERY_MILLIS,
    flush: (now) => {
      const changed: object[] = [];
      for (const symbol of markets.markets.keys()) {
        const id = markets.ticker(symbol).lastTradeId;
        if (lastIds.get(symbol) === id) continue;
        lastIds.set(symbol, id);
        changed.push(write(symbol, now));
      }
      return changed.length === 0 ? [] : [JSON.stringify(changed)];
    },
  };
}

/** What a market's figures say now, again and again. */
export function statsChannel(
  symbol: string,
  everyMillis: number,
  write: (symbol: string, now: Millis) => object,
): StreamChannel {
  return { symbol, everyMillis, flush: (now) => [JSON.stringify(write(symbol, now))] };
}

/** The levels that changed since the last message: the newest size per price. */
export class DirtyLevels {
  #bids = new Map<Ticks, Lots>();
  #asks = new Map<Ticks, Lots>();

  note(change: {
    readonly bids: Iterable<readonly [Ticks, Lots]>;
    readonly asks: Iterable<readonly [Ticks, Lots]>;
  }): void {
    for (const [price, size] of change.bids) this.#bids.set(price, size);
    for (const [price, size] of change.asks) this.#asks.set(price, size);
  }

  /** Both sides, best first; they are gone from here. */
  take(): {
    readonly bids: readonly (readonly [Ticks, Lots])[];
    readonly asks: readonly (readonly [Ticks, Lots])[];
  } {
    const bids = [...this.#bids].sort(([left], [right]) => right - left);
    const asks = [...this.#asks].sort(([left], [right]) => left - right);
    this.#bids = new Map();
    this.#asks = new Map();
    return { bids, asks };
  }
}
