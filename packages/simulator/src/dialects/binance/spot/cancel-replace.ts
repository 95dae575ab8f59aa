import { ok, refused } from '@crossbook/domain';
import type { MarketFacts, NewSimOrder, SimRefusal } from '../../../exchange.ts';
import {
  type Answer,
  accountOf,
  type Caller,
  type Desk,
  type Endpoint,
  endpoint,
  ORDER,
  type Prepared,
} from '../endpoint.ts';
import { cancelReplaceFailure, ERRORS, errorBody, invalidData, mandatory, refusalError } from '../errors.ts';
import { type OrderChoice, readOrderChoice } from '../order-choice.ts';
import type { ParamReader } from '../params.ts';
import { ORDER_PARAMS, type OrderDraft, readOrderDraft, toSimOrder } from './order-draft.ts';
import { placedOrder } from './order-shapes.ts';
import { type CancelRestriction, cancelOne } from './orders.ts';

/** The order's own faults, judged before anything is cancelled; balance and ids are judged after. */
const FILTERS: readonly SimRefusal[] = [
  'MARKET_CLOSED',
  'PRICE_FILTER',
  'LOT_SIZE',
  'MARKET_LOT_SIZE',
  'NOTIONAL',
  'PERCENT_PRICE_BY_SIDE',
];

interface Replacement {
  readonly draft: OrderDraft;
  readonly stopOnFailure: boolean;
  readonly choice: OrderChoice;
  readonly restriction: CancelRestriction;
  readonly cancelClientId: string;
}

function readReplacement(reader: ParamReader, desk: Desk): Replacement {
  const draft = readOrderDraft(reader, desk);
  reader.requiredText('cancelReplaceMode');
  const mode = reader.choice(
    'cancelReplaceMode',
    ['STOP_ON_FAILURE', 'ALLOW_FAILURE'],
    invalidData('cancelReplaceMode'),
  );
  const choice = readOrderChoice(reader, {
    orderId: 'cancelOrderId',
    clientId: 'cancelOrigClientOrderId',
  });
  const cancelClientId = reader.clientId('cancelNewClientOrderId') ?? desk.randomText(22);
  const restriction = reader.choice(
    'cancelRestrictions',
    ['ONLY_NEW', 'ONLY_PARTIALLY_FILLED'],
    ERRORS.badCancelRestrictions,
  );
  reader.choice('orderRateLimitExceededMode', ['DO_NOTHING', 'CANCEL_ONLY']);
  if (draft.market === undefined) reader.refuse(mandatory('symbol'));
  return { draft, stopOnFailure: mode !== 'ALLOW_FAILURE', choice, restriction, cancelClientId };
}

async function replace(
  desk: Desk,
  caller: Caller,
  replacement: Replacement,
  order: { readonly market: MarketFacts; readonly next: NewSimOrder },
): Promise<Answer> {
  const cancelled = await cancelOne(desk, caller, order.market.symbol, replacement);
  const cancelResult = cancelled.ok ? 'SUCCESS' : 'FAILURE';
  const cancelResponse = cancelled.ok ? cancelled.value : errorBody(cancelled.code);
  if (!cancelled.ok && replacement.stopOnFailure) {
    const data = { cancelResult, newOrderResult: 'NOT_ATTEMPTED', cancelResponse, newOrderResponse: null };
    return refused(cancelReplaceFailure(true, data));
  }
  const placed = await desk.exchange.place(order.next);
  const newOrderResult = placed.ok ? 'SUCCESS' : 'FAILURE';
  const newOrderResponse = placed.ok
    ? placedOrder(desk, placed.value, replacement.draft.responseType)
    : errorBody(refusalError(placed.code));
  const data = { cancelResult, newOrderResult, cancelResponse, newOrderResponse };
  if (cancelled.ok && placed.ok) return ok(data);
  return refused(cancelReplaceFailure(!cancelled.ok && !placed.ok, data));
}

function cancelReplace(reader: ParamReader, desk: Desk): Prepared {
  const replacement = readReplacement(reader, desk);
  return {
    weight: 1,
    run: async (caller) => {
      const { market } = replacement.draft;
      if (market === undefined) return refused(ERRORS.badSymbol);
      const next = toSimOrder(replacement.draft, market, accountOf(caller));
      if (!next.ok) return next;
      const checked = desk.exchange.check(next.value);
      if (!checked.ok && FILTERS.includes(checked.code)) return refused(refusalError(checked.code));
      return await replace(desk, caller, replacement, { market, next: next.value });
    },
  };
}

/** Cancels an order and places another (half a success is HTTP 409). */
export const CANCEL_REPLACE_ENDPOINT: Endpoint = endpoint(
  ORDER,
  'order.cancelReplace POST /api/v3/order/cancelReplace',
  `${ORDER_PARAMS} cancelReplaceMode cancelOrderId cancelOrigClientOrderId cancelNewClientOrderId cancelRestrictions orderRateLimitExceededMode`,
  cancelReplace,
);
