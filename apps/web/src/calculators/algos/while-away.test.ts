import type { AlgoRow } from '@crossbook/contract';
import { expect, test } from 'vitest';
import { whileAway } from './while-away.ts';

test.each<[AlgoRow['state'], Partial<AlgoRow>, ReturnType<typeof whileAway>]>([
  ['waiting', {}, 'at-venue'],
  ['waiting', { parentOrderId: 'o' }, 'at-venue'],
  ['placing', { parentOrderId: 'o' }, 'at-hub'],
  // The exchange may have it, or not: nothing more is certain.
  ['placing', {}, undefined],
  ['placing', { parentOrderId: 'o', unknown: true }, undefined],
  ['waiting', { unknown: true }, undefined],
  ['firing', {}, undefined],
  ['fired', { parentOrderId: 'o' }, undefined],
  ['cancelled', {}, undefined],
])('while its exchange is away one that is %s %j is %s', (state, row, stands) => {
  expect(whileAway({ state, unknown: false, parentOrderId: null, ...row })).toBe(stands);
});
