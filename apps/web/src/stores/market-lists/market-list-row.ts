import { formatAmount, mulDown, type Platform, parseAmount, type SymbolType } from '@crossbook/domain';
import type { CsvColumn } from '../../calculators/tables/csv.ts';
import { marketKey } from '../market/market.ts';
import type { MarketRow } from './market-rows.ts';

/**
 * A row of the market list under the names of spec section 3: figures as the venue's own decimal strings, undefined
 * while they are not known.
 */
export interface MarketListRow {
  readonly instType: SymbolType;
  /** The venue's own name, in both. */
  readonly symbol: string;
  readonly instId: string;
  readonly last: string | undefined;
  /** Base coins of the last trade; undefined also where the venue does not say it (Bybit). */
  readonly lastSz: string | undefined;
  readonly open24h: string | undefined;
  readonly high24h: string | undefined;
  readonly low24h: string | undefined;
  /** Base coins. */
  readonly vol24h: string | undefined;
  /** Percent, as in the ticker. */
  readonly price24hPcnt: string | undefined;
  readonly exchange: Platform;
  readonly baseCoin: string;
  readonly quoteCoin: string;
  /** Largest leverage; 1 for spot. */
  readonly lever: number;
  /** Whether it is one of the member's favourites. */
  readonly collection: boolean;
}

/**
 * Flattens a row of the list.
 * @param favourites by `marketKey`.
 */
export function marketListRow(
  { instrument, ticker }: MarketRow,
  favourites: ReadonlySet<string>,
): MarketListRow {
  const lastSize = parseAmount(ticker?.lastSize ?? '');
  return {
    instType: instrument.symbolType,
    symbol: instrument.symbol,
    instId: instrument.symbol,
    last: ticker?.last,
    lastSz: lastSize === undefined ? undefined : formatAmount(mulDown(lastSize, instrument.contractValue)),
    open24h: ticker?.open,
    high24h: ticker?.high,
    low24h: ticker?.low,
    vol24h: ticker?.volume,
    price24hPcnt: ticker?.change,
    exchange: instrument.platform,
    baseCoin: instrument.base,
    quoteCoin: instrument.quote,
    lever: instrument.maxLeverage,
    collection: favourites.has(marketKey(instrument)),
  };
}

const FIELDS = [
  'exchange',
  'instType',
  'symbol',
  'instId',
  'baseCoin',
  'quoteCoin',
  'last',
  'lastSz',
  'open24h',
  'high24h',
  'low24h',
  'vol24h',
  'price24hPcnt',
  'lever',
  'collection',
] as const satisfies readonly (keyof MarketListRow)[];

/** Columns of the list as a file; what is not known is empty. */
export const MARKET_CSV: readonly CsvColumn<MarketListRow>[] = FIELDS.map((head) => ({
  head,
  cell: (row) => String(row[head] ?? ''),
}));
