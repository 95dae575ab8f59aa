import { i18n, type Messages } from '@lingui/core';
import { groupDigits } from './format.ts';
import { type MessageId, type MessageValues, text } from './i18n.ts';
import en from './notices/en.json';

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
): string {
  return 'text' in message ? message.text : text(message.id as MessageId, shownValues(message.values));
}
