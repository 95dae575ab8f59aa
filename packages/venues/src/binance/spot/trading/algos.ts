import { isFinalAlgo, ok, type VenueAlgoState, type VenueClientId } from '@crossbook/domain';
import { notExpressible } from '../../../trading/call-answers.ts';
import type { AlgoChangeOutcome, AlgoKey, AlgoSendOutcome, VenueAlgoRequest } from '../../../venue-algos.ts';
import type { FindOutcome, VenueCredentials, VenueRead } from '../../../venue-answers.ts';
import { rowsOf } from '../../../wire/numbers.ts';
import {
  type AlgoRoom,
  type Asker,
  cancelAlgo,
  classOf,
  findAlgo,
  placeAlgo,
} from '../../account/algo-calls.ts';
import { type Asking, readCall } from '../../account/calls.ts';
import { algoParameters, pairParameters } from './algo-parameters.ts';
import { type AlgoOrder, algoOrder, stateOfOrder } from './algo-states.ts';
import { legsOf, normaliseList, type OrderList, reportOf, stateOfList } from './order-lists.ts';
import { ORDER_CALLS } from './orders.ts';

/** Orders of lists are placed together and count twice. */
const LIST_CALLS = {
  place: {
    socketMethod: 'orderList.place.oco',
    path: '/api/v3/orderList/oco',
    weight: 1,
    freeWhenDone: true,
  },
  cancel: { socketMethod: 'orderList.cancel', path: '/api/v3/orderList', weight: 1, freeWhenDone: true },
  query: { socketMethod: 'orderList.status', path: '/api/v3/orderList', weight: 4 },
  open: { socketMethod: 'openOrderLists.status', path: '/api/v3/openOrderList', weight: 6 },
} as const;

/**
 * Algo orders on pairs: orders that are not on the book yet, and pairs of them. They lock what they need from placement.
 * One keeps its id when it goes to the book, so that a cancel may meet its child: then it is `gone`.
 */
export const SPOT_ALGOS: AlgoRoom = { place, cancel, find, waiting };

async function place(
  calls: Asking,
  credentials: VenueCredentials,
  request: VenueAlgoRequest,
): Promise<AlgoSendOutcome> {
  const listed = request.plan.kind === 'oco';
  const parameters = listed ? pairParameters(request) : algoParameters(request);
  if (parameters === undefined) return notExpressible('no such algo order on a pair');
  const facts = listed ? LIST_CALLS.place : ORDER_CALLS.place;
  const call = { ...facts, places: listed ? 2 : 1, method: 'POST', requestClass: classOf(request) } as const;
  const read = listed ? pairOf : alone;
  return placeAlgo({ calls, credentials }, request, { ...call, parameters }, read);
}

function alone(answer: unknown): VenueAlgoState | undefined {
  const order = algoOrder(answer);
  return order && order.listId === undefined ? stateOfOrder(order) : undefined;
}

/** One that stands alone, or behind the order of a list; what cancels that shows the list. */
function standsAlone(answer: unknown, clientId: VenueClientId): VenueAlgoState | undefined {
  const order = algoOrder(reportOf(answer, { clientId }) ?? answer);
  return order ? stateOfOrder(order) : undefined;
}

function pairOf(answer: unknown): VenueAlgoState | undefined {
  const list = normaliseList(answer);
  const legs = list && legsOf(answer, list);
  return list && legs && stateOfList(list, legs);
}

/** A cancel meets what waits and what has gone to the book alike: where something was executed, it had fired. */
async function cancel(
  calls: Asking,
  credentials: VenueCredentials,
  { instrument: { symbol }, clientId, kind }: AlgoKey,
): Promise<AlgoChangeOutcome> {
  const listed = kind === 'oco';
  const id = listed ? { listClientOrderId: clientId } : { origClientOrderId: clientId };
  const facts = listed ? LIST_CALLS.cancel : ORDER_CALLS.cancel;
  const call = { ...facts, method: 'DELETE', requestClass: 'cancel', parameters: { symbol, ...id } } as const;
  return cancelAlgo({ calls, credentials }, call, (answer) => {
    const state = listed ? pairOf(answer) : standsAlone(answer, clientId);
    if (state?.clientId !== clientId) return undefined;
    return state.status === 'fired' ? 'gone' : 'done';
  });
}

