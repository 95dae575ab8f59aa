/**
 * Where Binance spot answers. Bases are handed in without a trailing slash, so that the same code talks to the venue,
 * to a simulator and, from a browser, through the own origin.
 * Source: binance-spot-api-docs, rest-api.md and web-socket-streams.md (2026-07-21).
 */

/** Paths of the public REST calls. */
export const PUBLIC_PATHS = {
  time: '/api/v3/time',
  exchangeInfo: '/api/v3/exchangeInfo',
  ticker: '/api/v3/ticker/24hr',
  depth: '/api/v3/depth',
  trades: '/api/v3/trades',
  candles: '/api/v3/klines',
} as const;

/** Path of the combined public stream; subscriptions follow as messages. */
export const COMBINED_STREAM_PATH = '/stream';
