import type { PlatformSlug, SymbolType } from '@crossbook/domain';
import { PLATFORMS, platformFacts } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { readStoredObject, writeStored } from '../app/browser-storage.ts';
import { marketKey } from '../market/market.ts';
import { type MarketRow, searchMarkets } from './market-rows.ts';

/** Which markets the list shows: the member's favourites, all, or one platform's. */
export type MarketScope = 'favourites' | 'all' | PlatformSlug;
/** Which type of market. */
export type MarketType = 'all' | SymbolType;
/** Columns of the list; each can be sorted by. */
export type MarketColumn = (typeof MARKET_COLUMNS)[number];

const SCOPES: readonly MarketScope[] = ['favourites', 'all', ...PLATFORMS.map(({ slug }) => slug)];
const TYPES: readonly MarketType[] = ['all', 'SPOT', 'SWAP'];
const MARKET_COLUMNS = ['pair', 'venue', 'last', 'change', 'high', 'low', 'volume', 'funding'] as const;
// Names read from A to Z first, figures from the largest.
const TEXT_COLUMNS: readonly MarketColumn[] = ['pair', 'venue'];
const KEY = 'market list';

/** How the markets list is filtered and sorted; kept by the browser. */
export interface MarketView {
  readonly scope: MarketScope;
  readonly type: MarketType;
  readonly sort: MarketColumn;
  readonly descending: boolean;
}

/** Everything, the most traded first. */
export const DEFAULT_MARKET_VIEW: MarketView = {
  scope: 'all',
  type: 'all',
  sort: 'volume',
  descending: true,
};

function oneOf<Value>(values: readonly Value[], kept: unknown, fallback: Value): Value {
  return values.find((value) => value === kept) ?? fallback;
}

/** Reads a kept view; a part that is damaged becomes its default. */
export function parseMarketView(kept: Readonly<Record<string, unknown>>): MarketView {
  return {
    scope: oneOf(SCOPES, kept.scope, DEFAULT_MARKET_VIEW.scope),
    type: oneOf(TYPES, kept.type, DEFAULT_MARKET_VIEW.type),
    sort: oneOf(MARKET_COLUMNS, kept.sort, DEFAULT_MARKET_VIEW.sort),
    descending: typeof kept.descending === 'boolean' ? kept.descending : DEFAULT_MARKET_VIEW.descending,
  };
}

/** The view of this browser. */
export const marketViewStore = createStore<MarketView>(() => parseMarketView(readStoredObject(KEY)));

/** Changes the view and keeps it. */
export function changeMarketView(change: Partial<MarketView>): void {
  marketViewStore.setState(change);
  writeStored(KEY, JSON.stringify(marketViewStore.getState()));
}

/** The sorting after a press on a column's head: the same column turns round, another begins with its natural order. */
export function sortedBy(view: MarketView, column: MarketColumn): Pick<MarketView, 'sort' | 'descending'> {
  if (view.sort === column) return { sort: column, descending: !view.descending };
  return { sort: column, descending: !TEXT_COLUMNS.includes(column) };
}

type Comparable = string | number | undefined;

function stat(text: string | undefined): number | undefined {
  const value = Number(text ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}

function comparedBy({ instrument, ticker }: MarketRow, column: MarketColumn): Comparable {
  if (column === 'pair') return `${instrument.base}/${instrument.quote}`;
  if (column === 'venue') return platformFacts(instrument.platform).name;
  if (column === 'volume') return stat(ticker?.quoteVolume);
  return stat(ticker?.[column]);
}

/** What is unknown stands last, whichever way the list is sorted. */
function compare(left: Comparable, right: Comparable, descending: boolean): number {
  if (left === undefined || right === undefined)
    return Number(left === undefined) - Number(right === undefined);
  const order =
    typeof left === 'string' || typeof right === 'string'
      ? String(left).localeCompare(String(right), 'en')
      : left - right;
  return descending ? -order : order;
}

/** What decides beside the view which rows are shown. */
export interface MarketFilter {
  /** What was typed into the search. */
  readonly typed: string;
  /** Favourites by `marketKey`. */
  readonly favourites: ReadonlySet<string>;
  readonly nameOf: (asset: string) => string | undefined;
}

/** The rows of the list, filtered and sorted; equal ones by pair, platform and type, so that the order never flickers. */
export function arrangeMarkets(
  rows: readonly MarketRow[],
  view: MarketView,
  { typed, favourites, nameOf }: MarketFilter,
): readonly MarketRow[] {
  const shown = rows.filter(({ instrument }) => {
    if (view.type !== 'all' && instrument.symbolType !== view.type) return false;
    if (view.scope === 'all') return true;
    if (view.scope === 'favourites') return favourites.has(marketKey(instrument));
    return platformFacts(instrument.platform).slug === view.scope;
  });
  return searchMarkets(shown, typed, nameOf).toSorted(
    (left, right) =>
      compare(comparedBy(left, view.sort), comparedBy(right, view.sort), view.descending) ||
      compare(comparedBy(left, 'pair'), comparedBy(right, 'pair'), false) ||
      left.instrument.platform - right.instrument.platform ||
      left.instrument.symbolType.localeCompare(right.instrument.symbolType, 'en'),
  );
}
