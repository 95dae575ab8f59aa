import {
  formatAmount,
  type Instrument,
  ORDER_STATUS,
  ORDER_TYPE,
  ok,
  type Result,
  refused,
  SIDE,
  TIME_IN_FORCE,
  type VenueClientId,
  type VenueOrderState,
} from '@crossbook/domain';
import { LOCAL_CODES } from '../../../trading/local-codes.ts';
import { isAbout, type OrderName } from '../../../trading/order-name.ts';
import type { FindOutcome, VenueCredentials, VenueReadFailure } from '../../../venue-answers.ts';
import type { CancelOutcome, SendOutcome, VenueOrderRequest } from '../../../venue-orders.ts';
import { failureOf, isRefusal, onlyRow, reasonOf, refusalOf } from '../../account/answers.ts';
import type { Asking } from '../../account/calls.ts';
import { NO_SUCH_ORDER, NOT_OPEN } from '../../account/errors.ts';
import { ACCOUNT_CALLS } from '../../limits.ts';
import { normaliseOrder, normaliseOrders, normalisePlaced } from './normalise.ts';

const ORDERS_PER_PAGE = 100;
/** Pages of open orders; the venue allows an account 4,000. */
const ORDER_PAGES_MAX = 50;

/** Puts one order to the venue, once. The answer only acknowledges it: how it executed comes by the stream. */
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
      message: 'order lacks a price or a quantity, or is none of spot',
    };
  }
  const { answer, deadlineAt } = await calls.send(credentials, {
    method: 'POST',
    path: '/api/v5/trade/order',
    requestClass: 'order',
    limit: ACCOUNT_CALLS.place,
    limitOf: request.instrument.symbol,
    parameters,
    operation: { op: 'order', symbol: request.instrument.symbol },
  });
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

/** `sz` of a market order counts quote or base by `tgtCcy`; without it a buy would count quote and a sell base. */
function orderParameters(request: VenueOrderRequest): Readonly<Record<string, string>> | undefined {
  const { instrument, price, quantity, quoteQuantity } = request;
  if (instrument.symbolType !== 'SPOT') return undefined;
  const common = {
    instId: instrument.symbol,
    tdMode: 'cash',
    side: request.side === SIDE.BUY ? 'buy' : 'sell',
    clOrdId: request.clientId,
  };
  if (request.type === ORDER_TYPE.MARKET) {
    const market = { ...common, ordType: 'market' };
    if (quantity !== undefined) return { ...market, sz: formatAmount(quantity), tgtCcy: 'base_ccy' };
    if (quoteQuantity === undefined) return undefined;
    return { ...market, sz: formatAmount(quoteQuantity), tgtCcy: 'quote_ccy' };
  }
  if (request.type !== ORDER_TYPE.LIMIT || price === undefined || quantity === undefined) return undefined;
  return {
    ...common,
    ordType: ORDER_TYPES[request.timeInForce],
    sz: formatAmount(quantity),
    px: formatAmount(price),
  };
}

const ORDER_TYPES = {
  [TIME_IN_FORCE.GTC]: 'limit',
  [TIME_IN_FORCE.IOC]: 'ioc',
  [TIME_IN_FORCE.FOK]: 'fok',
  [TIME_IN_FORCE.POST_ONLY]: 'post_only',
} as const;

/**
 * Cancels by our id. A good answer says only that the venue has taken the cancel ("not strictly considered that the
 * order has been canceled"), so that the order is looked up; 51400 and its like mean only that no such order is open.
 */
export async function cancelOrder(
  calls: Asking,
  credentials: VenueCredentials,
  instrument: Instrument,
  clientId: VenueClientId,
): Promise<CancelOutcome> {
  const { answer } = await calls.send(credentials, {
    method: 'POST',
    path: '/api/v5/trade/cancel-order',
    requestClass: 'cancel',
    limit: ACCOUNT_CALLS.cancel,
    limitOf: instrument.symbol,
    parameters: { instId: instrument.symbol, clOrdId: clientId },
    operation: { op: 'cancel-order', symbol: instrument.symbol },
  });
  if (answer.kind === 'result') {
    const row = onlyRow(answer.rows);
    if (row?.sCode !== '0' || row.clOrdId !== clientId) {
      return { outcome: 'unknown', why: 'unreadable cancel answer' };
    }
    return afterCancel(await findOrder(calls, credentials, instrument, { clientId }));
  }
  if (isRefusal(answer, NOT_OPEN)) return { outcome: 'gone' };
  return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
}

function afterCancel(found: FindOutcome<VenueOrderState>): CancelOutcome {
  if (found.outcome === 'unknown') return found;
  if (found.outcome === 'not-found') return { outcome: 'gone' };
  const { status } = found.value;
  if (status === ORDER_STATUS.CANCELLED) return { outcome: 'cancelled', state: found.value };
  if (status === ORDER_STATUS.FILLED) return { outcome: 'gone' };
  return { outcome: 'unknown', why: 'cancel under way' };
}

/**
 * Looks one order up by our id or the venue's. The venue forgets an order that was cancelled without a fill after two hours: such a
 * one is `not-found` too, which is why absence is believed only with the other proofs (decision 0004).
 */
export async function findOrder(
  calls: Asking,
  credentials: VenueCredentials,
  instrument: Instrument,
  name: OrderName,
): Promise<FindOutcome<VenueOrderState>> {
  const id = 'clientId' in name ? { clOrdId: name.clientId } : { ordId: name.venueOrderId };
  const { answer } = await calls.send(credentials, {
    method: 'GET',
    path: '/api/v5/trade/order',
    requestClass: 'lookup',
    limit: ACCOUNT_CALLS.find,
    parameters: { instId: instrument.symbol, ...id },
  });
  if (answer.kind === 'result') {
    const value = normaliseOrder(onlyRow(answer.rows));
    return value !== undefined && isAbout(value, instrument, name)
      ? { outcome: 'found', value }
      : { outcome: 'unknown', why: 'unreadable order' };
  }
  if (isRefusal(answer, new Set([NO_SUCH_ORDER]))) return { outcome: 'not-found' };
  return { outcome: 'unknown', why: reasonOf(answer) };
}

/** Open orders of some instruments, however many pages. Orders not placed by the hub are in it too. */
export async function listOpenOrders(
  calls: Asking,
  credentials: VenueCredentials,
  instruments: readonly Instrument[],
): Promise<Result<readonly VenueOrderState[], VenueReadFailure>> {
  const wanted = new Set(instruments.map((instrument) => instrument.symbol));
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
        instType: 'SPOT',
        ...only,
        limit: String(ORDERS_PER_PAGE),
        ...(after === undefined ? {} : { after }),
      },
    });
    if (answer.kind !== 'result') return refused(failureOf(answer));
    const orders = normaliseOrders(answer.rows);
    // A page that repeats what was read would go in a circle.
    if (orders === undefined || orders.some((order) => seen.has(order.venueOrderId)))
      return refused('malformed');
    for (const order of orders) seen.add(order.venueOrderId);
    found.push(...orders.filter((order) => wanted.has(order.symbol)));
    if (orders.length < ORDERS_PER_PAGE) return ok(found);
    after = orders.at(-1)?.venueOrderId;
  }
  return refused('refused');
}
