import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../tests/property-runs.ts';
import { AMOUNT_ONE, type Amount, amount, formatAmountFixed } from './amount.ts';
import {
  amountToSteps,
  bandPrices,
  formatTicks,
  type Instrument,
  notionalDown,
  notionalUp,
  parseSteps,
  stepScale,
  stepsToAmount,
  symbolKey,
  type Ticks,
} from './instrument.ts';

const numRuns = runs(500);
const named = { base: 'BTC', quote: 'USDT' } as Instrument;

test.each([
  [1, 'SPOT', 'BINANCE_SPOT_BTC_USDT'],
  [1, 'SWAP', 'BINANCE_PERP_BTC_USDT'],
  [2, 'SPOT', 'OKX_SPOT_BTC_USDT'],
  [3, 'SWAP', 'BYBIT_PERP_BTC_USDT'],
] as const)('platform %i, %s has the order symbol key %s', (platform, symbolType, key) => {
  expect(symbolKey({ ...named, platform, symbolType })).toBe(key);
});

test.each([
  [true, '1.2', '63.1'],
  [false, '57.2', '120.2'],
])('limits of a side (buying: %s) lie within its band, on the tick and inside', (buys, least, most) => {
  const priceBand = {
    ...{ buyLeast: amount('0.019'), buyMost: amount('1.05') },
    ...{ sellLeast: amount('0.95'), sellMost: amount('2') },
  };
  const found = bandPrices({ priceBand, tickSize: amount('0.1') }, buys, amount('60.12'));
  expect([found.least, found.most]).toEqual([amount(least), amount(most)]);
});

test('without a band any limit is taken', () => {
  expect(bandPrices({ tickSize: amount('0.1') }, true, amount('60'))).toEqual({});
});

describe('steps', () => {
  test.each([
    ['0.01', 2, 1],
    ['0.05', 2, 5],
    ['0.5', 1, 5],
    ['1', 0, 1],
    ['10', 0, 10],
    ['0.00000001', 8, 1],
  ])('a step of %s has %i decimals and %i units', (step, decimals, unitsPerStep) => {
    expect(stepScale(amount(step))).toEqual({ decimals, unitsPerStep });
  });

  test.each<[string, string, number | undefined]>([
    ['65000.12', '0.01', 6_500_012],
    ['65000.1', '0.01', 6_500_010],
    ['65000', '0.01', 6_500_000],
    ['65000.1200', '0.01', 6_500_012],
    ['65000.121', '0.01', undefined],
    ['0', '0.01', 0],
    ['0.5', '0.05', 10],
    ['0.53', '0.05', undefined],
    ['120', '10', 12],
    ['125', '10', undefined],
    ['7.', '1', 7],
    ['', '1', undefined],
    ['.5', '0.1', undefined],
    ['1.2.3', '0.1', undefined],
    ['1..2', '0.1', undefined],
    ['-1', '1', undefined],
    ['1e3', '1', undefined],
    ['1/2', '1', undefined],
    ['1:2', '1', undefined],
    ['9007199254740991', '1', 9_007_199_254_740_991],
    ['9007199254740992', '1', undefined],
    ['90071992547409.92', '0.01', undefined],
  ])('%j in steps of %s is %s', (text, step, steps) => {
    expect(parseSteps(text, stepScale(amount(step)))).toBe(steps);
  });

  test.each<[string, string, number | undefined]>([
    ['0.3', '0.1', 3],
    ['0.35', '0.1', undefined],
    ['0', '0.1', 0],
    ['900719925474099.1', '0.1', 9_007_199_254_740_991],
    ['900719925474099.2', '0.1', undefined],
  ])('the amount %s is %s steps of %s', (value, step, steps) => {
    expect(amountToSteps(amount(value), amount(step))).toBe(steps);
  });

  test('prices show all digits of their step', () => {
    expect(formatTicks(6_500_010 as Ticks, { tickSize: amount('0.01') })).toBe('65000.10');
  });

  test('text, steps and amount name the same figure, whatever the step', () => {
    const decimals = fc.integer({ min: 0, max: 12 });
    const unitsPerStep = fc.constantFrom(1, 2, 5, 25);
    fc.assert(
      fc.property(fc.nat({ max: 10 ** 12 }), decimals, unitsPerStep, (steps, digits, unit) => {
        const step = (BigInt(unit) * 10n ** BigInt(18 - digits)) as Amount;
        const exact = stepsToAmount(steps, step);
        expect(amountToSteps(exact, step)).toBe(steps);
        expect(parseSteps(formatAmountFixed(exact, digits), stepScale(step))).toBe(steps);
        if (unit > 1) expect(amountToSteps((exact + 1n) as Amount, step)).toBeUndefined();
      }),
      { numRuns },
    );
  });
});

describe('the quote value of a quantity', () => {
  const contract = amount('0.01');

  test.each([
    { price: '2', quantity: '3', contractValue: amount('1'), cut: '6', held: '6' },
    {
      price: '0.000000000000000001',
      quantity: '0.5',
      contractValue: amount('1'),
      cut: '0',
      held: '0.000000000000000001',
    },
    { price: '60000', quantity: '50', contractValue: contract, cut: '30000', held: '30000' },
    {
      price: '0.000000000000000003',
      quantity: '0.5',
      contractValue: amount('1'),
      cut: '0.000000000000000001',
      held: '0.000000000000000002',
    },
  ])('$price times $quantity of $contractValue is $cut cut and $held held', ({ contractValue, ...row }) => {
    const [price, quantity] = [amount(row.price), amount(row.quantity)];
    expect(notionalDown(price, quantity, contractValue)).toBe(amount(row.cut));
    expect(notionalUp(price, quantity, contractValue)).toBe(amount(row.held));
  });

  test('what is held is never less than the exact value and less than one unit above it (invariant I16)', () => {
    const stat = fc.bigInt({ min: 0n, max: 10n ** 24n }).map((value) => value as Amount);
    fc.assert(
      fc.property(stat, stat, stat, (price, quantity, contractValue) => {
        const scale = AMOUNT_ONE * AMOUNT_ONE;
        const exact = price * quantity * contractValue;
        const down = notionalDown(price, quantity, contractValue) * scale;
        const up = notionalUp(price, quantity, contractValue) * scale;
        expect(down <= exact && exact - down < scale).toBe(true);
        expect(up >= exact && up - exact < scale).toBe(true);
        expect(notionalUp(price, quantity)).toBe(notionalUp(price, quantity, AMOUNT_ONE as Amount));
        expect(notionalDown(price, quantity)).toBe(notionalDown(price, quantity, AMOUNT_ONE as Amount));
      }),
      { numRuns },
    );
  });
});
