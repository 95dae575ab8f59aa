import { type Amount, amount, formatAmount, ok } from '@crossbook/domain';
import { SPOT_LIMITS } from '../../../conditional-terms.ts';
import type { MarketFacts } from '../../../exchange.ts';
import { fields } from '../../wire/fields.ts';
import { type Desk, type Endpoint, endpoint, PUBLIC } from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { formatDecimal } from '../format.ts';
import { ASSET_DECIMALS } from '../params.ts';
import { ORDER_TYPES } from './order-leg.ts';

const SELF_TRADE_MODES = ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'];
/** What an order gets that names no mode. */
export const SELF_TRADE_MODE_DEFAULT = 'EXPIRE_MAKER';
const PERMISSIONS = ['SPOT'];
const AVERAGE_PRICE_MINUTES = 5;
const ORDER_AMENDS_MAX = 10;

function filters(market: MarketFacts): object[] {
  const size = (filterType: string, maxQty: Amount) => ({
    filterType,
    minQty: formatDecimal(market.minQty),
    maxQty: formatDecimal(maxQty),
    stepSize: formatDecimal(market.lotSize),
  });
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: formatDecimal(market.minPrice),
      maxPrice: formatDecimal(market.maxPrice),
      tickSize: formatDecimal(market.tickSize),
    },
    size('LOT_SIZE', market.maxQty),
    { filterType: 'ICEBERG_PARTS', limit: SPOT_LIMITS.icebergPartsMax },
    size('MARKET_LOT_SIZE', market.maxMarketQty),
    {
      filterType: 'TRAILING_DELTA',
      minTrailingAboveDelta: SPOT_LIMITS.trailingBipsMin,
      maxTrailingAboveDelta: SPOT_LIMITS.trailingBipsMax,
      minTrailingBelowDelta: SPOT_LIMITS.trailingBipsMin,
      maxTrailingBelowDelta: SPOT_LIMITS.trailingBipsMax,
    },
    {
      filterType: 'PERCENT_PRICE_BY_SIDE',
      bidMultiplierUp: formatAmount(market.bidMultiplierUp),
      bidMultiplierDown: formatAmount(market.bidMultiplierDown),
      askMultiplierUp: formatAmount(market.askMultiplierUp),
      askMultiplierDown: formatAmount(market.askMultiplierDown),
      avgPriceMins: AVERAGE_PRICE_MINUTES,
    },
    {
      filterType: 'NOTIONAL',
      minNotional: formatDecimal(market.minNotional),
      applyMinToMarket: true,
      maxNotional: formatDecimal(market.maxNotional),
      applyMaxToMarket: false,
      avgPriceMins: AVERAGE_PRICE_MINUTES,
    },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: market.maxOpenOrders },
    { filterType: 'MAX_NUM_ORDER_LISTS', maxNumOrderLists: SPOT_LIMITS.orderListsMax },
    { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: SPOT_LIMITS.conditionalOrdersMax },
    { filterType: 'MAX_NUM_ORDER_AMENDS', maxNumOrderAmends: ORDER_AMENDS_MAX },
  ];
}

/** One `symbols` entry. */
export function symbolInfo(market: MarketFacts): object {
  return {
    symbol: market.symbol,
    status: market.status,
    baseAsset: market.base,
    baseAssetPrecision: ASSET_DECIMALS,
    quoteAsset: market.quote,
    quotePrecision: ASSET_DECIMALS,
    quoteAssetPrecision: ASSET_DECIMALS,
    baseCommissionPrecision: ASSET_DECIMALS,
    quoteCommissionPrecision: ASSET_DECIMALS,
    orderTypes: ORDER_TYPES,
    ...fields('icebergAllowed ocoAllowed otoAllowed', true),
    opoAllowed: false,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: true,
    cancelReplaceAllowed: true,
    amendAllowed: true,
    pegInstructionsAllowed: false,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: filters(market),
    permissions: [],
    permissionSets: [PERMISSIONS],
    defaultSelfTradePreventionMode: SELF_TRADE_MODE_DEFAULT,
    allowedSelfTradePreventionModes: SELF_TRADE_MODES,
  };
}

function info(desk: Desk, markets: readonly MarketFacts[]): object {
  return {
    timezone: 'UTC',
    serverTime: desk.exchange.now(),
    rateLimits: desk.rates.announced(),
    exchangeFilters: [],
    symbols: markets.map(symbolInfo),
  };
}

const STATUSES = ['TRADING', 'HALT', 'BREAK', 'END_OF_DAY', 'CANCEL_ONLY'] as const;

/** exchangeInfo. */
export const EXCHANGE_INFO_ENDPOINTS: readonly Endpoint[] = [
  endpoint(
    PUBLIC,
    'exchangeInfo GET /api/v3/exchangeInfo',
    'symbol symbols permissions showPermissionSets symbolStatus',
    (reader, desk) => {
      const one = reader.optionalMarket(desk.exchange.markets);
      const several = reader.marketList(desk.exchange.markets);
      const status = reader.choice('symbolStatus', STATUSES, ERRORS.badSymbolStatus);
      reader.text('permissions');
      const withSets = reader.flag('showPermissionSets') ?? true;
      if (reader.has('symbol') && reader.has('symbols')) reader.refuse(ERRORS.badCombination);
      if (status !== undefined && (reader.has('symbol') || reader.has('symbols'))) {
        reader.refuse(ERRORS.badCombination);
      }
      return {
        weight: 20,
        run: () => {
          const chosen = one === undefined ? (several ?? [...desk.exchange.markets.values()]) : [one];
          const listed = status === undefined ? chosen : chosen.filter((m) => m.status === status);
          const body = info(desk, listed) as { symbols: object[] };
          if (!withSets) body.symbols = body.symbols.map((entry) => ({ ...entry, permissionSets: [] }));
          return ok(body);
        },
      };
    },
  ),
];

/** Every asset of every market, in the order of listing. */
export function listedAssets(markets: ReadonlyMap<string, MarketFacts>): readonly string[] {
  const assets = new Set<string>();
  for (const market of markets.values()) assets.add(market.base).add(market.quote);
  return [...assets];
}

/** The fee as whole basis points: 0.001 is 10. */
export function basisPoints(fee: Amount): number {
  return Number(fee / amount('0.0001'));
}
