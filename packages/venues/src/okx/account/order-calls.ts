import {
  AMOUNT_ONE,
  type Amount,
  formatAmount,
  type Instrument,
  ORDER_STATUS,
  ok,
  type Result,
  refused,
  TIME_IN_FORCE,
  type VenueOrderState,
} from '@crossbook/domain';
import { afterAmendment } from '../../trading/amendments.ts';
import { failedRead, notExpressible, reasonOf } from '../../trading/call-answers.ts';
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
import { asObject, asText, type WireObject } from '../../wire/guards.ts';
import { asAmount, rowsOf } from '../../wire/numbers.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import { answerOfItem, type CallAnswer, isRefusal, onlyRow, refusalOf, refusalOfAll } from './answers.ts';
import type { Asking, Called, CallParameters } from './calls.ts';
import { NO_SUCH_ORDER, NOT_OPEN, NOT_WAITING } from './errors.ts';
import { normaliseOrder, normalisePlaced, type OrderShape } from './order-shapes.ts';

const ORDERS_PER_PAGE = 100;
/** Pages of open orders; the venue allows an account 4,000. */
const ORDER_PAGES_MAX = 50;

/** How one type of market is traded: how its orders are written and read. */
export interface OrderWords {
  readonly shape: OrderShape;
  /** `undefined` where an order cannot be written for the venue. */
  parameters(request: VenueOrderRequest): CallParameters | undefined;
}

/** The orders of one type of market; both are asked at the same addresses. */
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

/** What a limit is called by its time in force. */
export const ORDER_TYPES = {
  [TIME_IN_FORCE.GTC]: 'limit',
  [TIME_IN_FORCE.IOC]: 'ioc',
  [TIME_IN_FORCE.FOK]: 'fok',
  [TIME_IN_FORCE.POST_ONLY]: 'post_only',
} as const;

/** Puts one order to the venue, once. The answer only acknowledges it: how it executed comes by the stream. */
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
    path: '/api/v5/trade/order',
    requestClass: classOf([request]),
    limit: ACCOUNT_CALLS.place,
    limitOf: request.instrument.symbol,
    parameters,
    operation: { op: 'order', symbol: request.instrument.symbol },
  });
  return placedBy(calls, request, { answer, deadlineAt });
}

/** What the answer says of an order that was to be placed. */
function placedBy(calls: Asking, request: VenueOrderRequest, { answer, deadlineAt }: Called): SendOutcome {
  if (answer.kind === 'result') {
    const state = normalisePlaced(onlyRow(answer.rows), request.instrument, calls.venueClock.now());
    if (state === undefined) return { outcome: 'unknown', why: 'unreadable placement', deadlineAt };
    if (state.clientId !== request.clientId) {
      return { outcome: 'unknown', why: 'answer about another order', deadlineAt };
    }
    return { outcome: 'accepted', state, fills: [], receiptOnly: true };
  }
  return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer), deadlineAt };
}

/** Places several with one call ("Place multiple orders"): a row of the answer for each, known by our id. */
async function placeSeveral(
  words: OrderWords,
  ...[calls, credentials, requests]: [Asking, VenueCredentials, readonly VenueOrderRequest[]]
): Promise<readonly SendOutcome[]> {
  const parameters = requests.map(words.parameters).filter((one) => one !== undefined);
  const symbol = requests[0]?.instrument.symbol;
  if (symbol === undefined || parameters.length < requests.length)
    return Promise.all(requests.map((request) => placeOrder(words, calls, credentials, request)));
  const { answer, deadlineAt } = await calls.send(credentials, {
    ...{ method: 'POST', path: '/api/v5/trade/batch-orders', requestClass: classOf(requests) },
    ...{ limit: ACCOUNT_CALLS.placeSeveral, limitOf: symbol, weight: requests.length },
    ...{ parameters, operation: { op: 'batch-orders', symbol } },
  });
  const unknown = (why: string): SendOutcome => ({ outcome: 'unknown', why, deadlineAt });
  if (answer.kind !== 'result') return ofEach(requests, refusalOfAll(answer) ?? unknown(reasonOf(answer)));
  return requests.map((request) => {
    const row = answer.rows.map(asObject).find((one) => one?.clOrdId === request.clientId);
    return row === undefined
      ? unknown('no answer about it')
      : placedBy(calls, request, { answer: answerOfItem(row), deadlineAt });
  });
}

/**
 * Cancels by our id or the venue's. A good answer says only that the venue has taken the cancel ("not strictly considered that the
 * order has been canceled"), so that the order is looked up; 51400 and its like mean only that no such order is open.
 */
