import type { FundingRow, OrderRow } from '@crossbook/contract';
import { amount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { CONTRACT } from '../contracts/contract.fixture.ts';
import {
  askedFor,
  averageOf,
  averagePrice,
  coinsOf,
  contractsShown,
  countedOf,
  feeShown,
  feesOrder,
  feesShown,
  feesTip,
  filledPercent,
  fundedSide,
  fundingSum,
  orderedValue,
  shown,
  sizeShown,
} from './order-values.ts';

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
  icebergId: null,
  cumQuantity: '0',
  cumQuote: '0',
  status: 2,
  cancelPending: false,
  change: null,
  settled: false,
  reason: null,
  refusal: null,
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

test('an order is worth what it would pay at its own price, and a market buy what it spends', () => {
  expect(orderedValue(order)).toBe('195,000.30');
  expect(orderedValue({ ...order, price: null, quantity: null, quoteQuantity: '1000' })).toBe('1,000.00');
  expect(orderedValue({ ...order, price: null })).toBe('–');
});

const HUNDREDTHS = { ...CONTRACT, lotSize: amount('0.01'), contractValue: amount('0.01') };

test('what is counted in contracts is read in coins, and its average is the price of a coin', () => {
  expect([coinsOf('-5', HUNDREDTHS), sizeShown('5', HUNDREDTHS), contractsShown('5', HUNDREDTHS)]).toEqual([
    '0.05',
    '0.0500',
    '5 cont',
  ]);
  expect([sizeShown('0.05', CONTRACT), contractsShown('0.05', CONTRACT)]).toEqual(['0.050', undefined]);
  const row = { ...order, quantity: '5', cumQuantity: '5', cumQuote: '3927.695' };
  expect([averagePrice(row, HUNDREDTHS), averageOf(row, HUNDREDTHS)]).toEqual(['78,553.9', '78553.9']);
  expect(askedFor(row, HUNDREDTHS)).toBe('0.0500');
});

test.each([
  ['0.0523', '5.23'],
  ['0.05', '5'],
  ['0.05235', undefined],
  ['', undefined],
])('%s coins are %s contracts: what is between two steps is not sent', (coins, counted) => {
  expect(countedOf(coins, HUNDREDTHS)).toBe(counted);
});

test.each([
  ['0.8986725', 'USDT', '0.8987'],
  ['1.9643775', 'USDT', '1.96'],
  ['0.00000512', 'BTC', '0.00000512'],
])('a fee of %s %s reads %s', (fee, feeAsset, text) => {
  expect(feeShown({ fee, feeAsset })).toBe(text);
});

test.each([
  [[{ asset: 'USDT', amount: '1.9643775' }], '1.96 USDT', '1.9643775 USDT', 1.9643775],
  [
    [
      { asset: 'BNB', amount: '0.000012' },
      { asset: 'USDT', amount: '1234.5' },
    ],
    '0.000012 BNB + 1,234.50 USDT',
    '0.000012 BNB + 1234.5 USDT',
    0.000012,
  ],
  [[], '–', '', 0],
  [null, '–', undefined, 0],
])('fees of an order %j read %s', (fees, text, tip, order) => {
  expect([feesShown(fees), feesTip(fees), feesOrder(fees)]).toEqual([text, tip, order]);
});

test('payments of funding come to one figure, exact to the last digit', () => {
  expect(fundingSum([{ amount: '-0.392873' }, { amount: '0.6212' }])).toBe(amount('0.228327'));
  expect(fundingSum([])).toBe(0n);
});

test.each([
  [1, '5', 1],
  [2, '5', 2],
  [0, '5', 1],
  [0, '-5', 2],
  [0, '0', undefined],
  [0, null, undefined],
] as const)('a payment for leg %s of %s was for side %s', (effect, quantity, side) => {
  expect(fundedSide({ effect, quantity } as FundingRow)).toBe(side);
});
