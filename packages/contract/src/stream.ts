import type { Platform, PlatformType } from '@crossbook/domain';
import type { AlgoRow } from './schema/algo-orders.ts';
import type {
  ClosedPositionRow,
  FundingRow,
  MarginRow,
  PositionRow,
  SettingRow,
} from './schema/contracts.ts';
import type { BalanceRow, FillRow, OrderRow, PriceAlertRow, TransferRow } from './schema/rows.ts';

/**
 * Frames of the live connection `/live/1`, `/live/2`, `/live/3` (spec sections 4 and 7). Text: `ping` is answered by `pong`;
 * everything else is one JSON object per frame. Prices and sizes of books and trades are whole ticks and lots of the instrument.
 */

/** A public channel. Candle channels name their interval; `bbo` is the best bid and offer of every venue. */
export type PublicChannel = 'book' | 'trades' | 'ticker' | 'candle' | 'bbo';

/** Which of a venue's markets a channel or frame belongs to: 2 perpetuals; absent means spot (`tinstType`). */
export type StreamMarket = 2;

/** What a client wants to follow. */
export interface ChannelArg {
  readonly ch: PublicChannel;
  /** The venue's symbol; for `bbo` the base coin, such as `BTC`. */
  readonly s: string;
  readonly m?: StreamMarket;
  /** Candle interval, for `candle` only. */
  readonly i?: string;
}

/** What a client may send (besides the text `ping`). */
export type ClientFrame =
  | {
      readonly action: 'login';
      readonly args: { readonly apiKey: string; readonly timestamp: string; readonly sign: string };
    }
  | { readonly action: 'subscribe' | 'unsubscribe'; readonly args: readonly ChannelArg[] };

/**
 * A book. `k: 's'` replaces everything; `k: 'd'` follows the frame whose `q` is `p` (else the client has a gap and
 * subscribes again). Levels are flat: tick, lots, tick, lots, …; lots 0 removes. Bids and asks are best first in snapshots.
 */
export interface BookFrame {
  readonly ch: 'book';
  readonly s: string;
  readonly m?: StreamMarket;
  readonly k: 's' | 'd';
  readonly q: number;
  readonly p?: number;
  readonly b: readonly number[];
  readonly a: readonly number[];
  /** Venue time of the newest change, ms. */
  readonly t: number;
}

/** Trades, oldest first: id, tick, lots, taker side (1 buy, 2 sell), time ms. `k: 's'` is the recent tape on subscribing. */
export interface TradesFrame {
  readonly ch: 'trades';
  readonly s: string;
  readonly m?: StreamMarket;
  readonly k: 's' | 'd';
  readonly d: readonly (readonly [string, number, number, 1 | 2, number])[];
}

/** 24-hour figures as decimal strings. */
export interface TickerFrame {
  readonly ch: 'ticker';
  readonly s: string;
  readonly m?: StreamMarket;
  readonly d: {
    readonly last: string;
    readonly change: string;
    readonly open: string;
    readonly high: string;
    readonly low: string;
    readonly volume: string;
    readonly quoteVolume: string;
    /** Quantity of the last trade, counted as lots are; absent where the venue does not say it. */
    readonly lastSize?: string;
    readonly t: number;
    /** Perpetuals only, as far as the venue has said it: mark and index price, funding rate as a fraction, its next time (ms). */
    readonly mark?: string;
    readonly index?: string;
    readonly funding?: string;
    readonly nextFunding?: number;
    /** Open interest in base coins. */
    readonly interest?: string;
  };
}

/**
 * Best bid and offer of one base coin against USDT at every venue: platform, bid, ask as decimal strings. A venue whose
 * book is not live is left out: nothing stale is ever compared.
 */
export interface BestFrame {
  readonly ch: 'bbo';
  /** Base coin. */
  readonly s: string;
  readonly m?: StreamMarket;
  readonly d: readonly (readonly [platform: Platform, bid: string, ask: string])[];
  readonly t: number;
}

/** The newest bar of an interval: open time ms, open, high, low, close, base volume; `x` when it is complete. */
export interface CandleFrame {
  readonly ch: 'candle';
  readonly s: string;
  readonly m?: StreamMarket;
  readonly i: string;
  readonly d: readonly [number, number, number, number, number, number];
  readonly x: boolean;
}

/** State of the hub's own connection to one of the venue's markets; sent on change and every 5 s to those who follow it. */
export interface VenueFrame {
  readonly ch: 'venue';
  readonly m?: StreamMarket;
  readonly state: 'live' | 'stale' | 'down';
  /** Every member's balances and open orders were compared with the venue within so many seconds. */
  readonly c: number;
  /** Server time, ms. */
  readonly t: number;
}

/** Answer to login, subscribe and unsubscribe; `code` 0 is success. A refused channel is named. */
export interface EventFrame {
  readonly event: 'login' | 'subscribe' | 'unsubscribe' | 'error';
  readonly code: number;
  readonly msg: string;
  readonly arg?: ChannelArg;
}

/**
 * A private event of the logged-in member. `q` rises by one; a gap means: read again by REST.
 * After login the hub first sends `kind: 'hello'` with the newest `q`.
 */
export interface UserFrame {
  readonly ch: 'user';
  readonly q: number;
  readonly d: UserEvent;
}

/** What can happen to a member. Rows are those of the REST calls. */
export type UserEvent =
  | { readonly kind: 'hello' }
  | { readonly kind: 'order'; readonly order: OrderRow }
  /** An order that waits for a price, placed, changed or done. */
  | { readonly kind: 'algo'; readonly algo: AlgoRow }
  | { readonly kind: 'fill'; readonly fill: FillRow }
  /** A price alert that fired. */
  | { readonly kind: 'price-alert'; readonly alert: PriceAlertRow }
  | {
      readonly kind: 'balance';
      readonly wallet: 'funding' | PlatformType;
      readonly rows: readonly BalanceRow[];
    }
  | { readonly kind: 'transfer'; readonly transfer: TransferRow }
  /** A position that changed; quantity 0 is a closed one. */
  | { readonly kind: 'position'; readonly position: PositionRow }
  | { readonly kind: 'position-closed'; readonly closed: ClosedPositionRow }
  | { readonly kind: 'margin'; readonly margin: MarginRow }
  | { readonly kind: 'setting'; readonly setting: SettingRow }
  | { readonly kind: 'funding'; readonly funding: FundingRow }
  /** The exchange warns that positions come near liquidation; `symbols` are those it names. */
  | { readonly kind: 'margin-call'; readonly exchange: Platform; readonly symbols: readonly string[] }
  | { readonly kind: 'signed-out' };

/** Anything the hub sends. */
export type ServerFrame =
  | BookFrame
  | TradesFrame
  | TickerFrame
  | CandleFrame
  | BestFrame
  | VenueFrame
  | EventFrame
  | UserFrame;

/** Limits of the live connection. */
export const STREAM_LIMITS = {
  /** Channels one connection may follow; more are refused by name. */
  channelsMax: 200,
  /** Longest frame a client may send, bytes; longer closes the connection. */
  clientFrameBytesMax: 16_384,
  /** Client pings every 10 s (spec section 9). */
  pingEveryMillis: 10_000,
  /** Unanswered pings before the client closes (spec section 9). */
  pingsUnansweredMax: 3,
} as const;
