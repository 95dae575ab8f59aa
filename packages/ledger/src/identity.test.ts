import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdId, transferId } from './identity.ts';

test('an id is a UUIDv8 that depends on nothing but its parts', () => {
  // Pinned: a changed derivation would book every past movement a second time.
  expect(transferId('fill', 1, 'BTCUSDT', '12345', 'base')).toBe('e76dc2d5-7f33-8926-995c-b4e14738249d');
  expect(holdId('order', 'x')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test('other parts, another cut of the same text, or another scope give another id', () => {
  const part = fc.oneof(fc.string({ maxLength: 3 }), fc.integer());
  const parts = fc.array(part, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(parts, parts, (left, right) => {
      const alike =
        left.map(String).join('\u0001') === right.map(String).join('\u0001') && left.length === right.length;
      expect(transferId(...left) === transferId(...right)).toBe(alike);
      expect(transferId(...left) as string).not.toBe(holdId(...left));
    }),
    {
      examples: [
        [
          ['ab', 'c'],
          ['a', 'bc'],
        ],
        [['1', '1'], ['11']],
        [[1], ['1']],
      ],
    },
  );
});

test('an id of nothing is refused', () => {
  expect(() => transferId()).toThrow('derived from something');
});
