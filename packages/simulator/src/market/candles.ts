import { assert, type CandleInterval, candleOpen, type Millis, nextCandleOpen } from '@crossbook/domain';
import type { SimCandle } from '../exchange.ts';
import {
  type Bar,
  type BarScale,
  barScale,
  DAY_MILLIS,
  DAY_MINUTES,
  HOUR_MILLIS,
  MINUTE_MILLIS,
  mergeBar,
  unitOf,
} from './bars/bars.ts';
import { type DayBars, dayStats } from './bars/day-bars.ts';
import { secondBars } from './bars/second-bars.ts';
import type { MinuteTrades } from './bars/trade-log.ts';
import type { ListedMarket } from './listing/listing.ts';

/** History begins here for every market: more than two years back from any start of the simulator. */
export const HISTORY_START = Date.UTC(2024, 0, 1) as Millis;

/** What the live tape knows and history does not yet. */
export interface LiveBars {
  /** The minute that has not closed; `undefined` before the market's tape has begun. */
  openMinute(symbol: string): Bar | undefined;
  /** The trades of a minute that is not, or not yet, history's, while they are remembered. */
  trades(symbol: string, minute: number): MinuteTrades | undefined;
}

/** The layers below the live tape: everything that has closed. */
export interface ClosedBars {
  /** One whole day of minutes: recorded or generated, with printed minutes over them. @param room where to write it. */
  day(market: ListedMarket, day: number, room?: Float64Array): DayBars;
  /** The trades of a closed minute, made from its bar. */
  trades(market: ListedMarket, minute: Bar): MinuteTrades;
}

/** Which candles are asked for, as at Binance: both ends inclusive and about opening times. */
export interface CandlePage {
  readonly startTime?: Millis;
  readonly endTime?: Millis;
  readonly limit: number;
}

/** What candles are folded from; the clock decides which bars have opened. */
export interface CandleSources {
  readonly closed: ClosedBars;
  readonly live: LiveBars;
  readonly clock: () => Millis;
  /** Bars are shown from the last price before them on, instead of from their first trade. */
  readonly opensAtLastClose?: boolean;
}

const HOUR_MINUTES = 60;
const DAY_TABLES_MAX = 96;
const HOUR_TABLES_MAX = 4_000;

/** A map that forgets its oldest entries beyond a bound. */
function remember<Key, Value>(cache: Map<Key, Value>, key: Key, value: Value, entriesMax: number): Value {
  if (cache.size >= entriesMax) cache.delete(cache.keys().next().value as Key);
  cache.set(key, value);
  return value;
}

/** Candles at every interval, all folded from the same minutes, so that they agree with each other. */
export class Candles {
  readonly #sources: CandleSources;
  readonly #listed: ReadonlyMap<string, { readonly market: ListedMarket; readonly scale: BarScale }>;
  readonly #dayTables = new Map<string, DayBars>();
  readonly #hourBars = new Map<string, Bar[]>();
  readonly #wholeDays = new Map<string, Bar>();
  readonly #preparation = new Preparation();
  readonly #room = dayStats();

  constructor(markets: readonly ListedMarket[], sources: CandleSources) {
    this.#sources = sources;
    this.#listed = new Map(markets.map((market) => [market.symbol, { market, scale: barScale(market) }]));
  }

