import { describe, expect, test } from 'vitest';
import { asksFirst, CONFIRM_KINDS, withAsking } from './confirm-kinds.ts';

describe('kinds of orders that ask once more', () => {
  test('none does at first', () => {
    for (const kind of CONFIRM_KINDS) expect(asksFirst('', kind)).toBe(false);
  });

  test.each([
    ['', 'limit', true, 'limit'],
    ['scaled', 'limit', true, 'limit,scaled'],
    ['limit,scaled', 'limit', false, 'scaled'],
    ['scaled', 'scaled', false, ''],
    ['limit', 'limit', true, 'limit'],
    // What somebody wrote into the browser's storage is no kind.
    ['limits, ,market', 'conditional', true, 'market,conditional'],
  ] as const)('"%s" with %s at %s is "%s"', (kept, kind, asks, after) => {
    expect(withAsking(kept, kind, asks)).toBe(after);
    expect(asksFirst(after, kind)).toBe(asks);
  });
});
