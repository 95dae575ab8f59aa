import { type Millis, minus, ORDER_TYPE, ZERO } from '@crossbook/domain';
import { notExpressible, reasonOf } from '../../../trading/call-answers.ts';
import { isAbout } from '../../../trading/order-name.ts';
import type { VenueCredentials } from '../../../venue-answers.ts';
import type { AmendOutcome, OrderAmendment, SendOutcome, VenueOrderRequest } from '../../../venue-orders.ts';
import { asObject, type WireObject } from '../../../wire/guards.ts';
import { type CallAnswer, refusalOf } from '../../account/answers.ts';
import type { Asking } from '../../account/calls.ts';
import { CANCEL_REJECTED, REPLACE_FAILED } from '../../account/errors.ts';
import { asVenueError } from '../../wire.ts';
import { normaliseCancelled, normalisePlaced } from './normalise.ts';
import { exceeds, orderParameters } from './order-parameters.ts';

/**
 * Orders on pairs are not changed: one call cancels an order and places another of its rest (rest-api.md, "Cancel an
 * Existing Order and Send a New Order", 2026-07-21). Filters and counts of the new one are looked at before the old one
 * is cancelled, its balance only after: then the old one is gone and none takes its place.
 */
export async function replaceOrder(
  calls: Asking,
  credentials: VenueCredentials,
  amendment: OrderAmendment,
): Promise<AmendOutcome> {
  const request = requestOf(amendment);
  const parameters = request && orderParameters(request);
  if (request === undefined || parameters === undefined) return notExpressible('nothing would be left of it');
  const { answer, deadlineAt } = await calls.send(credentials, {
    socketMethod: 'order.cancelReplace',
    path: '/api/v3/order/cancelReplace',
    ...{ method: 'POST', weight: 1, places: 1, requestClass: 'order' },
    parameters: {
      ...parameters,
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelOrigClientOrderId: amendment.clientId,
      // What it has executed since it was looked at would be bought twice.
      cancelRestrictions: amendment.executed === ZERO ? 'ONLY_NEW' : 'ONLY_PARTIALLY_FILLED',
    },
  });
  return outcomeOf(answer, { amendment, request, deadlineAt });
}

function requestOf({
  replacementId,
  executed,
  quantity,
  clientId: _,
  ...rest
}: OrderAmendment): VenueOrderRequest | undefined {
  if (executed >= quantity) return undefined;
  const left = minus(quantity, executed);
  return { ...rest, clientId: replacementId, type: ORDER_TYPE.LIMIT, quantity: left };
}

interface Asked {
  readonly amendment: OrderAmendment;
  readonly request: VenueOrderRequest;
  readonly deadlineAt: Millis;
}

function outcomeOf(answer: CallAnswer, asked: Asked): AmendOutcome {
  const unknown = { outcome: 'unknown', why: reasonOf(answer), deadlineAt: asked.deadlineAt } as const;
  if (answer.kind === 'result') return halves(answer.value, asked) ?? unknown;
  if (answer.kind !== 'error' || answer.error.status >= 500) return refusalOf(answer) ?? unknown;
  const { code } = answer.error;
  if (code === REPLACE_FAILED.half) return halves(answer.data, asked) ?? unknown;
  if (code !== REPLACE_FAILED.both) return refusalOf(answer) ?? unknown;
  // Without the cancel nothing was placed: the old order rests as it was, or is not open.
  const both = asObject(answer.data);
  const failure = both?.newOrderResult === 'NOT_ATTEMPTED' ? failureOf(both.cancelResponse) : undefined;
  if (failure?.error.code === CANCEL_REJECTED) return { outcome: 'gone' };
  return (failure && refusalOf(failure)) ?? unknown;
}

/** Both halves, of which the cancel must have been done. */
function halves(answer: unknown, { amendment, request, deadlineAt }: Asked): AmendOutcome | undefined {
  const both = asObject(answer);
  const cancelled = both?.cancelResult === 'SUCCESS' ? normaliseCancelled(both.cancelResponse) : undefined;
  if (both === undefined || cancelled === undefined) return undefined;
  if (!isAbout(cancelled, amendment.instrument, amendment)) return undefined;
  const placed = placedOf(both, request) ?? { outcome: 'unknown', why: 'unreadable new order', deadlineAt };
  return { outcome: 'replaced', cancelled, placed };
}

function placedOf(both: WireObject, request: VenueOrderRequest): SendOutcome | undefined {
  if (both.newOrderResult === 'FAILURE') {
    const failure = failureOf(both.newOrderResponse);
    return failure && refusalOf(failure);
  }
  const placed = both.newOrderResult === 'SUCCESS' ? normalisePlaced(both.newOrderResponse) : undefined;
  if (placed === undefined || !isAbout(placed.state, request.instrument, request)) return undefined;
  return exceeds(placed.state, request) ? undefined : { outcome: 'accepted', ...placed };
}

/** One half's refusal, which comes inside an answer of its own. */
function failureOf(response: unknown) {
  const named = asVenueError(response);
  return named && ({ kind: 'error', error: { ...named, status: 400 } } as const);
}
