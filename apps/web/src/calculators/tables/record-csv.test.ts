import type { AlgoRow, FillRow, OrderRow } from '@crossbook/contract';
import { expect, test } from 'vitest';
import { writeCsv } from './csv.ts';
import { algoCsv, fillCsv, orderCsv, pastOrderCsv } from './record-csv.ts';

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
    icebergId: null,
    cumQuantity: '0',
    cumQuote: '0',
  },
  ...{
    realisedPnl: null,
    status: 1,
    cancelPending: false,
    change: null,
    settled: false,
    reason: null,
    refusal: null,
  },
  ...{ createdAt: 0, updatedAt: 0 },
};
const FILL: FillRow = {
  ...MARKET,
  ...{ tradeId: 't', orderId: 'o', realisedPnl: null, cause: 'trade', price: '60000', quantity: '1' },
  ...{ quoteQuantity: '600', fee: '0.3', feeAsset: 'USDT', maker: false, time: 0 },
};

const ALGO: AlgoRow = {
  ...MARKET,
  ...{ algoId: 'a', reduceOnly: true, marginMode: 'cross', leverage: 5, algoType: 'stop', takeProfit: null },
  ...{ stopLoss: { triggerPrice: '58000', triggerBy: 'mark', price: null }, trailing: null, timeInForce: 1 },
  ...{ iceberg: null, executed: null },
  ...{
    quantity: null,
    state: 'waiting',
    unknown: false,
    cancelPending: false,
    reason: null,
    refusal: null,
    children: [],
  },
  ...{ placed: true, parentOrderId: null, createdAt: 0, updatedAt: 0 },
};

test.each([
  ['conditional orders', writeCsv(algoCsv(keyOf), [ALGO])],
  ['orders', writeCsv(orderCsv(keyOf), [ORDER])],
  ['past orders', writeCsv(pastOrderCsv(keyOf), [{ ...ORDER, fees: [] }])],
  ['fills', writeCsv(fillCsv(keyOf), [FILL])],
])('%s end with the order symbol key of their market', (_name, csv) => {
  const [head = '', line = ''] = csv.split('\r\n');
  expect(head.split(',').at(-1)).toBe('symbolKey');
  expect(line.split(',')).toHaveLength(head.split(',').length);
  expect(line.split(',').at(-1)).toBe('2:SWAP:BTC-USDT-SWAP');
});

test('a conditional order is exported with what it waits for and that it is the whole position', () => {
  const [head = '', line = ''] = writeCsv(algoCsv(keyOf), [ALGO]).split('\r\n');
  const row = Object.fromEntries(head.split(',').map((name, at) => [name, line.split(',')[at]]));
  expect(row).toMatchObject({ stopLossTriggerPrice: '58000', stopLossTriggerBy: 'mark', quantity: 'whole' });
});

test.each([
  [[{ asset: 'USDT', amount: '0.3' }], '0.3', 'USDT'],
  [
    [
      { asset: 'BNB', amount: '0.002' },
      { asset: 'USDT', amount: '0.3' },
    ],
    '0.002;0.3',
    'BNB;USDT',
  ],
  [[], '', ''],
  [null, '', ''],
])('a past order is exported with its fees %j and their assets', (fees, fee, feeAsset) => {
  const [head = '', line = ''] = writeCsv(pastOrderCsv(keyOf), [{ ...ORDER, fees }]).split('\r\n');
  const row = Object.fromEntries(head.split(',').map((name, at) => [name, line.split(',')[at]]));
  expect(row).toMatchObject({ fee, feeAsset });
});

function keyOf({ exchange, symbolType, symbol }: OrderRow | FillRow | AlgoRow): string {
  return `${exchange}:${symbolType}:${symbol}`;
}
