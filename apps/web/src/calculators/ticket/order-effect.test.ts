import { amount, formatAmount, SIDE, ZERO } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { orderEffect, type SizedPosition } from './order-effect.ts';

type Order = Parameters<typeof orderEffect>[0];
const order = (change: Partial<Order> = {}): Order => ({
  ...{ side: SIDE.BUY, size: amount('0.5'), price: amount('60000'), onlyCloses: false },
  ...change,
});
const long = (size: string, entry = '60000'): SizedPosition => ({
  ...{ side: SIDE.BUY, size: amount(size), entry: amount(entry) },
});
const short = (size: string, entry = '60000'): SizedPosition => ({ ...long(size, entry), side: SIDE.SELL });
const shown = (position: SizedPosition | undefined) =>
  position === undefined
    ? 'flat'
    : `${position.side === SIDE.BUY ? 'long' : 'short'} ${formatAmount(position.size)} @ ${formatAmount(position.entry)}`;

describe('an order and the position that it meets', () => {
  test.each([
    ['opens', undefined, order(), 'long 0.5 @ 60000', '0/0.5'],
    ['adds and averages', long('0.5', '62000'), order(), 'long 1 @ 61000', '0/0.5'],
    ['closes a part', short('0.8'), order(), 'short 0.3 @ 60000', '0.5/0'],
    ['closes all', short('0.5'), order(), 'flat', '0.5/0'],
    ['flips', short('0.2', '61000'), order(), 'long 0.3 @ 60000', '0.2/0.3'],
    ['never flips where it only closes', short('0.2'), order({ onlyCloses: true }), 'flat', '0.2/0'],
    ['closes nothing of its own side', long('0.2'), order({ onlyCloses: true }), 'long 0.2 @ 60000', '0/0'],
  ] as const)('%s', (...[, position, sent, ...outcome]) => {
    const { closing, opening, after, flips } = orderEffect(sent, position);
    expect([shown(after), `${formatAmount(closing)}/${formatAmount(opening)}`]).toEqual(outcome);
    expect(flips).toBe(position?.side === SIDE.SELL && opening > ZERO);
  });
});
