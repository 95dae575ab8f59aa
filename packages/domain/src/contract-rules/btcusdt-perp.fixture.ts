import { type Amount, amount, formatAmount, ZERO } from '../amount.ts';
import type { Millis } from '../ids.ts';
import type { LeverageTier, VenuePosition } from '../position.ts';
import type { ContractOrderRequest, ContractScene, MarginTerms } from './margin-terms.ts';

/** As Binance reckons: resting orders and position are netted. */
export const NETTED: MarginTerms = {
  ...{ orders: 'netted', openLossInCost: true, openingFeeInCost: false, closingFeeInMargin: false },
  ...{ closingFeeAtLiquidation: false, legsCoverEachOther: false, marketBuySurcharge: amount('0.0005') },
};
/** As Bybit reckons: each order by itself, both fees in its cost. */
export const DIRECTIONS: MarginTerms = {
  ...{ ...NETTED, orders: 'directions', openLossInCost: false, openingFeeInCost: true },
  closingFeeInMargin: true,
};
/** Two tiers whose maintenance margin meets at 300,000. */
export const TIERS: readonly LeverageTier[] = [
  {
    ...{ tier: 1, unit: 'notional', floor: ZERO, cap: amount('300000'), maxLeverage: 150, deduction: ZERO },
    maintenanceRate: amount('0.004'),
  },
  {
    ...{ tier: 2, unit: 'notional', floor: amount('300000'), cap: amount('800000'), maxLeverage: 100 },
    ...{ maintenanceRate: amount('0.005'), deduction: amount('300') },
  },
];

/** BTCUSDT at a mark, 20x in cross mode, 5,000 USDT and nothing held. */
export function sceneAt(mark: string, change: Partial<ContractScene> = {}): ContractScene {
  return {
    instrument: {
      ...{ platform: 1, symbolType: 'SWAP', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', maxLeverage: 150 },
      ...{ tickSize: amount('0.1'), lotSize: amount('0.001'), contractValue: amount('1'), status: 'trading' },
      ...{ minPrice: amount('0.1'), maxPrice: amount('1000000'), minNotional: amount('5') },
      ...{ minQty: amount('0.001'), maxQty: amount('1000'), maxMarketQty: amount('120') },
    },
    ...{ terms: NETTED, takerFee: amount('0.0005'), makerFee: amount('0.0002'), tiers: TIERS },
    ...{ setting: { marginMode: 'cross', leverageLong: 20, leverageShort: 20 }, mark: amount(mark) },
    pool: { wallet: amount('5000'), available: amount('5000') },
    ...{ positions: [], orders: [], ...change },
  };
}

/** A position at 20x; its mark is its entry. */
export function held(quantity: string, entry: string, change: Partial<VenuePosition> = {}): VenuePosition {
  return {
    ...{ platform: 1, symbol: 'BTCUSDT', side: 0, marginMode: 'cross', leverage: 20, adlRank: 0 },
    ...{ quantity: amount(quantity), entryPrice: amount(entry), markPrice: amount(entry) },
    ...{ unrealisedPnl: ZERO, initialMargin: ZERO, maintenanceMargin: ZERO },
    ...{ status: 'normal', version: 1, updatedAt: 0 as Millis, ...change },
  };
}

/** `BUY 0.1 61000`, one-way; without a price at market. */
export function order(text: string): ContractOrderRequest {
  const [side, quantity = '', price] = text.split(' ');
  return {
    ...{ buys: side === 'BUY', side: 0, quantity: amount(quantity), reduceOnly: false },
    ...(price === undefined ? {} : { price: amount(price) }),
  };
}

/** An amount as the tables write it. */
export const text = (value: Amount | undefined): string | undefined =>
  value === undefined ? undefined : formatAmount(value);
