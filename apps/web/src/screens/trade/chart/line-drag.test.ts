import { expect, test } from 'vitest';
import type { ChartLine } from './chart-port.ts';
import { lineAt } from './line-drag.ts';

const line = (id: string, price: number, draggable: boolean): ChartLine => ({
  ...{ id, price, draggable, priceText: String(price), label: id, tone: 'up', dashed: true },
});
const LINES = [line('order', 100, true), line('stop', 106, true), line('position', 103, false)];
/** One pixel a dollar, prices below 50 are out of sight. */
const yOf = (price: number): number | undefined => (price < 50 ? undefined : 200 - price);

test.each([
  ['on it', 100, 'order'],
  ['the nearest of two', 96, 'stop'],
  ['one that cannot be moved is looked through', 98, 'order'],
  ['too far', 120, undefined],
])('a pointer takes hold of a line: %s', (_, y, id) => {
  expect(lineAt(LINES, y, yOf, 5)).toBe(id);
});

test('what is out of sight is not taken hold of', () => {
  expect(lineAt([line('far', 10, true)], 190, yOf, 5)).toBeUndefined();
});