function find(
  calls: Asking,
  credentials: VenueCredentials,
  key: AlgoKey,
): Promise<FindOutcome<VenueAlgoState>> {
  if (key.kind === 'oco') return findPair({ calls, credentials }, key);
  const { symbol } = key.instrument;
  const parameters = { symbol, origClientOrderId: key.clientId };
  const call = { ...ORDER_CALLS.query, method: 'GET', requestClass: 'lookup', parameters } as const;
  // What waits for its order still may be refused when that has filled: it proves nothing.
  const read = (answer: unknown) =>
    algoOrder(answer)?.pending === true ? undefined : standsAlone(answer, key.clientId);
  return findAlgo({ calls, credentials }, key, call, read);
}

/** What a list says of itself is not enough: its orders tell which of them works. */
async function findPair(asker: Asker, key: AlgoKey): Promise<FindOutcome<VenueAlgoState>> {
  const { calls, credentials } = asker;
  let list: OrderList | undefined;
  const parameters = { origClientOrderId: key.clientId };
  const call = { ...LIST_CALLS.query, method: 'GET', requestClass: 'lookup', parameters } as const;
  const found = await findAlgo(asker, key, call, (answer) => {
    list = normaliseList(answer);
    return list && stateOfList(list, []);
  });
  if (found.outcome !== 'found' || list === undefined) return found;
  const legs: AlgoOrder[] = [];
  for (const orderId of list.orderIds) {
    const leg = await readCall(
      calls,
      credentials,
      {
        ...{ ...ORDER_CALLS.query, method: 'GET', requestClass: 'lookup' },
        parameters: { symbol: list.symbol, orderId: Number(orderId) },
      },
      (answer) => algoOrder(answer) ?? undefined,
    );
    if (!leg.ok) {
      const { ok: _, code, ...wait } = leg;
      return { outcome: 'unknown', why: `order of the pair: ${code}`, ...wait };
    }
    legs.push(leg.value);
  }
  if (legs.some(({ pending }) => pending)) return { outcome: 'unknown', why: 'waits for its order' };
  return { outcome: 'found', value: stateOfList(list, legs) };
}

/** Those of a list of open orders that are no ordinary ones. */
function algoOrders(answer: unknown): AlgoOrder[] | undefined {
  const rows = rowsOf(answer, (row) => {
    const order = algoOrder(row);
    return order === undefined ? undefined : { order };
  });
  return rows?.flatMap(({ order }) => order ?? []);
}

/** Open orders tell of what waits; the lists of pairs are asked for only where one is among them. */
async function waiting(
  calls: Asking,
  credentials: VenueCredentials,
  instruments: Parameters<AlgoRoom['waiting']>[2],
): Promise<VenueRead<readonly VenueAlgoState[]>> {
  const orders: AlgoOrder[] = [];
  const read = { method: 'GET', requestClass: 'reconciliation' } as const;
  for (const { symbol } of instruments) {
    const call = { ...ORDER_CALLS.open, ...read, parameters: { symbol } };
    const rows = await readCall(calls, credentials, call, algoOrders);
    if (!rows.ok) return rows;
    orders.push(...rows.value);
  }
  const states = orders.filter(({ listId }) => listId === undefined).map(stateOfOrder);
  if (states.length < orders.length) {
    const call = { ...LIST_CALLS.open, ...read, parameters: {} };
    const lists = await readCall(calls, credentials, call, (answer) => rowsOf(answer, normaliseList));
    if (!lists.ok) return lists;
    for (const list of lists.value) {
      const legs = orders.filter(
        ({ listId, venueOrderId }) => listId === list.listId && venueOrderId !== list.working,
      );
      // What waits for its order waits for no price yet.
      if (legs.length === 0 || legs.some(({ pending }) => pending)) continue;
      if (list.orderIds.length > 1) states.push(stateOfList(list, legs));
      else states.push(...legs.map(stateOfOrder));
    }
  }
  return ok(states.filter(({ status }) => !isFinalAlgo(status)));
}
