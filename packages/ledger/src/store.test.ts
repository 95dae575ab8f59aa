import { expect, test } from 'vitest';
import { isUnjudged } from './store.ts';

test.each([
  ['busy', true],
  ['unavailable', true],
  ['outcome-unknown', true],
  ['insufficient-funds', false],
  ['id-reused', false],
  ['write-refused', false],
] as const)('%s: the rules of the ledger never spoke about the unit: %s', (code, unjudged) => {
  expect(isUnjudged(code)).toBe(unjudged);
});
