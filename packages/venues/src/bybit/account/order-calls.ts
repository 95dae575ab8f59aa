import {
  formatAmount,
  type Instrument,
  isFinal,
  ORDER_STATUS,
  ok,
  type Result,
  TIME_IN_FORCE,
  type VenueOrderId,
  type VenueOrderState,
  ZERO,
} from '@crossbook/domain';
import type { LimitScope } from '../../arbiter/limit-scope.ts';
import { afterAmendment } from '../../trading/amendments.ts';
import { notExpressible, reasonOf } from '../../trading/call-answers.ts';
import { classOf } from '../../trading/contract-terms.ts';
import { isAbout } from '../../trading/order-name.ts';
import type { OrderRoom } from '../../trading/order-room.ts';
import { ofEach, provedCancels, type SeveralAnswer } from '../../trading/several-cancels.ts';
import type { FindOutcome, VenueCredentials, VenueReadFailure } from '../../venue-answers.ts';
import type {
  AmendOutcome,
  CancelOutcome,
  OrderAmendment,
  OrderName,
  OrderTerms,
  SendOutcome,
  VenueOrderRequest,
} from '../../venue-orders.ts';
import { asArray, asObject, asText } from '../../wire/guards.ts';
import { asAmount, rowsOf } from '../../wire/numbers.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import { isUnfired } from './algo-shapes.ts';
import { answerOfItem, type CallAnswer, refusalOf } from './answers.ts';
import type { Asking, Call, Called } from './calls.ts';
import { isGone, isUnchanged } from './errors.ts';
import { lookUp } from './order-lookup.ts';
import { normaliseOrders, type OrderShape } from './order-shapes.ts';
import { readPages } from './pages.ts';

const ORDERS_PER_PAGE = 50;

/** How one type of market is traded: how its orders are written, read and counted. */
export interface OrderWords {
  readonly shape: OrderShape;
  readonly limits: Readonly<Record<'place' | 'placeSeveral' | 'cancel' | 'cancelSeveral', LimitScope>>;
  /** What names the orders of this market beside their category, in cancels. */
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
    placeSeveral: (...asked) => placeSeveral(words, ...asked),
    amend: (...asked) => amendOrder(words, ...asked),
    cancel: (...asked) => cancelOrder(words, ...asked),
    cancelSeveral: (...asked) => cancelSeveral(words, ...asked),
    findTerms: (...asked) => findOrder(words, ...asked),
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
    return notExpressible('order lacks a price or a quantity, or its position side does not fit the mode');
  }
  const { answer, deadlineAt } = await calls.send(credentials, {
    method: 'POST',
    path: '/v5/order/create',
    op: 'order.create',
    requestClass: classOf([request]),
    limit: words.limits.place,
    parameters,
  });
  return placedBy(calls, request, { answer, deadlineAt });
}

/** What the answer says of an order that was to be placed. */
function placedBy(calls: Asking, request: VenueOrderRequest, { answer, deadlineAt }: Called): SendOutcome {
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

/**
 * Places several with one call (order/batch-place). Its answer has a row and, beside it, a code for each, both in the order
 * of the request: lists of another length say nothing of any.
 */
async function placeSeveral(
  words: OrderWords,
  ...[calls, credentials, requests]: [Asking, VenueCredentials, readonly VenueOrderRequest[]]
): Promise<readonly SendOutcome[]> {
  const written = requests.map(words.parameters).filter((one) => one !== undefined);
  if (written.length < requests.length)
    return Promise.all(requests.map((request) => placeOrder(words, calls, credentials, request)));
  const { answer, deadlineAt } = await calls.send(credentials, {
    ...{ method: 'POST', path: '/v5/order/create-batch', op: 'order.create-batch' },
    ...{ requestClass: classOf(requests), limit: words.limits.placeSeveral, weight: requests.length },
    parameters: {
      category: words.shape.category,
      request: written.map(({ category: _said, ...order }) => order),
    },
  });
  if (answer.kind !== 'result')
    return ofEach(requests, refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer), deadlineAt });
  const lists = [answer.value.list, answer.further.list].map(asArray);
  if (lists.some((list) => list?.length !== requests.length))
    return ofEach(requests, { outcome: 'unknown', why: 'unreadable answer', deadlineAt });
  return requests.map((request, at) =>
    placedBy(calls, request, { answer: answerOfItem(answer, at), deadlineAt }),
  );
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
 * Cancels by our id or the venue's. The answer only acknowledges the request, so that the order is looked at once: `cancelled` when it
 * is over without being filled, `gone` when it filled first, `unknown` while the venue has not carried it out.
 */
async function cancelOrder(
  words: OrderWords,
  ...[calls, credentials, instrument, name]: [Asking, VenueCredentials, Instrument, OrderName]
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
      ...namedBy(name),
      ...words.named,
    },
  });
  const said = saidOf(answer, name);
  return said === 'taken' ? seenDone(words, calls, credentials, instrument, name) : said;
}

function namedBy(name: OrderName): { readonly orderLinkId: string } | { readonly orderId: string } {
  return 'clientId' in name ? { orderLinkId: name.clientId } : { orderId: name.venueOrderId };
}

/** What the answer to a cancel says by itself. */
function saidOf(answer: CallAnswer, name: OrderName): SeveralAnswer {
  if (answer.kind === 'error' && isGone(answer.error)) return { outcome: 'gone' };
  if (answer.kind !== 'result') return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
  const { orderId, orderLinkId } = answer.value;
  const named = 'clientId' in name ? orderLinkId === name.clientId : orderId === name.venueOrderId;
  return named ? 'taken' : { outcome: 'unknown', why: 'unreadable cancel answer' };
}

