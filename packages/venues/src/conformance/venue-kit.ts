import type { Instrument, Millis } from '@crossbook/domain';
import type { VenueArbiter } from '../arbiter/venue-arbiter.ts';
import type { HttpAnswer } from '../transport.ts';
import type { FetchText, VenuePublic } from '../venue-public.ts';
import type { VenueTrading } from '../venue-trading.ts';

/** Levels as decimal strings, as every venue writes them. */
export type DecimalLevels = readonly (readonly [price: string, size: string])[];

/** Figures of a perpetual as decimal strings, and the time of its next funding in milliseconds. */
export interface ReportedStats {
  readonly mark: string;
  readonly index: string;
  readonly funding: string;
  readonly nextFunding: number;
}

/** What only perpetuals have, in a venue's words. */
export interface PerpetualWords {
  /** Open interest of the instrument, in base coins. */
  openInterest(base: string): string;
  /** The answer to a call that `tickers` makes, told by its URL. */
  tickers(url: string, stats: ReportedStats): string;
}

/** One order as a venue would tell of it; the kit writes it in the venue's words. */
export interface ReportedOrder {
  readonly clientId: string;
  readonly status: 'open' | 'filled' | 'cancelled';
  readonly executed: string;
  readonly executedQuote: string;
}

/**
 * What a venue hands to the numbered claims about market data: its connector, and its own words for things that
 * happen. A claim speaks only of our vocabulary; the kit translates it into the venue's documented messages.
 */
export interface PublicKit {
  readonly name: string;
  /** An instrument with tick 0.01 and lot 0.00001. */
  readonly instrument: Instrument;
  createPublic(fetchText: FetchText): VenuePublic;
  readonly rest: {
    /** The instrument above trading, one halted, one quoted in something else. */
    instruments(): string;
    depth(seq: number, bids: DecimalLevels, asks: DecimalLevels): string;
    /** Bars of one minute that open at these times, oldest first (the kit turns them where its venue does). */
    candles(times: readonly number[]): string;
  };
  /** Absent for a market of pairs. */
  readonly perpetual?: PerpetualWords;
  readonly frames: {
    /** Where the book comes whole on the socket. */
    snapshot?(seq: number, bids: DecimalLevels, asks: DecimalLevels): string;
    /** The claims use `first` equal to `last`: not every venue counts updates in ranges. */
    delta(first: number, last: number, bids: DecimalLevels, asks: DecimalLevels): string;
    trade(price: string, size: string, aggressor: 'buy' | 'sell'): string;
    /** A delta of a symbol nobody was told of. */
    strangeDelta(): string;
    acknowledged(requestId: number): string;
    /** Frames of kinds the claims do not speak of (tickers, candles): what mutation starts from besides. */
    further?(): readonly string[];
  };
}

/** The same for a venue one can trade on. */
export interface VenueKit extends PublicKit {
  /** A trading connector whose every request is answered by `answer`; it counts the requests that place orders. */
  createTrading(
    answer: () => HttpAnswer | Promise<never>,
    arbiter?: VenueArbiter,
  ): {
    readonly trading: VenueTrading;
    placings(): number;
  };
  /** True where the answer to a placement only acknowledges it and tells no execution. */
  readonly placementsAreBare?: true;
  readonly answers: {
    placed(order: ReportedOrder): HttpAnswer;
    /** The answer to a lookup of an order that the venue knows by this id of its own. */
    queried(order: ReportedOrder, venueOrderId: string): HttpAnswer;
    /** Codes of the venue's own list. */
    insufficientBalance(): HttpAnswer;
    duplicateId(): HttpAnswer;
    serverTimeout(): HttpAnswer;
    unheardOfCode(): HttpAnswer;
    unknownOrderOnCancel(): HttpAnswer;
    unknownOrderOnQuery(): HttpAnswer;
  };
}

/** A moment for tests. */
export const NOON = 1_770_000_000_000 as Millis;

/** One numbered claim that every venue must pass. Numbers are never reused. */
export interface Claim<Kit extends PublicKit = VenueKit> {
  readonly id: string;
  readonly says: string;
  prove(kit: Kit): void | Promise<void>;
}
