import { assert, type CandleInterval, candleOpen, type Millis, nextCandleOpen } from '@crossbook/domain';
import type { SimCandle } from '../exchange.ts';
import {
  type Bar,
  type BarScale,
  barScale,
  DAY_MILLIS,
  DAY_MINUTES,
  flatBar,
  HOUR_MILLIS,
  MINUTE_MILLIS,
  mergeBar,
  unitOf,
} from './bars.ts';
import type { DayBars } from './day-bars.ts';
import type { ListedMarket } from './listing.ts';

/** History begins here for every market: more than two years back from any start of the simulator. */
export const HISTORY_START = Date.UTC(2024, 0, 1) as Millis;

/** What the live tape knows and history does not yet. */
export interface LiveBars {
  /** The minute that has not closed; `undefined` before the market's tape has begun. */
  openMinute(symbol: string): Bar | undefined;
  /** A second printed by the tape, while it is remembered. */
  second(symbol: string, time: number): Bar | undefined;
}

/** The layers below the live tape: everything that has closed. */
export interface ClosedBars {
  /** One whole day of minutes: recorded or generated, with printed minutes over them. */
  day(market: ListedMarket, day: number): DayBars;
  /** The sixty seconds of a closed minute. */
  seconds(market: ListedMarket, minute: Bar): Bar[];
}

/** Which candles are asked for, as at Binance: both ends inclusive and about opening times. */
export interface CandlePage {
  readonly startTime?: Millis;
  readonly endTime?: Millis;
  readonly limit: number;
}

