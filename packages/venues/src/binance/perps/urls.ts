/**
 * Where Binance USD-M futures answers. Bases are handed in without a trailing slash, as for spot.
 * Source: the official connector's types; the split of the streams holds since 2026-04-23.
 */

/** Paths of the public REST calls. */
export const FUTURES_PATHS = {
  time: '/fapi/v1/time',
  exchangeInfo: '/fapi/v1/exchangeInfo',
  ticker: '/fapi/v1/ticker/24hr',
  premium: '/fapi/v1/premiumIndex',
  openInterest: '/fapi/v1/openInterest',
  depth: '/fapi/v1/depth',
  trades: '/fapi/v1/trades',
  candles: '/fapi/v1/klines',
} as const;
