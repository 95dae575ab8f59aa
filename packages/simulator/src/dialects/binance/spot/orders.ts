import { amountToSteps, type Lots, ok, refused } from '@crossbook/domain';
import type { MarketFacts, SimOrder } from '../../../exchange.ts';
import {
  type Answer,
  accountOf,
  CANCEL,
  type Caller,
  type Desk,
  type Endpoint,
  endpoint,
  ORDER,
  type Prepared,
  SIGNED,
} from '../endpoint.ts';
import { ERRORS, mandatory, refusalError } from '../errors.ts';
import { BY_ID, type OrderChoice, orderRef, readOrderChoice } from '../order-choice.ts';
import type { ParamReader } from '../params.ts';
import { ORDER_PARAMS, readOrderDraft, toSimOrder } from './order-draft.ts';
import { listBody } from './order-list-shapes.ts';
import { amendedOrder, cancelledOrder, commissionRates, placedOrder } from './order-shapes.ts';

/** The order meant; `undefined` when there is none or the two names disagree. */
export function findOrder(
  desk: Desk,
  caller: Caller,
  symbol: string,
  choice: OrderChoice,
): SimOrder | undefined {
  const order = desk.exchange.order(accountOf(caller), symbol, orderRef(choice));
  if (order === undefined || order.symbol !== symbol) return undefined;
  const agrees = choice.clientId === undefined || order.clientId === choice.clientId;
  return agrees ? order : undefined;
}

/** When a cancel may go through (cancelRestrictions). */
export type CancelRestriction = 'ONLY_NEW' | 'ONLY_PARTIALLY_FILLED' | undefined;

/** Cancels one order; shared by cancel, cancelAll and cancelReplace. */
export async function cancelOne(
  desk: Desk,
  caller: Caller,
  symbol: string,
  cancel: {
    readonly choice: OrderChoice;
    readonly restriction: CancelRestriction;
    readonly cancelClientId: string;
  },
): Promise<Answer> {
  const order = findOrder(desk, caller, symbol, cancel.choice);
  if (order === undefined) return refused(ERRORS.unknownOrder);
  const open = order.status === 'NEW' || order.status === 'PARTIALLY_FILLED';
  const wanted = cancel.restriction === 'ONLY_NEW' ? 'NEW' : 'PARTIALLY_FILLED';
  if (open && cancel.restriction !== undefined && order.status !== wanted) {
    return refused(ERRORS.cancelRestricted);
  }
  const done = await desk.exchange.cancel(
    accountOf(caller),
    symbol,
    { orderId: order.orderId },
    cancel.cancelClientId,
  );
  if (!done.ok) return refused(refusalError(done.code));
  const cancelled = (one: SimOrder) => cancelledOrder(desk, one, cancel.cancelClientId);
  const { list, updatedAt } = done.value.order;
  if (list === undefined) return ok(cancelled(done.value.order));
  // With one of a list all of the list is gone, and the answer shows it.
  const { orders = [] } = desk.exchange.orderList(order.account, list) ?? {};
  return ok({ ...listBody(orders, 'DONE', updatedAt), orderReports: orders.map(cancelled) });
}

function place(reader: ParamReader, desk: Desk): Prepared {
  const draft = readOrderDraft(reader, desk);
  return {
    weight: 1,
    run: async (caller) => {
      if (draft.market === undefined) return refused(ERRORS.badSymbol);
      const order = toSimOrder(draft, draft.market, accountOf(caller));
      if (!order.ok) return order;
      const placed = await desk.exchange.place(order.value);
      if (!placed.ok) return refused(refusalError(placed.code));
      return ok(placedOrder(desk, placed.value, draft.responseType));
    },
  };
}

function test(reader: ParamReader, desk: Desk): Prepared {
  const draft = readOrderDraft(reader, desk);
  const withRates = reader.flag('computeCommissionRates') ?? false;
  return {
    weight: withRates ? 20 : 1,
    run: (caller) => {
      const { market } = draft;
      if (market === undefined) return refused(ERRORS.badSymbol);
      const order = toSimOrder(draft, market, accountOf(caller));
      if (!order.ok) return order;
      const checked = desk.exchange.check(order.value);
      if (!checked.ok) return refused(refusalError(checked.code));
      return ok(withRates ? commissionRates(market) : {});
    },
  };
}

