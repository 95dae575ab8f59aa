import { expect, test } from 'vitest';
import { budgetUsedUp, reasonOfRefusal, refusalOfOurs } from './venue-refusal.ts';

test.each([
  ['a moment', 1, '1'],
  ['nothing', 0, '1'],
  ['a second', 1_000, '1'],
  ['more than a second', 1_001, '2'],
  ['a minute', 60_000, '60'],
])('a refusal of ours is kept with its wait and reported as ours: %s', (_name, retryAfterMillis, allowed) => {
  const reason = reasonOfRefusal({ message: 'queue is full', retryAfterMillis });
  expect(reason).toBe(`budget of the exchange used up, again in ${allowed} s`);
  expect(refusalOfOurs(reason)).toEqual({ error: 'venue-budget', allowed });
  expect(budgetUsedUp(retryAfterMillis)).toEqual({ error: 'venue-budget', allowed });
});

test.each([
  'Account has insufficient balance for requested action.',
  '',
  'x budget of the exchange used up, again in 3 s',
  'budget of the exchange used up, again in 3 s.',
  'budget of the exchange used up, again in  s',
  'budget of the exchange used up, again in x s',
])('the words of a venue are kept as they are and are not ours: "%s"', (message) => {
  expect(reasonOfRefusal({ message })).toBe(message);
  expect(refusalOfOurs(message)).toBeUndefined();
});

test('no reason is none of ours', () => expect(refusalOfOurs(undefined)).toBeUndefined());
