import type { AlgoRow } from '@crossbook/contract';
import { amount, SIDE } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { pulledTarget, triggerChange } from './moved-trigger.ts';

const leg = (triggerPrice: string | null, price: string | null) =>
  ({ triggerPrice, price, triggerBy: 'last' }) as const;
const STOP: Pick<AlgoRow, 'takeProfit' | 'stopLoss'> = {
  takeProfit: null,
  stopLoss: leg('58000', '57900.5'),
};
const TARGET = { takeProfit: leg('62000', '62010'), stopLoss: null };
const PAIR = { takeProfit: leg('62000', '62010'), stopLoss: leg('58000', '57900') };
const MARKET = { takeProfit: null, stopLoss: leg('58000', null) };

test.each([
  ['alone without Shift', STOP, 'triggerPrice', '58100', false, { triggerPrice: '58100' }],
  ['with its limit', STOP, 'triggerPrice', '58100', true, { triggerPrice: '58100', price: '58000.5' }],
  ['down with its limit', TARGET, 'triggerPrice', '61000', true, { triggerPrice: '61000', price: '61010' }],
  [
    'of a pair with its own limit',
    PAIR,
    'stopLoss',
    '59000',
    true,
    { stopLoss: '59000', stopLossPrice: '58900' },
  ],
  ['of a pair', PAIR, 'takeProfit', '63000', true, { takeProfit: '63000', takeProfitPrice: '63010' }],
  ['with no limit behind it', MARKET, 'triggerPrice', '58100', true, { triggerPrice: '58100' }],
  ['so far down that no limit is left', STOP, 'triggerPrice', '50', true, { triggerPrice: '50' }],
] as const)('a trigger moves %s', (...row) => {
  const [, algo, field, price, limitToo, change] = row;
  expect(triggerChange(algo, field, amount(price), limitToo)).toEqual(change);
});

test.each([
  ['above the market of a long', SIDE.BUY, '61000', 'takeProfit'],
  ['below the market of a long, though above its entry', SIDE.BUY, '60500', 'stopLoss'],
  ['below the market of a short', SIDE.SELL, '60500', 'takeProfit'],
  ['above the market of a short', SIDE.SELL, '61000', 'stopLoss'],
] as const)('a price pulled %s', (_, side, price, target) => {
  expect(pulledTarget(side, amount(price), amount('60800'))).toBe(target);
});
