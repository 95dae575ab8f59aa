import type { OrderRow } from '@crossbook/contract';
import { Suspense, useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { listsStatus } from '../../../calculators/tables/list-status.ts';
import { fillKey } from '../../../calculators/tables/order-values.ts';
import { ledBy } from '../../../calculators/tables/table-columns.ts';
import { useText } from '../../../i18n/i18n.ts';
import { marketKey } from '../../../stores/market/market.ts';
import { fillsStore } from '../../../stores/trading/fills.ts';
import { cancelOrder } from '../../../stores/trading/order-calls.ts';
import { loadOpenOrders, ordersStore } from '../../../stores/trading/orders.ts';
import { readFills, readOrders } from '../../../stores/trading/records.ts';
import { lazyPart } from '../../../ui/read-ahead.ts';
import { useMarketSample } from '../live/live-hooks.ts';
import { isOf, marketOf, useCellTools } from '../tables/cells.tsx';
import { usePages } from '../tables/use-pages.ts';
import { VirtualTable } from '../tables/VirtualTable.tsx';
import { fillCard, fillColumns } from './fill-columns.tsx';
import { openOrderCard, orderHistoryCard } from './order-cards.tsx';
import { openOrderColumns, orderHistoryColumns } from './order-columns.tsx';
import { usePricesElsewhere } from './prices-elsewhere.ts';
import { filterOf, platformsOf, type RecordTabProps, useOpenRows } from './record-rows.ts';
import { Unread } from './Unread.tsx';

const CountdownLine = lazyPart(async () => (await import('./Countdowns.tsx')).CountdownLine);

/** What a list that could not be read says, and how it is asked for again. */
export function useFailure(onRetry: () => void) {
  const text = useText();
  return { title: text('common.failed'), retry: text('common.retry'), onRetry };
}

/** Asks to cancel, and remembers which rows were asked for until they change. */
function useCancel() {
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set());
  const onCancel = useCallback((row: OrderRow) => {
    setAsked((before) => new Set(before).add(row.orderId));
    void cancelOrder(row).then(() =>
      setAsked((before) => new Set([...before].filter((id) => id !== row.orderId))),
    );
  }, []);
  return useMemo(() => ({ asked, onCancel }), [asked, onCancel]);
}

/** What of an open order is seen where its table stands beside the positions. */
const BESIDE = ['symbol', 'side', 'price', 'quantity', 'filled'];
/** How often the distances of open orders follow the market. */
const DISTANCE_EVERY_MILLIS = 1_000;

/** Orders that wait at the exchange. */
export function OpenOrders({ instrument, market, onlyThis, wide, beside }: RecordTabProps) {
  const text = useText();
  const tools = useCellTools();
  const rows = useOpenRows(instrument, onlyThis);
  const platforms = platformsOf({ instrument, onlyThis });
  const known = useStore(ordersStore, (state) => state.status);
  const { status, unread } = listsStatus(known, platforms, rows.length > 0);
  const cancel = useCancel();
  const price = useMarketSample(
    marketKey(instrument),
    () => market.ticker.stats()?.last,
    DISTANCE_EVERY_MILLIS,
  );
  const elsewhere = usePricesElsewhere(rows, instrument);
  const columns = useMemo(() => {
    const last = (row: OrderRow) =>
      isOf(row, instrument) ? price : elsewhere[marketKey(marketOf(row))]?.last;
    return ledBy(openOrderColumns(tools, cancel, last), beside ? BESIDE : []);
  }, [tools, cancel, instrument, price, elsewhere, beside]);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Unread
        missing="trade.orders.unread"
        platforms={unread}
        onRetry={(platform) => void loadOpenOrders(platform)}
      />
      <Suspense>
        <CountdownLine only={onlyThis ? instrument : undefined} />
      </Suspense>
      <div className="min-h-0 flex-1">
        <VirtualTable
          name="open"
          label={text('trade.orders.open')}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.orderId}
          card={openOrderCard(tools, cancel)}
          status={status}
          wide={wide}
          empty={{ title: text('common.empty'), advice: text('trade.orders.openEmpty') }}
          failure={useFailure(() => platforms.forEach((platform) => void loadOpenOrders(platform)))}
        />
      </div>
    </div>
  );
}

/** Orders of all states, newest first. */
export function OrderHistory({ instrument, onlyThis, wide }: RecordTabProps) {
  const text = useText();
  const tools = useCellTools();
  const version = useStore(ordersStore, (state) => state.version);
  const read = useMemo(() => readOrders(filterOf({ instrument, onlyThis })), [instrument, onlyThis]);
  const pages = usePages(read, version);
  const columns = useMemo(() => orderHistoryColumns(tools), [tools]);
  return (
    <VirtualTable
      name="history"
      label={text('trade.orders.history')}
      columns={columns}
      rows={pages.rows}
      rowKey={(row) => row.orderId}
      card={orderHistoryCard(tools)}
      status={pages.status}
      wide={wide}
      onEnd={pages.more}
      empty={{ title: text('common.empty'), advice: text('trade.orders.historyEmpty') }}
      failure={useFailure(pages.retry)}
    />
  );
}

/** Fills, newest first. */
export function TradeHistory({ instrument, onlyThis, wide }: RecordTabProps) {
  const text = useText();
  const tools = useCellTools();
  const recent = useStore(fillsStore, (state) => state.recent);
  const read = useMemo(() => readFills(filterOf({ instrument, onlyThis })), [instrument, onlyThis]);
  const pages = usePages(read, recent);
  const contracts = instrument.symbolType === 'SWAP';
  const columns = useMemo(() => fillColumns(tools, contracts), [tools, contracts]);
  return (
    <VirtualTable
      name="fills"
      label={text('trade.orders.fills')}
      columns={columns}
      rows={pages.rows}
      rowKey={fillKey}
      card={fillCard(tools, contracts)}
      status={pages.status}
      wide={wide}
      onEnd={pages.more}
      empty={{ title: text('common.empty'), advice: text('trade.orders.fillsEmpty') }}
      failure={useFailure(pages.retry)}
    />
  );
}
