import { type Platform, platformFacts } from '@crossbook/domain';
import { notify } from '../app/notices.ts';
import { call } from '../member/own-service.ts';
import { applyOrder, ordersStore } from './orders.ts';

/** Pause between two lookups for an order whose answer was lost. */
const LOOK_EVERY_MILLIS = 3_000;
/** Looks that found nothing before the order counts as not arrived. */
const LOOKUPS_WITHOUT_TRACE_MAX = 4;
/** Looks in all; an unreachable hub ends them, and the notice stays. */
const LOOKUPS_MAX = 40;
/** Newest orders read per look. */
const LOOKUP_ORDERS_MAX = 50;

type LookupOutcome = 'found' | 'absent' | 'unreachable';

async function lookUp(platform: Platform, clientId: string): Promise<LookupOutcome> {
  if (ordersStore.getState().open.has(clientId)) return 'found';
  const { platformType } = platformFacts(platform);
  const answer = await call(
    'connextrade/OrderHistory',
    { platformType, limit: LOOKUP_ORDERS_MAX },
    { quiet: true },
  );
  if (!answer.ok) return 'unreachable';
  const row = answer.data.rows.find((candidate) => candidate.orderId === clientId);
  if (row === undefined) return 'absent';
  applyOrder(row);
  return 'found';
}

/**
 * Looks for an order whose answer was lost, by its id, until it is known what became of it.
 * @param wanted false once nobody waits for the answer any more.
 * @returns `absent` only from a hub that answered several times that it has no such order.
 */
export async function lookUpUntilKnown(
  platform: Platform,
  clientId: string,
  wanted: () => boolean,
): Promise<'found' | 'absent' | 'given-up'> {
  let absent = 0;
  for (let lookups = 0; lookups < LOOKUPS_MAX && wanted(); lookups += 1) {
    const found = await lookUp(platform, clientId);
    if (found === 'found') {
      const row = ordersStore.getState().open.get(clientId);
      // What said that nobody knows is over; an end is said by its own notice.
      if (row !== undefined) {
        const values = { symbol: row.symbol };
        notify('success', { id: 'order.placed', values }, clientId, { event: 'own' });
      }
      return 'found';
    }
    // Only a hub that answers can say that it has no such order; a late request would still be on its way at first.
    absent = found === 'absent' ? absent + 1 : 0;
    if (absent >= LOOKUPS_WITHOUT_TRACE_MAX) return 'absent';
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MILLIS));
  }
  return 'given-up';
}
