import type { OrderRow } from '@crossbook/contract';
import { amount, formatAmount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { contractOrder } from './contract.fixture.ts';
import { heldBackByOrders, spotBuysHold } from './held-back.ts';

const half = { quantity: '10', cumQuantity: '5', price: '60000' };
const known = { contractValue: amount('0.01'), takerFee: amount('0.0005') };

// Five contracts of 0.01 at 60,000 are worth 3,000; the fee of that is 1.5.
test.each<[string, Partial<OrderRow>, string]>([
  ['a cross order its fee', half, '1.5'],
  ['an isolated order margin and fee', { ...half, marginMode: 'isolated', leverage: 20 }, '151.5'],
  ['a spot buy its money', { ...half, symbolType: 'SPOT' }, '3000'],
  ['a spot sale no quote', { ...half, symbolType: 'SPOT', side: 2 }, '0'],
  ['an order on what is not known nothing', { ...half, symbol: 'OTHER' }, '0'],
  ['an order without price nothing', { ...half, price: null }, '0'],
])('of cross equity %s', (_name, change, held) => {
  const found = heldBackByOrders([contractOrder(change)], (_type, symbol) =>
    symbol === 'BTCUSDT' ? known : undefined,
  );
  expect(formatAmount(found)).toBe(held);
});

test('spot orders hold what is left of their buys, at their own price', () => {
  const spot = { symbolType: 'SPOT', price: '60000' } as const;
  const orders = [
    contractOrder({ ...spot, quantity: '0.5', cumQuantity: '0.4' }),
    contractOrder({ ...spot, quantity: '9', side: 2 }),
    contractOrder({ price: '60000', quantity: '9' }),
  ];
  expect(formatAmount(spotBuysHold(orders))).toBe('6000');
});
