import {
  CANDLE_INTERVALS,
  type CandleInterval,
  type Lots,
  type Millis,
  nextCandleOpen,
  type Ticks,
} from '@crossbook/domain';
import type { SimCandle } from '../../../exchange.ts';
import { BARS_PER_MESSAGE_MAX, BarNews } from '../../wire/bar-news.ts';
import type { OpenedChannel, StreamChannel } from '../../wire/channel-hub.ts';
import { TradeQueue } from '../../wire/trade-queue.ts';
import { aggregate } from '../aggregate-trades.ts';
import type { Desk } from '../endpoint.ts';
import { displayFigure } from '../figures.ts';
import { watched } from '../streams/stream-hub.ts';
import { bestFigures, changeFigures } from './tickers.ts';

const SECOND_MILLIS = 1000;
const TRADE_PAGE_MAX = 1000;

function tradeChannel(desk: Desk, symbol: string): StreamChannel {
  const figures = desk.figures.of(symbol);
  const queue = new TradeQueue();
  return {
    symbol,
    everyMillis: 0,
    onTrade: (trade) => queue.push(trade),
    flush: (now) => {
      return queue.take().map((trade) =>
        JSON.stringify({
          e: 'trade',
          E: now,
          s: symbol,
          t: trade.tradeId,
          p: figures.price(trade.price),
          q: figures.quantity(trade.quantity),
          T: trade.time,
          m: trade.buyerIsMaker,
          M: true,
        }),
      );
    },
  };
}

function aggregateChannel(desk: Desk, symbol: string): StreamChannel {
  const figures = desk.figures.of(symbol);
  const queue = new TradeQueue();
  return {
    symbol,
    everyMillis: 0,
    onTrade: (trade) => queue.push(trade),
    flush: (now) => {
      return aggregate(queue.take()).map((run) =>
        JSON.stringify({
          e: 'aggTrade',
          E: now,
          s: symbol,
          a: run.lastTradeId,
          p: figures.price(run.price),
          q: figures.quantity(run.quantity),
          f: run.firstTradeId,
          l: run.lastTradeId,
          T: run.time,
          m: run.buyerIsMaker,
          M: true,
        }),
      );
    },
  };
}

/** First and last trade id of a bar: ids rise by one, so the last and the count say both. */
function tradeIdsOf(desk: Desk, symbol: string, bar: SimCandle, closeTime: number): { f: number; L: number } {
  if (bar.trades === 0) return { f: -1, L: -1 };
  const recent = desk.exchange.trades(symbol, { limit: TRADE_PAGE_MAX });
  const last = recent.findLast((trade) => trade.time <= closeTime);
  if (last === undefined || last.time < bar.time) return { f: -1, L: -1 };
  return { f: Math.max(0, last.tradeId - bar.trades + 1), L: last.tradeId };
}

function klinePayload(
  desk: Desk,
  stream: { readonly symbol: string; readonly interval: CandleInterval },
  bar: SimCandle,
  now: Millis,
): string {
  const closeTime = nextCandleOpen(bar.time, stream.interval) - 1;
  const ids = tradeIdsOf(desk, stream.symbol, bar, closeTime);
  return JSON.stringify({
    e: 'kline',
    E: now,
    s: stream.symbol,
    k: {
      t: bar.time,
      T: closeTime,
      s: stream.symbol,
      i: stream.interval,
      f: ids.f,
      L: ids.L,
      o: displayFigure(bar.open),
      c: displayFigure(bar.close),
      h: displayFigure(bar.high),
      l: displayFigure(bar.low),
      v: displayFigure(bar.volume),
      n: bar.trades,
      x: closeTime < now,
      q: displayFigure(bar.quoteVolume),
      V: displayFigure(bar.takerBaseVolume),
      Q: displayFigure(bar.takerQuoteVolume),
      B: '0',
    },
  });
}

