import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Amount, amount, ZERO } from '../amount.ts';
import type { LeverageTier } from '../position.ts';
import { DIRECTIONS, held, NETTED, order, sceneAt, TIERS, text } from './btcusdt-perp.fixture.ts';
import { contractTierRoom, largestContractOrder } from './largest-order.ts';
import type { ContractOrderRequest } from './margin-terms.ts';
import { contractOrderCost } from './order-cost.ts';

const of = (wanted: string, change: Partial<ContractOrderRequest> = {}): ContractOrderRequest => ({
  ...order(wanted),
  ...change,
});
const long = { side: 1 } as const;
const short = { side: 2 } as const;
const closing = { reduceOnly: true } as const;
const rich = { pool: { wallet: amount('9000000'), available: amount('9000000') } };
const poor = (available: string) => ({ pool: { wallet: ZERO, available: amount(available) } });
const contracts = TIERS.map(
  (tier, index): LeverageTier => ({
    ...{ ...tier, unit: 'contracts', cap: amount(index === 0 ? '10' : '30') },
  }),
);

/** At 60,000 and 120x, which only the first tier has: 300,000 USDT, or 10 contracts. */
describe('what the tier table still lets an order open', () => {
  const at120 = { setting: { marginMode: 'cross', leverageLong: 120, leverageShort: 120 } } as const;
  test.each([
    ['its cap', {}, of('BUY 1 60000'), '5'],
    [
      'its cap at 150x, its own bound',
      { setting: { ...at120.setting, leverageLong: 150 } },
      of('BUY 1 60000'),
      '5',
    ],
    [
      'nothing at a leverage that no tier has',
      { setting: { ...at120.setting, leverageLong: 151 } },
      of('BUY 1 60000'),
      '0',
    ],
    ['the next cap at 100x', { setting: { ...at120.setting, leverageLong: 100 } }, of('BUY 1 40000'), '20'],
    [
      'a short leg at its own leverage',
      { setting: { ...at120.setting, leverageLong: 100 } },
      of('SELL 1 60000', short),
      '5',
    ],
    [
      'a long leg at its own leverage',
      { setting: { ...at120.setting, leverageShort: 100 } },
      of('BUY 1 60000', long),
      '5',
    ],
    ['less the long', { positions: [held('1', '50000')] }, of('BUY 1 60000'), '4'],
    ['less the short', { positions: [held('-1', '50000')] }, of('SELL 1 60000'), '4'],
    ['less the short leg', { positions: [held('1', '50000', short)] }, of('SELL 1 60000', short), '4'],
    ['all against a position', { positions: [held('-1', '50000')] }, of('BUY 1 60000'), '5'],
    [
      'less what closing costs more than the mark',
      { positions: [held('-1', '50000')] },
      of('BUY 1 75000'),
      '3.8',
    ],
    ['and more where it costs less', { positions: [held('1', '50000')] }, of('SELL 1 48000'), '6.5'],
    ['nothing at the cap', { positions: [held('5', '50000')] }, of('BUY 1 60000'), '0'],
    ['nothing beyond it', { positions: [held('6', '50000')] }, of('BUY 1 60000'), '0'],
    ['less what waits', { orders: [order('BUY 1 48000')] }, of('BUY 1 60000'), '4.2'],
    ['not less what waits to close', { orders: [of('BUY 1 48000', closing)] }, of('BUY 1 60000'), '5'],
    ['not less what waits on the other side', { orders: [order('SELL 1 48000')] }, of('BUY 1 60000'), '5'],
    ['not less what waits on a leg', { orders: [of('BUY 1 48000', long)] }, of('BUY 1 60000'), '5'],
    ['contracts, whatever they are worth', { tiers: contracts }, of('BUY 1 90000'), '10'],
    [
      'contracts, less those held',
      { tiers: contracts, positions: [held('4', '50000')] },
      of('BUY 1 90000'),
      '6',
    ],
    ['what is asked where no table is known', { tiers: [] }, of('BUY 7 60000'), '7'],
  ])('%s', (_, change, wanted, room) => {
    expect(text(contractTierRoom(wanted, sceneAt('60000', { ...at120, ...change })))).toBe(room);
  });

  test('contracts of a hundredth of a coin', () => {
    const scene = sceneAt('60000', at120);
    const instrument = { ...scene.instrument, contractValue: amount('0.01') };
    expect(text(contractTierRoom(order('BUY 1 60000'), { ...scene, instrument }))).toBe('500');
  });
});

