import { expect, test } from 'vitest';
import { DIRECTION_TONES, priceDirection } from './price-direction.ts';

test.each([
  ['none', undefined, 10, 'none'],
  ['none', 10, 10, 'none'],
  ['none', 10, 11, 'up'],
  ['up', 11, 11, 'up'],
  ['up', 11, 10, 'down'],
  ['down', 10, 10, 'down'],
  ['down', 10, 12, 'up'],
] as const)('after %s, %s then %s is %s', (previous, before, now, direction) => {
  expect(priceDirection(previous, before, now)).toBe(direction);
});

test.each([
  ['a greater price', 'up', 11],
  ['a lesser price', 'down', 9],
] as const)('%s is drawn in the colour of %s', (_name, colour, price) => {
  const tone = DIRECTION_TONES[priceDirection('none', 10, price)];
  expect(tone).toBe(`text-${colour}`);
  // An equal price keeps it.
  expect(DIRECTION_TONES[priceDirection(colour, price, price)]).toBe(tone);
});
