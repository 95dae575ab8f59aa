import { expect, test } from 'vitest';
import { sideKey } from './order-side.ts';

test.each([
  [1, 0, 'buy'],
  [2, 0, 'sell'],
  [1, 1, 'openLong'],
  [2, 2, 'openShort'],
  [2, 1, 'closeLong'],
  [1, 2, 'closeShort'],
] as const)('side %i with effect %i is labelled %s (spec section 4)', (side, effect, key) => {
  expect(sideKey(side, effect)).toBe(key);
});
