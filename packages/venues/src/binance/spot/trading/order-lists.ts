import type { Millis, VenueAlgoState, VenueClientId, VenueOrderId } from '@crossbook/domain';
import type { OrderName } from '../../../venue-orders.ts';
import { asArray, asCounter, asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { rowsOf } from '../../../wire/numbers.ts';
import { type AlgoOrder, algoOrder } from './algo-states.ts';

/**
 * A pair of orders of which the first to work cancels the other (OCO), alone or behind a working order (OTOCO); or one order
 * behind another (OTO). As answers and the stream tell it.
 */
export interface OrderList {
  readonly listId: number;
  readonly clientId: VenueClientId;
  readonly symbol: string;
  /** The order that the others wait for, which is named first; absent of a pair alone. */
  readonly working?: VenueOrderId;
  /** The legs. */
  readonly orderIds: readonly VenueOrderId[];
  readonly time: Millis;
}

/** A list of an answer. */
export function normaliseList(answer: unknown): OrderList | undefined {
  const list = asObject(answer);
  if (list === undefined) return undefined;
  const { orderListId, listClientOrderId, symbol, orders, transactionTime, contingencyType: kind } = list;
  const orderIds = rowsOf(orders, (row) => orderIdOf(asObject(row)?.orderId));
  return listOf(
    { id: orderListId, clientId: listClientOrderId, symbol, time: transactionTime, kind },
    orderIds,
  );
}

/** The list of a `listStatus`. */
export function reportedList(event: WireObject): OrderList | undefined {
  const orderIds = rowsOf(event.O, (row) => orderIdOf(asObject(row)?.i));
  return listOf({ id: event.g, clientId: event.C, symbol: event.s, time: event.T, kind: event.c }, orderIds);
}

function orderIdOf(value: unknown): VenueOrderId | undefined {
  const id = asCounter(value);
  return id === undefined ? undefined : (String(id) as VenueOrderId);
}

function listOf(
  fields: Readonly<Record<'id' | 'clientId' | 'symbol' | 'time' | 'kind', unknown>>,
  orderIds: readonly VenueOrderId[] | undefined,
): OrderList | undefined {
  const listId = asCounter(fields.id);
  const clientId = asText(fields.clientId);
  const symbol = asText(fields.symbol);
  const time = asCounter(fields.time);
  if (listId === undefined || clientId === undefined || symbol === undefined || time === undefined)
    return undefined;
  if (orderIds === undefined) return undefined;
  const list = { listId, clientId: clientId as VenueClientId, symbol, time: time as Millis };
  if (fields.kind !== 'OTO') return { ...list, orderIds };
  const [working, ...behind] = orderIds;
  return working && { ...list, working, orderIds: behind };
}

/** The legs that the answer of a placement or a cancel of a list shows. */
export function legsOf(answer: unknown, { working }: OrderList): AlgoOrder[] | undefined {
  const reports = asArray(asObject(answer)?.orderReports);
  const legs = reports?.filter((row) => orderIdOf(asObject(row)?.orderId) !== working);
  return legs && rowsOf(legs, (row) => algoOrder(row) ?? undefined);
}

/** What an answer about a whole list shows of one of its orders: cancelling that one has cancelled them all. */
export function reportOf(answer: unknown, name: OrderName): WireObject | undefined {
  const reports = asArray(asObject(answer)?.orderReports);
  const isIt = (row: WireObject | undefined) =>
    'clientId' in name
      ? (row?.origClientOrderId ?? row?.clientOrderId) === name.clientId
      : orderIdOf(row?.orderId) === name.venueOrderId;
  return asObject(reports?.find((row) => isIt(asObject(row))));
}

/** How far a pair is, told by its orders: fired with the one that works, ended when both have. */
export function stateOfList(list: OrderList, legs: readonly AlgoOrder[]): VenueAlgoState {
  const { clientId, symbol, time } = list;
  const state = { clientId, venueAlgoId: String(list.listId) as VenueOrderId, symbol, time };
  const fired = legs.find(({ status }) => status === 'fired');
  if (fired !== undefined) {
    const { venueOrderId, leg } = fired;
    return { ...state, status: 'fired', child: { venueOrderId, leg }, time: fired.time };
  }
  const is = (wanted: AlgoOrder['status']) => legs.find(({ status }) => status === wanted);
  const ended = is('waiting') ?? is('refused') ?? is('cancelled') ?? is('expired');
  // With one of them unheard of it may be that one which works.
  if (ended === undefined || legs.length < list.orderIds.length) return { ...state, status: 'firing' };
  const { status, reason } = ended;
  return { ...state, status, ...(reason === undefined ? {} : { reason }) };
}
