import { amount, formatAmount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { CONTRACT, contractFacts, MARGIN, TIERS } from './contract.fixture.ts';
import { positionFixture } from './position.fixture.ts';
import {
  heldTier,
  highestLeverage,
  isolatedLoss,
  isolatedPosition,
  largestAtLeverage,
  leverageEffect,
  leverageMarks,
  liquidationAfterMove,
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
    ...{ margin: MARGIN, instrument: { ...CONTRACT, makerFee, takerFee }, contracts: new Map() },
  };
  const isolated = liquidationAfterMove(row, 'isolated', facts) ?? amount('0');
  const cross = liquidationAfterMove({ ...row, marginMode: 'isolated' }, 'cross', facts) ?? amount('0');
  // 60,000 − 3,000 of margin a coin, and 0.4 % of maintenance.
  expect(Number(formatAmount(isolated))).toBeCloseTo(57_229, -1);
  expect(Number(formatAmount(cross))).toBeCloseTo(50_201, -1);
  expect(liquidationAfterMove(row, 'isolated', { ...facts, tiers: [] })).toBeUndefined();
});

/** As Bybit reckons: the fee of closing is part of the margin. */
const WITH_FEE = { ...contractFacts().terms, closingFeeInMargin: true };

test.each([
  // The lower the leverage, the cheaper is closing a long where nothing is left, and the dearer a short: down in both.
  ['a cross long', { quantity: '5' }, -1],
  ['an isolated long', { quantity: '5', marginMode: 'isolated', isolatedMargin: '15000' }, -1],
  ['an isolated short', { quantity: '-5', marginMode: 'isolated', isolatedMargin: '15000' }, -1],
  ['a short leg', { quantity: '5', effect: 2, marginMode: 'isolated', isolatedMargin: '15000' }, -1],
] as const)(
  'leverage moves the liquidation of %s only where the fee of closing is counted',
  (...[, change, way]) => {
    const row = positionFixture(change);
    const facts = contractFacts({ positions: [row], margin: { ...MARGIN, wallet: '50000' } });
    expect(liquidationMoves(row, 5, facts)).toBe('same');
    const counted = { ...facts, terms: WITH_FEE };
    const moves = liquidationMoves(row, 5, counted);
    if (typeof moves === 'string') throw new Error(moves);
    expect(Math.sign(Number(moves.after - moves.before))).toBe(way);
    // 0.05 % of 300,000, times the difference of a fifth and a twentieth, a coin: 4.5.
    expect(Math.abs(Number(formatAmount(moves.after)) - Number(formatAmount(moves.before)))).toBeLessThan(10);
    expect(liquidationMoves(row, row.leverage, counted)).toBe('same');
    expect(liquidationMoves(row, 5, { ...counted, tiers: [] })).toBe('unknown');
    expect(liquidationMoves(row, 5, { ...counted, mark: undefined })).toBe('unknown');
    expect(liquidationMoves(row, 5, { ...counted, margin: undefined })).toEqual(
      row.marginMode === 'cross' ? 'unknown' : liquidationMoves(row, 5, counted),
    );
  },
);

test('what has so much behind it that no mark liquidates it is said to have none in range', () => {
  const row = positionFixture({ quantity: '0.001' });
  const facts = contractFacts({ positions: [row], terms: WITH_FEE });
  expect(liquidationMoves(row, 5, facts)).toBe('none');
});

test('isolated positions can lose the margin that each has, else what it would begin with', () => {
  const own = positionFixture({ marginMode: 'isolated', isolatedMargin: '700.5' });
  // The mark has risen since it was opened: more of the pool is in use than it would have been given.
  const rows = [positionFixture({ initialMargin: '1600' }), own];
  const { terms, makerFee, takerFee } = contractFacts();
  const known = () => ({ ...CONTRACT, makerFee, takerFee });
  expect(formatAmount(isolatedLoss(rows, terms, known))).toBe('2200.5');
  expect(formatAmount(isolatedLoss(rows, terms, () => undefined))).toBe('2300.5');
  expect(formatAmount(isolatedLoss([], terms, known))).toBe('0');
});

test('only a position of the contract that stands alone forbids a lower leverage', () => {
  const elsewhere = positionFixture({ symbol: 'ETHUSDT', marginMode: 'isolated' });
  const alone = positionFixture({ marginMode: 'isolated', effect: 2 });
  expect(isolatedPosition(contractFacts({ positions: [positionFixture(), elsewhere] }))).toBeUndefined();
  expect(isolatedPosition(contractFacts({ positions: [elsewhere, alone] }))).toBe(alone);
});
