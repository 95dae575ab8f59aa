import type { PositionRow } from '@crossbook/contract';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { ageOfMark } from '../../../calculators/contracts/mark-age.ts';
import { type PositionStats, positionStats } from '../../../calculators/contracts/position-stats.ts';
import { now } from '../../../stores/app/clock.ts';
import {
  findInstrument,
  instrumentsStore,
  type ListedInstrument,
  loadInstruments,
} from '../../../stores/market/instruments.ts';
import { liveStore } from '../../../stores/market/live.ts';
import { marketKey } from '../../../stores/market/market.ts';
import { keepMarks, type Mark, marksStore } from '../../../stores/trading/contracts/marks.ts';
import { positionKey, positionsStore } from '../../../stores/trading/contracts/positions.ts';
import { useSampled } from '../live/live-hooks.ts';
import { isVouched } from '../live/live-market.ts';

/** A position with its contract and what it is worth at the newest mark. */
export interface PositionView {
  readonly key: string;
  readonly row: PositionRow;
  readonly instrument: ListedInstrument;
  readonly stats: PositionStats;
  /** Age of the mark in ms; 0 while it is as good as new. */
  readonly markAgeMillis: number;
  /** What funding comes next; `undefined` until it is known. */
  readonly funding: Mark['funding'];
}

const AGES_EVERY_MILLIS = 1_000;

/** Ages of the marks of positions that are old, looked at once a second: a mark grows old while nothing arrives. */
function useMarkAges(rows: readonly PositionRow[]): ReadonlyMap<string, number> {
  const said = useSampled(() => {
    const live = liveStore.getState();
    const marks = marksStore.getState();
    return rows
      .map((row) => {
        const { exchange, symbol } = row;
        const mark = marks[marketKey({ platform: exchange, symbolType: 'SWAP', symbol })];
        const vouched = isVouched(live[exchange], 'SWAP', performance.now());
        return `${positionKey(row)} ${ageOfMark(mark?.at, vouched, now())}`;
      })
      .join('\n');
  }, AGES_EVERY_MILLIS);
  return useMemo(() => {
    const ages = said.split('\n').map((line): [string, number] => {
      const [key = '', age] = line.split(' ');
      return [key, Number(age ?? 0)];
    });
    return new Map(ages);
  }, [said]);
}

/** Open positions with their figures, re-marked at most four times a second. */
export function usePositions(filter: (row: PositionRow) => boolean): readonly PositionView[] {
  const open = useStore(positionsStore, (state) => state.open);
  const instruments = useStore(instrumentsStore);
  const marks = useStore(marksStore);
  const rows = useMemo(() => [...open.values()].filter(filter), [open, filter]);
  const names = rows.map(({ exchange, symbol }) => `${exchange} ${symbol}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names say which rows there are
  useEffect(() => {
    for (const exchange of new Set(rows.map((row) => row.exchange))) void loadInstruments(exchange);
    return keepMarks(
      rows.map(({ exchange, symbol }) => ({ platform: exchange, symbolType: 'SWAP' as const, symbol })),
    );
  }, [names]);
  const ages = useMarkAges(rows);
  return useMemo(() => {
    return rows.flatMap((row) => {
      const instrument = findInstrument(instruments, row.exchange, 'SWAP', row.symbol);
      if (instrument === undefined) return [];
      const mark = marks[marketKey(instrument)];
      return [
        {
          key: positionKey(row),
          row,
          instrument,
          stats: positionStats(row, instrument, mark?.price),
          funding: mark?.funding,
          markAgeMillis: ages.get(positionKey(row)) ?? 0,
        },
      ];
    });
  }, [rows, instruments, marks, ages]);
}