/** Every bar that closed since the last flush, with x true, then the running one if it changed. */
function klineChannel(desk: Desk, symbol: string, interval: CandleInterval): StreamChannel {
  const news = new BarNews();
  return {
    symbol,
    everyMillis: interval === '1s' ? SECOND_MILLIS : 2 * SECOND_MILLIS,
    flush: (now) => {
      const page = { endTime: now, limit: BARS_PER_MESSAGE_MAX };
      const told = news.take(desk.exchange.candles(symbol, interval, page));
      return told.map((bar) => klinePayload(desk, { symbol, interval }, bar, now));
    },
  };
}

function miniTicker(desk: Desk, symbol: string, now: Millis): object {
  const ticker = desk.exchange.ticker(symbol);
  return {
    e: '24hrMiniTicker',
    E: now,
    s: symbol,
    c: displayFigure(ticker.last),
    o: displayFigure(ticker.open),
    h: displayFigure(ticker.high),
    l: displayFigure(ticker.low),
    v: displayFigure(ticker.volume),
    q: displayFigure(ticker.quoteVolume),
  };
}

function fullTicker(desk: Desk, symbol: string, now: Millis): object {
  const ticker = desk.exchange.ticker(symbol);
  const change = changeFigures(ticker);
  const best = bestFigures(desk, symbol);
  return {
    e: '24hrTicker',
    E: now,
    s: symbol,
    p: change.priceChange,
    P: change.percent,
    w: change.weightedAverage,
    x: displayFigure(ticker.previousClose),
    c: displayFigure(ticker.last),
    Q: displayFigure(ticker.lastQuantity),
    b: best.bidPrice,
    B: best.bidQty,
    a: best.askPrice,
    A: best.askQty,
    o: displayFigure(ticker.open),
    h: displayFigure(ticker.high),
    l: displayFigure(ticker.low),
    v: displayFigure(ticker.volume),
    q: displayFigure(ticker.quoteVolume),
    O: ticker.openTime,
    C: ticker.closeTime,
    F: ticker.firstTradeId,
    L: ticker.lastTradeId,
    n: ticker.trades,
  };
}

type TickerWriter = (desk: Desk, symbol: string, now: Millis) => object;

function tickerChannel(desk: Desk, symbol: string, write: TickerWriter): StreamChannel {
  return {
    symbol,
    everyMillis: SECOND_MILLIS,
    flush: (now) => [JSON.stringify(write(desk, symbol, now))],
  };
}

/** Of all markets that traded since the last flush, in one list. */
function allTickersChannel(desk: Desk, write: TickerWriter): StreamChannel {
  const lastIds = new Map<string, number>();
  return {
    symbol: undefined,
    everyMillis: SECOND_MILLIS,
    flush: (now) => {
      const changed: object[] = [];
      for (const symbol of desk.exchange.markets.keys()) {
        const id = desk.exchange.ticker(symbol).lastTradeId;
        if (lastIds.get(symbol) === id) continue;
        lastIds.set(symbol, id);
        changed.push(write(desk, symbol, now));
      }
      return changed.length === 0 ? [] : [JSON.stringify(changed)];
    },
  };
}

function averageChannel(desk: Desk, symbol: string): StreamChannel {
  return {
    symbol,
    everyMillis: SECOND_MILLIS,
    flush: (now) => [
      JSON.stringify({
        e: 'avgPrice',
        E: now,
        s: symbol,
        i: '5m',
        w: displayFigure(desk.exchange.averagePrice(symbol)),
        T: desk.exchange.ticker(symbol).closeTime,
      }),
    ],
  };
}

function bookTickerChannel(desk: Desk, symbol: string): StreamChannel {
  let dirty = true;
  let last = '';
  return {
    symbol,
    everyMillis: 0,
    onBookChange: () => {
      dirty = true;
    },
    flush: () => {
      if (!dirty) return [];
      dirty = false;
      const { updateId, ...best } = bestFigures(desk, symbol);
      const text = `"s":"${symbol}","b":"${best.bidPrice}","B":"${best.bidQty}","a":"${best.askPrice}","A":"${best.askQty}"}`;
      if (text === last) return [];
      last = text;
      return [`{"u":${updateId},${text}`];
    },
  };
}

