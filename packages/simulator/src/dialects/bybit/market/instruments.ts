import {
  AMOUNT_ONE,
  type Amount,
  decimalsOf,
  formatAmount,
  formatAmountFixed,
  minus,
} from '@crossbook/domain';
import type { MarketFacts } from '../../../exchange.ts';
import type { PerpFacts } from '../../../venue.ts';
import { type Desk, type Endpoint, publicCall, type Run, reply, signedCall } from '../endpoint.ts';
import { ERRORS, invalid, missing } from '../errors.ts';
import type { BybitCategory } from '../format.ts';
import type { ParamReader } from '../params.ts';

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 1000;
/** Amounts of quote are told in eight decimals. */
const QUOTE_PRECISION = '0.00000001';
const STATUSES = ['PreLaunch', 'Trading', 'Delivering', 'Closed'] as const;
type Status = (typeof STATUSES)[number];

/** Bybit's categories; inverse contracts and options exist as empty lists. */
export const CATEGORIES = ['spot', 'linear', 'inverse', 'option'] as const;

/** Reads the category; `undefined` stands for the two that are empty here (or for a refusal). */
export function readCategory(reader: ParamReader, fallback?: BybitCategory): BybitCategory | undefined {
  const word = reader.choice('category', CATEGORIES, ERRORS.badCategory) ?? fallback;
  if (word === undefined) reader.refuse(missing('category'));
  return word === 'spot' || word === 'linear' ? word : undefined;
}

/** The contracts of the linear category: those that settle in what they are quoted in. */
export function linearContracts(desk: Desk): ReadonlyMap<string, PerpFacts> {
  return new Map(
    [...desk.venue.perps.contracts].filter(([, contract]) => contract.settle === contract.quote),
  );
}

/** Whether a market is traded now. A contract's delivery ends it. */
export function statusOf(market: MarketFacts): Status {
  return market.status === 'TRADING' ? 'Trading' : 'Closed';
}

/** Band around the market as a fraction: 0.05 = 5 %. */
function bandOf(market: MarketFacts): string {
  return formatAmount(minus(market.bidMultiplierUp, AMOUNT_ONE as Amount));
}

function spotRow(desk: Desk, market: MarketFacts): object {
  return {
    symbolId: desk.numbers.spot.of(market.symbol),
    symbol: market.symbol,
    baseCoin: market.base,
    quoteCoin: market.quote,
    innovation: '0',
    status: statusOf(market),
    marginTrading: 'none',
    stTag: '0',
    lotSizeFilter: {
      basePrecision: formatAmount(market.lotSize),
      quotePrecision: QUOTE_PRECISION,
      minOrderQty: formatAmount(market.minQty),
      maxOrderQty: formatAmount(market.maxQty),
      minOrderAmt: formatAmount(market.minNotional),
      maxOrderAmt: formatAmount(market.maxNotional),
      maxLimitOrderQty: formatAmount(market.maxQty),
      maxMarketOrderQty: formatAmount(market.maxMarketQty),
      postOnlyMaxLimitOrderSize: formatAmount(market.maxQty),
    },
    priceFilter: { tickSize: formatAmount(market.tickSize) },
    riskParameters: { priceLimitRatioX: bandOf(market), priceLimitRatioY: bandOf(market) },
    symbolType: '',
    xstockMultiplier: '1',
  };
}

