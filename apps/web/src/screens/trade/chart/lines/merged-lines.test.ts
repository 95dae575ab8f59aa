import { expect, test } from 'vitest';
import type { ChartLine } from '../chart-port.ts';
import { mergedLines } from './merged-lines.ts';

const line = (price: number, ofOrder = true): ChartLine => ({
  ...{ id: `${ofOrder ? 'order' : 'position'} ${price}`, price, priceText: String(price), label: 'one' },
  ...{ tone: 'up', stroke: 'dashed', draggable: ofOrder, ofOrder },
});
/** Two pixels a dollar from 200 down; prices below 50 are out of sight. */
const yOf = (price: number): number | undefined => (price < 50 ? undefined : 2 * (200 - price));
const merge = (crowd: readonly ChartLine[]): ChartLine => ({
  ...line(crowd.reduce((sum, { price }) => sum + price, 0) / crowd.length),
  ...{ id: 'crowd', label: `${crowd.length} orders`, draggable: false },
});
const from = (price: number, count: number) => Array.from({ length: count }, (_, at) => line(price + at));
const shown = (lines: readonly ChartLine[]) =>
  mergedLines(lines, yOf, merge).map(({ id, price, label }) =>
    id === 'crowd' ? `${label} at ${price}` : id,
  );

test('eight orders side by side stay apart', () => {
  expect(shown(from(100, 8))).toEqual(from(100, 8).map(({ id }) => id));
});

test('nine within twenty pixels are one line at their middle; what stands beyond them stays', () => {
  expect(shown([...from(100, 9), line(150)])).toEqual(['order 150', '9 orders at 104']);
  // Eleven dollars are twenty pixels, the twelfth order is beyond them.
  expect(shown(from(100, 12))).toEqual(['order 100', '11 orders at 106']);
});

test('two crowds are two lines', () => {
  expect(shown([...from(100, 9), ...from(140, 10)])).toEqual(['10 orders at 144.5', '9 orders at 104']);
});

test('a position is no order, and what is out of sight is in no crowd', () => {
  const position = line(104.5, false);
  expect(shown([position, ...from(100, 8)])).toHaveLength(9);
  expect(shown([position, ...from(100, 9)])).toEqual(['position 104.5', '9 orders at 104']);
  expect(shown(from(10, 20))).toHaveLength(20);
});
