import { amount, formatAmount, SIDE } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { makerBound } from './maker-bound.ts';

const cases: readonly (readonly [string, string, string | undefined, string | undefined])[] = [
  ['a buy at the ask', 'buy 100.1', '100.1', '100'],
  ['a buy above the ask', 'buy 103', '100.1', '100'],
  ['a buy below it', 'buy 100', '100.1', undefined],
  ['a sell at the bid', 'sell 99.9', '99.9', '100'],
  ['a sell above it', 'sell 100', '99.9', undefined],
  ['a sell while no bid is known', 'sell 1', undefined, undefined],
];

test.each(cases)('%s (%s against %s) would have to wait at %s', (_what, order, best, waits) => {
  const [side, price = ''] = order.split(' ');
  const other = best === undefined ? undefined : amount(best);
  const book = { other, tickSize: amount('0.1') };
  const bound = makerBound(side === 'buy' ? SIDE.BUY : SIDE.SELL, amount(price), book);
  expect(bound === undefined ? undefined : formatAmount(bound)).toBe(waits);
});
