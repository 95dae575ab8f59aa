import { type Amount, amount, ZERO } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { gapText } from './gap-text.ts';

test.each([
  ['below the market', amount('98.9'), amount('100'), ' (−1.1%)'],
  ['above it', amount('105'), amount('100'), ' (+5.0%)'],
  ['at it', amount('100'), amount('100'), ' (+0.0%)'],
  ['without a price', undefined, amount('100'), ''],
  ['without a market', amount('100'), undefined, ''],
  ['of a market at nothing', amount('100'), ZERO as Amount, ''],
])('the distance of a price %s', (_, price, market, said) => {
  expect(gapText(price, market)).toBe(said);
});
