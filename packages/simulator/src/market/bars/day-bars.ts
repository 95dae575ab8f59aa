import { type Bar, DAY_MILLIS, DAY_MINUTES, MINUTE_MILLIS } from './bars.ts';

/** Minute bars of a whole day in one flat array: nine figures per minute, time by position. */
export interface DayBars {
  readonly day: number;
  /** Copies minute `minute` (0 to 1439) into a bar. */
  read(minute: number): Bar;
  write(minute: number, bar: Bar): void;
  /** Adds a minute to an earlier bar, as `mergeBar` does. */
  mergeInto(bar: Bar, minute: number): void;
}

const COLUMNS = 9;

/** Room for the figures of one day. */
export function dayStats(): Float64Array {
  return new Float64Array(DAY_MINUTES * COLUMNS);
}

/** A day of minutes. @param figures room to write into, where it is used again and again; whoever asks writes every minute. */
export function dayBars(day: number, values: Float64Array = dayStats()): DayBars {
  const start = day * DAY_MILLIS;
  const at = (minute: number, column: number): number => values[minute * COLUMNS + column] as number;
  return {
    day,
    read: (minute) => ({
      time: start + minute * MINUTE_MILLIS,
      open: at(minute, 0),
      high: at(minute, 1),
      low: at(minute, 2),
      close: at(minute, 3),
      lots: at(minute, 4),
      quote: at(minute, 5),
      trades: at(minute, 6),
      takerLots: at(minute, 7),
      takerQuote: at(minute, 8),
    }),
    write: (minute, bar) => {
      const row = minute * COLUMNS;
      values[row] = bar.open;
      values[row + 1] = bar.high;
      values[row + 2] = bar.low;
      values[row + 3] = bar.close;
      values[row + 4] = bar.lots;
      values[row + 5] = bar.quote;
      values[row + 6] = bar.trades;
      values[row + 7] = bar.takerLots;
      values[row + 8] = bar.takerQuote;
    },
    mergeInto: (bar, minute) => {
      const trades = at(minute, 6);
      if (trades === 0) return;
      const opens = bar.trades === 0;
      if (opens) bar.open = at(minute, 0);
      bar.high = opens ? at(minute, 1) : Math.max(bar.high, at(minute, 1));
      bar.low = opens ? at(minute, 2) : Math.min(bar.low, at(minute, 2));
      bar.close = at(minute, 3);
      bar.lots += at(minute, 4);
      bar.quote += at(minute, 5);
      bar.trades += trades;
      bar.takerLots += at(minute, 7);
      bar.takerQuote += at(minute, 8);
    },
  };
}
