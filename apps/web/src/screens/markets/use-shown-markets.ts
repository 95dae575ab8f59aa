import { useCallback, useEffect, useMemo, useState } from 'react';
import { marketKey } from '../../stores/market/market.ts';
import type { MarketRow } from '../../stores/market-lists/market-rows.ts';
import { useFollowedTickers } from '../../stores/market-lists/use-markets.ts';

/** Rows are followed once the page has stopped scrolling for this long. */
const SETTLED_MILLIS = 300;
/** Rows followed at once at most: one connection carries 200 channels, and other screens need some. */
const FOLLOWED_ROWS_MAX = 60;

/**
 * Follows the tickers of the rows in the window on the live connections; the others are read every 10 s.
 * @returns what the table calls with the first and last row it draws.
 */
export function useShownMarkets(rows: readonly MarketRow[]): (first: number, last: number) => void {
  const [range, setRange] = useState({ first: 0, last: -1 });
  const [settled, setSettled] = useState(range);
  useEffect(() => {
    const id = setTimeout(() => setSettled(range), SETTLED_MILLIS);
    return () => clearTimeout(id);
  }, [range]);
  const end = Math.min(settled.last + 1, settled.first + FOLLOWED_ROWS_MAX);
  const shown = rows.slice(settled.first, end).map(({ instrument }) => instrument);
  const keys = shown.map(marketKey).toSorted().join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same markets in another order are followed already
  const followed = useMemo(() => shown, [keys]);
  useFollowedTickers(followed);
  return useCallback((first, last) => setRange({ first, last }), []);
}
