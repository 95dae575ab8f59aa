import { amount, SIDE, toNumberForDisplay } from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  breakEvenEntry,
  entrySending,
  rewardToRisk,
  type TargetScene,
  type TargetUnit,
  targetLimit,
  targetPrice,
  targetStats,
  targetUnits,
} from './targets.ts';

/** 0.5 BTC at 60,000, 20 times; fees of nothing so that figures can be checked by head. */
const LONG: TargetScene = {
  ...{ side: SIDE.BUY, entry: amount('60000'), size: amount('0.5'), leverage: 20 },
  ...{ tickSize: amount('0.1'), feeRate: amount('0') },
};
const SHORT: TargetScene = { ...LONG, side: SIDE.SELL };

test.each([
  ['a price is the price', LONG, 'takeProfit', '63000', 'price', '63000'],
  ['2 % of a long is above', LONG, 'takeProfit', '2', 'percent', '61200'],
  ['1 % lost of a long is below', LONG, 'stopLoss', '1', 'percent', '59400'],
  ['1 % lost of a short is above', SHORT, 'stopLoss', '1', 'percent', '60600'],
  ['500 USDT of 0.5 BTC are 1,000 a coin', LONG, 'takeProfit', '500', 'pnl', '61000'],
  ['500 USDT lost of a short', SHORT, 'stopLoss', '500', 'pnl', '61000'],
  ['20 % of the margin at 20 times is 1 %', LONG, 'takeProfit', '20', 'roe', '60600'],
  ['off the tick goes to the nearest', LONG, 'takeProfit', '0.0003', 'percent', '60000.2'],
] as const)('%s', (...row) => {
  const [, scene, name, text, unit, price] = row;
  expect(targetPrice(name, { text, unit }, scene)).toBe(amount(price));
});

test.each([
  ['of a long the tick above', LONG, '60030.01', '60030.1'],
  ['of a short the tick below', SHORT, '59970.09', '59970.0'],
  ['on the tick itself', LONG, '60030.1', '60030.1'],
] as const)('break-even is %s', (_, scene, breakEven, text) => {
  expect(breakEvenEntry(amount(breakEven), scene)).toEqual({ text, unit: 'price' });
});

test.each([
  ['an empty field', LONG, '', 'price'],
  ['zero', LONG, '0', 'percent'],
  ['percent without an entry', { ...LONG, entry: undefined }, '2', 'percent'],
  ['gain without a size', { ...LONG, size: undefined }, '100', 'pnl'],
  ['more than the whole price lost', LONG, '120', 'percent'],
] as const)('%s means no price', (_, scene, text, unit) => {
  expect(targetPrice('stopLoss', { text, unit }, scene)).toBeUndefined();
});

test('what a target brings is after the fee of closing', () => {
  const stats = targetStats(amount('61000'), { ...LONG, feeRate: amount('0.001') });
  expect(stats).toMatchObject({ net: amount('469.5') });
  expect(stats?.roe).toBeCloseTo(31.3, 9);
  expect(stats?.percent).toBeCloseTo(1.6667, 3);
});

test('another leverage changes neither a percentage nor its price: of a return on margin the price alone', () => {
  const at = (leverage: number, unit: TargetUnit, text: string) =>
    targetPrice('takeProfit', { text, unit }, { ...LONG, leverage });
  for (const [unit, text] of [
    ['percent', '2'],
    ['pnl', '500'],
    ['price', '61200'],
  ] as const) {
    expect(at(50, unit, text), unit).toBe(at(20, unit, text));
  }
  expect([at(20, 'roe', '20'), at(50, 'roe', '20')]).toEqual([amount('60600'), amount('60240')]);
});

test('one that sends a limit brings what its limit does, as far away as its trigger', () => {
  const stats = targetStats(amount('61000'), LONG, amount('60800'));
  expect(stats?.net).toBe(amount('400'));
  expect(stats?.percent).toBeCloseTo(1.67, 2);
});

test('a limit begins at its trigger, and goes with the choice', () => {
  const typed = { text: '61000', unit: 'price' } as const;
  const limited = entrySending(typed, 'limit', amount('61000'), amount('0.1'));
  expect(limited).toEqual({ ...typed, limit: '61000.0' });
  expect(targetLimit(limited)).toBe(amount('61000'));
  expect(targetLimit(entrySending(typed, 'limit', undefined, amount('0.1')))).toBe(0n);
  expect(targetLimit(entrySending(limited, 'market', undefined, amount('0.1')))).toBeUndefined();
});

test('a pair has no return on margin', () => {
  expect(targetUnits({ leverage: 1 })).toEqual(['price', 'percent', 'pnl']);
  expect(targetStats(amount('61000'), { ...LONG, leverage: 1 })?.roe).toBeUndefined();
});

test.each([
  ['of a long', '62000', '59000', 2],
  ['of a short', '58500', '61000', 1.5],
  ['without a stop', '62000', undefined, undefined],
  ['of a stop in profit', '62000', '60500', undefined],
  ['of a target that would lose', '58000', '59000', undefined],
  ['of a stop at the entry', '62000', '60000', undefined],
] as const)('reward stands against risk once both are there, %s', (_name, takeProfit, stopLoss, ratio) => {
  const stop = stopLoss === undefined ? undefined : amount(stopLoss);
  expect(rewardToRisk(amount(takeProfit), stop, LONG)).toBe(ratio);
});

test('every unit gives back what was asked for within a tick', () => {
  const units = fc.constantFrom<Exclude<TargetUnit, 'price'>>('percent', 'pnl', 'roe');
  fc.assert(
    fc.property(units, fc.integer({ min: 1, max: 5_000 }), fc.boolean(), (unit, hundredths, long) => {
      const scene = long ? LONG : SHORT;
      const text = (hundredths / 100).toFixed(2);
      const price = targetPrice('takeProfit', { text, unit }, scene);
      // A short cannot gain more than its price.
      if (price === undefined) return;
      const stats = targetStats(price, scene);
      const got =
        unit === 'percent'
          ? Math.abs(stats?.percent ?? 0)
          : unit === 'roe'
            ? (stats?.roe ?? 0)
            : toNumberForDisplay(stats?.net ?? amount('0'));
      // Half a tick is 0.05 USDT: of 0.5 BTC, of 60,000 and of its margin.
      const near = { percent: 0.0001, pnl: 0.026, roe: 0.002 }[unit];
      expect(Math.abs(got - Number(text))).toBeLessThan(near);
    }),
  );
});
