import type { Lots, Millis, Ticks } from '@crossbook/domain';
import type { MarketFacts, SimTicker, SimTrade } from '../exchange.ts';
import {
  addTrade,
  type Bar,
  type BarScale,
  barScale,
  DAY_MINUTES,
  flatBar,
  MINUTE_MILLIS,
  mergeBar,
  sameBar,
} from './bars.ts';
import { type DayWindow, dayWindow } from './day-window.ts';

/** Trades remembered per market: five of Binance's largest pages. */
export const recentTradesMax = 5_000;
/** Seconds remembered per market; older ones are split from their minute. */
const SECONDS_KEPT = 3_600;
const AVERAGE_MINUTES = 5;
/** Nobody moved the tape for so long: the process was asleep, not the market. */
const ASLEEP_MILLIS = 5 * MINUTE_MILLIS;

/** Trades of so long ago are not made up for a market that nobody looked at: its minutes are enough. */
const RECENT_MILLIS = 10 * MINUTE_MILLIS;

/** What a market does while nobody looks at it: history goes on by itself. */
export interface SleepStory {
  /** The sixty seconds of a minute as history has it. */
  seconds(minute: number): readonly Bar[];
  /** The id of the next trade; `undefined` while none may be given out. */
  takeTradeId(): number | undefined;
}

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
  /** A closed minute from history, for minutes that the process slept through. */
  readonly history: (time: number) => Bar;
  /** Told of every minute that the tape closes, in order. */
  readonly onMinute: (bar: Bar, lastTradeId: number) => void;
}

/** The live tape of one market: recent trades, the bars being printed, rolling statistics. It continues its history without a seam. */
export class Tape {
  readonly #market: MarketFacts;
  readonly #scale: BarScale;
  readonly #history: TapeBeginning['history'];
  readonly #onMinute: TapeBeginning['onMinute'];
  readonly #window: DayWindow;
  readonly #ring: SimTrade[];
  readonly #seconds = new Map<number, Bar>();
  #ringAt: number;
  #lastTradeId: number;
  #lastLots = 1;
  #last: number;
  #minute: Bar;
  #second: Bar;

