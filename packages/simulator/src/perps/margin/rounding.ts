import { AMOUNT_ONE, AMOUNT_SCALE, type Amount } from '@crossbook/domain';

/** Signed arithmetic of margin figures at 1e-18; what is finer goes to the nearest, halves to the even neighbour. */

/** `numerator / denominator` as the nearest integer, halves to even. The denominator is not 0. */
export function nearest(numerator: bigint, denominator: bigint): bigint {
  if (denominator < 0n) return nearest(-numerator, -denominator);
  const whole = numerator / denominator;
  const rest = numerator - whole * denominator;
  // Most figures come out even: this is asked many times for every order.
  if (rest === 0n) return whole;
  const twice = 2n * (rest < 0n ? -rest : rest);
  if (twice < denominator || (twice === denominator && whole % 2n === 0n)) return whole;
  return numerator < 0n ? whole - 1n : whole + 1n;
}

/** Product of two signed amounts. */
export function times(left: Amount, right: Amount): Amount {
  return nearest(left * right, AMOUNT_ONE) as Amount;
}

/** Quotient of two signed amounts; `right` is not 0. */
export function over(left: Amount, right: Amount): Amount {
  return nearest(left * AMOUNT_ONE, right) as Amount;
}

/** The last digit that so many decimals have. */
const STEPS = Array.from(
  { length: AMOUNT_SCALE + 1 },
  (_, decimals) => 10n ** BigInt(AMOUNT_SCALE - decimals),
);
const HUNDREDTH = 10n ** 16n;

/** A figure as a venue states it: so many digits after the point, halves to even. */
export function stated(value: Amount, decimals: number): Amount {
  const step = STEPS[decimals] ?? 1n;
  return (step === 1n ? value : nearest(value, step) * step) as Amount;
}

/** The greater of two amounts. */
export function greater(left: Amount, right: Amount): Amount {
  return left > right ? left : right;
}

/** An amount without its sign. */
export function magnitude(value: Amount): Amount {
  return (value < 0n ? -value : value) as Amount;
}

/** Leverage is told in hundredths. */
export function leverageAmount(leverage: number): Amount {
  return (BigInt(Math.round(leverage * 100)) * HUNDREDTH) as Amount;
}

/** `left / right` for ratios and ranks, which are no money. */
export function fraction(left: Amount, right: Amount): number {
  return Number(nearest(left * 10n ** 15n, right)) / 1e15;
}
