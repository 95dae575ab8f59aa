import type { Platform } from '@crossbook/domain';
import type { ListedInstrument } from '../market/instruments.ts';
import { marketKey } from '../market/market.ts';
import type { TickerRow } from './tickers.ts';

/** A listed pair with its figures, where they are known. */
export interface MarketRow {
  readonly instrument: ListedInstrument;
  readonly ticker: TickerRow | undefined;
}

/** Of perpetuals only live, trading contracts are offered (spec section 8); a halted pair stays and says so. */
export function isOffered({ symbolType, status }: ListedInstrument): boolean {
  return symbolType === 'SPOT' || status === 'trading';
}

/** The platforms of the home page's lists (spec section 7). */
export const HOME_PLATFORMS: readonly Platform[] = [1, 2];
/** The five pairs of the top markets list, in this order (spec section 9). */
const TOP_BASES = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE'] as const;
/** Length of the top-markets list (spec section 9). */
export const TOP_MARKETS = TOP_BASES.length;
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

/** The first five of BTC, ETH, SOL, XRP and DOGE against USDT, each at the first platform that lists it. */
export function topMarkets(rows: readonly MarketRow[]): readonly MarketRow[] {
  return TOP_BASES.flatMap((base) => rows.find((row) => row.instrument.base === base) ?? []);
}

/**
 * The top 6 by absolute 24-hour change. A coin that several platforms list stands once, where it moved most: six rows of
 * one coin would tell nothing. Equal ones stand by name, so that the order never flickers.
 */
export function topMovers(rows: readonly MarketRow[]): readonly MarketRow[] {
  const size = (row: MarketRow) => Math.abs(Number(row.ticker?.change ?? 0));
  const seen = new Set<string>();
  return rows
    .filter((row) => row.ticker !== undefined)
    .toSorted(
      (left, right) =>
        size(right) - size(left) ||
        left.instrument.symbol.localeCompare(right.instrument.symbol, 'en') ||
        left.instrument.platform - right.instrument.platform,
    )
    .filter(({ instrument }) => !seen.has(instrument.base) && seen.add(instrument.base))
    .slice(0, TOP_MOVERS);
}

/** Letters as they are compared: `btc/usdt`, `BTC-USDT` and `BTC USDT` are the same. */
function plain(text: string): string {
  return text.toUpperCase().replaceAll(/[\s/_-]/g, '');
}

/**
 * Rows whose pair, venue's symbol or coin's name contains what was typed.
 * @param nameOf the name of a coin: `Bitcoin`.
 */
export function searchMarkets(
  rows: readonly MarketRow[],
  typed: string,
  nameOf: (asset: string) => string | undefined = () => undefined,
): readonly MarketRow[] {
  const wanted = plain(typed);
  if (wanted === '') return rows;
  return rows.filter(({ instrument: { base, quote, symbol } }) =>
    [`${base}${quote}`, symbol, nameOf(base) ?? ''].some((text) => plain(text).includes(wanted)),
  );
}
