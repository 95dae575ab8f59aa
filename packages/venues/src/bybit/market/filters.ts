import { AMOUNT_ONE, type Amount, type Instrument, lesser, ZERO } from '@crossbook/domain';
import { asObject, asText, type WireObject } from '../../wire/guards.ts';
import { type InstrumentList, listInstruments } from '../../wire/instrument-list.ts';
import { asAmount, largestCount } from '../../wire/numbers.ts';
import type { BybitCategory } from '../urls.ts';

/** The asset the hub quotes and settles in (spec section 8). */
const QUOTE_ASSET = 'USDT';

/**
 * Reads the `list` of an `instruments-info` answer. Other quotes, and contracts that expire or settle in something
 * else, are left out; one unreadable row is skipped and counted and does not blind the rest.
 * @returns `undefined` when the answer itself has another shape.
 */
export function normaliseInstruments(
  result: WireObject,
  category: BybitCategory,
): InstrumentList | undefined {
  const isListed = (row: WireObject) => isOurs(row, category);
  return listInstruments(result.list, isListed, category === 'spot' ? spotInstrument : linearInstrument);
}

function isOurs(row: WireObject, category: BybitCategory): boolean {
  if (row.quoteCoin !== QUOTE_ASSET) return false;
  return category === 'spot' || (row.contractType === 'LinearPerpetual' && row.settleCoin === QUOTE_ASSET);
}

/** Spot has no price bounds; `maxOrderQty` is the old name of `maxLimitOrderQty` and was the bound of market orders too. */
function spotInstrument(row: WireObject): Instrument | undefined {
  const lot = asObject(row.lotSizeFilter) ?? {};
  const tickSize = stepOf(asObject(row.priceFilter)?.tickSize);
  const lotSize = stepOf(lot.basePrecision);
  const minNotional = asAmount(lot.minOrderAmt);
  if (tickSize === undefined || lotSize === undefined || minNotional === undefined) return undefined;
  return instrumentOf(row, {
    symbolType: 'SPOT',
    tickSize,
    lotSize,
    minNotional,
    minPrice: tickSize,
    maxPrice: largestCount(tickSize),
    minQty: asAmount(lot.minOrderQty),
    maxQty: asAmount(lot.maxLimitOrderQty ?? lot.maxOrderQty),
    maxMarketQty: asAmount(lot.maxMarketOrderQty ?? lot.maxOrderQty),
    maxLeverage: 1,
  });
}

function linearInstrument(row: WireObject): Instrument | undefined {
  const lot = asObject(row.lotSizeFilter) ?? {};
  const price = asObject(row.priceFilter) ?? {};
  const tickSize = stepOf(price.tickSize);
  const lotSize = stepOf(lot.qtyStep);
  const minNotional = asAmount(lot.minNotionalValue ?? '0');
  const leverage = asAmount(asObject(row.leverageFilter)?.maxLeverage);
  if (tickSize === undefined || lotSize === undefined || minNotional === undefined) return undefined;
  if (leverage === undefined || leverage < AMOUNT_ONE) return undefined;
  return instrumentOf(row, {
    symbolType: 'SWAP',
    tickSize,
    lotSize,
    minNotional,
    minPrice: asAmount(price.minPrice),
    maxPrice: asAmount(price.maxPrice),
    minQty: asAmount(lot.minOrderQty),
    maxQty: asAmount(lot.maxOrderQty),
    maxMarketQty: asAmount(lot.maxMktOrderQty ?? lot.maxOrderQty),
    maxLeverage: Number(leverage / AMOUNT_ONE),
  });
}

interface Terms
  extends Pick<Instrument, 'symbolType' | 'tickSize' | 'lotSize' | 'minNotional' | 'maxLeverage'> {
  readonly minPrice: Amount | undefined;
  readonly maxPrice: Amount | undefined;
  readonly minQty: Amount | undefined;
  readonly maxQty: Amount | undefined;
  readonly maxMarketQty: Amount | undefined;
}

function instrumentOf(row: WireObject, terms: Terms): Instrument | undefined {
  const { minPrice, maxPrice, minQty, maxQty, maxMarketQty, ...rest } = terms;
  const symbol = asText(row.symbol);
  const base = asText(row.baseCoin);
  if (symbol === undefined || base === undefined || minPrice === undefined || maxPrice === undefined)
    return undefined;
  if (minQty === undefined || maxQty === undefined || maxMarketQty === undefined) return undefined;
  return {
    ...rest,
    platform: 3,
    symbol,
    base,
    quote: QUOTE_ASSET,
    minPrice: minPrice === ZERO ? terms.tickSize : minPrice,
    maxPrice,
    minQty: minQty === ZERO ? terms.lotSize : minQty,
    maxQty,
    maxMarketQty: lesser(maxMarketQty, maxQty),
    contractValue: AMOUNT_ONE as Amount,
    status: row.status === 'Trading' ? 'trading' : 'halted',
  };
}

/** A step above 0. */
function stepOf(value: unknown): Amount | undefined {
  const step = asAmount(value);
  return step === ZERO ? undefined : step;
}
