import type { BalanceRow } from '@crossbook/contract';
import { expect, test } from 'vitest';
import { decimalsShown, walletValue } from './wallet-value.ts';

function row(total: string, available: string, locked: string): BalanceRow {
  return { asset: 'BTC', total, available, locked };
}

test('the longest figure of all rows says how many decimals all are shown with, two at least', () => {
  const cases = [
    { rows: [], decimals: 2 },
    { rows: [row('40000', '40000', '0')], decimals: 2 },
    { rows: [row('40000', '40000', '0'), row('1.5', '1.4375', '0.0625')], decimals: 4 },
    { rows: [row('0.00000001', '0.00000001', '0')], decimals: 8 },
  ];
  for (const { rows, decimals } of cases) expect(decimalsShown(rows)).toBe(decimals);
});

test('an amount keeps every digit, and only the zeros behind it are padding', () => {
  const cases = [
    ['40000', 8, '40,000.00', '000000'],
    ['5692.78610830', 8, '5,692.7861083', '0'],
    ['0.02549947', 8, '0.02549947', ''],
    ['0', 2, '0.00', ''],
    ['-1.5', 4, '-1.50', '00'],
    ['not known', 4, 'not known', ''],
  ] as const;
  for (const [text, decimals, value, padding] of cases) {
    expect(walletValue(text, decimals)).toEqual({ value, padding });
  }
});
