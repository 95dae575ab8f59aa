import type { FillRow } from '@crossbook/contract';
import { amount, formatAmount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { contractOrder } from '../contracts/contract.fixture.ts';
import { FILL_MARKS_MAX, fillMarks, restingOrders } from './chart-marks.ts';

const MINUTE = 60_000;
const fill = (time: number, change: Partial<FillRow> = {}): FillRow => ({
  ...{ tradeId: String(time), orderId: 'o', exchange: 1, symbolType: 'SWAP', symbol: 'BTCUSDT', side: 1 },
  ...{ price: '100', quantity: '1', quoteQuantity: '100', fee: '0', feeAsset: 'USDT', maker: false, time },
  ...{ effect: 0, realisedPnl: null, cause: 'trade' },
  ...change,
});

test('fills of one bar and side are one arrow, with their size and average price', () => {
  const fills = [
    fill(MINUTE + 1),
    fill(MINUTE + 2, { price: '110', quantity: '3' }),
    fill(MINUTE + 3, { side: 2 }),
    fill(2 * MINUTE),
  ];
  const marks = fillMarks(fills, '1m', amount('0.01'));
  expect(marks.map(({ time, side, price, size }) => [time, side, price, formatAmount(size)])).toEqual([
    [MINUTE, 1, 107.5, '0.04'],
    [MINUTE, 2, 100, '0.01'],
    [2 * MINUTE, 1, 100, '0.01'],
  ]);
});

test('of many the newest are drawn', () => {
  const fills = Array.from({ length: 300 }, (_, age) => fill((1_000 - age) * MINUTE));
  const times = fillMarks(fills, '1m', amount('1')).map(({ time }) => time / MINUTE);
  expect(times).toEqual(Array.from({ length: FILL_MARKS_MAX }, (_, age) => 1_000 - age));
});

test('a market order waits at no price and is not drawn', () => {
  const rows = [contractOrder(), contractOrder({ orderId: 'o2', price: null })];
  expect(restingOrders(rows).map((row) => row.orderId)).toEqual(['o1']);
});
