import {
  type BookFrame,
  type CandleFrame,
  type ServerFrame,
  type StreamMarket,
  streamMarket,
  type TickerFrame,
  type TradesFrame,
} from '@crossbook/contract';
import type { Book, Candle, PublicTrade, SymbolType, Ticker, Ticks } from '@crossbook/domain';
import type { PerpStats } from '@crossbook/venues';
import type { DirtyLevels } from './live-books.ts';

/** Trades a new subscriber gets, and the tape keeps per instrument. */
export const RECENT_TRADES_MAX = 60;

/** What one followed channel has to say: a change for those who follow it, everything for those who join. */
export interface ChannelState {
  /** The frame of this tick, or nothing. */
  change(): ServerFrame | undefined;
  /** The frame for a newcomer or a client that skipped ticks; nothing while there is no data. */
  snapshot(): ServerFrame | undefined;
}

/** What a channel is about, as every frame names it. */
export interface ChannelPlace {
  readonly s: string;
  readonly m?: StreamMarket;
}

/** The place of an instrument, or of a coin, in one market. */
export function placeOf(symbolType: SymbolType, s: string): ChannelPlace {
  return { s, ...streamMarket(symbolType) };
}

/** A book as frames. Sequence numbers count what was published, so that a client sees a gap at once. */
export class BookChannel implements ChannelState {
  readonly #place: ChannelPlace;
  readonly #dirtyLevels: () => DirtyLevels | undefined;
  readonly #live: () => { readonly book: Book; readonly time: number } | undefined;
  #sequence = 0;

  constructor(
    place: ChannelPlace,
    source: {
      readonly dirtyLevels: () => DirtyLevels | undefined;
      readonly live: () => { readonly book: Book; readonly time: number } | undefined;
    },
  ) {
    this.#place = place;
    this.#dirtyLevels = source.dirtyLevels;
    this.#live = source.live;
  }

  change(): BookFrame | undefined {
    const dirty = this.#dirtyLevels();
    const live = this.#live();
    if (dirty === undefined || live === undefined) return undefined;
    const previous = this.#sequence;
    this.#sequence += 1;
    if (dirty.reset) return this.#snapshot(live);
    const { book } = live;
    const b = flat(dirty.bids, (price) => book.sizeAt('bids', price));
    const a = flat(dirty.asks, (price) => book.sizeAt('asks', price));
    return { ch: 'book', ...this.#place, k: 'd', q: this.#sequence, p: previous, b, a, t: dirty.time };
  }

  snapshot(): BookFrame | undefined {
    const live = this.#live();
    return live === undefined ? undefined : this.#snapshot(live);
  }

  #snapshot(live: { readonly book: Book; readonly time: number }): BookFrame {
    const b = live.book.levels('bids').flat();
    const a = live.book.levels('asks').flat();
    return { ch: 'book', ...this.#place, k: 's', q: this.#sequence, b, a, t: live.time };
  }
}

function flat(prices: ReadonlySet<Ticks>, sizeAt: (price: Ticks) => number): number[] {
  const levels: number[] = [];
  for (const price of prices) levels.push(price, sizeAt(price));
  return levels;
}

/** The tape as frames. */
export class TradesChannel implements ChannelState {
  readonly #place: ChannelPlace;
  #recent: TradesFrame['d'][number][] = [];
  #fresh: TradesFrame['d'][number][] = [];

  constructor(place: ChannelPlace) {
    this.#place = place;
  }

