import type { PositionRow } from '@crossbook/contract';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { type PositionStats, positionStats } from '../../../calculators/contracts/position-stats.ts';
import { now } from '../../../stores/app/clock.ts';
import {
  findInstrument,
  instrumentsStore,
  type ListedInstrument,
  loadInstruments,
} from '../../../stores/market/instruments.ts';
import { marketKey } from '../../../stores/market/market.ts';
import { keepMarks, type Mark, marksStore } from '../../../stores/trading/contracts/marks.ts';
import { positionKey, positionsStore } from '../../../stores/trading/contracts/positions.ts';

/** A position with its contract and what it is worth at the newest mark. */
export interface PositionView {
  readonly key: string;
  readonly row: PositionRow;
  readonly instrument: ListedInstrument;
  readonly stats: PositionStats;
  /** Age of the mark in ms; 0 while the exchange's own row is newer. */
  readonly markAgeMillis: number;
  /** What funding comes next; `undefined` until it is known. */
  readonly funding: Mark['funding'];
}

/** Marks older than this step back and say their age. */
export const MARK_OLD_MILLIS = 5_000;
/** Marks older than this are no longer shown. */
export const MARK_GONE_MILLIS = 60_000;

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
  return useMemo(() => {
    const at = now();
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
          markAgeMillis: mark === undefined ? 0 : Math.max(0, at - mark.at),
        },
      ];
    });
  }, [rows, instruments, marks]);
}
