import { AMOUNT_ONE, type Amount, type Instrument, mulDown, type SymbolType, ZERO } from '@crossbook/domain';
import { asText, type WireObject } from '../../wire/guards.ts';
import { type InstrumentList, listInstruments } from '../../wire/instrument-list.ts';
import { asAmount, largestCount } from '../../wire/numbers.ts';
import { dataOf } from '../wire.ts';

/** The asset the hub trades in (spec section 8). */
const QUOTE_ASSET = 'USDT';

/**
 * Reads a `public/instruments` answer. Other quotes, inverse and dated contracts are left out; one unreadable
 * instrument is skipped and counted and does not blind the rest.
 * @returns `undefined` when the answer itself has another shape.
 */
export function normaliseInstruments(answer: unknown, symbolType: SymbolType): InstrumentList | undefined {
  const isListed = (row: WireObject) => isOurs(row, symbolType);
  return listInstruments(dataOf(answer), isListed, symbolType === 'SPOT' ? spotOf : swapOf);
}

function isOurs(row: WireObject, symbolType: SymbolType): boolean {
  if (row.instType !== symbolType) return false;
  if (symbolType === 'SPOT') return row.quoteCcy === QUOTE_ASSET;
  return row.ctType === 'linear' && row.settleCcy === QUOTE_ASSET;
}

/** `maxMktSz` of spot counts USDT, not base (OKX v5 guide, "Get instruments"), so that only the limit's bound applies. */
function spotOf(row: WireObject): Instrument | undefined {
  const base = asText(row.baseCcy);
  const steps = stepsOf(row);
  if (base === undefined || steps === undefined) return undefined;
  return {
    ...steps,
    symbolType: 'SPOT',
    base,
    maxMarketQty: steps.maxQty,
    contractValue: AMOUNT_ONE as Amount,
    maxLeverage: 1,
  };
}

/** Quantities are contracts; base and quote are empty, so that the base is the asset a contract is counted in. */
function swapOf(row: WireObject): Instrument | undefined {
  const base = asText(row.ctValCcy);
  const steps = stepsOf(row);
  const value = asAmount(row.ctVal);
  const multiplier = asAmount(row.ctMult);
  const maxMarketQty = asAmount(row.maxMktSz);
  const maxLeverage = Number(asAmount(row.lever) ?? ZERO) / Number(AMOUNT_ONE);
  if (base === undefined || steps === undefined || value === undefined || multiplier === undefined)
    return undefined;
  if (maxMarketQty === undefined || maxMarketQty === ZERO || maxLeverage < 1) return undefined;
  const contractValue = mulDown(value, multiplier);
  if (contractValue === ZERO || steps.symbol !== `${base}-${QUOTE_ASSET}-SWAP`) return undefined;
  return { ...steps, symbolType: 'SWAP', base, maxMarketQty, contractValue, maxLeverage };
}

type Steps = Omit<Instrument, 'symbolType' | 'base' | 'maxMarketQty' | 'contractValue' | 'maxLeverage'>;

/** OKX bounds neither prices nor the value of an order from below. */
function stepsOf(row: WireObject): Steps | undefined {
  const symbol = asText(row.instId);
  const tickSize = asAmount(row.tickSz);
  const lotSize = asAmount(row.lotSz);
  const minQty = asAmount(row.minSz);
  const maxQty = asAmount(row.maxLmtSz);
  if (symbol === undefined || tickSize === undefined || lotSize === undefined) return undefined;
  if (minQty === undefined || maxQty === undefined || maxQty === ZERO) return undefined;
  if (tickSize === ZERO || lotSize === ZERO) return undefined;
  return {
    platform: 2,
    symbol,
    quote: QUOTE_ASSET,
    tickSize,
    lotSize,
    minPrice: tickSize,
    maxPrice: largestCount(tickSize),
    minQty: minQty === ZERO ? lotSize : minQty,
    maxQty,
    minNotional: ZERO,
    status: row.state === 'live' ? 'trading' : 'halted',
  };
}
