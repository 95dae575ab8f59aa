import type { PerpOrder, SimPositionKey } from '../../perp-exchange.ts';
import { openLots } from './account-stats.ts';
import { closesOnly } from './closing-orders.ts';
import { type ContractState, keyText } from './contract-state.ts';

/** An order and how many lots its position lets it fill, which is less than it has open. */
export interface Excess {
  readonly order: PerpOrder;
  readonly allowed: number;
}

/** The key of the position that an order changes. */
export function positionKeyOf(
  order: Pick<PerpOrder, 'account' | 'symbol' | 'positionSide' | 'marginMode'>,
): SimPositionKey {
  const { account, symbol, positionSide, marginMode } = order;
  return { account, symbol, side: positionSide, marginMode };
}

/** Lots that a side can close of a position: 0 when it would make it larger. */
export function closableLots(contracts: ContractState, key: SimPositionKey, side: 'BUY' | 'SELL'): number {
  const held = contracts.position(key)?.quantity ?? 0;
  return side === 'SELL' ? Math.max(0, held) : Math.max(0, -held);
}

/**
 * Resting orders that could be filled beyond their position if a taker of this side took all of them, best first.
 * @param makers all open orders of members in one contract.
 */
export function excessOf(
  makers: readonly PerpOrder[],
  taker: 'BUY' | 'SELL',
  contracts: ContractState,
): Excess[] {
  return beyond(
    makers.filter((order) => order.side !== taker),
    contracts,
  );
}

/** Resting orders whose position has become too small for them. @param closers those that may only close. */
export function knockedOut(closers: readonly PerpOrder[], contracts: ContractState): Excess[] {
  return closers.flatMap((order) => {
    const allowed = closableLots(contracts, positionKeyOf(order), order.side);
    return allowed < openLots(order) ? [{ order, allowed }] : [];
  });
}

/** Walks each position's orders in the queue's order and counts down what is left of it. */
function beyond(resting: readonly PerpOrder[], contracts: ContractState): Excess[] {
  const left = new Map<string, number>();
  const found: Excess[] = [];
  for (const order of [...resting].sort(queueOrder)) {
    const key = positionKeyOf(order);
    const name = `${key.account} ${keyText(key)}`;
    const held = left.get(name) ?? closableLots(contracts, key, order.side);
    const open = openLots(order);
    left.set(name, Math.max(0, held - open));
    if (closesOnly(order) && held < open) found.push({ order, allowed: held });
  }
  return found;
}

/** First in its side's queue first. */
function queueOrder(a: PerpOrder, b: PerpOrder): number {
  const goodness = (order: PerpOrder): number =>
    order.side === 'BUY' ? -(order.price ?? 0) : (order.price ?? 0);
  return goodness(a) - goodness(b) || a.orderId - b.orderId;
}
