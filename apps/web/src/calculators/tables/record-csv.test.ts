import type { FillRow, OrderRow } from '@crossbook/contract';
import { expect, test } from 'vitest';
import { writeCsv } from './csv.ts';
import { fillCsv, orderCsv } from './record-csv.ts';

const MARKET = { exchange: 2, symbolType: 'SWAP', symbol: 'BTC-USDT-SWAP', side: 1, effect: 0 } as const;
const ORDER: OrderRow = {
  ...MARKET,
  ...{ orderId: 'o', reduceOnly: false, marginMode: 'cross', leverage: 5, cause: 'order', orderType: 1 },
  ...{
    timeInForce: 1,
    price: '60000',
    quantity: '1',
    quoteQuantity: null,
    visibleQuantity: null,
    cumQuantity: '0',
    cumQuote: '0',
  },
  ...{ realisedPnl: null, status: 1, cancelPending: false, change: null, settled: false, reason: null },
  ...{ createdAt: 0, updatedAt: 0 },
};
const FILL: FillRow = {
  ...MARKET,
  ...{ tradeId: 't', orderId: 'o', realisedPnl: null, cause: 'trade', price: '60000', quantity: '1' },
  ...{ quoteQuantity: '600', fee: '0.3', feeAsset: 'USDT', maker: false, time: 0 },
};

test.each([
  ['orders', writeCsv(orderCsv(keyOf), [ORDER])],
  ['fills', writeCsv(fillCsv(keyOf), [FILL])],
])('%s end with the order symbol key of their market', (_name, csv) => {
  const [head = '', line = ''] = csv.split('\r\n');
  expect(head.split(',').at(-1)).toBe('symbolKey');
  expect(line.split(',')).toHaveLength(head.split(',').length);
  expect(line.split(',').at(-1)).toBe('2:SWAP:BTC-USDT-SWAP');
});

function keyOf({ exchange, symbolType, symbol }: OrderRow | FillRow): string {
  return `${exchange}:${symbolType}:${symbol}`;
}
