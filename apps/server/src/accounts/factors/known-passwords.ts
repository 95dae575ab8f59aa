import { createHash } from 'node:crypto';
import { composedPassword } from '@crossbook/domain';

/** Whether a password is among those that everybody tries first, or made of the member's own words. */
export type IsCommonPassword = (password: string, own: readonly string[]) => boolean;

/** Own words shorter than this say nothing: the name of a country's domain is in many passwords. */
const OWN_LENGTH_MIN = 4;

const LEET: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' },
};

/**
 * What is left of a password when what people add to satisfy rules is taken away: case, digits and marks at its ends, and
 * digits for letters. `P4ssw0rd!1` is `password`.
 */
export function foldedPassword(password: string): string {
  const bare = composedPassword(password)
    .toLowerCase()
    .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return bare.replace(/[0134578@$!]/g, (mark) => LEET[mark] ?? mark);
}

/** What a breached password is known by: 48 bits of its SHA-256, in base64. */
const NAME = /[A-Za-z0-9+/]{8}/g;

function nameOf(password: string): string {
  return createHash('sha256').update(composedPassword(password)).digest('base64').slice(0, 8);
}

/**
 * Makes the question.
 * @param list common passwords as people type them; folded when the first one is asked about.
 * @param breached names of passwords that breaches showed, which are refused exactly as they are.
 */
export function commonPasswords(list: readonly string[], breached: string): IsCommonPassword {
  let common: ReadonlySet<string> | undefined;
  let names: ReadonlySet<string> | undefined;
  return (password, own) => {
    // Digits alone fold to nothing, and nothing is on every list.
    common ??= new Set(['', ...list.map(foldedPassword)]);
    names ??= new Set(breached.match(NAME));
    if (names.has(nameOf(password))) return true;
    const folded = foldedPassword(password);
    const words = own.map(foldedPassword).filter((word) => word.length >= OWN_LENGTH_MIN);
    return common.has(folded) || words.includes(folded);
  };
}
