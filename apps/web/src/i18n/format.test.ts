import { expect, test } from 'vitest';
import { formatPercent, formatShort, groupDigits } from './format.ts';

test.each([
  ['0', '0'],
  ['999', '999'],
  ['1000', '1,000'],
  ['-1234567.8901', '-1,234,567.8901'],
  ['12345678901234567890.000000000000000001', '12,345,678,901,234,567,890.000000000000000001'],
  ['', ''],
])('the digits of %j are grouped as %j without passing through a float', (text, grouped) => {
  expect(groupDigits(text)).toBe(grouped);
});

test.each([
  [0, '0.00'],
  [999.994, '999.99'],
  [1_000, '1.00K'],
  [1_500_000, '1.50M'],
  [2.5e9, '2.50B'],
  [7e12, '7.00T'],
])('a volume of %d is shown as %s', (value, shown) => {
  expect(formatShort(value)).toBe(shown);
});

test.each([
  [1.254, '+1.25%'],
  [-0.4, '−0.40%'],
  [0, '0.00%'],
  [-0.001, '0.00%'],
])('a change of %d is shown as %s', (percent, shown) => {
  expect(formatPercent(percent)).toBe(shown);
});
