import { amount, formatAmount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { TIERS } from './contract.fixture.ts';
import { positionFixture } from './position.fixture.ts';
import { heldTier, highestLeverage, leverageEffect, leverageMarks } from './setting-effects.ts';

const context = { tiers: TIERS, contractValue: amount('1') };

test.each([
  [TIERS, 125, 150],
  [[], 125, 5],
  [[], 3, 3],
  [[], undefined, 5],
] as const)('the highest leverage is that of the table, else 5', (tiers, stated, highest) => {
  expect(highestLeverage(tiers, stated)).toBe(highest);
});

test('marks are the ends of the steps, and not so close that they touch', () => {
  expect(leverageMarks(TIERS, 150)).toEqual([1, 100, 150]);
  const close = [125, 124, 100, 50].map((maxLeverage, at) => ({ ...TIERS[0], tier: at + 1, maxLeverage }));
  expect(leverageMarks(close as never, 125)).toEqual([1, 50, 100, 125]);
});

test.each([
  [10, '3000', '800000', false],
  [100, '300', '800000', false],
  [150, '200', '300000', false],
] as const)('at %ix half a coin takes %s', (leverage, margin, cap, tooLarge) => {
  const effect = leverageEffect([positionFixture()], leverage, context);
  expect([effect.marginBefore, effect.marginAfter].map(formatAmount)).toEqual(['1500', margin]);
  expect([effect.cap && formatAmount(effect.cap.cap), effect.tooLarge]).toEqual([cap, tooLarge]);
});

test('a position above the cap is too large for that leverage, and lies in its own tier', () => {
  const large = positionFixture({ quantity: '-6' });
  expect(leverageEffect([large], 150, context).tooLarge).toBe(true);
  expect(heldTier(large, context)?.tier).toBe(2);
  expect(heldTier(positionFixture(), context)?.tier).toBe(1);
});
