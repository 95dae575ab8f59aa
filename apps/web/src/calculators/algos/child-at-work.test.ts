import type { AlgoRow, OrderRow } from '@crossbook/contract';
import { expect, test } from 'vitest';
import { childAtWork } from './child-at-work.ts';

const order = (orderId: string, quantity: string | null = '1') => ({ orderId, quantity }) as OrderRow;
const open = new Map([order('a'), order('b', null)].map((row) => [row.orderId, row]));

test.each<[AlgoRow['state'], readonly string[], string | undefined]>([
  ['fired', ['a'], 'a'],
  ['fired', ['gone', 'a'], 'a'],
  ['fired', ['gone'], undefined],
  ['fired', ['b'], undefined],
  ['fired', [], undefined],
  ['waiting', ['a'], undefined],
])('of one that is %s with the orders %j the work of %s is told', (state, ids, found) => {
  const children = ids.map((orderId) => ({ orderId, leg: null }));
  expect(childAtWork({ state, children }, open)?.orderId).toBe(found);
});
