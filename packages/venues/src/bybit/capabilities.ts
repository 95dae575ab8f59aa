import type { CandleInterval } from '@crossbook/domain';

/** Bybit's names of the chart resolutions it has (enum, "interval", 2026-07-24). */
export const NATIVE_INTERVALS: ReadonlyMap<CandleInterval, string> = new Map([
  ['1m', '1'],
  ['3m', '3'],
  ['5m', '5'],
  ['15m', '15'],
  ['30m', '30'],
  ['1h', '60'],
  ['2h', '120'],
  ['4h', '240'],
  ['6h', '360'],
  ['12h', '720'],
  ['1d', 'D'],
  ['1w', 'W'],
  ['1M', 'M'],
]);

/** Resolutions it lacks, with the largest native one that divides them (decisions 24). One second is not offered. */
export const BUILT_INTERVALS: ReadonlyMap<CandleInterval, CandleInterval> = new Map([
  ['8h', '4h'],
  ['3d', '1d'],
]);

/**
 * What Bybit v5 offers and where it ends.
 * Source: bybit-exchange/docs v5, market, websocket/connect, rate-limit (2026-07-24).
 */
export const BYBIT_CAPABILITIES = {
  candleIntervals: [
    ...NATIVE_INTERVALS.keys(),
    ...BUILT_INTERVALS.keys(),
  ] satisfies readonly CandleInterval[] as readonly CandleInterval[],
  candlesPerPageMax: 1_000,
  instrumentsPerPageMax: 1_000,
  depthLevelsMax: 1_000,
  tradesPerPageMax: { spot: 60, linear: 1_000 },
  /** Levels a side of the socket's book: 200, every 100 ms. The chain of update ids is that of this depth alone. */
  socketBookLevels: 200,
  /** Topics of one subscription message; spot refuses more. */
  channelsPerRequestMax: { spot: 10, linear: 100 },
  heartbeatMillis: 20_000,
  /** None is documented; a connection is renewed daily all the same. */
  connectionLifeMillisMax: 24 * 3_600_000,
  requestsPerFiveSecondsMax: 600,
  receiveWindowMillisMax: 60_000,
} as const;
