import type { Listed } from '../listing.ts';
import type { OrderRoom } from '../order-room.ts';
import { CONTRACT_ORDERS } from '../perps/contract-orders.ts';
import { SPOT_ORDERS } from '../spot/spot-orders.ts';

/** Where the orders of an instrument are kept. */
export function roomOf(listed: Listed): OrderRoom {
  return listed.contract === undefined ? SPOT_ORDERS : CONTRACT_ORDERS;
}
