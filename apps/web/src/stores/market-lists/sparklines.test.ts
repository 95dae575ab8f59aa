import { expect, test } from 'vitest';
import { sparklinePoints } from './sparklines.ts';

test.each([
  [[1, 3, 2], '0.0,20.0 36.0,0.0 72.0,10.0'],
  [[5, 5], '0.0,10.0 72.0,10.0'],
  [[5], ''],
  [[], ''],
])('the closes %j are drawn as %j', (closes, points) => {
  expect(sparklinePoints(closes, 72, 20)).toBe(points);
});
