import { type ReactNode, useState } from 'react';
import { useText } from '../../../i18n/i18n.ts';
import { BestOffersLine } from '../bar/BestOffersLine.tsx';
import { ChartPanel } from '../chart/ChartPanel.tsx';
import { useScreen } from '../live/live-hooks.ts';
import { StatusInMenu } from '../StatusBar.tsx';
import { OneClickBadge } from '../TradeSettings.tsx';
import { Bar, BookOrTape, PanelTabs, type TradeViewProps } from '../trade-layouts.tsx';

/** A phone on its side: chart, book and the two buttons fill the window; orders are below it. */
function LowTrade(props: TradeViewProps & { readonly thumb: ReactNode }) {
  const { market, instrument, ticket, orders, thumb } = props;
  return (
    <div data-terminal="low" className="flex flex-1 flex-col gap-px bg-line">
      <div className="flex h-dvh flex-col gap-px">
        <Bar {...props} shape="line" />
        <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_224px_minmax(124px,16%)] gap-px">
          <ChartPanel {...{ instrument, market }} onOrder={props.onOrder} />
          <BookOrTape {...props} panel="book" />
          <div className="flex flex-col justify-center gap-2 bg-panel p-2 pb-[calc(8px+env(safe-area-inset-bottom))] [&>button]:max-h-24 [&>button]:min-h-12">
            {thumb}
          </div>
        </div>
      </div>
      {ticket !== null && <div className="bg-panel">{ticket}</div>}
      <div className="min-h-60 flex-1 bg-panel">{orders}</div>
      <StatusInMenu market={market} instrument={instrument} />
    </div>
  );
}

/** Below 1,024 pixels: one panel at a time, orders below, and at the thumb what leads to the ticket. */
export function PhoneTrade(props: TradeViewProps & { readonly thumb: ReactNode }) {
  return useScreen() === 'low' ? <LowTrade {...props} /> : <UprightTrade {...props} />;
}

/** What a phone shows above the lists: of the chart as much as leaves room for them, more of it on a tablet; of the book eight rows a side. */
const PANEL_HEIGHTS = {
  chart: 'h-[max(min(344px,52dvh),40dvh)]',
  book: 'h-[452px]',
  trades: 'h-[452px]',
} as const;

function UprightTrade(props: TradeViewProps & { readonly thumb: ReactNode }) {
  const { market, instrument, freshness, ticket, orders, thumb, lists } = props;
  const text = useText();
  const [panel, setPanel] = useState<keyof typeof PANEL_HEIGHTS | 'lists'>('chart');
  return (
    <div
      data-terminal=""
      className="flex flex-1 flex-col gap-px bg-line pb-[calc(56px+env(safe-area-inset-bottom))]"
    >
      <Bar {...props} shape="narrow" />
      <div className="flex flex-col bg-panel">
        <PanelTabs
          label={text('trade.panels')}
          value={panel}
          onChange={(next) => {
            if (next === 'lists') lists.onOpen();
            setPanel(next);
          }}
          items={[
            { value: 'chart', label: text('trade.tab.chart') },
            { value: 'book', label: text('trade.tab.book') },
            { value: 'trades', label: text('trade.tab.trades') },
            { value: 'lists', label: lists.name },
          ]}
          end={<OneClickBadge />}
        />
        {panel === 'book' && (
          <BestOffersLine
            {...{ instrument, stale: freshness.stale }}
            className="flex h-12 border-b border-line px-1"
          />
        )}
        {panel !== 'lists' && (
          <div className={PANEL_HEIGHTS[panel]}>
            {panel === 'chart' ? (
              <ChartPanel {...{ instrument, market }} onOrder={props.onOrder} />
            ) : (
              <BookOrTape {...props} panel={panel} />
            )}
          </div>
        )}
      </div>
      {ticket !== null && <div className="bg-panel">{ticket}</div>}
      <div className="min-h-60 flex-1 bg-panel">{orders}</div>
      <StatusInMenu market={market} instrument={instrument} />
      <div className="fixed inset-x-0 bottom-0 z-20 flex gap-2 border-t border-line bg-panel px-2.5 py-1.5 pb-[calc(6px+env(safe-area-inset-bottom))]">
        {thumb}
      </div>
    </div>
  );
}