  constructor(market: MarketFacts, beginning: TapeBeginning) {
    this.#market = market;
    this.#scale = barScale(market);
    this.#history = beginning.history;
    this.#onMinute = beginning.onMinute;
    this.#window = dayWindow(beginning.minutes);
    this.#ring = beginning.trades.slice(-recentTradesMax);
    this.#ringAt = this.#ring.length % recentTradesMax;
    this.#lastTradeId = beginning.lastTradeId;
    this.#lastLots = beginning.trades.at(-1)?.quantity ?? 1;
    this.#last = beginning.minutes.at(-1)?.close ?? 1;
    this.#minute = flatBar(beginning.openMinute, this.#last);
    this.#second = flatBar(beginning.openMinute, this.#last);
    for (const bar of beginning.seconds) {
      mergeBar(this.#minute, bar);
      this.#seconds.set(bar.time, bar);
      this.#second = flatBar(bar.time + 1_000, bar.close);
      this.#last = bar.close;
    }
  }

  /** Adds a trade of the house or of members. Time never runs backwards: an earlier time counts as the open second. */
  add(trade: SimTrade): void {
    this.roll(trade.time);
    const { buyerIsMaker } = trade;
    const stats = { price: trade.price as number, lots: trade.quantity as number, buyerIsMaker };
    addTrade(this.#minute, stats);
    addTrade(this.#second, stats);
    this.#last = stats.price;
    this.#lastLots = stats.lots;
    if (trade.tradeId <= this.#lastTradeId) {
      // The core numbers its trades from below the invented ones: those give way, ids on a tape only rise.
      this.#ring.length = 0;
      this.#ringAt = 0;
    }
    this.#remember(trade);
  }

  /** Closes every minute and second that ended before `now`. */
  roll(now: Millis): void {
    if (now - this.#minute.time >= ASLEEP_MILLIS) this.#wake(now);
    while (this.#second.time + 1_000 <= now) {
      this.#seconds.set(this.#second.time, this.#second);
      this.#seconds.delete(this.#second.time - SECONDS_KEPT * 1_000);
      this.#second = flatBar(this.#second.time + 1_000, this.#last);
    }
    while (this.#minute.time + MINUTE_MILLIS <= now) this.#closeMinute();
  }

  /** Takes over from history what happened up to `now`, in whole seconds: no agent acted and nobody looked. */
  sleepTo(now: Millis, story: SleepStory): void {
    while (this.#minute.time + MINUTE_MILLIS <= now) {
      const end = this.#minute.time + MINUTE_MILLIS;
      if (end + RECENT_MILLIS <= now && this.#untouched) {
        this.#skipMinute();
        continue;
      }
      this.#sleepSeconds(end, story);
      this.#closeSlept();
    }
    this.#sleepSeconds(now, story);
  }

  /** The newest trades, or the oldest kept from an id on; oldest first. */
  trades(page: { readonly fromId?: number; readonly limit: number }): readonly SimTrade[] {
    const { fromId, limit } = page;
    const { length } = this.#ring;
    if (fromId === undefined) return this.#slice(Math.max(0, length - limit), length);
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#kept(middle).tradeId < fromId) low = middle + 1;
      else high = middle;
    }
    return this.#slice(low, Math.min(length, low + limit));
  }

  /** Statistics of the last 1440 minutes and the open one. */
  ticker(now: Millis): SimTicker {
    const sums = this.#window.with(this.#minute);
    const { price, candle } = this.#scale;
    const day = candle({ ...this.#minute, lots: sums.lots, quote: sums.quote });
    return {
      symbol: this.#market.symbol,
      open: price(sums.open),
      high: price(sums.high),
      low: price(sums.low),
      last: price(this.#last),
      lastQuantity: candle({ ...this.#minute, lots: this.#lastLots }).volume,
      previousClose: price(sums.open),
      volume: day.volume,
      quoteVolume: day.quoteVolume,
      firstTradeId: Math.max(0, this.#lastTradeId - sums.trades + 1),
      lastTradeId: this.#lastTradeId,
      trades: sums.trades,
      openTime: (now - DAY_MINUTES * MINUTE_MILLIS) as Millis,
      closeTime: now,
    };
  }

  /** Volume-weighted price of the last five minutes; the last price where nothing traded. */
  averagePrice(): number {
    const sums = this.#window.newest(AVERAGE_MINUTES, this.#minute);
    return this.#scale.price(sums.lots === 0 ? this.#last : sums.quote / sums.lots);
  }

  /** Price of the last trade, in ticks. */
  get last(): number {
    return this.#last;
  }

  /** The minute being printed. */
  openMinute(): Bar {
    return this.#minute;
  }

  /** A second that the tape remembers. */
  second(time: number): Bar | undefined {
    return time === this.#second.time ? this.#second : this.#seconds.get(time);
  }

  /** The kept trade at a place, counted from the oldest. */
  #kept(place: number): SimTrade {
    const start = this.#ring.length < recentTradesMax ? 0 : this.#ringAt;
    return this.#ring[(start + place) % this.#ring.length] as SimTrade;
  }

  #slice(from: number, to: number): SimTrade[] {
    return Array.from({ length: to - from }, (_, at) => this.#kept(from + at));
  }

  #closeMinute(): void {
    const closed = this.#minute;
    this.#window.push(closed);
    this.#onMinute(closed, this.#lastTradeId);
    this.#minute = flatBar(closed.time + MINUTE_MILLIS, this.#last);
  }

  #remember(trade: SimTrade): void {
    this.#lastTradeId = trade.tradeId;
    if (this.#ring.length < recentTradesMax) this.#ring.push(trade);
    else this.#ring[this.#ringAt] = trade;
    this.#ringAt = (this.#ringAt + 1) % recentTradesMax;
  }

  #forgetSecond(time: number): void {
    this.#seconds.delete(time - SECONDS_KEPT * 1_000);
  }

  /** Whether nothing of the open minute has been printed or taken over. */
  get #untouched(): boolean {
    return this.#second.time === this.#minute.time && this.#second.trades === 0;
  }

  /** Takes a whole minute of long ago over from history. */
  #skipMinute(): void {
    const { time } = this.#minute;
    const bar = this.#history(time);
    this.#window.push(bar);
    this.#last = bar.close;
    for (let at = 0; at < MINUTE_MILLIS; at += 1_000) this.#forgetSecond(time + at);
    this.#minute = flatBar(time + MINUTE_MILLIS, this.#last);
    this.#second = flatBar(time + MINUTE_MILLIS, this.#last);
  }

  /** Takes the seconds of the open minute over that ended by `to`; one in which the tape itself traded stays as it is. */
  #sleepSeconds(to: number, story: SleepStory): void {
    const start = this.#minute.time;
    let reported: readonly Bar[] | undefined;
    while (this.#second.time + 1_000 <= Math.min(to, start + MINUTE_MILLIS)) {
      const { time } = this.#second;
      if (this.#second.trades === 0) {
        reported ??= story.seconds(start);
        this.#takeSecond(reported[(time - start) / 1_000] as Bar, story);
      }
      this.#seconds.set(time, this.#second);
      this.#forgetSecond(time);
      this.#second = flatBar(time + 1_000, this.#last);
    }
  }

  #takeSecond(bar: Bar, story: SleepStory): void {
    if (bar.trades === 0) return;
    this.#second = bar;
    mergeBar(this.#minute, bar);
    this.#last = bar.close;
    this.#lastLots = Math.max(1, Math.round(bar.lots / bar.trades));
    const tradeId = story.takeTradeId();
    if (tradeId !== undefined) this.#remember(tradeOfSecond(this.#market.symbol, bar, tradeId));
  }

  /** Ends a minute that was slept through at least in part; history knows it already unless the tape traded in it. */
  #closeSlept(): void {
    const closed = this.#minute;
    if (!sameBar(closed, this.#history(closed.time))) {
      this.#closeMinute();
      return;
    }
    this.#window.push(closed);
    this.#minute = flatBar(closed.time + MINUTE_MILLIS, this.#last);
  }

  /** The process slept (a suspended machine): what it missed is history's, as after any other downtime. */
  #wake(now: Millis): void {
    this.#closeMinute();
    while (this.#minute.time + MINUTE_MILLIS <= now) {
      const missed = this.#history(this.#minute.time);
      this.#window.push(missed);
      this.#last = missed.close;
      this.#minute = flatBar(this.#minute.time + MINUTE_MILLIS, this.#last);
    }
    this.#seconds.clear();
    this.#second = flatBar(this.#minute.time, this.#last);
  }
}

/**
 * Trades of the past made from seconds of history, one per second that traded, oldest first.
 * Ids count up to `lastTradeId`; as real ids do, they leave room for the trades that are not shown.
 */
export function historyTrades(symbol: string, seconds: readonly Bar[], lastTradeId: number): SimTrade[] {
  let tradeId = lastTradeId;
  const trades: SimTrade[] = [];
  for (const bar of seconds.filter((second) => second.trades > 0).reverse()) {
    trades.push(tradeOfSecond(symbol, bar, tradeId));
    // Readers page by id: what is told of the past has no holes.
    tradeId -= 1;
  }
  return trades.reverse();
}

/** One trade that stands for those of a second of history. */
function tradeOfSecond(symbol: string, bar: Bar, tradeId: number): SimTrade {
  return {
    symbol,
    tradeId,
    price: bar.close as Ticks,
    quantity: Math.max(1, Math.round(bar.lots / bar.trades)) as Lots,
    buyerIsMaker: bar.close < bar.open,
    time: (bar.time + 500) as Millis,
  };
}
