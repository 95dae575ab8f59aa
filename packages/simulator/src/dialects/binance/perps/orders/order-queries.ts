import { type Millis, ok, refused } from '@crossbook/domain';
import type { SimOrderId } from '../../../../exchange.ts';
import type { PerpOrder } from '../../../../perp-exchange.ts';
import { accountOf, type Endpoint, type Prepared } from '../../endpoint.ts';
import { ERRORS } from '../../errors.ts';
import { BY_ID, readOrderChoice } from '../../order-choice.ts';
import type { ParamReader } from '../../params.ts';
import { type FuturesDesk, namedContract, pageLimit } from '../desk.ts';
import { FUTURES_ERRORS } from '../errors.ts';
import { BOTH_DOORS, BY_REST, memberEndpoint } from '../member-endpoint.ts';
import { ownTrade, queriedOrder } from './order-shapes.ts';
import { findPerpOrder } from './orders.ts';

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 1000;
const SHORT_LIMIT_DEFAULT = 50;
const SHORT_LIMIT_MAX = 100;
const WEEK_MILLIS = 604_800_000;

/** Start and end of a page; more than seven days between them are refused. */
export function readWeek(reader: ParamReader): { readonly startTime?: Millis; readonly endTime?: Millis } {
  const startTime = reader.integer('startTime');
  const endTime = reader.integer('endTime');
  const long = startTime !== undefined && endTime !== undefined && endTime - startTime > WEEK_MILLIS;
  if (long) reader.refuse(FUTURES_ERRORS.timeSpan);
  return {
    ...(startTime === undefined ? {} : { startTime: startTime as Millis }),
    ...(endTime === undefined ? {} : { endTime: endTime as Millis }),
  };
}

function one(openOnly: boolean) {
  return (reader: ParamReader, desk: FuturesDesk): Prepared => {
    const contract = namedContract(reader, desk);
    const choice = readOrderChoice(reader, BY_ID);
    return {
      weight: 1,
      run: (caller) => {
        const order = contract && findPerpOrder(desk, caller, contract.symbol, choice);
        const found = order !== undefined && (!openOnly || isOpen(order));
        return found ? ok(queriedOrder(desk, order)) : refused(ERRORS.noSuchOrder);
      },
    };
  };
}

function isOpen({ status }: PerpOrder): boolean {
  return status === 'NEW' || status === 'PARTIALLY_FILLED';
}

function open(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = reader.has('symbol') ? namedContract(reader, desk) : undefined;
  return {
    weight: reader.has('symbol') ? 1 : 40,
    run: (caller) =>
      ok(
        desk.perps
          .openPerpOrders(accountOf(caller), contract?.symbol)
          .map((order) => queriedOrder(desk, order)),
      ),
  };
}

function all(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  const fromId = reader.integer('orderId');
  const span = readWeek(reader);
  const limit = pageLimit(reader, LIMIT_DEFAULT, LIMIT_MAX);
  return {
    weight: 5,
    run: (caller) => {
      if (contract === undefined) return refused(ERRORS.badSymbol);
      const page = { ...span, symbol: contract.symbol, limit, ...(fromId === undefined ? {} : { fromId }) };
      return ok(desk.perps.perpOrders(accountOf(caller), page).map((order) => queriedOrder(desk, order)));
    },
  };
}

function trades(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  const orderId = reader.integer('orderId');
  const span = readWeek(reader);
  const fromId = reader.integer('fromId');
  const timed = span.startTime !== undefined || span.endTime !== undefined;
  if (timed && fromId !== undefined) reader.refuse(ERRORS.badCombination);
  const limit = pageLimit(reader, LIMIT_DEFAULT, LIMIT_MAX);
  return {
    weight: 5,
    run: (caller) => {
      if (contract === undefined) return refused(ERRORS.badSymbol);
      const fills = desk.perps.perpFills(accountOf(caller), {
        ...span,
        symbol: contract.symbol,
        limit,
        ...(orderId === undefined ? {} : { orderId: orderId as SimOrderId }),
        ...(fromId === undefined ? {} : { fromId }),
      });
      return ok(fills.map((fill) => ownTrade(desk, fill)));
    },
  };
}

const FORCED: ReadonlySet<string> = new Set(['LIQUIDATION', 'ADL']);

/** Orders by which the venue closed positions: liquidations and deleveraging. */
function forced(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = reader.has('symbol') ? namedContract(reader, desk) : undefined;
  const kind = reader.choice('autoCloseType', ['LIQUIDATION', 'ADL']);
  const span = readWeek(reader);
  const limit = pageLimit(reader, SHORT_LIMIT_DEFAULT, SHORT_LIMIT_MAX);
  return {
    weight: reader.has('symbol') ? 20 : 50,
    run: (caller) => {
      const symbol = contract === undefined ? {} : { symbol: contract.symbol };
      const page = { ...span, ...symbol, limit: Number.MAX_SAFE_INTEGER };
      const orders = desk.perps
        .perpOrders(accountOf(caller), page)
        .filter(({ origin }) => (kind === undefined ? FORCED.has(origin) : origin === kind));
      return ok(orders.slice(-limit).map((order) => queriedOrder(desk, order)));
    },
  };
}

function amendments(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  const orderId = reader.integer('orderId');
  const clientId = reader.text('origClientOrderId');
  const { startTime = 0, endTime = Number.MAX_SAFE_INTEGER } = readWeek(reader);
  const limit = pageLimit(reader, SHORT_LIMIT_DEFAULT, SHORT_LIMIT_MAX);
  return {
    weight: 1,
    run: (caller) =>
      ok(
        desk.notes.amendments
          .of(accountOf(caller))
          .filter(
            (note) =>
              note.symbol === contract?.symbol &&
              (orderId === undefined || note.orderId === orderId) &&
              (clientId === undefined || note.clientOrderId === clientId) &&
              note.time >= startTime &&
              note.time <= endTime,
          )
          .slice(-limit),
      ),
  };
}

/** Reading one's own orders and trades. */
export const ORDER_QUERY_CALLS: readonly Endpoint<FuturesDesk>[] = [
  memberEndpoint(BOTH_DOORS, 'order.status GET /fapi/v1/order', one(false)),
  memberEndpoint(BY_REST, 'openOrder GET /fapi/v1/openOrder', one(true)),
  memberEndpoint(BY_REST, 'openOrders GET /fapi/v1/openOrders', open),
  memberEndpoint(BY_REST, 'allOrders GET /fapi/v1/allOrders', all),
  memberEndpoint(BY_REST, 'userTrades GET /fapi/v1/userTrades', trades),
  memberEndpoint(BY_REST, 'forceOrders GET /fapi/v1/forceOrders', forced),
  memberEndpoint(BY_REST, 'orderAmendment GET /fapi/v1/orderAmendment', amendments),
];
