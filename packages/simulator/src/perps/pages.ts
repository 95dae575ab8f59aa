import type { Millis } from '@crossbook/domain';
import type { PerpPage } from '../perp-exchange.ts';

/** Whether times narrow a page that begins at no id: what lies outside of them need not be looked at. */
export function isTimed({ fromId, startTime, endTime }: PerpPage): boolean {
  return fromId === undefined && (startTime !== undefined || endTime !== undefined);
}

/** Cuts a page out of a list that ascends by its ids; what lies behind a full page is not looked at. */
export function pageOf<Item>(
  items: readonly Item[],
  page: PerpPage,
  facts: (item: Item) => { readonly id: number; readonly time: Millis; readonly symbol: string | undefined },
): Item[] {
  const { symbol, fromId, startTime, endTime, limit } = page;
  const newest = fromId === undefined && startTime === undefined;
  const found: Item[] = [];
  for (let seen = 0; seen < items.length && found.length < limit; seen += 1) {
    const item = items[newest ? items.length - 1 - seen : seen] as Item;
    const { id, time, symbol: own } = facts(item);
    const fits =
      (symbol === undefined || symbol === own) &&
      (fromId === undefined || id >= fromId) &&
      (startTime === undefined || time >= startTime) &&
      (endTime === undefined || time <= endTime);
    if (fits) found.push(item);
  }
  return newest ? found.reverse() : found;
}
