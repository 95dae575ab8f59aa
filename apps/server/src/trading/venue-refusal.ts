import type { Refusal } from '@crossbook/contract';
import type { VenueRefusal } from '@crossbook/venues/trading';

/** How refusals of our own stand in an order's row; the venue's stand there in its words. */
const OURS = /^budget of the exchange used up, again in ([0-9]{1,9}) s$/;
const TOO_OLD = /^not sent: ([0-9]{1,15}) ms old, at most ([0-9]{1,9})$/;

/** What is kept with an order that was held and then too old to be sent; both in ms. */
export function reasonOfAge(age: number, most: number): string {
  return `not sent: ${age} ms old, at most ${most}`;
}

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
  const [, given, allowed] = TOO_OLD.exec(reason ?? '') ?? [];
  if (given !== undefined && allowed !== undefined) return { error: 'order-too-old', given, allowed };
  const seconds = OURS.exec(reason ?? '')?.[1];
  return seconds === undefined
    ? { error: 'venue-refused', given: reason ?? '' }
    : { error: 'venue-budget', allowed: seconds };
}
