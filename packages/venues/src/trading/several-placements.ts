import { ORDER_STATUS, type Result, type VenueOrderState, ZERO } from '@crossbook/domain';
import type { VenueReadFailure } from '../venue-answers.ts';
import type { SendOutcome } from '../venue-orders.ts';

/**
 * Orders placed by one call that the venue only acknowledges: one list shows those that rest with nothing executed, which met
 * nothing at once. What it does not show stays a receipt.
 * @param open the open orders of their instrument.
 */
export async function seenResting(
  outcomes: readonly SendOutcome[],
  open: () => Promise<Result<readonly VenueOrderState[], VenueReadFailure>>,
): Promise<readonly SendOutcome[]> {
  const receipts = outcomes.filter((one) => one.outcome === 'accepted' && one.receiptOnly === true);
  // One is looked up as cheaply.
  const listed = receipts.length < 2 ? undefined : await open();
  if (listed?.ok !== true) return outcomes;
  const resting = new Map(
    listed.value
      .filter(({ status, cumulativeQuantity }) => status === ORDER_STATUS.OPEN && cumulativeQuantity === ZERO)
      .map((state) => [state.clientId, state]),
  );
  return outcomes.map((one) => {
    const state = one.outcome === 'accepted' ? resting.get(one.state.clientId) : undefined;
    return one.outcome === 'accepted' && state?.venueOrderId === one.state.venueOrderId
      ? { outcome: 'accepted', state, fills: one.fills }
      : one;
  });
}
