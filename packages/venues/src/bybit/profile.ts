import { amount, ORDER_TYPE, TIME_IN_FORCE } from '@crossbook/domain';
import type { CandleProfile, VenueProfile } from '../profile.ts';
import type { RelayFields } from '../relay-fields.ts';
import { KEEP_MILLIS } from '../wire/keep-millis.ts';
import { BUILT_INTERVALS, NATIVE_INTERVALS } from './intervals.ts';

/** Requests of one address, all markets together (rate-limit, 2026-07-24). */
export const ADDRESS_BUDGET = { costMax: 600, windowMillis: 5_000 } as const;

/** Bars of both markets. */
export const BYBIT_CANDLES: CandleProfile = {
  native: [...NATIVE_INTERVALS.keys()],
  built: BUILT_INTERVALS,
  newestPageMax: 1_000,
  olderPageMax: 1_000,
};
const CATEGORY = { category: { kind: 'word', words: ['spot', 'linear'] } } as const;
const SYMBOL = { ...CATEGORY, symbol: { kind: 'symbol' } } as const;
const PAGE: RelayFields = {
  ...SYMBOL,
  limit: { kind: 'rows', max: 1_000 },
  cursor: { kind: 'cursor' },
};
const MOMENTS = { startTime: { kind: 'moment' }, endTime: { kind: 'moment' } } as const;
const INTEREST_TIMES = { kind: 'word', words: ['5min', '15min', '30min', '1h', '4h', '1d'] } as const;
const SHARED = {
  defaultSymbol: 'BTCUSDT',
  candles: BYBIT_CANDLES,
  depthLevelsMax: 1_000,
  addressBudget: ADDRESS_BUDGET,
} as const;

