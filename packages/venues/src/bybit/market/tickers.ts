import type { Millis, Ticker } from '@crossbook/domain';
import type { PerpStats } from '../../venue-public.ts';
import { asArray, asCounter, asDecimalText, asObject, asText, type WireObject } from '../../wire/guards.ts';
import { asDecimalOrNone, asMillis, percentOf } from '../wire.ts';

/**
 * Bybit's 24-hour figures. REST tells them whole; on the perpetuals' socket a snapshot is followed by deltas that name
 * only what changed, so that somebody must remember the rest. Source: market/tickers, websocket/public/ticker (2026-07-24).
 */

/** Rows of one answer; the venue lists some 800 symbols of a category. */
const ROWS_PER_ANSWER_MAX = 10_000;

const CORE_FIELDS = [
  'lastPrice',
  'price24hPcnt',
  'prevPrice24h',
  'highPrice24h',
  'lowPrice24h',
  'volume24h',
  'turnover24h',
] as const;
const LINEAR_FIELDS = ['markPrice', 'indexPrice', 'fundingRate', 'nextFundingTime', 'openInterest'] as const;

/** Reads one whole ticker. Mark, index, funding and open interest are left out where the venue says "" or does not name them. */
export function normaliseTicker(row: WireObject, time: unknown): Ticker | undefined {
  const symbol = asText(row.symbol);
  const at = asMillis(time);
  const [lastPrice, fraction, openPrice, highPrice, lowPrice, volume, quoteVolume] = CORE_FIELDS.map(
    (field) => asDecimalText(row[field]),
  );
  if (symbol === undefined || at === undefined || lastPrice === undefined || fraction === undefined)
    return undefined;
  if (openPrice === undefined || highPrice === undefined || lowPrice === undefined) return undefined;
  if (volume === undefined || quoteVolume === undefined) return undefined;
  const perpetual = perpetualStats(row);
  if (perpetual === undefined) return undefined;
  const change = percentOf(fraction);
  return {
    ...{ symbol, lastPrice, change, openPrice, highPrice, lowPrice, volume, quoteVolume },
    time: at,
    ...perpetual,
  };
}

function perpetualStats(row: WireObject): PerpStats | undefined {
  const markPrice = asDecimalOrNone(row.markPrice);
  const indexPrice = asDecimalOrNone(row.indexPrice);
  const fundingRate = asDecimalOrNone(row.fundingRate);
  // Told in base coins for contracts that settle in USDT.
  const openInterest = asDecimalOrNone(row.openInterest);
  const next = row.nextFundingTime;
  const nextFundingTime = next === undefined || next === '' || next === '0' ? 0 : asMillis(next);
  if (markPrice === undefined || indexPrice === undefined || fundingRate === undefined) return undefined;
  if (nextFundingTime === undefined || openInterest === undefined || openInterest.startsWith('-'))
    return undefined;
  return {
    ...(markPrice === '' ? {} : { markPrice }),
    ...(indexPrice === '' ? {} : { indexPrice }),
    ...(fundingRate === '' ? {} : { fundingRate }),
    ...(nextFundingTime === 0 ? {} : { nextFundingTime: nextFundingTime as Millis }),
    ...(openInterest === '' ? {} : { openInterest }),
  };
}

/** The `list` of a `tickers` answer. Symbols that have never traded, which the venue lists with "", are left out. */
export function normaliseTickers(result: WireObject, time: unknown): Ticker[] | undefined {
  const rows = asArray(result.list);
  if (rows === undefined || rows.length > ROWS_PER_ANSWER_MAX) return undefined;
  const tickers: Ticker[] = [];
  for (const entry of rows) {
    const row = asObject(entry);
    if (row === undefined) return undefined;
    if (CORE_FIELDS.some((field) => row[field] === '')) continue;
    const ticker = normaliseTicker(row, time);
    if (ticker === undefined) return undefined;
    tickers.push(ticker);
  }
  return tickers;
}

/** What a ticker message did: a whole ticker, nothing to tell (yet), or unreadable. */
export type MergedTicker = Ticker | 'nothing' | 'malformed';

interface Remembered {
  readonly fields: WireObject;
  readonly order: number;
}

/**
 * Remembers the last whole ticker of each symbol, so that a delta can be completed. A delta is never shown by itself:
 * without a snapshot before it there is nothing to tell, and one that cannot be read makes the symbol's memory
 * worthless until the next snapshot. Bounded by the instruments that the caller knows.
 */
export class TickerMemory {
  readonly #bySymbol = new Map<string, Remembered>();

  /** Takes one message about `symbol`; `order` is the venue's cross sequence (`cs`), which only ever rises. */
  apply(message: WireObject, symbol: string): MergedTicker {
    const data = asObject(message.data);
    const order = asCounter(message.cs);
    if (data === undefined || order === undefined || data.symbol !== symbol) return this.#lost(symbol);
    if (message.type !== 'snapshot' && message.type !== 'delta') return this.#lost(symbol);
    const known = this.#bySymbol.get(symbol);
    if (message.type === 'delta' && known === undefined) return 'nothing';
    if (message.type === 'delta' && known !== undefined && order < known.order) return 'nothing';
    const fields = { ...(message.type === 'delta' ? known?.fields : {}), ...usedFields(data) };
    const ticker = normaliseTicker(fields, message.ts);
    if (ticker === undefined) return this.#lost(symbol);
    this.#bySymbol.set(symbol, { fields, order });
    return ticker;
  }

  /** Forgets a symbol: its next snapshot is on the way. */
  forget(symbol: string): void {
    this.#bySymbol.delete(symbol);
  }

  #lost(symbol: string): 'malformed' {
    this.#bySymbol.delete(symbol);
    return 'malformed';
  }
}

function usedFields(data: WireObject): WireObject {
  const used: Record<string, unknown> = { symbol: data.symbol };
  for (const field of [...CORE_FIELDS, ...LINEAR_FIELDS]) {
    if (data[field] !== undefined) used[field] = data[field];
  }
  return used;
}
