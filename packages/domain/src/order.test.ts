import { expect, test } from 'vitest';
import { isFinal, ORDER_STATUS, ORDER_TYPE } from './order.ts';

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

test('order types have the codes of the specification', () => {
  expect(ORDER_TYPE).toEqual({ UNKNOWN: 0, LIMIT: 1, MARKET: 2 });
});
