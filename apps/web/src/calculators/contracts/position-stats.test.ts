import type { PositionRow } from '@crossbook/contract';
import { amount, formatAmount, SIDE } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { positionFixture } from './position.fixture.ts';
import { closingProfit, distanceTone, positionSide, positionStats, shareOf } from './position-stats.ts';

const COIN = { contractValue: amount('1') };

test.each([
  ['long in profit', { quantity: '0.5' }, '60500', ['250', 16.67]],
  ['long at a loss', { quantity: '0.5' }, '59400', ['-300', -20]],
  ['short in profit', { quantity: '-0.5' }, '59400', ['300', 20]],
  ['short leg at a loss', { quantity: '0.5', effect: 2 as const }, '60500', ['-250', -16.67]],
  ['long leg', { quantity: '0.5', effect: 1 as const }, '60500', ['250', 16.67]],
] as const)('%s: profit and return follow the mark', (_name, row, mark, gain) => {
  const stats = positionStats(positionFixture(row), COIN, amount(mark));
  const [pnl, roe] = gain;
  expect(formatAmount(stats.pnl)).toBe(pnl);
  expect(stats.roe).toBeCloseTo(roe, 2);
});

test('contracts are counted in coins', () => {
  const stats = positionStats(
    positionFixture({ quantity: '50', leverage: 10 }),
    { contractValue: amount('0.01') },
    amount('60500'),
  );
  expect(formatAmount(stats.size)).toBe('0.5');
  expect(formatAmount(stats.value)).toBe('30250');
  expect(formatAmount(stats.pnl)).toBe('250');
  expect(stats.roe).toBeCloseTo(8.33, 2);
});

test('profit has one source: what a row says of itself changes nothing beside a mark', () => {
  const reported = [
    { unrealisedPnl: '249', markPrice: '60498' },
    { unrealisedPnl: '-999', markPrice: '1' },
  ];
  const stats = reported.map((row) => positionStats(positionFixture(row), COIN, amount('60500')));
  expect(stats.map(({ pnl, roe }) => [formatAmount(pnl), roe])).toEqual([
    ['250', stats[0]?.roe],
    ['250', stats[0]?.roe],
  ]);
});

test('without a newer mark the row is taken at its own', () => {
  expect(formatAmount(positionStats(positionFixture({ markPrice: '61000' }), COIN).pnl)).toBe('500');
});

test.each([
  ['57229', 4.62, 'danger'],
  ['55000', 8.33, 'near'],
  ['50000', 16.67, 'plain'],
  ['63000', 5, 'near'],
] as const)('liquidation at %s is %d %% from a mark of 60,000: %s', (liquidationPrice, distance, tone) => {
  const stats = positionStats(positionFixture({ liquidationPrice }), COIN, amount('60000'));
  expect(stats.distance).toBeCloseTo(distance, 2);
  expect(distanceTone(stats.distance)).toBe(tone);
});

test('a position that nothing in range liquidates has no distance', () => {
  const stats = positionStats(positionFixture({ liquidationPrice: null }), COIN, amount('60000'));
  expect([stats.distance, distanceTone(stats.distance)]).toEqual([undefined, 'plain']);
});

test.each([
  [{ effect: 0, quantity: '1' }, SIDE.BUY],
  [{ effect: 0, quantity: '-1' }, SIDE.SELL],
  [{ effect: 1, quantity: '1' }, SIDE.BUY],
  [{ effect: 2, quantity: '1' }, SIDE.SELL],
] as const satisfies readonly (readonly [Pick<PositionRow, 'effect' | 'quantity'>, 1 | 2])[])(
  '%j stands on side %i',
  (row, side) => expect(positionSide(row)).toBe(side),
);

test('closing now counts the fee: what the mark calls profit may lose', () => {
  const { gross, fee, net } = closingProfit(
    { side: SIDE.BUY, entry: amount('60000') },
    amount('0.5'),
    amount('60010'),
    amount('0.0005'),
  );
  expect([gross, fee, net].map(formatAmount)).toEqual(['5', '15.0025', '-10.0025']);
});

test.each([
  ['0.05', 25, '0.012'],
  ['0.05', 100, '0.05'],
  ['0.0505', 100, '0.0505'],
  ['0.003', 10, '0'],
] as const)('of %s at %i %% are %s on the lot', (quantity, percent, part) => {
  expect(formatAmount(shareOf(amount(quantity), percent, amount('0.001')))).toBe(part);
});
