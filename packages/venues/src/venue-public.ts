import type {
  Book,
  BookChange,
  Candle,
  CandleInterval,
  Instrument,
  Millis,
  Platform,
  PublicTrade,
  Result,
  Seq,
  SymbolType,
  Ticker,
} from '@crossbook/domain';
import type { CandleUpdate } from './built-candles.ts';

/**
 * The ports of a venue's public half: what `server/market` and the browser use, whichever venue is behind it.
 * Everything here is isomorphic: clock, HTTP and sockets are handed in (house style 3).
 */

/** Fetches one URL with GET. Rejects only on network failure or time-out; any HTTP status is an answer. */
export type FetchText = (url: string) => Promise<{ readonly status: number; readonly text: string }>;

/** What a venue's public REST calls need from outside; who asks only by REST names no socket. */
export interface PublicRestOptions {
  /** The exchange (`https://api.binance.com`), a simulator, or an own-origin relay such as `/md/binance`. */
  readonly restBase: string;
  readonly fetchText: FetchText;
  readonly clock: () => Millis;
  /** Instruments already known, where `instruments` is not called first (the browser has them from the hub). */
  readonly instruments?: readonly Instrument[];
}

/** Why a public call gave nothing. Callers log it and show no data (spec section 8); nothing is ever thrown. */
export type MarketDataFailure = 'network' | 'http-status' | 'venue-error' | 'malformed' | 'unknown-symbol';

/** Public REST calls of one venue. Every list is oldest first, whatever the venue's own order. */
export interface VenuePublicRest {
  serverTime(): Promise<Result<Millis, MarketDataFailure>>;
  /**
   * All instruments the venue lists for a type, live and halted, only USDT-quoted (spec section 8).
   * @param symbol only that one: what the venue says of it now.
   */
  instruments(
    symbolType: SymbolType,
    symbol?: string,
  ): Promise<Result<readonly Instrument[], MarketDataFailure>>;
  tickers(symbolType: SymbolType): Promise<Result<readonly Ticker[], MarketDataFailure>>;
  ticker(instrument: Instrument): Promise<Result<Ticker, MarketDataFailure>>;
  /** A book snapshot; `limit` levels a side, clamped to what the venue allows. */
  depth(instrument: Instrument, limit: number): Promise<Result<BookChange, MarketDataFailure>>;
  /** At most `limit` bars that open before `endTime` (exclusive; absent = now), the newest such. */
  candles(
    instrument: Instrument,
    interval: CandleInterval,
    page: { readonly limit: number; readonly endTime?: Millis },
  ): Promise<Result<readonly Candle[], MarketDataFailure>>;
  trades(instrument: Instrument, limit: number): Promise<Result<readonly PublicTrade[], MarketDataFailure>>;
  /** Open interest of perpetuals in base coins, by symbol; what the venue does not tell is absent. */
  openInterest(
    instruments: readonly Instrument[],
  ): Promise<Result<ReadonlyMap<string, string>, MarketDataFailure>>;
}

/** What can be followed on a public socket. */
export type MarketChannel =
  | { readonly kind: 'book'; readonly symbol: string }
  | { readonly kind: 'trades'; readonly symbol: string }
  | { readonly kind: 'ticker'; readonly symbol: string }
  | { readonly kind: 'candle'; readonly symbol: string; readonly interval: CandleInterval };

/** The figures of a ticker that only perpetuals have. */
export type PerpStats = Pick<
  Ticker,
  'markPrice' | 'indexPrice' | 'fundingRate' | 'nextFundingTime' | 'openInterest'
>;

/** One decoded frame of a public socket. `malformed` frames are counted and dropped by the caller. */
export type MarketMessage =
  | { readonly kind: 'book'; readonly change: BookChange }
  | { readonly kind: 'trades'; readonly trades: readonly PublicTrade[] }
  | { readonly kind: 'ticker'; readonly ticker: Ticker }
  /** What a venue says of a perpetual beside its ticker, on channels of their own. Only what the message named. */
  | { readonly kind: 'perp-stats'; readonly symbol: string; readonly stats: PerpStats }
  | {
      readonly kind: 'candle';
      readonly symbol: string;
      readonly interval: CandleInterval;
      readonly candle: Candle;
      readonly closed: boolean;
      /**
       * Bars that the same frame tells after this one, in order: the next of its interval (Bybit closes one and opens
       * the next in one frame), and those of longer intervals that the venue lacks, made with it (decision 0030.24).
       */
      readonly further?: readonly CandleUpdate[];
    }
  | { readonly kind: 'acknowledged'; readonly requestId: number; readonly accepted: boolean }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'malformed'; readonly why: string };

/** How to talk on one venue's public socket, without owning a socket: `server/market/feed.ts` owns it. */
export interface PublicSocketCodec {
  url(): string;
  subscribe(channels: readonly MarketChannel[], requestId: number): string;
  unsubscribe(channels: readonly MarketChannel[], requestId: number): string;
  /** Takes the received bytes; never throws, whatever they are. */
  decode(frame: Uint8Array, receivedAt: Millis): MarketMessage;
  /** A text to send every so often, where the venue wants one; Binance pings by itself. */
  readonly heartbeat?: { readonly everyMillis: number; readonly frame: string };
  /** The venue closes a connection of this age; a new one must be live before. */
  readonly lifeMillisMax: number;
  /** Channels that one `subscribe` or `unsubscribe` may name, where the venue refuses more (Bybit spot: 10). */
  readonly channelsPerRequestMax?: number;
  /** Subscriptions and unsubscriptions that one connection may send, where the venue counts them (OKX: 480 an hour). */
  readonly controlMessagesMax?: number;
  /** Whether this socket has the channel; absent where it has all of them. See `VenuePublic.furtherSockets`. */
  carries?(channel: MarketChannel): boolean;
}

/** Whether a delta continues a book that last applied `applied`. */
export type Continuity = 'continues' | 'already-applied' | 'gap';

/**
 * Judges a book by the venue's own checksum, for one book. It must be shown every change that is applied, in order.
 * `silent`: the venue said nothing that could be checked.
 */
export interface BookWitness {
  judge(change: BookChange, book: Book): 'agrees' | 'disagrees' | 'silent';
}

/** One venue's public half. */
export interface VenuePublic {
  readonly platform: Platform;
  readonly rest: VenuePublicRest;
  readonly socket: PublicSocketCodec;
  /**
   * Where a venue spreads its channels over several addresses (OKX: candles on `/business`; Binance futures: `/public`
   * and `/market`). A channel belongs to the first of `socket` and these that `carries` it.
   */
  readonly furtherSockets?: readonly PublicSocketCodec[];
  /** The venue's own rule for joining deltas to a book (Binance spot: U <= last + 1 <= u, then U = last + 1). */
  continuity(applied: Seq, change: BookChange): Continuity;
  /** Makes a witness for one book, where the venue sends checksums. */
  readonly bookWitness?: () => BookWitness;
  /**
   * How long a sound book may be quiet, where the venue lets it be so for longer than a few seconds (OKX repeats a book
   * that does not move once a minute). Counts only while the connection is known to be alive.
   */
  readonly bookSilenceMillisMax?: number;
  /** True where the first book message on the socket is a snapshot, false where it must be fetched by REST. */
  readonly socketSendsSnapshots: boolean;
}
