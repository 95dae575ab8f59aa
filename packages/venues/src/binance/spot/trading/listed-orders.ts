import { formatAmount, ORDER_TYPE, SIDE, TIME_IN_FORCE, type VenueClientId } from '@crossbook/domain';
import type { ListedLegs, VenueOrderRequest } from '../../../venue-orders.ts';
import type { Call } from '../../account/calls.ts';
import type { CallParameters } from '../../account/sign.ts';
import { pendingParameters, prefixed } from './algo-parameters.ts';
import { normaliseOrder } from './normalise.ts';
import { reportOf } from './order-lists.ts';
import { TIMES_IN_FORCE } from './order-parameters.ts';

/**
 * A limit order with what it brings along as one list: one leg (OTO) or a pair of which the first to work ends the other
 * (OTOCO). Only the order rests; the legs become active once it has filled wholly, and end with it where it ends before
 * (rest-api.md, "New Order List - OTO" and "OTOCO", 2026-07-21).
 */

/** Which list is placed. Its orders count one by one. */
export function listCall({ plan }: ListedLegs): Pick<Call, 'path' | 'weight' | 'freeWhenDone' | 'places'> & {
  readonly socketMethod: string;
} {
  const shared = { weight: 1, freeWhenDone: true } as const;
  return plan.kind === 'oco'
    ? { socketMethod: 'orderList.place.otoco', path: '/api/v3/orderList/otoco', places: 3, ...shared }
    : { socketMethod: 'orderList.place.oto', path: '/api/v3/orderList/oto', places: 2, ...shared };
}

/** The whole list; `undefined` where the order or a leg has no such words. */
export function listParameters(
  { instrument, side, type, timeInForce, price, quantity, visible, clientId }: VenueOrderRequest,
  listed: ListedLegs,
): CallParameters | undefined {
  const pending = pendingParameters(listed);
  if (pending === undefined || type !== ORDER_TYPE.LIMIT || price === undefined || quantity === undefined)
    return undefined;
  const rests =
    timeInForce === TIME_IN_FORCE.POST_ONLY
      ? { type: 'LIMIT_MAKER' }
      : { type: 'LIMIT', timeInForce: TIMES_IN_FORCE[timeInForce] };
  const working = {
    ...rests,
    ...{ side: side === SIDE.BUY ? 'BUY' : 'SELL', clientOrderId: clientId },
    ...{ price: formatAmount(price), quantity: formatAmount(quantity) },
    ...(visible === undefined ? {} : { icebergQty: formatAmount(visible) }),
  };
  // A pair is found by the name of its list; one leg has a name itself.
  const list = listed.plan.kind === 'oco' ? { listClientOrderId: listed.clientId } : {};
  return {
    ...{ symbol: instrument.symbol, newOrderRespType: 'RESULT', ...list },
    ...prefixed('working', working),
    ...pending,
  };
}

/** The order of a list as the answer of its placement shows it: what it met at once is counted there and not told. */
export function placedInList(answer: unknown, clientId: VenueClientId) {
  const state = normaliseOrder(reportOf(answer, { clientId }));
  return state && { state, fills: [] };
}
