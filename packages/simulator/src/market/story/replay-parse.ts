import {
  formatAmount,
  ok,
  parseSteps,
  type Result,
  refused,
  type StepScale,
  stepScale,
} from '@crossbook/domain';
import {
  addTrade,
  type Bar,
  barScale,
  DAY_MILLIS,
  DAY_MINUTES,
  flatBar,
  MINUTE_MILLIS,
} from '../bars/bars.ts';
import { type DayBars, dayBars } from '../bars/day-bars.ts';
import type { ListedMarket } from '../listing/listing.ts';
import { tradesToShow } from './minute-trades.ts';

/**
 * Recorded files: Binance Vision klines (12 columns) and aggTrades (7 or 8 columns), with or without a header, times in
 * milliseconds or microseconds; and `timestamp,open,high,low,close,volume` with a header, times ISO 8601 or milliseconds.
 * Bars must be minutes. Every complaint names file and line.
 */

/** The minutes of a recording, in the recording's own time. Gaps inside it are flat, as at a venue where nothing traded. */
export interface Recording {
  readonly symbol: string;
  /** Opening time of the first minute, and the end of the last. */
  readonly start: number;
  readonly end: number;
  /** First open and last close, in ticks. */
  readonly firstOpen: number;
  readonly lastClose: number;
  readonly minutes: number;
  /** Writes the recorded minutes of `day` over a table that may stand for another day. */
  overlay(day: number, table: DayBars): void;
}

/** About four years of minutes. */
export const recordedMinutesMax = 2_200_000;
/** A longer line is no line of a recording. */
export const recordedLineCharsMax = 1_024;

type Layout = 'klines' | 'aggTrades' | 'bars';
type RowReader = (columns: readonly string[]) => string | undefined;

/** Collects minutes in time order. */
interface MinuteSink {
  bar(bar: Bar): string | undefined;
  recording(symbol: string): Recording | undefined;
}

function minuteSink(): MinuteSink {
  const days = new Map<number, DayBars>();
  let first: Bar | undefined;
  let last: Bar | undefined;
  let count = 0;
  const write = (bar: Bar): void => {
    const day = Math.floor(bar.time / DAY_MILLIS);
    const table = days.get(day) ?? dayBars(day);
    days.set(day, table);
    table.write((bar.time - day * DAY_MILLIS) / MINUTE_MILLIS, bar);
    count += 1;
  };
  return {
    bar: (bar) => {
      if (bar.time % MINUTE_MILLIS !== 0)
        return 'the time is not the start of a minute (only 1m bars can be replayed)';
      if (last !== undefined) {
        if (bar.time <= last.time) return 'the time is not after the line before';
        if ((bar.time - (first as Bar).time) / MINUTE_MILLIS >= recordedMinutesMax) {
          return `more than ${recordedMinutesMax} minutes`;
        }
        for (let gap = last.time + MINUTE_MILLIS; gap < bar.time; gap += MINUTE_MILLIS) {
          write(flatBar(gap, last.close));
        }
      }
      first ??= bar;
      last = bar;
      write(bar);
      return undefined;
    },
    recording: (symbol) => {
      if (first === undefined || last === undefined) return undefined;
      return {
        symbol,
        start: first.time,
        end: last.time + MINUTE_MILLIS,
        firstOpen: first.open,
        lastClose: last.close,
        minutes: count,
        overlay: (day, table) => {
          const recorded = days.get(day);
          if (recorded === undefined) return;
          for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
            const bar = recorded.read(minute);
            if (bar.open > 0) table.write(minute, bar);
          }
        },
      };
    },
  };
}

/** Milliseconds from a column: digits (ms, or µs from 15 digits on) or ISO 8601; without a zone it is UTC. */
export function parseRecordedTime(text: string): number | undefined {
  if (/^\d{12,17}$/.test(text)) {
    const value = Number(text);
    return text.length >= 15 ? Math.floor(value / 1_000) : value;
  }
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?( ?(Z|[+-]\d{2}:?\d{2}))?$/.test(text))
    return undefined;
  const joined = text.replace(/^(\S{10}) /, '$1T').replace(' ', '');
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(joined.slice(10))
    ? joined
    : `${joined.length === 10 ? `${joined}T00:00` : joined}Z`;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? undefined : time;
}

function layoutOf(columns: readonly string[]): { layout: Layout; header: boolean } | undefined {
  const header = !/^[\d]/.test(columns[0] ?? '');
  if (columns.length === 12) return { layout: 'klines', header };
  if (columns.length === 7 || columns.length === 8) return { layout: 'aggTrades', header };
  const names = columns.map((name) => name.trim().toLowerCase()).join();
  if (/^(timestamp|time|date),open,high,low,close,volume$/.test(names))
    return { layout: 'bars', header: true };
  return undefined;
}

/** Reads columns of one market in its own steps; the first complaint wins. */
interface Columns {
  price(text: string | undefined, name: string): number;
  quantity(text: string | undefined, name: string): number;
  decimal(text: string | undefined, name: string): number;
  complaint: string | undefined;
}

function columnReader(market: ListedMarket): Columns {
  const steps = (text: string, scale: StepScale, name: string, step: string): number => {
    const value = parseSteps(text, scale);
    if (value === undefined) reader.complaint ??= `${name} "${text.slice(0, 40)}" is no multiple of ${step}`;
    return value ?? 0;
  };
  const tick = stepScale(market.tickSize);
  const lot = stepScale(market.lotSize);
  const reader: Columns = {
    complaint: undefined,
    price: (text = '', name) => {
      const value = steps(text.trim(), tick, name, `the tick size ${formatAmount(market.tickSize)}`);
      if (value === 0) reader.complaint ??= `${name} is 0`;
      return value;
    },
    quantity: (text = '', name) =>
      steps(text.trim(), lot, name, `the lot size ${formatAmount(market.lotSize)}`),
    decimal: (text = '', name) => {
      const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
      if (Number.isNaN(value)) reader.complaint ??= `${name} "${text.slice(0, 40)}" is no decimal number`;
      return value;
    },
  };
  return reader;
}

