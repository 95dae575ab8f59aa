import type { OrderRow } from '@crossbook/contract';
import { expect, test } from 'vitest';
import { askedFor, averagePrice, filledPercent, fromMarket, orderedValue, shown } from './order-values.ts';

const order: OrderRow = {
  orderId: '0190a000-0000-7000-8000-000000000000',
  exchange: 1,
  symbolType: 'SPOT',
  symbol: 'BTCUSDT',
  side: 1,
  effect: 0,
  ...{ reduceOnly: false, marginMode: null, leverage: null, cause: 'order' as const, realisedPnl: null },
  orderType: 1,
  timeInForce: 1,
  price: '65000.10',
  quantity: '3',
  quoteQuantity: null,
  visibleQuantity: null,
  cumQuantity: '0',
  cumQuote: '0',
  status: 2,
  cancelPending: false,
  change: null,
  settled: false,
  reason: null,
  createdAt: 1,
  updatedAt: 1,
};

test('an order without fills has no average and nothing filled', () => {
  expect([averagePrice(order), filledPercent(order)]).toEqual(['–', 0]);
});

test('the average is what was paid per unit, cut to the digits of the price', () => {
  const row = { ...order, cumQuantity: '1.5', cumQuote: '97500.0205' };
  expect([averagePrice(row), filledPercent(row)]).toEqual(['65,000.01', 50]);
});

test('a market buy by amount shows the amount and fills by it', () => {
  const row = {
    ...order,
    price: null,
    quantity: null,
    quoteQuantity: '1000',
    cumQuantity: '0.01',
    cumQuote: '650',
  };
  expect([askedFor(row), averagePrice(row), filledPercent(row)]).toEqual(['≈ 1,000', '65,000.00', 65]);
});

test.each([
  ['70000', 2, '70,000.00'],
  ['70000.123', 2, '70,000.123'],
  ['0.01', 5, '0.01000'],
  ['12', 0, '12'],
  [null, 2, '–'],
])('%s with %i digits reads %s', (decimal, digits, text) => {
  expect(shown(decimal, digits)).toBe(text);
});

test.each([
  ['64350', '65000', '−1.00%'],
  ['65650', '65000', '+1.00%'],
  ['65000', undefined, '–'],
  [null, '65000', '–'],
] as const)('a price of %s is %s away: %s', (price, last, distance) => {
  expect(fromMarket(price, last)).toBe(distance);
});

test('an order is worth what it would pay at its own price, and a market buy what it spends', () => {
  expect(orderedValue(order)).toBe('195,000.30');
  expect(orderedValue({ ...order, price: null, quantity: null, quoteQuantity: '1000' })).toBe('1,000.00');
  expect(orderedValue({ ...order, price: null })).toBe('–');
});
