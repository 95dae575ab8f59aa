import { ok, refused } from '@crossbook/domain';
import type { ConditionalRef, PerpConditional } from '../../../../perp-conditionals.ts';
import { accountOf, type Caller, type Endpoint, type Prepared } from '../../endpoint.ts';
import { ERRORS } from '../../errors.ts';
import { type OrderChoice, readOrderChoice } from '../../order-choice.ts';
import type { ParamReader } from '../../params.ts';
import { type FuturesDesk, namedContract, pageLimit } from '../desk.ts';
import { BOTH_DOORS, BY_REST, memberEndpoint, ORDERING } from '../member-endpoint.ts';
import { algoRefusal, readAlgoDraft, toConditional } from './algo-draft.ts';
import { placedAlgo, queriedAlgo } from './algo-shapes.ts';
import { readWeek } from './order-queries.ts';
import { ALL_CANCELLED } from './orders.ts';

/** Conditional orders: the algo service, where they have been since 2025-12-09. */

const BY_ALGO_ID = { orderId: 'algoId', clientId: 'clientAlgoId' };
const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 1000;

function refOf({ orderId, clientId = '' }: OrderChoice): ConditionalRef {
  return orderId === undefined ? { clientId } : { algoId: orderId };
}

/** The order meant; `undefined` when there is none or its two names disagree. */
function found(desk: FuturesDesk, caller: Caller, choice: OrderChoice): PerpConditional | undefined {
  const order = desk.perps.conditionals.find(accountOf(caller), refOf(choice));
  return choice.clientId === undefined || order?.clientId === choice.clientId ? order : undefined;
}

function place(reader: ParamReader, desk: FuturesDesk): Prepared {
  const draft = readAlgoDraft(reader, desk);
  return {
    weight: 0,
    run: async (caller) => {
      const asked = toConditional(draft, desk, accountOf(caller));
      if (!asked.ok) return asked;
      const [{ sends }] = asked.value.legs;
      const placed = await desk.perps.conditionals.place(asked.value);
      if (!placed.ok) return refused(algoRefusal(placed.code, sends, desk));
      const [order] = placed.value;
      return order === undefined ? refused(ERRORS.noSuchOrder) : ok(placedAlgo(desk, order));
    },
  };
}

function cancel(reader: ParamReader, desk: FuturesDesk): Prepared {
  const choice = readOrderChoice(reader, BY_ALGO_ID);
  return {
    weight: 1,
    run: async (caller) => {
      const order = found(desk, caller, choice);
      if (order === undefined) return refused(ERRORS.unknownOrder);
      const { algoId, clientId: clientAlgoId } = order;
      const done = await desk.perps.conditionals.cancel(accountOf(caller), { algoId });
      if (!done.ok) return refused(ERRORS.unknownOrder);
      return ok({ algoId, clientAlgoId, code: '200', msg: 'success' });
    },
  };
}

function cancelAll(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  return {
    weight: 1,
    run: async (caller) => {
      if (contract === undefined) return refused(ERRORS.badSymbol);
      await desk.perps.conditionals.cancelAll(accountOf(caller), contract.symbol);
      return ok(ALL_CANCELLED);
    },
  };
}

function one(reader: ParamReader, desk: FuturesDesk): Prepared {
  const choice = readOrderChoice(reader, BY_ALGO_ID);
  return {
    weight: 1,
    run: (caller) => {
      const order = found(desk, caller, choice);
      return order === undefined ? refused(ERRORS.noSuchOrder) : ok(queriedAlgo(desk, order));
    },
  };
}

function open(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = reader.has('symbol') ? namedContract(reader, desk) : undefined;
  const algoId = reader.integer('algoId');
  return {
    weight: reader.has('symbol') ? 1 : 40,
    run: (caller) => {
      const orders = desk.perps.conditionals.open(accountOf(caller), contract?.symbol);
      const meant = orders.filter(
        (order) => order.state === 'WAITING' && order.algoId === (algoId ?? order.algoId),
      );
      return ok(meant.map((order) => queriedAlgo(desk, order)));
    },
  };
}

function all(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  const fromId = reader.integer('algoId');
  const span = readWeek(reader);
  const page = reader.integer('page', { min: 0 });
  const limit = pageLimit(reader, LIMIT_DEFAULT, LIMIT_MAX);
  return {
    weight: 5,
    run: (caller) => {
      if (contract === undefined) return refused(ERRORS.badSymbol);
      const asked = { ...span, symbol: contract.symbol, ...(fromId === undefined ? {} : { fromId }) };
      const most = page === undefined ? limit : Number.MAX_SAFE_INTEGER;
      const orders = desk.perps.conditionals.history(accountOf(caller), { ...asked, limit: most });
      const from = (page ?? 0) * limit;
      return ok(orders.slice(from, from + limit).map((order) => queriedAlgo(desk, order)));
    },
  };
}

/** Placing, cancelling and reading conditional orders. They are not changed: one is cancelled, another placed. */
export const ALGO_CALLS: readonly Endpoint<FuturesDesk>[] = [
  memberEndpoint(ORDERING, 'algoOrder.place POST /fapi/v1/algoOrder', place),
  memberEndpoint(BOTH_DOORS, 'algoOrder.cancel DELETE /fapi/v1/algoOrder', cancel),
  memberEndpoint(BY_REST, 'algoOrder.cancelAll DELETE /fapi/v1/algoOpenOrders', cancelAll),
  memberEndpoint(BY_REST, 'algoOrder.status GET /fapi/v1/algoOrder', one),
  memberEndpoint(BY_REST, 'openAlgoOrders GET /fapi/v1/openAlgoOrders', open),
  memberEndpoint(BY_REST, 'allAlgoOrders GET /fapi/v1/allAlgoOrders', all),
];
