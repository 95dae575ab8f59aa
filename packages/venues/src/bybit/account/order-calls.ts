import {
  type Instrument,
  isFinal,
  ORDER_STATUS,
  ok,
  type Result,
  TIME_IN_FORCE,
  type VenueClientId,
  type VenueOrderId,
  type VenueOrderState,
  ZERO,
} from '@crossbook/domain';
import type { LimitScope } from '../../arbiter/limit-scope.ts';
import { LOCAL_CODES } from '../../trading/local-codes.ts';
import { isAbout, type OrderName } from '../../trading/order-name.ts';
import type { OrderRoom } from '../../trading/order-room.ts';
import type { FindOutcome, VenueCredentials, VenueReadFailure } from '../../venue-answers.ts';
import type { CancelOutcome, SendOutcome, VenueOrderRequest } from '../../venue-orders.ts';
import { asText } from '../../wire/guards.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import { reasonOf, refusalOf } from './answers.ts';
import type { Asking, Call } from './calls.ts';
import { isGone, isNoSuchOrder } from './errors.ts';
import { normaliseOrders, type OrderShape } from './order-shapes.ts';
import { readPages } from './pages.ts';

const ORDERS_PER_PAGE = 50;

/** How one type of market is traded: how its orders are written, read and counted. */
export interface OrderWords {
  readonly shape: OrderShape;
  readonly limits: { readonly place: LimitScope; readonly cancel: LimitScope };
  /** What names the orders of this market beside their category, in cancels and lists. */
  readonly named: Call['parameters'];
  /** What a list of the whole category wants besides. */
  readonly list: Call['parameters'];
  /** `undefined` where an order cannot be written for the venue. */
  parameters(request: VenueOrderRequest): Call['parameters'] | undefined;
}

/** The orders of one type of market; all are asked at the same addresses. */
export function ordersIn(words: OrderWords): Omit<OrderRoom<Asking>, 'fillsOfOrder' | 'fillsSince'> {
  return {
    place: (...asked) => placeOrder(words, ...asked),
    cancel: (...asked) => cancelOrder(words, ...asked),
    find: (...asked) => findOrder(words, ...asked),
    openOrders: (...asked) => listOpenOrders(words, ...asked),
  };
}

/** How a time in force is written. */
export const TIMES_IN_FORCE = {
  [TIME_IN_FORCE.GTC]: 'GTC',
  [TIME_IN_FORCE.IOC]: 'IOC',
  [TIME_IN_FORCE.FOK]: 'FOK',
  [TIME_IN_FORCE.POST_ONLY]: 'PostOnly',
} as const;

/**
 * Puts one order to the venue, once. The answer only acknowledges it: how it stands, and what it met at once, come by
 * the private stream or a lookup.
 */
async function placeOrder(
  words: OrderWords,
  ...[calls, credentials, request]: [Asking, VenueCredentials, VenueOrderRequest]
): Promise<SendOutcome> {
  const parameters = words.parameters(request);
  if (parameters === undefined) {
    return {
      outcome: 'refused',
      venueCode: LOCAL_CODES.notExpressible,
      message: 'order lacks a price or a quantity, or its position side does not fit the mode',
    };
  }
  const { answer, deadlineAt } = await calls.send(credentials, {
    method: 'POST',
    path: '/v5/order/create',
    op: 'order.create',
    requestClass: request.contract?.reduceOnly === true ? 'close' : 'order',
    limit: words.limits.place,
    parameters,
  });
  if (answer.kind !== 'result') {
    return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer), deadlineAt };
  }
  const venueOrderId = asText(answer.value.orderId);
  if (venueOrderId === undefined || answer.value.orderLinkId !== request.clientId) {
    return { outcome: 'unknown', why: 'answer about another order', deadlineAt };
  }
  const state = acknowledged(calls, request, venueOrderId as VenueOrderId);
  return { outcome: 'accepted', state, fills: [], receiptOnly: true };
}

function acknowledged(
  calls: Asking,
  request: VenueOrderRequest,
  venueOrderId: VenueOrderId,
): VenueOrderState {
  return {
    clientId: request.clientId,
    venueOrderId,
    symbol: request.instrument.symbol,
    status: ORDER_STATUS.OPEN,
    cumulativeQuantity: ZERO,
    cumulativeQuote: ZERO,
    time: calls.venueClock.now(),
  };
}

