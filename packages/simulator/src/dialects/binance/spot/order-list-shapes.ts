import type { Millis } from '@crossbook/domain';
import type { ExchangeListener, SimOrder } from '../../../exchange.ts';

type ListCause = Parameters<NonNullable<ExchangeListener['onOrderList']>>[0]['cause'];

/** `listStatusType` and `listOrderStatus`. */
const STATUSES: Readonly<Record<ListCause, readonly [type: string, order: string]>> = {
  STARTED: ['EXEC_STARTED', 'EXECUTING'],
  UPDATED: ['UPDATED', 'EXECUTING'],
  DONE: ['ALL_DONE', 'ALL_DONE'],
};

/** A list as every answer shows it. @param time of what happened to it. @throws Error when there is no order. */
export function listBody(orders: readonly SimOrder[], cause: ListCause, time: Millis): object {
  const { list, symbol } = listed(orders);
  const [listStatusType, listOrderStatus] = STATUSES[cause];
  return {
    orderListId: list.listId,
    contingencyType: list.contingency,
    listStatusType,
    listOrderStatus,
    listClientOrderId: list.clientId,
    transactionTime: time,
    symbol,
    orders: orders.map((order) => ({ symbol, orderId: order.orderId, clientOrderId: order.clientId })),
  };
}

/** `listStatus` of the user data stream. */
export function listStatus(orders: readonly SimOrder[], cause: ListCause, now: Millis): object {
  const { list, symbol } = listed(orders);
  const [l, L] = STATUSES[cause];
  const { listId: g, contingency, clientId: C } = list;
  const T = orders.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), 0);
  const O = orders.map((order) => ({ s: symbol, i: order.orderId, c: order.clientId }));
  return { e: 'listStatus', E: now, s: symbol, g, c: contingency, l, L, r: 'NONE', C, T, O };
}

function listed([first]: readonly SimOrder[]): {
  readonly list: NonNullable<SimOrder['list']>;
  readonly symbol: string;
} {
  if (first?.list === undefined) throw new Error('invariant broken: a list has orders');
  return { list: first.list, symbol: first.symbol };
}
