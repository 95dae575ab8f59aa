import type { Brand } from './brand.ts';

/**
 * Money: an integer count of 1e-18 of an asset (decision 0030.2).
 * `numeric(38,18)` in SQL, a plain decimal string on the wire, never a `number`.
 */
export type Amount = Brand<bigint, 'Amount'>;

/** Decimal places kept by every `Amount`. */
export const AMOUNT_SCALE = 18;

/** One whole unit of an asset. */
export const AMOUNT_ONE = 10n ** 18n;

/** The largest magnitude `numeric(38,18)` holds: 20 digits before the point. */
export const AMOUNT_MAX = (10n ** 38n - 1n) as Amount;

/** Nothing of an asset. */
export const ZERO = 0n as Amount;

// Digits only: no sign, exponent, leading dot, white space or unicode digits (invariant I15); 20 before the point fit
// AMOUNT_MAX.
const UNSIGNED_DECIMAL = /^(0|[1-9][0-9]{0,19})(?:\.([0-9]{1,40}))?$/;

/**
 * Parses an unsigned decimal string such as `"0.00012"`.
 * @param decimalsMax digits allowed after the point, trailing zeros not counted; 0 to 18.
 * @returns the amount, or `undefined` when the text is not exactly such a number.
 */
export function parseAmount(text: string, decimalsMax: number = AMOUNT_SCALE): Amount | undefined {
  const match = UNSIGNED_DECIMAL.exec(text);
  if (match === null) return undefined;
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  if (fraction.length > decimalsMax) return undefined;
  return BigInt(match[1] + fraction.padEnd(AMOUNT_SCALE, '0')) as Amount;
}

/** Parses a figure that a venue or our own database sent; it may carry a minus sign. */
export function parseSignedAmount(text: string): Amount | undefined {
  if (!text.startsWith('-')) return parseAmount(text);
  const magnitude = parseAmount(text.slice(1));
  return magnitude === undefined ? undefined : (-magnitude as Amount);
}

/**
 * Makes an amount from a literal in our own source or configuration.
 * @throws Error when the literal is no decimal number: a mistake of ours, never of a user.
 */
export function amount(literal: string): Amount {
  const value = parseSignedAmount(literal);
  if (value === undefined) throw new Error(`not an amount: ${literal}`);
  return value;
}

/** Writes an amount as the shortest plain decimal string: no exponent, no trailing zeros. */
export function formatAmount(value: Amount): string {
  const negative = value < 0n;
  const digits = magnitude(value)
    .toString()
    .padStart(AMOUNT_SCALE + 1, '0');
  const whole = digits.slice(0, -AMOUNT_SCALE);
  const fraction = digits.slice(-AMOUNT_SCALE).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Writes an amount with exactly `decimals` digits after the point, cut (not rounded) toward zero. */
export function formatAmountFixed(value: Amount, decimals: number): string {
  const negative = value < 0n;
  const step = 10n ** BigInt(AMOUNT_SCALE - decimals);
  const cut = magnitude(value) / step;
  const digits = cut.toString().padStart(decimals + 1, '0');
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals);
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${negative && cut !== 0n ? '-' : ''}${whole}${fraction}`;
}

/** Exact sum. */
export function plus(left: Amount, right: Amount): Amount {
  return (left + right) as Amount;
}

/** Exact difference; may be negative. */
export function minus(left: Amount, right: Amount): Amount {
  return (left - right) as Amount;
}

/** Product of two non-negative amounts (say price and quantity), rounded toward zero. */
export function mulDown(left: Amount, right: Amount): Amount {
  return ((left * right) / AMOUNT_ONE) as Amount;
}

/** Product of two non-negative amounts, rounded up: what a requester pays (invariant I16). */
export function mulUp(left: Amount, right: Amount): Amount {
  return ((left * right + AMOUNT_ONE - 1n) / AMOUNT_ONE) as Amount;
}

/** Quotient of two non-negative amounts, rounded toward zero. `right` must not be zero. */
export function divDown(left: Amount, right: Amount): Amount {
  return ((left * AMOUNT_ONE) / right) as Amount;
}

/** The largest multiple of `step` not above `value`; both non-negative, `step` above zero. */
export function floorTo(value: Amount, step: Amount): Amount {
  return (value - (value % step)) as Amount;
}

/** The smallest multiple of `step` not below `value`; both non-negative, `step` above zero. */
export function ceilTo(value: Amount, step: Amount): Amount {
  const rest = value % step;
  return (rest === 0n ? value : value - rest + step) as Amount;
}

/** The size of an amount, without its sign. */
export function magnitude(value: Amount): Amount {
  return (value < 0n ? -value : value) as Amount;
}

/** The smaller of two amounts. */
export function lesser(left: Amount, right: Amount): Amount {
  return left < right ? left : right;
}

/** Digits after the point that a step such as `0.0100` needs: 2. */
export function decimalsOf(step: Amount): number {
  const text = formatAmount(step);
  const dot = text.indexOf('.');
  return dot < 0 ? 0 : text.length - dot - 1;
}

/** For charts and percentages only, where a float's 15 digits are enough. Never for money. */
export function toNumberForDisplay(value: Amount): number {
  return Number(formatAmount(value));
}
