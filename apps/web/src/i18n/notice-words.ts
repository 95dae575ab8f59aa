import type { RefusalCause } from '@crossbook/domain';
import { i18n, type Messages } from '@lingui/core';
import { groupDigits } from './format.ts';
import { type MessageId, type MessageValues, text } from './i18n.ts';
import en from './notices/en.json';

/** Why an exchange refused, as rows and answers tell it. */
type VenueRefusal =
  | { readonly cause: RefusalCause | null; readonly venueCode: string | null }
  | null
  | undefined;

// Read with the first notice, or with the trade pages; other languages bring theirs along (i18n.ts).
i18n.load('en', en as Messages);

/** Amounts come as plain decimals; people read them grouped. */
function shownValues(values: MessageValues = {}): MessageValues {
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' && /^[0-9]+(?:\.[0-9]+)?$/.test(value) ? groupDigits(value) : value,
  ]);
  return Object.fromEntries(shown) as MessageValues;
}

/** What a notice says, in the language of now: a text of the server as it came, or one of the catalogue. */
export function noticeWords(
  message: { readonly text: string } | { readonly id: string; readonly values?: MessageValues },
  venue?: VenueRefusal,
): string {
  if ('text' in message) return message.text;
  const reason = venue ? { reason: refusalWords(venue) } : {};
  return text(message.id as MessageId, shownValues({ ...message.values, ...reason }));
}

/** Why an exchange refused or ended something, in our words; else its bare code. */
function refusalWords({ cause, venueCode }: NonNullable<VenueRefusal>): string {
  return cause === null ? (venueCode ?? '') : text(`refusal.${cause}`);
}

/** Why a row ended as it did; `undefined` where there is nothing to say. */
export function endWords({
  refusal,
  reason,
}: {
  readonly refusal: VenueRefusal;
  readonly reason: string | null;
}): string | undefined {
  return refusal == null ? (reason ?? undefined) : refusalWords(refusal);
}

/** What the exchange's own code stands under. */
export function detailsWord(): string {
  return text('refusal.details');
}

/** What unfolds below it: the exchange's code, where there is one. */
export function detailsOf(venue: VenueRefusal): { readonly more?: readonly [name: string, what: string] } {
  return venue?.cause && venue.venueCode ? { more: [detailsWord(), venue.venueCode] } : {};
}