/**
 * Cancels by our id. The answer only acknowledges the request, so that the order is looked at once: `cancelled` when it
 * is over without being filled, `gone` when it filled first, `unknown` while the venue has not carried it out.
 */
async function cancelOrder(
  words: OrderWords,
  ...[calls, credentials, instrument, clientId]: [Asking, VenueCredentials, Instrument, VenueClientId]
): Promise<CancelOutcome> {
  const { answer } = await calls.send(credentials, {
    method: 'POST',
    path: '/v5/order/cancel',
    op: 'order.cancel',
    requestClass: 'cancel',
    limit: words.limits.cancel,
    parameters: {
      category: words.shape.category,
      symbol: instrument.symbol,
      orderLinkId: clientId,
      ...words.named,
    },
  });
  if (answer.kind === 'error' && isGone(answer.error)) return { outcome: 'gone' };
  if (answer.kind !== 'result') return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
  if (answer.value.orderLinkId !== clientId) return { outcome: 'unknown', why: 'unreadable cancel answer' };
  const found = await findOrder(words, calls, credentials, instrument, { clientId });
  if (found.outcome !== 'found' || !isFinal(found.value.status)) {
    return { outcome: 'unknown', why: 'cancel acknowledged, not yet seen done' };
  }
  return found.value.status === ORDER_STATUS.CANCELLED
    ? { outcome: 'cancelled', state: found.value }
    : { outcome: 'gone' };
}

/**
 * Looks one order up by our id or the venue's: among the open and recently closed ones, then in the history, where alone older ones
 * are. `not-found` only when both have answered that they have none.
 */
async function findOrder(
  words: OrderWords,
  ...[calls, credentials, instrument, name]: [Asking, VenueCredentials, Instrument, OrderName]
): Promise<FindOutcome<VenueOrderState>> {
  const recent = await findIn(words, [calls, credentials, instrument], '/v5/order/realtime', name);
  if (recent.outcome !== 'not-found') return recent;
  return findIn(words, [calls, credentials, instrument], '/v5/order/history', name);
}

async function findIn(
  { shape }: OrderWords,
  [calls, credentials, instrument]: readonly [Asking, VenueCredentials, Instrument],
  path: string,
  name: OrderName,
): Promise<FindOutcome<VenueOrderState>> {
  const id = 'clientId' in name ? { orderLinkId: name.clientId } : { orderId: name.venueOrderId };
  const { answer } = await calls.send(credentials, {
    method: 'GET',
    path,
    requestClass: 'lookup',
    limit: ACCOUNT_CALLS.read,
    parameters: { category: shape.category, symbol: instrument.symbol, ...id },
  });
  if (answer.kind === 'error' && isNoSuchOrder(answer.error)) return { outcome: 'not-found' };
  if (answer.kind !== 'result') return { outcome: 'unknown', why: reasonOf(answer) };
  const orders = normaliseOrders(answer.value.list);
  if (orders === undefined) return { outcome: 'unknown', why: 'unreadable order' };
  const [order] = orders;
  if (order === undefined) return { outcome: 'not-found' };
  // An id that stands for two orders, or another order, proves nothing of ours.
  const sound = orders.length === 1 && isAbout(order, instrument, name);
  return sound ? { outcome: 'found', value: order } : { outcome: 'unknown', why: 'list of other orders' };
}

/** Open orders of some instruments, in one list of the whole category. Orders not placed by the hub are in it too. */
async function listOpenOrders(
  words: OrderWords,
  ...[calls, credentials, instruments]: [Asking, VenueCredentials, readonly Instrument[]]
): Promise<Result<readonly VenueOrderState[], VenueReadFailure>> {
  const question = {
    path: '/v5/order/realtime',
    requestClass: 'reconciliation' as const,
    parameters: {
      ...{ category: words.shape.category, openOnly: 0, limit: ORDERS_PER_PAGE },
      ...words.named,
      ...words.list,
    },
    read: normaliseOrders,
  };
  const orders = await readPages(calls, credentials, question);
  if (!orders.ok) return orders;
  const wanted = new Set(instruments.map((instrument) => instrument.symbol));
  return ok(orders.value.filter((order) => wanted.has(order.symbol)));
}
