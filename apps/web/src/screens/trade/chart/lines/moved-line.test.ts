import { formatAmount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import type { ChartLine } from '../chart-port.ts';
import { leftBehind, movedLine } from './moved-line.ts';

const ORDER: ChartLine = {
  ...{ id: 'order 1', price: 100, priceText: '100.0', label: 'Buy 0.02', tone: 'up', stroke: 'dashed' },
  draggable: true,
};
const STOP: ChartLine = {
  ...ORDER,
  id: 'algo 1 triggerPrice',
  at: (price, limitToo) => ({ label: `Stop at ${formatAmount(price)}${limitToo ? ' with its limit' : ''}` }),
};
const POSITION: ChartLine = {
  ...{ ...ORDER, id: 'position 1', label: 'Long', draggable: false, stroke: 'solid', pulled: true },
  at: () => ({ label: 'SL whole', tone: 'down' }),
};

test('an order says how far from the market it would be', () => {
  const moved = movedLine(ORDER, { price: '1010.5', last: 1000 });
  expect(moved).toMatchObject({
    id: 'order 1',
    price: 1010.5,
    priceText: '1,010.5',
    label: 'Buy 0.02 (+1.05%)',
  });
  expect(movedLine(ORDER, { price: '90' }).label).toBe('Buy 0.02');
});

test('a line that knows what it means at a price says that', () => {
  expect(movedLine(STOP, { price: '90', last: 100 }).label).toBe('Stop at 90');
  expect(movedLine(STOP, { price: '90', last: 100, limitToo: true }).label).toBe('Stop at 90 with its limit');
});

test('what is moved leaves a faint line where it was', () => {
  expect(leftBehind(ORDER)).toMatchObject({ id: 'order 1 before', price: 100, tone: 'faint', label: '' });
});

test('a position stays, and another line is pulled out of it', () => {
  expect(leftBehind(POSITION)).toBe(POSITION);
  expect(movedLine(POSITION, { price: '90', last: 100 })).toMatchObject({
    ...{ id: 'position 1 pulled', price: 90, label: 'SL whole', tone: 'down', stroke: 'dashed' },
  });
});
