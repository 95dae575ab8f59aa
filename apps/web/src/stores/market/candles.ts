import type { CandleFrame } from '@crossbook/contract';
import { type Candle, type CandleInterval, type Millis, nextCandleOpen } from '@crossbook/domain';
import type { TapeStore } from './tape.ts';

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
  /** Takes a public trade: the newest bar ends at its price until the next live bar says better. */
  foldTrade(price: number, time: number): void;
  /** Reads the newest bars again: after a reconnect or when the tab came back. */
  catchUp(): void;
  close(): void;
}

/** Live bars kept while the first page is on its way. */
const WAITING_BARS_MAX = 10;

class PagedCandles implements CandleSeries {
  readonly #interval: CandleInterval;
  readonly #read: ReadCandlePage;
  readonly #listener: CandleListener;
  #closed = false;
  #reading = false;
  #delivering = false;
  #oldest: Millis | undefined;
  #newest: Candle | undefined;
  #count = 0;
  #ahead: Promise<readonly Candle[] | undefined> | undefined;
  #waiting: Candle[] = [];

  constructor(interval: CandleInterval, read: ReadCandlePage, listener: CandleListener) {
    this.#interval = interval;
    this.#read = read;
    this.#listener = listener;
  }

  start(): void {
    void this.#readNewest();
  }

  catchUp(): void {
    void this.#readNewest();
  }

  wantOlder(): void {
    void this.#deliverOlder();
  }

  fold(frame: CandleFrame): void {
    if (this.#closed || frame.i !== this.#interval) return;
    const [time, open, high, low, close, volume] = frame.d;
    const bar = { time: time as Millis, open, high, low, close, volume };
    if (this.#newest === undefined || this.#reading) {
      this.#waiting = [...this.#waiting.slice(1 - WAITING_BARS_MAX), bar];
    } else this.#takeLive(bar);
  }

  foldTrade(price: number, time: number): void {
    const last = this.#newest;
    if (this.#closed || last === undefined || last.close === price) return;
    // A trade of the next bar: only the venue opens bars, and this one's close is final.
    if (time < last.time || time >= nextCandleOpen(last.time, this.#interval)) return;
    this.#show({
      ...last,
      close: price,
      high: Math.max(last.high, price),
      low: Math.min(last.low, price),
    });
  }

  close(): void {
    this.#closed = true;
  }

  #mayHaveOlder(page: readonly Candle[]): boolean {
    return page.length > 0 && this.#count < CANDLES_MAX;
  }

  #prefetch(): void {
    if (this.#oldest === undefined || this.#count >= CANDLES_MAX) return;
    this.#ahead ??= this.#read(this.#oldest);
  }

  async #readNewest(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    const page = await this.#read();
    this.#reading = false;
    if (this.#closed) return;
    if (page === undefined) {
      this.#listener.onFailure();
      return;
    }
    const last = this.#newest;
    // A page that continues what is shown changes only its end, and the view stays where it is.
    if (last !== undefined && page.some((bar) => bar.time === last.time)) {
      for (const bar of page) if (bar.time >= last.time) this.#show(bar);
    } else this.#begin(page);
    const live = this.#waiting;
    this.#waiting = [];
    for (const bar of live) this.#show(bar);
    this.#prefetch();
  }

  #begin(page: readonly Candle[]): void {
    this.#count = page.length;
    this.#oldest = page[0]?.time;
    this.#newest = page.at(-1);
    this.#ahead = undefined;
    this.#listener.onBars(page, this.#mayHaveOlder(page));
  }

  async #deliverOlder(): Promise<void> {
    this.#prefetch();
    const source = this.#ahead;
    if (source === undefined || this.#delivering) return;
    this.#delivering = true;
    const page = await source;
    this.#delivering = false;
    // A fresh first page in the meantime has another oldest bar.
    if (this.#closed || this.#ahead !== source) return;
    this.#ahead = undefined;
    if (page === undefined) {
      this.#listener.onOlder([], true);
      return;
    }
    this.#count += page.length;
    this.#oldest = page[0]?.time ?? this.#oldest;
    this.#listener.onOlder(page, this.#mayHaveOlder(page));
    if (this.#mayHaveOlder(page)) this.#prefetch();
  }

  #takeLive(bar: Candle): void {
    const last = this.#newest;
    // Bars between are missing (a sleeping tab): the page knows them. One-second bars without trades may be skipped by a venue.
    if (
      last !== undefined &&
      bar.time > nextCandleOpen(last.time, this.#interval) &&
      this.#interval !== '1s'
    ) {
      this.#waiting = [bar];
      void this.#readNewest();
    } else this.#show(bar);
  }

  /** Shows a bar without asking what lies before it: a hole that the page has too is the venue's own. */
  #show(bar: Candle): void {
    const last = this.#newest;
    if (last === undefined || bar.time < last.time) return;
    if (bar.time > last.time) this.#count += 1;
    this.#newest = bar;
    this.#listener.onUpdate(bar);
  }
}

/** Makes a series. It reads one page ahead, so that scrolling back answers at once. */
export function createCandleSeries(
  interval: CandleInterval,
  read: ReadCandlePage,
  listener: CandleListener,
): CandleSeries {
  return new PagedCandles(interval, read, listener);
}

/**
 * Keeps the newest bar as quick as the tape, each trade once: a live bar that came after the trade is not undone.
 * @param priceOf the price of so many ticks.
 * @returns what ends it.
 */
export function foldTape(
  tape: Pick<TapeStore, 'trades' | 'subscribe'>,
  series: Pick<CandleSeries, 'foldTrade'>,
  priceOf: (ticks: number) => number,
): () => void {
  let folded = tape.trades()[0]?.id;
  return tape.subscribe(() => {
    const newest = tape.trades()[0];
    if (newest === undefined || newest.id === folded) return;
    folded = newest.id;
    series.foldTrade(priceOf(newest.price), newest.time);
  });
}
