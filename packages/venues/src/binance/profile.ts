import { amount, CANDLE_INTERVALS, ORDER_TYPE, TIME_IN_FORCE } from '@crossbook/domain';
import type { KeptBars, VenueProfile } from '../profile.ts';
import { KEEP_MILLIS } from '../wire/keep-millis.ts';

/** Request weight of one address at the spot host (rest-api.md, "IP limits"). */
export const SPOT_WEIGHT_BUDGET = { costMax: 6_000, windowMillis: 60_000 } as const;

const BARS: KeptBars = { intervalField: 'interval', endField: 'endTime' };

/**
 * Binance: spot, and USD-M futures on hosts of their own.
 * Source: binance-spot-api-docs, rest-api.md and web-socket-streams.md (2026-07-21); of the futures the types of the
 * official connector (derivatives-trading-usds-futures 38.1.1) and its documentation.
 */
export const BINANCE_PROFILE: VenueProfile = {
  platform: 1,
  markets: {
    SPOT: {
      fees: { maker: amount('0.001'), taker: amount('0.001') },
      defaultSymbol: 'BTCUSDT',
      candles: { native: CANDLE_INTERVALS, built: new Map(), newestPageMax: 1_000, olderPageMax: 1_000 },
      depthLevelsMax: 5_000,
      tradesPerPageMax: 1_000,
      addressBudget: SPOT_WEIGHT_BUDGET,
    },
    SWAP: {
      fees: { maker: amount('0.0002'), taker: amount('0.0005') },
      defaultSymbol: 'BTCUSDT',
      candles: {
        // One-second bars do not exist here, and nothing shorter exists to build them from.
        native: CANDLE_INTERVALS.filter((interval) => interval !== '1s'),
        built: new Map(),
        newestPageMax: 1_500,
        olderPageMax: 1_500,
      },
      depthLevelsMax: 1_000,
      tradesPerPageMax: 1_000,
      addressBudget: { costMax: 2_400, windowMillis: 60_000 },
    },
  },
  trading: {
    receiveWindowMillis: 5_000,
    orderDeadlineMillis: 15_000,
    transferDeadlineMillis: 15_000,
    // Orders that ended without a fill are archived 90 days after they were made (errors.md, -2026).
    forgetsUnfilledMillis: 90 * 86_400_000,
    spot: {
      orderTypes: [ORDER_TYPE.LIMIT, ORDER_TYPE.MARKET],
      timesInForce: Object.values(TIME_IN_FORCE),
      // `quoteAssetPrecision` (rest-api.md, exchangeInfo).
      quoteStep: amount('0.00000001'),
      // The venue takes five times the average price: wide enough for a moving market.
      marketBuyBound: amount('1.05'),
    },
  },
  relay: {
    rules: [
      { market: 'SPOT', path: /^\/api\/v3\/(?:ping|time)$/, kept: KEEP_MILLIS.time },
      { market: 'SPOT', path: /^\/api\/v3\/exchangeInfo$/, kept: KEEP_MILLIS.instruments },
      {
        market: 'SPOT',
        path: /^\/api\/v3\/(?:avgPrice|ticker(?:\/(?:24hr|price|bookTicker|tradingDay))?)$/,
        kept: KEEP_MILLIS.ticker,
      },
      { market: 'SPOT', path: /^\/api\/v3\/(?:depth|trades|aggTrades)$/, kept: KEEP_MILLIS.book },
      { market: 'SPOT', path: /^\/api\/v3\/(?:klines|uiKlines)$/, kept: BARS },
      { market: 'SWAP', path: /^\/fapi\/v1\/(?:ping|time)$/, kept: KEEP_MILLIS.time },
      { market: 'SWAP', path: /^\/fapi\/v1\/exchangeInfo$/, kept: KEEP_MILLIS.instruments },
      {
        market: 'SWAP',
        path: /^\/fapi\/v1\/(?:premiumIndex|ticker\/(?:24hr|price|bookTicker))$/,
        kept: KEEP_MILLIS.ticker,
      },
      { market: 'SWAP', path: /^\/fapi\/v1\/openInterest$/, kept: KEEP_MILLIS.openInterest },
      {
        market: 'SWAP',
        path: /^\/fapi\/v1\/(?:fundingRate|fundingInfo)$/,
        kept: KEEP_MILLIS.fundingHistory,
      },
      { market: 'SWAP', path: /^\/fapi\/v1\/(?:depth|trades|aggTrades)$/, kept: KEEP_MILLIS.book },
      { market: 'SWAP', path: /^\/fapi\/v1\/(?:klines|markPriceKlines|indexPriceKlines)$/, kept: BARS },
    ],
    success: /^/,
    // 418 is the ban that follows too many 429 (rest-api.md, "IP limits").
    fewerRequestsStatuses: [429, 418],
  },
};
