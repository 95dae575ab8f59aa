import {
  formatAmount,
  type Instrument,
  ORDER_TYPE,
  ok,
  type Result,
  SIDE,
  TIME_IN_FORCE,
  type VenueClientId,
  type VenueOrderState,
} from '@crossbook/domain';
import { LOCAL_CODES } from '../../../trading/local-codes.ts';
import { isAbout, type OrderName } from '../../../trading/order-name.ts';
import type { FindOutcome, VenueCredentials, VenueReadFailure } from '../../../venue-answers.ts';
import type { CancelOutcome, SendOutcome, VenueOrderRequest } from '../../../venue-orders.ts';
import { reasonOf, refusalOf } from '../../account/answers.ts';
import { type Asking, type Call, readCall } from '../../account/calls.ts';
import { CANCEL_REJECTED, NO_SUCH_ORDER } from '../../account/errors.ts';
import type { CallParameters } from '../../account/sign.ts';
import { normaliseCancelled, normaliseOrder, normaliseOrders, normalisePlaced } from './normalise.ts';

/** One list of all symbols weighs 80, one of a single symbol 6 (rest-api.md). */
const OPEN_ORDERS_WEIGHT = { one: 6, all: 80 };

/** Puts one order to the venue, once. */
export async function placeOrder(
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
    path: '/api/v3/order',
    weight: 1,
    freeWhenDone: true,
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

/** Cancels by our id. -2011 means only that no such order is open: it may just have filled. */
export async function cancelOrder(
  calls: Asking,
  credentials: VenueCredentials,
  instrument: Instrument,
  clientId: VenueClientId,
): Promise<CancelOutcome> {
  const { answer } = await calls.send(credentials, {
    socketMethod: 'order.cancel',
    method: 'DELETE',
    path: '/api/v3/order',
    weight: 1,
    freeWhenDone: true,
    requestClass: 'cancel',
    parameters: { symbol: instrument.symbol, origClientOrderId: clientId },
  });
  if (answer.kind === 'result') {
    const state = normaliseCancelled(answer.value);
    return state !== undefined && isAbout(state, instrument, { clientId })
      ? { outcome: 'cancelled', state }
      : { outcome: 'unknown', why: 'unreadable cancel answer' };
  }
  if (answer.kind === 'error' && answer.error.code === CANCEL_REJECTED && answer.error.status < 500) {
    return { outcome: 'gone' };
  }
  return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
}

/** Looks one order up by our id or the venue's. */
export async function findOrder(
  calls: Asking,
  credentials: VenueCredentials,
  instrument: Instrument,
  name: OrderName,
): Promise<FindOutcome<VenueOrderState>> {
  const id =
    'clientId' in name ? { origClientOrderId: name.clientId } : { orderId: Number(name.venueOrderId) };
  const { answer } = await calls.send(credentials, {
    socketMethod: 'order.status',
    method: 'GET',
    path: '/api/v3/order',
    weight: 4,
    requestClass: 'lookup',
    parameters: { symbol: instrument.symbol, ...id },
  });
  if (answer.kind === 'result') {
    const value = normaliseOrder(answer.value);
    return value !== undefined && isAbout(value, instrument, name)
      ? { outcome: 'found', value }
      : { outcome: 'unknown', why: 'unreadable order' };
  }
  if (answer.kind === 'error' && answer.error.code === NO_SUCH_ORDER && answer.error.status < 500) {
    return { outcome: 'not-found' };
  }
  return { outcome: 'unknown', why: reasonOf(answer) };
}

/** Open orders of some instruments, in one call where that weighs less. Orders not placed by the hub are in it too. */
export async function listOpenOrders(
  calls: Asking,
  credentials: VenueCredentials,
  instruments: readonly Instrument[],
): Promise<Result<readonly VenueOrderState[], VenueReadFailure>> {
  const list = (parameters: CallParameters, weight: number): Call => ({
    socketMethod: 'openOrders.status',
    method: 'GET',
    path: '/api/v3/openOrders',
    weight,
    requestClass: 'reconciliation',
    parameters,
  });
  const { one, all } = OPEN_ORDERS_WEIGHT;
  if (instruments.length * one > all) {
    const orders = await readCall(calls, credentials, list({}, all), normaliseOrders);
    if (!orders.ok) return orders;
    const wanted = new Set(instruments.map((instrument) => instrument.symbol));
    return ok(orders.value.filter((order) => wanted.has(order.symbol)));
  }
  const found: VenueOrderState[] = [];
  for (const { symbol } of instruments) {
    const orders = await readCall(calls, credentials, list({ symbol }, one), normaliseOrders);
    if (!orders.ok) return orders;
    found.push(...orders.value);
  }
  return ok(found);
}

/** An order that executed more than was asked for is not booked without a second look. */
function exceeds(state: VenueOrderState, request: VenueOrderRequest): boolean {
  const { quantity, quoteQuantity } = request;
  return (
    (quantity !== undefined && state.cumulativeQuantity > quantity) ||
    (quoteQuantity !== undefined && state.cumulativeQuote > quoteQuantity)
  );
}
