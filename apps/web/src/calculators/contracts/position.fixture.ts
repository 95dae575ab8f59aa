import type { PositionRow } from '@crossbook/contract';

/** A position of 0.5 BTC at 60,000 with 20x, and what a test says of it. */
export function positionFixture(row: Partial<PositionRow> = {}): PositionRow {
  return {
    ...{ positionId: 'p1', exchange: 1, symbol: 'BTCUSDT', effect: 0, marginMode: 'cross', quantity: '0.5' },
    ...{ entryPrice: '60000', breakEvenPrice: '60030', markPrice: '60000', leverage: 20 },
    ...{ isolatedMargin: null, unrealisedPnl: '0', initialMargin: '1500', maintenanceMargin: '120' },
    ...{
      liquidationPrice: '57229',
      adlRank: 1,
      status: 'normal',
      realisedPnl: '-15',
      fees: '15',
      funding: '0',
    },
    ...{ openedAt: 1_700_000_000_000, updatedAt: 1_700_000_000_000 },
    ...row,
  };
}
