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
  const bare = password.toLowerCase().replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return bare.replace(/[0134578@$!]/g, (mark) => LEET[mark] ?? mark);
}

/** Makes the question. @param list common passwords as people type them; folded when the first one is asked about. */
export function commonPasswords(list: readonly string[]): IsCommonPassword {
  let common: ReadonlySet<string> | undefined;
  return (password, own) => {
    // Digits alone fold to nothing, and nothing is on every list.
    common ??= new Set(['', ...list.map(foldedPassword)]);
    const folded = foldedPassword(password);
    const words = own.map(foldedPassword).filter((word) => word.length >= OWN_LENGTH_MIN);
    return common.has(folded) || words.includes(folded);
  };
}
