import { type Millis, ok, refused } from '@crossbook/domain';
import type { SimOrderList } from '../../../order-list-port.ts';
import {
  accountOf,
  CANCEL,
  type Desk,
  type Endpoint,
  endpoint,
  ORDER,
  type Prepared,
  SIGNED,
} from '../endpoint.ts';
import { ERRORS, mandatoryEither, refusalError } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { LIST_PARAMS, readListDraft, toSimList } from './order-list-draft.ts';
import { listBody } from './order-list-shapes.ts';
import { LIMIT_DEFAULT, LIMIT_MAX, readSpan } from './order-queries.ts';
import { placedOrder } from './order-shapes.ts';
import { cancelOne } from './orders.ts';

const ORDERS_OF = { oco: 2, limitStop: 2, oto: 2, otoco: 3 } as const;

/** Places a list of a kind. */
function place(kind: keyof typeof LIST_PARAMS): (reader: ParamReader, desk: Desk) => Prepared {
  return (reader, desk) => {
    const draft = readListDraft(reader, desk, kind);
    return {
      weight: 1,
      orders: ORDERS_OF[kind],
      run: async (caller) => {
        if (draft.market === undefined) return refused(ERRORS.badSymbol);
        const list = toSimList(draft, draft.market, accountOf(caller));
        if (!list.ok) return list;
        const placed = await desk.exchange.placeList(list.value);
        if (!placed.ok) return refused(refusalError(placed.code));
        const orders = placed.value.map(({ order }) => order);
        return ok({
          ...listBody(orders, 'STARTED', desk.exchange.now()),
          orderReports: placed.value.map((report) => placedOrder(desk, report, draft.responseType)),
        });
      },
    };
  };
}

interface ListChoice {
  readonly listId: number | undefined;
  readonly clientId: string | undefined;
}

function readListChoice(reader: ParamReader, clientIdName: string): ListChoice {
  const listId = reader.integer('orderListId');
  const clientId = reader.text(clientIdName);
  if (listId === undefined && clientId === undefined) {
    reader.refuse(mandatoryEither(clientIdName, 'orderListId'));
  }
  return { listId, clientId };
}

function cancel(reader: ParamReader, desk: Desk): Prepared {
  const market = reader.market(desk.exchange.markets);
  const { listId, clientId } = readListChoice(reader, 'listClientOrderId');
  const cancelClientId = reader.clientId('newClientOrderId') ?? desk.randomText(22);
  return {
    weight: 1,
    run: async (caller) => {
      const ref = listId === undefined ? { clientId: clientId ?? '' } : { listId };
      const list = desk.exchange.orderList(accountOf(caller), ref);
      const [first] = list?.orders.filter(({ status }) => OPEN.has(status)) ?? [];
      const agrees =
        list?.symbol === market?.symbol && (clientId === undefined || list?.clientId === clientId);
      if (first === undefined || !agrees) return refused(ERRORS.unknownOrder);
      const choice = { orderId: first.orderId, clientId: undefined };
      return await cancelOne(desk, caller, first.symbol, { choice, restriction: undefined, cancelClientId });
    },
  };
}

const OPEN: ReadonlySet<string> = new Set(['NEW', 'PARTIALLY_FILLED', 'PENDING_NEW']);

function shown({ orders, open, since }: SimOrderList): object {
  return listBody(orders, open ? 'STARTED' : 'DONE', since);
}

function status(reader: ParamReader, desk: Desk): Prepared {
  const { listId, clientId } = readListChoice(reader, 'origClientOrderId');
  return {
    weight: 4,
    run: (caller) => {
      const ref = clientId === undefined ? { listId: listId ?? -1 } : { clientId };
      const list = desk.exchange.orderList(accountOf(caller), ref);
      return list === undefined ? refused(ERRORS.noSuchOrder) : ok(shown(list));
    },
  };
}

function all(reader: ParamReader, desk: Desk): Prepared {
  const fromId = reader.integer('fromId');
  const { startTime, endTime } = readSpan(reader);
  if (fromId !== undefined && (startTime !== undefined || endTime !== undefined)) {
    reader.refuse(ERRORS.badCombination);
  }
  const limit = reader.limit(LIMIT_DEFAULT, LIMIT_MAX);
  return {
    weight: 20,
    run: (caller) => {
      const fits = ({ listId, since }: { listId: number; since: Millis }) =>
        listId >= (fromId ?? 0) && since >= (startTime ?? 0) && since <= (endTime ?? since);
      const lists = desk.exchange.orderLists(accountOf(caller)).filter(fits);
      const fromStart = fromId !== undefined || startTime !== undefined;
      return ok((fromStart ? lists.slice(0, limit) : lists.slice(-limit)).map(shown));
    },
  };
}

function open(_reader: ParamReader, desk: Desk): Prepared {
  return {
    weight: 6,
    run: (caller) =>
      ok(desk.exchange.orderLists(accountOf(caller)).flatMap((list) => (list.open ? [shown(list)] : []))),
  };
}

/** Lists of orders: placing, cancelling, reading. */
export const ORDER_LIST_ENDPOINTS: readonly Endpoint[] = [
  endpoint(ORDER, 'orderList.place.oco POST /api/v3/orderList/oco', LIST_PARAMS.oco, place('oco')),
  endpoint(ORDER, 'orderList.place POST /api/v3/order/oco', LIST_PARAMS.limitStop, place('limitStop')),
  endpoint(ORDER, 'orderList.place.oto POST /api/v3/orderList/oto', LIST_PARAMS.oto, place('oto')),
  endpoint(ORDER, 'orderList.place.otoco POST /api/v3/orderList/otoco', LIST_PARAMS.otoco, place('otoco')),
  endpoint(
    CANCEL,
    'orderList.cancel DELETE /api/v3/orderList',
    'symbol orderListId listClientOrderId newClientOrderId',
    cancel,
  ),
  endpoint(SIGNED, 'orderList.status GET /api/v3/orderList', 'orderListId origClientOrderId', status),
  endpoint(SIGNED, 'allOrderLists GET /api/v3/allOrderList', 'fromId startTime endTime limit', all),
  endpoint(SIGNED, 'openOrderLists.status GET /api/v3/openOrderList', '', open),
];
