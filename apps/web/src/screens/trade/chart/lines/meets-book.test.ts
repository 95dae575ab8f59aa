import { amount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { atBook } from './meets-book.ts';

const BEST = { bid: amount('99.9'), ask: amount('100.1') };
const NOBODY = { bid: undefined, ask: undefined };
const BUY = { side: 1, timeInForce: 1 } as const;
const SELL = { side: 2, timeInForce: 1 } as const;

test.each([
  ['a bid below the best ask', BUY, '100.0', BEST, 'rests'],
  ['a bid at it', BUY, '100.1', BEST, 'fills'],
  ['a bid through the book', BUY, '120', BEST, 'fills'],
  ['an ask above the best bid', SELL, '100', BEST, 'rests'],
  ['an ask at it', SELL, '99.9', BEST, 'fills'],
  ['one that may only rest', { ...BUY, timeInForce: 4 }, '100.1', BEST, 'refused'],
  ['one that may only rest, and does', { ...SELL, timeInForce: 4 }, '100', BEST, 'rests'],
  ['one that nobody stands against', BUY, '120', NOBODY, 'rests'],
] as const)('%s', (...row) => {
  const [, order, price, best, fate] = row;
  expect(atBook(order, price, best)).toBe(fate);
});
