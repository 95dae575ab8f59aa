import type { Millis, VenueAlgoState, VenueClientId, VenueOrderId } from '@crossbook/domain';
import { asArray, asCounter, asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { rowsOf } from '../../../wire/numbers.ts';
import { type AlgoOrder, algoOrder } from './algo-states.ts';

/** A pair of orders of which the first to work cancels the other (OCO), as answers and the stream tell it. */
export interface OrderList {
  readonly listId: number;
  readonly clientId: VenueClientId;
  readonly symbol: string;
  readonly orderIds: readonly VenueOrderId[];
  readonly time: Millis;
}

/** A list of an answer. */
export function normaliseList(answer: unknown): OrderList | undefined {
  const list = asObject(answer);
  if (list === undefined) return undefined;
  const { orderListId, listClientOrderId, symbol, orders, transactionTime } = list;
  const orderIds = rowsOf(orders, (row) => orderIdOf(asObject(row)?.orderId));
  return listOf({ id: orderListId, clientId: listClientOrderId, symbol, time: transactionTime }, orderIds);
}

/** The list of a `listStatus`. */
export function reportedList(event: WireObject): OrderList | undefined {
  const orderIds = rowsOf(event.O, (row) => orderIdOf(asObject(row)?.i));
  return listOf({ id: event.g, clientId: event.C, symbol: event.s, time: event.T }, orderIds);
}

function orderIdOf(value: unknown): VenueOrderId | undefined {
  const id = asCounter(value);
  return id === undefined ? undefined : (String(id) as VenueOrderId);
}

function listOf(
  fields: Readonly<Record<'id' | 'clientId' | 'symbol' | 'time', unknown>>,
  orderIds: readonly VenueOrderId[] | undefined,
): OrderList | undefined {
  const listId = asCounter(fields.id);
  const clientId = asText(fields.clientId);
  const symbol = asText(fields.symbol);
  const time = asCounter(fields.time);
  if (listId === undefined || clientId === undefined || symbol === undefined || time === undefined)
    return undefined;
  if (orderIds === undefined) return undefined;
  return { listId, clientId: clientId as VenueClientId, symbol, orderIds, time: time as Millis };
}

/** The orders that the answer of a placement or a cancel of a list shows. */
export function legsOf(answer: unknown): AlgoOrder[] | undefined {
  const reports = asArray(asObject(answer)?.orderReports);
  return reports && rowsOf(reports, (row) => algoOrder(row) ?? undefined);
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
