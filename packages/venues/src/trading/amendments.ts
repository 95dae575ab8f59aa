import { isFinal, type Millis, ORDER_STATUS } from '@crossbook/domain';
import type { FindOutcome } from '../venue-answers.ts';
import type { AmendOutcome, OrderAmendment, OrderTerms } from '../venue-orders.ts';

/** What an order says of an amendment that the venue has taken: it has the new terms, has ended, or is not so far yet. */
export function afterAmendment(
  found: FindOutcome<OrderTerms>,
  { price, quantity }: OrderAmendment,
  deadlineAt: Millis,
): AmendOutcome {
  if (found.outcome === 'unknown') return { outcome: 'unknown', why: found.why, deadlineAt };
  if (found.outcome === 'not-found') return { outcome: 'gone' };
  const { state } = found.value;
  // A change may end an order: below what it has executed, or a post-only order that would take.
  if (isFinal(state.status) && state.status !== ORDER_STATUS.FILLED) return { outcome: 'gone' };
  if (found.value.price === price && found.value.quantity === quantity) return { outcome: 'amended', state };
  return isFinal(state.status)
    ? { outcome: 'gone' }
    : { outcome: 'unknown', why: 'amendment acknowledged, not yet seen done', deadlineAt };
}
