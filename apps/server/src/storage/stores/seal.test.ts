import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSeal, masterKeyName, sealedBy } from './seal.ts';

const seal = createSeal(randomBytes(32));
const CONTEXT = 'venue-secret:7:1';

describe('a sealed secret', () => {
  test('opens to what was sealed, whatever it was, and no two seals are alike', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (secret) => {
        const first = seal.seal(secret, CONTEXT);
        expect(seal.open(first, CONTEXT)).toBe(secret);
        expect(seal.seal(secret, CONTEXT)).not.toBe(first);
        expect(first).not.toContain(secret.length > 5 ? secret : 'never');
      }),
    );
  });

  test('does not open elsewhere or under another key', () => {
    const sealed = seal.seal('secret', CONTEXT);
    expect(() => seal.open(sealed, 'venue-secret:8:1')).toThrow();
    expect(() => seal.open(sealed, 'venue-secret:7:2')).toThrow();
    expect(() => createSeal(randomBytes(32)).open(sealed, CONTEXT)).toThrow();
  });

  test('does not open when anything of its text was changed, cut or added', () => {
    const sealed = seal.seal('a secret of some length', CONTEXT);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!= ';
    const change = fc.record({
      at: fc.nat(sealed.length - 1),
      letter: fc.constantFrom(...letters),
      how: fc.constantFrom('replace', 'insert', 'cut', 'append'),
    });
    fc.assert(
      fc.property(change, ({ at, letter, how }) => {
        const rest = {
          replace: letter + sealed.slice(at + 1),
          insert: letter + sealed.slice(at),
          cut: '',
          append: '',
        };
        const changed = how === 'append' ? sealed + letter : sealed.slice(0, at) + rest[how as 'cut'];
        if (changed !== sealed) expect(() => seal.open(changed, CONTEXT)).toThrow();
      }),
      { numRuns: 2_000 },
    );
  });

  test('names its key, and opens under the one before as long as that is known', () => {
    const [old, next] = [randomBytes(32), randomBytes(32)];
    const before = createSeal(old).seal('secret', CONTEXT);
    // As it was written when seals named no key.
    const nameless = before.replace(sealedBy(masterKeyName(old)), 'v1.');
    const both = createSeal(next, old);
    const after = both.seal(both.open(before, CONTEXT), CONTEXT);
    expect([before, after].map((sealed) => sealed.split('.')[1])).toEqual([old, next].map(masterKeyName));
    expect([before, nameless, after].map((sealed) => both.open(sealed, CONTEXT))).toEqual([
      'secret',
      'secret',
      'secret',
    ]);
    expect(createSeal(old).open(nameless, CONTEXT)).toBe('secret');
    expect(() => createSeal(next).open(nameless, CONTEXT)).toThrow();
    expect(() => createSeal(next).open(before, CONTEXT)).toThrow(/another master key/);
    expect(() => createSeal(old).open(after, CONTEXT)).toThrow(/another master key/);
    // A name that is not its key's opens nothing.
    const [, name = '', body = ''] = after.split('.');
    expect(() => both.open(`v2.${masterKeyName(old)}.${body}`, CONTEXT)).toThrow();
    expect(() => both.open(`v1.${body}`, CONTEXT)).toThrow();
    expect(() => both.open(`v2.${name.toUpperCase()}x.${body}`, CONTEXT)).toThrow();
  });

  test.each(['', 'v1', 'v1.', 'v1.AAAA', 'v2.AAAA', 'v2..AAAA', `v1.${'A'.repeat(20)}`])(
    '%j is none',
    (text) => {
      expect(() => seal.open(text, CONTEXT)).toThrow();
    },
  );
});
