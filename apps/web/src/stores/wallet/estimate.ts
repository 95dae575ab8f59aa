import type { CallResponse } from '@crossbook/contract';
import { formatAmountFixed, parseSignedAmount } from '@crossbook/domain';
import { formatPercent, groupDigits } from '../../i18n/format.ts';

type Day = CallResponse<'x/wallet/Equity'>['day'];

/** A figure in USDT with 2 decimals, cut; as it came where it is longer than any figure of ours. */
export function usdtText(decimal: string): string {
  const value = parseSignedAmount(decimal);
  return value === undefined ? decimal : groupDigits(formatAmountFixed(value, 2));
}

/**
 * Today's change for the eye: `+2,100.00 USDT (+3.00%)`. The percent is left out where the day began with nothing.
 * @returns `undefined` without a snapshot to compare with; `value` has the sign of what is shown, 0 for `0.00`.
 */
export function changeStats(day: Day): { readonly value: number; readonly text: string } | undefined {
  if (day.change === null) return undefined;
  const shown = usdtText(day.change);
  const size = shown.replace('-', '');
  const value = /[1-9]/.test(size) ? (shown.startsWith('-') ? -1 : 1) : 0;
  const sign = value > 0 ? '+' : value < 0 ? '−' : '';
  const percent = day.changeRate === null ? '' : ` (${formatPercent(Number(day.changeRate) * 100)})`;
  return { value, text: `${sign}${size} USDT${percent}` };
}
