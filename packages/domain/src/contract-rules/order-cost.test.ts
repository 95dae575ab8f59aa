import { describe, expect, test } from 'vitest';
import { amount } from '../amount.ts';
import { DIRECTIONS, held, order, sceneAt, text } from './btcusdt-perp.fixture.ts';
import type { ContractOrderRequest } from './margin-terms.ts';
import { contractOrderCost, feeToClose, marginOf, orderParts } from './order-cost.ts';

const of = (wanted: string, change: Partial<ContractOrderRequest> = {}): ContractOrderRequest => ({
  ...order(wanted),
  ...change,
});
const closing = { reduceOnly: true } as const;
const long = { side: 1 } as const;
const short = { side: 2 } as const;

describe('an order divides into what closes and what opens', () => {
  test.each([
    ['nothing is held', undefined, of('BUY 1'), '0 1'],
    ['with a long', held('2', '60000'), of('BUY 1'), '0 1'],
    ['against a long', held('2', '60000'), of('SELL 1'), '1 0'],
    ['against a long, as large', held('2', '60000'), of('SELL 2'), '2 0'],
    ['against a long, larger', held('2', '60000'), of('SELL 3'), '2 1'],
    ['with a short', held('-2', '60000'), of('SELL 1'), '0 1'],
    ['against a short, larger', held('-2', '60000'), of('BUY 3'), '2 1'],
    ['reduce-only, larger', held('2', '60000'), of('SELL 3', closing), '2 0'],
    ['reduce-only, with the position', held('-2', '60000'), of('SELL 1', closing), '0 0'],
    ['a long leg bought', held('2', '60000', long), of('BUY 1', long), '0 1'],
    ['a long leg sold, larger', held('2', '60000', long), of('SELL 3', long), '2 0'],
    ['a long leg sold that is not there', undefined, of('SELL 3', long), '0 0'],
    ['a short leg sold', held('2', '60000', short), of('SELL 1', short), '0 1'],
    ['a short leg bought, larger', held('2', '60000', short), of('BUY 3', short), '2 0'],
  ])('%s', (_, position, wanted, parts) => {
    const positions = position === undefined ? [] : [position];
    const { closing: closes, opening } = orderParts(wanted, sceneAt('60000', { positions }));
    expect(`${text(closes)} ${text(opening)}`).toBe(parts);
  });
});

/** At a mark of 60,000 and 20x, with a taker fee of 0.0005. */
describe('where position and orders are netted, an order costs', () => {
  const longHeld = { positions: [held('0.2', '50000')] };
  const shortHeld = { positions: [held('-0.2', '50000')] };
  const bid = { orders: [order('BUY 0.1 50000')] };
  const legs = { setting: { marginMode: 'cross', leverageLong: 20, leverageShort: 10 } } as const;
  test.each([
    ['its margin', {}, of('BUY 0.1 60000'), '300'],
    ['what it adds to the dearer side', bid, of('SELL 0.1 60000'), '50'],
    ['nothing on the cheaper side', bid, of('SELL 0.05 60000'), '0'],
    ['both bids', bid, of('BUY 0.1 60000'), '300'],
    ['as much with a long', longHeld, of('BUY 0.1 60000'), '300'],
    ['nothing up to twice the long', longHeld, of('SELL 0.4 60000'), '0'],
    ['what goes beyond twice the long', longHeld, of('SELL 0.5 60000'), '300'],
    ['as much with a short', shortHeld, of('SELL 0.1 60000'), '300'],
    ['what goes beyond twice the short', shortHeld, of('BUY 0.5 60000'), '300'],
    ['margin and loss of a bid above the mark', {}, of('BUY 0.1 60100'), '310.5'],
    ['margin alone of a bid below it', {}, of('BUY 0.1 59900'), '299.5'],
    ['margin and loss of an offer below the mark', {}, of('SELL 0.1 59900'), '309.5'],
    ['margin alone of an offer above it', {}, of('SELL 0.1 60100'), '300.5'],
    ['the loss of what opens only', longHeld, of('SELL 0.3 59900'), '10'],
    ['nothing when it only closes', longHeld, of('SELL 5 59900', closing), '0'],
    [
      'as if closing orders were not there',
      { orders: [of('SELL 9 60000', closing)] },
      of('BUY 0.1 60000'),
      '300',
    ],
    ['the margin of a long leg', legs, of('BUY 0.1 60000', long), '300'],
    ['the margin of a short leg, at its leverage', legs, of('SELL 0.1 60000', short), '600'],
    ['nothing when a leg is closed', legs, of('SELL 0.1 60000', long), '0'],
    ['nothing when the other leg is closed', legs, of('BUY 0.1 60000', short), '0'],
    [
      'each leg by itself',
      { ...legs, orders: [of('BUY 0.1 60000', long)] },
      of('SELL 0.1 60000', short),
      '600',
    ],
  ])('%s', (_, change, wanted, cost) => {
    expect(text(contractOrderCost(wanted, sceneAt('60000', change)))).toBe(cost);
  });
});

