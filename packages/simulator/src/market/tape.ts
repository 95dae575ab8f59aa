import type { Lots, Millis, Ticks } from '@crossbook/domain';
import type { MarketFacts, SimTicker, SimTrade } from '../exchange.ts';
import { addTrade, type Bar, barScale, DAY_MINUTES, flatBar, MINUTE_MILLIS, mergeBar } from './bars.ts';
import { dayWindow } from './day-window.ts';

/** The live tape of one market: recent trades, the bars being printed, rolling statistics. */
export interface Tape {
  /** Adds a trade of the house or of members. Time never runs backwards: an earlier time counts as the open second. */
  add(trade: SimTrade): void;
  /** Closes every minute and second that ended before `now`. */
  roll(now: Millis): void;
  trades(page: { readonly fromId?: number; readonly limit: number }): readonly SimTrade[];
  ticker(now: Millis): SimTicker;
  /** Volume-weighted price of the last five minutes; the last price where nothing traded. */
  averagePrice(): number;
  openMinute(): Bar;
  second(time: number): Bar | undefined;
  lastPrice(): number;
  lastTradeId(): number;
}

/** Trades remembered per market: five of Binance's largest pages. */
export const recentTradesMax = 5_000;
/** Ids below this one belong to trades of generated history; a fresh market's first own trade comes after it. */
export const TRADE_ID_ORIGIN = 1_000_000_000;
/** Seconds remembered per market; older ones are split from their minute. */
const SECONDS_KEPT = 3_600;
const AVERAGE_MINUTES = 5;

/** Where a tape begins: the day before it and the part of the open minute that has passed, all from history. */
export interface TapeBeginning {
  /** The last 1440 closed minutes, oldest first. */
  readonly minutes: readonly Bar[];
  /** Seconds of the open minute that have passed, oldest first; may be empty. */
  readonly seconds: readonly Bar[];
  readonly openMinute: Millis;
  /** Trades of the past, oldest first, ids up to `lastTradeId`, so that the first page is not empty. */
  readonly trades: readonly SimTrade[];
  readonly lastTradeId: number;
  /** Told of every minute that closes, in order. */
  readonly onMinute: (bar: Bar, lastTradeId: number) => void;
}

/** Opens the tape of one market so that it continues its history without a seam. */
export function openTape(market: MarketFacts, beginning: TapeBeginning): Tape {
  const scale = barScale(market);
  const window = dayWindow(beginning.minutes);
  const ring: SimTrade[] = beginning.trades.slice(-recentTradesMax);
  const seconds = new Map<number, Bar>();
  let ringAt = ring.length % recentTradesMax;
  let lastTradeId = beginning.lastTradeId;
  let lastLots = 1;
  let last = beginning.minutes.at(-1)?.close ?? 1;
  let minute = flatBar(beginning.openMinute, last);
  let second = flatBar(beginning.openMinute, last);
  for (const bar of beginning.seconds) {
    mergeBar(minute, bar);
    seconds.set(bar.time, bar);
    second = flatBar(bar.time + 1_000, bar.close);
    last = bar.close;
  }

  const roll = (now: Millis): void => {
    // A pause longer than the kept seconds (a suspended machine) needs no second of its own.
    if (now - second.time > SECONDS_KEPT * 1_000) second = flatBar(now - (now % 1_000), last);
    while (second.time + 1_000 <= now) {
      seconds.set(second.time, second);
      seconds.delete(second.time - SECONDS_KEPT * 1_000);
      second = flatBar(second.time + 1_000, last);
    }
    while (minute.time + MINUTE_MILLIS <= now) {
      window.push(minute);
      beginning.onMinute(minute, lastTradeId);
      minute = flatBar(minute.time + MINUTE_MILLIS, last);
    }
  };
  const add = (trade: SimTrade): void => {
    roll(trade.time);
    const figures = {
      price: trade.price as number,
      lots: trade.quantity as number,
      buyerIsMaker: trade.buyerIsMaker,
    };
    addTrade(minute, figures);
    addTrade(second, figures);
    last = figures.price;
    lastLots = figures.lots;
    if (trade.tradeId <= lastTradeId) {
      // The core numbers its trades from below the invented ones: those give way, ids on a tape only rise.
      ring.length = 0;
      ringAt = 0;
    }
    lastTradeId = trade.tradeId;
    if (ring.length < recentTradesMax) ring.push(trade);
    else ring[ringAt] = trade;
    ringAt = (ringAt + 1) % recentTradesMax;
  };
  const ordered = (): readonly SimTrade[] =>
    ring.length < recentTradesMax ? ring : [...ring.slice(ringAt), ...ring.slice(0, ringAt)];
  return {
    add,
    roll,
    trades: ({ fromId, limit }) => {
      if (fromId === undefined) return newest(ring, ringAt, limit);
      return ordered()
        .filter((trade) => trade.tradeId >= fromId)
        .slice(0, limit);
    },
    ticker: (now) => {
      const sums = window.with(minute);
      return {
        symbol: market.symbol,
        open: scale.price(sums.open),
        high: scale.price(sums.high),
        low: scale.price(sums.low),
        last: scale.price(last),
        lastQuantity: scale.candle({ ...minute, lots: lastLots }).volume,
        previousClose: scale.price(sums.open),
        volume: scale.candle({ ...minute, lots: sums.lots }).volume,
        quoteVolume: scale.candle({ ...minute, quote: sums.quote }).quoteVolume,
        firstTradeId: Math.max(0, lastTradeId - sums.trades + 1),
        lastTradeId,
        trades: sums.trades,
        openTime: (now - DAY_MINUTES * MINUTE_MILLIS) as Millis,
        closeTime: now,
      };
    },
    averagePrice: () => {
      const sums = window.newest(AVERAGE_MINUTES, minute);
      return scale.price(sums.lots === 0 ? last : sums.quote / sums.lots);
    },
    openMinute: () => minute,
    second: (time) => (time === second.time ? second : seconds.get(time)),
    lastPrice: () => last,
    lastTradeId: () => lastTradeId,
  };
}

/** The newest trades of a ring, oldest first, without sorting the rest. */
function newest(ring: readonly SimTrade[], next: number, limit: number): SimTrade[] {
  const count = Math.min(limit, ring.length);
  const trades: SimTrade[] = [];
  for (let back = count; back >= 1; back -= 1) {
    const trade = ring[(next - back + ring.length) % ring.length];
    if (trade !== undefined) trades.push(trade);
  }
  return trades;
}

/**
 * Trades of the past made from seconds of history, one per second that traded, oldest first.
 * Ids count up to `lastTradeId`; as real ids do, they leave room for the trades that are not shown.
 */
export function historyTrades(symbol: string, seconds: readonly Bar[], lastTradeId: number): SimTrade[] {
  let tradeId = lastTradeId;
  const trades: SimTrade[] = [];
  for (const bar of seconds.filter((second) => second.trades > 0).reverse()) {
    trades.push({
      symbol,
      tradeId,
      price: bar.close as Ticks,
      quantity: Math.max(1, Math.round(bar.lots / bar.trades)) as Lots,
      buyerIsMaker: bar.close < bar.open,
      time: (bar.time + 500) as Millis,
    });
    tradeId -= bar.trades;
  }
  return trades.reverse();
}
