import type { Brand } from './brand.ts';
import type { Millis } from './ids.ts';
import type { Lots, Ticks } from './instrument.ts';

/** A venue's own counter of book updates; meaning differs by venue, continuity is checked by its connector. */
export type Seq = Brand<number, 'Seq'>;

/** One price level: absolute size, 0 removes it. */
export type BookLevel = readonly [price: Ticks, size: Lots];

/**
 * A normalised book message. A `snapshot` replaces everything; a `delta` names the levels that changed, with absolute sizes.
 * `previous` is the update that must be the last one applied; a book that holds another has a gap.
 */
export interface BookChange {
  readonly kind: 'snapshot' | 'delta';
  readonly symbol: string;
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  /** First and last venue update id contained; equal where the venue sends one. */
  readonly firstSeq: Seq;
  readonly lastSeq: Seq;
  /** Venue time of the event; our receive time where the venue sends none. */
  readonly time: Millis;
  readonly receivedAt: Millis;
  /** The venue's checksum of the book after this message, where it sends one. */
  readonly proof?: BookProof;
}

/** A checksum, and the levels of its message as `[price, size, …]` in the very strings that it is made over. */
export interface BookProof {
  /** Signed 32-bit integer. */
  readonly checksum: number;
  readonly bids: readonly (readonly unknown[])[];
  readonly asks: readonly (readonly unknown[])[];
}

/** A public trade. `side` is the aggressor's (taker's). */
export interface PublicTrade {
  readonly symbol: string;
  readonly id: string;
  readonly price: Ticks;
  readonly size: Lots;
  readonly side: 'buy' | 'sell';
  readonly time: Millis;
}

/** Rolling 24-hour figures as decimal strings of the venue; `undefined` where the venue has none (spot: no mark, index, funding). */
export interface Ticker {
  readonly symbol: string;
  readonly lastPrice: string;
  /** Percent, 2 decimals when shown. */
  readonly change: string;
  readonly openPrice: string;
  /** Price at the beginning of the day in UTC, where the venue says it (OKX `sodUtc0`). */
  readonly utcDayOpenPrice?: string;
  readonly highPrice: string;
  readonly lowPrice: string;
  /** Base volume of 24 h. */
  readonly volume: string;
  readonly quoteVolume: string;
  /** Quantity of the last trade, counted as `Instrument.lotSize` is; absent where the venue does not say it. */
  readonly lastSize?: string;
  readonly time: Millis;
  readonly markPrice?: string;
  readonly indexPrice?: string;
  readonly fundingRate?: string;
  readonly nextFundingTime?: Millis;
  /** Open interest in base coins. */
  readonly openInterest?: string;
}
