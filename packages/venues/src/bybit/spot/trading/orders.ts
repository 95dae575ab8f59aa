import {
  formatAmount,
  type Instrument,
  isFinal,
  ORDER_STATUS,
  ORDER_TYPE,
  ok,
  type Result,
  SIDE,
  TIME_IN_FORCE,
  type VenueClientId,
  type VenueOrderId,
  type VenueOrderState,
  ZERO,
} from '@crossbook/domain';
import { LOCAL_CODES } from '../../../trading/local-codes.ts';
import { isAbout, type OrderName } from '../../../trading/order-name.ts';
import type { FindOutcome, VenueCredentials, VenueReadFailure } from '../../../venue-answers.ts';
import type { CancelOutcome, SendOutcome, VenueOrderRequest } from '../../../venue-orders.ts';
import { asText } from '../../../wire/guards.ts';
import { reasonOf, refusalOf } from '../../account/answers.ts';
import type { Asking, Call } from '../../account/calls.ts';
import { isGone, isNoSuchOrder } from '../../account/errors.ts';
import { readPages } from '../../account/pages.ts';
import { ACCOUNT_CALLS } from '../../limits.ts';
import { normaliseOrders } from './normalise.ts';

const CATEGORY = 'spot';
const ORDERS_PER_PAGE = 50;

/**
 * Puts one order to the venue, once. The answer only acknowledges it: how it stands, and what it met at once, come by
 * the private stream or a lookup.
 */
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
    method: 'POST',
    path: '/v5/order/create',
    op: 'order.create',
    requestClass: 'order',
    limit: ACCOUNT_CALLS.place,
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

/** A market buy without `marketUnit` would count quote, and a sale base: it is always said. */
function orderParameters(request: VenueOrderRequest): Call['parameters'] | undefined {
  const { price, quantity, quoteQuantity } = request;
  const common = {
    category: CATEGORY,
    symbol: request.instrument.symbol,
    side: request.side === SIDE.BUY ? 'Buy' : 'Sell',
    orderLinkId: request.clientId,
    orderFilter: 'Order',
    isLeverage: 0,
  };
  if (request.type === ORDER_TYPE.MARKET) {
    const market = { ...common, orderType: 'Market' };
    if (quantity !== undefined) return { ...market, marketUnit: 'baseCoin', qty: formatAmount(quantity) };
    if (quoteQuantity === undefined) return undefined;
    return { ...market, marketUnit: 'quoteCoin', qty: formatAmount(quoteQuantity) };
  }
  if (request.type !== ORDER_TYPE.LIMIT || price === undefined || quantity === undefined) return undefined;
  return {
    ...common,
    orderType: 'Limit',
    qty: formatAmount(quantity),
    price: formatAmount(price),
    timeInForce: TIMES_IN_FORCE[request.timeInForce],
  };
}

const TIMES_IN_FORCE = {
  [TIME_IN_FORCE.GTC]: 'GTC',
  [TIME_IN_FORCE.IOC]: 'IOC',
  [TIME_IN_FORCE.FOK]: 'FOK',
  [TIME_IN_FORCE.POST_ONLY]: 'PostOnly',
} as const;

/**
 * Cancels by our id. The answer only acknowledges the request, so that the order is looked at once: `cancelled` when it
 * is over without being filled, `gone` when it filled first, `unknown` while the venue has not carried it out.
 */
export async function cancelOrder(
  calls: Asking,
  credentials: VenueCredentials,
  instrument: Instrument,
  clientId: VenueClientId,
): Promise<CancelOutcome> {
  const { answer } = await calls.send(credentials, {
    method: 'POST',
    path: '/v5/order/cancel',
    op: 'order.cancel',
    requestClass: 'cancel',
    limit: ACCOUNT_CALLS.cancel,
    parameters: {
      category: CATEGORY,
      symbol: instrument.symbol,
      orderLinkId: clientId,
      orderFilter: 'Order',
    },
  });
  if (answer.kind === 'error' && isGone(answer.error)) return { outcome: 'gone' };
  if (answer.kind !== 'result') return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
  if (answer.value.orderLinkId !== clientId) return { outcome: 'unknown', why: 'unreadable cancel answer' };
  const found = await findOrder(calls, credentials, instrument, { clientId });
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
export async function findOrder(
  calls: Asking,
  credentials: VenueCredentials,
  instrument: Instrument,
  name: OrderName,
): Promise<FindOutcome<VenueOrderState>> {
  const recent = await findIn(calls, credentials, '/v5/order/realtime', { instrument, name });
  if (recent.outcome !== 'not-found') return recent;
  return findIn(calls, credentials, '/v5/order/history', { instrument, name });
}

async function findIn(
  calls: Asking,
  credentials: VenueCredentials,
  path: string,
  wanted: { readonly instrument: Instrument; readonly name: OrderName },
): Promise<FindOutcome<VenueOrderState>> {
  const { instrument, name } = wanted;
  const id = 'clientId' in name ? { orderLinkId: name.clientId } : { orderId: name.venueOrderId };
  const { answer } = await calls.send(credentials, {
    method: 'GET',
    path,
    requestClass: 'lookup',
    limit: ACCOUNT_CALLS.read,
    parameters: { category: CATEGORY, symbol: instrument.symbol, ...id },
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
export async function listOpenOrders(
  calls: Asking,
  credentials: VenueCredentials,
  instruments: readonly Instrument[],
): Promise<Result<readonly VenueOrderState[], VenueReadFailure>> {
  const question = {
    path: '/v5/order/realtime',
    requestClass: 'reconciliation' as const,
    parameters: { category: CATEGORY, openOnly: 0, orderFilter: 'Order', limit: ORDERS_PER_PAGE },
    read: normaliseOrders,
  };
  const orders = await readPages(calls, credentials, question);
  if (!orders.ok) return orders;
  const wanted = new Set(instruments.map((instrument) => instrument.symbol));
  return ok(orders.value.filter((order) => wanted.has(order.symbol)));
}
