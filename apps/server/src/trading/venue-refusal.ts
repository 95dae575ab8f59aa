import type { Refusal } from '@crossbook/contract';
import { refusalOfOurs } from '../intents/venue-refusal.ts';

/** How an order that was too old stands in its row. */
const TOO_OLD = /^not sent: ([0-9]{1,15}) ms old, at most ([0-9]{1,9})$/;

/** What is kept with an order that was held and then too old to be sent; both in ms. */
export function reasonOfAge(age: number, most: number): string {
  return `not sent: ${age} ms old, at most ${most}`;
}

/** What a member is told of it: what we refused is never told as a word of the exchange. */
export function refusalOfReason(reason: string | undefined): Refusal {
  const [, given, allowed] = TOO_OLD.exec(reason ?? '') ?? [];
  if (given !== undefined && allowed !== undefined) return { error: 'order-too-old', given, allowed };
  return refusalOfOurs(reason) ?? { error: 'venue-refused', given: reason ?? '' };
}
