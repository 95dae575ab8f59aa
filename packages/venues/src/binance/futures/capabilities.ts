import { CANDLE_INTERVALS, type CandleInterval } from '@crossbook/domain';

/**
 * What Binance USD-M futures offers and where it ends.
 * Source: the types of the official connector (derivatives-trading-usds-futures 38.1.1) and its documentation.
 */
export const BINANCE_FUTURES_CAPABILITIES = {
  /** One-second bars do not exist here, and nothing shorter exists to build them from (decisions 24). */
  candleIntervals: CANDLE_INTERVALS.filter((interval) => interval !== '1s') as readonly CandleInterval[],
  candlesPerPageMax: 1_500,
  /** The only depths a snapshot may be asked for. */
  depthLevels: [5, 10, 20, 50, 100, 500, 1_000],
  tradesPerPageMax: 1_000,
  /** Open interest is told of one contract a call: as many as are asked for in one go, and as many at the same time. */
  openInterestSymbolsMax: 600,
  openInterestAtOnceMax: 4,
  streamsPerConnectionMax: 1_024,
  controlMessagesPerSecondMax: 10,
  /** The venue closes every connection at this age. */
  connectionLifeMillisMax: 24 * 3_600_000,
  /** The venue pings this often and drops a connection without pong after `pongMillisMax`. */
  pingEveryMillis: 180_000,
  pongMillisMax: 600_000,
  /** Request weight of one address and minute. */
  weightPerMinuteMax: 2_400,
  receiveWindowMillisMax: 60_000,
} as const;
