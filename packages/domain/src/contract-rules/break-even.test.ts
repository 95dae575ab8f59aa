import { expect, test } from 'vitest';
import { amount } from '../amount.ts';
import { breakEvenAfterOrder } from './break-even.ts';
import { DIRECTIONS, held, NETTED, order, sceneAt, text } from './btcusdt-perp.fixture.ts';

const FEE_COUNTS = {
  terms: { ...DIRECTIONS, breakEvenFeeMin: amount('0.00055') },
  takerFee: amount('0.0005'),
};
const even = (price: string) => ({ breakEvenPrice: amount(price) });
const long = { side: 1 } as const;
const short = { side: 2 } as const;

test.each([
  ['a long that is opened: its fee', {}, order('BUY 1 2000'), '2001'],
  ['a short that is opened', {}, order('SELL 1 2000'), '1999'],
  [
    'both fees, that of closing at its least',
    { ...FEE_COUNTS, takerFee: amount('0.00055') },
    order('BUY 0.5 60000'),
    '60066.1',
  ],
  ['a fee below the least of closing', FEE_COUNTS, order('BUY 0.5 60000'), '60063.1'],
  [
    'what is added to a long',
    { positions: [held('1', '60000', even('60030'))] },
    order('BUY 1 62000'),
    '61030.5',
  ],
  [
    'a part closed with a profit',
    { positions: [held('2', '60000', even('60030'))] },
    order('SELL 1 61000'),
    '59090.5',
  ],
  [
    'a part closed with a loss',
    { positions: [held('-2', '60000', even('59970'))] },
    order('BUY 1 61000'),
    '58909.5',
  ],
  [
    'so much won that any price would do',
    { positions: [held('2', '100', even('100'))] },
    order('SELL 1 300'),
    undefined,
  ],
  ['all of it closed', { positions: [held('2', '60000', even('60030'))] }, order('SELL 2 61000'), undefined],
  [
    'more than all, reduce-only',
    { positions: [held('2', '60000')] },
    { ...order('SELL 9 61000'), reduceOnly: true },
    undefined,
  ],
  [
    'turned: the new side alone',
    { positions: [held('0.2', '50000', even('50025'))] },
    order('SELL 0.3 60000'),
    '59970',
  ],
  [
    'what the exchange does not state of it',
    { positions: [held('1', '60000')] },
    order('BUY 1 60000'),
    '60015',
  ],
  [
    'a short leg beside a long one',
    { positions: [held('1', '60000', { ...long, ...even('60030') })] },
    { ...order('SELL 1 60000'), ...short },
    '59970',
  ],
  [
    'at market: the best ask and what is added to it',
    { bestAsk: amount('60000') },
    order('BUY 1'),
    '60060.1',
  ],
])('where a position is even after an order: %s', (_, change, wanted, price) => {
  expect(text(breakEvenAfterOrder(wanted, sceneAt('60000', { terms: NETTED, ...change })))).toBe(price);
});
