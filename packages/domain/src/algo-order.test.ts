import { expect, test } from 'vitest';
import { isFinalAlgo, type VenueAlgoStatus } from './algo-order.ts';

test.each<[VenueAlgoStatus, boolean]>([
  ['waiting', false],
  ['firing', false],
  ['fired', true],
  ['refused', true],
  ['cancelled', true],
  ['expired', true],
])('the venue is done with an algo order that is %s: %s', (status, final) =>
  expect(isFinalAlgo(status)).toBe(final),
);
