import { type Platform, platformFacts } from '@crossbook/domain';
import { orderRequestOf } from '../../../calculators/ticket.ts';
import { newClientId } from '../../../stores/app/clock.ts';
import { notify } from '../../../stores/app/notices.ts';
import { call } from '../../../stores/member/own-service.ts';
import { applyOrder, ordersStore, placeOrder } from '../../../stores/trading/orders.ts';
import type { TicketStore } from '../../../stores/trading/ticket.ts';

/** Pause between two lookups for an order whose answer was lost. */
const LOOK_EVERY_MILLIS = 3_000;
/** Looks that found nothing before the order counts as not arrived. */
const LOOKUPS_WITHOUT_TRACE_MAX = 4;
/** Looks in all; an unreachable hub ends them, and the notice stays. */
const LOOKUPS_MAX = 40;
/** Newest orders read per look. */
const LOOKUP_ORDERS_MAX = 50;

/**
 * Sends what stands in the ticket. The order's id is made here, at the click, and is its idempotency key.
 * No usable answer is not a failure: the ticket says so and looks for the order by its id until it knows.
 */
export async function sendTicket(store: TicketStore, platform: Platform, symbol: string): Promise<void> {
  const { phase } = store.getState().sending;
  if (phase === 'sending' || phase === 'unknown') return;
  const clientId = newClientId();
  store.getState().setSending({ phase: 'sending', clientId });
  const { platformType } = platformFacts(platform);
  const request = orderRequestOf(store.getState().ticket);
  // Type codes 0 ("unknown") exist only in what venues report; a ticket is limit or market.
  const orderType = request.orderType === 2 ? 2 : 1;
  const answer = await placeOrder({ ...request, orderType, platformType, tinstType: 1, symbol }, clientId);
  const { setSending, setTried } = store.getState();
  if (answer.ok) {
    setSending({ phase: 'idle' });
    setTried(false);
    store.setState(({ ticket }) => ({ ticket: { ...ticket, quantity: '', quote: '', percent: undefined } }));
  } else if (answer.kind === 'refused') setSending({ phase: 'refused', message: answer.message });
  else {
    setSending({ phase: 'unknown', clientId });
    await lookUpUntilFound(store, platform, clientId);
  }
}

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

async function lookUpUntilFound(store: TicketStore, platform: Platform, clientId: string): Promise<void> {
  let absent = 0;
  for (let lookups = 0; lookups < LOOKUPS_MAX; lookups += 1) {
    const { sending } = store.getState();
    if (sending.phase !== 'unknown' || sending.clientId !== clientId) return;
    const found = await lookUp(platform, clientId);
    if (found === 'found') {
      store.getState().setSending({ phase: 'idle' });
      return;
    }
    // Only a hub that answers can say that it has no such order; a late request would still be on its way at first.
    absent = found === 'absent' ? absent + 1 : 0;
    if (absent >= LOOKUPS_WITHOUT_TRACE_MAX) {
      store.getState().setSending({ phase: 'idle' });
      notify('info', { id: 'trade.ticket.notArrived' }, clientId);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MILLIS));
  }
}
