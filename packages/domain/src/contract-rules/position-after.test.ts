import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Amount, amount, formatAmount } from '../amount.ts';
import { text } from './btcusdt-perp.fixture.ts';
import { positionAfter, profitOfClosing, realisedEstimate } from './position-after.ts';

const sized = (quantity: string, entryPrice: string) => ({
  quantity: amount(quantity),
  entryPrice: amount(entryPrice),
});

describe('a fill', () => {
  test.each([
    ['opens a long', undefined, '0.3 60000', '0.3 @ 60000', '0 0.3'],
    ['opens a short', undefined, '-0.3 60000', '-0.3 @ 60000', '0 0.3'],
    ['opens where a flat position is remembered', sized('0', '1'), '-0.3 60000', '-0.3 @ 60000', '0 0.3'],
    ['grows a short', sized('-0.3', '60000'), '-0.1 62000', '-0.4 @ 60500', '0 0.1'],
    ['shrinks a short', sized('-0.3', '60000'), '0.1 62000', '-0.2 @ 60000', '0.1 0'],
    ['shrinks a long', sized('0.3', '60000'), '-0.1 62000', '0.2 @ 60000', '0.1 0'],
    ['turns a short', sized('-0.3', '60000'), '0.5 62000', '0.2 @ 62000 turned', '0.3 0.2'],
    ['turns a long', sized('0.3', '60000'), '-0.5 62000', '-0.2 @ 62000 turned', '0.3 0.2'],
    ['closes a short', sized('-0.3', '60000'), '0.3 62000', 'flat', '0.3 0'],
    ['closes a long', sized('0.3', '60000'), '-0.3 62000', 'flat', '0.3 0'],
    ['of nothing leaves nothing', undefined, '0 62000', 'flat', '0 0'],
  ])('%s', (...[, before, fill, expected, parts]) => {
    const [quantity = '', price = ''] = fill.split(' ');
    const { after, closed, opened, turned } = positionAfter(before, {
      quantity: amount(quantity),
      price: amount(price),
    });
    const shown =
      after === undefined ? 'flat' : `${formatAmount(after.quantity)} @ ${formatAmount(after.entryPrice)}`;
    expect(`${shown}${turned ? ' turned' : ''}`).toBe(expected);
    expect(`${formatAmount(closed)} ${formatAmount(opened)}`).toBe(parts);
  });
});

describe('closing', () => {
  const cent = amount('0.01');
  test.each([
    ['a long ahead', '2', '60000', '60100.5', '2.01'],
    ['a long behind', '2', '60000', '59899.5', '-2.01'],
    ['a short ahead', '-2', '60000', '59899.5', '2.01'],
    ['a short behind', '-2', '60000', '60100.5', '-2.01'],
    ['at the entry', '2', '60000', '60000', '0'],
  ])('%s', (...[, quantity, entry, price, profit]) => {
    const close = { quantity: amount('2'), price: amount(price) };
    expect(text(profitOfClosing(sized(quantity, entry), close, cent))).toBe(profit);
  });

  test('rounds against the member at the last digit, and the fee up', () => {
    const one = { quantity: 1n as Amount, price: amount('1.5') };
    const facts = { contractValue: amount('1'), feeRate: amount('0.1') };
    // Half a digit of profit is none, half a digit of loss is one; of a digit and a half in value two are paid for.
    expect(profitOfClosing(sized('1', '1'), one, facts.contractValue)).toBe(0n);
    expect(profitOfClosing(sized('1', '2'), one, facts.contractValue)).toBe(-1n);
    expect(realisedEstimate(sized('1', '1'), one, facts)).toBe(-1n);
  });

  const steps = fc.bigInt({ min: 1n, max: 10n ** 9n }).map((count) => (count * 10n ** 12n) as Amount);
  test('a long and the short beside it realise nothing together, but what is rounded', () => {
    fc.assert(
      fc.property(steps, steps, steps, (quantity, entryPrice, price) => {
        const [long, short] = [quantity, -quantity as Amount].map((signed) =>
          profitOfClosing({ quantity: signed, entryPrice }, { quantity, price }, amount('1')),
        );
        const sum = (long ?? 0n) + (short ?? 0n);
        return sum === 0n || sum === -1n;
      }),
      { seed: 20261123, numRuns: 200 },
    );
  });
});
