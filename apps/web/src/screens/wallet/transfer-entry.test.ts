import { amount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { transferProblem } from './transfer-entry.ts';

test.each([
  ['', 'transfer.amountInvalid'],
  ['0', 'transfer.amountInvalid'],
  ['-1', 'transfer.amountInvalid'],
  ['1e3', 'transfer.amountInvalid'],
  ['10.000000000000000001', 'transfer.amountTooMuch'],
  ['10', undefined],
  ['10.', undefined],
  ['0.000000000000000001', undefined],
])('with 10 available, %j is %s', (text, problem) => {
  expect(transferProblem(text, amount('10'))).toBe(problem);
});
