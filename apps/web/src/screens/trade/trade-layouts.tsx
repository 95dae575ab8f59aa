import { SIDE, type Side } from '@crossbook/domain';
import { useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import type { ListedInstrument } from '../../stores/instruments.ts';
import type { TicketStore } from '../../stores/ticket.ts';
import { Button } from '../../ui/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { InstrumentBar } from './bar/InstrumentBar.tsx';
import { BookPanel, type BookPicks } from './book/BookPanel.tsx';
import { ChartPanel } from './chart/ChartPanel.tsx';
import type { Freshness, LiveMarket } from './live-market.ts';
import { OrdersPanel } from './orders/OrdersPanel.tsx';
import { StatusBar } from './StatusBar.tsx';
import { TapePanel } from './tape/TapePanel.tsx';
import { OrderTicket } from './ticket/OrderTicket.tsx';

/** What both layouts show. */
export interface TradeViewProps {
  readonly market: LiveMarket;
  readonly ticket: TicketStore;
  readonly instrument: ListedInstrument;
  readonly venueName: string;
  readonly freshness: Freshness;
  readonly firstVisit: boolean;
  readonly picks: BookPicks;
  readonly onSide: (side: Side) => void;
  readonly onSymbol: (symbol: string) => void;
}

/** A row of two or three quiet tabs over a panel. */
function PanelTabs<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly items: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}) {
  return (
    <fieldset
      aria-label={props.label}
      className="flex h-9 min-w-0 shrink-0 gap-4 border-b border-line px-3 max-lg:h-11"
    >
      {props.items.map((item) => (
        <button
          key={item.value}
          type="button"
          aria-pressed={item.value === props.value}
          onClick={() => props.onChange(item.value)}
          className="-mb-px border-b-2 border-transparent text-[13px] text-soft hover:text-text aria-pressed:border-accent aria-pressed:text-text max-lg:min-w-16"
        >
          {item.label}
        </button>
      ))}
    </fieldset>
  );
}

/** 1440x900: chart, book, ticket; orders below; nothing scrolls but lists. */
export function DesktopTrade(props: TradeViewProps) {
  const { market, ticket, instrument, venueName, freshness, firstVisit, picks, onSymbol } = props;
  const text = useText();
  const [side, setSide] = useState<'book' | 'trades'>('book');
  return (
    <div data-terminal="" className="flex min-h-0 flex-1 flex-col gap-px bg-line">
      <InstrumentBar
        instrument={instrument}
        venueName={venueName}
        ticker={market.ticker}
        wide
        onSymbol={onSymbol}
      />
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_300px_300px] grid-rows-[minmax(0,1fr)_minmax(160px,27%)] gap-px">
        <ChartPanel instrument={instrument} tape={market.tape} />
        <div className="flex min-h-0 flex-col bg-panel">
          <PanelTabs
            label={text('trade.panels')}
            value={side}
            onChange={setSide}
            items={[
              { value: 'book', label: text('trade.tab.book') },
              { value: 'trades', label: text('trade.tab.trades') },
            ]}
          />
          <div className="min-h-0 flex-1">
            {side === 'book' ? (
              <BookPanel market={market} instrument={instrument} freshness={freshness} picks={picks} />
            ) : (
              <TapePanel
                market={market}
                instrument={instrument}
                freshness={freshness}
                onPrice={picks.onPrice}
              />
            )}
          </div>
        </div>
        <div className="min-h-0 overflow-y-auto bg-panel">
          <OrderTicket store={ticket} market={market} instrument={instrument} firstVisit={firstVisit} />
        </div>
        <div className="col-span-3 min-h-0">
          <OrdersPanel instrument={instrument} wide />
        </div>
      </div>
      <StatusBar market={market} instrument={instrument} />
    </div>
  );
}

/** 390x844: one panel at a time, Buy and Sell at the thumb, orders below. */
export function PhoneTrade(props: TradeViewProps) {
  const { market, ticket, instrument, venueName, freshness, firstVisit, picks, onSide, onSymbol } = props;
  const text = useText();
  const [panel, setPanel] = useState<'chart' | 'book' | 'trades'>('chart');
  const [sheet, setSheet] = useState(firstVisit);
  const open = (side: Side): void => {
    onSide(side);
    setSheet(true);
  };
  return (
    <div
      data-terminal=""
      className="flex flex-1 flex-col gap-px bg-line pb-[calc(68px+env(safe-area-inset-bottom))]"
    >
      <InstrumentBar
        instrument={instrument}
        venueName={venueName}
        ticker={market.ticker}
        wide={false}
        onSymbol={onSymbol}
      />
      <div className="bg-panel">
        <PanelTabs
          label={text('trade.panels')}
          value={panel}
          onChange={setPanel}
          items={[
            { value: 'chart', label: text('trade.tab.chart') },
            { value: 'book', label: text('trade.tab.book') },
            { value: 'trades', label: text('trade.tab.trades') },
          ]}
        />
        <div className="h-[min(420px,52dvh)]">
          {panel === 'chart' && <ChartPanel instrument={instrument} tape={market.tape} />}
          {panel === 'book' && (
            <BookPanel market={market} instrument={instrument} freshness={freshness} picks={picks} />
          )}
          {panel === 'trades' && (
            <TapePanel
              market={market}
              instrument={instrument}
              freshness={freshness}
              onPrice={picks.onPrice}
            />
          )}
        </div>
      </div>
      <div className="min-h-60 flex-1 bg-panel">
        <OrdersPanel instrument={instrument} wide={false} />
      </div>
      <StatusBar market={market} instrument={instrument} />
      <div className="fixed inset-x-0 bottom-0 z-20 flex gap-2 border-t border-line bg-panel p-2.5 pb-[calc(10px+env(safe-area-inset-bottom))]">
        <Button tone="up" className="h-12 flex-1" onClick={() => open(SIDE.BUY)}>
          {text('trade.ticket.buy')}
        </Button>
        <Button tone="down" className="h-12 flex-1" onClick={() => open(SIDE.SELL)}>
          {text('trade.ticket.sell')}
        </Button>
      </div>
      <Dialog
        open={sheet}
        kind="sheet"
        onClose={() => setSheet(false)}
        title={`${instrument.base}/${instrument.quote}`}
        closeLabel={text('common.close')}
      >
        <OrderTicket
          store={ticket}
          market={market}
          instrument={instrument}
          firstVisit={firstVisit}
          onSent={() => setSheet(false)}
        />
      </Dialog>
    </div>
  );
}

/** The shape of the page while the instruments are on their way. */
export function TradeSkeleton() {
  const text = useText();
  const panel = 'bg-panel p-3';
  return (
    <div aria-busy="true" className="flex min-h-0 flex-1 flex-col gap-px bg-line">
      <span className="sr-only">{text('common.loading')}</span>
      <div className={classNames(panel, 'flex h-14 items-center gap-6')}>
        <Skeleton className="h-5 w-28" />
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-4 w-16" />
      </div>
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_300px_300px] grid-rows-[minmax(0,1fr)_minmax(160px,27%)] gap-px max-lg:grid-cols-1">
        <div className={panel} />
        <div className={classNames(panel, 'max-lg:hidden')} />
        <div className={classNames(panel, 'max-lg:hidden')} />
        <div className={classNames(panel, 'col-span-full')} />
      </div>
    </div>
  );
}
