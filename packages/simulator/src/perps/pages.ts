import type { Millis } from '@crossbook/domain';
import type { OrderHistory } from '../accounts/state/order-history.ts';
import type { AccountNumber, SimOrderId } from '../exchange.ts';
import type { PerpFill, PerpIncome, PerpOrder, PerpPage } from '../perp-exchange.ts';
import type { ContractState } from './state/contract-state.ts';

/** Whether times narrow a page that begins at no id: what lies outside of them need not be looked at. */
function isTimed({ fromId, startTime, endTime }: PerpPage): boolean {
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

/** A page of an account's fills: by their ids within a contract, by their sequence over all. */
export function fillsPage(
  history: OrderHistory<PerpOrder, PerpFill>,
  account: AccountNumber,
  page: PerpPage & { readonly orderId?: SimOrderId },
): readonly PerpFill[] {
  const { symbol: named, orderId } = page;
  const bySymbol = named !== undefined;
  const narrowed =
    bySymbol && orderId !== undefined
      ? history.fillsOfOrder(account, named, orderId)
      : isTimed(page)
        ? history.fillsWithin(account, page)
        : history.fillsOf(account, named);
  const fills = narrowed.filter((fill) => orderId === undefined || fill.orderId === orderId);
  return pageOf(fills, page, ({ tradeId, sequence, time, symbol }) => ({
    id: bySymbol ? tradeId : sequence,
    time,
    symbol,
  }));
}

/** A page of an account's orders, in the order they were placed. */
export function ordersPage(
  history: OrderHistory<PerpOrder, PerpFill>,
  account: AccountNumber,
  page: PerpPage,
): readonly PerpOrder[] {
  const orders = history.ordersOf(account, page.symbol);
  return pageOf(orders, page, ({ orderId, createdAt, symbol }) => ({ id: orderId, time: createdAt, symbol }));
}

/** A page of what changed an account's money. */
export function incomePage(
  contracts: ContractState,
  account: AccountNumber,
  page: PerpPage,
): readonly PerpIncome[] {
  const incomes = isTimed(page) ? contracts.incomeWithin(account, page) : contracts.incomeOf(account);
  return pageOf(incomes, page, ({ sequence: id, time, symbol }) => ({ id, time, symbol }));
}
