import { type Amount, amount } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { entryAmount, readNumberEntry, stepEntry } from './number-entry.ts';

describe('readNumberEntry', () => {
  test.each([
    ['1,234.50', '1234.50'],
    [' 65 000.1 ', '65000.1'],
    ['1,234,567', '1234567'],
    ['1,234', '1234'],
    ['0,5', '0.5'],
    ['0,500', '0.500'],
    ['12,34', '12.34'],
    ['.5', '0.5'],
    ['007', '7'],
    ['0', '0'],
    ['12.', '12.'],
    ['', ''],
    ['１２３．４', '123.4'],
  ])('%j is read as %j', (text, entry) => {
    expect(readNumberEntry(text)).toBe(entry);
  });

  test.each(['-1', '1e5', 'abc', '1.2.3', '1,2,3', '1,234.5,6', '0x10', 'Infinity', '9'.repeat(90)])(
    '%j is not a number being written',
    (text) => {
      expect(readNumberEntry(text)).toBeUndefined();
    },
  );
});

test.each([
  ['0,05', '0.05'],
  ['1234,5', '1234.5'],
  ['65000,1234', '65000.1234'],
  ['０，５', '0.5'],
])('a decimal comma is kept: %j is %j', (text, entry) => {
  expect(readNumberEntry(text)).toBe(entry);
});

test.each(['en', 'ja', 'ko'])(
  'a price goes through a field as %s writes it and is the same price',
  (language) => {
    const write = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 8 });
    for (const price of ['65000.10', '1234.50', '999.99', '1234567.00', '0.00001234']) {
      const written = write.format(price as never);
      expect(entryAmount(readNumberEntry(written) ?? ''), written).toBe(amount(price));
    }
  },
);

test.each(['65.000,50', '1.234.567,5', '1.234.567'])(
  '%j is refused, and never a thousandth of itself',
  (text) => {
    expect(readNumberEntry(text)).toBeUndefined();
  },
);

describe('entryAmount', () => {
  test('a trailing point is still the whole number, an empty field is nothing', () => {
    expect(entryAmount('12.')).toBe(amount('12'));
    expect(entryAmount('')).toBeUndefined();
  });
});

describe('stepEntry', () => {
  const tick: Amount = amount('0.05');
  test.each([
    ['1.00', 1, '1.05'],
    ['1.00', -1, '0.95'],
    ['1.00', 10, '1.50'],
    ['1.02', 1, '1.05'],
    ['1.02', -1, '1.00'],
    ['', 1, '0.05'],
    ['0.05', -10, '0.00'],
  ])('%j stepped by %i is %j', (text, steps, next) => {
    expect(stepEntry(text, tick, steps)).toBe(next);
  });
});