  /** A page of one market, ascending. */
  page(symbol: string, interval: CandleInterval, page: CandlePage): readonly SimCandle[] {
    const { scale } = this.#find(symbol);
    const now = this.#sources.clock();
    const opens = openings(interval, page, now);
    const cache = new Map<number, Bar[]>();
    const end = Math.floor(now / MINUTE_MILLIS) * MINUTE_MILLIS + MINUTE_MILLIS;
    const bars = opens.map((time) => {
      if (unitOf(interval) === 'second') return this.#second(symbol, time, cache);
      const to = Math.min(nextCandleOpen(time, interval), end);
      return { ...this.#fold(symbol, Math.max(time, HISTORY_START), to), time };
    });
    const first = opens[0];
    if (this.#sources.opensAtLastClose && first !== undefined) {
      const before =
        unitOf(interval) === 'second'
          ? this.#second(symbol, first - 1_000, cache)
          : this.minute(symbol, first - MINUTE_MILLIS);
      return joined(bars, before.close).map(scale.candle);
    }
    return bars.map(scale.candle);
  }

  /** A closed minute, or the open one as far as it has come. */
  minute(symbol: string, time: number): Bar {
    const open = this.#sources.live.openMinute(symbol);
    if (open !== undefined && time >= open.time && time < open.time + MINUTE_MILLIS) return { ...open };
    return this.closedMinute(symbol, time);
  }

  /** So many minutes up to `end`, as history has them, oldest first. */
  closedMinutes(symbol: string, end: number, count: number): Bar[] {
    const bars: Bar[] = [];
    for (let time = end - count * MINUTE_MILLIS; time < end; ) {
      const day = Math.floor(time / DAY_MILLIS);
      const table = this.#table(symbol, day);
      const until = Math.min(end, (day + 1) * DAY_MILLIS);
      for (; time < until; time += MINUTE_MILLIS) {
        bars.push(table.read((time - day * DAY_MILLIS) / MINUTE_MILLIS));
      }
    }
    return bars;
  }

  /** A minute as history has it, whatever the tape prints of it. */
  closedMinute(symbol: string, time: number): Bar {
    const day = Math.floor(time / DAY_MILLIS);
    return this.#table(symbol, day).read(Math.floor((time - day * DAY_MILLIS) / MINUTE_MILLIS));
  }

  /** The trades of a minute as history has it, whatever the tape prints of it. */
  closedTrades(symbol: string, minuteTime: number): MinuteTrades {
    return this.#sources.closed.trades(this.#find(symbol).market, this.closedMinute(symbol, minuteTime));
  }

  /** Takes a minute that the tape closed: it wins from now on. */
  closed(symbol: string, bar: Bar): void {
    const day = Math.floor(bar.time / DAY_MILLIS);
    const key = `${symbol} ${day}`;
    this.#dayTables.get(key)?.write((bar.time - day * DAY_MILLIS) / MINUTE_MILLIS, bar);
    this.#hourBars.delete(key);
    this.#wholeDays.delete(key);
  }

  /** Somebody looks at this market: its past days should be ready before they are asked for. */
  prepare(symbol: string): void {
    this.#preparation.add(symbol);
  }

  /** Folds one more past day of a market to prepare; false when every day is ready. */
  prepareDay(): boolean {
    const next = this.#preparation.next(Math.floor(this.#sources.clock() / DAY_MILLIS));
    if (next === undefined) return false;
    const key = `${next.symbol} ${next.day}`;
    if (!this.#wholeDays.has(key)) this.#wholeDays.set(key, this.#foldDay(next.symbol, next.day));
    return true;
  }

  /** Forgets everything derived, after a change of the price's future. Prices before it come out the same. */
  forget(): void {
    this.#dayTables.clear();
    this.#hourBars.clear();
  }

  #find(symbol: string): { readonly market: ListedMarket; readonly scale: BarScale } {
    const entry = this.#listed.get(symbol);
    assert(entry !== undefined, `candles are asked for a listed market, not ${symbol}`);
    return entry;
  }

  #table(symbol: string, day: number): DayBars {
    const key = `${symbol} ${day}`;
    const known = this.#dayTables.get(key);
    if (known !== undefined) return known;
    const table = this.#sources.closed.day(this.#find(symbol).market, day);
    return remember(this.#dayTables, key, table, DAY_TABLES_MAX);
  }

  #hoursOf(symbol: string, day: number): Bar[] {
    const key = `${symbol} ${day}`;
    const known = this.#hourBars.get(key);
    if (known !== undefined) return known;
    const minutes = this.#table(symbol, day);
    const hours = Array.from({ length: 24 }, (_, hour) => {
      const bar = minutes.read(hour * HOUR_MINUTES);
      for (let at = 1; at < HOUR_MINUTES; at += 1) minutes.mergeInto(bar, hour * HOUR_MINUTES + at);
      return bar;
    });
    return remember(this.#hourBars, key, hours, HOUR_TABLES_MAX);
  }

  #dayOf(symbol: string, day: number): Bar {
    const key = `${symbol} ${day}`;
    const known = this.#wholeDays.get(key);
    if (known !== undefined) return known;
    const bar = this.#foldDay(symbol, day);
    this.#wholeDays.set(key, bar);
    return bar;
  }

