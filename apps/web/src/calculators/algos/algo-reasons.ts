import type { AlgoRow } from '@crossbook/contract';

/** Where an order stands that waits for a price. One that the exchange never took has not fired: it is refused, and no more. */
export function stateWord({ state, placed }: Pick<AlgoRow, 'state' | 'placed'>) {
  return state === 'refused' && !placed
    ? ('trade.algo.iceberg.refused' as const)
    : (`trade.algo.state.${state}` as const);
}

/** What the hub itself says of an order that waits, by the beginning of its words; the rest is the exchange's own. */
const OF_THE_HUB = [
  ['cancelled for a change, nothing was placed anew', 'trade.algo.reason.halfChanged'],
  ['the exchange never received it', 'trade.algo.reason.neverReceived'],
  ['the exchange does not know it any more', 'trade.algo.reason.forgotten'],
  ['its position was closed', 'trade.algo.reason.closed'],
  ['the exchange is not connected for orders that wait', 'trade.algo.reason.notConnected'],
  ['as many orders wait as may', 'trade.algo.reason.tooMany'],
  ['the balance did not suffice', 'trade.algo.reason.spent'],
] as const;

/** Words of the hub as a message and what follows them; of the exchange's own words nothing is known. */
export function knownReason(
  reason: string,
): { readonly id: (typeof OF_THE_HUB)[number][1]; readonly rest: string } | undefined {
  const found = OF_THE_HUB.find(([words]) => reason === words || reason.startsWith(`${words}: `));
  return found && { id: found[1], rest: reason.slice(found[0].length) };
}
