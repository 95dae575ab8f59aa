import type { AlgoRow, ClosedPositionRow, FillRow, FundingRow, OrderRow } from '@crossbook/contract';
import { expect, test } from 'vitest';
import { positionFixture } from '../contracts/position.fixture.ts';
import { writeCsv } from './csv.ts';
import {
  algoCsv,
  CLOSED_CSV,
  FUNDING_CSV,
  fillCsv,
  orderCsv,
  POSITION_CSV,
  pastOrderCsv,
} from './record-csv.ts';

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

const CLOSED: ClosedPositionRow = {
  ...{ positionId: 'p1', exchange: 2, symbol: 'BTC-USDT-SWAP', effect: 1, direction: 'long' },
  ...{ marginMode: 'isolated', leverage: 5, maxQuantity: '3', entryPrice: '60000', exitPrice: '57000' },
  ...{ realisedPnl: '-90', fees: '1.5', funding: '-0.2', net: '-91.7', ended: 'liquidated' },
  ...{ openedAt: 0, closedAt: 1_000 },
};
const PAID: FundingRow = {
  ...{ id: 'f1', exchange: 3, symbol: 'BTCUSDT', effect: 0, quantity: '0.5', markPrice: '60000' },
  ...{ rate: '0.0001', amount: '-3', time: 0 },
};
const BEGAN = '1970-01-01T00:00:00.000Z';

test.each([
  [
    'an open position',
    writeCsv(POSITION_CSV, [positionFixture({ isolatedMargin: '1500', openedAt: 0, updatedAt: 0 })]),
    {
      ...{ opened: BEGAN, updated: BEGAN, exchange: 'binance', symbol: 'BTCUSDT', effect: '0' },
      ...{ marginMode: 'cross', leverage: '20', quantity: '0.5', entryPrice: '60000', markPrice: '60000' },
      ...{ breakEvenPrice: '60030', liquidationPrice: '57229', initialMargin: '1500' },
      ...{ maintenanceMargin: '120', isolatedMargin: '1500', unrealisedPnl: '0', realisedPnl: '-15' },
      ...{ fees: '15', funding: '0', adlRank: '1', positionId: 'p1' },
    },
  ],
  [
    'a position that ended',
    writeCsv(CLOSED_CSV, [CLOSED]),
    {
      ...{ opened: BEGAN, closed: '1970-01-01T00:00:01.000Z', exchange: 'okx', symbol: 'BTC-USDT-SWAP' },
      ...{ direction: 'long', effect: '1', marginMode: 'isolated', leverage: '5', maxQuantity: '3' },
      ...{ entryPrice: '60000', exitPrice: '57000', realisedPnl: '-90', fees: '1.5', funding: '-0.2' },
      ...{ net: '-91.7', ended: 'liquidated', positionId: 'p1' },
    },
  ],
  [
    'a payment of funding',
    writeCsv(FUNDING_CSV, [PAID]),
    {
      ...{ time: BEGAN, exchange: 'bybit', symbol: 'BTCUSDT', effect: '0', quantity: '0.5' },
      ...{ markPrice: '60000', rate: '0.0001', amount: '-3', id: 'f1' },
    },
  ],
])('%s is exported with all of its figures', (_name, csv, expected) => {
  const [head = '', line = ''] = csv.split('\r\n');
  expect(Object.fromEntries(head.split(',').map((name, at) => [name, line.split(',')[at]]))).toEqual(
    expected,
  );
});

function keyOf({ exchange, symbolType, symbol }: OrderRow | FillRow | AlgoRow): string {
  return `${exchange}:${symbolType}:${symbol}`;
}
