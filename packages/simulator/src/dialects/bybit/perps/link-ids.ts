import type { PerpOrder } from '../../../perp-exchange.ts';

/** How the core's ids of orders begin that were placed without one: no client can send it. */
export const NO_LINK_ID = '~';

/** A client's own id; empty where it gave none, and of the venue's own orders. */
export function linkIdOf({ clientId, origin }: Pick<PerpOrder, 'clientId' | 'origin'>): string {
  return origin !== 'MEMBER' || clientId.startsWith(NO_LINK_ID) ? '' : clientId;
}
