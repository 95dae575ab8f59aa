import { type Amount, decimalsOf, formatAmountFixed, parseAmount, ZERO } from '@crossbook/domain';

/** Longest text a number field takes. */
export const NUMBER_ENTRY_CHARACTERS_MAX = 40;

const GROUPED = /^[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]*)?$/;
const PLAIN = /^[0-9]*\.?[0-9]*$/;

/**
 * What a number field should hold after typing or pasting: spaces, thousands commas and full-width digits become plain digits.
 * A lone comma that cannot separate thousands is a decimal comma (`0,5`).
 * @returns `undefined` when the text is no number being written; the field then keeps what it had.
 */
export function readNumberEntry(text: string): string | undefined {
  if (text.length > NUMBER_ENTRY_CHARACTERS_MAX * 2) return undefined;
  const dense = text.normalize('NFKC').replace(/[\s_']/g, '');
  if (GROUPED.test(dense)) return tidy(dense.replaceAll(',', ''));
  const plain =
    dense.indexOf(',') === dense.lastIndexOf(',') && !dense.includes('.') ? dense.replace(',', '.') : dense;
  if (!PLAIN.test(plain) || plain.length > NUMBER_ENTRY_CHARACTERS_MAX) return undefined;
  return tidy(plain);
}

function tidy(text: string): string {
  const noZeros = text.replace(/^0+(?=[0-9])/, '');
  return noZeros.startsWith('.') ? `0${noZeros}` : noZeros;
}

/** The amount a field holds; `12.` counts as 12. `undefined` when the field is empty or no number. */
export function entryAmount(text: string): Amount | undefined {
  return parseAmount(text.endsWith('.') ? text.slice(0, -1) : text);
}

/**
 * The field after an arrow key: the next multiple of `step` up or down, never below zero.
 * @param steps how many and which way: 1, -1, 10, -10.
 */
export function stepEntry(text: string, step: Amount, steps: number): string {
  const value = entryAmount(text) ?? ZERO;
  const count = BigInt(Math.abs(steps));
  const rest = value % step;
  // From between two multiples the first step only reaches the nearest multiple in its direction.
  const base = steps > 0 || rest === 0n ? value - rest : value - rest + step;
  const next = steps > 0 ? base + step * count : base - step * count;
  return formatAmountFixed((next < 0n ? ZERO : next) as Amount, decimalsOf(step));
}
