import type { AlgoRow, PositionRow } from '@crossbook/contract';
import { type AlgoOffer, amount, formatAmount, SIDE } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { CONTRACT } from '../contracts/contract.fixture.ts';
import { positionFixture } from '../contracts/position.fixture.ts';
import {
  beyondPosition,
  boundByVenue,
  liquidatesBefore,
  type PositionTargets,
  protecting,
  sizedBecause,
  targetOrders,
  targetsFaults,
  triggersOf,
} from './position-targets.ts';

const LONG: PositionRow = positionFixture();
const OFFER: AlgoOffer = {
  ...{ kinds: ['stop', 'take-profit'], triggerBy: ['last', 'mark'], whole: 'one-way' },
  limitTimes: [1],
  ...{ amends: false, locks: false, openMax: 200, perSymbol: false, attached: 'hub' },
};
const ASKED: PositionTargets = {
  bracket: { takeProfit: amount('63000'), stopLoss: amount('61000') },
  ...{ by: 'mark', part: undefined, quantity: amount('0.5') },
};

describe('what protects a position', () => {
  test('is placed whole, the stop-loss first, and never opens', () => {
    const orders = targetOrders(ASKED, LONG, OFFER);
    expect(orders.map(({ algoType, triggerPrice }) => [algoType, triggerPrice])).toEqual([
      ['stop', '61000'],
      ['take-profit', '63000'],
    ]);
    for (const order of orders)
      expect(order).toMatchObject({ side: 2, reduceOnly: true, whole: true, triggerBy: 'mark' });
  });

  test('is one order of both legs where the venue has that', () => {
    const orders = targetOrders(ASKED, LONG, { ...OFFER, kinds: ['stop', 'take-profit', 'oco'] });
    expect(orders).toMatchObject([{ algoType: 'oco', takeProfit: '63000', stopLoss: '61000', whole: true }]);
  });

  test.each([
    [
      'a leg of hedge mode, where the whole is of one-way mode alone',
      ASKED,
      { ...LONG, effect: 1 as const },
      '0.5',
    ],
    ['a part', { ...ASKED, part: amount('0.2') }, LONG, '0.2'],
  ])('sends a size of %s', (_, asked, row, quantity) => {
    for (const order of targetOrders(asked, row, OFFER)) {
      expect(order).toMatchObject({ quantity });
      expect(order).not.toHaveProperty('whole');
    }
  });
});

test.each([
  ['the legs of one order', ['7', '7'], true],
  ['legs of two orders', ['7', '8'], false],
  ['those placed at the position', [null, null], false],
  ['one alone', ['7'], false],
] as const)('%s are bound to each other: %s', (_, parents, bound) => {
  expect(boundByVenue(parents.map((parentOrderId) => ({ parentOrderId })))).toBe(bound);
});

describe('a leg that sends a limit', () => {
  const limits = { stopLoss: amount('60900') };
  const asked: PositionTargets = { ...ASKED, bracket: { ...ASKED.bracket, limits } };

  test('closes a size, which is that of today; the other leg closes all there is then', () => {
    expect(targetOrders(asked, LONG, OFFER)).toMatchObject([
      { algoType: 'stop', triggerPrice: '61000', price: '60900', quantity: '0.5' },
      { algoType: 'take-profit', triggerPrice: '63000', whole: true },
    ]);
    const both = targetOrders(asked, LONG, { ...OFFER, kinds: ['stop', 'take-profit', 'oco'] });
    expect(both).toMatchObject([{ algoType: 'oco', stopLossPrice: '60900', quantity: '0.5' }]);
    expect(both[0]).not.toHaveProperty('takeProfitPrice');
  });

  test.each([
    ['limit', asked, LONG, OFFER],
    [undefined, asked, LONG, { ...OFFER, wholeAtLimit: true }],
    [undefined, ASKED, LONG, OFFER],
    ['venue', ASKED, { ...LONG, effect: 1 as const }, OFFER],
    [undefined, { ...asked, part: amount('0.2') }, LONG, OFFER],
  ] as const)('that all of it is a size is said because of: %s', (because, targets, row, offer) => {
    expect(sizedBecause(targets, row, offer)).toBe(because);
  });

  test('closes all there is then where the venue has that', () => {
    const [stop] = targetOrders(asked, LONG, { ...OFFER, wholeAtLimit: true });
    expect(stop).toMatchObject({ algoType: 'stop', price: '60900', whole: true });
  });

  test('is faulted at its own leg, also where each leg is an order', () => {
    const context = { instrument: CONTRACT, offer: OFFER, prices: { mark: amount('62000') } };
    const off = { ...asked, bracket: { ...ASKED.bracket, limits: { takeProfit: amount('63000.05') } } };
    expect(targetsFaults(off, LONG, context)).toMatchObject([{ name: 'price-step', target: 'takeProfit' }]);
    const low = { ...ASKED, bracket: { takeProfit: amount('61000'), stopLoss: undefined } };
    expect(targetsFaults(low, LONG, context)).toMatchObject([
      { name: 'trigger-at-once', target: 'takeProfit' },
    ]);
  });
});