function partialDepthChannel(desk: Desk, symbol: string, levels: number, everyMillis: number): StreamChannel {
  const figures = desk.figures.of(symbol);
  let dirty = true;
  return {
    symbol,
    everyMillis,
    onBookChange: () => {
      dirty = true;
    },
    flush: () => {
      if (!dirty) return [];
      dirty = false;
      const { lastUpdateId, bids, asks } = desk.exchange.depth(symbol, levels);
      return [JSON.stringify({ lastUpdateId, bids: figures.levels(bids), asks: figures.levels(asks) })];
    },
  };
}

/** Changes since the last flush: the newest size per price, and the ids they span. */
function diffDepthChannel(desk: Desk, symbol: string, everyMillis: number): StreamChannel {
  const figures = desk.figures.of(symbol);
  let bids = new Map<Ticks, Lots>();
  let asks = new Map<Ticks, Lots>();
  let firstUpdateId = 0;
  let lastUpdateId = 0;
  return {
    symbol,
    everyMillis,
    onBookChange: (change) => {
      if (lastUpdateId === 0) firstUpdateId = change.firstUpdateId;
      lastUpdateId = change.lastUpdateId;
      for (const [price, size] of change.bids) bids.set(price, size);
      for (const [price, size] of change.asks) asks.set(price, size);
    },
    flush: (now) => {
      if (lastUpdateId === 0) return [];
      const payload = {
        e: 'depthUpdate',
        E: now,
        s: symbol,
        U: firstUpdateId,
        u: lastUpdateId,
        b: figures.levels([...bids].sort(([left], [right]) => right - left)),
        a: figures.levels([...asks].sort(([left], [right]) => left - right)),
      };
      bids = new Map();
      asks = new Map();
      lastUpdateId = 0;
      return [JSON.stringify(payload)];
    },
  };
}

function depthChannel(desk: Desk, symbol: string, kind: string): StreamChannel | undefined {
  const match = /^depth(5|10|20)?(?:@(100ms|1000ms))?$/.exec(kind);
  if (match === null) return undefined;
  const everyMillis = match[2] === '100ms' ? 100 : SECOND_MILLIS;
  return match[1] === undefined
    ? diffDepthChannel(desk, symbol, everyMillis)
    : partialDepthChannel(desk, symbol, Number(match[1]), everyMillis);
}

function marketChannel(desk: Desk, symbol: string, kind: string): StreamChannel | undefined {
  if (kind === 'trade') return tradeChannel(desk, symbol);
  if (kind === 'aggTrade') return aggregateChannel(desk, symbol);
  if (kind === 'bookTicker') return bookTickerChannel(desk, symbol);
  if (kind === 'miniTicker') return tickerChannel(desk, symbol, miniTicker);
  if (kind === 'ticker') return tickerChannel(desk, symbol, fullTicker);
  if (kind === 'avgPrice') return averageChannel(desk, symbol);
  const interval = CANDLE_INTERVALS.find((candidate) => kind === `kline_${candidate}`);
  return interval === undefined ? depthChannel(desk, symbol, kind) : klineChannel(desk, symbol, interval);
}

function channelOf(desk: Desk, name: string): StreamChannel | undefined {
  if (name === '!miniTicker@arr') return allTickersChannel(desk, miniTicker);
  if (name === '!ticker@arr') return allTickersChannel(desk, fullTicker);
  const cut = name.indexOf('@');
  if (cut < 0) return undefined;
  const lower = name.slice(0, cut);
  const symbol = lower.toUpperCase();
  if (lower !== lower.toLowerCase() || !desk.exchange.markets.has(symbol)) return undefined;
  return marketChannel(desk, symbol, name.slice(cut + 1));
}

/** Opens the stream of a name such as `btcusdt@depth@100ms`; `undefined` when there is no such stream. */
export function openChannel(desk: Desk, name: string): OpenedChannel | undefined {
  return watched(channelOf(desk, name), desk.watch);
}
