import { formatAmount, type TriggerBy } from '@crossbook/domain';
import { useEffect, useMemo } from 'react';
import { ageOfMark, MARK_GONE_MILLIS } from '../../../calculators/contracts/mark-age.ts';
import { now } from '../../../stores/app/clock.ts';
import { liveStore } from '../../../stores/market/live.ts';
import { type MarketName, marketKey } from '../../../stores/market/market.ts';
import { keepMarks, marksStore } from '../../../stores/trading/contracts/marks.ts';
import { useSampled } from '../live/live-hooks.ts';
import { isVouched } from '../live/live-market.ts';
import { isOf, type MarketRow, marketOf } from '../tables/cells.tsx';

/** The prices that triggers follow, as far as they are known. */
export type TriggerPrices = Readonly<Partial<Record<TriggerBy, string | undefined>>>;

/** Markets that are followed for the distances of orders at most; of more the distance is not known. */
const FOLLOWED_MAX = 60;
const EVERY_MILLIS = 1_000;

/** Markets other than the one on screen that orders are of, each once. */
export function marketsElsewhere(rows: readonly MarketRow[], instrument: MarketName): readonly MarketName[] {
  const others = rows.filter((row) => !isOf(row, instrument));
  const named = new Map(others.map((row) => [marketKey(marketOf(row)), marketOf(row)]));
  return [...named.values()].slice(0, FOLLOWED_MAX);
}

/** The newest prices of markets, by `marketKey`; those that are too old to be shown are left out. */
export function pricesOf(markets: readonly MarketName[]): Readonly<Record<string, TriggerPrices>> {
  const live = liveStore.getState();
  const marks = marksStore.getState();
  const known = markets.flatMap((market): [string, TriggerPrices][] => {
    const mark = marks[marketKey(market)];
    const vouched = isVouched(live[market.platform], market.symbolType, performance.now());
    if (mark === undefined || ageOfMark(mark.at, vouched, now()) > MARK_GONE_MILLIS) return [];
    const { price, last, index } = mark;
    return [[marketKey(market), { mark: formatAmount(price), last, index }]];
  });
  return Object.fromEntries(known);
}

/** Follows the markets of orders away from the screen. */
export function usePricesElsewhere(
  rows: readonly MarketRow[],
  instrument: MarketName,
): Readonly<Record<string, TriggerPrices>> {
  const markets = marketsElsewhere(rows, instrument);
  const names = markets.map(marketKey).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names say which markets there are
  useEffect(() => keepMarks(markets), [names]);
  const said = useSampled(() => JSON.stringify(pricesOf(markets)), EVERY_MILLIS);
  return useMemo(() => JSON.parse(said), [said]);
}
