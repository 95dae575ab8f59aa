import {
  type AlgoLeg,
  AMOUNT_ONE,
  formatAmount,
  isFinalAlgo,
  ok,
  SIDE,
  TIME_IN_FORCE,
  type VenueAlgoState,
} from '@crossbook/domain';
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
import type { CallParameters } from '../../account/sign.ts';
import { type AlgoOrder, algoOrder, stateOfOrder } from './algo-states.ts';
import { legsOf, normaliseList, type OrderList, stateOfList } from './order-lists.ts';
import { TIMES_IN_FORCE } from './order-parameters.ts';
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
  const parameters = listed ? pairParameters(request) : orderParameters(request);
  if (parameters === undefined) return notExpressible('no such algo order on a pair');
  const facts = listed ? LIST_CALLS.place : ORDER_CALLS.place;
  const call = { ...facts, places: listed ? 2 : 1, method: 'POST', requestClass: classOf(request) } as const;
  const read = listed ? pairOf : standsAlone;
  return placeAlgo({ calls, credentials }, request, { ...call, parameters }, read);
}

function standsAlone(answer: unknown): VenueAlgoState | undefined {
  const order = algoOrder(answer);
  return order && order.listId === undefined ? stateOfOrder(order) : undefined;
}

function pairOf(answer: unknown): VenueAlgoState | undefined {
  const list = normaliseList(answer);
  const legs = legsOf(answer);
  return list && legs && stateOfList(list, legs);
}

function sharedParameters({ instrument, side, quantity }: VenueAlgoRequest): CallParameters | undefined {
  if (quantity === undefined) return undefined;
  return {
    symbol: instrument.symbol,
    side: side === SIDE.BUY ? 'BUY' : 'SELL',
    quantity: formatAmount(quantity),
    newOrderRespType: 'RESULT',
  };
}

function orderParameters(request: VenueAlgoRequest): CallParameters | undefined {
  const { plan, clientId } = request;
  const shared = sharedParameters(request);
  if (shared === undefined || plan.kind === 'oco' || plan.kind === 'iceberg') return undefined;
  const own = plan.kind === 'trailing' ? trailingParameters(plan.trailing) : legParameters(request, plan);
  return own && { ...shared, ...own, newClientOrderId: clientId };
}

/** What each purpose is called. */
const PURPOSES = { stop: 'STOP_LOSS', 'take-profit': 'TAKE_PROFIT' } as const;

/** One order that waits; nothing but the last price is followed, and none is post-only. */
function legParameters(
  { timeInForce }: Pick<VenueAlgoRequest, 'timeInForce'>,
  { kind, leg: { trigger, limit } }: { readonly kind: keyof typeof PURPOSES; readonly leg: AlgoLeg },
): CallParameters | undefined {
  if (trigger?.by !== 'last') return undefined;
  const stopPrice = formatAmount(trigger.price);
  if (limit === undefined) return { type: PURPOSES[kind], stopPrice };
  if (timeInForce === TIME_IN_FORCE.POST_ONLY) return undefined;
  const rests = { price: formatAmount(limit), timeInForce: TIMES_IN_FORCE[timeInForce] };
  return { type: `${PURPOSES[kind]}_LIMIT`, stopPrice, ...rests };
}

/** A pair: which of the two lies above the price follows from the side. A target without a trigger rests in the book. */
function pairParameters(request: VenueAlgoRequest): CallParameters | undefined {
  const { plan, clientId, childClientIds, side } = request;
  const shared = sharedParameters(request);
  if (shared === undefined || plan.kind !== 'oco') return undefined;
  const { takeProfit, stopLoss } = plan;
  const { trigger, limit } = takeProfit;
  const rests = trigger === undefined && limit !== undefined;
  const target = rests
    ? { type: 'LIMIT_MAKER', price: formatAmount(limit) }
    : legParameters(request, { kind: 'take-profit', leg: takeProfit });
  const stop = legParameters(request, { kind: 'stop', leg: stopLoss });
  if (target === undefined || stop === undefined) return undefined;
  const [targetId, stopId] = childClientIds;
  const [targetSide, stopSide] = side === SIDE.SELL ? ['above', 'below'] : ['below', 'above'];
  return {
    ...shared,
    listClientOrderId: clientId,
    ...prefixed(targetSide, { ...target, clientOrderId: targetId }),
    ...prefixed(stopSide, { ...stop, clientOrderId: stopId }),
  };
}

/** `above`, `stopPrice` -> `aboveStopPrice`. */
function prefixed(prefix: string, parameters: CallParameters): CallParameters {
  const named = Object.entries(parameters).map(
    ([name, value]) => [`${prefix}${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, value] as const,
  );
  return Object.fromEntries(named);
}

/** Hundredths of a percent, which the venue counts. */
const BIPS = 10_000n;

/**
 * It follows from the next trade, or from an activation towards which the price has to come as towards a target: a
 * STOP_LOSS would wait for the price to go the other way first (trailing-stop-faq.md, 2026-07-21).
 */
function trailingParameters({
  ratio,
  activation,
  by,
}: Extract<VenueAlgoRequest['plan'], { kind: 'trailing' }>['trailing']): CallParameters | undefined {
  if (ratio === undefined || by !== 'last' || (ratio * BIPS) % AMOUNT_ONE !== 0n) return undefined;
  const trailingDelta = Number((ratio * BIPS) / AMOUNT_ONE);
  if (activation === undefined) return { type: 'STOP_LOSS', trailingDelta };
  return { type: 'TAKE_PROFIT', trailingDelta, stopPrice: formatAmount(activation) };
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
  const read = listed ? pairOf : standsAlone;
  return cancelAlgo({ calls, credentials }, call, (answer) => {
    const state = read(answer);
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
  return findAlgo({ calls, credentials }, key, call, standsAlone);
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
  const alone = orders.filter(({ listId }) => listId === undefined);
  const states = alone.map(stateOfOrder);
  if (alone.length < orders.length) {
    const call = { ...LIST_CALLS.open, ...read, parameters: {} };
    const lists = await readCall(calls, credentials, call, (answer) => rowsOf(answer, normaliseList));
    if (!lists.ok) return lists;
    for (const list of lists.value) {
      const legs = orders.filter(({ listId }) => listId === list.listId);
      if (legs.length > 0) states.push(stateOfList(list, legs));
    }
  }
  return ok(states.filter(({ status }) => !isFinalAlgo(status)));
}
