import type { CandleFrame } from '@crossbook/contract';
import { type Candle, type CandleInterval, type Millis, nextCandleOpen } from '@crossbook/domain';

/** Bars asked for at once. */
export const CANDLES_PER_PAGE = 1_000;
/** Bars kept of one series; scrolling back stops there. */
export const CANDLES_MAX = 100_000;

/** Reads the newest page that opens before `endTime` (absent = now); `undefined` when nothing could be read. */
export type ReadCandlePage = (endTime?: Millis) => Promise<readonly Candle[] | undefined>;

/** Whom the series tells. */
export interface CandleListener {
  /** The first page, or all bars again after a gap. */
  onBars(bars: readonly Candle[], older: boolean): void;
  /** A page before the bars so far; `older` says whether there may be more. */
  onOlder(bars: readonly Candle[], older: boolean): void;
  /** The newest bar changed, or a new one opened. */
  onUpdate(bar: Candle): void;
  onFailure(): void;
}

/** The bars of one symbol at one interval. Not shared: a change of symbol or interval makes a new one. */
export interface CandleSeries {
  /** Reads the first page; again after a failure. */
  start(): void;
  /** Wants the page before the oldest bar; answered by `onOlder`, at once when it was prefetched. */
  wantOlder(): void;
  /** Takes a live bar. */
  fold(frame: CandleFrame): void;
  /** Reads the newest bars again: after a reconnect or when the tab came back. */
  catchUp(): void;
  close(): void;
}

/** Makes a series. It reads one page ahead, so that scrolling back answers at once. */
export function createCandleSeries(
  interval: CandleInterval,
  read: ReadCandlePage,
  listener: CandleListener,
): CandleSeries {
  let closed = false;
  let oldest: Millis | undefined;
  let newest: Candle | undefined;
  let count = 0;
  let reading = false;
  let wanted = false;
  let ahead: Promise<readonly Candle[] | undefined> | undefined;
  let waiting: Candle[] = [];

  const more = (page: readonly Candle[]): boolean => page.length > 0 && count < CANDLES_MAX;

  function prefetch(): void {
    if (oldest !== undefined && ahead === undefined && count < CANDLES_MAX) ahead = read(oldest);
  }

  async function readNewest(): Promise<void> {
    if (reading) return;
    reading = true;
    const page = await read();
    reading = false;
    if (closed) return;
    if (page === undefined) {
      listener.onFailure();
      return;
    }
    if (joins(page)) {
      const from = newest?.time ?? 0;
      for (const bar of page) if (bar.time >= from) take(bar);
      replayWaiting();
      return;
    }
    count = page.length;
    oldest = page[0]?.time;
    newest = page.at(-1);
    ahead = undefined;
    listener.onBars(page, more(page));
    replayWaiting();
    prefetch();
  }

  /** Whether a page read again continues what is shown: then only its end is new and the view stays. */
  function joins(page: readonly Candle[]): boolean {
    const last = newest;
    return last !== undefined && page.some((bar) => bar.time === last.time);
  }

  function replayWaiting(): void {
    const live = waiting;
    waiting = [];
    for (const bar of live) take(bar);
  }

  async function deliverOlder(): Promise<void> {
    prefetch();
    const source = ahead;
    if (source === undefined || wanted) return;
    wanted = true;
    const page = await source;
    wanted = false;
    // A fresh first page in the meantime has another oldest bar.
    if (closed || ahead !== source) return;
    ahead = undefined;
    if (page === undefined) {
      listener.onOlder([], true);
      return;
    }
    count += page.length;
    oldest = page[0]?.time ?? oldest;
    listener.onOlder(page, more(page));
    if (more(page)) prefetch();
  }

  function take(bar: Candle): void {
    if (newest === undefined || bar.time < newest.time) return;
    const next = nextCandleOpen(newest.time, interval);
    // Bars between are missing (a sleeping tab): the page knows them. One-second bars without trades may be skipped by a venue.
    if (bar.time > next && interval !== '1s') {
      waiting = [bar];
      void readNewest();
      return;
    }
    if (bar.time > newest.time) count += 1;
    newest = bar;
    listener.onUpdate(bar);
  }

  return {
    start: () => void readNewest(),
    wantOlder: () => void deliverOlder(),
    catchUp: () => void readNewest(),
    fold(frame) {
      if (closed || frame.i !== interval) return;
      const [time, open, high, low, close, volume] = frame.d;
      const bar = { time: time as Millis, open, high, low, close, volume };
      if (newest === undefined || reading) waiting = [...waiting.slice(-9), bar];
      else take(bar);
    },
    close() {
      closed = true;
    },
  };
}
