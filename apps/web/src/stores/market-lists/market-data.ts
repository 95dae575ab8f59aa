import type { Platform } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { readStoredObject, writeStored } from '../app/browser-storage.ts';
import type { ListedInstrument } from '../market/instruments.ts';
import { marketKey } from '../market/market.ts';
import type { TickerRow } from './tickers.ts';

/** What /marketData compares. */
export type DataTopic = (typeof DATA_TOPICS)[number];
/** What its table is sorted by: the coin, a venue's figure, or the figure over all venues. */
export type DataColumn = 'coin' | 'across' | `venue${Platform}`;

/** The topics in the order of their tabs. */
export const DATA_TOPICS = ['funding', 'basis', 'interest', 'price'] as const;
const COLUMNS: readonly DataColumn[] = ['coin', 'across', 'venue1', 'venue2', 'venue3'];
const KEY = 'market data';

/** How the table is shown; kept by the browser. */
export interface MarketDataView {
  readonly topic: DataTopic;
  readonly sort: DataColumn;
  readonly descending: boolean;
}

/** Funding rates, coins by name. */
export const DEFAULT_DATA_VIEW: MarketDataView = { topic: 'funding', sort: 'across', descending: true };

/** Reads a kept view; a part that is damaged becomes its default. */
export function parseDataView(kept: Readonly<Record<string, unknown>>): MarketDataView {
  return {
    topic: DATA_TOPICS.find((topic) => topic === kept.topic) ?? DEFAULT_DATA_VIEW.topic,
    sort: COLUMNS.find((column) => column === kept.sort) ?? DEFAULT_DATA_VIEW.sort,
    descending: typeof kept.descending === 'boolean' ? kept.descending : DEFAULT_DATA_VIEW.descending,
  };
}

/** The view of this browser. */
export const dataViewStore = createStore<MarketDataView>(() => parseDataView(readStoredObject(KEY)));

/** Changes the view and keeps it. */
export function changeDataView(change: Partial<MarketDataView>): void {
  dataViewStore.setState(change);
  writeStored(KEY, JSON.stringify(dataViewStore.getState()));
}

/** The sorting after a press on a column's head. Names read from A to Z first, figures from the largest. */
export function dataSortedBy(
  view: MarketDataView,
  column: DataColumn,
): Pick<MarketDataView, 'sort' | 'descending'> {
  if (view.sort === column) return { sort: column, descending: !view.descending };
  return { sort: column, descending: column !== 'coin' };
}

/** What one venue says of a coin's perpetual; `undefined` where it says nothing. Figures for the eye, not for money. */
export interface VenueStats {
  readonly instrument: ListedInstrument;
  readonly last: number | undefined;
  readonly mark: number | undefined;
  readonly index: number | undefined;
  /** Fraction that longs pay to shorts at the next funding. */
  readonly funding: number | undefined;
  readonly nextFunding: number | undefined;
  /** Open interest in base coins. */
  readonly interest: number | undefined;
}

/** A coin and its perpetual at every venue that lists one. */
export interface CoinRow {
  readonly base: string;
  readonly venues: ReadonlyMap<Platform, VenueStats>;
}

function stat(text: string | undefined): number | undefined {
  const value = Number(text === '' ? Number.NaN : (text ?? Number.NaN));
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Joins the perpetuals of all venues by coin. A venue that lists several of one coin is taken at its first.
 * @param interest open interest by `marketKey`, where it is read beside the ticker.
 */
export function coinRows(
  instruments: readonly ListedInstrument[],
  tickers: ReadonlyMap<string, TickerRow>,
  interest: ReadonlyMap<string, string>,
): readonly CoinRow[] {
  const coins = new Map<string, Map<Platform, VenueStats>>();
  for (const instrument of instruments) {
    const venues = coins.get(instrument.base) ?? new Map<Platform, VenueStats>();
    coins.set(instrument.base, venues);
    if (venues.has(instrument.platform)) continue;
    const key = marketKey(instrument);
    const ticker = tickers.get(key);
    venues.set(instrument.platform, {
      instrument,
      last: stat(ticker?.last),
      mark: stat(ticker?.mark),
      index: stat(ticker?.index),
      funding: stat(ticker?.funding),
      nextFunding: ticker?.nextFunding,
      interest: stat(interest.get(key) ?? ticker?.interest),
    });
  }
  return [...coins].map(([base, venues]) => ({ base, venues }));
}

/** How far the perpetual stands above its index, in basis points; below is negative. */
export function basisOf({ mark, index }: Pick<VenueStats, 'mark' | 'index'>): number | undefined {
  return mark === undefined || index === undefined || index <= 0 ? undefined : ((mark - index) / index) * 1e4;
}

/** Open interest in USDT at the mark price, or at the last one where the venue gives no mark. */
export function interestValue({ interest, mark, last }: VenueStats): number | undefined {
  const price = mark ?? last;
  return interest === undefined || price === undefined ? undefined : interest * price;
}

/** The figure of one venue that a topic compares. */
export function topicStat(topic: DataTopic, venue: VenueStats | undefined): number | undefined {
  if (venue === undefined) return undefined;
  if (topic === 'funding') return venue.funding;
  if (topic === 'basis') return basisOf(venue);
  if (topic === 'interest') return interestValue(venue);
  return venue.last;
}

/**
 * The figure over all venues: open interest is added up; of prices the distance of the dearest from the cheapest in basis
 * points; else the distance of the largest from the smallest. Of one venue alone there is no distance.
 */
export function acrossVenues(topic: DataTopic, row: CoinRow): number | undefined {
  const stats = [...row.venues.values()]
    .map((venue) => topicStat(topic, venue))
    .filter((value) => value !== undefined);
  if (topic === 'interest') return stats.length === 0 ? undefined : stats.reduce((sum, one) => sum + one, 0);
  if (stats.length < 2) return undefined;
  const [least, most] = [Math.min(...stats), Math.max(...stats)];
  if (topic !== 'price') return most - least;
  return least > 0 ? ((most - least) / least) * 1e4 : undefined;
}

function comparedBy(row: CoinRow, { topic, sort }: MarketDataView): number | undefined {
  if (sort === 'across') return acrossVenues(topic, row);
  return topicStat(topic, row.venues.get(Number(sort.slice('venue'.length)) as Platform));
}

/** Sorts the coins; what a venue does not tell stands last either way, equal ones by name. */
export function sortCoins(rows: readonly CoinRow[], view: MarketDataView): readonly CoinRow[] {
  const turn = view.descending ? -1 : 1;
  const byName = (left: CoinRow, right: CoinRow) => left.base.localeCompare(right.base, 'en');
  if (view.sort === 'coin') return rows.toSorted((left, right) => turn * byName(left, right));
  return rows.toSorted((left, right) => {
    const [one, other] = [comparedBy(left, view), comparedBy(right, view)];
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined) || byName(left, right);
    return turn * (one - other) || byName(left, right);
  });
}
