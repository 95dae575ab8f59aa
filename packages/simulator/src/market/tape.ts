import type { Millis } from '@crossbook/domain';
import type { MarketFacts, SimTicker, SimTrade, TradePage } from '../exchange.ts';
import {
  addTrade,
  type Bar,
  type BarScale,
  barScale,
  DAY_MINUTES,
  flatBar,
  MINUTE_MILLIS,
} from './bars/bars.ts';
import { type DayWindow, dayWindow } from './bars/day-window.ts';
import { type LiveTrades, type MinuteTrades, TradeLog, tradeAt } from './bars/trade-log.ts';

const AVERAGE_MINUTES = 5;
/** Minutes whose trades were made again and are kept for the next page. */
const MADE_MINUTES_MAX = 4;
/** Nobody moved the tape for so long: the process was asleep, not the market. */
const ASLEEP_MILLIS = 5 * MINUTE_MILLIS;

/** What a market does while nobody looks at it: history goes on by itself. */
export interface SleepStory {
  /** A closed minute as history has it. */
  minute(time: number): Bar;
  /** The trades of a minute as history has it. */
  trades(time: number): MinuteTrades;
  /** The first of so many new trade ids in a row; `undefined` while none may be given out. */
  takeTradeIds(count: number): number | undefined;
}

/** Where a tape begins: the day before it and the part of the open minute that has passed, all from history. */
export interface TapeBeginning {
  readonly now: Millis;
  /** The last 1440 closed minutes, oldest first. */
  readonly minutes: readonly Bar[];
  /** Id of the last trade up to now: those of the past are numbered backwards from it. */
  readonly lastTradeId: number;
  readonly story: SleepStory;
  /** Keeps the trades of minutes that are not history's. */
  readonly live: LiveTrades;
  /** Told of every minute that closes, in order, and whether it is all history's. */
  readonly onMinute: (bar: Bar, closed: { readonly lastTradeId: number; readonly slept: boolean }) => void;
}

/**
 * The live tape of one market: the minute being printed, rolling statistics, and every trade of the last day under ids that
 * rise by one. It continues its history without a seam: trades of generated minutes are made again when they are asked for.
 */
export class Tape {
  readonly #market: MarketFacts;
  readonly #scale: BarScale;
  readonly #story: SleepStory;
  readonly #live: LiveTrades;
  readonly #onMinute: TapeBeginning['onMinute'];
  readonly #window: DayWindow;
  /** Id of the last trade of each of the last 1440 closed minutes, by the minute's number. */
  readonly #lastIds = new Float64Array(DAY_MINUTES);
  readonly #again = new Map<number, MinuteTrades>();
  #lastTradeId: number;
  #lastLots = 1;
  #last: number;
  #minute: Bar;
  #log = new TradeLog();
  /** How far time has come: history's trades up to it are taken over or passed by. */
  #passed: number;
  /** Whether the open minute has been history's alone. */
  #slept = true;
  /** History's trades of the open minute, and how many of them have passed. */
  #scheduled: { readonly trades: MinuteTrades; at: number } | undefined;

  constructor(market: MarketFacts, beginning: TapeBeginning) {
    const { minutes, now } = beginning;
    this.#market = market;
    this.#scale = barScale(market);
    this.#story = beginning.story;
    this.#live = beginning.live;
    this.#onMinute = beginning.onMinute;
    this.#window = dayWindow(minutes);
    this.#last = minutes.at(-1)?.close ?? 1;
    this.#minute = flatBar(Math.floor(now / MINUTE_MILLIS) * MINUTE_MILLIS, this.#last);
    this.#passed = this.#minute.time - 1;
    const { trades } = this.#storyOfMinute();
    let taken = 0;
    while (taken < trades.count && (trades.times[taken] as number) <= now) taken += 1;
    this.#lastTradeId = beginning.lastTradeId - taken;
    let id = this.#lastTradeId;
    minutes.toReversed().forEach((bar, back) => {
      this.#lastIds[this.#place(back + 1)] = id;
      id -= bar.trades;
    });
    this.#takeStory(now, () => this.#lastTradeId + 1);
  }