/** Bybit: spot and perpetuals on one host. Source: bybit-exchange/docs v5 (2026-07-24). */
export const BYBIT_PROFILE: VenueProfile = {
  platform: 3,
  markets: {
    // Spot is advertised with no fee (spec section 9).
    SPOT: { fees: { maker: amount('0'), taker: amount('0') }, tradesPerPageMax: 60, ...SHARED },
    SWAP: { fees: { maker: amount('0.0002'), taker: amount('0.00055') }, tradesPerPageMax: 1_000, ...SHARED },
  },
  trading: {
    receiveWindowMillis: 5_000,
    orderDeadlineMillis: 15_000,
    // The window and its margin, and what may pass before the request is signed: two waits for room with the operator's
    // key, and the answer that tells the operator's number.
    transferDeadlineMillis: 35_000,
    transferDecimals: 8,
    // "Fully cancelled, rejected and deactivated orders" are kept for 24 hours (order/order-list).
    forgetsUnfilledMillis: 86_400_000,
    // Five and one a second: 5 % of 600 requests in five seconds.
    balanceReadEveryMillis: 200,
    openOrdersReadEveryMillis: 1_000,
    spot: {
      orderTypes: [ORDER_TYPE.LIMIT, ORDER_TYPE.MARKET],
      timesInForce: Object.values(TIME_IN_FORCE),
      quoteStep: amount('0.00000001'),
      // Limits far above the index are turned away: `priceLimitRatioY` is 2 % for the largest pairs (instruments-info).
      marketBuyBound: amount('1.01'),
    },
    contracts: {
      orderTypes: [ORDER_TYPE.LIMIT, ORDER_TYPE.MARKET],
      timesInForce: Object.values(TIME_IN_FORCE),
      // (v5 guide, "Set Leverage", "Set Margin Mode", "Switch Position Mode")
      reach: { leverage: 'symbol', marginMode: 'account', positionMode: 'symbol' },
      ownPocket: false,
      margin: {
        orders: 'directions',
        ...{ openLossInCost: false, openingFeeInCost: true, closingFeeInMargin: true },
        ...{ closingFeeAtLiquidation: false, legsCoverEachOther: true },
        // (Bybit help centre, "Break-even price of USDT contracts": the fee rate or 0.055 %, whichever is higher)
        ...{ marketBuySurcharge: amount('0.05'), breakEvenFeeMin: amount('0.00055') },
      },
      ratio: { stated: 'need' },
      lowersIsolated: true,
    },
    // (v5/order/amend-order)
    amends: { SPOT: true, SWAP: true },
    // (order/batch-cancel: 10 of pairs, 20 of contracts; each counts against what a second allows, which is less)
    cancelsAtOnce: { SPOT: 10, SWAP: 10 },
    // (order/batch-place: 10 of pairs, 20 of contracts; counted like the cancels)
    placesAtOnce: { SPOT: 10, SWAP: 10 },
    // (order/dcp, websocket/private/dcp: 3 to 300 s after the last connection with the topic; two calls when it is set)
    countdown: {
      covers: { SPOT: true, SWAP: true },
      counts: 'connection',
      seconds: [60, 120, 300],
      callsPerMinuteMax: 600,
    },
    algos: {
      // (v5/order/create-order: orderFilter, triggerDirection, triggerBy, closeOnTrigger; limits of open orders there)
      SPOT: {
        kinds: ['stop', 'take-profit'],
        triggerBy: ['last'],
        whole: 'never',
        limitTimes: Object.values(TIME_IN_FORCE),
        ...{ amends: true, locks: true, openMax: 30, perSymbol: true, attached: 'hub' },
        // (takeProfit and stopLoss of a limit order)
        unsent: ['both'],
      },
      SWAP: {
        kinds: ['stop', 'take-profit', 'trailing'],
        triggerBy: ['last', 'mark', 'index'],
        // (v5/position/trading-stop: trailingStop, activePrice)
        trailing: { distance: true, by: ['last'], ofPosition: true },
        whole: 'always',
        wholeAtLimit: true,
        limitTimes: Object.values(TIME_IN_FORCE),
        ...{ amends: true, locks: false, openMax: 10, perSymbol: true, attached: 'venue' },
        // (v5/position/trading-stop, on partial take-profit and stop-loss: changing one of a pair ends their bond)
        unbinds: true,
      },
    },
  },
  relay: {
    rules: [
      { market: 'SPOT', path: /^\/v5\/market\/time$/, fields: {}, kept: KEEP_MILLIS.time },
      {
        market: 'SPOT',
        path: /^\/v5\/market\/instruments-info$/,
        fields: { ...PAGE, status: { kind: 'word', words: ['Trading'] } },
        kept: KEEP_MILLIS.instruments,
      },
      { market: 'SPOT', path: /^\/v5\/market\/tickers$/, fields: SYMBOL, kept: KEEP_MILLIS.ticker },
      {
        market: 'SPOT',
        path: /^\/v5\/market\/open-interest$/,
        fields: { ...PAGE, intervalTime: INTEREST_TIMES },
        kept: KEEP_MILLIS.openInterest,
      },
      {
        market: 'SPOT',
        path: /^\/v5\/market\/funding\/history$/,
        fields: { ...PAGE, ...MOMENTS },
        kept: KEEP_MILLIS.fundingHistory,
      },
      {
        market: 'SPOT',
        path: /^\/v5\/market\/(?:orderbook|recent-trade)$/,
        fields: PAGE,
        kept: KEEP_MILLIS.book,
      },
      {
        market: 'SPOT',
        path: /^\/v5\/market\/kline$/,
        fields: {
          ...{ ...PAGE, start: { kind: 'moment' }, end: { kind: 'moment' } },
          interval: { kind: 'word', words: [...NATIVE_INTERVALS.values()] },
        },
        kept: { intervalField: 'interval', endField: 'end' },
      },
    ],
    // Errors come with status 200 and a code that is not 0, near the beginning.
    success: /^\s*\{(?:.{0,200}?,)?\s*"retCode"\s*:\s*0\s*[,}]/,
    fewerRequestsStatuses: [429, 403],
  },
};
