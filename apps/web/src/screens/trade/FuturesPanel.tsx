import '../../i18n/later-words.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { watchFiring } from '../../stores/algos/firing-watch.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../stores/app/settings.ts';
import { type ListedInstrument, orderSymbolKey } from '../../stores/market/instruments.ts';
import { isMember, sessionStore } from '../../stores/member/session.ts';
import { positionsStore } from '../../stores/trading/contracts/positions.ts';
import {
  readAlgos,
  readClosedPositions,
  readFills,
  readFunding,
  readOrders,
} from '../../stores/trading/records.ts';
import { useKeepLive } from '../../stores/trading/use-keep-live.ts';
import { TabPanel, Tabs } from '../../ui/Tabs.tsx';
import { useKeys } from './keys/use-keys.ts';
import type { LiveMarket } from './live/live-market.ts';
import { Assets } from './orders/Assets.tsx';
import { CancelAll } from './orders/CancelAll.tsx';
import { ConditionalTab } from './orders/ConditionalTab.tsx';
import { LogInPrompt } from './orders/LogInPrompt.tsx';
import { OnlyThis } from './orders/OrdersPanel.tsx';
import { filterOf, type RecordTabProps, useOpenRows, useWaitingRows } from './orders/record-rows.ts';
import { OpenOrders, OrderHistory, TradeHistory } from './orders/record-tabs.tsx';
import { CloseAll } from './positions/CloseAll.tsx';
import { PositionsTab, usePositionFilter } from './positions/PositionsTab.tsx';
import { FundingTab, PositionHistory } from './positions/past-tabs.tsx';
import { ExportCsv } from './tables/ExportCsv.tsx';

const recordCsv = () => import('../../calculators/tables/record-csv.ts');

const TABS = ['positions', 'open', 'conditional', 'history', 'fills', 'closed', 'funding', 'assets'] as const;
type FuturesTab = (typeof TABS)[number];

/** What the tab bar offers beside the tabs: for the tab that is open. */
function TabTools({ tab, ...part }: RecordTabProps & { readonly tab: FuturesTab }): ReactNode {
  const open = useOpenRows(part.instrument, part.onlyThis);
  const waiting = useWaitingRows(part.instrument, part.onlyThis);
  const none = useStore(positionsStore, (state) => state.open.size === 0);
  const filter = filterOf(part);
  const shown = usePositionFilter(part);
  if (tab === 'positions') {
    const rows = async () => ({ rows: [...positionsStore.getState().open.values()].filter(shown) });
    return (
      <>
        <ExportCsv name="open-positions" columns={async () => (await recordCsv()).POSITION_CSV} read={rows} />
        <CloseAll instrument={part.instrument} none={none} />
      </>
    );
  }
  if (tab === 'open') {
    return (
      <>
        <ExportCsv
          name="open-orders"
          columns={async () => (await recordCsv()).orderCsv(orderSymbolKey)}
          read={async () => ({ rows: open })}
        />
        <CancelAll {...part} kind="limit" count={open.length} />
      </>
    );
  }
  if (tab === 'conditional') {
    return (
      <>
        <ExportCsv
          name="conditional"
          columns={async () => (await recordCsv()).algoCsv(orderSymbolKey)}
          read={readAlgos(filter)}
        />
        <CancelAll {...part} kind="conditional" count={waiting.length} />
      </>
    );
  }
  if (tab === 'history')
    return (
      <ExportCsv
        name="futures-orders"
        columns={async () => (await recordCsv()).pastOrderCsv(orderSymbolKey)}
        read={readOrders(filter)}
      />
    );
  if (tab === 'fills')
    return (
      <ExportCsv
        name="futures-fills"
        columns={async () => (await recordCsv()).fillCsv(orderSymbolKey)}
        read={readFills(filter)}
      />
    );
  if (tab === 'closed')
    return (
      <ExportCsv
        name="positions"
        columns={async () => (await recordCsv()).CLOSED_CSV}
        read={readClosedPositions(filter)}
      />
    );
  if (tab === 'funding')
    return (
      <ExportCsv
        name="funding"
        columns={async () => (await recordCsv()).FUNDING_CSV}
        read={readFunding(filter)}
      />
    );
  return null;
}

function Panel({ tab, ...part }: RecordTabProps & { readonly tab: FuturesTab }): ReactNode {
  if (tab === 'positions') return <PositionsTab {...part} />;
  if (tab === 'open') return <OpenOrders {...part} />;
  if (tab === 'conditional') return <ConditionalTab {...part} />;
  if (tab === 'history') return <OrderHistory {...part} />;
  if (tab === 'fills') return <TradeHistory {...part} />;
  if (tab === 'closed') return <PositionHistory {...part} />;
  if (tab === 'funding') return <FundingTab {...part} />;
  return <Assets {...part} />;
}

/** How many positions the list shows: of the contract on screen, or of all. */
function usePositionCount(instrument: ListedInstrument): number {
  const onlyThis = !useStore(tradeSettingsStore, (settings) => settings.positionsAll);
  const filter = usePositionFilter({ instrument, onlyThis });
  return useStore(positionsStore, (state) => [...state.open.values()].filter(filter).length);
}