async function cancelOrder(
  words: OrderWords,
  ...[calls, credentials, instrument, name]: [Asking, VenueCredentials, Instrument, OrderName]
): Promise<CancelOutcome> {
  const { answer } = await calls.send(credentials, {
    method: 'POST',
    path: '/api/v5/trade/cancel-order',
    requestClass: 'cancel',
    limit: ACCOUNT_CALLS.cancel,
    limitOf: instrument.symbol,
    parameters: { instId: instrument.symbol, ...namedBy(name) },
    operation: { op: 'cancel-order', symbol: instrument.symbol },
  });
  const said = saidOf(answer, name);
  return said === 'taken' ? afterCancel(await findOrder(words, calls, credentials, instrument, name)) : said;
}

/** What the answer to a cancel says by itself. */
function saidOf(answer: CallAnswer, name: OrderName): SeveralAnswer {
  if (answer.kind === 'result') {
    const row = onlyRow(answer.rows);
    return row?.sCode === '0' && isNamed(row, name)
      ? 'taken'
      : { outcome: 'unknown', why: 'unreadable cancel answer' };
  }
  if (isRefusal(answer, NOT_OPEN)) return { outcome: 'gone' };
  return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
}

function isNamed(row: WireObject, name: OrderName): boolean {
  return 'clientId' in name ? row.clOrdId === name.clientId : row.ordId === name.venueOrderId;
}

/** Cancels several with one call ("Cancel multiple orders"): a row of the answer for each. */
async function cancelSeveral(
  words: OrderWords,
  ...[calls, credentials, instrument, names]: [Asking, VenueCredentials, Instrument, readonly OrderName[]]
): Promise<readonly CancelOutcome[]> {
  const { answer } = await calls.send(credentials, {
    method: 'POST',
    path: '/api/v5/trade/cancel-batch-orders',
    requestClass: 'cancel',
    limit: ACCOUNT_CALLS.cancelSeveral,
    limitOf: instrument.symbol,
    weight: names.length,
    parameters: names.map((name) => ({ instId: instrument.symbol, ...namedBy(name) })),
    operation: { op: 'batch-cancel-orders', symbol: instrument.symbol },
  });
  if (answer.kind !== 'result')
    return ofEach(names, refusalOfAll(answer) ?? { outcome: 'unknown', why: reasonOf(answer) });
  const rows = answer.rows.map(asObject);
  return provedCancels({
    ...{ instrument, names },
    answers: names.map((name) => {
      const row = rows.find((one) => one !== undefined && isNamed(one, name));
      return row === undefined
        ? { outcome: 'unknown', why: 'no answer about it' }
        : saidOf(answerOfItem(row), name);
    }),
    ended: () => listEnded(words, calls, credentials, instrument),
    one: async (name) => afterCancel(await findOrder(words, calls, credentials, instrument, name)),
  });
}

/** Orders of an instrument that ended last. */
async function listEnded(
  words: OrderWords,
  ...[calls, credentials, instrument]: [Asking, VenueCredentials, Instrument]
): Promise<readonly VenueOrderState[]> {
  const { answer } = await calls.send(credentials, {
    method: 'GET',
    path: '/api/v5/trade/orders-history',
    requestClass: 'lookup',
    limit: ACCOUNT_CALLS.orderHistory,
    parameters: {
      instType: words.shape.instType,
      instId: instrument.symbol,
      limit: String(ORDERS_PER_PAGE),
    },
  });
  if (answer.kind !== 'result') return [];
  return answer.rows.flatMap((row) => normaliseOrder(words.shape, row, instrument.contractValue) ?? []);
}

function afterCancel(found: FindOutcome<OrderTerms>): CancelOutcome {
  if (found.outcome === 'unknown') return found;
  if (found.outcome === 'not-found') return { outcome: 'gone' };
  const { state } = found.value;
  const { status } = state;
  if (status === ORDER_STATUS.CANCELLED) return { outcome: 'cancelled', state };
  if (status === ORDER_STATUS.FILLED) return { outcome: 'gone' };
  return { outcome: 'unknown', why: 'cancel under way' };
}

function namedBy(name: OrderName): { readonly clOrdId: string } | { readonly ordId: string } {
  return 'clientId' in name ? { clOrdId: name.clientId } : { ordId: name.venueOrderId };
}

/**
 * Looks one order up by our id or the venue's. The venue forgets an order that was cancelled without a fill after two hours: such a
 * one is `not-found` too, which is why absence is believed only with the other proofs (decision 0004).
 */
