import fc from 'fast-check';
import { describe, test } from 'vitest';
import { attacks } from '../../../tests/attack-sizes.ts';
import { runs } from '../../../tests/property-runs.ts';
import {
  AMOUNT_MAX,
  AMOUNT_ONE,
  type Amount,
  ceilTo,
  divDown,
  floorTo,
  formatAmount,
  formatAmountFixed,
  mulDown,
  mulUp,
  parseAmount,
  parseSignedAmount,
} from './amount.ts';

const signed = fc.bigInt({ min: -AMOUNT_MAX, max: AMOUNT_MAX }).map((value) => value as Amount);
const positive = fc.bigInt({ min: 1n, max: 10n ** 28n }).map((value) => value as Amount);
const notNegative = fc.bigInt({ min: 0n, max: 10n ** 28n }).map((value) => value as Amount);
const numRuns = runs(500);

describe('decimals', () => {
  test('every amount is read back from what was written of it, to the unit', () => {
    fc.assert(
      fc.property(signed, (value) => parseSignedAmount(formatAmount(value)) === value),
      { numRuns },
    );
  });

  test('a text of digits is read as a bigint would, or not at all', () => {
    const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`));
    fc.assert(
      fc.property(digits(22), digits(20), (integer, fraction) => {
        const read = parseAmount(`${integer}.${fraction}`);
        const scaled = BigInt(integer) * AMOUNT_ONE + BigInt(fraction.padEnd(20, '0')) / 100n;
        const fits = /^(?:0|[1-9][0-9]{0,19})$/.test(integer) && /^0*$/.test(fraction.slice(18));
        return read === (fits ? scaled : undefined);
      }),
      { numRuns },
    );
  });

  test('any other text is refused or is a plain decimal', () => {
    fc.assert(
      fc.property(fc.string(), (text) => parseAmount(text) === undefined || /^[0-9]+(\.[0-9]+)?$/.test(text)),
      { numRuns },
    );
  });

  test('of texts that are nearly amounts those are read that are one, to the unit, and no other', () => {
    const part = fc.constantFrom(
      ...[
        '0',
        '00',
        '1',
        '9',
        '18',
        '000000000000000001',
        '99999999999999999999',
        '.',
        '..',
        ',',
        '_',
        ' ',
        '\n',
        '\0',
      ],
      ...[
        '-',
        '+',
        'e',
        'E-7',
        '0x',
        'n',
        'NaN',
        'Infinity',
        '\u0663',
        '\uff11',
        '\u2212',
        '\u00b2',
        '\u200b',
        '\u096b',
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const text = parts.join('');
        // The grammar once more, letter by letter and without a pattern.
        const [integer = '', fraction, ...more] = text.split('.');
        const isDigits = (letters: string) =>
          letters !== '' && [...letters].every((one) => one >= '0' && one <= '9');
        const short = fraction === undefined ? '' : fraction.slice(0, 18);
        const rest = fraction === undefined ? '' : fraction.slice(18);
        const isOne =
          more.length === 0 &&
          isDigits(integer) &&
          (integer === '0' || !integer.startsWith('0')) &&
          integer.length <= 20 &&
          (fraction === undefined || (isDigits(fraction) && fraction.length <= 40)) &&
          [...rest].every((one) => one === '0');
        return parseAmount(text) === (isOne ? BigInt(integer + short.padEnd(18, '0')) : undefined);
      }),
      { numRuns: attacks(numRuns, 1_000_000) },
    );
  });

  test('a fixed number of digits is the shortest text cut or filled up', () => {
    fc.assert(
      fc.property(signed, fc.integer({ min: 0, max: 18 }), (value, decimals) => {
        const [integer = '', fraction = ''] = formatAmount(value).split('.');
        const digits = fraction.slice(0, decimals).padEnd(decimals, '0');
        const cut = decimals === 0 ? integer : `${integer}.${digits}`;
        return formatAmountFixed(value, decimals) === (/[1-9]/.test(cut) ? cut : cut.replace('-', ''));
      }),
      { numRuns },
    );
  });
});

describe('rounding is against the requester (invariant I16)', () => {
  test('a product lies within one unit of the exact one, up on what is paid and down on what is got', () => {
    fc.assert(
      fc.property(notNegative, notNegative, (left, right) => {
        const exact = left * right;
        const down = mulDown(left, right) * AMOUNT_ONE;
        const up = mulUp(left, right) * AMOUNT_ONE;
        const within = exact - down < AMOUNT_ONE && up - exact < AMOUNT_ONE;
        return down <= exact && exact <= up && within && (exact % AMOUNT_ONE === 0n) === (up === down);
      }),
      { numRuns },
    );
  });

  test('a quotient is the largest whose product is not above what was divided', () => {
    fc.assert(
      fc.property(notNegative, positive, (left, right) => {
        const quotient = divDown(left, right);
        const scaled = left * AMOUNT_ONE;
        return quotient * right <= scaled && (quotient + 1n) * right > scaled;
      }),
      { numRuns },
    );
  });

  test('steps below and above enclose a value and are whole', () => {
    fc.assert(
      fc.property(notNegative, positive, (value, step) => {
        const [below, above] = [floorTo(value, step), ceilTo(value, step)];
        const whole = below % step === 0n && above % step === 0n;
        return (
          whole && below <= value && value <= above && above - below === (value % step === 0n ? 0n : step)
        );
      }),
      { numRuns },
    );
  });

  test('no way from quote to base and back, however often, gains a unit', () => {
    fc.assert(
      fc.property(notNegative, fc.array(positive, { minLength: 1, maxLength: 8 }), (start, prices) => {
        let quote = start;
        for (const price of prices) {
          const base = divDown(quote, price);
          const back = mulDown(base, price);
          if (back > quote || mulUp(base, price) > quote) return false;
          quote = back;
        }
        return true;
      }),
      { numRuns },
    );
  });

  test('what is paid in parts is never less than what is paid at once, and what is got in parts never more', () => {
    fc.assert(
      fc.property(positive, fc.array(positive, { minLength: 1, maxLength: 6 }), (price, parts) => {
        const all = parts.reduce((sum, part) => sum + part, 0n) as Amount;
        const paid = parts.reduce((sum, part) => sum + mulUp(price, part), 0n);
        const got = parts.reduce((sum, part) => sum + mulDown(price, part), 0n);
        return paid >= mulUp(price, all) && got <= mulDown(price, all);
      }),
      { numRuns },
    );
  });
});
