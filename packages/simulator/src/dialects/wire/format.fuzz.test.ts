import { type Amount, formatAmount, formatAmountFixed, stepsToAmount } from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barScale, flatBar } from '../../market/bars/bars.ts';
import { LISTING } from '../../market/listing/listing.ts';
import { formatFloat } from '../binance/format.ts';
import { stepWriter, trimmed } from './format.ts';

// Steps as venues list them, and one whose multiples soon leave the safe integers.
const STEPS = ['1', '0.01', '0.00000001', '0.5', '10', '0.025', '123456789'].map((text) => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(18, '0')) as Amount;
});
const steps = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.maxSafeInteger().map(Math.abs));

test('whole steps are written as the exact formatter writes their amounts, short or padded', () => {
  fc.assert(
    fc.property(fc.constantFrom(...STEPS), steps, (step, count) => {
      const exact = stepsToAmount(count, step);
      expect(stepWriter(step)(count)).toBe(formatAmount(exact));
      expect(stepWriter(step, 8)(count)).toBe(formatAmountFixed(exact, 8));
    }),
  );
});

test('a volume in a candle of Binance is its lots to the last digit, however large', () => {
  const lots = fc.oneof(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 1e12, max: 9e14 }));
  fc.assert(
    fc.property(fc.constantFrom(...LISTING), lots, (market, count) => {
      const { volume } = barScale(market).candle({ ...flatBar(0, 1), lots: count });
      expect(formatFloat(volume)).toBe(formatAmountFixed(stepsToAmount(count, market.lotSize), 8));
    }),
  );
  expect(formatFloat(123_456_789.1)).toBe('123456789.10000000');
});

test.each([
  ['10', '10'],
  ['10.00', '10'],
  ['0.10', '0.1'],
  ['0.01', '0.01'],
  ['100.0', '100'],
])('%s without zeros at its end is %s', (text, short) => {
  expect(trimmed(text)).toBe(short);
});
