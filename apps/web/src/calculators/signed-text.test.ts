import { amount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import {
  costText,
  moneyOf,
  moneyText,
  paidText,
  roundHalfEven,
  signedMoneyOf,
  signedText,
} from './signed-text.ts';

test.each([
  ['0.125', 2, '0.12'],
  ['0.135', 2, '0.14'],
  ['0.12500001', 2, '0.13'],
  ['-0.125', 2, '-0.12'],
  ['-0.135', 2, '-0.14'],
  ['0.5', 0, '0'],
  ['1.5', 0, '2'],
  ['2.5', 0, '2'],
] as const)('%s at %i decimals is rounded half to even: %s', (value, decimals, rounded) => {
  expect(roundHalfEven(amount(value), decimals)).toBe(amount(rounded));
});

test.each([
  ['12.4', '+12.40'],
  ['-1234.567', '−1,234.57'],
  ['0', '0.00'],
  ['-0.004', '0.00'],
  ['0.006', '+0.01'],
] as const)('what gained or lost %s reads %s', (value, text) => {
  expect(signedText(amount(value), 2)).toBe(text);
});

test.each([
  ['1234.5', '1,234.50'],
  ['1', '1.00'],
  ['0.5', '0.5000'],
  ['0.0123456', '0.01235'],
  ['0.00000001', '0.00000001'],
  ['0', '0.00'],
  ['-0.25', '−0.2500'],
] as const)('%s USDT reads %s', (value, text) => {
  expect(moneyText(amount(value))).toBe(text);
});

test('what the service does not say is a dash', () => {
  expect([moneyOf(null), signedMoneyOf(undefined), moneyOf('1.5'), signedMoneyOf('-1.5')]).toEqual([
    '–',
    '–',
    '1.50',
    '−1.50',
  ]);
});

test.each([
  ['300', '300.00', '300.00'],
  ['10.000000000000000001', '10.01', '10.01'],
  ['1234.564', '1,234.57', '1,234.57'],
  ['0.0120341', '0.02', '0.01204'],
  ['0', '0.00', '0.00'],
])('what %s costs is never less than it is: %s to the cent, %s as a fee', (value, cost, fee) => {
  expect([costText(amount(value)), paidText(amount(value))]).toEqual([cost, fee]);
});
