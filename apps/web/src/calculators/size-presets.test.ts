import { expect, test } from 'vitest';
import { presetMarks, sizePresets, withPreset } from './size-presets.ts';

const COME = [10, 25, 50, 75, 100];

test.each([
  ['5,10,20,50,100', [5, 10, 20, 50, 100]],
  ['', COME],
  ['1,2,3,4', COME],
  ['0,25,50,75,100', COME],
  ['10,25,50,75,101', COME],
  ['10,25,5.5,75,100', COME],
  ['10,25,x,75,100', COME],
] as const)('shares kept as %j are %j', (kept, expected) => {
  expect(sizePresets(kept)).toEqual(expected);
});

test.each([
  [0, 5, '5,25,50,75,100'],
  [4, 90, '10,25,50,75,90'],
  [2, 0, '10,25,50,75,100'],
  [2, 1.5, '10,25,50,75,100'],
  [2, Number.NaN, '10,25,50,75,100'],
] as const)('share %d set to %d keeps %s', (at, share, expected) => {
  expect(withPreset('10,25,50,75,100', at, share)).toBe(expected);
});

test('marks rise, begin at nothing and stand once each', () => {
  expect(presetMarks('50,25,50,100,75')).toEqual([0, 25, 50, 75, 100]);
});
