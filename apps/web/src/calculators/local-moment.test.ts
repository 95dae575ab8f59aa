import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldOfMoment, momentOfField } from './local-moment.ts';

test('a moment goes into its field and comes back to the minute', () => {
  const minutes = fc.integer({ min: 0, max: 66_000_000 });
  fc.assert(
    fc.property(minutes, (minute) => momentOfField(fieldOfMoment(minute * 60_000)) === minute * 60_000),
  );
});

test.each(['', 'x', '2026-11-31T25:00'])('%j is no moment', (text) => {
  expect(momentOfField(text)).toBeUndefined();
});

test('no moment is an empty field', () => {
  expect(fieldOfMoment(null)).toBe('');
});
