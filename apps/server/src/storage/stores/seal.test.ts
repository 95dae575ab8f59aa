import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSeal } from './seal.ts';

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

  test.each(['', 'v1', 'v1.', 'v1.AAAA', 'v2.AAAA', `v1.${'A'.repeat(20)}`])('%j is none', (text) => {
    expect(() => seal.open(text, CONTEXT)).toThrow();
  });
});
