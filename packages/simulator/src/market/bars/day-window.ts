import { type Bar, DAY_MINUTES, flatBar, mergeBar } from './bars.ts';
import { dayBars } from './day-bars.ts';

/** Sums over a window of bars. */
export interface WindowSums {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly lots: number;
  readonly quote: number;
  readonly trades: number;
}

/** The last 1440 closed minutes, kept as running sums: constant work per minute and per question. */
export interface DayWindow {
  push(bar: Bar): void;
  /** The window together with the minute that is still open. */
  with(open: Bar): WindowSums;
  /** Sums of the newest `count` closed minutes and the open one. */
  newest(count: number, open: Bar): Bar;
}

/** Indexes of minutes whose extreme no later minute has beaten, best first. */
function extremes(beats: (left: number, right: number) => boolean): {
  push(at: number, value: number): void;
  drop(before: number): void;
  best(): number | undefined;
} {
  let entries: { readonly at: number; readonly value: number }[] = [];
  let head = 0;
  return {
    push: (at, value) => {
      while (entries.length > head && !beats((entries.at(-1) as { value: number }).value, value))
        entries.pop();
      entries.push({ at, value });
    },
    drop: (before) => {
      while (head < entries.length && (entries[head] as { at: number }).at < before) head += 1;
      if (head < DAY_MINUTES) return;
      entries = entries.slice(head);
      head = 0;
    },
    best: () => entries[head]?.value,
  };
}

/** @param minutes up to 1440 closed minutes, oldest first. */
export function dayWindow(minutes: readonly Bar[]): DayWindow {
  const ring = dayBars(0);
  const highs = extremes((left, right) => left > right);
  const lows = extremes((left, right) => left < right);
  let pushed = 0;
  let lots = 0;
  let quote = 0;
  let trades = 0;
  const newestQuote = (): number => {
    let sum = 0;
    for (let slot = 0; slot < Math.min(pushed, DAY_MINUTES); slot += 1) sum += ring.read(slot).quote;
    return sum;
  };
  const push = (bar: Bar): void => {
    const slot = pushed % DAY_MINUTES;
    if (pushed >= DAY_MINUTES) {
      const leaving = ring.read(slot);
      lots -= leaving.lots;
      quote -= leaving.quote;
      trades -= leaving.trades;
    }
    ring.write(slot, bar);
    pushed += 1;
    lots += bar.lots;
    quote += bar.quote;
    trades += bar.trades;
    highs.push(pushed, bar.high);
    lows.push(pushed, bar.low);
    highs.drop(pushed - DAY_MINUTES + 1);
    lows.drop(pushed - DAY_MINUTES + 1);
    // Quote sums pass 2^53 on big markets: adding them anew once a day keeps rounding from piling up.
    if (slot === 0) quote = newestQuote();
  };
  for (const bar of minutes) push(bar);
  return {
    push,
    with: (open) => ({
      open: pushed === 0 ? open.open : ring.read(pushed < DAY_MINUTES ? 0 : pushed % DAY_MINUTES).open,
      high: Math.max(highs.best() ?? open.high, open.high),
      low: Math.min(lows.best() ?? open.low, open.low),
      lots: lots + open.lots,
      quote: quote + open.quote,
      trades: trades + open.trades,
    }),
    newest: (count, open) => {
      const sums = flatBar(open.time, open.open);
      for (let back = 1; back <= Math.min(count, pushed, DAY_MINUTES); back += 1) {
        ring.mergeInto(sums, (pushed - back) % DAY_MINUTES);
      }
      mergeBar(sums, open);
      return sums;
    },
  };
}
