import { type Bar, DAY_MILLIS, MINUTE_MILLIS } from '../bars/bars.ts';
import type { DayBars } from '../bars/day-bars.ts';
import { textStream } from '../bars/noise.ts';
import type { MarketFiles } from './market-files.ts';

/**
 * Minute bars printed by the live tape. They are appended to one file per UTC day, win over generated bars, and are
 * forgotten after `printedDaysMax` days, when the generated ones answer again.
 */
export interface PrintedBars {
  print(symbol: string, bar: Bar, lastTradeId: number): void;
  /** Writes this day's printed minutes over a table. */
  overlay(symbol: string, table: DayBars): void;
  /** Highest trade id that was ever printed in the kept files; 0 where there is none. */
  lastTradeId(symbol: string): number;
  /** Hands everything printed so far to the file. Called once a minute and on stop. */
  flush(): void;
}

/** Days of printed bars kept: about 3.6 MB each. */
export const printedDaysMax = 60;
const LOADED_DAYS_MAX = 4;
// symbol, time, the nine figures of a bar, last trade id: all as 64-bit floats.
const ROW_NUMBERS = 12;
const ROW_BYTES = ROW_NUMBERS * 8;

type DayRows = Map<number, Map<number, Float64Array>>;

function fileOf(day: number): string {
  return `bars-${new Date(day * DAY_MILLIS).toISOString().slice(0, 10)}.f64`;
}

function dayOfFile(name: string): number | undefined {
  const match = /^bars-(\d{4}-\d{2}-\d{2})\.f64$/.exec(name);
  const time = match === null ? Number.NaN : Date.parse(`${match[1]}T00:00:00Z`);
  return Number.isNaN(time) ? undefined : time / DAY_MILLIS;
}

function rowOf(symbol: string, bar: Bar, lastTradeId: number): Float64Array {
  const { open, high, low, close, lots, quote, trades, takerLots, takerQuote } = bar;
  const values = [open, high, low, close, lots, quote, trades, takerLots, takerQuote];
  return Float64Array.of(textStream(symbol), bar.time, ...values, lastTradeId);
}

function barOf(row: Float64Array): Bar {
  const value = (column: number): number => row[column] as number;
  return {
    time: value(1),
    open: value(2),
    high: value(3),
    low: value(4),
    close: value(5),
    lots: value(6),
    quote: value(7),
    trades: value(8),
    takerLots: value(9),
    takerQuote: value(10),
  };
}

function parseRows(bytes: Uint8Array): DayRows {
  const rows: DayRows = new Map();
  const count = Math.floor(bytes.length / ROW_BYTES);
  // Copied: bytes read from a file are a window into a larger buffer, at any offset.
  const numbers = new Float64Array(Uint8Array.from(bytes.subarray(0, count * ROW_BYTES)).buffer);
  for (let at = 0; at < count; at += 1) {
    keep(rows, numbers.subarray(at * ROW_NUMBERS, (at + 1) * ROW_NUMBERS));
  }
  return rows;
}

function keep(rows: DayRows, row: Float64Array): void {
  const stream = row[0] as number;
  const minutes = rows.get(stream) ?? new Map<number, Float64Array>();
  rows.set(stream, minutes);
  minutes.set(row[1] as number, row);
}

/** Opens the printed bars; cuts a row that a crash left half written, drops days that are too old. */
export function printedBars(files: MarketFiles): PrintedBars {
  const loaded = new Map<number, DayRows>();
  const lastIds = new Map<number, number>();
  let pending: Float64Array[] = [];
  const days = files.names().flatMap((name) => dayOfFile(name) ?? []);
  for (const day of days.slice(0, Math.max(0, days.length - printedDaysMax))) files.remove(fileOf(day));

  const load = (day: number): DayRows => {
    const known = loaded.get(day);
    if (known !== undefined) return known;
    const rows = parseRows(files.read(fileOf(day)) ?? new Uint8Array());
    if (loaded.size >= LOADED_DAYS_MAX) loaded.delete(Math.min(...loaded.keys()));
    loaded.set(day, rows);
    return rows;
  };
  const latest = days.at(-1);
  if (latest !== undefined) {
    const bytes = files.read(fileOf(latest)) ?? new Uint8Array();
    const whole = Math.floor(bytes.length / ROW_BYTES) * ROW_BYTES;
    if (whole !== bytes.length) files.replace(fileOf(latest), bytes.slice(0, whole));
    for (const [stream, minutes] of load(latest)) {
      for (const row of minutes.values())
        lastIds.set(stream, Math.max(lastIds.get(stream) ?? 0, row[11] ?? 0));
    }
  }
  const flush = (): void => {
    const byDay = Map.groupBy(pending, (row) => Math.floor((row[1] as number) / DAY_MILLIS));
    pending = [];
    for (const [day, rows] of byDay) {
      const numbers = new Float64Array(rows.length * ROW_NUMBERS);
      for (const [at, row] of rows.entries()) numbers.set(row, at * ROW_NUMBERS);
      files.append(fileOf(day), new Uint8Array(numbers.buffer));
    }
  };
  return {
    print: (symbol, bar, lastTradeId) => {
      const row = rowOf(symbol, bar, lastTradeId);
      keep(load(Math.floor(bar.time / DAY_MILLIS)), row);
      pending.push(row);
    },
    overlay: (symbol, table) => {
      const minutes = load(table.day).get(textStream(symbol));
      if (minutes === undefined) return;
      for (const [time, row] of minutes) {
        table.write((time - table.day * DAY_MILLIS) / MINUTE_MILLIS, barOf(row));
      }
    },
    lastTradeId: (symbol) => lastIds.get(textStream(symbol)) ?? 0,
    flush,
  };
}
