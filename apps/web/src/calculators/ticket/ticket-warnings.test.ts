import { amount, type OrderType, SIDE, type Side } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { percentThrough, slippageWarning, throughBookWarning } from './ticket-warnings.ts';

const BOOK = { bestBid: amount('100'), bestAsk: amount('100.5') };

test.each([
  ['a buy that waits', SIDE.BUY, '99', []],
  ['a buy at the ask', SIDE.BUY, '100.5', []],
  ['a buy a little through', SIDE.BUY, '101.5', []],
  ['a buy through', SIDE.BUY, '103', [false]],
  ['a buy far through', SIDE.BUY, '200', [true]],
  ['a sell that waits', SIDE.SELL, '102', []],
  ['a sell through', SIDE.SELL, '97', [false]],
  ['a sell far through', SIDE.SELL, '50', [true]],
] as const)('%s: %s at %s warns %j', (_name, side, price, grave) => {
  expect(throughBookWarning({ side, price: amount(price), ...BOOK }).map((row) => row.grave)).toEqual(grave);
});

test('without a price or a book there is nothing to say', () => {
  expect(percentThrough({ side: SIDE.BUY, price: undefined, ...BOOK })).toBe(0);
  expect(percentThrough({ side: SIDE.BUY, price: amount('1'), bestBid: undefined, bestAsk: undefined })).toBe(
    0,
  );
});

test.each<[string, Side, string, string, readonly boolean[]]>([
  ['within 1 % of it, though the book is far', SIDE.BUY, '103', '102.5', []],
  ['more than 1 % from it, though the book is near', SIDE.SELL, '99', '101', [false]],
  ['more than 5 % from it', SIDE.BUY, '106', '100', [true]],
  ['on the good side of it', SIDE.BUY, '101', '103', []],
  ['where it would wait', SIDE.BUY, '100', '80', []],
])('of a contract the mark is what counts: %s', (_name, ...[side, price, mark, grave]) => {
  const order = { side, price: amount(price), mark: amount(mark), ...BOOK };
  expect(throughBookWarning(order).map((row) => row.grave)).toEqual(grave);
});

test.each<[string, OrderType, number | undefined, readonly boolean[]]>([
  ['half a percent', 2, 50, []],
  ['more than that', 2, 50.1, [false]],
  ['two percent', 2, 200, [false]],
  ['more than two', 2, 200.1, [true]],
  ['a limit', 1, 500, []],
  ['nobody knows', 2, undefined, []],
])('of a market order that slips: %s', (_name, type, slippageBp, grave) => {
  const walk =
    slippageBp === undefined ? undefined : { slippageBp, average: amount('1'), covered: amount('1') };
  expect(slippageWarning(type, walk).map((row) => row.grave)).toEqual(grave);
});