function barComplaint(bar: Bar): string | undefined {
  if (bar.high < Math.max(bar.open, bar.close)) return 'high is below open or close';
  if (bar.low > Math.min(bar.open, bar.close)) return 'low is above open or close';
  return undefined;
}

/** Reads rows of bars. What a layout lacks (trades, takers, quote value) is estimated from price and volume. */
function barRows(market: ListedMarket, layout: 'klines' | 'bars', sink: MinuteSink): RowReader {
  const scale = barScale(market);
  const quoteUnit = scale.candle({ ...flatBar(0, 1), quote: 1 }).quoteVolume;
  return (columns) => {
    const read = columnReader(market);
    const time = parseRecordedTime(columns[0]?.trim() ?? '');
    if (time === undefined)
      return `time "${columns[0]?.slice(0, 40)}" is neither milliseconds, microseconds nor ISO 8601`;
    const bar = flatBar(time, read.price(columns[1], 'open'));
    bar.high = read.price(columns[2], 'high');
    bar.low = read.price(columns[3], 'low');
    bar.close = read.price(columns[4], 'close');
    bar.lots = read.quantity(columns[5], 'volume');
    if (layout === 'klines') {
      bar.quote = Math.round(read.decimal(columns[7], 'quote volume') / quoteUnit);
      bar.trades = read.decimal(columns[8], 'number of trades');
      bar.takerLots = read.quantity(columns[9], 'taker volume');
      bar.takerQuote = Math.round(read.decimal(columns[10], 'taker quote volume') / quoteUnit);
    } else estimate(bar, market);
    return read.complaint ?? barComplaint(bar) ?? sink.bar(bar);
  };
}

function estimate(bar: Bar, market: ListedMarket): void {
  const scale = barScale(market);
  const typical = (bar.open + bar.high + bar.low + bar.close) / 4;
  bar.quote = Math.round(bar.lots * typical);
  const notional = scale.candle(bar).quoteVolume;
  const trades = Math.max(tradesToShow(bar), Math.round(notional / market.tradeNotional));
  bar.trades = Math.min(bar.lots, trades);
  const lean = (0.3 * (bar.close - bar.open)) / (bar.high - bar.low + 1);
  bar.takerLots = bar.trades === 1 ? bar.lots : Math.round(bar.lots * (0.5 + lean));
  bar.takerQuote = Math.round(bar.takerLots * typical);
}

/** Reads rows of aggregate trades into minutes. */
function tradeRows(market: ListedMarket, sink: MinuteSink): { row: RowReader; finish: RowReader } {
  let minute: Bar | undefined;
  let before = 0;
  const close = (): string | undefined => (minute === undefined ? undefined : sink.bar(minute));
  return {
    row: (columns) => {
      const read = columnReader(market);
      const price = read.price(columns[1], 'price');
      const lots = read.quantity(columns[2], 'quantity');
      const time = parseRecordedTime(columns[5]?.trim() ?? '');
      const merged =
        read.decimal(columns[4], 'last trade id') - read.decimal(columns[3], 'first trade id') + 1;
      const maker = columns[6]?.trim().toLowerCase();
      if (read.complaint !== undefined) return read.complaint;
      if (time === undefined)
        return `time "${columns[5]?.slice(0, 40)}" is neither milliseconds nor microseconds`;
      if (time < before) return 'the time is before the line before';
      if (maker !== 'true' && maker !== 'false')
        return `buyer is maker "${maker?.slice(0, 40)}" is neither true nor false`;
      if (merged < 1) return 'the last trade id is below the first';
      before = time;
      const open = Math.floor(time / MINUTE_MILLIS) * MINUTE_MILLIS;
      if (minute === undefined || minute.time !== open) {
        const complaint = close();
        if (complaint !== undefined) return complaint;
        minute = flatBar(open, price);
      }
      addTrade(minute, { price, lots, buyerIsMaker: maker === 'true' });
      minute.trades += merged - 1;
      return undefined;
    },
    finish: close,
  };
}

/**
 * Parses a recording line by line, keeping only its minutes.
 * @param file its name, for complaints.
 */
export async function parseRecording(
  file: string,
  market: ListedMarket,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<Result<Recording, string>> {
  const sink = minuteSink();
  const trades = tradeRows(market, sink);
  let row: RowReader | undefined;
  let number = 0;
  for await (const raw of lines) {
    number += 1;
    if (raw.length > recordedLineCharsMax)
      return refused(`${file}:${number}: longer than ${recordedLineCharsMax} characters`);
    const line = (number === 1 ? raw.replace(/^\uFEFF/, '') : raw).trim();
    if (line === '') continue;
    const columns = line.split(',');
    if (row === undefined) {
      const found = layoutOf(columns);
      if (found === undefined) {
        return refused(
          `${file}:${number}: ${columns.length} columns are no known layout (Binance klines 12, aggTrades 7 or 8, or the header timestamp,open,high,low,close,volume)`,
        );
      }
      row = found.layout === 'aggTrades' ? trades.row : barRows(market, found.layout, sink);
      if (found.header) continue;
    }
    const complaint = row(columns);
    if (complaint !== undefined) return refused(`${file}:${number}: ${complaint}`);
  }
  const complaint = trades.finish([]);
  if (complaint !== undefined) return refused(`${file}:${number}: ${complaint}`);
  const recording = sink.recording(market.symbol);
  return recording === undefined ? refused(`${file}: no rows`) : ok(recording);
}
