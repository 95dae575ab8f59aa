import type { VenueClientId } from '@crossbook/domain';

/**
 * The names of what the venue places with an order of ours: the order's id, with the digit of its UUID's version (1 to 8)
 * written as a letter that is no hex digit. So one cannot be taken for the other, and each tells the other. Of several
 * take-profits the digit of the variant (8, 9, a, b) is such a letter too: both letters together say which of them it is.
 */

const VERSION_AT = 12;
const VARIANT_AT = 16;
const VERSIONS = '12345678';
const VARIANTS = '89ab';
const LETTERS = 'ghijklmnopqrstuvwxyz';
/** So many parts are told by the letter of the variant; the other five by the second half of the letters of the version. */
const PARTS_OF_HALF = LETTERS.length / VARIANTS.length;
const ATTACHED_ID = /^[0-9a-f]{12}[g-v][0-9a-f]{3}[89abg-z][0-9a-f]{15}$/;

/** Take-profits of one order that have names. */
export const PARTS_MAX = 2 * PARTS_OF_HALF;

/** What a name says. */
interface Attachment {
  /** The order that it came with. */
  readonly parent: VenueClientId;
  /** Which of that order's several take-profits it is, from 1; 0: what is for all of it. */
  readonly part: number;
}

function withDigits(id: string, version: string, variant: string): string {
  const between = id.slice(VERSION_AT + 1, VARIANT_AT);
  return `${id.slice(0, VERSION_AT)}${version}${between}${variant}${id.slice(VARIANT_AT + 1)}`;
}

/**
 * What is attached to the order of this id is called so.
 * @param part which of several take-profits, 1 to 10; 0: the one entry for all of the order, or the stop beside several.
 */
export function attachedId(parent: VenueClientId, part = 0): string {
  const [version = '', variant = ''] = [parent[VERSION_AT], parent[VARIANT_AT]];
  const place = VERSIONS.indexOf(version);
  if (part === 0) return withDigits(parent, LETTERS.charAt(place), variant);
  const half = part > PARTS_OF_HALF ? VERSIONS.length : 0;
  const ofHalf = (part - 1) % PARTS_OF_HALF;
  const letter = LETTERS.charAt(VARIANTS.indexOf(variant) + VARIANTS.length * ofHalf);
  return withDigits(parent, LETTERS.charAt(place + half), letter);
}

/** What a name says; `undefined` where it is of nothing that came with an order of ours. */
export function attachmentOf(name: string): Attachment | undefined {
  if (!ATTACHED_ID.test(name)) return undefined;
  const [first = '', second = ''] = [name[VERSION_AT], name[VARIANT_AT]];
  const [version, letter] = [LETTERS.indexOf(first), LETTERS.indexOf(second)];
  const upper = version >= VERSIONS.length;
  // Of what is for all there is one half alone.
  if (letter < 0 && upper) return undefined;
  const digit = VERSIONS.charAt(version % VERSIONS.length);
  const variant = letter < 0 ? second : VARIANTS.charAt(letter % VARIANTS.length);
  const part = letter < 0 ? 0 : 1 + Math.floor(letter / VARIANTS.length) + (upper ? PARTS_OF_HALF : 0);
  return { parent: withDigits(name, digit, variant) as VenueClientId, part };
}
