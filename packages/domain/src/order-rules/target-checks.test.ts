import { describe, expect, test } from 'vitest';
import type { AlgoOffer } from '../algo-order.ts';
import { amount } from '../amount.ts';
import { SIDE, TIME_IN_FORCE } from '../order.ts';
import { BTCUSDT } from './btcusdt.fixture.ts';
import { type OrderTargets, targetsFault } from './target-checks.ts';

/** What closes what an order fills: several take-profits for parts of it and one stop-loss, or a trailing stop. */

const OFFER: AlgoOffer = {
  kinds: ['stop', 'take-profit', 'trailing'],
  trailing: { ratio: { min: amount('0.001'), max: amount('1'), step: amount('0.001') }, distance: true },
  triggerBy: ['last', 'mark'],
  ...{ whole: 'one-way', limitTimes: [TIME_IN_FORCE.GTC], amends: true, locks: false },
  ...{ openMax: 500, perSymbol: true, attached: 'venue', targetsMax: 3, attachedTrails: true },
};
const SWAP = { ...BTCUSDT, symbolType: 'SWAP' } as const;
const part = (price: string, quantity: string, by: 'last' | 'mark' | 'index' = 'last') => ({
  trigger: { price: amount(price), by },
  quantity: amount(quantity),
});
const BOTH = [part('61000', '2'), part('62000', '3')];
const STOP = { trigger: { price: amount('59000'), by: 'mark' } } as const;
const asked = (targets: OrderTargets, { side = SIDE.BUY as 1 | 2, offer = OFFER, quantity = '5' } = {}) =>
  targetsFault(
    { side, price: amount('60000'), quantity: amount(quantity), instrument: SWAP },
    targets,
    offer,
  );

test('several that come to the order, with a stop or without, are sound on either side', () => {
  expect(asked({ takeProfits: BOTH, stopLoss: STOP })).toBeUndefined();
  expect(asked({ takeProfits: BOTH })).toBeUndefined();
  const below = [part('59000', '2'), part('58000', '3')];
  const above = { trigger: { price: amount('61000'), by: 'mark' } } as const;
  expect(asked({ takeProfits: below, stopLoss: above }, { side: SIDE.SELL })).toBeUndefined();
});

describe('are refused by their field', () => {
  const { targetsMax: _, ...alone } = OFFER;
  test.each<[string, OrderTargets, object, Parameters<typeof asked>[1]]>([
    ['where the venue has none', { takeProfits: BOTH }, { name: 'algo-not-offered' }, { offer: alone }],
    ['one', { takeProfits: [part('61000', '5')] }, { allowed: ['2 to 3 take-profits'] }, {}],
    ['none', { takeProfits: [] }, { allowed: ['2 to 3 take-profits'] }, {}],
    ['four', { takeProfits: [...BOTH, ...BOTH] }, { allowed: ['2 to 3 take-profits'] }, {}],
    [
      'beside a single one',
      { takeProfits: BOTH, takeProfit: { trigger: part('63000', '1').trigger } },
      { allowed: ['takeProfit or takeProfits'] },
      {},
    ],
    [
      'two at one price',
      { takeProfits: [part('61000', '2'), part('61000', '3')] },
      { allowed: ['take-profits at different prices'] },
      {},
    ],
    [
      'less than the order',
      { takeProfits: BOTH },
      { allowed: ['take-profits of 6 together'] },
      { quantity: '6' },
    ],
    [
      'more than the order',
      { takeProfits: BOTH },
      { allowed: ['take-profits of 4 together'] },
      { quantity: '4' },
    ],
    [
      'off the tick',
      { takeProfits: [part('61000.001', '2'), part('62000', '3')] },
      { name: 'price-step' },
      {},
    ],
    [
      'no whole lots',
      { takeProfits: [part('61000', '2.000000001'), part('62000', '3')] },
      { name: 'quantity-step' },
      {},
    ],
    [
      'one on the wrong side',
      { takeProfits: [part('59900', '2'), part('62000', '3')] },
      { name: 'targets-above-below' },
      {},
    ],
    ['of a sell above it', { takeProfits: BOTH }, { name: 'targets-below-above' }, { side: SIDE.SELL }],
  ])('%s', (_name, targets, fault, more) => {
    expect(asked(targets, more)).toMatchObject({ field: 'takeProfits', ...fault });
  });

  test('that follow a price which the venue does not', () => {
    const takeProfits = [part('61000', '2', 'index'), part('62000', '3', 'index')];
    expect(asked({ takeProfits })).toMatchObject({ name: 'algo-not-offered', field: 'takeProfitBy' });
  });
});

const trailing = (more: object) => ({ trailing: { by: 'last', ...more } }) as OrderTargets;
const RATIO = { ratio: amount('0.01') };

test.each<[string, OrderTargets, Parameters<typeof asked>[1]]>([
  ['by a ratio', trailing(RATIO), {}],
  ['by a distance', trailing({ distance: amount('50') }), {}],
  ['from where a long gains', trailing({ ...RATIO, activation: amount('60500') }), {}],
  ['from where a short gains', trailing({ ...RATIO, activation: amount('59500') }), { side: SIDE.SELL }],
])('a trailing stop %s stands in place of targets', (_name, targets, more) => {
  expect(asked(targets, more)).toBeUndefined();
});

describe('a trailing stop is refused by its field', () => {
  const { attachedTrails: _, ...none } = OFFER;
  test.each<[string, OrderTargets, object, Parameters<typeof asked>[1]]>([
    [
      'where the venue takes none',
      trailing(RATIO),
      { name: 'algo-not-offered', field: 'trailingRatio' },
      { offer: none },
    ],
    [
      'beside a stop-loss',
      { ...trailing(RATIO), stopLoss: STOP },
      { name: 'order-combination', allowed: ['targets or a trailing stop'] },
      {},
    ],
    [
      'beside several take-profits',
      { ...trailing(RATIO), takeProfits: BOTH },
      { name: 'order-combination', allowed: ['targets or a trailing stop'] },
      {},
    ],
    [
      'by a ratio and a distance',
      trailing({ ...RATIO, distance: amount('50') }),
      { name: 'order-combination' },
      {},
    ],
    ['by neither', trailing({ activation: amount('60500') }), { name: 'order-combination' }, {}],
    ['too far', trailing({ ratio: amount('1.001') }), { name: 'trailing-range', field: 'trailingRatio' }, {}],
    [
      'from where a long loses',
      trailing({ ...RATIO, activation: amount('60000') }),
      { name: 'targets-above-below', field: 'activation' },
      {},
    ],
    [
      'from where a short loses',
      trailing({ ...RATIO, activation: amount('60000') }),
      { name: 'targets-below-above', field: 'activation' },
      { side: SIDE.SELL },
    ],
  ])('%s', (_name, targets, fault, more) => {
    expect(asked(targets, more)).toMatchObject(fault);
  });
});
