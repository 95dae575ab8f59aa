import { amount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import {
  formatDateTime,
  formatExactTime,
  formatPercent,
  formatShort,
  formatShortTime,
  formatToStep,
  groupDigits,
} from './format.ts';

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

test.each([
  ['78421.89000000', '0.01', '78,421.89'],
  ['0.00000559', '0.00000001', '0.00000559'],
  ['149.1', '0.01', '149.10'],
  ['5', '1', '5'],
  ['not a number', '0.01', 'not a number'],
])('%s with a step of %s is shown as %s', (text, step, shown) => {
  expect(formatToStep(text, amount(step))).toBe(shown);
});

const MORNING = new Date(2026, 0, 5, 3, 4, 5).getTime();

test.each([
  ['en', '2026-01-05, 03:04:05'],
  ['ja', '2026/01/05 03:04:05'],
  ['ko', '2026. 01. 05. 03:04:05'],
])('in %s an hour has two digits', (locale, shown) => {
  expect(formatDateTime(MORNING, locale)).toBe(shown);
});

test('an exact time has milliseconds, and its day where that is another one', () => {
  expect(formatExactTime(MORNING + 7, MORNING + 60_000)).toBe('03:04:05.007');
  expect(formatExactTime(MORNING + 310, MORNING + 86_400_000)).toBe('01-05 03:04:05.310');
});

test('a short time names its year only where it is another one', () => {
  expect(formatShortTime(MORNING, MORNING)).toBe('01-05 03:04:05');
  expect(formatShortTime(MORNING, new Date(2027, 0, 1).getTime())).toBe('2026-01-05 03:04:05');
});
