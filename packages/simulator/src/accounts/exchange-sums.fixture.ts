import type { AccountNumber, Exchange, MarketFacts, SimBalance, SimOrder } from '../exchange.ts';
import type { SimOrderList } from '../order-list-port.ts';
import { neededBy } from './quiet-market.fixture.ts';
import { bringsPending } from './state/order-lists.ts';

const HOUSE = 0 as AccountNumber;

/** The sums an exchange must hold; an empty list means that it does. */
export function brokenSums(
  exchange: Exchange,
  members: readonly AccountNumber[],
  expected: ReadonlyMap<string, bigint>,
  markets: readonly MarketFacts[],
): string[] {
  const broken: string[] = [];
  const sums = new Map<string, bigint>();
  const add = ({ asset, free, locked }: SimBalance) =>
    sums.set(asset, (sums.get(asset) ?? 0n) + free + locked);
  for (const account of members) {
    const needs = neededBy(exchange.openOrders(account), markets);
    for (const balance of exchange.balances(account)) {
      add(balance);
      if (balance.free < 0n || balance.locked < 0n) broken.push(`${account} ${balance.asset} is negative`);
      const need = needs.get(balance.asset) ?? 0n;
      needs.delete(balance.asset);
      if (need !== balance.locked) {
        broken.push(`${account} ${balance.asset}: locked ${balance.locked}, orders need ${need}`);
      }
    }
    if (needs.size > 0) broken.push(`${account} rests orders in assets it never held`);
  }
  for (const balance of exchange.balances(HOUSE)) add(balance);
  for (const [asset, sum] of sums) {
    if (sum !== (expected.get(asset) ?? 0n))
      broken.push(`${asset}: ${sum}, brought in ${expected.get(asset)}`);
  }
  return broken;
}

/** What a list must hold whatever happened: of a pair one is carried out at most, and what is pending is not filled. */
export function brokenLists(lists: readonly SimOrderList[]): string[] {
  return lists.flatMap(({ listId, orders }) => {
    const working = orders.find(({ list }) => list?.role === 'WORKING');
    const others = orders.filter((order) => order !== working);
    const isOpen = ({ status }: SimOrder) => ['NEW', 'PARTIALLY_FILLED', 'PENDING_NEW'].includes(status);
    const broken: string[] = [];
    if (others.filter(({ executed }) => executed > 0).length > 1) broken.push(`${listId}: both were filled`);
    if (others.some(({ executed }) => executed > 0) && others.filter(isOpen).length > 1)
      broken.push(`${listId}: one is filled, the other open`);
    if (
      others.length === 2 &&
      others.filter(isOpen).length === 1 &&
      others.every(({ executed, workingSince }) => executed === 0 && workingSince === undefined)
    )
      broken.push(`${listId}: one is left alone`);
    const comes = working !== undefined && bringsPending(working);
    if (working !== undefined && !comes && others.some(({ status }) => status === 'NEW'))
      broken.push(`${listId}: pending ones came early`);
    if (comes && others.some(({ status }) => status === 'PENDING_NEW'))
      broken.push(`${listId}: pending ones did not come`);
    return broken;
  });
}
