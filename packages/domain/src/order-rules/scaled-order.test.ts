import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { type Amount, amount, formatAmount } from '../amount.ts';
import { SIDE, TIME_IN_FORCE } from '../order.ts';
import { BTCUSDT, MARKET_FACTS } from './btcusdt.fixture.ts';
import { type ScaledFault, type ScaledOrder, scaledFault, scaledParts } from './scaled-order.ts';

const GOOD: ScaledOrder = {
  ...{ from: amount('100'), to: amount('90'), count: 5, skew: 0, quantity: amount('1') },
};
const TERMS = { instrument: BTCUSDT, side: SIDE.BUY, timeInForce: TIME_IN_FORCE.GTC };
const faultOf = (part: Partial<ScaledOrder>) => scaledFault({ ...GOOD, ...part }, TERMS, MARKET_FACTS);
const written = (part: Partial<ScaledOrder>) =>
  scaledParts({ ...GOOD, ...part }, BTCUSDT)
    .map(({ price, quantity }) => `${formatAmount(quantity)}@${formatAmount(price)}`)
    .join(' ');

describe('the orders of a scaled order', () => {
  test.each<[string, Partial<ScaledOrder>, string]>([
    ['are alike without a skew', {}, '0.2@100 0.2@97.5 0.2@95 0.2@92.5 0.2@90'],
    ['give what is left over to the first', { count: 3 }, '0.334@100 0.333@95 0.333@90'],
    ['stand on the nearest tick', { count: 4, to: amount('99.5') }, '0.25@100 0.25@99.8 0.25@99.7 0.25@99.5'],
    ['go up as well', { to: amount('110'), count: 3 }, '0.334@100 0.333@105 0.333@110'],
    ['end n + 1 times as large with skew n', { count: 2, skew: 3 }, '0.2@100 0.8@90'],
    ['begin as large with skew -n', { count: 2, skew: -3 }, '0.8@100 0.2@90'],
    ['grow evenly between', { count: 3, skew: 2, quantity: amount('0.6') }, '0.1@100 0.2@95 0.3@90'],
  ])('%s', (_claim, part, parts) => {
    expect(written(part)).toBe(parts);
  });

  test('make up the size to the lot, stand on ticks from end to end, each at a price of its own, sizes in order', () => {
    const ticks = fc.bigInt({ min: 1n, max: 10n ** 7n });
    const steps = fc.constantFrom('0.00000001', '0.001', '0.05', '1', '25').map(amount);
    const asked = fc.record({
      ...{ first: ticks, away: fc.bigInt({ min: 19n, max: 10n ** 6n }), up: fc.boolean() },
      ...{ count: fc.integer({ min: 2, max: 20 }), skew: fc.integer({ min: -3, max: 3 }) },
      ...{ lots: fc.bigInt({ min: 0n, max: 10n ** 12n }), tickSize: steps, lotSize: steps },
    });
    fc.assert(
      fc.property(asked, ({ first, away, up, count, skew, lots, tickSize, lotSize }) => {
        const [near, far] = [first * tickSize, (first + away) * tickSize] as [Amount, Amount];
        const [from, to] = up ? [near, far] : [far, near];
        const quantity = (lots * lotSize) as Amount;
        const parts = scaledParts({ from, to, count, skew, quantity }, { tickSize, lotSize });
        const sizes = parts.map((part) => part.quantity);
        const prices = parts.map(({ price }) => price);
        expect(sizes).toHaveLength(count);
        expect(sizes.reduce((sum, size) => sum + size, 0n)).toBe(quantity);
        expect([prices[0], prices.at(-1)]).toEqual([from, to]);
        for (const [at, { price, quantity: size }] of parts.entries()) {
          expect([price % tickSize, size % lotSize, size >= 0n]).toEqual([0n, 0n, true]);
          const before = parts[at - 1];
          if (before === undefined) continue;
          expect(up ? price > before.price : price < before.price).toBe(true);
          expect(skew > 0 ? size >= before.quantity : size <= before.quantity).toBe(true);
        }
        // No order is a lot or more away from its exact share.
        const weights = prices.map((_, at) => count - 1 + Math.abs(skew) * (skew < 0 ? count - 1 - at : at));
        const all = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
        for (const [at, size] of sizes.entries()) {
          const off = (size / lotSize) * all - lots * BigInt(weights[at] ?? 0);
          expect(off > -all && off < all).toBe(true);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('a scaled order', () => {
  test.each<[string, Partial<ScaledOrder>, ScaledFault]>([
    [
      'beginning between ticks',
      { from: amount('100.05') },
      { name: 'price-step', field: 'from', allowed: ['0.1'] },
    ],
    ['ending between ticks', { to: amount('90.01') }, { name: 'price-step', field: 'to', allowed: ['0.1'] }],
    [
      'ending where it begins',
      { to: amount('100') },
      { name: 'field-invalid', field: 'to', allowed: ['not 100'] },
    ],
    [
      'of more orders than there are prices',
      { to: amount('99.8') },
      { name: 'field-invalid', field: 'count', allowed: ['2 – 3'] },
    ],
    [
      'of a size between lots',
      { quantity: amount('1.0005') },
      { name: 'quantity-step', field: 'quantity', allowed: ['0.001'] },
    ],
    [
      'of fewer lots than orders',
      { quantity: amount('0.004') },
      { name: 'quantity-range', field: 'quantity', allowed: ['≥ 0.005'] },
    ],
    [
      'one order of which is worth too little',
      { quantity: amount('0.264') },
      { name: 'notional-too-small', field: 'quantity', allowed: ['5 USDT'], part: 4 },
    ],
    [
      'one order of which is too large',
      { quantity: amount('6000') },
      { name: 'quantity-range', field: 'quantity', allowed: ['0.001', '1000'], part: 1 },
    ],
    [
      'ending outside the prices that are taken',
      { to: amount('0.5'), quantity: amount('1000') },
      { name: 'price-range', field: 'to', allowed: ['1', '1000000'], part: 5 },
    ],
  ])('%s is refused at its field', (_claim, part, fault) => {
    expect(faultOf(part)).toEqual(fault);
  });

  test('that keeps the rules of an order with each of its orders has no fault', () => {
    expect(faultOf({})).toBeUndefined();
  });

  test('breaks only rules that hold for it', () => {
    const closing = scaledFault({ ...GOOD, quantity: amount('0.005') }, TERMS, MARKET_FACTS, [
      'notional-too-small',
    ]);
    expect(closing).toBeUndefined();
  });
});