  /**
   * Adds a trade of the house or of members, at its own time, as streams tell it: somebody may have asked what is newer
   * before the step that made it was taken. Times only rise: one before the last trade or the minute counts as that.
   */
  add(trade: SimTrade): void {
    this.roll(trade.time);
    // The core numbers its trades from below the invented ones: those give way, ids on a tape only rise.
    if (trade.tradeId <= this.#lastTradeId) this.#renumber(trade.tradeId - 1);
    this.#slept = false;
    const before = this.#log.times[this.#log.count - 1] ?? this.#minute.time;
    this.#push({ ...trade, time: Math.max(trade.time, before) as Millis });
  }

  /** Lets time pass in which only matched trades count. */
  roll(now: Millis): void {
    if (now <= this.#passed) return;
    if (now - this.#minute.time >= ASLEEP_MILLIS) this.#wake(now);
    this.#slept = false;
    while (this.#minute.time + MINUTE_MILLIS <= now) {
      this.#closeMinute();
      this.#slept = false;
    }
    this.#passed = now;
  }

  /** Takes over from history what happened up to `now`: no agent acted and nobody looked. */
  sleepTo(now: Millis): void {
    while (this.#minute.time + MINUTE_MILLIS <= now) {
      if (this.#slept && this.#passed < this.#minute.time) {
        this.#skipMinute();
        continue;
      }
      this.#takeStory(this.#minute.time + MINUTE_MILLIS - 1);
      this.#closeMinute();
    }
    this.#takeStory(now);
  }

  /** A page of the last day's trades, oldest first. History ends where fewer come than were asked for. */
  trades(page: TradePage): readonly SimTrade[] {
    return page.fromId === undefined ? this.#newest(page) : this.#from(page.fromId, page.limit);
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

  /** Id of the last trade. */
  get lastTradeId(): number {
    return this.#lastTradeId;
  }

  /** The minute being printed. */
  openMinute(): Bar {
    return this.#minute;
  }

  /** The trades of a minute that is not, or not yet, history's. */
  liveTrades(minute: number): MinuteTrades | undefined {
    return minute === this.#minute.time ? this.#log : this.#live.of(this.#market.symbol, minute);
  }

  /** Where the last id of the minute so many before the open one is kept. */
  #place(back: number): number {
    return (this.#minute.time / MINUTE_MILLIS - back) % DAY_MINUTES;
  }

  #lastIdOf(back: number): number {
    return back === 0 ? this.#lastTradeId : (this.#lastIds[this.#place(back)] as number);
  }

  /** A minute's trades with the id that each has. */
  #tradesOf(back: number): { readonly count: number; readonly at: (place: number) => SimTrade } {
    const { symbol } = this.#market;
    const minute = this.#minute.time - back * MINUTE_MILLIS;
    const log = back === 0 ? this.#log : this.#live.of(symbol, minute);
    const trades = log ?? this.#made(minute);
    const firstId = this.#lastIdOf(back) - trades.count + 1;
    const idOf = (at: number): number => log?.ids[at] ?? firstId + at;
    return { count: trades.count, at: (at) => tradeAt(symbol, { trades, at }, idOf(at)) };
  }

  /** A minute's trades made again; who pages through them asks for the same minutes several times. */
  #made(minute: number): MinuteTrades {
    const known = this.#again.get(minute);
    if (known !== undefined) return known;
    const trades = this.#story.trades(minute);
    if (this.#again.size >= MADE_MINUTES_MAX) this.#again.delete(this.#again.keys().next().value as number);
    this.#again.set(minute, trades);
    return trades;
  }

  #newest(page: TradePage): SimTrade[] {
    const { limit, endTime = this.#passed, beforeId = this.#lastTradeId + 1 } = page;
    const found: SimTrade[] = [];
    const byTime = Math.ceil((this.#minute.time - endTime) / MINUTE_MILLIS);
    const first = Math.max(0, byTime, this.#minuteOf(beforeId - 1));
    for (let back = first; back <= DAY_MINUTES && found.length < limit; back += 1) {
      const { count, at } = this.#tradesOf(back);
      for (let place = count - 1; place >= 0 && found.length < limit; place -= 1) {
        const trade = at(place);
        if (trade.tradeId < 1) return found.reverse();
        if (trade.time <= endTime && trade.tradeId < beforeId) found.push(trade);
      }
    }
    return found.reverse();
  }

  /** How many minutes back the oldest one is that ends at an id or later; 0 where none does. */
  #minuteOf(id: number): number {
    let near = 0;
    let far = DAY_MINUTES;
    while (near < far) {
      const middle = (near + far + 1) >> 1;
      if (this.#lastIdOf(middle) >= id) near = middle;
      else far = middle - 1;
    }
    return near;
  }

  #from(fromId: number, limit: number): SimTrade[] {
    const found: SimTrade[] = [];
    for (let back = this.#minuteOf(fromId); back >= 0 && found.length < limit; back -= 1) {
      const { count, at } = this.#tradesOf(back);
      for (let place = 0; place < count && found.length < limit; place += 1) {
        const trade = at(place);
        if (trade.tradeId >= Math.max(1, fromId)) found.push(trade);
      }
    }
    return found;
  }

  #push(trade: Omit<SimTrade, 'symbol'>): void {
    const { price, quantity, buyerIsMaker } = trade;
    addTrade(this.#minute, { price, lots: quantity, buyerIsMaker });
    this.#last = price;
    this.#lastLots = quantity;
    this.#lastTradeId = trade.tradeId;
    this.#log.push(trade);
  }

  #storyOfMinute(): { readonly trades: MinuteTrades; at: number } {
    this.#scheduled ??= { trades: this.#story.trades(this.#minute.time), at: 0 };
    return this.#scheduled;
  }

  /** Takes history's trades of the open minute up to a time; those that passed while agents acted are left out. */
  #takeStory(to: number, take = (count: number) => this.#takeIds(count)): void {
    if (to <= this.#passed) return;
    const schedule = this.#storyOfMinute();
    const { times, count } = schedule.trades;
    while (schedule.at < count && (times[schedule.at] as number) <= this.#passed) schedule.at += 1;
    const from = schedule.at;
    while (schedule.at < count && (times[schedule.at] as number) <= to) schedule.at += 1;
    if (schedule.at > from) {
      const firstId = take(schedule.at - from);
      // Ids of a minute that is made again are in a row.
      if (this.#log.count > 0 && firstId !== this.#lastTradeId + 1) this.#slept = false;
      for (let at = from; at < schedule.at; at += 1) {
        this.#push(tradeAt(this.#market.symbol, { trades: schedule.trades, at }, firstId + at - from));
      }
    }
    this.#passed = to;
  }

  /** The first of so many ids above the last. */
  #takeIds(count: number): number {
    const firstId = this.#story.takeTradeIds(count) ?? this.#lastTradeId + 1;
    if (firstId <= this.#lastTradeId) this.#renumber(firstId - 1);
    return firstId;
  }

  /** Ids of the past go down, so that they stay below those that follow. */
  #renumber(lastTradeId: number): void {
    const by = lastTradeId - this.#lastTradeId;
    this.#lastTradeId = lastTradeId;
    const logs: TradeLog[] = [this.#log];
    for (let back = 1; back <= DAY_MINUTES; back += 1) {
      const place = this.#place(back);
      this.#lastIds[place] = (this.#lastIds[place] as number) + by;
      const log = this.#live.of(this.#market.symbol, this.#minute.time - back * MINUTE_MILLIS);
      if (log !== undefined) logs.push(log);
    }
    for (const log of logs)
      for (let at = 0; at < log.count; at += 1) log.ids[at] = (log.ids[at] as number) + by;
  }

  /** Ends the open minute: what was history's alone is known there, everything else is told and kept. */
  #closeMinute(): void {
    const { time } = this.#minute;
    if (this.#slept) this.#next(this.#story.minute(time));
    else {
      this.#live.keep(this.#market.symbol, time, this.#log);
      this.#next(this.#minute);
    }
  }

  #next(closed: Bar): void {
    this.#window.push(closed);
    this.#again.clear();
    this.#onMinute(closed, { lastTradeId: this.#lastTradeId, slept: this.#slept });
    this.#minute = flatBar(closed.time + MINUTE_MILLIS, this.#last);
    this.#lastIds[this.#place(1)] = this.#lastTradeId;
    this.#log = new TradeLog();
    this.#slept = true;
    this.#scheduled = undefined;
  }

  /** Takes a whole minute over from history. */
  #skipMinute(): void {
    const bar = this.#story.minute(this.#minute.time);
    if (bar.trades > 0) {
      this.#lastTradeId = this.#takeIds(bar.trades) + bar.trades - 1;
      this.#last = bar.close;
    }
    this.#passed = bar.time + MINUTE_MILLIS - 1;
    this.#next(bar);
  }

  /** The process slept (a suspended machine): what it missed is history's, as after any other downtime. */
  #wake(now: Millis): void {
    this.#slept = false;
    this.#closeMinute();
    this.sleepTo(now);
  }
}
