/**
 * Where OKX answers. Bases are handed in, so that the same code talks to the venue, to a simulator and, from a browser,
 * through the own origin. Source: OKX API v5 guide, "Production trading services" and "Market data" (2026).
 */

/** Paths of the public REST calls. */
export const PUBLIC_PATHS = {
  time: '/api/v5/public/time',
  instruments: '/api/v5/public/instruments',
  tickers: '/api/v5/market/tickers',
  ticker: '/api/v5/market/ticker',
  markPrice: '/api/v5/public/mark-price',
  indexTickers: '/api/v5/market/index-tickers',
  fundingRate: '/api/v5/public/funding-rate',
  openInterest: '/api/v5/public/open-interest',
  depth: '/api/v5/market/books',
  trades: '/api/v5/market/trades',
  candles: '/api/v5/market/candles',
  historyCandles: '/api/v5/market/history-candles',
} as const;
