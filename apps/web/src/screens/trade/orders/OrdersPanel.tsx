import type { FillRow, OrderRow } from '@crossbook/contract';
import { decimalsOf, platformFacts } from '@crossbook/domain';
import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useLocale, useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import {
  findInstrument,
  instrumentsStore,
  type ListedInstrument,
} from '../../../stores/market/instruments.ts';
import { call } from '../../../stores/member/own-service.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { fillsStore } from '../../../stores/trading/fills.ts';
import { cancelOrder, loadOpenOrders, ordersStore } from '../../../stores/trading/orders.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TabPanel, Tabs } from '../../../ui/Tabs.tsx';
import { Assets, LogInPrompt } from './Assets.tsx';
import { type ColumnTools, fillColumns, openOrderColumns, orderHistoryColumns } from './columns.tsx';
import { fillKey } from './order-values.ts';
import { type RowPage, usePages } from './use-pages.ts';
import { VirtualTable } from './VirtualTable.tsx';

type PanelTab = 'open' | 'history' | 'fills' | 'assets';

/** Rows per page of the histories. */
const PAGE_ROWS = 50;

interface PanelProps {
  readonly instrument: ListedInstrument;
  readonly onlyThis: boolean;
  readonly wide: boolean;
}

function useFailure(onRetry: () => void) {
  const text = useText();
  return { title: text('common.failed'), retry: text('common.retry'), onRetry };
}

function useColumnTools({ platform }: ListedInstrument): ColumnTools {
  const text = useText();
  const locale = useLocale();
  const instruments = useStore(instrumentsStore);
  return useMemo(
    () => ({
      text,
      locale,
      digits: (symbol) => {
        const found = findInstrument(instruments, platform, 'SPOT', symbol);
        return found === undefined
          ? { price: 0, size: 0 }
          : { price: decimalsOf(found.tickSize), size: decimalsOf(found.lotSize) };
      },
    }),
    [text, locale, instruments, platform],
  );
}

/** Open orders of the platform on screen, newest first. */
function useOpenRows(instrument: ListedInstrument, onlyThis: boolean): readonly OrderRow[] {
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
  return { asked, onCancel };
}

function OpenOrders({ instrument, onlyThis, wide }: PanelProps) {
  const text = useText();
  const tools = useColumnTools(instrument);
  const { platform } = instrument;
  const rows = useOpenRows(instrument, onlyThis);
  const status = useStore(ordersStore, (state) => state.status[platform] ?? 'loading');
  const cancel = useCancel();
  const columns = useMemo(() => openOrderColumns(tools, cancel), [tools, cancel]);
  const failure = useFailure(() => void loadOpenOrders(platform));
  return (
    <VirtualTable
      label={text('trade.orders.open')}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.orderId}
      status={status}
      wide={wide}
      empty={{ title: text('common.empty'), advice: text('trade.orders.openEmpty') }}
      failure={failure}
    />
  );
}

function OrderHistory({ instrument, onlyThis, wide }: PanelProps) {
  const text = useText();
  const tools = useColumnTools(instrument);
  const version = useStore(ordersStore, (state) => state.version);
  const { platformType } = platformFacts(instrument.platform);
  const symbol = onlyThis ? instrument.symbol : undefined;
  const read = useCallback(
    async (cursor: string | undefined): Promise<RowPage<OrderRow> | undefined> => {
      const answer = await call(
        'connextrade/OrderHistory',
        { platformType, symbol, limit: PAGE_ROWS, cursor },
        { quiet: true },
      );
      return answer.ok ? answer.data : undefined;
    },
    [platformType, symbol],
  );
  const pages = usePages(read, version);
  const columns = useMemo(() => orderHistoryColumns(tools), [tools]);
  const failure = useFailure(pages.retry);
  return (
    <VirtualTable
      label={text('trade.orders.history')}
      columns={columns}
      rows={pages.rows}
      rowKey={(row) => row.orderId}
      status={pages.status}
      wide={wide}
      onEnd={pages.more}
      empty={{ title: text('common.empty'), advice: text('trade.orders.historyEmpty') }}
      failure={failure}
    />
  );
}

