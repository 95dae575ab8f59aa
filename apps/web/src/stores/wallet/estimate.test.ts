import { expect, test } from 'vitest';
import { changeStats, usdtText } from './estimate.ts';

test.each([
  ['2100', '0.03', { value: 1, text: '+2,100.00 USDT (+3.00%)' }],
  ['-0.019', '-0.00001', { value: -1, text: '−0.01 USDT (0.00%)' }],
  ['-1234567.899', '-0.5', { value: -1, text: '−1,234,567.89 USDT (−50.00%)' }],
  ['0', '0', { value: 0, text: '0.00 USDT (0.00%)' }],
  ['-0.000000000000000001', '-0.000000000000000001', { value: 0, text: '0.00 USDT (0.00%)' }],
  ['5', null, { value: 1, text: '+5.00 USDT' }],
  [null, null, undefined],
])('a change of %j at a rate of %j', (change, changeRate, shown) => {
  expect(changeStats({ start: '1', netTransfers: '0', change, changeRate })).toEqual(shown);
});

test.each([
  ['70000.129', '70,000.12'],
  ['0', '0.00'],
  ['123456789012345678901234', '123456789012345678901234'],
])('%s USDT is shown as %s', (decimal, shown) => {
  expect(usdtText(decimal)).toBe(shown);
});
