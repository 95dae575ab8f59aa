import type { StepScale } from '@crossbook/domain';

/** Puts commas between thousands of a plain digit text, before a point if there is one. */
export function groupThousands(text: string): string {
  const dot = text.indexOf('.');
  const whole = dot < 0 ? text : text.slice(0, dot);
  if (whole.length <= 3) return text;
  const grouped = whole.replace(/\B(?=(?:\d{3})+(?!\d))/g, ',');
  return dot < 0 ? grouped : grouped + text.slice(dot);
}

/**
 * Writes a whole number of steps without bigint, because books write hundreds of them a second: exact while
 * `steps × unitsPerStep` is a safe integer, which ticks and lots are by definition.
 * @param decimals digits after the point to show, at most those of the scale; the rest is cut.
 */
export function stepsText(steps: number, scale: StepScale, decimals: number = scale.decimals): string {
  const units = steps * scale.unitsPerStep;
  const digits = units.toString().padStart(scale.decimals + 1, '0');
  const at = digits.length - scale.decimals;
  const whole = groupThousands(digits.slice(0, at));
  return decimals === 0 ? whole : `${whole}.${digits.slice(at, at + decimals)}`;
}

/** Digits after the point that rows of a width need: rows of 1.00 show none. */
export function rowDecimals(groupTicks: number, scale: StepScale): number {
  let width = groupTicks * scale.unitsPerStep;
  let decimals = scale.decimals;
  while (decimals > 0 && width % 10 === 0) {
    width /= 10;
    decimals -= 1;
  }
  return decimals;
}

const ABBREVIATIONS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

/**
 * A quantity for a narrow column: K, M, B, T of spec section 9 from `from` on, else at most `digits` significant digits.
 * For reading only.
 */
export function compactNumber(value: number, digits = 6, from = 1e6): string {
  if (value >= from) {
    for (const [unit, letter] of ABBREVIATIONS) {
      if (value >= unit) return (value / unit).toFixed(2) + letter;
    }
  }
  const whole = Math.max(1, Math.floor(value).toString().length);
  return groupThousands(value.toFixed(Math.max(0, Math.min(digits - whole, 8))));
}