function TradeHistory({ instrument, onlyThis, wide }: PanelProps) {
  const text = useText();
  const tools = useColumnTools(instrument);
  const recent = useStore(fillsStore, (state) => state.recent);
  const { platformType } = platformFacts(instrument.platform);
  const symbol = onlyThis ? instrument.symbol : undefined;
  const read = useCallback(
    async (cursor: string | undefined): Promise<RowPage<FillRow> | undefined> => {
      const answer = await call(
        'x/trade/Fills',
        { platformType, symbol, limit: PAGE_ROWS, cursor },
        { quiet: true },
      );
      return answer.ok ? answer.data : undefined;
    },
    [platformType, symbol],
  );
  const pages = usePages(read, recent);
  const columns = useMemo(() => fillColumns(tools), [tools]);
  const failure = useFailure(pages.retry);
  return (
    <VirtualTable
      label={text('trade.orders.fills')}
      columns={columns}
      rows={pages.rows}
      rowKey={fillKey}
      status={pages.status}
      wide={wide}
      onEnd={pages.more}
      empty={{ title: text('common.empty'), advice: text('trade.orders.fillsEmpty') }}
      failure={failure}
    />
  );
}

function CancelAll({ rows }: { readonly rows: readonly OrderRow[] }) {
  const text = useText();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const cancelAll = async (): Promise<void> => {
    setAsking(false);
    setBusy(true);
    // One after the other: the venue counts cancels against the account's rate.
    for (const row of rows) if (!row.cancelPending) await cancelOrder(row);
    setBusy(false);
  };
  return (
    <>
      <Button
        size="small"
        tone="quiet"
        busy={busy}
        disabled={rows.length === 0}
        onClick={() => setAsking(true)}
        className="max-lg:h-11"
      >
        {text('trade.orders.cancelAll')}
      </Button>
      <Dialog
        open={asking}
        kind="alert"
        onClose={() => setAsking(false)}
        title={text('trade.orders.cancelAll.title', { count: rows.length })}
        description={text('trade.orders.cancelAll.text')}
        closeLabel={text('common.close')}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{text('common.back')}</Button>
            <Button tone="danger" onClick={() => void cancelAll()}>
              {text('trade.orders.cancelAll')}
            </Button>
          </>
        }
      />
    </>
  );
}

/** Open orders, histories and balances of the member. */
export function OrdersPanel({
  instrument,
  wide,
}: {
  readonly instrument: ListedInstrument;
  readonly wide: boolean;
}) {
  const text = useText();
  const [tab, setTab] = useState<PanelTab>('open');
  const all = useStore(tradeSettingsStore, (settings) => settings.openOrdersAll);
  const member = useStore(sessionStore, isMember);
  const open = useOpenRows(instrument, !all);
  const props = { instrument, onlyThis: !all, wide };
  const tabs = [
    { value: 'open' as const, label: text('trade.orders.open'), count: open.length },
    { value: 'history' as const, label: text('trade.orders.history') },
    { value: 'fills' as const, label: text('trade.orders.fills') },
    { value: 'assets' as const, label: text('trade.orders.assets') },
  ];
  const tools = (
    <div className="flex shrink-0 items-center gap-3 px-3">
      <label className="flex cursor-pointer items-center gap-1.5 whitespace-nowrap text-xs text-soft max-lg:min-h-11">
        <input
          type="checkbox"
          checked={!all}
          onChange={(event) => changeTradeSettings({ openOrdersAll: !event.target.checked })}
          className="size-3.5 accent-accent"
        />
        {text('trade.orders.onlyThis')}
      </label>
      {tab === 'open' && <CancelAll rows={open} />}
    </div>
  );
  return (
    <section aria-label={text('trade.orders.label')} className="h-full min-h-0 bg-panel">
      <Tabs
        items={tabs}
        value={tab}
        onChange={setTab}
        label={text('trade.orders.label')}
        className="h-full"
        end={member && wide ? tools : undefined}
      >
        {member && !wide && tab !== 'assets' && <div className="flex justify-end">{tools}</div>}
        <TabPanel value={tab}>
          {member ? (
            <>
              {tab === 'open' && <OpenOrders {...props} />}
              {tab === 'history' && <OrderHistory {...props} />}
              {tab === 'fills' && <TradeHistory {...props} />}
              {tab === 'assets' && <Assets {...props} />}
            </>
          ) : (
            <LogInPrompt />
          )}
        </TabPanel>
      </Tabs>
    </section>
  );
}
