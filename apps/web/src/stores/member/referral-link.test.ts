import { expect, test } from 'vitest';
import { referralLink, referralOf } from './referral-link.ts';

test('a link carries its code to the sign-up page, and only a code', () => {
  const link = new URL(referralLink('https://hub.example', 'K7QXABCD'));
  expect(link.href).toBe('https://hub.example/regist?ref=K7QXABCD');
  expect(referralOf(Object.fromEntries(link.searchParams))).toEqual({ ref: 'K7QXABCD' });
});

test.each([
  [{ ref: 'star' }, { ref: 'STAR' }],
  [{ ref: 12345 }, { ref: '12345' }],
  [{}, {}],
  [{ ref: '' }, {}],
  [{ ref: '<b>' }, {}],
  [{ ref: 'A'.repeat(21) }, {}],
  [{ ref: { a: 1 } }, {}],
])('%j brings %j', (search, found) => {
  expect(referralOf(search)).toEqual(found);
});
