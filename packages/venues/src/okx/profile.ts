import { amount, ORDER_TYPE, TIME_IN_FORCE } from '@crossbook/domain';
import type { CandleProfile, VenueProfile } from '../profile.ts';
import type { RelayFields } from '../relay-fields.ts';
import { KEEP_MILLIS } from '../wire/keep-millis.ts';
import { OKX_BARS, OKX_BUILT_INTERVALS, OKX_NATIVE_INTERVALS } from './intervals.ts';

/** `market/candles` reaches back 1,440 rows; what lies before is in `market/history-candles`. */
export const OKX_CANDLES: CandleProfile = {
  native: OKX_NATIVE_INTERVALS,
  built: OKX_BUILT_INTERVALS,
  newestPageMax: 300,
  olderPageMax: 100,
};
/** Pages of both markets. */
export const OKX_PAGES = { candles: OKX_CANDLES, depthLevelsMax: 400, tradesPerPageMax: 500 } as const;

const SYMBOL = { instId: { kind: 'symbol', and: ['ANY'] } } as const;
const LIST: RelayFields = { ...SYMBOL, instType: { kind: 'word', words: ['SPOT', 'SWAP'] } };
const PAGE: RelayFields = { ...SYMBOL, before: { kind: 'moment' }, after: { kind: 'moment' } };

/** Of pairs and contracts (docs-v5, Place algo order: pxVar, pxSpread; how many slices and how many at a time are our bounds). */
const ICEBERG = {
  ratio: { min: amount('0.0001'), max: amount('0.01'), step: amount('0.0001') },
  ...{ distance: true, slicesMax: 100, openMax: 20 },
} as const;

