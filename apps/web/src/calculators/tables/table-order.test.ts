import { expect, test } from 'vitest';
import { inOrder, nextTableOrder, readTableOrders, writeTableOrder } from './table-order.ts';

test('a press on a head goes largest first, smallest first, as it came; another head begins anew', () => {
  const first = nextTableOrder(undefined, 'value');
  const second = nextTableOrder(first, 'value');
  expect([first, second, nextTableOrder(second, 'value'), nextTableOrder(second, 'price')]).toEqual([
    { column: 'value', direction: 'desc' },
    { column: 'value', direction: 'asc' },
    undefined,
    { column: 'price', direction: 'desc' },
  ]);
});

test('orders are kept by table, and one that is forgotten leaves the others', () => {
  const one = writeTableOrder('', 'positions', { column: 'value', direction: 'desc' });
  const two = writeTableOrder(one, 'open', { column: 'time', direction: 'asc' });
  expect(two).toBe('positions=value:desc;open=time:asc');
  expect(writeTableOrder(two, 'positions', undefined)).toBe('open=time:asc');
  expect(readTableOrders('nonsense;open=time:asc;x=y:up')).toEqual(
    new Map([['open', { column: 'time', direction: 'asc' }]]),
  );
});

test.each([
  ['asc', ['a1', 'a2', 'b', 'c']],
  ['desc', ['c', 'b', 'a1', 'a2']],
] as const)('%s: rows that are equal stay as they came', (direction, names) => {
  const rows = [
    { name: 'c', key: 3n },
    { name: 'a1', key: 1n },
    { name: 'b', key: 2n },
    { name: 'a2', key: 1n },
  ];
  expect(inOrder(rows, (row) => row.key, direction).map((row) => row.name)).toEqual(names);
});
