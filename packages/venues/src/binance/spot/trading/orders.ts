import { notExpressible, reasonOf } from '../../../trading/call-answers.ts';
import { isAbout } from '../../../trading/order-name.ts';
import type { OrderRoom } from '../../../trading/order-room.ts';
import type { VenueCredentials } from '../../../venue-answers.ts';
import type { SendOutcome, VenueOrderRequest } from '../../../venue-orders.ts';
import { refusalOf } from '../../account/answers.ts';
import type { Asking } from '../../account/calls.ts';
import { fillsIn } from '../../account/fill-pages.ts';
import { ordersIn } from '../../account/order-calls.ts';
import { algoOrder } from './algo-states.ts';
import { listCall, listParameters, placedInList } from './listed-orders.ts';
import { normaliseCancelled, normaliseFills, normaliseOrder, normalisePlaced } from './normalise.ts';
import { reportOf } from './order-lists.ts';
import { exceeds, orderParameters } from './order-parameters.ts';
import { replaceOrder } from './replacement.ts';

const PATH = '/api/v3/order';

/** How orders on pairs are placed, cancelled and asked about (rest-api.md, 2026-07-21). */
export const ORDER_CALLS = {
  place: { socketMethod: 'order.place', path: PATH, weight: 1, freeWhenDone: true },
  cancel: { socketMethod: 'order.cancel', path: PATH, weight: 1, freeWhenDone: true },
  query: { socketMethod: 'order.status', path: PATH, weight: 4 },
  open: { socketMethod: 'openOrders.status', path: '/api/v3/openOrders', weight: 6 },
} as const;

/** Orders on pairs. One list of all symbols weighs 80, one of a single symbol 6 (rest-api.md). */
export const SPOT_ORDERS: OrderRoom<Asking> = {
  place: placeOrder,
  amend: replaceOrder,
  ...ordersIn({
    market: 'SPOT',
    cancel: ORDER_CALLS.cancel,
    query: ORDER_CALLS.query,
    open: ORDER_CALLS.open,
    openOfAllWeight: 80,
    order: normaliseOrder,
    waits: (row, rows) => algoOrder(row)?.status === 'waiting' && !works(row, rows),
    cancelled: (answer, name) => normaliseCancelled(reportOf(answer, name) ?? answer),
  }),
  ...fillsIn({
    market: 'SPOT',
    list: { socketMethod: 'myTrades', path: '/api/v3/myTrades' },
    weights: { ofOrder: 5, ofInstrument: 20 },
    read: normaliseFills,
  }),
};

/**
 * Whether a row is the order of a list that others wait for. Post-only it has the type of the target of a pair, and only what
 * waits for it tells them apart.
 */
function works(row: unknown, rows: readonly unknown[]): boolean {
  const own = algoOrder(row);
  const isBehind = (other: ReturnType<typeof algoOrder>) =>
    other?.listId !== undefined && other.listId === own?.listId && other.pending;
  return own?.pending === false && rows.some((other) => isBehind(algoOrder(other)));
}

/** Puts one order to the venue, once. */
async function placeOrder(
  calls: Asking,
  credentials: VenueCredentials,
  request: VenueOrderRequest,
): Promise<SendOutcome> {
  const { listed } = request;
  const parameters = listed === undefined ? orderParameters(request) : listParameters(request, listed);
  if (parameters === undefined) return notExpressible('order lacks a price or a quantity');
  const { answer, deadlineAt } = await calls.send(credentials, {
    ...(listed === undefined ? { ...ORDER_CALLS.place, places: 1 } : listCall(listed)),
    ...{ method: 'POST', requestClass: 'order', parameters },
  });
  if (answer.kind === 'result') {
    const placed =
      listed === undefined ? normalisePlaced(answer.value) : placedInList(answer.value, request.clientId);
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