/** OKX: spot and perpetuals on one host. Source: OKX v5 guide (2026); public limits are per endpoint and two seconds. */
export const OKX_PROFILE: VenueProfile = {
  platform: 2,
  markets: {
    SPOT: {
      fees: { maker: amount('0.0008'), taker: amount('0.001') },
      defaultSymbol: 'BTC-USDT',
      ...OKX_PAGES,
    },
    SWAP: {
      fees: { maker: amount('0.0002'), taker: amount('0.0005') },
      defaultSymbol: 'BTC-USDT-SWAP',
      ...OKX_PAGES,
    },
  },
  trading: {
    // Of a placement (`expTime`); other requests have no window of ours.
    receiveWindowMillis: 5_000,
    orderDeadlineMillis: 15_000,
    // Every request is taken for 30 s ("REST authentication"); only orders know a deadline ("Transaction timeouts").
    transferDeadlineMillis: 45_000,
    transferDecimals: 8,
    // "Incomplete orders that have been canceled are only reserved for 2 hours" ("Order history").
    forgetsUnfilledMillis: 2 * 3_600_000,
    // Counted by account only (10 in two seconds): paces of our own.
    balanceReadEveryMillis: 500,
    openOrdersReadEveryMillis: 1_000,
    spot: {
      orderTypes: [ORDER_TYPE.LIMIT, ORDER_TYPE.MARKET],
      timesInForce: Object.values(TIME_IN_FORCE),
      quoteStep: amount('0.00000001'),
      // Limits a few per cent above the index are turned away ("Get limit price").
      marketBuyBound: amount('1.01'),
    },
    contracts: {
      orderTypes: [ORDER_TYPE.LIMIT, ORDER_TYPE.MARKET],
      timesInForce: Object.values(TIME_IN_FORCE),
      // (OKX v5 guide, "Set leverage", "Set position mode"; tdMode is of each order)
      reach: { leverage: 'family', marginMode: 'order', positionMode: 'account' },
      ownPocket: false,
      margin: {
        orders: 'directions',
        ...{ openLossInCost: false, openingFeeInCost: true, closingFeeInMargin: false },
        ...{ closingFeeAtLiquidation: true, legsCoverEachOther: false, ordersHoldBack: true },
        // (OKX v5 guide, "Get positions": bePx counts the fee of closing)
        ...{ marketBuySurcharge: amount('0'), breakEvenFeeMin: amount('0') },
      },
      // mgnRatio: warning at 300 %, liquidation at 100 % ("Margin ratio", OKX help, 2026)
      ratio: { stated: 'safety', warnsFrom: 1 / 3 },
      lowersIsolated: true,
    },
    // (docs-v5, "Amend order")
    amends: { SPOT: true, SWAP: true },
    // (docs-v5, "Cancel multiple orders")
    cancelsAtOnce: { SPOT: 20, SWAP: 20 },
    // (docs-v5, "Place multiple orders")
    placesAtOnce: { SPOT: 20, SWAP: 20 },
    // (docs-v5, "Cancel All After": 10 to 120 s, all order books; counted by account alone: ten calls a second are a bound of ours)
    countdown: {
      covers: { SPOT: true, SWAP: true },
      counts: 'account',
      seconds: [60, 120],
      callsPerMinuteMax: 600,
    },
    algos: {
      // (docs-v5, Place algo order: callbackRatio, closeFraction; 500 orders of an instrument, announced 2023-07-11)
      SPOT: {
        kinds: ['stop', 'take-profit', 'trailing', 'oco', 'iceberg'],
        triggerBy: ['last'],
        whole: 'never',
        // What a trigger sends at a limit rests until it is cancelled: the call has no field for it.
        limitTimes: [TIME_IN_FORCE.GTC],
        trailing: {
          ratio: { min: amount('0.001'), max: amount('1'), step: amount('0.001') },
          distance: true,
        },
        iceberg: ICEBERG,
        // ("Place order", attachAlgoOrds; announcement of 2026-07-01: for what has filled once the order is over)
        ...{ amends: true, locks: false, openMax: 500, perSymbol: true, attached: 'fills' },
      },
      SWAP: {
        kinds: ['stop', 'take-profit', 'trailing', 'oco', 'iceberg'],
        triggerBy: ['last', 'mark', 'index'],
        whole: 'one-way',
        limitTimes: [TIME_IN_FORCE.GTC],
        trailing: {
          ratio: { min: amount('0.001'), max: amount('1'), step: amount('0.001') },
          distance: true,
          // ("Place algo order": a trailing stop names no price that it follows)
          by: ['last'],
        },
        iceberg: ICEBERG,
        ...{ amends: true, locks: false, openMax: 500, perSymbol: true, attached: 'venue' },
        // ("Place order", attachAlgoOrds: up to ten split TPs, callbackRatio; not sent: tpOrdKind, tpTriggerRatio)
        ...{ attachedOnce: true, targetsMax: 10, attachedTrails: true, unsent: ['rests', 'share'] },
      },
    },
  },
  relay: {
    rules: [
      { market: 'SPOT', path: /^\/api\/v5\/public\/time$/, fields: {}, kept: KEEP_MILLIS.time },
      {
        market: 'SPOT',
        path: /^\/api\/v5\/public\/instruments$/,
        fields: LIST,
        kept: KEEP_MILLIS.instruments,
      },
      {
        market: 'SPOT',
        path: /^\/api\/v5\/(?:market\/(?:tickers|ticker|index-tickers)|public\/(?:mark-price|funding-rate))$/,
        fields: { ...LIST, quoteCcy: { kind: 'word', words: ['USDT'] } },
        kept: KEEP_MILLIS.ticker,
      },
      {
        market: 'SPOT',
        path: /^\/api\/v5\/public\/open-interest$/,
        fields: LIST,
        kept: KEEP_MILLIS.openInterest,
      },
      {
        market: 'SPOT',
        path: /^\/api\/v5\/public\/funding-rate-history$/,
        fields: { ...PAGE, limit: { kind: 'rows', max: 400 } },
        kept: KEEP_MILLIS.fundingHistory,
      },
      {
        market: 'SPOT',
        path: /^\/api\/v5\/market\/(?:books|trades)$/,
        fields: { ...SYMBOL, sz: { kind: 'rows', max: 400 }, limit: { kind: 'rows', max: 500 } },
        kept: KEEP_MILLIS.book,
      },
      {
        market: 'SPOT',
        path: /^\/api\/v5\/market\/(?:candles|history-candles)$/,
        fields: {
          ...{ ...PAGE, limit: { kind: 'rows', max: 300 } },
          bar: { kind: 'word', words: OKX_BARS },
        },
        kept: { intervalField: 'bar', endField: 'after' },
      },
    ],
    // Errors come with status 200 and a code that is not 0, near the beginning.
    success: /^\s*\{(?:.{0,200}?,)?\s*"code"\s*:\s*"0"/,
    fewerRequestsStatuses: [429],
  },
};
