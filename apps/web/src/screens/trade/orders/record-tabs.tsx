import type { OrderRow } from '@crossbook/contract';
import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { fillsStore } from '../../../stores/trading/fills.ts';
import { cancelOrder, loadOpenOrders, ordersStore } from '../../../stores/trading/orders.ts';
import { readFills, readOrders } from '../../../stores/trading/records.ts';
import { useSampled } from '../live/live-hooks.ts';
import type { LiveMarket } from '../live/live-market.ts';
import { useCellTools } from '../tables/cells.tsx';
import { usePages } from '../tables/use-pages.ts';
import { VirtualTable } from '../tables/VirtualTable.tsx';
import { fillCard, fillColumns } from './fill-columns.tsx';
import { openOrderCard, openOrderColumns, orderHistoryCard, orderHistoryColumns } from './order-columns.tsx';
import { fillKey } from './order-values.ts';

/** What every tab below the chart gets. */
export interface RecordTabProps {
  readonly instrument: ListedInstrument;
  readonly market: LiveMarket;
  /** Rows of this symbol only. */
  readonly onlyThis: boolean;
  readonly wide: boolean;
}

/** What a list that could not be read says, and how it is asked for again. */
export function useFailure(onRetry: () => void) {
  const text = useText();
  return { title: text('common.failed'), retry: text('common.retry'), onRetry };
}

/** Which records the tabs are about: those of the platform and type on screen. */
export function filterOf({ instrument, onlyThis }: Pick<RecordTabProps, 'instrument' | 'onlyThis'>) {
  const { platform, symbolType, symbol } = instrument;
  return { platforms: [platform], symbolType, symbol: onlyThis ? symbol : undefined };
}

/** Open orders of the platform on screen, newest first. */
export function useOpenRows(instrument: ListedInstrument, onlyThis: boolean): readonly OrderRow[] {
  const open = useStore(ordersStore, (state) => state.open);
  return useMemo(
    () =>
      [...open.values()]
        .filter(
          (row) =>
            row.exchange === instrument.platform &&
            row.symbolType === instrument.symbolType &&
            (!onlyThis || row.symbol === instrument.symbol),
        )
        .sort((left, right) => right.createdAt - left.createdAt),
    [open, instrument, onlyThis],
  );
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

/** How often the distances of open orders follow the market. */
const DISTANCE_EVERY_MILLIS = 1_000;

/** Orders that wait at the exchange. */
export function OpenOrders({ instrument, market, onlyThis, wide }: RecordTabProps) {
  const text = useText();
  const tools = useCellTools();
  const { platform, symbol } = instrument;
  const rows = useOpenRows(instrument, onlyThis);
  const status = useStore(ordersStore, (state) => state.status[platform] ?? 'loading');
  const cancel = useCancel();
  const price = useSampled(() => market.ticker.stats()?.last, DISTANCE_EVERY_MILLIS);
  const columns = useMemo(
    () => openOrderColumns(tools, cancel, { symbol, price }),
    [tools, cancel, symbol, price],
  );
  return (
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
      failure={useFailure(() => void loadOpenOrders(platform))}
    />
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
