import { type Platform, platformFacts } from '@crossbook/domain';
import type { BracketFields } from '../../../calculators/algos/brackets.ts';
import { orderRequestOf } from '../../../calculators/ticket/ticket.ts';
import { clearAlgoEntries } from '../../../stores/algos/algo-ticket.ts';
import { newClientId } from '../../../stores/app/clock.ts';
import { notify } from '../../../stores/app/notices.ts';
import { placeOrder } from '../../../stores/trading/order-calls.ts';
import { lookUpUntilKnown } from '../../../stores/trading/order-lookup.ts';
import type { TicketStore } from '../../../stores/trading/ticket/ticket.ts';

/** The order is at the hub: its size, and its take-profit and stop-loss, must not be sent twice. */
function forgetSent(store: TicketStore): void {
  const { setSending, setTried } = store.getState();
  setSending({ phase: 'idle' });
  setTried(false);
  clearAlgoEntries();
  store.setState(({ ticket }) => ({
    ticket: { ...ticket, quantity: '', visible: '', quote: '', percent: undefined },
  }));
}

/**
 * Sends what stands in the ticket. The order's id is made here, at the click, and is its idempotency key.
 * No usable answer is not a failure: after ten seconds, or when the answer is lost, the ticket says so, and looks for the order by its
 * id until it knows.
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
    () => store.getState().setSending({ phase: 'unknown', clientId }),
  );
  if (answer.ok) forgetSent(store);
  else if (answer.kind === 'refused')
    store.getState().setSending({ phase: 'refused', message: answer.message, venue: answer.venue });
  else {
    const waits = (): boolean => {
      const { sending } = store.getState();
      return sending.phase === 'unknown' && sending.clientId === clientId;
    };
    const found = await lookUpUntilKnown(platform, clientId, waits);
    if (found === 'given-up') return;
    if (found === 'found') forgetSent(store);
    else {
      store.getState().setSending({ phase: 'idle' });
      notify('info', { id: 'trade.ticket.notArrived' }, clientId);
    }
  }
}
