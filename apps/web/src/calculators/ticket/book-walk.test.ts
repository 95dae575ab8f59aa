import { amount, formatAmount, SIDE } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { walkBook } from './book-walk.ts';

const level = (price: string, size: string) => ({ price: amount(price), size: amount(size) });
const ASKS = [level('100', '1'), level('101', '1'), level('110', '2')];
const BIDS = [level('99', '1'), level('90', '1')];

test.each([
  ['the first level', SIDE.BUY, '0.5', ASKS, ['100', 0, '0.5']],
  ['two levels', SIDE.BUY, '2', ASKS, ['100.5', 50, '2']],
  ['a selling order, down the bids', SIDE.SELL, '2', BIDS, ['94.5', 454.5, '2']],
  ['more than there is', SIDE.BUY, '9', ASKS, ['105.25', 525, '4']],
] as const)('a size is filled by %s', (...[, side, size, levels, walked]) => {
  const { average, slippageBp, covered } = walkBook(side, amount(size), levels) ?? {};
  const [price, bp, filled] = walked;
  expect([average, covered].map((value) => value && formatAmount(value))).toEqual([price, filled]);
  expect(slippageBp).toBeCloseTo(bp, 1);
});

test('an empty book says nothing', () => {
  expect(walkBook(SIDE.BUY, amount('1'), [])).toBeUndefined();
});
