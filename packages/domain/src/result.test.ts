import { expect, test } from 'vitest';
import { assert, ok, refused } from './result.ts';

test('a value and a refusal are told apart, and a refusal names its field only where there is one', () => {
  expect(ok(0)).toEqual({ ok: true, value: 0 });
  expect(refused('too-late')).toStrictEqual({ ok: false, code: 'too-late' });
  expect(refused('too-small', 'amount')).toStrictEqual({ ok: false, code: 'too-small', field: 'amount' });
});

test('a broken invariant stops the work and is named', () => {
  expect(() => assert(true, 'sums to zero')).not.toThrow();
  expect(() => assert(false, 'sums to zero')).toThrow(/^invariant broken: sums to zero$/);
});
