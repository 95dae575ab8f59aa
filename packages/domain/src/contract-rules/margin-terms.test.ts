import { describe, expect, test } from 'vitest';
import { amount, ZERO } from '../amount.ts';
import { DIRECTIONS, held, NETTED, order, sceneAt, text } from './btcusdt-perp.fixture.ts';
import { leverageHundredths, positionMet, reckonedPrice, signedQuantity } from './margin-terms.ts';

describe('the position that an order meets', () => {
  const own = held('1', '60000');
  test.each([
    ['its own', held('1', '60000'), true],
    ['a short one', held('-1', '60000'), true],
    ['a flat one', held('0', '60000'), false],
    ['of another contract', held('1', '60000', { symbol: 'ETHUSDT' }), false],
    ['of a leg', held('1', '60000', { side: 1 }), false],
    ['of the other margin mode', held('1', '60000', { marginMode: 'isolated' }), false],
  ])('%s', (_, position, meets) => {
    const scene = sceneAt('60000', { positions: [position] });
    expect(positionMet(order('BUY 1'), scene)).toBe(meets ? position : undefined);
  });

  test('is found among others', () => {
    const positions = [held('0', '60000'), held('1', '60000', { side: 2 }), own];
    expect(positionMet(order('SELL 1'), sceneAt('60000', { positions }))).toBe(own);
  });

  test.each([
    [0, '2', '2'],
    [0, '-2', '-2'],
    [1, '2', '2'],
    [2, '2', '-2'],
  ] as const)('of side %s, %s counts as %s', (side, quantity, signed) => {
    expect(text(signedQuantity({ side, quantity: amount(quantity) }))).toBe(signed);
  });
});

test('leverage is counted in whole hundredths; a short leg has its own', () => {
  const setting = { marginMode: 'cross', leverageLong: 1.15, leverageShort: 12.5 } as const;
  expect(([0, 1, 2] as const).map((side) => leverageHundredths(side, { setting }))).toEqual([
    115n,
    115n,
    1250n,
  ]);
});

describe('the price that an order is reckoned at', () => {
  const around = { bestBid: amount('59990'), bestAsk: amount('60010') };
  const above = { bestBid: amount('60020'), bestAsk: amount('60030') };
  test.each([
    ['its own', 'BUY 1 50000', NETTED, around, '50000'],
    ['a buy at market: the ask and what the venue adds', 'BUY 1', NETTED, around, '60040.005'],
    ['without an ask: the mark and what the venue adds', 'BUY 1', NETTED, {}, '60030'],
    ['a sell at market: the bid', 'SELL 1', DIRECTIONS, around, '59990'],
    ['a sell where netted: no less than the mark', 'SELL 1', NETTED, around, '60000'],
    ['a sell where netted, the bid above the mark', 'SELL 1', NETTED, above, '60020'],
    ['without a bid: the mark', 'SELL 1', DIRECTIONS, {}, '60000'],
  ])('%s', (...[, wanted, terms, quotes, price]) => {
    expect(text(reckonedPrice(order(wanted), sceneAt('60000', { terms, ...quotes })))).toBe(price);
  });

  test('is 0 where an order says so', () => {
    expect(reckonedPrice({ ...order('BUY 1'), price: ZERO }, sceneAt('60000'))).toBe(0n);
  });
});
