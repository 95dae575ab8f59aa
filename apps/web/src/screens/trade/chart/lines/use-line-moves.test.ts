import { amount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { priceOnTick } from './use-line-moves.ts';

test.each([
  [78_000.14, '0.1', '78000.1'],
  [78_000.15001, '0.1', '78000.2'],
  [78_003, '10', '78000'],
  [0.000012344, '0.00000001', '0.00001234'],
  [-3, '0.1', '0.1'],
] as const)('a height of the chart (%s) snaps to the tick of %s', (price, tickSize, snapped) => {
  expect(priceOnTick(price, { tickSize: amount(tickSize) })).toBe(snapped);
});
