import { amount, stepScale } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { compactNumber, groupThousands, rowDecimals, stepsText } from './step-text.ts';

const cent = stepScale(amount('0.01'));

test.each([
  [6_500_010, cent, undefined, '65,000.10'],
  [6_500_010, cent, 0, '65,000'],
  [5, cent, undefined, '0.05'],
  [0, cent, undefined, '0.00'],
  [3, stepScale(amount('0.05')), undefined, '0.15'],
  [12, stepScale(amount('10')), undefined, '120'],
  [123_456_789, stepScale(amount('0.00000001')), undefined, '1.23456789'],
])('%i steps of %j with %s decimals are %s', (steps, scale, decimals, text) => {
  expect(stepsText(steps, scale, decimals)).toBe(text);
});

test.each([
  [1, 2],
  [10, 1],
  [50, 1],
  [100, 0],
  [1_000, 0],
])('rows of %i cents show %i decimals', (group, decimals) => {
  expect(rowDecimals(group, cent)).toBe(decimals);
});

test.each([
  ['999', '999'],
  ['1000', '1,000'],
  ['1234567.891', '1,234,567.891'],
])('%s is grouped as %s', (text, grouped) => {
  expect(groupThousands(text)).toBe(grouped);
});

test.each([
  [0.00012, '0.00012'],
  [1.234567, '1.23457'],
  [12_345.678, '12,345.7'],
  [1_234_567, '1.23M'],
  [5_400_000_000, '5.40B'],
  [2_000_000_000_000, '2.00T'],
])('%d fits a narrow column as %s', (value, text) => {
  expect(compactNumber(value)).toBe(text);
});
