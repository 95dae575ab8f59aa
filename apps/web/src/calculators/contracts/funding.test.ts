import { expect, test } from 'vitest';
import { countdownText, fundingText, skewText } from './funding.ts';

test.each([
  ['0.0001', '+0.0100%'],
  ['-0.00012345', '−0.0123%'],
  ['0', '0.0000%'],
  ['0.0000001', '0.0000%'],
  ['', undefined],
  ['none', undefined],
])('a funding rate of %j reads %s', (rate, said) => {
  expect(fundingText(rate)).toBe(said);
});

test.each([
  [10_000, 10_000, '00:00:00'],
  [10_001, 10_000, '00:00:01'],
  [8 * 3_600_000, 0, '08:00:00'],
  [3_661_000, 0, '01:01:01'],
  [0, 5_000, '00:00:00'],
])('until %i seen at %i there are %s', (until, now, said) => {
  expect(countdownText(until, now)).toBe(said);
});

test.each([
  [undefined, undefined],
  [1_000, undefined],
  [-1_000, undefined],
  [1_001, '+1.0'],
  [-2_140, '−2.1'],
  [3_600_000, '+3600.0'],
])('a clock that is %s ms ahead reads %s', (ahead, said) => {
  expect(skewText(ahead)).toBe(said);
});
