/**
 * Where Bybit v5 answers. Bases are handed in, so that the same code talks to the venue, to a simulator and, from a
 * browser, through the own origin. Source: bybit-exchange/docs v5, guide and websocket/connect (2026-07-24).
 */

/** Bybit's name of a market: `spot`, or `linear` for perpetuals that settle in USDT. It is part of every call. */
export type BybitCategory = 'spot' | 'linear';

/** Paths of the public REST calls. */
export const PUBLIC_PATHS = {
  time: '/v5/market/time',
  instruments: '/v5/market/instruments-info',
  tickers: '/v5/market/tickers',
  depth: '/v5/market/orderbook',
  candles: '/v5/market/kline',
  trades: '/v5/market/recent-trade',
} as const;

/** Paths of the sockets below their base. */
export const SOCKET_PATHS = {
  public: { spot: '/v5/public/spot', linear: '/v5/public/linear' },
  private: '/v5/private',
  trade: '/v5/trade',
} as const;
