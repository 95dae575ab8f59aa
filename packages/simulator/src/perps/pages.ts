import type { Millis } from '@crossbook/domain';
import type { PerpPage } from '../perp-exchange.ts';

/** Cuts a page out of a list that ascends by its ids. */
export function pageOf<Item>(
  items: readonly Item[],
  page: PerpPage,
  facts: (item: Item) => { readonly id: number; readonly time: Millis; readonly symbol: string | undefined },
): Item[] {
  const { symbol, fromId, startTime, endTime, limit } = page;
  if (limit <= 0) return [];
  const within = items.filter((item) => {
    const { id, time, symbol: own } = facts(item);
    return (
      (symbol === undefined || symbol === own) &&
      (fromId === undefined || id >= fromId) &&
      (startTime === undefined || time >= startTime) &&
      (endTime === undefined || time <= endTime)
    );
  });
  return fromId === undefined && startTime === undefined ? within.slice(-limit) : within.slice(0, limit);
}