  /** Folds a day without keeping its minutes: a page of days would fill the memory with them. */
  #foldDay(symbol: string, day: number): Bar {
    const known = this.#dayTables.get(`${symbol} ${day}`);
    const minutes = known ?? this.#sources.closed.day(this.#find(symbol).market, day, this.#room);
    const bar = minutes.read(0);
    for (let at = 1; at < DAY_MINUTES; at += 1) minutes.mergeInto(bar, at);
    return bar;
  }

  /** Folds [from, to), both on minutes, with the largest finished pieces; `to` is at most the end of the open minute. */
  #fold(symbol: string, from: number, to: number): Bar {
    const today = Math.floor(this.#sources.clock() / DAY_MILLIS) * DAY_MILLIS;
    let bar: Bar | undefined;
    let time = from;
    while (time < to) {
      const piece = pieceAt(time, to, today);
      const part = this.#piece(symbol, time, piece);
      if (bar === undefined) bar = { ...part };
      else mergeBar(bar, part);
      time += piece;
    }
    assert(bar !== undefined, 'a bar covers at least one minute');
    return bar;
  }

  #piece(symbol: string, time: number, length: number): Bar {
    const day = Math.floor(time / DAY_MILLIS);
    if (length === DAY_MILLIS) return this.#dayOf(symbol, day);
    if (length === MINUTE_MILLIS) return this.minute(symbol, time);
    return this.#hoursOf(symbol, day)[(time - day * DAY_MILLIS) / HOUR_MILLIS] as Bar;
  }

  #second(symbol: string, time: number, cache: Map<number, Bar[]>): Bar {
    const start = Math.floor(time / MINUTE_MILLIS) * MINUTE_MILLIS;
    const seconds = cache.get(start) ?? this.#seconds(symbol, start);
    cache.set(start, seconds);
    return seconds[(time - start) / 1_000] as Bar;
  }

  #seconds(symbol: string, start: number): Bar[] {
    const minute = this.minute(symbol, start);
    const trades =
      this.#sources.live.trades(symbol, start) ??
      this.#sources.closed.trades(this.#find(symbol).market, minute);
    return secondBars(minute, trades, this.minute(symbol, start - MINUTE_MILLIS).close);
  }
}

/** Bars that each begin where the one before ended. */
function joined(bars: readonly Bar[], before: number): Bar[] {
  let open = before;
  return bars.map((bar) => {
    const wide = { ...bar, open, high: Math.max(bar.high, open), low: Math.min(bar.low, open) };
    open = bar.close;
    return wide;
  });
}

/** Length of the piece that begins at `time`: hours and days only where they are whole and before today. */
function pieceAt(time: number, to: number, today: number): number {
  if (time % DAY_MILLIS === 0 && time + DAY_MILLIS <= to && time < today) return DAY_MILLIS;
  if (time % HOUR_MILLIS === 0 && time + HOUR_MILLIS <= to && time < today) return HOUR_MILLIS;
  return MINUTE_MILLIS;
}

/** Hands out every past day of the markets that were looked at once, the newest days of the first market first. */
class Preparation {
  readonly #known = new Set<string>();
  readonly #waiting: string[] = [];
  #back = 1;

  add(symbol: string): void {
    if (this.#known.has(symbol)) return;
    this.#known.add(symbol);
    this.#waiting.push(symbol);
  }

  next(today: number): { readonly symbol: string; readonly day: number } | undefined {
    const symbol = this.#waiting[0];
    if (symbol === undefined) return undefined;
    const day = today - this.#back;
    this.#back += 1;
    if (day * DAY_MILLIS <= HISTORY_START) {
      this.#waiting.shift();
      this.#back = 1;
    }
    return { symbol, day };
  }
}

/** Opening times of the bars of a page, ascending. */
function openings(interval: CandleInterval, page: CandlePage, now: Millis): Millis[] {
  const last = candleOpen(Math.min(page.endTime ?? now, now) as Millis, interval);
  const first = candleOpen(HISTORY_START, interval);
  const opens: Millis[] = [];
  if (page.startTime === undefined) {
    for (let open = last; open >= first && opens.length < page.limit; open = openBefore(open, interval)) {
      opens.push(open);
    }
    return opens.reverse();
  }
  let open = candleOpen(Math.max(page.startTime, first) as Millis, interval);
  if (open < page.startTime) open = nextCandleOpen(open, interval);
  for (; open <= last && opens.length < page.limit; open = nextCandleOpen(open, interval)) opens.push(open);
  return opens;
}

function openBefore(open: Millis, interval: CandleInterval): Millis {
  return candleOpen((open - 1) as Millis, interval);
}
