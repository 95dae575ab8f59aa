import { expect, test } from 'vitest';
import { inOrder, nextStanding, nextTableOrder, readTableOrders, writeTableOrder } from './table-order.ts';

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

test('figures change the order at a beat alone, rows that come or go at once, and nothing moves while it is held', () => {
  const wanted = { by: 'value:desc', beat: 0, held: false };
  const first = nextStanding(undefined, { ...wanted, sorted: () => ['b', 'a'] }, ['a', 'b']);
  const after = (next: Partial<typeof wanted>, sorted: readonly string[], names = ['a', 'b']) =>
    nextStanding(first, { ...wanted, ...next, sorted: () => sorted }, names).names;
  expect(first.names).toEqual(['b', 'a']);
  expect(after({}, ['a', 'b'])).toEqual(['b', 'a']);
  expect(after({}, ['a', 'b'], ['b', 'a'])).toEqual(['b', 'a']);
  expect(after({ beat: 1 }, ['a', 'b'])).toEqual(['a', 'b']);
  expect(after({}, ['c', 'b', 'a'], ['a', 'b', 'c'])).toEqual(['c', 'b', 'a']);
  // Under the pointer a new row comes last and one that went leaves its place.
  expect(after({ held: true }, ['c', 'b', 'a'], ['a', 'b', 'c'])).toEqual(['b', 'a', 'c']);
  expect(after({ held: true }, ['a'], ['a'])).toEqual(['a']);
  expect(after({ held: true, by: 'value:asc' }, ['a', 'b'])).toEqual(['a', 'b']);
});

test('rows without an order stand as they come, the newest first, and a new one waits below while they are held', () => {
  const wanted = { by: 'undefined', beat: 0, held: false };
  const first = nextStanding(undefined, wanted, ['2', '1']);
  expect(nextStanding(first, wanted, ['1', '2']).names).toEqual(['1', '2']);
  expect(nextStanding(first, wanted, ['3', '2', '1']).names).toEqual(['3', '2', '1']);
  const held = nextStanding(first, { ...wanted, held: true }, ['3', '2', '1']);
  expect(held.names).toEqual(['2', '1', '3']);
  expect(nextStanding(held, { ...wanted, beat: 1 }, ['3', '2', '1']).names).toEqual(['3', '2', '1']);
});
