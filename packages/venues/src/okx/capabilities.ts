import { OKX_BUILT_INTERVALS, OKX_NATIVE_INTERVALS } from './intervals.ts';

/**
 * What OKX offers and where it ends, for spot and perpetuals alike.
 * Source: OKX v5 guide, market data and WebSocket sections (2026); limits are per address and two seconds.
 */
export const OKX_CAPABILITIES = {
  candleIntervals: OKX_NATIVE_INTERVALS,
  builtCandleIntervals: OKX_BUILT_INTERVALS,
  /** Rows of one page of `market/candles`, which reaches back 1,440 rows. */
  candlesPerPageMax: 300,
  /** Rows of one page of `market/history-candles`. */
  historyCandlesPerPageMax: 100,
  depthLevelsMax: 400,
  tradesPerPageMax: 500,
  /** Subscriptions, unsubscriptions and log-ons of one connection. */
  controlMessagesPerHourMax: 480,
  controlMessageBytesMax: 65_536,
  /** Channels of one subscription, so that its arguments (up to four a channel) stay well below the bound above. */
  channelsPerRequestMax: 100,
  /** A book that does not move is repeated after about 60 s; a little more, for the way here. */
  bookSilenceMillisMax: 65_000,
  /** The venue drops a connection on which it has heard and said nothing for 30 s; a text `ping` keeps it. */
  pingEveryMillis: 10_000,
  /** No age limit is documented; connections are cut at maintenance. A day keeps them fresh. */
  connectionLifeMillisMax: 24 * 3_600_000,
} as const;
