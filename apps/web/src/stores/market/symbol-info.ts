import type { SymbolRow } from '@crossbook/contract';
import { decimalsOf, type Platform, parseAmount, type SymbolType } from '@crossbook/domain';

/** An instrument as the own service names it (spec section 3). */
export interface ServiceInstrument {
  /** The venue's own name. */
  readonly symbol: string;
  /** Smallest price step, a decimal string. */
  readonly tickSz: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  /** Contracts that share a leverage table; `BTC-USDT`. */
  readonly tinstFamily: string;
}

/** Bounds and step of a quantity, in base coins or contracts as the venue counts; decimal strings. */
interface SizeFilter {
  readonly minQty: string;
  readonly maxQty: string;
  readonly stepSize: string;
  /** Decimals of `stepSize`. */
  readonly stepSz: number;
}

/** Symbol info, the same for every platform, under the names of spec section 3; figures are decimal strings. */
export interface SymbolInfo {
  readonly exchange: Platform;
  readonly symbolType: SymbolType;
  readonly routerType: 'spot' | 'futures';
  /** The venue's own name. */
  readonly symbol: string;
  /** The pair as it is shown: `BTC/USDT`. */
  readonly ccyName: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly PRICE_FILTER: {
    readonly minPrice: string;
    readonly maxPrice: string;
    readonly tickSize: string;
    /** Decimals of `tickSize`. */
    readonly tickSz: number;
  };
  readonly LOT_SIZE: SizeFilter;
  readonly MARKET_LOT_SIZE: SizeFilter;
  readonly maxLmtSz: string;
  readonly maxMktSz: string;
  readonly ctVal: string;
  readonly maxLever: number;
  readonly instFamily: string;
}

/** The part of a QuerySymInfo row that names an instrument and its step. */
export function serviceInstrument(row: SymbolRow): ServiceInstrument {
  return {
    symbol: row.tinstId,
    tickSz: row.ttickSz,
    baseCcy: row.tbaseCcy,
    quoteCcy: row.tquoteCcy,
    tinstFamily: row.tinstFamily,
  };
}

/** Normalises a QuerySymInfo row; `undefined` when a step is no decimal number above 0. */
export function symbolInfo(platform: Platform, row: SymbolRow): SymbolInfo | undefined {
  const { symbol, tickSz, baseCcy, quoteCcy, tinstFamily } = serviceInstrument(row);
  const [tick, lot] = [parseAmount(tickSz), parseAmount(row.tlotSz)];
  if (tick === undefined || lot === undefined || tick === 0n || lot === 0n) return undefined;
  const sizes = { minQty: row.tminSz, stepSize: row.tlotSz, stepSz: decimalsOf(lot) };
  const { tminPrice: minPrice, tmaxPrice: maxPrice, tmaxLmtSz: maxLmtSz, tmaxMktSz: maxMktSz } = row;
  const spot = row.tinstType === 1;
  return {
    exchange: platform,
    symbolType: spot ? 'SPOT' : 'SWAP',
    routerType: spot ? 'spot' : 'futures',
    ...{ symbol, ccyName: `${baseCcy}/${quoteCcy}`, baseCcy, quoteCcy },
    PRICE_FILTER: { minPrice, maxPrice, tickSize: tickSz, tickSz: decimalsOf(tick) },
    LOT_SIZE: { ...sizes, maxQty: row.tmaxSz },
    MARKET_LOT_SIZE: { ...sizes, maxQty: maxMktSz },
    ...{ maxLmtSz, maxMktSz, ctVal: row.tctVal, maxLever: row.tlever, instFamily: tinstFamily },
  };
}
