import {
  AMOUNT_ONE,
  type Amount,
  type Instrument,
  lesser,
  type PriceBand,
  type SymbolType,
  ZERO,
} from '@crossbook/domain';
import { asArray, asObject, asText, type WireObject } from '../../wire/guards.ts';
import { type InstrumentList, listInstruments } from '../../wire/instrument-list.ts';
import { asAmount, largestCount } from '../../wire/numbers.ts';

/** The quote asset the hub trades in (spec section 8). */
const QUOTE_ASSET = 'USDT';

/** What differs between the listings of spot and of USD-M futures. */
export interface ListingRules {
  readonly symbolType: SymbolType;
  readonly maxLeverage: number;
  /** Whether a USDT symbol belongs to this market at all. */
  belongs(symbol: WireObject): boolean;
  /** Whether it takes orders. */
  trades(symbol: WireObject): boolean;
}

/** Spot lists pairs only; `isSpotTradingAllowed` false closes a pair whatever its status. */
export const SPOT_LISTING: ListingRules = {
  symbolType: 'SPOT',
  maxLeverage: 1,
  belongs: () => true,
  trades: (symbol) => symbol.status === 'TRADING' && symbol.isSpotTradingAllowed !== false,
};

/**
 * Reads an `exchangeInfo` answer. Symbols of other quotes or kinds are left out; one unreadable symbol is
 * skipped and counted and does not blind the rest.
 * @returns `undefined` when the answer itself has another shape.
 */
export function normaliseInstruments(answer: unknown, rules: ListingRules): InstrumentList | undefined {
  return listInstruments(
    asObject(answer)?.symbols,
    (symbol) => symbol.quoteAsset === QUOTE_ASSET && rules.belongs(symbol),
    (symbol) => normaliseInstrument(symbol, rules),
  );
}

function normaliseInstrument(symbol: WireObject, rules: ListingRules): Instrument | undefined {
  const name = asText(symbol.symbol);
  const base = asText(symbol.baseAsset);
  const filters = filtersByType(symbol.filters);
  const priceFilter = filters.get('PRICE_FILTER');
  const lotFilter = filters.get('LOT_SIZE');
  if (name === undefined || base === undefined || priceFilter === undefined || lotFilter === undefined)
    return undefined;
  const price = rangeOf(priceFilter, 'Price', 'tickSize');
  const lot = rangeOf(lotFilter, 'Qty', 'stepSize');
  if (price === undefined || lot === undefined || price.step === ZERO || lot.step === ZERO) return undefined;
  const maxQty = lot.max === ZERO ? largestCount(lot.step) : lot.max;
  const maxMarketQty = marketMaximum(filters.get('MARKET_LOT_SIZE'), maxQty);
  const minNotional = minimumNotional(filters);
  if (maxMarketQty === undefined || minNotional === undefined) return undefined;
  const priceBand = priceBandOf(filters);
  return {
    ...(priceBand === undefined ? {} : { priceBand }),
    platform: 1,
    symbolType: rules.symbolType,
    symbol: name,
    base,
    quote: QUOTE_ASSET,
    tickSize: price.step,
    lotSize: lot.step,
    minPrice: price.min === ZERO ? price.step : price.min,
    maxPrice: price.max === ZERO ? largestCount(price.step) : price.max,
    minQty: lot.min === ZERO ? lot.step : lot.min,
    maxQty,
    maxMarketQty,
    minNotional,
    contractValue: AMOUNT_ONE as Amount,
    maxLeverage: rules.maxLeverage,
    status: rules.trades(symbol) ? 'trading' : 'halted',
  };
}

function filtersByType(value: unknown): ReadonlyMap<string, WireObject> {
  const byType = new Map<string, WireObject>();
  for (const entry of asArray(value) ?? []) {
    const filter = asObject(entry);
    const type = asText(filter?.filterType);
    if (filter !== undefined && type !== undefined) byType.set(type, filter);
  }
  return byType;
}

interface Range {
  readonly min: Amount;
  readonly max: Amount;
  readonly step: Amount;
}

/** A figure of 0 switches that bound off (filters.md). */
function rangeOf(filter: WireObject, noun: 'Price' | 'Qty', stepField: string): Range | undefined {
  const min = asAmount(filter[`min${noun}`]);
  const max = asAmount(filter[`max${noun}`]);
  const step = asAmount(filter[stepField]);
  return min === undefined || max === undefined || step === undefined ? undefined : { min, max, step };
}

/** MARKET_LOT_SIZE narrows LOT_SIZE for market orders; absent or 0 means that LOT_SIZE alone counts. */
function marketMaximum(filter: WireObject | undefined, maxQty: Amount): Amount | undefined {
  if (filter === undefined) return maxQty;
  const max = asAmount(filter.maxQty);
  if (max === undefined) return undefined;
  return max === ZERO ? maxQty : lesser(max, maxQty);
}

/**
 * NOTIONAL took the place of MIN_NOTIONAL on spot in 2023; older answers and some symbols still carry the latter.
 * Futures call the figure of MIN_NOTIONAL `notional`.
 */
function minimumNotional(filters: ReadonlyMap<string, WireObject>): Amount | undefined {
  const filter = filters.get('NOTIONAL') ?? filters.get('MIN_NOTIONAL');
  return filter === undefined ? ZERO : asAmount(filter.minNotional ?? filter.notional);
}

/**
 * Contracts bound a buy above and a sell below (PERCENT_PRICE, of the mark), pairs either side of each
 * (PERCENT_PRICE_BY_SIDE, of the average price): "Filters" of the API documents. A bound that cannot be read is none.
 */
function priceBandOf(filters: ReadonlyMap<string, WireObject>): PriceBand | undefined {
  const bySide = filters.get('PERCENT_PRICE_BY_SIDE');
  const plain = filters.get('PERCENT_PRICE');
  if (bySide === undefined && plain === undefined) return undefined;
  const [buyLeast, sellMost] = [asAmount(bySide?.bidMultiplierDown), asAmount(bySide?.askMultiplierUp)];
  const buyMost = asAmount(bySide?.bidMultiplierUp ?? plain?.multiplierUp);
  const sellLeast = asAmount(bySide?.askMultiplierDown ?? plain?.multiplierDown);
  return {
    ...(buyLeast === undefined ? {} : { buyLeast }),
    ...(buyMost === undefined ? {} : { buyMost }),
    ...(sellLeast === undefined ? {} : { sellLeast }),
    ...(sellMost === undefined ? {} : { sellMost }),
  };
}