async function findOrder(
  words: OrderWords,
  ...[calls, credentials, instrument, name]: [Asking, VenueCredentials, Instrument, OrderName]
): Promise<FindOutcome<OrderTerms>> {
  const { answer } = await calls.send(credentials, {
    method: 'GET',
    path: '/api/v5/trade/order',
    requestClass: 'lookup',
    limit: ACCOUNT_CALLS.find,
    parameters: { instId: instrument.symbol, ...namedBy(name) },
  });
  if (answer.kind === 'result') {
    const row = onlyRow(answer.rows);
    const state = normaliseOrder(words.shape, row, instrument.contractValue);
    return state !== undefined && isAbout(state, instrument, name)
      ? { outcome: 'found', value: { state, ...termsOf(row) } }
      : { outcome: 'unknown', why: 'unreadable order' };
  }
  if (isRefusal(answer, new Set([NO_SUCH_ORDER]))) return { outcome: 'not-found' };
  return { outcome: 'unknown', why: reasonOf(answer) };
}

/** What an order asks for; a market order has no price. */
export function termsOf(row: WireObject | undefined): Omit<OrderTerms, 'state'> {
  const price = asAmount(row?.px);
  const quantity = asAmount(row?.sz);
  return { ...(price === undefined ? {} : { price }), ...(quantity === undefined ? {} : { quantity }) };
}

/**
 * Changes one order under its own id. A good answer says only that the venue has taken the change, so that the order is
 * looked up; an order that cannot be changed rests as it was (`cxlOnFail`).
 */
async function amendOrder(
  words: OrderWords,
  ...[calls, credentials, amendment]: [Asking, VenueCredentials, OrderAmendment]
): Promise<AmendOutcome> {
  const { instrument, clientId, price, quantity } = amendment;
  const { answer, deadlineAt } = await calls.send(credentials, {
    method: 'POST',
    path: '/api/v5/trade/amend-order',
    requestClass: classOf([amendment]),
    limit: ACCOUNT_CALLS.amend,
    limitOf: instrument.symbol,
    parameters: {
      ...{ instId: instrument.symbol, clOrdId: clientId, cxlOnFail: false },
      ...{ newPx: formatAmount(price), newSz: formatAmount(quantity) },
    },
    operation: { op: 'amend-order', symbol: instrument.symbol },
  });
  if (isRefusal(answer, NOT_WAITING)) return { outcome: 'gone' };
  if (answer.kind !== 'result')
    return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer), deadlineAt };
  const row = onlyRow(answer.rows);
  if (row?.sCode !== '0' || row.clOrdId !== clientId)
    return { outcome: 'unknown', why: 'unreadable amendment', deadlineAt };
  const found = await findOrder(words, calls, credentials, instrument, { clientId });
  return afterAmendment(found, amendment, deadlineAt);
}

/** Open orders of some instruments, however many pages. Orders not placed by the hub are in it too. */
async function listOpenOrders(
  words: OrderWords,
  ...[calls, credentials, instruments]: [Asking, VenueCredentials, readonly Instrument[]]
): Promise<Result<readonly VenueOrderState[], VenueReadFailure>> {
  const values = new Map(instruments.map(({ symbol, contractValue }) => [symbol, contractValue]));
  // Rows of other instruments are only counted, so that it matters not what one contract of theirs is.
  const contractValueOf = (row: unknown): Amount =>
    values.get(asText(asObject(row)?.instId) ?? '') ?? (AMOUNT_ONE as Amount);
  const only = instruments.length === 1 ? { instId: (instruments[0] as Instrument).symbol } : {};
  const found: VenueOrderState[] = [];
  const seen = new Set<string>();
  let after: string | undefined;
  for (let page = 0; page < ORDER_PAGES_MAX; page += 1) {
    const { answer } = await calls.send(credentials, {
      method: 'GET',
      path: '/api/v5/trade/orders-pending',
      requestClass: 'reconciliation',
      limit: ACCOUNT_CALLS.pending,
      parameters: {
        instType: words.shape.instType,
        ...only,
        limit: String(ORDERS_PER_PAGE),
        ...(after === undefined ? {} : { after }),
      },
    });
    if (answer.kind !== 'result') return failedRead(answer);
    const orders = rowsOf(answer.rows, (row) => normaliseOrder(words.shape, row, contractValueOf(row)));
    // A page that repeats what was read would go in a circle.
    if (orders === undefined || orders.some((order) => seen.has(order.venueOrderId)))
      return refused('malformed');
    for (const order of orders) seen.add(order.venueOrderId);
    found.push(...orders.filter((order) => values.has(order.symbol)));
    if (orders.length < ORDERS_PER_PAGE) return ok(found);
    after = orders.at(-1)?.venueOrderId;
  }
  return refused('refused');
}
