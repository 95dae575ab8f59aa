import { type CandleInterval, type Millis, nextCandleOpen } from '@crossbook/domain';
import type { SimCandle, SimTrade } from '../../../exchange.ts';
import { BARS_PER_MESSAGE_MAX, BarUpdates } from '../../wire/bar-updates.ts';
import type { StreamChannel } from '../../wire/channel-hub.ts';
import { TradeQueue } from '../../wire/trade-queue.ts';
import { type Desk, marketsOf } from '../endpoint.ts';
import type { BybitCategory } from '../format.ts';
import { linearContracts } from '../market/instruments.ts';
import { INTERVALS, publicTradeId, takerSide } from '../market/market-data.ts';
import { linearTicker, spotTicker, type TickerRow } from '../market/tickers.ts';
import { BOOK_DEPTHS, BookChannel } from './book-channel.ts';

const TRADES_PER_MESSAGE_MAX = 1_024;
const TICKER_MILLIS = 500;
const CANDLE_MILLIS = 1_000;

/** A topic as it was named, where there is such a one. */
export interface Topic {
  readonly name: string;
  readonly symbol: string;
  readonly kind: 'orderbook' | 'publicTrade' | 'tickers' | 'kline' | 'liquidation' | 'silent';
  /** Levels of a book. */
  readonly levels?: number;
  /** Bybit's name of a bar's length. */
  readonly interval?: string;
}

/** Reads a topic's name: `orderbook.50.BTCUSDT`, `kline.1.BTCUSDT`, `tickers.BTCUSDT`; `undefined` where there is none. */
export function parseTopic(desk: Desk, category: BybitCategory, name: string): Topic | undefined {
  const [kind, ...rest] = name.split('.');
  const symbol = rest.at(-1) ?? '';
  // Pools that several contracts share are not told here (websocket/public/insurance-pool), and all share one.
  if (category === 'linear' && name === 'insurance.USDT') return { name, symbol, kind: 'silent' };
  const listed = category === 'spot' ? desk.venue.spot.markets : linearContracts(desk);
  if (!listed.has(symbol)) return undefined;
  const [word] = rest;
  if (rest.length === 2) {
    const levels = /^[1-9][0-9]{0,3}$/.test(word ?? '') ? Number(word) : 0;
    if (kind === 'orderbook' && BOOK_DEPTHS.has(levels)) return { name, symbol, kind, levels };
    return kind === 'kline' && INTERVALS.has(word ?? '')
      ? { name, symbol, kind, interval: word ?? '' }
      : undefined;
  }
  if (rest.length !== 1) return undefined;
  if (kind === 'publicTrade' || kind === 'tickers') return { name, symbol, kind };
  const liquidations = category === 'linear' && kind === 'allLiquidation';
  return liquidations ? { name, symbol, kind: 'liquidation' } : undefined;
}

/** Makes the channel of a topic; `undefined` for one that never speaks. */
export function makeChannel(
  desk: Desk,
  category: BybitCategory,
  topic: Topic,
  updateIds: Map<string, number>,
): StreamChannel | undefined {
  const { name, symbol, kind, levels, interval } = topic;
  if (kind === 'orderbook' && levels !== undefined) {
    return new BookChannel(desk, { topic: name, category, symbol, levels }, updateIds);
  }
  if (kind === 'publicTrade') return tradeChannel(desk, category, topic);
  if (kind === 'tickers') return tickerChannel(desk, category, topic);
  const bars = kind === 'kline' && interval !== undefined ? INTERVALS.get(interval) : undefined;
  return bars === undefined ? undefined : candleChannel(desk, category, topic, bars);
}

function tradeChannel(desk: Desk, category: BybitCategory, topic: Topic): StreamChannel {
  const format = desk.format[category].of(topic.symbol);
  const queue = new TradeQueue();
  let lastPrice = 0;
  let direction = 'PlusTick';
  const row = (trade: SimTrade): object => {
    if (trade.price !== lastPrice) direction = trade.price > lastPrice ? 'PlusTick' : 'MinusTick';
    else if (!direction.startsWith('Zero')) direction = `Zero${direction}`;
    lastPrice = trade.price;
    return {
      T: trade.time,
      s: trade.symbol,
      S: takerSide(trade),
      v: format.size(trade.quantity),
      p: format.price(trade.price),
      ...(category === 'linear' ? { L: direction } : {}),
      i: publicTradeId(desk, category, trade),
      BT: false,
      RPI: false,
      seq: trade.tradeId,
    };
  };
  return {
    symbol: topic.symbol,
    everyMillis: 0,
    onTrade: (trade) => queue.push(trade),
    flush: (now) => {
      const trades = queue.take();
      const frames: string[] = [];
      for (let at = 0; at < trades.length; at += TRADES_PER_MESSAGE_MAX) {
        const data = trades.slice(at, at + TRADES_PER_MESSAGE_MAX).map(row);
        frames.push(JSON.stringify({ topic: topic.name, type: 'snapshot', ts: now, data }));
      }
      return frames;
    },
  };
}

/** Spot is told whole each time something has changed; of perpetuals only what has changed. */
function tickerChannel(desk: Desk, category: BybitCategory, topic: Topic): StreamChannel {
  const { symbol, name } = topic;
  const look = (): TickerRow =>
    category === 'spot' ? spotTicker(desk, symbol, 'socket') : linearTicker(desk, symbol);
  let sent = look();
  const frame = (type: 'snapshot' | 'delta', ts: Millis, data: object): string =>
    JSON.stringify({ topic: name, type, data, cs: sent.sequence, ts });
  return {
    symbol,
    everyMillis: TICKER_MILLIS,
    greeting: (now) => frame('snapshot', now, sent.fields),
    flush: (now) => {
      const before = sent.fields;
      const seen = look();
      const changed = Object.entries(seen.fields).filter(([field, value]) => before[field] !== value);
      if (changed.length === 0) return [];
      sent = seen;
      const delta = { symbol, ...Object.fromEntries(changed) };
      return [category === 'spot' ? frame('snapshot', now, seen.fields) : frame('delta', now, delta)];
    },
  };
}

/** One message closes a bar and opens the next (recorded 2026-08-09). */
function candleChannel(
  desk: Desk,
  category: BybitCategory,
  topic: Topic,
  interval: CandleInterval,
): StreamChannel {
  const { symbol, name } = topic;
  const format = desk.format[category].of(symbol);
  const markets = marketsOf(desk, category);
  const updates = new BarUpdates();
  const row = (bar: SimCandle, now: Millis): object => {
    const end = nextCandleOpen(bar.time, interval) - 1;
    return {
      start: bar.time,
      end,
      interval: topic.interval,
      open: format.barPrice(bar.open),
      close: format.barPrice(bar.close),
      high: format.barPrice(bar.high),
      low: format.barPrice(bar.low),
      volume: format.shownSize(bar.volume),
      turnover: format.shownTurnover(bar.quoteVolume),
      confirm: end < now,
      timestamp: now,
    };
  };
  const frame = (bars: readonly SimCandle[], now: Millis): string => {
    const data = bars.map((bar) => row(bar, now));
    return JSON.stringify({ topic: name, type: 'snapshot', ts: now, data });
  };
  const newest = (now: Millis, limit: number) => markets.candles(symbol, interval, { endTime: now, limit });
  return {
    symbol,
    everyMillis: CANDLE_MILLIS,
    greeting: (now) => frame(newest(now, 1), now),
    flush: (now) => {
      const sent = updates.take(newest(now, BARS_PER_MESSAGE_MAX));
      return sent.length === 0 ? [] : [frame(sent, now)];
    },
  };
}
