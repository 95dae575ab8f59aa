import { amount, formatAmount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { CONTRACT, contractFacts, MARGIN, TIERS } from './contract.fixture.ts';
import { positionFixture } from './position.fixture.ts';
import {
  heldTier,
  highestLeverage,
  largestAtLeverage,
  leverageEffect,
  leverageMarks,
  liquidationInMode,
  liquidationMoves,
} from './setting-effects.ts';

const context = { tiers: TIERS, contractValue: amount('1') };

test.each([
  [TIERS, 125, 150],
  [[], 125, 5],
  [[], 3, 3],
  [[], undefined, 5],
] as const)('the highest leverage is that of the table, else 5', (tiers, stated, highest) => {
  expect(highestLeverage(tiers, stated)).toBe(highest);
});

test('marks are the ends of the steps, and not so close that they touch', () => {
  expect(leverageMarks(TIERS, 150)).toEqual([1, 100, 150]);
  const close = [125, 124, 100, 50].map((maxLeverage, at) => ({ ...TIERS[0], tier: at + 1, maxLeverage }));
  expect(leverageMarks(close as never, 125)).toEqual([1, 50, 100, 125]);
});

test.each([
  [10, '3000', '800000', false],
  [100, '300', '800000', false],
  [150, '200', '300000', false],
] as const)('at %ix half a coin takes %s', (leverage, margin, cap, tooLarge) => {
  const effect = leverageEffect([positionFixture()], leverage, context);
  expect([effect.marginBefore, effect.marginAfter].map(formatAmount)).toEqual(['1500', margin]);
  expect([effect.cap && formatAmount(effect.cap.cap), effect.tooLarge]).toEqual([cap, tooLarge]);
});

test('the leverage that a position has changes nothing, whatever its exchange counts as margin', () => {
  const { marginBefore, marginAfter } = leverageEffect(
    [positionFixture({ initialMargin: '1516' })],
    20,
    context,
  );
  expect([marginBefore, marginAfter].map(formatAmount)).toEqual(['1516', '1516']);
});

test('a position above the cap is too large for that leverage, and lies in its own tier', () => {
  const large = positionFixture({ quantity: '-6' });
  expect(leverageEffect([large], 150, context).tooLarge).toBe(true);
  expect(heldTier(large, context)?.tier).toBe(2);
  expect(heldTier(positionFixture(), context)?.tier).toBe(1);
});

const shown = ({ buy, sell }: ReturnType<typeof largestAtLeverage>) =>
  [buy, sell].map((size) => (size === undefined ? undefined : formatAmount(size)));

test('the largest order grows with the leverage, and with what it frees behind a cross position', () => {
  const facts = contractFacts();
  const [at5, at10] = [5, 10].map((leverage) => Number(shown(largestAtLeverage(facts, leverage))[0]));
  expect((at10 ?? 0) / (at5 ?? 1)).toBeCloseTo(2, 1);
  const poor = contractFacts({ positions: [positionFixture()], margin: { ...MARGIN, available: '0' } });
  // At 20x everything is in use; at 40x half of the position's margin is free again.
  expect(Number(shown(largestAtLeverage(poor, 20))[0])).toBe(0);
  expect(Number(shown(largestAtLeverage(poor, 40))[0])).toBeCloseTo(0.5, 1);
  expect(shown(largestAtLeverage(contractFacts({ margin: undefined }), 10))).toEqual([undefined, undefined]);
});

test('isolated, a position has its own margin behind it; cross, the whole wallet: it is liquidated later', () => {
  const row = positionFixture({ initialMargin: '1500' });
  const { terms, makerFee, takerFee } = contractFacts();
  const facts = {
    ...{ positions: [row], terms, tiers: TIERS, mark: amount('60000') },
    ...{ margin: MARGIN, instrument: { ...CONTRACT, makerFee, takerFee } },
  };
  const isolated = liquidationInMode(row, 'isolated', facts) ?? amount('0');
  const cross = liquidationInMode({ ...row, marginMode: 'isolated' }, 'cross', facts) ?? amount('0');
  // 60,000 − 3,000 of margin a coin, and 0.4 % of maintenance.
  expect(Number(formatAmount(isolated))).toBeCloseTo(57_229, -1);
  expect(Number(formatAmount(cross))).toBeCloseTo(50_201, -1);
  expect(liquidationInMode(row, 'isolated', { ...facts, tiers: [] })).toBeUndefined();
});

test('leverage moves the liquidation of a cross position only where the fee of closing is counted', () => {
  const row = positionFixture({ quantity: '5' });
  const facts = contractFacts({ positions: [row], margin: { ...MARGIN, wallet: '50000' } });
  expect(liquidationMoves(row, 5, facts)).toBeUndefined();
  const terms = { ...facts.terms, closingFeeInMargin: true };
  const moves = liquidationMoves(row, 5, { ...facts, terms });
  // The lower the leverage, the cheaper is closing where nothing is left: it is liquidated later.
  expect(moves !== undefined && moves.after < moves.before).toBe(true);
  expect(liquidationMoves(row, 5, { ...facts, terms, margin: undefined })).toBeUndefined();
});
