import type { MarginRow, OrderRow, SettingRow } from '@crossbook/contract';
import { amount, type Instrument, type LeverageTier, type MarginTerms, ZERO } from '@crossbook/domain';
import type { ContractFacts } from './contract-summary.ts';

/** BTCUSDT at Binance. */
export const CONTRACT: Instrument = {
  ...{ platform: 1, symbolType: 'SWAP', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' },
  ...{
    tickSize: amount('0.1'),
    lotSize: amount('0.001'),
    minPrice: amount('0.1'),
    maxPrice: amount('1000000'),
  },
  ...{
    minQty: amount('0.001'),
    maxQty: amount('1000'),
    maxMarketQty: amount('120'),
    minNotional: amount('5'),
  },
  ...{ contractValue: amount('1'), maxLeverage: 125, status: 'trading' },
  priceBand: { buyMost: amount('1.05'), sellLeast: amount('0.95') },
};

/** One-way, cross, 20x. */
export const SETTING: SettingRow = {
  ...{ exchange: 1, symbol: 'BTCUSDT', marginMode: 'cross', positionMode: 'one-way' },
  ...{ leverageLong: 20, leverageShort: 20, maxLeverage: 125 },
};

/** 5,000 USDT, nothing in use. */
export const MARGIN: MarginRow = {
  ...{
    exchange: 1,
    asset: 'USDT',
    wallet: '5000',
    unrealisedPnl: '0',
    positionInitial: '0',
    orderInitial: '0',
  },
  ...{ maintenance: '0', available: '5000', withdrawable: '5000', ratio: null, updatedAt: 1 },
};

/** The first two tiers of the worked examples. */
export const TIERS: readonly LeverageTier[] = [
  {
    ...{ tier: 1, unit: 'notional', floor: ZERO, cap: amount('300000'), maintenanceRate: amount('0.004') },
    ...{ maxLeverage: 150, deduction: ZERO },
  },
  {
    ...{ tier: 2, unit: 'notional', floor: amount('300000'), cap: amount('800000') },
    ...{ maintenanceRate: amount('0.005'), maxLeverage: 100, deduction: amount('300') },
  },
];

/** How Binance reckons. */
const TERMS: MarginTerms = {
  ...{ orders: 'netted', openLossInCost: true, openingFeeInCost: false, closingFeeInMargin: false },
  ...{ closingFeeAtLiquidation: false, legsCoverEachOther: false, marketBuySurcharge: amount('0.0005') },
};

/** Facts of a ticket for `CONTRACT` at 60,000. */
export function contractFacts(change: Partial<ContractFacts> = {}): ContractFacts {
  return {
    ...{ instrument: CONTRACT, setting: SETTING, bestBid: amount('59999.9'), bestAsk: amount('60000') },
    ...{ makerFee: amount('0.0002'), takerFee: amount('0.0005'), mark: amount('60000'), tiers: TIERS },
    terms: TERMS,
    ...{ positions: [], margin: MARGIN, orders: [], priceStale: false, platformOpen: true },
    ...change,
  };
}

/** An open order on `CONTRACT`. */
export function contractOrder(change: Partial<OrderRow> = {}): OrderRow {
  return {
    ...{
      orderId: 'o1',
      exchange: 1,
      symbolType: 'SWAP',
      symbol: 'BTCUSDT',
      side: 1,
      effect: 0,
      orderType: 1,
    },
    ...{
      timeInForce: 1,
      price: '59000',
      quantity: '0.1',
      quoteQuantity: null,
      visibleQuantity: null,
      icebergId: null,
      cumQuantity: '0',
      cumQuote: '0',
    },
    ...{
      status: 2,
      cancelPending: false,
      change: null,
      settled: false,
      reason: null,
      refusal: null,
      createdAt: 1,
      updatedAt: 1,
    },
    ...{ reduceOnly: false, marginMode: 'cross', leverage: 20, cause: 'order', realisedPnl: null },
    ...change,
  };
}