test.each([
  ['a part within what is held', '0.2', ['0.3'], '0'],
  ['parts that together are more', '0.3', ['0.3', null], '0.1'],
  ['all of it', undefined, ['0.5'], '0'],
] as const)('%s exceeds the position by what the venue cuts', (_what, part, sizes, beyond) => {
  const standing = sizes.map((quantity) => ({ quantity, takeProfit: null, stopLoss: {} })) as never;
  const bracket = { takeProfit: amount('63000'), stopLoss: amount('61000') };
  const asked = { ...ASKED, bracket, part: part === undefined ? undefined : amount(part) };
  expect(formatAmount(beyondPosition(asked, standing))).toBe(beyond);
});

test.each<[string, PositionRow, string, string]>([
  ['long', LONG, '61000', '62500'],
  ['short', { ...LONG, quantity: '-0.5' }, '63000', '61500'],
])(
  'targets of a %s are held against the price that they follow: a stop in profit is allowed, one beyond it is not',
  (_, row, inProfit, beyond) => {
    const context = { instrument: CONTRACT, offer: OFFER, prices: { mark: amount('62000') } };
    const stop = (price: string) => ({
      ...ASKED,
      bracket: { takeProfit: undefined, stopLoss: amount(price) },
    });
    expect(targetsFaults(stop(inProfit), row, context)).toEqual([]);
    expect(targetsFaults(stop(beyond), row, context)).toMatchObject([{ name: 'trigger-at-once' }]);
  },
);

test('only what closes this very position protects it', () => {
  const algo = { exchange: LONG.exchange, symbolType: 'SWAP', symbol: LONG.symbol, effect: 0, side: 2 };
  const rows = [
    { ...algo, algoId: 'whole', reduceOnly: false, quantity: null },
    { ...algo, algoId: 'part', reduceOnly: true, quantity: '0.1' },
    { ...algo, algoId: 'opens', reduceOnly: false, quantity: '0.1' },
    { ...algo, algoId: 'same side', reduceOnly: true, quantity: null, side: 1 },
    { ...algo, algoId: 'other leg', reduceOnly: true, quantity: null, effect: 1 },
    { ...algo, algoId: 'other contract', reduceOnly: true, quantity: null, symbol: 'ETHUSDT' },
  ] as readonly unknown[] as readonly AlgoRow[];
  expect(protecting(LONG, rows).map(({ algoId }) => algoId)).toEqual(['whole', 'part']);
});

test.each([
  ['long', SIDE.BUY, 'takeProfit', ['63000', '64000']],
  ['long', SIDE.BUY, 'stopLoss', ['64000', '63000']],
  ['short', SIDE.SELL, 'takeProfit', ['64000', '63000']],
  ['short', SIDE.SELL, 'stopLoss', ['63000', '64000']],
] as const)('of a %s position (side %s) the %s that comes first stands first', (_, side, name, prices) => {
  const leg = (triggerPrice: string) => ({ triggerPrice, triggerBy: 'last', price: null }) as const;
  const rows = ['64000', '63000'].map((price) => ({
    ...{ takeProfit: null, stopLoss: null },
    [name]: leg(price),
  }));
  expect(triggersOf(side, [...rows, { takeProfit: null, stopLoss: null }], name)).toEqual(prices.map(amount));
});

test.each([
  ['long', SIDE.BUY, '50000', true],
  ['long', SIDE.BUY, '58000', false],
  ['short', SIDE.SELL, '58000', true],
  ['short', SIDE.SELL, '50000', false],
] as const)('liquidation of a %s at 55,000 comes before a stop: %s %s', (_, side, stop, first) => {
  expect(liquidatesBefore(side, amount(stop), amount('55000'))).toBe(first);
});
