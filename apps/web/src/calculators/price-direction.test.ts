import { expect, test } from 'vitest';
import { priceDirection } from './price-direction.ts';

test.each([
  ['none', undefined, 10, 'none'],
  ['none', 10, 10, 'none'],
  ['none', 10, 11, 'up'],
  ['up', 11, 11, 'up'],
  ['up', 11, 10, 'down'],
  ['down', 10, 10, 'down'],
  ['down', 10, 12, 'up'],
] as const)('after %s, %s then %s is %s', (previous, before, now, direction) => {
  expect(priceDirection(previous, before, now)).toBe(direction);
});