  add(trades: readonly PublicTrade[]): void {
    for (const trade of trades) {
      // Two connections feed us while one takes over from the other.
      if (this.#recent.some((known) => known[0] === trade.id)) continue;
      const row = [trade.id, trade.price, trade.size, trade.side === 'buy' ? 1 : 2, trade.time] as const;
      this.#fresh.push(row);
      this.#recent.push(row);
    }
    if (this.#recent.length > 2 * RECENT_TRADES_MAX) this.#recent = this.#recent.slice(-RECENT_TRADES_MAX);
    // One tick never needs more than a screen of trades; the newest are kept.
    if (this.#fresh.length > RECENT_TRADES_MAX) this.#fresh = this.#fresh.slice(-RECENT_TRADES_MAX);
  }

  change(): TradesFrame | undefined {
    if (this.#fresh.length === 0) return undefined;
    const d = this.#fresh;
    this.#fresh = [];
    return { ch: 'trades', ...this.#place, k: 'd', d };
  }

  snapshot(): TradesFrame {
    return { ch: 'trades', ...this.#place, k: 's', d: this.#recent.slice(-RECENT_TRADES_MAX) };
  }
}

/** The 24-hour figures as frames, with what a venue says of a perpetual beside them. Latest wins. */
export class TickerChannel implements ChannelState {
  readonly #place: ChannelPlace;
  #ticker: Ticker | undefined;
  #stats: PerpStats = {};
  #dirty = false;
  #streamsInterest = false;

  constructor(place: ChannelPlace) {
    this.#place = place;
  }

  /** Whether the venue's own stream tells the open interest. */
  get streamsInterest(): boolean {
    return this.#streamsInterest;
  }

  /** The mark as it was said last. */
  get mark(): string | undefined {
    return this.#stats.markPrice;
  }

  set(ticker: Ticker): void {
    this.#ticker = ticker;
    this.#streamsInterest ||= ticker.openInterest !== undefined;
    this.learn(ticker);
  }

  /** Takes what is named; what is not stays as it was said last. */
  learn({ markPrice, indexPrice, fundingRate, nextFundingTime, openInterest }: PerpStats): void {
    this.#stats = {
      ...this.#stats,
      ...(markPrice === undefined ? {} : { markPrice }),
      ...(indexPrice === undefined ? {} : { indexPrice }),
      ...(fundingRate === undefined ? {} : { fundingRate }),
      ...(nextFundingTime === undefined ? {} : { nextFundingTime }),
      ...(openInterest === undefined ? {} : { openInterest }),
    };
    this.#dirty = true;
  }

  change(): TickerFrame | undefined {
    if (!this.#dirty) return undefined;
    this.#dirty = false;
    return this.snapshot();
  }

  snapshot(): TickerFrame | undefined {
    if (this.#ticker === undefined) return undefined;
    const { lastPrice: last, change, openPrice: open, highPrice: high, lowPrice: low } = this.#ticker;
    const { volume, quoteVolume, lastSize, time: t } = this.#ticker;
    const size = lastSize === undefined ? {} : { lastSize };
    const d = { last, change, open, high, low, volume, quoteVolume, ...size, t, ...shown(this.#stats) };
    return { ch: 'ticker', ...this.#place, d };
  }
}

function shown({ markPrice, indexPrice, fundingRate, nextFundingTime, openInterest }: PerpStats) {
  return {
    ...(markPrice === undefined ? {} : { mark: markPrice }),
    ...(indexPrice === undefined ? {} : { index: indexPrice }),
    ...(fundingRate === undefined ? {} : { funding: fundingRate }),
    ...(nextFundingTime === undefined ? {} : { nextFunding: nextFundingTime }),
    ...(openInterest === undefined ? {} : { interest: openInterest }),
  };
}

/** Bars that ended and wait for their tick; more than two intervals never end in one. */
const ENDED_BARS_MAX = 3;

/** The newest bar of one interval as frames. Latest wins, but the last update of a bar that ends is not lost. */
export class CandleChannel implements ChannelState {
  readonly #place: ChannelPlace;
  readonly #interval: string;
  readonly #ended: CandleFrame[] = [];
  #latest: CandleFrame | undefined;
  #dirty = false;

  constructor(place: ChannelPlace, interval: string) {
    this.#place = place;
    this.#interval = interval;
  }

  set(candle: Candle, closed: boolean): void {
    const { time, open, high, low, close, volume } = candle;
    const before = this.#latest;
    if (before !== undefined && time < before.d[0]) return;
    if (before !== undefined && this.#dirty && time > before.d[0]) {
      this.#ended.push(before);
      if (this.#ended.length > ENDED_BARS_MAX) this.#ended.shift();
    }
    const d = [time, open, high, low, close, volume] as const;
    this.#latest = { ch: 'candle', ...this.#place, i: this.#interval, d, x: closed };
    this.#dirty = true;
  }

  /** One bar a tick: where one ended and the next began between two ticks, the next follows with the tick after. */
  change(): CandleFrame | undefined {
    const ended = this.#ended.shift();
    if (ended !== undefined) return ended;
    if (!this.#dirty) return undefined;
    this.#dirty = false;
    return this.#latest;
  }

  snapshot(): CandleFrame | undefined {
    return this.#latest;
  }
}