/** The name of the list with how many stand in it. */
export function PositionsName({ instrument }: { readonly instrument: ListedInstrument }) {
  const text = useText();
  const count = usePositionCount(instrument);
  return `${text('trade.positions')}${count === 0 ? '' : ` ${count}`}`;
}

/** Positions, orders, histories and balances of the member, below the chart of a contract. */
export function FuturesPanel(props: {
  readonly instrument: ListedInstrument;
  readonly market: LiveMarket;
  readonly wide: boolean;
}) {
  const { instrument, wide } = props;
  const text = useText();
  const kept = useStore(tradeSettingsStore, (settings) => settings.futuresTab);
  const tab = TABS.find((name) => name === kept) ?? 'positions';
  const ordersAll = useStore(tradeSettingsStore, (settings) => settings.openOrdersAll);
  const positionsAll = useStore(tradeSettingsStore, (settings) => settings.positionsAll);
  const member = useStore(sessionStore, isMember);
  // Positions and orders of every exchange stand here, and what an exchange does to them is told at once.
  useKeepLive();
  useEffect(watchFiring, []);
  const aboutPositions = tab === 'positions' || tab === 'closed' || tab === 'funding';
  const onlyThis = aboutPositions ? !positionsAll : !ordersAll;
  const part = { ...props, onlyThis };
  const open = useOpenRows(instrument, !ordersAll).length;
  const waiting = useWaitingRows(instrument, !ordersAll).length;
  const positions = usePositionCount(instrument);
  const items = [
    { value: 'positions' as const, label: text('trade.positions'), count: positions },
    { value: 'open' as const, label: text('trade.orders.open'), count: open },
    { value: 'conditional' as const, label: text('trade.algos'), count: waiting },
    { value: 'history' as const, label: text('trade.orders.history') },
    { value: 'fills' as const, label: text('trade.orders.fills') },
    { value: 'closed' as const, label: text('trade.past.positions') },
    { value: 'funding' as const, label: text('trade.past.fundingTab') },
    { value: 'assets' as const, label: text('trade.orders.assets') },
  ];
  const tools = (
    <div className="flex shrink-0 items-center gap-3 px-3">
      {tab !== 'assets' && (
        <OnlyThis
          checked={onlyThis}
          onChange={(checked) =>
            changeTradeSettings(aboutPositions ? { positionsAll: !checked } : { openOrdersAll: !checked })
          }
        />
      )}
      <TabTools {...part} tab={tab} />
    </div>
  );
  const panel = useRef<HTMLElement>(null);
  // A tab that gets the focus opens.
  const focusTab = (name: FuturesTab): void =>
    panel.current?.querySelector<HTMLElement>(`[role="tab"][id$="-${name}"]`)?.focus();
  useKeys({ 'focus.positions': () => focusTab('positions'), 'focus.orders': () => focusTab('open') });
  return (
    <section ref={panel} aria-label={text('trade.orders.label')} className="h-full min-h-0 bg-panel">
      <Tabs
        items={items}
        value={tab}
        onChange={(futuresTab) => changeTradeSettings({ futuresTab })}
        label={text('trade.orders.label')}
        className="h-full"
        end={member && wide ? tools : undefined}
      >
        {member && !wide && tab !== 'assets' && <div className="flex justify-end">{tools}</div>}
        <TabPanel value={tab}>{member ? <Panel {...part} tab={tab} /> : <LogInPrompt />}</TabPanel>
      </Tabs>
    </section>
  );
}

/** A list beside the positions with its head. */
function Beside(props: {
  readonly label: string;
  readonly count: number;
  readonly end: ReactNode;
  readonly children: ReactNode;
}) {
  const { label, count, end, children } = props;
  return (
    <section aria-label={label} className="flex min-h-0 flex-1 flex-col bg-panel">
      <div className="flex h-9 shrink-0 items-center justify-between border-b border-line px-3">
        <h2 className="text-[13px]">
          {label} <span className="text-faint">({count})</span>
        </h2>
        <div className="flex items-center gap-3">{end}</div>
      </div>
      <div className="min-h-0 flex-1">{children}</div>
    </section>
  );
}

/** Open orders, and below them those that wait for a price, beside the positions where there is room for both. */
export function OrdersBeside(props: { readonly instrument: ListedInstrument; readonly market: LiveMarket }) {
  const text = useText();
  const member = useStore(sessionStore, isMember);
  const onlyThis = !useStore(tradeSettingsStore, (settings) => settings.openOrdersAll);
  const part = { ...props, onlyThis };
  const open = useOpenRows(props.instrument, onlyThis).length;
  const waiting = useWaitingRows(props.instrument, onlyThis).length;
  if (!member) {
    return (
      <section aria-label={text('trade.orders.open')} className="h-full bg-panel">
        <LogInPrompt />
      </section>
    );
  }
  return (
    <div className="flex min-h-0 flex-col gap-px">
      <Beside label={text('trade.orders.open')} count={open} end={<TabTools {...part} wide tab="open" />}>
        <OpenOrders {...part} wide beside />
      </Beside>
      <Beside label={text('trade.algos')} count={waiting} end={<TabTools {...part} wide tab="conditional" />}>
        <ConditionalTab {...part} wide beside />
      </Beside>
    </div>
  );
}