describe('the largest order is bound', () => {
  const market = (most: string, bulk: string) => {
    const { instrument } = sceneAt('100');
    return { ...rich, instrument: { ...instrument, maxQty: amount(most), maxMarketQty: amount(bulk) } };
  };
  test.each([
    ['by the filter of limit orders', '100', rich, of('BUY 1 100'), '1000 lot'],
    ['at market by the smaller filter', '100', market('1000', '120'), of('BUY 1'), '120 lot'],
    ['at market also by that of all orders', '100', market('50', '120'), of('BUY 1'), '50 lot'],
    ['by money below the smallest', '60000', poor('2.99'), of('BUY 1 60000'), '0 margin'],
    ['by money at the smallest', '60000', poor('3'), of('BUY 1 60000'), '0.001 margin'],
    [
      'by money to several lots, which are below the smallest',
      '60000',
      { ...poor('12'), instrument: { ...sceneAt('60000').instrument, minQty: amount('0.005') } },
      of('BUY 1 60000'),
      '0 margin',
    ],
    ['by no money', '60000', poor('0'), of('BUY 1 60000'), '0 margin'],
    [
      'by the position it closes',
      '60000',
      { positions: [held('0.25', '1')] },
      of('SELL 1', closing),
      '0.25 position',
    ],
    [
      'by the leg it closes',
      '60000',
      { positions: [held('0.25', '1', long)] },
      of('SELL 1', long),
      '0.25 position',
    ],
    ['by there being none', '60000', {}, of('SELL 1', closing), '0 position'],
    [
      'by the filter when the position is larger',
      '60000',
      { positions: [held('2000', '1')] },
      of('SELL 1 60000', closing),
      '1000 lot',
    ],
    [
      'by the tier beyond the position',
      '60000',
      { ...rich, positions: [held('1', '1')] },
      of('SELL 1 80000'),
      '10.75 tier',
    ],
    [
      'by the lot below the tier',
      '60000',
      { ...rich, orders: [order('BUY 1 60000')] },
      of('BUY 1 60000'),
      '12.333 tier',
    ],
  ])('%s', (...[, mark, change, like, expected]) => {
    const { quantity, bound } = largestContractOrder(like, sceneAt(mark, change));
    expect(`${text(quantity)} ${bound}`).toBe(expected);
  });

  test('by money to the last lot: one lot more costs too much', () => {
    const wanted = fc.record({
      buys: fc.boolean(),
      terms: fc.constantFrom(NETTED, DIRECTIONS),
      holds: fc.integer({ min: -100, max: 100 }),
      waits: fc.integer({ min: 1, max: 500 }),
      cents: fc.bigInt({ min: 1n, max: 400_000n }),
    });
    fc.assert(
      fc.property(wanted, ({ buys, terms, holds, waits, cents }) => {
        const scene = sceneAt('60000', {
          ...{ terms, positions: [held(`${holds / 1000}`, '60000')] },
          orders: [order(`BUY ${waits / 1000} 59000`)],
          pool: { wallet: ZERO, available: (cents * 10n ** 16n) as Amount },
        });
        const like = { buys, side: 0, reduceOnly: false, price: amount('60000') } as const;
        const { quantity, bound } = largestContractOrder(like, scene);
        const cost = (more: Amount) =>
          contractOrderCost({ ...like, quantity: (quantity + more) as Amount }, scene);
        expect(bound).toBe('margin');
        expect(cost(ZERO) <= scene.pool.available).toBe(true);
        expect(cost(scene.instrument.lotSize) > scene.pool.available).toBe(true);
      }),
      { seed: 20261123, numRuns: 100 },
    );
  });
});
