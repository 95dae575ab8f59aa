import type { AlgoRow } from '@crossbook/contract';
import { beforeEach, expect, test } from 'vitest';
import { nextStanding, type Standing } from '../../../calculators/tables/table-order.ts';
import { algosStore, applyAlgo, forgetAlgos } from '../../../stores/algos/algos.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { endedRows } from './record-rows.ts';

const SHOWN = {
  instrument: { platform: 2, symbolType: 'SPOT', symbol: 'BTC-USDT' } as ListedInstrument,
  onlyThis: true,
};

function algo(algoId: string, state: AlgoRow['state'], more: Partial<AlgoRow> = {}): AlgoRow {
  return {
    ...{ algoId, exchange: 2, symbolType: 'SPOT', symbol: 'BTC-USDT', side: 2, effect: 0, reduceOnly: false },
    ...{
      marginMode: null,
      leverage: null,
      algoType: 'stop',
      takeProfit: null,
      trailing: null,
      iceberg: null,
    },
    ...{
      stopLoss: { triggerPrice: '58000', triggerBy: 'last', price: null },
      executed: null,
      timeInForce: 1,
    },
    ...{ quantity: '0.5', state, unknown: false, cancelPending: false, reason: null, refusal: null },
    ...{ children: [], placed: true, parentOrderId: null, createdAt: Number(algoId), updatedAt: 1, ...more },
  };
}

const names = (rows: readonly AlgoRow[]) => rows.map(({ algoId }) => algoId);

beforeEach(() => forgetAlgos());

test('a row that is cancelled under the pointer keeps its place, before its end is read and after', () => {
  const before = [algo('2', 'fired'), algo('1', 'cancelled')];
  let standing: Standing | undefined;
  const look = (read: readonly AlgoRow[], held: boolean): readonly string[] => {
    const rows = [...algosStore.getState().open.values(), ...endedRows(read, SHOWN)];
    standing = nextStanding(standing, { by: '', beat: 0, held }, names(rows));
    return standing.names;
  };
  applyAlgo(algo('3', 'waiting'));
  expect(look(before, false)).toEqual(['3', '2', '1']);
  applyAlgo(algo('3', 'cancelled', { updatedAt: 2 }));
  // The list was read last when it still waited, or before it was there at all.
  expect(look([algo('3', 'waiting'), ...before], true)).toEqual(['3', '2', '1']);
  expect(look(before, true)).toEqual(['3', '2', '1']);
  expect(look([algo('3', 'cancelled', { updatedAt: 2 }), ...before], true)).toEqual(['3', '2', '1']);
});

test.each([
  ['of another symbol', { symbol: 'ETH-USDT' }, []],
  ['of another exchange', { exchange: 1 }, []],
  ['of contracts', { symbolType: 'SWAP' }, []],
  ['of the exchange’s own, which stands in no history', { ofExchange: true }, []],
  ['of this list', {}, ['3']],
] as const)(
  'of what ended since the list was read it shows only what belongs there: one %s',
  (_, of, shown) => {
    applyAlgo(algo('3', 'expired', of));
    expect(names(endedRows([], SHOWN))).toEqual(shown);
  },
);

test('what was read of an end says more than its event did, and another member has none of it', () => {
  applyAlgo(algo('3', 'fired'));
  const read = algo('3', 'fired', { children: [{ orderId: 'c', leg: null }] });
  expect(endedRows([read], SHOWN)).toEqual([read]);
  forgetAlgos();
  expect(endedRows([], SHOWN)).toEqual([]);
});
