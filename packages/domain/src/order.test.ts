import { expect, test } from 'vitest';
import { isFinal, isResting, ORDER_STATUS, ORDER_TYPE } from './order.ts';

test.each([
  ['UNKNOWN', 0, false, false],
  ['NEW', 1, false, false],
  ['OPEN', 2, false, true],
  ['CANCELLED', 3, true, false],
  ['FILLED', 4, true, false],
  ['PARTIALLY_FILLED', 5, false, true],
  ['REJECT', 6, true, false],
  ['FAIL', 7, true, false],
] as const)('%s is code %i and final: %s', (name, code, final, resting) => {
  expect(ORDER_STATUS[name]).toBe(code);
  expect([isFinal(code), isResting(code)]).toEqual([final, resting]);
});

test('order types have the codes of the specification', () => {
  expect(ORDER_TYPE).toEqual({ UNKNOWN: 0, LIMIT: 1, MARKET: 2 });
});
