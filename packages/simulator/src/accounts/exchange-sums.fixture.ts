import type { AccountNumber, Exchange, MarketFacts, SimBalance } from '../exchange.ts';
import { neededBy } from './quiet-market.fixture.ts';

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
