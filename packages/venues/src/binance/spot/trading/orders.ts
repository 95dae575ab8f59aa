import { formatAmount, ORDER_TYPE, SIDE, TIME_IN_FORCE, type VenueOrderState } from '@crossbook/domain';
import { LOCAL_CODES } from '../../../trading/local-codes.ts';
import { isAbout } from '../../../trading/order-name.ts';
import type { OrderRoom } from '../../../trading/order-room.ts';
import type { VenueCredentials } from '../../../venue-answers.ts';
import type { SendOutcome, VenueOrderRequest } from '../../../venue-orders.ts';
import { reasonOf, refusalOf } from '../../account/answers.ts';
import type { Asking } from '../../account/calls.ts';
import { fillsIn } from '../../account/fill-pages.ts';
import { ordersIn } from '../../account/order-calls.ts';
import type { CallParameters } from '../../account/sign.ts';
import { normaliseCancelled, normaliseFills, normaliseOrder, normalisePlaced } from './normalise.ts';

const PATH = '/api/v3/order';

/** Orders on pairs. One list of all symbols weighs 80, one of a single symbol 6 (rest-api.md). */
export const SPOT_ORDERS: OrderRoom<Asking> = {
  place: placeOrder,
  ...ordersIn({
    market: 'SPOT',
    cancel: { socketMethod: 'order.cancel', path: PATH, weight: 1, freeWhenDone: true },
    query: { socketMethod: 'order.status', path: PATH, weight: 4 },
    open: { socketMethod: 'openOrders.status', path: '/api/v3/openOrders', weight: 6 },
    openOfAllWeight: 80,
    order: normaliseOrder,
    cancelled: normaliseCancelled,
  }),
  ...fillsIn({
    market: 'SPOT',
    list: { socketMethod: 'myTrades', path: '/api/v3/myTrades' },
    weights: { ofOrder: 5, ofInstrument: 20 },
    read: normaliseFills,
  }),
};

/** Puts one order to the venue, once. */
async function placeOrder(
  calls: Asking,
  credentials: VenueCredentials,
  request: VenueOrderRequest,
): Promise<SendOutcome> {
  const parameters = orderParameters(request);
  if (parameters === undefined) {
    return {
      outcome: 'refused',
      venueCode: LOCAL_CODES.notExpressible,
      message: 'order lacks a price or a quantity',
    };
  }
  const { answer, deadlineAt } = await calls.send(credentials, {
    socketMethod: 'order.place',
    method: 'POST',
    path: PATH,
    weight: 1,
    freeWhenDone: true,
    placesOrder: true,
    requestClass: 'order',
    parameters,
  });
  if (answer.kind === 'result') {
    const placed = normalisePlaced(answer.value);
    if (placed === undefined) return { outcome: 'unknown', why: 'unreadable placement', deadlineAt };
    if (!isAbout(placed.state, request.instrument, request)) {
      return { outcome: 'unknown', why: 'answer about another order', deadlineAt };
    }
    if (exceeds(placed.state, request))
      return { outcome: 'unknown', why: 'more than was asked for', deadlineAt };
    return { outcome: 'accepted', ...placed };
  }
  return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer), deadlineAt };
}

/** Post-only is the order type LIMIT_MAKER at Binance spot, which takes no time in force; nor does MARKET. */
function orderParameters(request: VenueOrderRequest): CallParameters | undefined {
  const { price, quantity, quoteQuantity } = request;
  const common = {
    symbol: request.instrument.symbol,
    side: request.side === SIDE.BUY ? 'BUY' : 'SELL',
    newClientOrderId: request.clientId,
    newOrderRespType: 'FULL',
  };
  if (request.type === ORDER_TYPE.MARKET) {
    if (quantity !== undefined) return { ...common, type: 'MARKET', quantity: formatAmount(quantity) };
    if (quoteQuantity === undefined) return undefined;
    return { ...common, type: 'MARKET', quoteOrderQty: formatAmount(quoteQuantity) };
  }
  if (request.type !== ORDER_TYPE.LIMIT || price === undefined || quantity === undefined) return undefined;
  const limit = { ...common, quantity: formatAmount(quantity), price: formatAmount(price) };
  if (request.timeInForce === TIME_IN_FORCE.POST_ONLY) return { ...limit, type: 'LIMIT_MAKER' };
  return { ...limit, type: 'LIMIT', timeInForce: TIMES_IN_FORCE[request.timeInForce] };
}

const TIMES_IN_FORCE = {
  [TIME_IN_FORCE.GTC]: 'GTC',
  [TIME_IN_FORCE.IOC]: 'IOC',
  [TIME_IN_FORCE.FOK]: 'FOK',
} as const;

/** An order that executed more than was asked for is not booked without a second look. */
function exceeds(state: VenueOrderState, request: VenueOrderRequest): boolean {
  const { quantity, quoteQuantity } = request;
  return (
    (quantity !== undefined && state.cumulativeQuantity > quantity) ||
    (quoteQuantity !== undefined && state.cumulativeQuote > quoteQuantity)
  );
}
