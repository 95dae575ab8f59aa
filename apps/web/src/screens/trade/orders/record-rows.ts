import type { AlgoRow, OrderRow } from '@crossbook/contract';
import type { Platform } from '@crossbook/domain';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { algosStore, endedHere, isDone } from '../../../stores/algos/algos.ts';
import { bootPlatform } from '../../../stores/app/boot.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { ordersStore } from '../../../stores/trading/orders.ts';
import { tradablePlatforms } from '../../../stores/trading/use-keep-live.ts';
import type { LiveMarket } from '../live/live-market.ts';

/** The tabs below the chart of a pair. */
export const SPOT_TABS = ['open', 'conditional', 'history', 'fills', 'assets'] as const;
export type SpotTab = (typeof SPOT_TABS)[number];

/** What every tab below the chart gets. */
export interface RecordTabProps {
  readonly instrument: ListedInstrument;
  readonly market: LiveMarket;
  /** Rows of this symbol only. */
  readonly onlyThis: boolean;
  readonly wide: boolean;
  /** The table stands beside another one: what it cannot show at once is behind what matters. */
  readonly beside?: true;
}

type Shown = Pick<RecordTabProps, 'instrument' | 'onlyThis'>;

/** The exchanges whose rows the tabs show: that of the symbol on screen, or every one that is open. */
export function platformsOf({ instrument, onlyThis }: Shown): readonly Platform[] {
  const { platform, symbolType } = instrument;
  if (onlyThis) return [platform];
  const open = tradablePlatforms().filter((one) => bootPlatform(one)?.symbolTypes.includes(symbolType));
  return [...new Set([platform, ...open])];
}

/** Which records the tabs are about: those of the symbol on screen, or all of its type. */
export function filterOf(shown: Shown) {
  const { symbolType, symbol } = shown.instrument;
  return { platforms: platformsOf(shown), symbolType, symbol: shown.onlyThis ? symbol : undefined };
}

type Listed = Pick<OrderRow, 'exchange' | 'symbolType' | 'symbol' | 'createdAt'>;

function shownRows<Row extends Listed>(rows: Iterable<Row>, { instrument, onlyThis }: Shown): readonly Row[] {
  const { platform, symbolType, symbol } = instrument;
  return [...rows]
    .filter((row) => row.symbolType === symbolType)
    .filter((row) => !onlyThis || (row.exchange === platform && row.symbol === symbol))
    .toSorted((left, right) => right.createdAt - left.createdAt);
}

/** Rows of what is open that the tabs show, newest first. */
export function useShownRows<Row extends Listed>(
  open: ReadonlyMap<string, Row>,
  { instrument, onlyThis }: Shown,
): readonly Row[] {
  return useMemo(() => shownRows(open.values(), { instrument, onlyThis }), [open, instrument, onlyThis]);
}

/**
 * Orders that waited and are done, newest first: those that were read, and those that ended since. Without these a row would
 * leave the list until its end is read, and come back last where the pointer holds the rows still.
 */
export function endedRows(read: readonly AlgoRow[], shown: Shown): readonly AlgoRow[] {
  const ended = new Map(endedHere().map((row) => [row.algoId, row]));
  for (const row of read.filter(isDone)) ended.set(row.algoId, row);
  return shownRows(ended.values(), shown);
}

/** Open orders of the symbol on screen or of every exchange, newest first. */
export function useOpenRows(instrument: ListedInstrument, onlyThis: boolean): readonly OrderRow[] {
  return useShownRows(
    useStore(ordersStore, (state) => state.open),
    { instrument, onlyThis },
  );
}

/** The member's orders that wait for the symbol on screen or at every exchange, newest first. */
export function useWaitingRows(instrument: ListedInstrument, onlyThis: boolean): readonly AlgoRow[] {
  return useShownRows(
    useStore(algosStore, (state) => state.open),
    { instrument, onlyThis },
  );
}
