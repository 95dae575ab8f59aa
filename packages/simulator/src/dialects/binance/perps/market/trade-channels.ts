import { type CandleInterval, type Millis, nextCandleOpen } from '@crossbook/domain';
import type { SimCandle, SimTrade } from '../../../../exchange.ts';
import { BARS_PER_MESSAGE_MAX, BarNews } from '../../../wire/bar-news.ts';
import type { StreamChannel } from '../../../wire/channel-hub.ts';
import { TradeQueue } from '../../../wire/trade-queue.ts';
import { aggregate } from '../../aggregate-trades.ts';
import type { FuturesDesk } from '../desk.ts';

/** Trades looked at for the ids of a bar. */
const TRADE_PAGE_MAX = 1000;
/** The venue tells of a running bar four times a second. */
const KLINE_EVERY_MILLIS = 250;

/** A channel that writes what was traded since its last message. */
function tapeChannel(
  symbol: string,
  everyMillis: number,
  write: (trades: readonly SimTrade[], now: Millis) => readonly object[],
): StreamChannel {
  const queue = new TradeQueue();
  return {
    symbol,
    everyMillis,
    onTrade: (trade) => queue.push(trade),
    flush: (now) => {
      return write(queue.take(), now).map((payload) => JSON.stringify(payload));
    },
  };
}

/** `trade`: every trade of the book. */
export function tradeChannel(desk: FuturesDesk, symbol: string): StreamChannel {
  const figures = desk.figures.of(symbol);
  return tapeChannel(symbol, 0, (trades, now) =>
    trades.map((trade) => ({
      e: 'trade',
      E: now,
      T: trade.time,
      s: symbol,
      t: trade.tradeId,
      p: figures.price(trade.price),
      q: figures.size(trade.quantity),
      X: 'MARKET',
      m: trade.buyerIsMaker,
    })),
  );
}

const AGGREGATE_EVERY_MILLIS = 100;

/** `aggTrade`: trades of one taker at one price. */
export function aggregateChannel(desk: FuturesDesk, symbol: string): StreamChannel {
  const figures = desk.figures.of(symbol);
  return tapeChannel(symbol, AGGREGATE_EVERY_MILLIS, (trades, now) =>
    aggregate(trades).map((run) => ({
      e: 'aggTrade',
      E: now,
      s: symbol,
      a: run.lastTradeId,
      p: figures.price(run.price),
      q: figures.size(run.quantity),
      nq: figures.size(run.quantity),
      f: run.firstTradeId,
      l: run.lastTradeId,
      T: run.time,
      m: run.buyerIsMaker,
    })),
  );
}

/** First and last trade id of a bar: ids rise by one, so the last and the count say both. */
function tradeIdsOf(
  desk: FuturesDesk,
  symbol: string,
  bar: SimCandle,
  closeTime: number,
): { readonly first: number; readonly last: number } {
  const none = { first: -1, last: -1 };
  if (bar.trades === 0) return none;
  const last = desk.perps
    .trades(symbol, { limit: TRADE_PAGE_MAX })
    .findLast((trade) => trade.time <= closeTime);
  if (last === undefined || last.time < bar.time) return none;
  return { first: Math.max(0, last.tradeId - bar.trades + 1), last: last.tradeId };
}

function klinePayload(
  desk: FuturesDesk,
  stream: { readonly symbol: string; readonly interval: CandleInterval },
  bar: SimCandle,
  now: Millis,
): string {
  const { symbol, interval } = stream;
  const figures = desk.figures.of(symbol);
  const closeTime = nextCandleOpen(bar.time, interval) - 1;
  const ids = tradeIdsOf(desk, symbol, bar, closeTime);
  return JSON.stringify({
    e: 'kline',
    E: now,
    s: symbol,
    k: {
      t: bar.time,
      T: closeTime,
      s: symbol,
      i: interval,
      f: ids.first,
      L: ids.last,
      o: figures.shownPrice(bar.open),
      c: figures.shownPrice(bar.close),
      h: figures.shownPrice(bar.high),
      l: figures.shownPrice(bar.low),
      v: figures.shownSize(bar.volume),
      n: bar.trades,
      x: closeTime < now,
      q: figures.shownValue(bar.quoteVolume),
      V: figures.shownSize(bar.takerBaseVolume),
      Q: figures.shownValue(bar.takerQuoteVolume),
      B: '0',
    },
  });
}

/** `kline_*`: every bar that closed since the last message, with x true, then the running one if it changed. */
export function klineChannel(desk: FuturesDesk, symbol: string, interval: CandleInterval): StreamChannel {
  const news = new BarNews();
  return {
    symbol,
    everyMillis: KLINE_EVERY_MILLIS,
    flush: (now) => {
      const page = { endTime: now, limit: BARS_PER_MESSAGE_MAX };
      const told = news.take(desk.perps.candles(symbol, interval, page));
      return told.map((bar) => klinePayload(desk, { symbol, interval }, bar, now));
    },
  };
}
