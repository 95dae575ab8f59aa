import { amount, CANDLE_INTERVALS, ORDER_TYPE, TIME_IN_FORCE } from '@crossbook/domain';
import type { KeptBars, VenueProfile } from '../profile.ts';
import type { RelayFields } from '../relay-fields.ts';
import { KEEP_MILLIS } from '../wire/keep-millis.ts';

/** Request weight of one address at the spot host (rest-api.md, "IP limits"). */
export const SPOT_WEIGHT_BUDGET = { costMax: 6_000, windowMillis: 60_000 } as const;

const BARS: KeptBars = { intervalField: 'interval', endField: 'endTime' };
const SYMBOL = { symbol: { kind: 'symbol' } } as const;
const MOMENTS = { startTime: { kind: 'moment' }, endTime: { kind: 'moment' } } as const;
/** Levels of a snapshot: what a page may show weighs 5, what the hub's own books take (1,000) weighs ten times that. */
const DEPTH: RelayFields = { ...SYMBOL, limit: { kind: 'rows', max: 100, steps: [5, 10, 20, 50, 100] } };
const TRADES: RelayFields = {
  ...{ ...SYMBOL, ...MOMENTS },
  fromId: { kind: 'moment' },
  limit: { kind: 'rows', max: 1_000, steps: [100, 500, 1_000] },
};
const bars = (max: number): RelayFields => ({
  ...{ ...SYMBOL, ...MOMENTS },
  interval: { kind: 'word', words: CANDLE_INTERVALS },
  limit: { kind: 'rows', max },
});

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
      // The venue gives 1,000 rows at once: a page is two requests (spec section 9).
      candles: { native: CANDLE_INTERVALS, built: new Map(), newestPageMax: 1_500, olderPageMax: 1_500 },
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
    transferDecimals: 8,
    // Orders that ended without a fill are archived 90 days after they were made (errors.md, -2026).
    forgetsUnfilledMillis: 90 * 86_400_000,
    // Weights 20 and 6: 200 and 36 a minute, together below 5 % of the 4,800 that lookups and all below them may fill.
    balanceReadEveryMillis: 6_000,
    openOrdersReadEveryMillis: 10_000,
    spot: {
      orderTypes: [ORDER_TYPE.LIMIT, ORDER_TYPE.MARKET],
      timesInForce: Object.values(TIME_IN_FORCE),
      // `quoteAssetPrecision` (rest-api.md, exchangeInfo).
      quoteStep: amount('0.00000001'),
      // The venue takes five times the average price: wide enough for a moving market.
      marketBuyBound: amount('1.05'),
      // (filters.md, ICEBERG_PARTS)
      icebergPartsMax: 10,
    },
    contracts: {
      orderTypes: [ORDER_TYPE.LIMIT, ORDER_TYPE.MARKET],
      timesInForce: Object.values(TIME_IN_FORCE),
      // (official connector's types, leverage, marginType, positionSide/dual)
      reach: { leverage: 'symbol', marginMode: 'symbol', positionMode: 'account' },
      ownPocket: true,
      margin: {
        orders: 'netted',
        ...{ openLossInCost: true, openingFeeInCost: false, closingFeeInMargin: false },
        ...{ closingFeeAtLiquidation: false, legsCoverEachOther: false },
        marketBuySurcharge: amount('0.0005'),
      },
      ratio: { stated: 'need' },
      // (error -4161)
      lowersIsolated: false,
    },
    // (futures documents, "Modify Order"; of pairs only a smaller quantity is: rest-api.md, "Order Amend Keep Priority")
    amends: { SPOT: false, SWAP: true },
    // (USD-M, "Cancel Multiple Orders"; of pairs a call cancels one, or all of a symbol)
    cancelsAtOnce: { SPOT: 1, SWAP: 10 },
    // (USD-M, "Place Multiple Orders"; of pairs a call places one, or a list)
    placesAtOnce: { SPOT: 1, SWAP: 5 },
    // (USD-M, "Auto-Cancel All Open Orders": weight 10 for a contract; 40 calls are a sixth of the 2,400; pairs have none)
    countdown: {
      covers: { SPOT: false, SWAP: true },
      counts: 'symbol',
      seconds: [120, 300],
      callsPerMinuteMax: 40,
    },
    algos: {
      // (rest-api.md, new order and order lists; MAX_NUM_ALGO_ORDERS, TRAILING_DELTA of exchangeInfo)
      SPOT: {
        kinds: ['stop', 'take-profit', 'trailing', 'oco'],
        triggerBy: ['last'],
        targetRests: true,
        whole: 'never',
        // None that waits is post-only there.
        limitTimes: [TIME_IN_FORCE.GTC, TIME_IN_FORCE.IOC, TIME_IN_FORCE.FOK],
        trailing: {
          ratio: { min: amount('0.001'), max: amount('0.2'), step: amount('0.0001') },
          distance: false,
        },
        ...{ amends: false, locks: true, openMax: 5, perSymbol: true, attached: 'list' },
      },
      // (New Algo Order; change logs of 2025-12-29: 200 over all symbols, of 2026-10-23: callbackRate up to 20 %)
      SWAP: {
        kinds: ['stop', 'take-profit', 'trailing'],
        triggerBy: ['last', 'mark'],
        whole: 'always',
        limitTimes: Object.values(TIME_IN_FORCE),
        trailing: {
          ratio: { min: amount('0.001'), max: amount('0.2'), step: amount('0.001') },
          distance: false,
        },
        ...{ amends: false, locks: false, openMax: 200, perSymbol: false, attached: 'hub' },
      },
    },
  },
  relay: {
    rules: [
      { market: 'SPOT', path: /^\/api\/v3\/(?:ping|time)$/, fields: {}, kept: KEEP_MILLIS.time },
      { market: 'SPOT', path: /^\/api\/v3\/exchangeInfo$/, fields: SYMBOL, kept: KEEP_MILLIS.instruments },
      {
        market: 'SPOT',
        path: /^\/api\/v3\/(?:avgPrice|ticker(?:\/(?:24hr|price|bookTicker|tradingDay))?)$/,
        fields: SYMBOL,
        kept: KEEP_MILLIS.ticker,
        keptWhole: KEEP_MILLIS.allTickers,
      },
      { market: 'SPOT', path: /^\/api\/v3\/depth$/, fields: DEPTH, kept: KEEP_MILLIS.book },
      { market: 'SPOT', path: /^\/api\/v3\/(?:trades|aggTrades)$/, fields: TRADES, kept: KEEP_MILLIS.book },
      { market: 'SPOT', path: /^\/api\/v3\/(?:klines|uiKlines)$/, fields: bars(1_000), kept: BARS },
      { market: 'SWAP', path: /^\/fapi\/v1\/(?:ping|time)$/, fields: {}, kept: KEEP_MILLIS.time },
      { market: 'SWAP', path: /^\/fapi\/v1\/exchangeInfo$/, fields: {}, kept: KEEP_MILLIS.instruments },
      {
        market: 'SWAP',
        path: /^\/fapi\/v1\/(?:premiumIndex|ticker\/(?:24hr|price|bookTicker))$/,
        fields: SYMBOL,
        kept: KEEP_MILLIS.ticker,
        keptWhole: KEEP_MILLIS.allTickers,
      },
      { market: 'SWAP', path: /^\/fapi\/v1\/openInterest$/, fields: SYMBOL, kept: KEEP_MILLIS.openInterest },
      {
        market: 'SWAP',
        path: /^\/fapi\/v1\/(?:fundingRate|fundingInfo)$/,
        fields: { ...SYMBOL, ...MOMENTS, limit: { kind: 'rows', max: 1_000 } },
        kept: KEEP_MILLIS.fundingHistory,
      },
      { market: 'SWAP', path: /^\/fapi\/v1\/depth$/, fields: DEPTH, kept: KEEP_MILLIS.book },
      { market: 'SWAP', path: /^\/fapi\/v1\/(?:trades|aggTrades)$/, fields: TRADES, kept: KEEP_MILLIS.book },
      {
        market: 'SWAP',
        path: /^\/fapi\/v1\/(?:klines|markPriceKlines|indexPriceKlines)$/,
        fields: bars(1_500),
        kept: BARS,
      },
    ],
    success: /^/,
    // 418 is the ban that follows too many 429 (rest-api.md, "IP limits").
    fewerRequestsStatuses: [429, 418],
  },
};
