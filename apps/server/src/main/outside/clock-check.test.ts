import type { Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { clockFaults } from './clock-check.ts';

test.each([
  ['in step', 20, 1_000_010, 0],
  ['a slow answer, which is nobody’s fault', 5_000, 1_002_500, 0],
  ['a second apart', 20, 999_000, 0],
  ['the database behind', 20, 997_900, 1],
  ['the database ahead', 20, 1_003_100, 1],
])('clocks more than a second apart are named: %s', async (_what, way, there, faults) => {
  let now = 1_000_000;
  const database = async (): Promise<Millis> => {
    now += way;
    return there as Millis;
  };
  expect(await clockFaults(() => now as Millis, database)).toHaveLength(faults);
});
