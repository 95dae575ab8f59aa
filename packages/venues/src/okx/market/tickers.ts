import {
  AMOUNT_ONE,
  type Amount,
  formatAmount,
  formatAmountFixed,
  type Millis,
  minus,
  mulDown,
  parseAmount,
  type Ticker,
  ZERO,
} from '@crossbook/domain';
import type { PerpStats } from '../../venue-public.ts';
import { asDecimalText, asObject, asText, type WireObject } from '../../wire/guards.ts';
import { asAmount } from '../../wire/numbers.ts';
import { isUsdtSymbol, swapOf, symbolTypeOf } from '../symbols.ts';
import { asTextCounter, dataOf } from '../wire.ts';

/**
 * OKX's 24-hour figures, and what stands beside them for perpetuals. Source: OKX v5 guide, "Get ticker",
 * "Get mark price", "Get index tickers", "Get funding rate" (2026).
 */

/** Decimals of a change in percent; it is cut, not rounded. */
const CHANGE_DECIMALS = 4;

/**
 * One ticker. The change is against `open24h` (decision 0030.10). The quote volume of spot is `volCcy24h`; of a
 * perpetual the venue tells contracts and base only, so that base volume times last price stands for it.
 */
export function normaliseTicker(entry: unknown): Ticker | undefined {
  const row = asObject(entry);
  const symbol = asText(row?.instId);
  const last = asAmount(row?.last);
  const open = asAmount(row?.open24h);
  const time = asTextCounter(row?.ts);
  if (row === undefined || symbol === undefined || last === undefined || open === undefined) return undefined;
  const [lastPrice, openPrice, highPrice, lowPrice, units, currency] = [
    ...[row.last, row.open24h, row.high24h, row.low24h, row.vol24h, row.volCcy24h].map(asDecimalText),
  ];
  if (open === ZERO || time === undefined || lastPrice === undefined || openPrice === undefined)
    return undefined;
  if (highPrice === undefined || lowPrice === undefined) return undefined;
  if (units === undefined || currency === undefined) return undefined;
  const perpetual = symbolTypeOf(symbol) === 'SWAP';
  const base = parseAmount(perpetual ? currency : units);
  const [utcDayOpenPrice, lastSize] = [row.sodUtc0, row.lastSz].map(asDecimalText);
  if (row.instType !== symbolTypeOf(symbol) || base === undefined) return undefined;
  return {
    symbol,
    lastPrice,
    change: percentChange(last, open),
    openPrice,
    ...(utcDayOpenPrice === undefined ? {} : { utcDayOpenPrice }),
    highPrice,
    lowPrice,
    volume: perpetual ? currency : units,
    quoteVolume: perpetual ? formatAmount(mulDown(base, last)) : currency,
    ...(lastSize === undefined ? {} : { lastSize }),
    time: time as Millis,
  };
}

function percentChange(last: Amount, open: Amount): string {
  const percent = (minus(last, open) * 100n * AMOUNT_ONE) / open;
  return formatAmountFixed(percent as Amount, CHANGE_DECIMALS);
}

/**
 * The USDT tickers of a list. One that has never traded has empty figures: such a row is left out, and so is one that
 * cannot be read, so that it does not blind the rest; a list of which nothing can be read is none.
 */
export function normaliseTickers(answer: unknown): Ticker[] | undefined {
  const rows = dataOf(answer)?.filter((row) => isUsdtSymbol(asText(asObject(row)?.instId) ?? ''));
  if (rows === undefined) return undefined;
  const tickers = rows.map(normaliseTicker).filter((ticker) => ticker !== undefined);
  return tickers.length === 0 && rows.length > 0 ? undefined : tickers;
}

/** What one row of a channel or list says of a perpetual. */
export interface NamedStats {
  readonly symbol: string;
  readonly stats: PerpStats;
}

/** A mark price: `{instType, instId, markPx, ts}`. */
export function normaliseMarkPrice(row: WireObject): NamedStats | undefined {
  const symbol = asText(row.instId);
  const markPrice = asPrice(row.markPx);
  if (symbol === undefined || markPrice === undefined || symbolTypeOf(symbol) !== 'SWAP') return undefined;
  return { symbol, stats: { markPrice } };
}

/** An index price, told under the name of the index, as a figure of its perpetual. */
export function normaliseIndexPrice(row: WireObject): NamedStats | undefined {
  const index = asText(row.instId);
  const indexPrice = asPrice(row.idxPx);
  if (index === undefined || indexPrice === undefined || symbolTypeOf(index) !== 'SPOT') return undefined;
  return { symbol: swapOf(index), stats: { indexPrice } };
}

/** `fundingTime` is the next payment, at `fundingRate`; `nextFundingTime` the one after it. */
export function normaliseFunding(row: WireObject): NamedStats | undefined {
  const symbol = asText(row.instId);
  const fundingRate = asDecimalText(row.fundingRate);
  const next = asTextCounter(row.fundingTime);
  if (symbol === undefined || fundingRate === undefined || next === undefined) return undefined;
  if (symbolTypeOf(symbol) !== 'SWAP') return undefined;
  return { symbol, stats: { fundingRate, nextFundingTime: next as Millis } };
}

/** Open interest: `oi` counts contracts, `oiCcy` base coins. */
export function normaliseOpenInterest(row: WireObject): NamedStats | undefined {
  const symbol = asText(row.instId);
  const openInterest = asDecimalText(row.oiCcy);
  if (symbol === undefined || symbolTypeOf(symbol) !== 'SWAP') return undefined;
  return openInterest?.startsWith('-') === false ? { symbol, stats: { openInterest } } : undefined;
}

/** Figures of a list by symbol; rows that cannot be read are left out. */
export function statsBySymbol(
  answer: unknown,
  read: (row: WireObject) => NamedStats | undefined,
): ReadonlyMap<string, PerpStats> | undefined {
  const rows = dataOf(answer);
  if (rows === undefined) return undefined;
  const bySymbol = new Map<string, PerpStats>();
  for (const entry of rows) {
    const row = asObject(entry);
    const named = row === undefined ? undefined : read(row);
    if (named !== undefined) bySymbol.set(named.symbol, named.stats);
  }
  return bySymbol;
}

function asPrice(value: unknown): string | undefined {
  const price = asAmount(value);
  return price === undefined || price === ZERO ? undefined : (value as string);
}
