import type { BalanceRow } from '@crossbook/contract';
import { decimalsOf, formatAmountFixed, parseSignedAmount, ZERO } from '@crossbook/domain';
import { groupThousands } from './step-text.ts';

const DECIMALS_SHOWN_MIN = 2;

/** A figure in two parts: what it says, and the zeros that only fill its column. */
export interface WalletValue {
  readonly value: string;
  readonly padding: string;
}

/** Digits after the point that every figure of these rows is shown with, so that their points stand under each other. */
export function decimalsShown(rows: readonly BalanceRow[]): number {
  return rows
    .flatMap((row) => [row.total, row.available, row.locked])
    .reduce(
      (most, value) => Math.max(most, decimalsOf(parseSignedAmount(value) ?? ZERO)),
      DECIMALS_SHOWN_MIN,
    );
}

/** Splits an amount shown with `decimals` digits: `40000` with 8 is `40,000.00` and `000000`. A text that is no amount stays whole. */
export function walletValue(text: string, decimals: number): WalletValue {
  const amount = parseSignedAmount(text);
  if (amount === undefined) return { value: text, padding: '' };
  const digits = Math.min(decimals, Math.max(DECIMALS_SHOWN_MIN, decimalsOf(amount)));
  return {
    value: groupThousands(formatAmountFixed(amount, digits)),
    padding: '0'.repeat(decimals - digits),
  };
}
