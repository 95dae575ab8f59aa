import { expect, test } from 'vitest';
import { ratioTone, safetyPercent } from './own-ratio.ts';

test.each([
  [0.33, undefined, 'plain'],
  [0.34, 1 / 3, 'near'],
  [0.69, undefined, 'plain'],
  [0.7, undefined, 'near'],
  [0.85, 1 / 3, 'danger'],
  [1.2, undefined, 'danger'],
] as const)('a ratio of %s, where the venue warns from %s, is %s', (ratio, warnsFrom, tone) => {
  expect(ratioTone(ratio, warnsFrom)).toBe(tone);
});

// The second worked example of OKX: 37.03703704 times what is needed.
test.each([
  [1 / 37.03703704, 3703.7],
  [1 / 3, 300],
  [1, 100],
  [0, undefined],
])('a ratio of %s is %s %% of safety', (ratio, percent) => {
  const own = safetyPercent(ratio);
  if (percent === undefined) expect(own).toBeUndefined();
  else expect(own).toBeCloseTo(percent, 1);
});
