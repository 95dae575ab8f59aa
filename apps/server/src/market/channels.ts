import type { BookFrame, CandleFrame, ServerFrame, TickerFrame, TradesFrame } from '@crossbook/contract';
import type { Book, Candle, PublicTrade, Ticker, Ticks } from '@crossbook/domain';
import type { BookDirt } from './live-books.ts';

/** Trades a new subscriber gets, and the tape keeps per instrument. */
export const RECENT_TRADES_MAX = 60;

/** What one followed channel has to say: a change for those who follow it, everything for those who join. */
export interface ChannelState {
  /** The frame of this tick, or nothing. */
  change(): ServerFrame | undefined;
  /** The frame for a newcomer or a client that skipped ticks; nothing while there is no data. */
  whole(): ServerFrame | undefined;
}

/** A book as frames. Sequence numbers count what was published, so that a client sees a gap at once. */
export class BookChannel implements ChannelState {
  readonly #symbol: string;
  readonly #dirt: () => BookDirt | undefined;
  readonly #live: () => { readonly book: Book; readonly time: number } | undefined;
  #sequence = 0;

  constructor(
    symbol: string,
    source: {
      readonly dirt: () => BookDirt | undefined;
      readonly live: () => { readonly book: Book; readonly time: number } | undefined;
    },
  ) {
    this.#symbol = symbol;
    this.#dirt = source.dirt;
    this.#live = source.live;
  }

  change(): BookFrame | undefined {
    const dirt = this.#dirt();
    const live = this.#live();
    if (dirt === undefined || live === undefined) return undefined;
    const previous = this.#sequence;
    this.#sequence += 1;
    if (dirt.reset) return this.#snapshot(live);
    const { book } = live;
    const b = flat(dirt.bids, (price) => book.sizeAt('bids', price));
    const a = flat(dirt.asks, (price) => book.sizeAt('asks', price));
    return { ch: 'book', s: this.#symbol, k: 'd', q: this.#sequence, p: previous, b, a, t: dirt.time };
  }

  whole(): BookFrame | undefined {
    const live = this.#live();
    return live === undefined ? undefined : this.#snapshot(live);
  }

  #snapshot(live: { readonly book: Book; readonly time: number }): BookFrame {
    const b = live.book.levels('bids').flat();
    const a = live.book.levels('asks').flat();
    return { ch: 'book', s: this.#symbol, k: 's', q: this.#sequence, b, a, t: live.time };
  }
}

function flat(prices: ReadonlySet<Ticks>, sizeAt: (price: Ticks) => number): number[] {
  const levels: number[] = [];
  for (const price of prices) levels.push(price, sizeAt(price));
  return levels;
}

/** The tape as frames. */
export class TradesChannel implements ChannelState {
  readonly #symbol: string;
  #recent: TradesFrame['d'][number][] = [];
  #fresh: TradesFrame['d'][number][] = [];

  constructor(symbol: string) {
    this.#symbol = symbol;
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
    return { ch: 'trades', s: this.#symbol, k: 'd', d };
  }

  whole(): TradesFrame {
    return { ch: 'trades', s: this.#symbol, k: 's', d: this.#recent.slice(-RECENT_TRADES_MAX) };
  }
}

/** A channel of which only the newest value matters: latest wins. */
abstract class LatestChannel<Frame extends ServerFrame> implements ChannelState {
  #latest: Frame | undefined;
  #dirty = false;

  protected put(frame: Frame): void {
    this.#latest = frame;
    this.#dirty = true;
  }

  change(): Frame | undefined {
    if (!this.#dirty) return undefined;
    this.#dirty = false;
    return this.#latest;
  }

  whole(): Frame | undefined {
    return this.#latest;
  }
}

/** The 24-hour figures as frames. */
export class TickerChannel extends LatestChannel<TickerFrame> {
  set(ticker: Ticker): void {
    const { lastPrice: last, change, openPrice: open, highPrice: high, lowPrice: low } = ticker;
    const { volume, quoteVolume, time: t } = ticker;
    this.put({
      ch: 'ticker',
      s: ticker.symbol,
      d: { last, change, open, high, low, volume, quoteVolume, t },
    });
  }
}

/** The newest bar of one interval as frames. */
export class CandleChannel extends LatestChannel<CandleFrame> {
  readonly #symbol: string;
  readonly #interval: string;

  constructor(symbol: string, interval: string) {
    super();
    this.#symbol = symbol;
    this.#interval = interval;
  }

  set(candle: Candle, closed: boolean): void {
    const { time, open, high, low, close, volume } = candle;
    const d = [time, open, high, low, close, volume] as const;
    this.put({ ch: 'candle', s: this.#symbol, i: this.#interval, d, x: closed });
  }
}
