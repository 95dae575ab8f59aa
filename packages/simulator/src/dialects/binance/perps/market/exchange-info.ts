import { type Amount, formatAmount, formatAmountFixed, ok, stepScale } from '@crossbook/domain';
import { TRIGGER_GAP_MAX } from '../../../../triggers/trigger.ts';
import type { PerpFacts } from '../../../../venue.ts';
import type { FuturesCall, FuturesDesk } from '../desk.ts';

/** Where perpetuals "end": 2100-12-25 08:00 UTC, as the venue writes it. */
const NEVER_DELIVERED = 4_133_404_800_000;
const QUARTER_MILLIS_MAX = 92 * 86_400_000;
const ASSET_DECIMALS = 8;
const ORDER_TYPES = [
  'LIMIT',
  'MARKET',
  'STOP',
  'STOP_MARKET',
  'TAKE_PROFIT',
  'TAKE_PROFIT_MARKET',
  'TRAILING_STOP_MARKET',
];
const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'];
const ALGO_ORDERS_MAX = 10;

/** The pair behind a contract: `BTCUSDT` of `BTCUSDT_260327`. */
export function pairOf(contract: PerpFacts): string {
  return `${contract.base}${contract.quote}`;
}

function statusOf(contract: PerpFacts, now: number): string {
  if (contract.status === 'TRADING') return 'TRADING';
  return contract.listedAt > now ? 'PENDING_TRADING' : 'SETTLING';
}

/** The kind of one not yet open is empty. */
export function contractTypeOf(contract: PerpFacts, now: number): string {
  if (statusOf(contract, now) === 'PENDING_TRADING') return '';
  if (contract.kind === 'PERPETUAL') return 'PERPETUAL';
  return (contract.deliveryTime ?? 0) - now > QUARTER_MILLIS_MAX ? 'NEXT_QUARTER' : 'CURRENT_QUARTER';
}

function filters(contract: PerpFacts): object[] {
  const priceDecimals = stepScale(contract.tickSize).decimals;
  const sizeDecimals = stepScale(contract.lotSize).decimals;
  const size = (filterType: string, maxQty: Amount) => ({
    filterType,
    maxQty: formatAmountFixed(maxQty, sizeDecimals),
    minQty: formatAmountFixed(contract.minQty, sizeDecimals),
    stepSize: formatAmountFixed(contract.lotSize, sizeDecimals),
  });
  return [
    {
      filterType: 'PRICE_FILTER',
      maxPrice: formatAmountFixed(contract.maxPrice, priceDecimals),
      minPrice: formatAmountFixed(contract.minPrice, priceDecimals),
      tickSize: formatAmountFixed(contract.tickSize, priceDecimals),
    },
    size('LOT_SIZE', contract.maxQty),
    size('MARKET_LOT_SIZE', contract.maxMarketQty),
    { filterType: 'MAX_NUM_ORDERS', limit: contract.maxOpenOrders },
    { filterType: 'MAX_NUM_ALGO_ORDERS', limit: ALGO_ORDERS_MAX },
    { filterType: 'MIN_NOTIONAL', notional: formatAmount(contract.minNotional) },
    {
      filterType: 'PERCENT_PRICE',
      multiplierUp: formatAmountFixed(contract.bidMultiplierUp, 4),
      multiplierDown: formatAmountFixed(contract.askMultiplierDown, 4),
      multiplierDecimal: '4',
    },
  ];
}

/** One `symbols` entry. Margins are the venue's flat announcement, not what a position needs. */
function symbolInfo(contract: PerpFacts, now: number): object {
  return {
    symbol: contract.symbol,
    pair: pairOf(contract),
    contractType: contractTypeOf(contract, now),
    deliveryDate: contract.deliveryTime ?? NEVER_DELIVERED,
    onboardDate: contract.listedAt,
    status: statusOf(contract, now),
    maintMarginPercent: '2.5000',
    requiredMarginPercent: '5.0000',
    baseAsset: contract.base,
    quoteAsset: contract.quote,
    marginAsset: contract.settle,
    pricePrecision: stepScale(contract.tickSize).decimals,
    quantityPrecision: stepScale(contract.lotSize).decimals,
    baseAssetPrecision: ASSET_DECIMALS,
    quotePrecision: ASSET_DECIMALS,
    underlyingType: 'COIN',
    underlyingSubType: ['PoW'],
    triggerProtect: TRIGGER_GAP_MAX.toFixed(4),
    liquidationFee: '0.012500',
    marketTakeBound: '0.05',
    maxMoveOrderLimit: 10_000,
    filters: filters(contract),
    orderTypes: ORDER_TYPES,
    timeInForce: TIMES_IN_FORCE,
    permissionSets: ['GRID', 'COPY'],
  };
}

function assets(desk: FuturesDesk): object[] {
  const settled = new Set([...desk.perps.contracts.values()].map((contract) => contract.settle));
  return [...settled].map((asset) => ({ asset, marginAvailable: true, autoAssetExchange: '-10000' }));
}

function info(desk: FuturesDesk, futuresType: string, contracts: readonly PerpFacts[]): object {
  const now = desk.perps.now();
  return {
    timezone: 'UTC',
    serverTime: now,
    futuresType,
    rateLimits: desk.rates.announced(),
    exchangeFilters: [],
    assets: contracts.length === 0 ? [] : assets(desk),
    symbols: contracts.map((contract) => symbolInfo(contract, now)),
  };
}

/** exchangeInfo of USD-M; COIN-M, which is not simulated, lists nothing, so that clients load what there is. */
export const EXCHANGE_INFO_CALLS: readonly FuturesCall[] = [
  {
    name: 'fapi.exchangeInfo',
    paths: ['/fapi/v1/exchangeInfo'],
    prepare: (_, desk) => ({
      weight: 1,
      run: () => ok(info(desk, 'U_MARGINED', [...desk.perps.contracts.values()])),
    }),
  },
  {
    name: 'dapi.exchangeInfo',
    paths: ['/dapi/v1/exchangeInfo'],
    prepare: (_, desk) => ({ weight: 1, run: () => ok(info(desk, 'COIN_MARGINED', [])) }),
  },
];
