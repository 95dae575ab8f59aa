import type { PositionRow } from '@crossbook/contract';
import { amount, type MarginTerms, ZERO } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { CONTRACT, contractFacts, MARGIN } from './contract.fixture.ts';
import { crossRatioAt, isolatedRatioAt, type MarkedPosition } from './live-ratio.ts';
import { positionFixture } from './position.fixture.ts';

/** The worked examples of the venues: what is stated at the entry, and the mark that liquidates. */
const NETTED: MarginTerms = contractFacts().terms;
const OKX: MarginTerms = { ...NETTED, orders: 'directions', closingFeeAtLiquidation: true };
const BYBIT: MarginTerms = { ...NETTED, orders: 'directions', closingFeeInMargin: true };

const held = (
  row: Partial<PositionRow>,
  mark?: string,
  terms: { readonly contractValue?: string; readonly takerFee?: string } = {},
): MarkedPosition => ({
  row: positionFixture(row),
  instrument: {
    ...CONTRACT,
    contractValue: amount(terms.contractValue ?? '1'),
    takerFee: amount(terms.takerFee ?? '0.0005'),
  },
  mark: mark === undefined ? undefined : amount(mark),
});
const behind = (wallet: string) => ({ ...MARGIN, wallet });
const contracts = { contractValue: '0.01' };
const bybit = { takerFee: '0.00055' };

describe('at the mark that liquidates, all of what there is is needed', () => {
  test.each([
    ['Binance, isolated', NETTED, held({ marginMode: 'isolated', isolatedMargin: '1500' }, '57228.91566265')],
    [
      'OKX, isolated, in contracts',
      OKX,
      held(
        { marginMode: 'isolated', isolatedMargin: '3000', quantity: '50', leverage: 10 },
        '54244.09844299',
        contracts,
      ),
    ],
    [
      'OKX, isolated short',
      OKX,
      held(
        { marginMode: 'isolated', isolatedMargin: '3000', quantity: '-50', leverage: 10 },
        '65704.33051269',
        contracts,
      ),
    ],
  ])('%s', (_, terms, position) => {
    expect(isolatedRatioAt(position, terms)).toBeCloseTo(1, 6);
  });

  test.each([
    ['OKX', OKX, '5000', held({ quantity: '50', leverage: 10 }, '50226.01707685', contracts)],
    [
      'Bybit, its fee to close does not move',
      BYBIT,
      '5000',
      held({ leverage: 10, markPrice: '59000', maintenanceMargin: '162.35' }, '50281.10552764', bybit),
    ],
  ])('%s, cross', (_, terms, wallet, position) => {
    expect(crossRatioAt(behind(wallet), [position], { terms, heldBack: ZERO })).toBeCloseTo(1, 6);
  });
});

test("at the mark that came with the row it is the exchange's own figure", () => {
  const position = held({ leverage: 10, markPrice: '59000', maintenanceMargin: '162.35' }, undefined, bybit);
  expect(crossRatioAt(behind('5000'), [position], { terms: BYBIT, heldBack: ZERO })).toBeCloseTo(0.036078, 6);
});

test('all cross positions stand together, what isolated ones and orders keep does not stand behind them', () => {
  const short = held({ symbol: 'ETHUSDT', quantity: '-1', maintenanceMargin: '200' }, '61000');
  const alone = held({ symbol: 'SOLUSDT', marginMode: 'isolated', isolatedMargin: '700' }, '50000');
  const ratio = crossRatioAt(behind('5000'), [held({}, '59000'), short, alone], {
    ...{ terms: NETTED, heldBack: amount('300') },
  });
  // 120 x 59/60 + 200 x 61/60 of 5,000 - 700 - 300 - 500 - 1,000.
  expect(ratio).toBeCloseTo((118 + 203.333333) / 2_500, 6);
});

test('a wallet that is spent is liquidation; without a position, or its margin, there is no ratio', () => {
  const context = { terms: NETTED, heldBack: ZERO };
  expect(crossRatioAt(behind('100'), [held({}, '59000')], context)).toBe(1);
  expect(crossRatioAt(behind('5000'), [], context)).toBeUndefined();
  const isolated = held({ marginMode: 'isolated', isolatedMargin: '1' });
  expect(crossRatioAt(behind('5000'), [isolated], context)).toBeUndefined();
  expect(isolatedRatioAt(held({ marginMode: 'isolated' }), NETTED)).toBeUndefined();
  const unmarked = held({ markPrice: '0', maintenanceMargin: '120' }, '60000');
  expect(crossRatioAt(behind('5000'), [unmarked], context)).toBeCloseTo(120 / 5_000, 9);
  expect(crossRatioAt(behind('5000'), [held({}, '0')], context)).toBe(1);
});
