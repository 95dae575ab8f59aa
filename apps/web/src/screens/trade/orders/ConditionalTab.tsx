import type { AlgoRow } from '@crossbook/contract';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { listsStatus } from '../../../calculators/tables/list-status.ts';
import { useText } from '../../../i18n/i18n.ts';
import { algosStore, cancelAlgo, isDone, loadAlgos } from '../../../stores/algos/algos.ts';
import { notify } from '../../../stores/app/notices.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { readAlgos } from '../../../stores/trading/records.ts';
import { useSampled } from '../live/live-hooks.ts';
import { useCellTools } from '../tables/cells.tsx';
import { usePages } from '../tables/use-pages.ts';
import { VirtualTable } from '../tables/VirtualTable.tsx';
import { type AlgoTools, algoCard, algoColumns } from './algo-columns.tsx';
import { filterOf, platformsOf, type RecordTabProps, useFailure, useShownRows } from './record-tabs.tsx';
import { Unread } from './Unread.tsx';

/** How often the distances follow the market. */
const DISTANCE_EVERY_MILLIS = 1_000;
/** What is still firing after this long is an alarm. */
const FIRING_MILLIS_MAX = 5_000;
const ROW_PIXELS = 44;

/** The member's orders that wait for the symbol on screen or at every exchange, newest first. */
export function useWaitingRows(instrument: ListedInstrument, onlyThis: boolean): readonly AlgoRow[] {
  return useShownRows(
    useStore(algosStore, (state) => state.open),
    { instrument, onlyThis },
  );
}

/** An order that fires and does not become one is worth an alarm, once: whichever tab is open, wherever it waited. */
export function useFiringAlarm(): void {
  const names = useStore(algosStore, ({ open }) =>
    [...open.values()]
      .filter((row) => row.state === 'firing')
      .map((row) => row.algoId)
      .join(),
  );
  useEffect(() => {
    if (names === '') return;
    const timer = setTimeout(() => {
      for (const id of names.split(',')) {
        const symbol = algosStore.getState().open.get(id)?.symbol ?? '';
        notify('error', { id: 'algo.stillFiring', values: { symbol } }, `algo ${id}`, { event: 'danger' });
      }
    }, FIRING_MILLIS_MAX);
    return () => clearTimeout(timer);
  }, [names]);
}

/** Orders that wait for a price, and below them those that are done. */
export function ConditionalTab({ instrument, market, onlyThis, wide }: RecordTabProps) {
  const text = useText();
  const cells = useCellTools();
  const waiting = useWaitingRows(instrument, onlyThis);
  const platforms = platformsOf({ instrument, onlyThis });
  const known = useStore(algosStore, (state) => state.status);
  const version = useStore(algosStore, (state) => state.version);
  const read = useMemo(() => readAlgos(filterOf({ instrument, onlyThis })), [instrument, onlyThis]);
  const pages = usePages(read, version);
  const last = useSampled(() => market.ticker.stats()?.last, DISTANCE_EVERY_MILLIS);
  const mark = useSampled(() => market.ticker.stats()?.mark, DISTANCE_EVERY_MILLIS);
  const tools: AlgoTools = useMemo(
    () => ({ ...cells, onCancel: (row) => void cancelAlgo(row), prices: { of: instrument, last, mark } }),
    [cells, instrument, last, mark],
  );
  const columns = useMemo(() => algoColumns(tools), [tools]);
  const ended = pages.rows.filter(isDone);
  const { status, unread } = listsStatus(known, platforms, waiting.length + ended.length > 0);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Unread
        missing="trade.orders.unread"
        platforms={unread}
        onRetry={(platform) => void loadAlgos(platform)}
      />
      <div className="min-h-0 flex-1">
        <VirtualTable
          name="conditional"
          label={text('trade.algos')}
          columns={columns}
          rows={[...waiting, ...ended]}
          rowKey={(row) => row.algoId}
          card={algoCard(tools)}
          status={status}
          wide={wide}
          rowPixels={ROW_PIXELS}
          onEnd={pages.more}
          empty={{ title: text('common.empty'), advice: text('trade.algo.empty') }}
          failure={useFailure(() => platforms.forEach((platform) => void loadAlgos(platform)))}
        />
      </div>
    </div>
  );
}
