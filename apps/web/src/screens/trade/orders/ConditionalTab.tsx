import { useMemo } from 'react';
import { useStore } from 'zustand';
import { listsStatus } from '../../../calculators/tables/list-status.ts';
import { ledBy } from '../../../calculators/tables/table-columns.ts';
import { useText } from '../../../i18n/i18n.ts';
import { cancelAlgo } from '../../../stores/algos/algo-calls.ts';
import { algosStore, loadAlgos } from '../../../stores/algos/algos.ts';
import { downMarkets, liveStore } from '../../../stores/market/live.ts';
import { marketKey } from '../../../stores/market/market.ts';
import { readAlgos } from '../../../stores/trading/records.ts';
import { useMarketSample } from '../live/live-hooks.ts';
import { isOf, marketOf, useCellTools } from '../tables/cells.tsx';
import { usePages } from '../tables/use-pages.ts';
import { VirtualTable } from '../tables/VirtualTable.tsx';
import { type AlgoTools, algoCard, algoColumns } from './algo-columns.tsx';
import { usePricesElsewhere } from './prices-elsewhere.ts';
import { endedRows, filterOf, platformsOf, type RecordTabProps, useWaitingRows } from './record-rows.ts';
import { useFailure } from './record-tabs.tsx';
import { Unread } from './Unread.tsx';

/** How often the distances follow the market. */
const DISTANCE_EVERY_MILLIS = 1_000;
const ROW_PIXELS = 44;
/** What of an order that waits is seen where its table stands beside the positions. */
const BESIDE = ['symbol', 'side', 'trigger', 'size'];

/** Orders that wait for a price, and below them those that are done. */
export function ConditionalTab({ instrument, market, onlyThis, wide, beside }: RecordTabProps) {
  const text = useText();
  const cells = useCellTools();
  const waiting = useWaitingRows(instrument, onlyThis);
  const platforms = platformsOf({ instrument, onlyThis });
  const known = useStore(algosStore, (state) => state.status);
  const version = useStore(algosStore, (state) => state.version);
  const read = useMemo(() => readAlgos(filterOf({ instrument, onlyThis })), [instrument, onlyThis]);
  const pages = usePages(read, version);
  const stats = useMarketSample(marketKey(instrument), () => market.ticker.stats(), DISTANCE_EVERY_MILLIS);
  const { last, mark, index } = stats ?? {};
  const elsewhere = usePricesElsewhere(waiting, instrument);
  const down = useStore(liveStore, downMarkets);
  const tools: AlgoTools = useMemo(
    () => ({
      ...cells,
      onCancel: (row) => void cancelAlgo(row),
      away: ({ exchange, symbolType }) => down.includes(`${exchange} ${symbolType}`),
      prices: (row) => (isOf(row, instrument) ? { last, mark, index } : elsewhere[marketKey(marketOf(row))]),
    }),
    [cells, down, instrument, last, mark, index, elsewhere],
  );
  const columns = useMemo(() => ledBy(algoColumns(tools), beside ? BESIDE : []), [tools, beside]);
  const ended = endedRows(pages.rows, { instrument, onlyThis });
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
