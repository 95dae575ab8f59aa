import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isEmail,
  isVerificationCode,
  normaliseEmail,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  type PasswordGap,
  passwordGaps,
} from './form-rules.ts';

describe('passwords', () => {
  test.each<[string, readonly PasswordGap[]]>([
    ['Abc12!', []],
    ['Ünï12!', []],
    ['Ab 12!', []],
    ['Abc1!', ['length']],
    ['Abcde!', ['number']],
    ['abc12!', ['uppercase']],
    ['ABC12!', ['lowercase']],
    ['Abc123', ['special']],
    ['Abc 123', ['special']],
    ['Abcé12', ['special']],
    // An accent typed as a character of its own is neither a special character nor a sixth one.
    ['Abce\u030112', ['special']],
    ['Abe\u03011!', ['length']],
    ['', ['length', 'number', 'uppercase', 'lowercase', 'special']],
    [`Ab1!${'x'.repeat(PASSWORD_LENGTH_MAX - 4)}`, []],
    [`Ab1!${'x'.repeat(PASSWORD_LENGTH_MAX - 3)}`, ['length']],
  ])('%j lacks %j', (password, gaps) => {
    expect(passwordGaps(password)).toEqual(gaps);
  });

  test('the specification asks for six characters', () => {
    expect(PASSWORD_LENGTH_MIN).toBe(6);
    expect(PASSWORD_LENGTH_MAX).toBeGreaterThanOrEqual(64);
  });
});

describe('e-mail addresses', () => {
  const label = 'a'.repeat(63);

  test.each([
    'a@b.co',
    'first.last+tag@sub.example.com',
    "o'hara@example.org",
    'x@xn--bcher-kva.example',
    `${'a'.repeat(64)}@example.com`,
    `a@${label}.com`,
    `a@${label}.${label}.${label}.${'a'.repeat(57)}.co`,
    `a@b.${'c'.repeat(63)}`,
  ])('%s is one', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  test.each([
    '',
    'a',
    '@b.co',
    'a@',
    'a@b',
    'a@b.c',
    'a@b.c1',
    'a b@c.de',
    'a@b@c.de',
    'a@-b.de',
    'a@b-.de',
    'a@b..de',
    'a@.de',
    ' a@b.de',
    'a@b.de ',
    'a@b.de\n',
    'ä@b.de',
    `${'a'.repeat(65)}@example.com`,
    `a@${label}a.com`,
    `a@b.${'c'.repeat(64)}`,
    `a@${label}.${label}.${label}.${'a'.repeat(58)}.com`,
  ])('%j is none', (text) => {
    expect(isEmail(text)).toBe(false);
  });

  test('an address of 254 characters is the longest', () => {
    const of = (length: number) => `${'a'.repeat(length - 4 * 62 - 4)}@${`${'b'.repeat(61)}.`.repeat(4)}com`;
    expect([of(254).length, isEmail(of(254)), of(255).length, isEmail(of(255))]).toEqual([
      254,
      true,
      255,
      false,
    ]);
  });

  test('addresses that differ by case and surrounding space are one', () => {
    expect(normaliseEmail(' A.B+c@Example.COM ')).toBe('a.b+c@example.com');
  });
});

test.each<[string, boolean]>([
  ['0000', true],
  ['1234', true],
  ['123456789012', true],
  ['123', false],
  ['12345', false],
  ['12345678901', false],
  ['12a4', false],
  ['1234\n', false],
  [' 1234', false],
  ['', false],
])('%j is a verification code: %s', (text, is) => {
  expect(isVerificationCode(text)).toBe(is);
});

describe('of any text', () => {
  const CLASSES = { number: '07', uppercase: 'ÀZ', lowercase: 'aß', special: '!–' } as const;
  const of = (characters: string, least: number, most: number) =>
    fc.string({ unit: fc.constantFrom(...characters), minLength: least, maxLength: most });

  test('a password of all classes lacks nothing, without one of them just that', () => {
    const missing = fc.constantFrom(undefined, ...(Object.keys(CLASSES) as (keyof typeof CLASSES)[]));
    const parts = fc.record({
      ...{ number: of(CLASSES.number, 2, 30), uppercase: of(CLASSES.uppercase, 2, 30) },
      ...{ lowercase: of(CLASSES.lowercase, 2, 30), special: of(CLASSES.special, 2, 30) },
    });
    fc.assert(
      fc.property(missing, parts, (without, classes) => {
        const password = Object.entries(classes).map(([name, text]) => (name === without ? '' : text));
        expect(passwordGaps(password.join(''))).toEqual(without === undefined ? [] : [without]);
      }),
    );
  });

  test('an address is one whatever its case, and normalised once for all', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        const known = normaliseEmail(address);
        expect(normaliseEmail(` ${address.toUpperCase()} `)).toBe(known);
        expect(normaliseEmail(known)).toBe(known);
        expect(isEmail(known)).toBe(isEmail(address));
      }),
    );
  });

  test('digits are a code by their number alone', () => {
    fc.assert(
      fc.property(of('0123456789', 0, 20), (digits) => {
        expect(isVerificationCode(digits)).toBe([4, 12].includes(digits.length));
      }),
    );
  });
});
