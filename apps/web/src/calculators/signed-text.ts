import { AMOUNT_SCALE, type Amount, ceilTo, formatAmountFixed, parseSignedAmount } from '@crossbook/domain';
import { groupThousands } from './step-text.ts';

/** Rounded half to even at `decimals` digits after the point: what is shown again and again leans to no side. */
export function roundHalfEven(value: Amount, decimals: number): Amount {
  const step = 10n ** BigInt(AMOUNT_SCALE - decimals);
  const size = value < 0n ? -value : value;
  const rest = size % step;
  const down = size - rest;
  const up = rest * 2n > step || (rest * 2n === step && (down / step) % 2n === 1n);
  const rounded = up ? down + step : down;
  return (value < 0n ? -rounded : rounded) as Amount;
}

/** A figure that gained or lost: `+12.40`, `−0.05`; what rounds to nothing has no sign. */
export function signedText(value: Amount, decimals: number): string {
  const rounded = roundHalfEven(value, decimals);
  const size = groupThousands(formatAmountFixed((rounded < 0n ? -rounded : rounded) as Amount, decimals));
  return rounded === 0n ? size : `${rounded > 0n ? '+' : '−'}${size}`;
}

/** Digits after the point of a small USDT figure: 2, or what four significant digits take below one. */
export function moneyDecimals(value: Amount): number {
  const size = value < 0n ? -value : value;
  if (size === 0n || size >= 10n ** 18n) return 2;
  const zeros = AMOUNT_SCALE - size.toString().length;
  return Math.min(8, zeros + 4);
}

/** A figure in USDT: 2 decimals, four significant digits below one. */
export function moneyText(value: Amount): string {
  const decimals = moneyDecimals(value);
  const rounded = roundHalfEven(value, decimals);
  const text = groupThousands(formatAmountFixed((rounded < 0n ? -rounded : rounded) as Amount, decimals));
  return rounded < 0n ? `−${text}` : text;
}

/** What will be paid by an estimate, at least 0, in USDT: rounded up, so that it is never more than was said. */
export function paidText(value: Amount, decimals = moneyDecimals(value)): string {
  const step = 10n ** BigInt(AMOUNT_SCALE - decimals);
  return groupThousands(formatAmountFixed(ceilTo(value, step as Amount), decimals));
}

/** What an order costs by an estimate, in USDT: up to the cent. */
export function costText(value: Amount): string {
  return paidText(value, 2);
}

/** What gained or lost, in USDT: with its sign, 2 decimals, four significant digits below one. */
export function signedMoney(value: Amount): string {
  return signedText(value, moneyDecimals(value));
}

/** A decimal string of the service as an amount of USDT for reading; `–` where there is none. */
export function moneyOf(decimal: string | null | undefined): string {
  const value = decimal === null || decimal === undefined ? undefined : parseSignedAmount(decimal);
  return value === undefined ? '–' : moneyText(value);
}

/** A decimal string of the service with its sign; `–` where there is none. */
export function signedMoneyOf(decimal: string | null | undefined): string {
  const value = decimal === null || decimal === undefined ? undefined : parseSignedAmount(decimal);
  return value === undefined ? '–' : signedMoney(value);
}
