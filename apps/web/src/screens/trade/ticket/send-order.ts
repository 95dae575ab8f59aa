import { type Platform, platformFacts } from '@crossbook/domain';
import type { BracketFields } from '../../../calculators/algos/brackets.ts';
import { orderRequestOf } from '../../../calculators/ticket/ticket.ts';
import { clearAlgoEntries } from '../../../stores/algos/algo-ticket.ts';
import { newClientId } from '../../../stores/app/clock.ts';
import { notify } from '../../../stores/app/notices.ts';
import { lookUpUntilKnown } from '../../../stores/trading/order-lookup.ts';
import { placeOrder } from '../../../stores/trading/orders.ts';
import type { TicketStore } from '../../../stores/trading/ticket/ticket.ts';

/**
 * Sends what stands in the ticket. The order's id is made here, at the click, and is its idempotency key.
 * No usable answer is not a failure: the ticket says so and looks for the order by its id until it knows.
 */
export async function sendTicket(
  store: TicketStore,
  platform: Platform,
  symbol: string,
  bracket: BracketFields = {},
): Promise<void> {
  const { phase } = store.getState().sending;
  if (phase === 'sending' || phase === 'unknown') return;
  const clientId = newClientId();
  store.getState().setSending({ phase: 'sending', clientId });
  const { platformType } = platformFacts(platform);
  const request = orderRequestOf(store.getState().ticket);
  // Type codes 0 ("unknown") exist only in what venues report; a ticket is limit or market.
  const orderType = request.orderType === 2 ? 2 : 1;
  const answer = await placeOrder(
    { ...request, ...bracket, orderType, platformType, tinstType: 1, symbol },
    clientId,
  );
  const { setSending, setTried } = store.getState();
  if (answer.ok) {
    setSending({ phase: 'idle' });
    setTried(false);
    clearAlgoEntries();
    store.setState(({ ticket }) => ({
      ticket: { ...ticket, quantity: '', visible: '', quote: '', percent: undefined },
    }));
  } else if (answer.kind === 'refused') setSending({ phase: 'refused', message: answer.message });
  else {
    setSending({ phase: 'unknown', clientId });
    const waits = (): boolean => {
      const { sending } = store.getState();
      return sending.phase === 'unknown' && sending.clientId === clientId;
    };
    const found = await lookUpUntilKnown(platform, clientId, waits);
    if (found === 'given-up') return;
    store.getState().setSending({ phase: 'idle' });
    if (found === 'absent') notify('info', { id: 'trade.ticket.notArrived' }, clientId);
  }
}
