import { formatAmount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { closingOrdersOf, namedOrders } from './close-orders.ts';
import { CONTRACT, contractOrder } from './contract.fixture.ts';
import { positionFixture } from './position.fixture.ts';

const CLOSES = { side: 2, effect: 0, reduceOnly: true, marginMode: 'cross' } as const;

test.each([
  ['one that sells a long reduce-only', {}, true],
  ['one that adds', { side: 1 }, false],
  ['one that may flip', { reduceOnly: false }, false],
  ['one of another contract', { symbol: 'ETHUSDT' }, false],
  ['one of another exchange', { exchange: 2 }, false],
  ['one of a leg', { effect: 1 }, false],
  ['one of the position in the other margin mode', { marginMode: 'isolated' }, false],
] as const)('%s (%j) is in the way of closing: %s', (_what, change, inTheWay) => {
  const found = closingOrdersOf(positionFixture(), [contractOrder({ ...CLOSES, ...change })]);
  expect(found).toHaveLength(inTheWay ? 1 : 0);
});

test('an order is named by what is left of it', () => {
  const half = contractOrder({ ...CLOSES, quantity: '0.03', cumQuantity: '0.01', price: '61000' });
  const [named] = namedOrders([half], CONTRACT);
  expect([named && formatAmount(named.coins), named?.price]).toEqual(['0.02', '61000']);
});
