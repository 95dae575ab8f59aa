import type { ContractOrder } from './contract-order.ts';

/** How the core's ids of orders begin that were placed without one: no client can send it. */
export const NO_LINK_ID = '~';
/** How the core's ids of conditional orders end that close on their trigger, which the core does not know. */
export const CLOSES = '~c';

/** A client's own id; empty where it gave none, and of the venue's own orders. */
export function linkIdOf(order: Pick<ContractOrder, 'clientId' | 'origin' | 'stop' | 'algoId'>): string {
  const { clientId, origin, stop, algoId } = order;
  const unnamed = clientId.startsWith(NO_LINK_ID) || clientId === `stop-${algoId ?? stop?.algoId}`;
  if (origin !== 'MEMBER' || unnamed) return '';
  return clientId.endsWith(CLOSES) ? clientId.slice(0, -CLOSES.length) : clientId;
}
