import { type Millis, ok, refused } from '@crossbook/domain';
import type { SimOrderId } from '../../../exchange.ts';
import { accountOf, type Desk, type Endpoint, endpoint, type Prepared, SIGNED } from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { BY_ID, readOrderChoice } from '../order-choice.ts';
import type { ParamReader } from '../params.ts';
import { ownTrade, queriedOrder } from './order-shapes.ts';
import { findOrder } from './orders.ts';

export const LIMIT_DEFAULT = 500;
export const LIMIT_MAX = 1000;
const DAY_MILLIS = 86_400_000;

interface TimeSpan {
  readonly startTime?: Millis;
  readonly endTime?: Millis;
}

/** Start and end; more than 24 hours between them is refused. */
export function readSpan(reader: ParamReader): TimeSpan {
  const startTime = reader.integer('startTime');
  const endTime = reader.integer('endTime');
  if (startTime !== undefined && endTime !== undefined && endTime - startTime > DAY_MILLIS) {
    reader.refuse(ERRORS.dayAtMost);
  }
  return {
    ...(startTime === undefined ? {} : { startTime: startTime as Millis }),
    ...(endTime === undefined ? {} : { endTime: endTime as Millis }),
  };
}

function status(reader: ParamReader, desk: Desk): Prepared {
  const market = reader.market(desk.exchange.markets);
  const choice = readOrderChoice(reader, BY_ID);
  return {
    weight: 4,
    run: (caller) => {
      const order = market && findOrder(desk, caller, market.symbol, choice);
      return order === undefined ? refused(ERRORS.noSuchOrder) : ok(queriedOrder(desk, order));
    },
  };
}

function open(reader: ParamReader, desk: Desk): Prepared {
  const market = reader.optionalMarket(desk.exchange.markets);
  return {
    weight: market === undefined ? 80 : 6,
    run: (caller) => {
      const orders = desk.exchange.openOrders(accountOf(caller), market?.symbol);
      return ok(orders.map((order) => queriedOrder(desk, order)));
    },
  };
}

function all(reader: ParamReader, desk: Desk): Prepared {
  const market = reader.market(desk.exchange.markets);
  const fromId = reader.integer('orderId');
  const span = readSpan(reader);
  const limit = reader.limit(LIMIT_DEFAULT, LIMIT_MAX);
  return {
    weight: 20,
    run: (caller) => {
      if (market === undefined) return refused(ERRORS.badSymbol);
      const page = { ...span, limit, ...(fromId === undefined ? {} : { fromId }) };
      const orders = desk.exchange.orders(accountOf(caller), market.symbol, page);
      return ok(orders.map((order) => queriedOrder(desk, order)));
    },
  };
}

/** Combinations Binance supports: times with nothing else, or order and trade id in any mix. */
function trades(reader: ParamReader, desk: Desk): Prepared {
  const market = reader.market(desk.exchange.markets);
  const orderId = reader.integer('orderId');
  const span = readSpan(reader);
  const fromId = reader.integer('fromId');
  const timed = span.startTime !== undefined || span.endTime !== undefined;
  if (timed && (orderId !== undefined || fromId !== undefined)) reader.refuse(ERRORS.badCombination);
  const limit = reader.limit(LIMIT_DEFAULT, LIMIT_MAX);
  return {
    weight: orderId === undefined ? 20 : 5,
    run: (caller) => {
      if (market === undefined) return refused(ERRORS.badSymbol);
      const fills = desk.exchange.fills(accountOf(caller), market.symbol, {
        ...span,
        limit,
        ...(orderId === undefined ? {} : { orderId: orderId as SimOrderId }),
        ...(fromId === undefined ? {} : { fromId }),
      });
      return ok(fills.map((fill) => ownTrade(desk, fill, market)));
    },
  };
}

const SPAN = 'startTime endTime limit';

/** Reading one's own orders and trades. */
export const ORDER_QUERY_ENDPOINTS: readonly Endpoint[] = [
  endpoint(SIGNED, 'order.status GET /api/v3/order', 'symbol orderId origClientOrderId', status),
  endpoint(SIGNED, 'openOrders.status GET /api/v3/openOrders', 'symbol', open),
  endpoint(SIGNED, 'allOrders GET /api/v3/allOrders', `symbol orderId ${SPAN}`, all),
  endpoint(SIGNED, 'myTrades GET /api/v3/myTrades', `symbol orderId fromId ${SPAN}`, trades),
];
