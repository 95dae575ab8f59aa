import type { Refusal } from '@crossbook/contract';
import type { VenueRefusal } from '@crossbook/venues/trading';

/** How a refusal of our own stands in an order's row; the venue's stand there in its words. */
const OURS = /^budget of the exchange used up, again in ([0-9]{1,9}) s$/;

/** Why an order was refused, as it is kept with the order. */
export function reasonOfRefusal({
  message,
  retryAfterMillis,
}: Pick<VenueRefusal, 'message' | 'retryAfterMillis'>): string {
  if (retryAfterMillis === undefined) return message;
  return `budget of the exchange used up, again in ${Math.max(1, Math.ceil(retryAfterMillis / 1_000))} s`;
}

/** What a member is told of it: what we refused is never told as a word of the exchange. */
export function refusalOfReason(reason: string | undefined): Refusal {
  const seconds = OURS.exec(reason ?? '')?.[1];
  return seconds === undefined
    ? { error: 'venue-refused', given: reason ?? '' }
    : { error: 'venue-budget', allowed: seconds };
}
