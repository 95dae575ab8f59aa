import type { AlgoAdapter } from '../algos/algo-legs.ts';
import type { Listed } from '../listing.ts';
import type { OrderAdapter } from '../orders/order-adapter.ts';
import { CONTRACT_ALGOS } from '../perps/algo-adapter.ts';
import { CONTRACT_ORDERS } from '../perps/contract-orders.ts';
import { SPOT_ALGOS } from '../spot/algo-adapter.ts';
import { SPOT_ORDERS } from '../spot/spot-orders.ts';

/** Where the orders of an instrument are kept. */
export function ordersOf(listed: Listed): OrderAdapter {
  return listed.contract === undefined ? SPOT_ORDERS : CONTRACT_ORDERS;
}

/** Where the algo orders of an instrument are kept. */
export function algosOf(listed: Listed): AlgoAdapter {
  return listed.contract === undefined ? SPOT_ALGOS : CONTRACT_ALGOS;
}

/** All of them. */
export const ALGO_ADAPTERS: readonly AlgoAdapter[] = [SPOT_ALGOS, CONTRACT_ALGOS];
