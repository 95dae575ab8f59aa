import { expect, test } from 'vitest';
import { fromMarket } from './from-market.ts';

test.each([
  ['64350', '65000', '−1.00%'],
  ['65650', '65000', '+1.00%'],
  ['65000', undefined, '–'],
  [null, '65000', '–'],
] as const)('a price of %s is %s away: %s', (price, last, distance) => {
  expect(fromMarket(price, last)).toBe(distance);
});
