import { CANDLE_INTERVALS, type CandleInterval } from '@crossbook/domain';

/**
 * What Binance spot offers and where it ends.
 * Source: binance-spot-api-docs, rest-api.md and web-socket-streams.md (2026-07-21).
 */
export const BINANCE_SPOT_CAPABILITIES = {
  /** Every resolution of the chart is native. */
  candleIntervals: CANDLE_INTERVALS as readonly CandleInterval[],
  /** Rows of one candle page; more is silently cut by the venue. */
  candlesPerPageMax: 1_000,
  depthLevelsMax: 5_000,
  tradesPerPageMax: 1_000,
  streamsPerConnectionMax: 1_024,
  controlMessagesPerSecondMax: 5,
  /** The venue closes every connection at this age. */
  connectionLifeMillisMax: 24 * 3_600_000,
  /** The venue pings this often and drops a connection without pong after `pongMillisMax`. */
  pingEveryMillis: 20_000,
  pongMillisMax: 60_000,
  /** Request weight of one address and minute. */
  weightPerMinuteMax: 6_000,
  receiveWindowMillisMax: 60_000,
} as const;