const RESTRICTIONS = ['ONLY_NEW', 'ONLY_PARTIALLY_FILLED'] as const;

function cancel(reader: ParamReader, desk: Desk): Prepared {
  const market = reader.market(desk.exchange.markets);
  const choice = readOrderChoice(reader, BY_ID);
  const cancelClientId = reader.clientId('newClientOrderId') ?? desk.randomText(22);
  const restriction = reader.choice('cancelRestrictions', RESTRICTIONS, ERRORS.badCancelRestrictions);
  return {
    weight: 1,
    run: async (caller) =>
      market === undefined
        ? refused(ERRORS.badSymbol)
        : await cancelOne(desk, caller, market.symbol, { choice, restriction, cancelClientId }),
  };
}

function cancelAll(reader: ParamReader, desk: Desk): Prepared {
  const market = reader.market(desk.exchange.markets);
  return {
    weight: 1,
    run: async (caller) => {
      if (market === undefined) return refused(ERRORS.badSymbol);
      const open = desk.exchange.openOrders(accountOf(caller), market.symbol);
      if (open.length === 0) return refused(ERRORS.unknownOrder);
      const cancelClientId = desk.randomText(22);
      const answers: unknown[] = [];
      for (const order of open) {
        const choice = { orderId: order.orderId, clientId: undefined };
        const restriction = undefined;
        const one = await cancelOne(desk, caller, market.symbol, { choice, restriction, cancelClientId });
        // An order that filled while the others were being cancelled is simply not in the list.
        if (one.ok) answers.push(one.value);
      }
      return ok(answers);
    },
  };
}

function amend(reader: ParamReader, desk: Desk): Prepared {
  const market = reader.market(desk.exchange.markets);
  const choice = readOrderChoice(reader, BY_ID);
  const newClientId = reader.clientId('newClientOrderId') ?? desk.randomText(22);
  const newQty = reader.decimal('newQty');
  if (newQty === undefined) reader.refuse(mandatory('newQty'));
  return {
    weight: 4,
    run: async (caller) => {
      if (market === undefined || newQty === undefined) return refused(ERRORS.badSymbol);
      if (newQty === 0n) return refused(ERRORS.invalidQuantity);
      const lots = amountToSteps(newQty, market.lotSize);
      if (lots === undefined) return refused(refusalError('LOT_SIZE'));
      return await amendTo(desk, caller, market, { choice, newClientId, lots: lots as Lots });
    },
  };
}

async function amendTo(
  desk: Desk,
  caller: Caller,
  market: MarketFacts,
  change: { readonly choice: OrderChoice; readonly newClientId: string; readonly lots: Lots },
): Promise<Answer> {
  const before = findOrder(desk, caller, market.symbol, change.choice);
  if (before === undefined) return refused(ERRORS.unknownOrder);
  if (change.lots === before.quantity) return refused(ERRORS.amendNothing);
  if (change.lots > (before.quantity ?? 0)) return refused(ERRORS.amendIncrease);
  desk.userStreams.expectRename(before);
  try {
    const amended = await desk.exchange.amendKeepPriority(
      accountOf(caller),
      market.symbol,
      { orderId: before.orderId },
      change.lots,
      change.newClientId,
    );
    if (!amended.ok) return refused(refusalError(amended.code));
    return ok(amendedOrder(desk, amended.value.order, before, desk.userStreams.lastExecutionId()));
  } finally {
    desk.userStreams.forgetRename(before.orderId);
  }
}

const CANCEL_PARAMS = 'symbol orderId origClientOrderId newClientOrderId cancelRestrictions';

/** Placing, testing, cancelling and amending. */
export const ORDER_ENDPOINTS: readonly Endpoint[] = [
  endpoint(ORDER, 'order.place POST /api/v3/order', ORDER_PARAMS, place),
  endpoint(SIGNED, 'order.test POST /api/v3/order/test', `${ORDER_PARAMS} computeCommissionRates`, test),
  endpoint(CANCEL, 'order.cancel DELETE /api/v3/order', CANCEL_PARAMS, cancel),
  endpoint(CANCEL, 'openOrders.cancelAll DELETE /api/v3/openOrders', 'symbol', cancelAll),
  endpoint(
    SIGNED,
    'order.amend.keepPriority PUT /api/v3/order/amend/keepPriority',
    'symbol orderId origClientOrderId newClientOrderId newQty',
    amend,
  ),
];