/**
 * Cancels several with one call (order/batch-cancel). Its answer has a row and, beside it, a code for each, both in the order
 * of the request.
 */
async function cancelSeveral(
  words: OrderWords,
  ...[calls, credentials, instrument, names]: [Asking, VenueCredentials, Instrument, readonly OrderName[]]
): Promise<readonly CancelOutcome[]> {
  const { category } = words.shape;
  const { answer } = await calls.send(credentials, {
    method: 'POST',
    path: '/v5/order/cancel-batch',
    op: 'order.cancel-batch',
    requestClass: 'cancel',
    limit: words.limits.cancelSeveral,
    weight: names.length,
    parameters: {
      category,
      request: names.map((name) => ({ symbol: instrument.symbol, ...namedBy(name) })),
    },
  });
  if (answer.kind !== 'result')
    return ofEach(names, refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) });
  return provedCancels({
    ...{ instrument, names },
    answers: names.map((name, at) => saidOf(answerOfItem(answer, at), name)),
    ended: async () => {
      const { answer: list } = await calls.send(credentials, {
        method: 'GET',
        path: '/v5/order/realtime',
        requestClass: 'lookup',
        limit: ACCOUNT_CALLS.read,
        parameters: { category, symbol: instrument.symbol, openOnly: 1, limit: ORDERS_PER_PAGE },
      });
      return (list.kind === 'result' ? normaliseOrders(list.value.list) : undefined) ?? [];
    },
    one: (name) => seenDone(words, calls, credentials, instrument, name),
  });
}

async function seenDone(
  words: OrderWords,
  ...[calls, credentials, instrument, name]: [Asking, VenueCredentials, Instrument, OrderName]
): Promise<CancelOutcome> {
  const found = await findOrder(words, calls, credentials, instrument, name);
  if (found.outcome !== 'found' || !isFinal(found.value.state.status)) {
    return { outcome: 'unknown', why: 'cancel acknowledged, not yet seen done' };
  }
  const { state } = found.value;
  return state.status === ORDER_STATUS.CANCELLED ? { outcome: 'cancelled', state } : { outcome: 'gone' };
}

function findOrder(
  { shape }: OrderWords,
  ...[calls, credentials, instrument, name]: [Asking, VenueCredentials, Instrument, OrderName]
): Promise<FindOutcome<OrderTerms>> {
  return lookUp(calls, credentials, {
    ...{ category: shape.category, instrument, name },
    read: normaliseTerms,
    isAbout: ({ state }) => isAbout(state, instrument, name),
  });
}

/** Orders of a list with what they ask for; a market order's price is 0. */
function normaliseTerms(list: unknown): readonly OrderTerms[] | undefined {
  return normaliseOrders(list)?.map((state, at) => {
    const order = asObject(asArray(list)?.[at]);
    const price = asAmount(order?.price) ?? ZERO;
    const quantity = asAmount(order?.qty);
    return {
      state,
      ...(price === ZERO ? {} : { price }),
      ...(quantity === undefined ? {} : { quantity }),
    };
  });
}

/** Changes one order under its own id. The answer only acknowledges the request, so that the order is looked up. */
async function amendOrder(
  words: OrderWords,
  ...[calls, credentials, amendment]: [Asking, VenueCredentials, OrderAmendment]
): Promise<AmendOutcome> {
  const { instrument, clientId, price, quantity } = amendment;
  const { answer, deadlineAt } = await calls.send(credentials, {
    method: 'POST',
    path: '/v5/order/amend',
    op: 'order.amend',
    requestClass: classOf([amendment]),
    limit: ACCOUNT_CALLS.amend,
    parameters: {
      ...{ category: words.shape.category, symbol: instrument.symbol, orderLinkId: clientId },
      ...{ qty: formatAmount(quantity), price: formatAmount(price) },
    },
  });
  if (answer.kind === 'error' && isGone(answer.error)) return { outcome: 'gone' };
  const unchanged = answer.kind === 'error' && isUnchanged(answer.error);
  if (answer.kind !== 'result' && !unchanged)
    return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer), deadlineAt };
  if (answer.kind === 'result' && answer.value.orderLinkId !== clientId)
    return { outcome: 'unknown', why: 'unreadable amendment', deadlineAt };
  const found = await findOrder(words, calls, credentials, instrument, { clientId });
  return afterAmendment(found, amendment, deadlineAt);
}

/**
 * Open orders of some instruments, in one list of the whole category; those that wait for a price are none. Orders not
 * placed by the hub are in it too.
 */
async function listOpenOrders(
  words: OrderWords,
  ...[calls, credentials, instruments]: [Asking, VenueCredentials, readonly Instrument[]]
): Promise<Result<readonly VenueOrderState[], VenueReadFailure>> {
  const question = {
    path: '/v5/order/realtime',
    requestClass: 'reconciliation' as const,
    parameters: {
      ...{ category: words.shape.category, openOnly: 0, limit: ORDERS_PER_PAGE },
      ...words.list,
    },
    read: (list: unknown) => {
      const rows = rowsOf(list, asObject);
      return rows === undefined ? undefined : normaliseOrders(rows.filter((row) => !isUnfired(row)));
    },
  };
  const orders = await readPages(calls, credentials, question);
  if (!orders.ok) return orders;
  const wanted = new Set(instruments.map((instrument) => instrument.symbol));
  return ok(orders.value.filter((order) => wanted.has(order.symbol)));
}
