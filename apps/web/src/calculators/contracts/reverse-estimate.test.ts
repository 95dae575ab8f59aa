import { type Amount, amount, formatAmount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { CONTRACT, contractFacts, MARGIN } from './contract.fixture.ts';
import { positionFixture } from './position.fixture.ts';
import { positionStats } from './position-stats.ts';
import { reverseEstimate } from './reverse-estimate.ts';

const shown = (value: Amount | undefined) => (value === undefined ? undefined : formatAmount(value));

/** A book of two prices: the better one holds half a coin. */
const walk = (near: string, far: string) => (coins: Amount) => ({
  average: coins > amount('0.5') ? amount(far) : amount(near),
  ...{ slippageBp: 0, covered: coins },
});

function estimate(
  row: ReturnType<typeof positionFixture>,
  book: ReturnType<typeof walk> | (() => undefined),
  change: Parameters<typeof contractFacts>[0] = {},
) {
  const margin = { ...MARGIN, wallet: '5000', available: '3500' };
  const facts = contractFacts({ positions: [row], margin, ...change });
  return reverseEstimate(row, positionStats(row, CONTRACT), { facts, walk: book });
}

test.each([
  ['a long one is sold at the bids', '0.5', walk('59990', '59980'), ['59990', '59980']],
  ['a short one is bought at the asks', '-0.5', walk('60010', '60020'), ['60010', '60020']],
  ['without a book the mark stands for it', '0.5', () => undefined, ['60000', '60000']],
] as const)('%s', (_name, quantity, book, prices) => {
  const found = estimate(positionFixture({ quantity, entryPrice: '60000', markPrice: '60000' }), book);
  expect([found.closePrice, found.price].map(shown)).toEqual(prices);
  // Half a coin: the way to the book, and 0.05 % of what it is worth there.
  const away = quantity === '0.5' ? Number(prices[0]) - 60_000 : 60_000 - Number(prices[0]);
  expect(Number(shown(found.profit))).toBeCloseTo(away / 2 - Number(prices[0]) * 0.5 * 0.0005, 8);
});

test('the new side liquidates beyond the mark, where the old one did not', () => {
  const row = positionFixture({ quantity: '0.5', entryPrice: '60000', markPrice: '60000' });
  const { liquidation } = estimate(row, () => undefined);
  expect(liquidation).toBeGreaterThan(amount('60000'));
});

test('in hedge mode the margin of the closed leg counts for the other one', () => {
  const leg = positionFixture({ quantity: '0.5', effect: 1, entryPrice: '60000', markPrice: '60000' });
  expect(estimate(leg, () => undefined).liquidation).toBeGreaterThan(amount('60000'));
});

test.each([
  ['tiers and wallet known, cross', 'cross', {}, true],
  ['no tiers yet', 'cross', { tiers: [] }, false],
  ['no wallet yet, cross', 'cross', { margin: undefined }, false],
  ['no wallet yet, isolated', 'isolated', { margin: undefined }, true],
  ['no tiers yet, isolated', 'isolated', { tiers: [] }, false],
] as const)('that nothing liquidates is only said where it is known: %s', (_, marginMode, change, known) => {
  const row = positionFixture({ marginMode, isolatedMargin: marginMode === 'isolated' ? '1500' : null });
  expect(estimate(row, () => undefined, change).liquidationKnown).toBe(known);
});
