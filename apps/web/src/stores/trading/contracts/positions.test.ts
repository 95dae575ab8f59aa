import type { MarginRow, PositionRow } from '@crossbook/contract';
import { beforeEach, expect, test } from 'vitest';
import { positionFixture } from '../../../calculators/contracts/position.fixture.ts';
import {
  applyMargin,
  applyPosition,
  endPosition,
  forgetPositions,
  positionKey,
  positionsOf,
  positionsStore,
} from './positions.ts';

beforeEach(forgetPositions);

const open = (): readonly PositionRow[] => [...positionsStore.getState().open.values()];
const at = (updatedAt: number, row: Partial<PositionRow> = {}) => positionFixture({ updatedAt, ...row });

test('one symbol may hold a long and a short leg, cross and isolated: four positions', () => {
  for (const effect of [1, 2] as const) {
    for (const marginMode of ['cross', 'isolated'] as const) applyPosition(at(1, { effect, marginMode }));
  }
  expect(new Set(open().map(positionKey)).size).toBe(4);
  expect(positionsOf(positionsStore.getState(), 1, 'BTCUSDT')).toHaveLength(4);
  expect(positionsOf(positionsStore.getState(), 2, 'BTCUSDT')).toEqual([]);
});

test('a position that goes along with the margin mode of its account stays the one that it is', () => {
  const bybit = { exchange: 3, positionId: 'p', quantity: '0.5' } as const;
  applyPosition(at(1, { ...bybit, marginMode: 'cross' }));
  applyPosition(at(2, { ...bybit, marginMode: 'isolated', isolatedMargin: '1500' }));
  expect(open()).toMatchObject([{ positionId: 'p', marginMode: 'isolated', isolatedMargin: '1500' }]);
  applyPosition(at(3, { ...bybit, marginMode: 'isolated', quantity: '0' }));
  applyPosition(at(2, { ...bybit, marginMode: 'cross' }));
  expect(open()).toEqual([]);
});

test.each([
  ['an older row', [at(2), at(1, { quantity: '9' })], ['0.5']],
  ['a newer row', [at(1), at(2, { quantity: '9' })], ['9']],
  ['a closed row', [at(1), at(2, { quantity: '0' })], []],
  ['a row older than the end', [at(1), at(3, { quantity: '0' }), at(2)], []],
  ['a row newer than the end', [at(1), at(3, { quantity: '0.00' }), at(4, { quantity: '1' })], ['1']],
] as const)('%s is folded by when the exchange said it', (_name, rows, quantities) => {
  for (const row of rows) applyPosition(row);
  expect(open().map((row) => row.quantity)).toEqual(quantities);
});

test.each([
  ['the position that is booked as over', at(5, { openedAt: 1 }), at(5, { openedAt: 1 }), []],
  ['not one that was opened since', at(9, { openedAt: 8 }), at(9, { openedAt: 8 }), ['0.5']],
] as const)(
  'a position that ended takes off %s, and a late row brings nothing back',
  (_name, row, late, left) => {
    applyPosition(row);
    const { exchange, symbol, effect, marginMode, positionId } = row;
    endPosition({
      ...{
        exchange,
        symbol,
        effect,
        marginMode,
        positionId,
        direction: 'long',
        leverage: 20,
        maxQuantity: '1',
      },
      ...{ entryPrice: '1', exitPrice: '1', realisedPnl: '0', fees: '0', funding: '0', net: '0' },
      ...{ ended: 'liquidated', openedAt: 1, closedAt: 6 },
    });
    applyPosition(late);
    expect(open().map(({ quantity }) => quantity)).toEqual(left);
  },
);

test('margin follows the newest statement', () => {
  const row: MarginRow = {
    ...{ exchange: 1, asset: 'USDT', wallet: '1000', unrealisedPnl: '0', positionInitial: '0' },
    ...{ orderInitial: '0', maintenance: '0', available: '1000', withdrawable: '1000', ratio: null },
    updatedAt: 2,
  };
  applyMargin(row);
  applyMargin({ ...row, available: '5', updatedAt: 1 });
  expect(positionsStore.getState().margin[1]?.available).toBe('1000');
  applyMargin({ ...row, available: '7', updatedAt: 3 });
  expect(positionsStore.getState().margin[1]?.available).toBe('7');
});