function linearRow(desk: Desk, contract: PerpFacts): object {
  const price = (value: Amount) => formatAmountFixed(value, decimalsOf(contract.tickSize));
  const size = (value: Amount) => formatAmountFixed(value, decimalsOf(contract.lotSize));
  const perpetual = contract.kind === 'PERPETUAL';
  return {
    symbol: contract.symbol,
    contractType: perpetual ? 'LinearPerpetual' : 'LinearFutures',
    status: statusOf(contract),
    baseCoin: contract.base,
    quoteCoin: contract.quote,
    launchTime: String(contract.listedAt),
    deliveryTime: String(contract.deliveryTime ?? 0),
    deliveryFeeRate: perpetual ? '' : '0',
    priceScale: String(decimalsOf(contract.tickSize)),
    leverageFilter: {
      minLeverage: '1',
      maxLeverage: contract.maxLeverage.toFixed(2),
      leverageStep: '0.01',
    },
    priceFilter: {
      minPrice: price(contract.minPrice),
      maxPrice: price(contract.maxPrice),
      tickSize: price(contract.tickSize),
    },
    lotSizeFilter: {
      maxOrderQty: size(contract.maxQty),
      minOrderQty: size(contract.minQty),
      qtyStep: size(contract.lotSize),
      postOnlyMaxOrderQty: size(contract.maxQty),
      maxMktOrderQty: size(contract.maxMarketQty),
      minNotionalValue: formatAmount(contract.minNotional),
    },
    unifiedMarginTrade: true,
    fundingInterval: perpetual ? contract.fundingEveryMillis / 60_000 : 0,
    settleCoin: contract.settle,
    copyTrading: 'none',
    upperFundingRate: perpetual ? '0.005' : '0',
    lowerFundingRate: perpetual ? '-0.005' : '0',
    isPreListing: false,
    preListingInfo: null,
    riskParameters: { priceLimitRatioX: bandOf(contract), priceLimitRatioY: bandOf(contract) },
    displayName: '',
    symbolType: '',
    forbidUplWithdrawal: false,
    symbolId: desk.numbers.linear.of(contract.symbol),
  };
}

interface Wanted {
  readonly symbol: string | undefined;
  readonly status: Status | undefined;
  readonly baseCoin: string | undefined;
}

/** Without a status the list has what trades now; a symbol that is named is shown however it stands. */
function isWanted(market: MarketFacts, wanted: Wanted): boolean {
  if (wanted.symbol !== undefined && market.symbol !== wanted.symbol) return false;
  if (wanted.baseCoin !== undefined && market.base !== wanted.baseCoin) return false;
  if (wanted.status !== undefined) return statusOf(market) === wanted.status;
  return wanted.symbol !== undefined || statusOf(market) === 'Trading';
}

function list(reader: ParamReader, desk: Desk): Run {
  const category = readCategory(reader);
  const named = reader.choice('category', CATEGORIES, ERRORS.badCategory);
  const wanted: Wanted = {
    symbol: reader.text('symbol'),
    status: reader.choice('status', STATUSES),
    baseCoin: reader.text('baseCoin'),
  };
  const limit = reader.limit(LIMIT_DEFAULT, LIMIT_MAX);
  const cursor = reader.text('cursor');
  if (cursor !== undefined && !/^[0-9]{1,6}$/.test(cursor)) reader.refuse(invalid('cursor'));
  return () => {
    if (category === undefined) {
      return reply({ category: named, list: [], ...(named === 'inverse' ? { nextPageCursor: '' } : {}) });
    }
    if (category === 'spot') {
      const { markets } = desk.venue.spot;
      if (wanted.symbol !== undefined && !markets.has(wanted.symbol))
        return { ok: false, code: ERRORS.badSymbol };
      // Spot comes whole: it has neither limit nor cursor.
      const rows = [...markets.values()].filter((market) => isWanted(market, wanted));
      return reply({ category, list: rows.map((market) => spotRow(desk, market)) });
    }
    const contracts = linearContracts(desk);
    if (wanted.symbol !== undefined && !contracts.has(wanted.symbol))
      return { ok: false, code: ERRORS.badSymbol };
    const rows = [...contracts.values()].filter((contract) => isWanted(contract, wanted));
    const from = Number(cursor ?? 0);
    const next = from + limit < rows.length ? String(from + limit) : '';
    const shown = rows.slice(from, from + limit).map((contract) => linearRow(desk, contract));
    return reply({ category, list: shown, nextPageCursor: next });
  };
}

/** The same for an account (account/instrument): what trades now, none of it at improved prices for retail. */
function listOfAccount(reader: ParamReader, desk: Desk): Run {
  const run = list(reader, desk);
  return async (caller) => {
    const answer = await run(caller);
    if (!answer.ok) return answer;
    const { list: rows } = answer.value.result as { readonly list: readonly object[] };
    const shown = rows.map((row) => ({ ...row, isPublicRpi: false, myRpiPermission: false }));
    return reply({ ...answer.value.result, list: shown });
  };
}

/** What can be traded. */
export const INSTRUMENT_ENDPOINTS: readonly Endpoint[] = [
  publicCall('market.instruments GET /v5/market/instruments-info', list),
  signedCall('account.instruments GET /v5/account/instruments-info', 10, listOfAccount),
];
