import { describe, expect, test } from 'vitest';
import {
  AMOUNT_MAX,
  AMOUNT_ONE,
  type Amount,
  amount,
  ceilTo,
  decimalsOf,
  divDown,
  floorTo,
  formatAmount,
  formatAmountFixed,
  lesser,
  magnitude,
  minus,
  mulDown,
  mulUp,
  parseAmount,
  parseSignedAmount,
  plus,
  toNumberForDisplay,
  ZERO,
} from './amount.ts';

const units = (value: bigint): Amount => value as Amount;
const largest = `${'9'.repeat(20)}.${'9'.repeat(18)}`;

describe('reading a decimal', () => {
  test.each<[string, bigint]>([
    ['0', 0n],
    ['0.0', 0n],
    ['1', AMOUNT_ONE],
    ['10', 10n * AMOUNT_ONE],
    ['0.1', 10n ** 17n],
    ['1.50', 15n * 10n ** 17n],
    ['0.000000000000000001', 1n],
    ['0.0000000000000000010', 1n],
    [`1.${'0'.repeat(40)}`, AMOUNT_ONE],
    ['65000.12', 6_500_012n * 10n ** 16n],
    [largest, 10n ** 38n - 1n],
  ])('%j is %i units', (text, value) => {
    expect(parseAmount(text)).toBe(value);
    expect(parseSignedAmount(text)).toBe(value);
    expect(amount(text)).toBe(value);
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '1\n',
    '+1',
    '--1',
    '-',
    '.5',
    '5.',
    '00',
    '01',
    '1e3',
    '1E-3',
    '0x10',
    '1_000',
    '1,000',
    '١',
    '１',
    'NaN',
    'Infinity',
    '1.2.3',
    '0.0000000000000000001',
    `1.${'0'.repeat(41)}`,
    '100000000000000000000',
    `1${'0'.repeat(30)}`,
  ])('%j is no amount', (text) => {
    expect(parseAmount(text)).toBeUndefined();
    expect(parseSignedAmount(text)).toBeUndefined();
    expect(parseSignedAmount(`-${text}`)).toBeUndefined();
    expect(() => amount(text)).toThrow(`not an amount: ${text}`);
  });

  test('a minus is read only where a figure may be negative', () => {
    expect(parseAmount('-1.5')).toBeUndefined();
    expect(parseSignedAmount('-1.5')).toBe(-15n * 10n ** 17n);
    expect(amount('-0.000000000000000001')).toBe(-1n);
  });

  test.each<[string, number, boolean]>([
    ['1', 0, true],
    ['1.0', 0, true],
    ['1.5', 0, false],
    ['1.23', 2, true],
    ['1.230000', 2, true],
    ['1.234', 2, false],
    ['0.000000000000000001', 18, true],
    ['0.000000000000000001', 17, false],
  ])('%j with at most %i decimals is taken: %s', (text, decimalsMax, taken) => {
    expect(parseAmount(text, decimalsMax) !== undefined).toBe(taken);
  });
});

describe('writing a decimal', () => {
  test.each<[bigint, string]>([
    [0n, '0'],
    [1n, '0.000000000000000001'],
    [-1n, '-0.000000000000000001'],
    [AMOUNT_ONE, '1'],
    [-AMOUNT_ONE, '-1'],
    [15n * 10n ** 17n, '1.5'],
    [100n * AMOUNT_ONE, '100'],
    [AMOUNT_MAX, largest],
  ])('%i units are %j', (value, text) => {
    expect(formatAmount(units(value))).toBe(text);
  });

  test.each<[string, number, string]>([
    ['1.999', 2, '1.99'],
    ['-1.999', 2, '-1.99'],
    ['-0.009', 2, '0.00'],
    ['0', 3, '0.000'],
    ['5.75', 0, '5'],
    ['0.75', 0, '0'],
    ['0.000000000000000001', 18, '0.000000000000000001'],
    ['12', 1, '12.0'],
    ['0.05', 1, '0.0'],
  ])('%s with %i digits is %j, cut and not rounded', (text, decimals, written) => {
    expect(formatAmountFixed(amount(text), decimals)).toBe(written);
  });

  test.each<[string, number]>([
    ['1', 0],
    ['10', 0],
    ['0.01', 2],
    ['0.0100', 2],
    ['0.05', 2],
    ['0.000000000000000001', 18],
  ])('a step of %s needs %i digits', (step, digits) => {
    expect(decimalsOf(amount(step))).toBe(digits);
  });

  test('a float of an amount is for pictures', () => {
    expect(toNumberForDisplay(amount('-12.5'))).toBe(-12.5);
  });
});

describe('arithmetic', () => {
  test.each<{ of: (left: Amount, right: Amount) => Amount; is: bigint; parts: [bigint, bigint] }>([
    { of: plus, parts: [5n, -7n], is: -2n },
    { of: minus, parts: [5n, 7n], is: -2n },
    { of: lesser, parts: [5n, 7n], is: 5n },
    { of: lesser, parts: [7n, 5n], is: 5n },
    { of: lesser, parts: [-7n, 5n], is: -7n },
    { of: magnitude, parts: [-7n, 5n], is: 7n },
    { of: magnitude, parts: [7n, 5n], is: 7n },
    { of: mulDown, parts: [1n, 1n], is: 0n },
    { of: mulDown, parts: [AMOUNT_ONE, 3n], is: 3n },
    { of: mulDown, parts: [AMOUNT_ONE - 1n, AMOUNT_ONE - 1n], is: AMOUNT_ONE - 2n },
    { of: mulUp, parts: [1n, 1n], is: 1n },
    { of: mulUp, parts: [0n, 1n], is: 0n },
    { of: mulUp, parts: [AMOUNT_ONE, 3n], is: 3n },
    { of: mulUp, parts: [AMOUNT_ONE - 1n, AMOUNT_ONE - 1n], is: AMOUNT_ONE - 1n },
    { of: divDown, parts: [1n, 3n], is: AMOUNT_ONE / 3n },
    { of: divDown, parts: [2n * AMOUNT_ONE, 3n * AMOUNT_ONE], is: (2n * AMOUNT_ONE) / 3n },
    { of: floorTo, parts: [17n, 5n], is: 15n },
    { of: floorTo, parts: [15n, 5n], is: 15n },
    { of: ceilTo, parts: [16n, 5n], is: 20n },
    { of: ceilTo, parts: [15n, 5n], is: 15n },
    { of: ceilTo, parts: [0n, 5n], is: 0n },
  ])('$of.name of $parts is $is', ({ of, parts: [left, right], is }) => {
    expect(of(units(left), units(right))).toBe(is);
  });

  test('nothing is zero', () => {
    expect(ZERO).toBe(0n);
  });
});
