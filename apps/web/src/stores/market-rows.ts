import type { ListedInstrument } from './instruments.ts';
import { marketKey } from './market.ts';
import type { TickerRow } from './tickers.ts';

/** A listed pair with its figures, where they are known. */
export interface MarketRow {
  readonly instrument: ListedInstrument;
  readonly ticker: TickerRow | undefined;
}

/** The five pairs of the top markets list, in this order (spec section 9). */
const TOP_BASES = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE'] as const;
/** Length of the top-movers list (spec section 9). */
export const TOP_MOVERS = 6;

/** Joins instruments with their tickers. */
export function marketRows(
  instruments: readonly ListedInstrument[],
  tickers: ReadonlyMap<string, TickerRow>,
): readonly MarketRow[] {
  return instruments.map((instrument) => ({
    instrument,
    ticker: tickers.get(marketKey(instrument)),
  }));
}

/** The first five of BTC, ETH, SOL, XRP and DOGE against USDT. */
export function topMarkets(rows: readonly MarketRow[]): readonly MarketRow[] {
  return TOP_BASES.flatMap((base) => rows.find((row) => row.instrument.base === base) ?? []);
}

/** The top 6 by absolute 24-hour change; equal ones by name, so that the order never flickers. */
export function topMovers(rows: readonly MarketRow[]): readonly MarketRow[] {
  const size = (row: MarketRow) => Math.abs(Number(row.ticker?.change ?? 0));
  return rows
    .filter((row) => row.ticker !== undefined)
    .toSorted(
      (left, right) =>
        size(right) - size(left) || left.instrument.symbol.localeCompare(right.instrument.symbol, 'en'),
    )
    .slice(0, TOP_MOVERS);
}

/** Rows whose pair, coin or venue's symbol contains what was typed. */
export function searchMarkets(rows: readonly MarketRow[], typed: string): readonly MarketRow[] {
  const wanted = typed
    .trim()
    .toUpperCase()
    .replaceAll(/[\s/-]/g, '');
  if (wanted === '') return rows;
  return rows.filter(({ instrument }) => `${instrument.base}${instrument.quote}`.includes(wanted));
}
