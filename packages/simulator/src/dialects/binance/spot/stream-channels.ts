import { CANDLE_INTERVALS, type Millis } from '@crossbook/domain';
import type { OpenedChannel, StreamChannel } from '../../wire/channel-hub.ts';
import type { AggregateTrade } from '../aggregate-trades.ts';
import type { Desk } from '../endpoint.ts';
import { CHART_STATS, formatFloat } from '../format.ts';
import {
  aggregateChannel,
  aggregateRow,
  allTickersChannel,
  DirtyLevels,
  klineChannel,
  statsChannel,
  tapeChannel,
} from '../streams/market-streams.ts';
import { watched } from '../streams/stream-hub.ts';
import { bestStats, changeStats } from './tickers.ts';

const SECOND_MILLIS = 1000;

function tradeChannel(desk: Desk, symbol: string): StreamChannel {
  const format = desk.format.of(symbol);
  return tapeChannel(symbol, 0, (trades, now) =>
    trades.map((trade) => ({
      e: 'trade',
      E: now,
      s: symbol,
      t: trade.tradeId,
      p: format.price(trade.price),
      q: format.size(trade.quantity),
      T: trade.time,
      m: trade.buyerIsMaker,
      M: true,
    })),
  );
}

function joinedChannel(desk: Desk, symbol: string): StreamChannel {
  const format = desk.format.of(symbol);
  const row = (run: AggregateTrade) => ({ ...aggregateRow(run, format), M: true });
  return aggregateChannel(desk.aggregates.of(symbol), { symbol, everyMillis: 0 }, row);
}

function miniTicker(desk: Desk, symbol: string, now: Millis): object {
  const ticker = desk.exchange.ticker(symbol);
  return {
    e: '24hrMiniTicker',
    E: now,
    s: symbol,
    c: formatFloat(ticker.last),
    o: formatFloat(ticker.open),
    h: formatFloat(ticker.high),
    l: formatFloat(ticker.low),
    v: formatFloat(ticker.volume),
    q: formatFloat(ticker.quoteVolume),
  };
}

function fullTicker(desk: Desk, symbol: string, now: Millis): object {
  const ticker = desk.exchange.ticker(symbol);
  const change = changeStats(ticker);
  const best = bestStats(desk, symbol);
  return {
    e: '24hrTicker',
    E: now,
    s: symbol,
    p: change.priceChange,
    P: change.percent,
    w: change.weightedAverage,
    x: formatFloat(ticker.previousClose),
    c: formatFloat(ticker.last),
    Q: formatFloat(ticker.lastQuantity),
    b: best.bidPrice,
    B: best.bidQty,
    a: best.askPrice,
    A: best.askQty,
    o: formatFloat(ticker.open),
    h: formatFloat(ticker.high),
    l: formatFloat(ticker.low),
    v: formatFloat(ticker.volume),
    q: formatFloat(ticker.quoteVolume),
    O: ticker.openTime,
    C: ticker.closeTime,
    F: ticker.firstTradeId,
    L: ticker.lastTradeId,
    n: ticker.trades,
  };
}

function averagePrice(desk: Desk, symbol: string, now: Millis): object {
  return {
    e: 'avgPrice',
    E: now,
    s: symbol,
    i: '5m',
    w: formatFloat(desk.exchange.averagePrice(symbol)),
    T: desk.exchange.ticker(symbol).closeTime,
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
      const { updateId, ...best } = bestStats(desk, symbol);
      const text = `"s":"${symbol}","b":"${best.bidPrice}","B":"${best.bidQty}","a":"${best.askPrice}","A":"${best.askQty}"}`;
      if (text === last) return [];
      last = text;
      return [`{"u":${updateId},${text}`];
    },
  };
}

function partialDepthChannel(desk: Desk, symbol: string, levels: number, everyMillis: number): StreamChannel {
  const format = desk.format.of(symbol);
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
      return [JSON.stringify({ lastUpdateId, bids: format.levels(bids), asks: format.levels(asks) })];
    },
  };
}

/** Changes since the last flush, and the ids they span. */
function diffDepthChannel(desk: Desk, symbol: string, everyMillis: number): StreamChannel {
  const format = desk.format.of(symbol);
  const dirty = new DirtyLevels();
  let firstUpdateId = 0;
  let lastUpdateId = 0;
  return {
    symbol,
    everyMillis,
    onBookChange: (change) => {
      if (lastUpdateId === 0) firstUpdateId = change.firstUpdateId;
      lastUpdateId = change.lastUpdateId;
      dirty.note(change);
    },
    flush: (now) => {
      if (lastUpdateId === 0) return [];
      const { bids, asks } = dirty.take();
      const ids = { U: firstUpdateId, u: lastUpdateId };
      const levels = { b: format.levels(bids), a: format.levels(asks) };
      lastUpdateId = 0;
      return [JSON.stringify({ e: 'depthUpdate', E: now, s: symbol, ...ids, ...levels })];
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

/** What a stream tells of one market again and again. */
const STAT_WRITERS = new Map([
  ['miniTicker', miniTicker],
  ['ticker', fullTicker],
  ['avgPrice', averagePrice],
]);

function marketChannel(desk: Desk, symbol: string, kind: string): StreamChannel | undefined {
  if (kind === 'trade') return tradeChannel(desk, symbol);
  if (kind === 'aggTrade') return joinedChannel(desk, symbol);
  if (kind === 'bookTicker') return bookTickerChannel(desk, symbol);
  const write = STAT_WRITERS.get(kind);
  if (write !== undefined) {
    return statsChannel(symbol, SECOND_MILLIS, (_, now) => write(desk, symbol, now));
  }
  const interval = CANDLE_INTERVALS.find((candidate) => kind === `kline_${candidate}`);
  if (interval === undefined) return depthChannel(desk, symbol, kind);
  const everyMillis = interval === '1s' ? SECOND_MILLIS : 2 * SECOND_MILLIS;
  return klineChannel(desk.exchange, CHART_STATS, { symbol, interval, everyMillis });
}

function channelOf(desk: Desk, name: string): StreamChannel | undefined {
  if (name === '!miniTicker@arr')
    return allTickersChannel(desk.exchange, (symbol, now) => miniTicker(desk, symbol, now));
  if (name === '!ticker@arr')
    return allTickersChannel(desk.exchange, (symbol, now) => fullTicker(desk, symbol, now));
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
