import { expect, test } from 'vitest';
import { distanceOrder, fromMarket } from './from-market.ts';

test.each([
  ['64350', '65000', '−1.00%', 1],
  ['65650', '65000', '+1.00%', 1],
  ['65000', undefined, '–', Number.POSITIVE_INFINITY],
  [null, '65000', '–', Number.POSITIVE_INFINITY],
] as const)('a price of %s is %s away: %s, and stands by %d', (price, last, distance, order) => {
  expect(fromMarket(price, last)).toBe(distance);
  expect(distanceOrder(price, last)).toBeCloseTo(order);
});
