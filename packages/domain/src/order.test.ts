import { expect, test } from 'vitest';
import { isFinal, ORDER_STATUS } from './order.ts';

test.each([
  ['UNKNOWN', 0, false],
  ['NEW', 1, false],
  ['OPEN', 2, false],
  ['CANCELLED', 3, true],
  ['FILLED', 4, true],
  ['PARTIALLY_FILLED', 5, false],
  ['REJECT', 6, true],
  ['FAIL', 7, true],
] as const)('%s is code %i and final: %s', (name, code, final) => {
  expect(ORDER_STATUS[name]).toBe(code);
  expect(isFinal(code)).toBe(final);
});