/** Margin 5 %, and of the value 0.0005 to open and 0.000475 (long) or 0.000525 (short) to close. */
describe('where the dearer direction counts, an order costs', () => {
  const one = { terms: DIRECTIONS };
  const asks = {
    orders: [order('SELL 0.1 61000'), order('SELL 0.1 62000')],
    positions: [held('0.1', '60000')],
  };
  const bids = {
    orders: [order('BUY 0.1 59000'), order('BUY 0.1 58000')],
    positions: [held('-0.1', '60000')],
  };
  test.each([
    ['margin and both fees of a buy', {}, of('BUY 0.1 60000'), '305.85'],
    ['margin and both fees of a sell', {}, of('SELL 0.1 60000'), '306.15'],
    ['no loss against the mark', {}, of('BUY 0.1 70000'), '356.825'],
    [
      'what makes its direction the dearer one',
      { orders: [order('BUY 0.1 60000')] },
      of('SELL 0.1 60000'),
      '0.3',
    ],
    ['nothing in the cheaper one', { orders: [order('BUY 0.1 60000')] }, of('SELL 0.05 60000'), '0'],
    ['what it does not close', { positions: [held('0.05', '60000')] }, of('SELL 0.1 60000'), '153.075'],
    ['all of it with the position', { positions: [held('0.05', '60000')] }, of('BUY 0.1 60000'), '305.85'],
    ['the nearest offer closes: the next one now pays', asks, of('SELL 0.1 60500'), '311.2525'],
    ['the nearest bid closes: the next one now pays', bids, of('BUY 0.1 59500'), '300.7525'],
    [
      'nothing where the position closes all of them',
      { orders: [order('SELL 0.1 61000')], positions: [held('0.25', '60000')] },
      of('SELL 0.1 62000'),
      '0',
    ],
    ['all of it behind the one that closes', asks, of('SELL 0.1 63000'), '321.4575'],
    ['all of it at the price of the one that closes', asks, of('SELL 0.1 61000'), '311.2525'],
  ])('%s', (_, change, wanted, cost) => {
    expect(text(contractOrderCost(wanted, sceneAt('60000', { ...one, ...change })))).toBe(cost);
  });
});

test('cost is rounded up to 1e-8, and what rests counts down', () => {
  const setting = { marginMode: 'cross', leverageLong: 7, leverageShort: 7 } as const;
  const wanted = order('BUY 0.001 60000');
  // 60 / 7 is 8.571428571..., twice that 17.142857142...
  expect(text(contractOrderCost(wanted, sceneAt('60000', { setting })))).toBe('8.57142858');
  expect(text(contractOrderCost(wanted, sceneAt('60000', { setting, orders: [wanted] })))).toBe('8.57142858');
  const twice = { setting, positions: [held('0.2', '50000')] };
  expect(text(contractOrderCost(order('SELL 0.4 60000'), sceneAt('60000', twice)))).toBe('0');
  const only = of('SELL 0.001 60000', closing);
  expect(text(contractOrderCost(only, sceneAt('60000', { setting, orders: [wanted] })))).toBe('0');
  expect(text(contractOrderCost(order('BUY 0.002 60000'), sceneAt('60000', { setting })))).toBe(
    '17.14285715',
  );
});

test('a loss is rounded up to 1e-8 by itself', () => {
  const scene = sceneAt('60000.0000000001');
  expect(text(contractOrderCost(order('SELL 0.001 60000'), scene))).toBe('3.00000001');
});

test('margin is rounded up at the last digit; the fee to close falls on what the margin leaves', () => {
  const scene = sceneAt('60000', { terms: DIRECTIONS });
  const size = { quantity: amount('0.1'), price: amount('60000') };
  expect(text(marginOf({ ...size, long: true }, 300n, sceneAt('60000')))).toBe('2000');
  expect(text(marginOf({ ...size, long: true }, 700n, sceneAt('60000')))).toBe('857.142857142857142858');
  // 6,000 less and more a third of it, times 0.0005.
  expect(text(feeToClose(amount('6000'), { long: true, hundredths: 300n }, scene))).toBe('2');
  expect(text(feeToClose(amount('6000'), { long: false, hundredths: 300n }, scene))).toBe('4');
  expect(text(feeToClose(amount('6000'), { long: false, hundredths: 300n }, sceneAt('60000')))).toBe('0');
  expect(text(marginOf({ ...size, long: false }, 300n, scene))).toBe('2004');
});
