import { expect, test } from 'vitest';
import { ageOfMark, MARK_GONE_MILLIS, MARK_OLD_MILLIS } from './mark-age.ts';

const CAME_AT = 1_000_000;

test.each([
  ['new', 0, false, 0],
  ['as old as it may be', MARK_OLD_MILLIS, false, 0],
  ['older, in whole seconds', MARK_OLD_MILLIS + 1_999, false, 6_000],
  ['too old to be shown', MARK_GONE_MILLIS + 1_000, false, 61_000],
  ['old, in a market that the hub says is live', MARK_GONE_MILLIS * 2, true, 0],
])('the age of a mark that is %s', (_, age, vouched, counted) => {
  expect(ageOfMark(CAME_AT, vouched, CAME_AT + age)).toBe(counted);
});

test("a mark that never came has no age: the figures are the exchange's own", () => {
  expect(ageOfMark(undefined, false, CAME_AT)).toBe(0);
});
