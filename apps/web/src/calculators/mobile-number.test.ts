import { expect, test } from 'vitest';
import { isMobile, looksLikeMobile, mobileOf } from './mobile-number.ts';

test.each([
  ['81', '090-1234-5678', '+819012345678', true],
  ['1', '(415) 555 2671', '+14155552671', true],
  ['39', '06 698 12345', '+390669812345', true],
  ['81', '+44 7911 123456', '+447911123456', true],
  ['81', '', '+81', false],
  ['81', '12', '+8112', false],
  ['81', '90123456789012345', '+8190123456789012345', false],
  ['81', 'nobody@example.org', '+81nobody@exampleorg', false],
])('code %s and %s make %s', (dial, typed, made, valid) => {
  expect(mobileOf(dial, typed)).toBe(made);
  expect(isMobile(made)).toBe(valid);
});

test.each([
  ['090-1234-5678', true],
  ['+81 (90) 1234 5678', true],
  ['5', true],
  ['', false],
  ['+', false],
  ['ada@example.org', false],
  ['1234@example.org', false],
  ['no e-mail at all', false],
])('%o typed at home is a number: %s', (text, number) => {
  expect(looksLikeMobile(text)).toBe(number);
});