/** Candles at every interval, all folded from the same minutes, so that they agree with each other. */
export interface Candles {
  page(symbol: string, interval: CandleInterval, page: CandlePage): readonly SimCandle[];
  /** A closed minute, or the open one as far as it has come. */
  minute(symbol: string, time: number): Bar;
  /** Sixty seconds of a minute from closed history (not the tape). */
  seconds(symbol: string, minuteTime: number): Bar[];
  /** Takes a minute that the tape closed: it wins from now on. */
  closed(symbol: string, bar: Bar): void;
  /** Folds one more past day of some market ahead of being asked for it; false when every day is ready. */
  prepareDay(): boolean;
  /** Forgets everything derived, after a change of the price's future. */
  forget(): void;
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

/** @param clock gives the time that decides which bars have opened. */
export function candles(
  markets: readonly ListedMarket[],
  sources: { readonly closed: ClosedBars; readonly live: LiveBars; readonly clock: () => Millis },
): Candles {
  const listed = new Map(
    markets.map((market) => [market.symbol, { market, scale: barScale(market) }] as const),
  );
  const dayTables = new Map<string, DayBars>();
  const hourBars = new Map<string, Bar[]>();
  const wholeDays = new Map<string, Bar>();
  const find = (symbol: string): { market: ListedMarket; scale: BarScale } => {
    const entry = listed.get(symbol);
    assert(entry !== undefined, `candles are asked for a listed market, not ${symbol}`);
    return entry;
  };
  const table = (symbol: string, day: number): DayBars => {
    const key = `${symbol} ${day}`;
    const known = dayTables.get(key);
    if (known !== undefined) return known;
    return remember(dayTables, key, sources.closed.day(find(symbol).market, day), DAY_TABLES_MAX);
  };
  const minute = (symbol: string, time: number): Bar => {
    const open = sources.live.openMinute(symbol);
    if (open !== undefined && time >= open.time && time < open.time + MINUTE_MILLIS) return { ...open };
    const day = Math.floor(time / DAY_MILLIS);
    return table(symbol, day).read(Math.floor((time - day * DAY_MILLIS) / MINUTE_MILLIS));
  };
  const foldMinutes = (symbol: string, from: number, to: number): Bar => {
    const bar = minute(symbol, from);
    for (let time = from + MINUTE_MILLIS; time < to; time += MINUTE_MILLIS)
      mergeBar(bar, minute(symbol, time));
    return bar;
  };
  const hoursOf = (symbol: string, day: number): Bar[] => {
    const key = `${symbol} ${day}`;
    const known = hourBars.get(key);
    if (known !== undefined) return known;
    const minutes = table(symbol, day);
    const hours = Array.from({ length: 24 }, (_, hour) => {
      const bar = minutes.read(hour * HOUR_MINUTES);
      for (let at = 1; at < HOUR_MINUTES; at += 1) minutes.mergeInto(bar, hour * HOUR_MINUTES + at);
      return bar;
    });
    return remember(hourBars, key, hours, HOUR_TABLES_MAX);
  };
  const dayOf = (symbol: string, day: number): Bar => {
    const key = `${symbol} ${day}`;
    const known = wholeDays.get(key);
    if (known !== undefined) return known;
    const [first, ...rest] = hoursOf(symbol, day);
    const bar = { ...(first as Bar) };
    for (const hour of rest) mergeBar(bar, hour);
    wholeDays.set(key, bar);
    return bar;
  };
  /** Folds [from, to), both on minutes, with the largest finished pieces; `to` is at most the end of the open minute. */
  const fold = (symbol: string, from: number, to: number): Bar => {
    const today = Math.floor(sources.clock() / DAY_MILLIS) * DAY_MILLIS;
    let bar: Bar | undefined;
    let time = from;
    while (time < to) {
      const piece = pieceAt(time, to, today);
      const day = Math.floor(time / DAY_MILLIS);
      let part: Bar;
      if (piece === DAY_MILLIS) part = dayOf(symbol, day);
      else if (piece === HOUR_MILLIS && time < today) {
        part = hoursOf(symbol, day)[(time - day * DAY_MILLIS) / HOUR_MILLIS] as Bar;
      } else part = foldMinutes(symbol, time, time + piece);
      if (bar === undefined) bar = { ...part };
      else mergeBar(bar, part);
      time += piece;
    }
    assert(bar !== undefined, 'a bar covers at least one minute');
    return bar;
  };
  const unprepared = preparation(markets);
  const second = (symbol: string, time: number, cache: Map<number, Bar[]>): Bar => {
    const printed = sources.live.second(symbol, time);
    if (printed !== undefined) return printed;
    const start = Math.floor(time / MINUTE_MILLIS) * MINUTE_MILLIS;
    const known = cache.get(start);
    const seconds = known ?? sources.closed.seconds(find(symbol).market, minute(symbol, start));
    if (known === undefined) cache.set(start, seconds);
    return seconds[(time - start) / 1_000] ?? flatBar(time, 0);
  };
  return {
    minute,
    seconds: (symbol, time) => sources.closed.seconds(find(symbol).market, minute(symbol, time)),
    page: (symbol, interval, page) => {
      const { scale } = find(symbol);
      const now = sources.clock();
      const opens = openings(interval, page, now);
      if (unitOf(interval) === 'second') {
        const cache = new Map<number, Bar[]>();
        return opens.map((time) => scale.candle(second(symbol, time, cache)));
      }
      const end = Math.floor(now / MINUTE_MILLIS) * MINUTE_MILLIS + MINUTE_MILLIS;
      return opens.map((time) => {
        const to = Math.min(nextCandleOpen(time, interval), end);
        return scale.candle({ ...fold(symbol, Math.max(time, HISTORY_START), to), time });
      });
    },
    closed: (symbol, bar) => {
      const day = Math.floor(bar.time / DAY_MILLIS);
      dayTables.get(`${symbol} ${day}`)?.write((bar.time - day * DAY_MILLIS) / MINUTE_MILLIS, bar);
      hourBars.delete(`${symbol} ${day}`);
      wholeDays.delete(`${symbol} ${day}`);
    },
    prepareDay: () => {
      const today = Math.floor(sources.clock() / DAY_MILLIS);
      const next = unprepared(today);
      if (next === undefined) return false;
      const key = `${next.market.symbol} ${next.day}`;
      if (wholeDays.has(key)) return true;
      const minutes = sources.closed.day(next.market, next.day);
      const bar = minutes.read(0);
      for (let at = 1; at < DAY_MINUTES; at += 1) minutes.mergeInto(bar, at);
      wholeDays.set(key, bar);
      return true;
    },
    forget: () => {
      dayTables.clear();
      hourBars.clear();
      wholeDays.clear();
    },
  };
}

function pieceAt(time: number, to: number, today: number): number {
  if (time % DAY_MILLIS === 0 && time + DAY_MILLIS <= to && time < today) return DAY_MILLIS;
  if (time % HOUR_MILLIS === 0 && time + HOUR_MILLIS <= to) return HOUR_MILLIS;
  return MINUTE_MILLIS;
}

/** Hands out every past day of every market once, the newest days of the first markets first. */
function preparation(
  markets: readonly ListedMarket[],
): (today: number) => { market: ListedMarket; day: number } | undefined {
  const days = HISTORY_START / DAY_MILLIS;
  let back = 1;
  let at = 0;
  return (today) => {
    const market = markets[at];
    if (market === undefined) return undefined;
    const day = today - back;
    back += 1;
    if (day > days) return { market, day };
    at += 1;
    back = 1;
    return { market, day };
  };
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
