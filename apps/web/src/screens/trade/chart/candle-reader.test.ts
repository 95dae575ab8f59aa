import { CANDLE_INTERVALS } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { offeredIntervals } from './candle-reader.ts';

test.each([
  [1, 'SPOT', []],
  [1, 'SWAP', ['1s']],
  [2, 'SPOT', []],
  [2, 'SWAP', []],
  [3, 'SPOT', ['1s']],
  [3, 'SWAP', ['1s']],
] as const)('platform %i, %s: every interval of the chart but %j', (platform, symbolType, missing) => {
  const offered = offeredIntervals(platform, symbolType);
  expect(CANDLE_INTERVALS.filter((interval) => !offered.includes(interval))).toEqual(missing);
});
