import { platformFacts } from '@crossbook/domain';
import { type AlgoEntry, type AlgoFacts, algoRequestOf } from '../../../calculators/algos/algo-entry.ts';
import { placeAlgo } from '../../../stores/algos/algo-calls.ts';
import { clearAlgoEntries } from '../../../stores/algos/algo-ticket.ts';
import { newClientId } from '../../../stores/app/clock.ts';
import type { TicketSending } from '../../../stores/trading/ticket/ticket.ts';

/** What of a ticket's store sending needs. */
export interface SendingTicket {
  readonly sending: TicketSending;
  readonly setSending: (sending: TicketSending) => void;
  readonly setTried: (tried: boolean) => void;
}

/**
 * Sends an order that waits. Its id is made here, at the click, and is its idempotency key; further clicks are ignored
 * until there is an answer. Without one the list is read again and says what stands.
 * @returns whether it was accepted.
 */
export async function sendAlgo(
  read: () => SendingTicket,
  entry: AlgoEntry,
  facts: AlgoFacts,
): Promise<boolean> {
  const { phase } = read().sending;
  if (phase === 'sending') return false;
  const clientId = newClientId();
  read().setSending({ phase: 'sending', clientId });
  const { platform } = facts.instrument;
  const { platformType } = platformFacts(platform);
  const answer = await placeAlgo(platform, { platformType, ...algoRequestOf(entry, facts) }, clientId);
  const { setSending, setTried } = read();
  if (answer.ok) {
    setSending({ phase: 'idle' });
    setTried(false);
    clearAlgoEntries();
  } else if (answer.kind === 'refused')
    setSending({ phase: 'refused', message: answer.message, venue: answer.venue });
  else setSending({ phase: 'idle' });
  return answer.ok;
}
