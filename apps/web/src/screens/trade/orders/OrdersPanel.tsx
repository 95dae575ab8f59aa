import { Suspense, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../../i18n/i18n.ts';
import { watchFiring } from '../../../stores/algos/firing-watch.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import { type ListedInstrument, orderSymbolKey } from '../../../stores/market/instruments.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { readAlgos, readFills, readOrders } from '../../../stores/trading/records.ts';
import { useKeepLive } from '../../../stores/trading/use-keep-live.ts';
import { lazyPart } from '../../../ui/read-ahead.ts';
import { Skeleton } from '../../../ui/states.tsx';
import { TabPanel, Tabs } from '../../../ui/Tabs.tsx';
import { useKeys } from '../keys/use-keys.ts';
import type { LiveMarket } from '../live/live-market.ts';
import { ExportCsv } from '../tables/ExportCsv.tsx';
import { CancelAll } from './CancelAll.tsx';
import { LogInPrompt } from './LogInPrompt.tsx';
import { filterOf, SPOT_TABS, useOpenRows, useWaitingRows } from './record-rows.ts';

const SpotTable = lazyPart(async () => (await import('./SpotTable.tsx')).SpotTable);
const recordCsv = () => import('../../../calculators/tables/record-csv.ts');

/** The name of the list of open orders with how many stand in it. */
export function OpenOrdersName({ instrument }: { readonly instrument: ListedInstrument }) {
  const text = useText();
  const all = useStore(tradeSettingsStore, (settings) => settings.openOrdersAll);
  const { length } = useOpenRows(instrument, !all);
  return `${text('trade.orders.open')}${length === 0 ? '' : ` ${length}`}`;
}

/** Open orders, histories and balances of the member. */
export function OrdersPanel(props: {
  readonly instrument: ListedInstrument;
  readonly market: LiveMarket;
  readonly wide: boolean;
}) {
  const { instrument, wide } = props;
  const text = useText();
  const kept = useStore(tradeSettingsStore, (settings) => settings.spotTab);
  const tab = SPOT_TABS.find((name) => name === kept) ?? 'open';
  const all = useStore(tradeSettingsStore, (settings) => settings.openOrdersAll);
  const member = useStore(sessionStore, isMember);
  // Orders of every exchange stand here.
  useKeepLive();
  useEffect(watchFiring, []);
  const open = useOpenRows(instrument, !all);
  const waiting = useWaitingRows(instrument, !all);
  const part = { ...props, onlyThis: !all };
  const tabs = [
    { value: 'open' as const, label: text('trade.orders.open'), count: open.length },
    { value: 'conditional' as const, label: text('trade.algos'), count: waiting.length },
    { value: 'history' as const, label: text('trade.orders.history') },
    { value: 'fills' as const, label: text('trade.orders.fills') },
    { value: 'assets' as const, label: text('trade.orders.assets') },
  ];
  const tools = (
    <div className="flex shrink-0 items-center gap-3 px-3">
      <OnlyThis checked={!all} onChange={(onlyThis) => changeTradeSettings({ openOrdersAll: !onlyThis })} />
      {tab === 'open' && (
        <ExportCsv
          name="open-orders"
          columns={async () => (await recordCsv()).orderCsv(orderSymbolKey)}
          read={async () => ({ rows: open })}
        />
      )}
      {tab === 'conditional' && (
        <ExportCsv
          name="conditional"
          columns={async () => (await recordCsv()).algoCsv(orderSymbolKey)}
          read={readAlgos(filterOf(part))}
        />
      )}
      {tab === 'open' && <CancelAll {...part} kind="limit" count={open.length} />}
      {tab === 'conditional' && <CancelAll {...part} kind="conditional" count={waiting.length} />}
      {tab === 'history' && (
        <ExportCsv
          name="spot-orders"
          columns={async () => (await recordCsv()).pastOrderCsv(orderSymbolKey)}
          read={readOrders(filterOf(part))}
        />
      )}
      {tab === 'fills' && (
        <ExportCsv
          name="spot-fills"
          columns={async () => (await recordCsv()).fillCsv(orderSymbolKey)}
          read={readFills(filterOf(part))}
        />
      )}
    </div>
  );
  const panel = useRef<HTMLElement>(null);
  // A tab that gets the focus opens.
  useKeys({
    'focus.orders': () => panel.current?.querySelector<HTMLElement>('[role="tab"][id$="-open"]')?.focus(),
  });
  return (
    <section ref={panel} aria-label={text('trade.orders.label')} className="h-full min-h-0 bg-panel">
      <Tabs
        items={tabs}
        value={tab}
        onChange={(spotTab) => changeTradeSettings({ spotTab })}
        label={text('trade.orders.label')}
        className="h-full"
        end={member && wide ? tools : undefined}
      >
        {member && !wide && tab !== 'assets' && <div className="flex justify-end">{tools}</div>}
        <TabPanel value={tab}>
          {member ? (
            <Suspense fallback={<Skeleton className="m-3 h-24 w-1/2" />}>
              <SpotTable {...part} tab={tab} />
            </Suspense>
          ) : (
            <LogInPrompt />
          )}
        </TabPanel>
      </Tabs>
    </section>
  );
}

/** Whether the tables show the symbol on screen only. */
export function OnlyThis(props: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  const text = useText();
  return (
    <label className="flex cursor-pointer items-center gap-1.5 whitespace-nowrap text-xs text-soft max-lg:min-h-11">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.target.checked)}
        className="size-3.5 accent-accent"
      />
      {text('trade.orders.onlyThis')}
    </label>
  );
}
