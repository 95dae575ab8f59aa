import {
  AMOUNT_ONE,
  type Amount,
  amount,
  formatAmount,
  type PartTarget,
  plus,
  ZERO,
} from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { payloadHash } from './orders/place-order.ts';
import { bringsTargets, partsBetween, targetFields, targetsOf } from './targets.ts';

/** Targets of an order: as fields of a call and back, and which of several are for what has filled. */

const value = fc.bigInt({ min: 1n, max: 10n ** 30n }).map((digits) => digits as Amount);
const by = fc.constantFrom('last' as const, 'mark' as const, 'index' as const);
const leg = fc.record(
  { trigger: fc.record({ price: value, by }), limit: value },
  { requiredKeys: ['trigger'] },
);
const parts = fc
  .tuple(by, fc.array(fc.record({ price: value, quantity: value }), { minLength: 2, maxLength: 10 }))
  .map(([follows, all]) =>
    all.map(({ price, quantity }): PartTarget => ({ trigger: { price, by: follows }, quantity })),
  );
const targets = fc.oneof(
  fc.record({ takeProfit: leg, stopLoss: leg }, { requiredKeys: [] }),
  fc.record({ takeProfits: parts, stopLoss: leg }, { requiredKeys: ['takeProfits'] }),
  fc.record({
    trailing: fc
      .record(
        { ratio: value, distance: value, activation: value, by: fc.constant('last' as const) },
        { requiredKeys: ['by'] },
      )
      .filter((one) => Object.keys(one).length > 1),
  }),
);

test('targets are the fields that name them, and these the targets again', () => {
  fc.assert(
    fc.property(targets, (given) => {
      expect(targetsOf(targetFields(given))).toEqual(given);
    }),
  );
});

test.each([
  ['nothing', {}, false],
  ['the price that none follows', { takeProfitBy: 'mark' }, false],
  ['a take-profit', { takeProfit: amount('2') }, true],
  ['a limit without its trigger', { stopLossPrice: amount('2') }, true],
  ['several', { takeProfits: [[amount('2'), amount('1')]] }, true],
  ['an empty list of several', { takeProfits: [] }, true],
  ['a trailing stop', { trailingDistance: amount('2') }, true],
  ['where a trailing stop begins', { activation: amount('2') }, true],
] as const)('a form with %s brings targets or not', (_name, fields, brings) => {
  expect(bringsTargets(fields)).toBe(brings);
});

describe('a request is told from one with another split', () => {
  const hashOf = (...pairs: readonly (readonly [string, string])[]) =>
    payloadHash({ takeProfits: pairs.map(([price, quantity]) => [amount(price), amount(quantity)]) });
  const first = hashOf(['120', '1'], ['130', '2']);
  test.each([
    ['in another order', hashOf(['130', '2'], ['120', '1'])],
    ['with other sizes', hashOf(['120', '2'], ['130', '1'])],
    ['with other prices', hashOf(['120', '1'], ['131', '2'])],
    ['with one more', hashOf(['120', '1'], ['130', '1'], ['131', '1'])],
    ['of which prices are sizes', hashOf(['1', '120'], ['2', '130'])],
  ])('%s', (_name, other) => expect(other).not.toBe(first));
  test('and is the same again', () => expect(hashOf(['120', '1'], ['130', '2'])).toBe(first));
});

describe('which of several are for what has filled', () => {
  const several = (...sizes: readonly string[]): readonly PartTarget[] =>
    sizes.map((size, at) => ({
      trigger: { price: amount(String(101 + at)), by: 'last' },
      quantity: amount(size),
    }));
  const shown = (found: readonly PartTarget[]) =>
    found.map(({ trigger, quantity }) => `${formatAmount(quantity)}@${formatAmount(trigger.price)}`);
  test.each([
    ['all of it', ['2', '3'], ['0', '5'], ['2@101', '3@102']],
    ['the first alone', ['2', '3'], ['0', '1.5'], ['1.5@101']],
    ['the first and some of the second', ['2', '3'], ['0', '3.25'], ['2@101', '1.25@102']],
    ['what follows', ['2', '3'], ['3.25', '5'], ['1.75@102']],
    ['a rest too small for an order goes with the part before', ['2', '3'], ['0', '2.05'], ['2.05@101']],
    ['one at the beginning with the part behind', ['2', '3'], ['1.95', '5'], ['3.05@102']],
    ['too small in the middle', ['2', '0.05', '3'], ['0', '4'], ['2.05@101', '1.95@103']],
    ['more than they come to is the last one’s', ['2', '3'], ['0', '6'], ['2@101', '4@102']],
    ['nothing', ['2', '3'], ['5', '5'], []],
  ] as const)('%s', (_name, sizes, [from, to], found) => {
    const stretch = { from: amount(from), to: amount(to), least: amount('0.1') };
    expect(shown(partsBetween(several(...sizes), stretch))).toEqual(found);
  });

  test('wherever an order stops, the parts come to what filled, each at its own price and large enough', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 20 }), (lots, a, b, least) => {
        const of = (count: number) => (BigInt(count) * AMOUNT_ONE) as Amount;
        const all = lots.reduce((sum, count) => sum + count, 0);
        const [from, to] = [a % (all + 1), b % (all + 1)].sort((left, right) => left - right);
        const stretch = { from: of(from ?? 0), to: of(to ?? 0), least: of(least) };
        const found = partsBetween(several(...lots.map(String)), stretch);
        const sum = found.reduce((total, { quantity }) => plus(total, quantity), ZERO);
        expect(sum).toBe(stretch.to - stretch.from);
        if (sum >= stretch.least)
          for (const { quantity } of found) expect(quantity).toBeGreaterThanOrEqual(stretch.least);
        expect(new Set(found.map(({ trigger }) => trigger.price)).size).toBe(found.length);
      }),
    );
  });
});
