import {
  decimalsOf,
  formatTicks,
  PRICE_AGE_MILLIS_MAX,
  type SymbolType,
  type Ticks,
} from '@crossbook/domain';
import { type BookStore, createBookStore } from '../../../stores/market/book.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { follow, followBook, type LiveStatus, type VenueUpdate } from '../../../stores/market/live.ts';
import { streamName } from '../../../stores/market/market.ts';
import { createTapeStore, type TapeStore } from '../../../stores/market/tape.ts';
import { createTickerStore, type TickerStore } from '../../../stores/market/ticker.ts';

/** The live stores of the instrument on screen. They outlive a change of instrument, so the page does not flicker. */
export interface LiveMarket {
  readonly book: BookStore;
  readonly tape: TapeStore;
  readonly ticker: TickerStore;
}

/** Makes the stores, once for the life of the page. */
export function createLiveMarket(): LiveMarket {
  return { book: createBookStore(), tape: createTapeStore(), ticker: createTickerStore() };
}

/** Subscribes the stores to an instrument until the returned function is called. */
export function followInstrument(market: LiveMarket, instrument: ListedInstrument): () => void {
  const { platform } = instrument;
  const name = streamName(instrument);
  market.book.follow(name);
  market.tape.follow(name);
  market.ticker.follow(name, decimalsOf(instrument.tickSize));
  const stops = [
    follow(platform, { ch: 'ticker', ...name }, (frame) => market.ticker.fold(frame, performance.now())),
    followBook(platform, name, market.book),
    follow(platform, { ch: 'trades', ...name }, (frame) => {
      market.tape.fold(frame, performance.now());
      const newest = market.tape.trades()[0];
      // The tape is quicker than the ticker: the last price on the page is the last trade.
      if (newest !== undefined) market.ticker.foldLast(formatTicks(newest.price as Ticks, instrument));
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** A price older than this blocks market orders. */
export const PRICE_STALE_MILLIS = PRICE_AGE_MILLIS_MAX;
// The hub vouches for a quiet market every 5 s; one such update may be a little late.
const VENUE_UPDATE_MILLIS_MAX = PRICE_STALE_MILLIS + 1_500;

/** How current what is on screen is. */
export interface Freshness {
  readonly stale: boolean;
  /** Nothing that a market order could rely on: old, or not here yet. */
  readonly unpriced: boolean;
  /** Whole seconds since the newest figure; `undefined` before the first one. */
  readonly ageSeconds: number | undefined;
  readonly connected: boolean;
}

/** Whether the hub has just said that its connection to a market is live: what did not change since is still true. */
export function isVouched(status: LiveStatus | undefined, symbolType: SymbolType, now: number): boolean {
  const update = status?.phase === 'open' ? status.venues[symbolType] : undefined;
  return update?.state === 'live' && now - update.receivedAt <= VENUE_UPDATE_MILLIS_MAX;
}

/** Whether the first prices of a market are here: its book, and of a contract the mark, which what it costs follows. A gap takes nothing back. */
export function isKnown({ book, ticker }: LiveMarket, symbolType: SymbolType): boolean {
  return book.receivedAt() !== undefined && (symbolType === 'SPOT' || ticker.stats()?.mark !== undefined);
}

/** Age of the newest figure by the hub's clock, ms: what it kept of a lost venue was old when it came here. */
function keptMillis(market: LiveMarket, update: VenueUpdate, now: number): number {
  const times = [market.book.time(), market.ticker.time(), market.tape.trades()[0]?.time];
  const newest = Math.max(...times.map((time) => time ?? 0));
  return newest === 0 ? 0 : update.millis + (now - update.receivedAt) - newest;
}

/**
 * Judges the age of the book at `now` (performance clock). A quiet market is fresh while the hub says that it is live.
 * @param symbolType which of the venue's markets it is: each has an upstream connection of its own.
 */
export function freshness(
  market: LiveMarket,
  status: LiveStatus | undefined,
  symbolType: SymbolType,
  now: number,
): Freshness {
  const update = status?.venues[symbolType];
  const connected = status?.phase === 'open';
  const ages = [market.book.receivedAt(), market.ticker.receivedAt(), market.tape.receivedAt()].filter(
    (at) => at !== undefined,
  );
  const newest = ages.length === 0 ? undefined : Math.max(...ages);
  const age = newest === undefined ? undefined : now - newest;
  // Before the first figure nothing is old: the panels show that they are waiting.
  const old = age !== undefined && age > PRICE_STALE_MILLIS && !isVouched(status, symbolType, now);
  const lost = update?.state === 'stale' || update?.state === 'down' ? update : undefined;
  const stale = !connected || lost !== undefined || old;
  const kept = lost === undefined ? 0 : keptMillis(market, lost, now);
  return {
    stale,
    unpriced: stale || !market.book.ready(),
    ageSeconds: age === undefined ? undefined : Math.floor(Math.max(age, kept) / 1_000),
    connected,
  };
}
