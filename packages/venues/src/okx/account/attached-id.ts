import type { VenueClientId } from '@crossbook/domain';

/**
 * The name of what the venue places with an order of ours: the order's id, with the digit of its UUID's version (1 to 8)
 * written as a letter that is no hex digit. So one cannot be taken for the other, and each tells the other.
 */

const VERSION_AT = 12;
const LETTERS = 'ghijklmn';
const ATTACHED_ID = /^[0-9a-f]{12}[g-n][0-9a-f]{19}$/;

function withVersion(id: string, version: string): string {
  return `${id.slice(0, VERSION_AT)}${version}${id.slice(VERSION_AT + 1)}`;
}

/** What is attached to the order of this id is called so. */
export function attachedId(parent: VenueClientId): string {
  return withVersion(parent, LETTERS[Number(parent[VERSION_AT]) - 1] ?? '');
}

/** The order that something with this name was attached to; `undefined` where it was attached to none of ours. */
export function parentOf(name: string): VenueClientId | undefined {
  if (!ATTACHED_ID.test(name)) return undefined;
  const version = String(LETTERS.indexOf(name[VERSION_AT] ?? '') + 1);
  return withVersion(name, version) as VenueClientId;
}
