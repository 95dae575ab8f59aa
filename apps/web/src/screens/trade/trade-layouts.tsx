import type { BootPlatform } from '@crossbook/contract';
import { type ReactNode, Suspense, useState } from 'react';
import { useStore } from 'zustand';
import {
  panelLimits,
  panelPixels,
  type SizedPanel,
  type SizedScreen,
} from '../../calculators/panel-sizes.ts';
import { useText } from '../../i18n/i18n.ts';
import { tradeSettingsStore } from '../../stores/app/settings.ts';
import type { ListedInstrument } from '../../stores/market/instruments.ts';
import type { MarketName } from '../../stores/market/market.ts';
import { classNames } from '../../ui/class-names.ts';
import { lazyPart } from '../../ui/read-ahead.ts';
import { Skeleton } from '../../ui/states.tsx';
import { type BarShape, InstrumentBar } from './bar/InstrumentBar.tsx';
import { WatchList } from './bar/SymbolPicker.tsx';
import { BookPanel, type BookPicks } from './book/BookPanel.tsx';
import type { OrderAt } from './ChartPointer.tsx';
import { ChartGrid } from './chart/ChartGrid.tsx';
import { ChartPanel } from './chart/ChartPanel.tsx';
import { useScreen } from './live/live-hooks.ts';
import type { Freshness, LiveMarket } from './live/live-market.ts';
import { PanelSeparator, usePanelPixels } from './live/PanelSeparator.tsx';
import { StatusBar } from './StatusBar.tsx';
import { TapePanel } from './tape/TapePanel.tsx';

const AccountColumn = lazyPart(async () => (await import('./positions/VenueMargins.tsx')).AccountColumn);
const VenueMargins = lazyPart(async () => (await import('./positions/VenueMargins.tsx')).VenueMargins);
const OwnProfit = lazyPart(async () => (await import('./positions/OwnProfit.tsx')).OwnProfit);

/** What both layouts show. */
export interface TradeViewProps {
  readonly market: LiveMarket;
  readonly instrument: ListedInstrument;
  readonly venue: BootPlatform;
  readonly freshness: Freshness;
  /** What a click in the book gives to the ticket; absent where nothing can be ordered. */
  readonly picks: BookPicks | undefined;
  /** A price was picked in the chart; absent where nothing can be ordered. */
  readonly onOrder?: OrderAt;
  /** The ticket, or what stands in its place. */
  readonly ticket: ReactNode;
  /** The panel below the chart. */
  readonly orders: ReactNode;
  /** What stands beside that panel where there is room for it. */
  readonly beside?: ReactNode;
  readonly onMarket: (market: MarketName) => void;
  /** On a phone the name of the tab that has that panel alone, and what opens there. */
  readonly lists: { readonly name: ReactNode; readonly onOpen: () => void };
}

/** A row of a few quiet tabs over a panel. */
export function PanelTabs<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly items: readonly { readonly value: Value; readonly label: ReactNode }[];
  readonly onChange: (value: Value) => void;
  /** Stands at the end of the row. */
  readonly end?: ReactNode;
}) {
  return (
    <fieldset
      aria-label={props.label}
      className="flex h-9 min-w-0 shrink-0 items-stretch gap-4 border-b border-line px-3 max-lg:h-11 max-lg:gap-1 max-lg:overflow-x-auto max-lg:overflow-y-hidden"
    >
      {props.items.map((item) => (
        <button
          key={item.value}
          type="button"
          aria-pressed={item.value === props.value}
          onClick={() => props.onChange(item.value)}
          className="-mb-px border-b-2 border-transparent text-[13px] whitespace-nowrap text-soft hover:text-text aria-pressed:border-accent aria-pressed:text-text max-lg:min-w-16 max-lg:px-2"
        >
          {item.label}
        </button>
      ))}
      {props.end !== undefined && <span className="ml-auto self-center text-[11px]">{props.end}</span>}
    </fieldset>
  );
}

/** Book or tape, as chosen. */
export function BookOrTape({ panel, ...view }: TradeViewProps & { readonly panel: 'book' | 'trades' }) {
  const { market, instrument, freshness, picks } = view;
  const props = { market, instrument, freshness, picks };
  return panel === 'book' ? <BookPanel {...props} /> : <TapePanel {...props} />;
}

/** The bar above everything. */
export function Bar({ shape, ...view }: TradeViewProps & { readonly shape: BarShape }) {
  const { market, instrument, venue, freshness, onMarket } = view;
  const closed = venue.state === 'live' ? undefined : venue.paused ? ('paused' as const) : ('soon' as const);
  const props = { instrument, venueName: venue.name, closed, shape, freshness, onMarket };
  const ultra = useScreen() === 'ultra';
  const own = shape === 'line' && instrument.symbolType === 'SWAP';
  const accounts = (ultra || own) && (
    <Suspense>{ultra ? <VenueMargins /> : <OwnProfit instrument={instrument} />}</Suspense>
  );
  return <InstrumentBar {...props} ticker={market.ticker} accounts={accounts} />;
}

/** Book and tape: behind two tabs, or from 1,920 pixels one above the other. */
function BookColumn(props: TradeViewProps & { readonly both: boolean }) {
  const text = useText();
  const [panel, setPanel] = useState<'book' | 'trades'>('book');
  if (props.both) {
    return (
      <div className="flex min-h-0 flex-col gap-px">
        <div className="min-h-0 flex-[3]">
          <BookOrTape {...props} panel="book" />
        </div>
        <div className="min-h-0 flex-[2]">
          <BookOrTape {...props} panel="trades" />
        </div>
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-col bg-panel">
      <PanelTabs
        label={text('trade.panels')}
        value={panel}
        onChange={setPanel}
        items={[
          { value: 'book', label: text('trade.tab.book') },
          { value: 'trades', label: text('trade.tab.trades') },
        ]}
      />
      <div className="min-h-0 flex-1">
        <BookOrTape {...props} panel={panel} />
      </div>
    </div>
  );
}

/** The grid of a shape of the window, at the sizes that panels were left at; what is left is the chart's. */
function useGrid(screen: SizedScreen) {
  const { panelSizes } = useStore(tradeSettingsStore);
  const track = (panel: SizedPanel): string =>
    `minmax(${panelLimits(screen, panel).least}px, ${panelPixels(panelSizes, screen, panel)}px)`;
  const columns = (['watch', 'book', 'tape', 'ticket'] as const).filter(
    (panel) => panelLimits(screen, panel).usual > 0,
  );
  const [first, ...rest] = columns;
  const watched = first === 'watch';
  const lower = panelLimits(screen, 'lower');
  const moved = panelPixels(panelSizes, screen, 'lower') !== lower.usual;
  return {
    gridTemplateColumns: [
      ...(watched ? [track('watch')] : []),
      `minmax(${CHART_PIXELS.wide}px, 1fr)`,
      ...(watched ? rest : columns).map(track),
    ].join(' '),
    // As it comes it also grows with the window.
    gridTemplateRows: `minmax(${CHART_PIXELS.high}px, 1fr) ${moved ? track('lower') : `minmax(${lower.least}px, max(${lower.usual}px, 27%))`}`,
  };
}

/** The chart is never smaller, whatever was moved. */
const CHART_PIXELS = { wide: 480, high: 240 } as const;

/** Chart, book and tape behind three tabs, where there is no room for one beside the other. */
function ChartOrBook(props: TradeViewProps) {
  const { market, instrument } = props;
  const text = useText();
  const [panel, setPanel] = useState<'chart' | 'book' | 'trades'>('chart');
  return (
    <div className="flex min-h-0 flex-col bg-panel">
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
      <div className="grid min-h-0 flex-1">
        {panel === 'chart' ? (
          <ChartPanel {...{ instrument, market }} onOrder={props.onOrder} />
        ) : (
          <BookOrTape {...props} panel={panel} />
        )}
      </div>
    </div>
  );
}

/** A box that its one child fills, however wide that would be by itself. */
const ONE = 'grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)]';

/** A panel with the separator at its edge. */
function Sized(props: {
  readonly screen: SizedScreen;
  readonly panel: SizedPanel;
  readonly edge: 'left' | 'right' | 'top';
  readonly name: string;
  readonly className: string;
  readonly style?: { readonly width: number };
  readonly children: ReactNode;
}) {
  const { screen, panel, edge, name, className, style, children } = props;
  return (
    <div className={classNames('relative min-h-0 min-w-0', className)} style={style}>
      {children}
      <PanelSeparator {...{ screen, panel, edge, name }} />
    </div>
  );
}

/** Book and tape of a shape of the window: none, one column, or one each. */
function BookColumns({ screen, ...props }: TradeViewProps & { readonly screen: SizedScreen }) {
  const text = useText();
  const column = { screen, edge: 'left', className: ONE } as const;
  const book = { ...column, panel: 'book', name: text('trade.tab.book') } as const;
  if (screen === 'snug') return null;
  if (screen !== 'ultra') {
    return (
      <Sized {...book}>
        <BookColumn {...props} both={screen === 'full'} />
      </Sized>
    );
  }
  return (
    <>
      <Sized {...book}>
        <BookOrTape {...props} panel="book" />
      </Sized>
      <Sized {...column} panel="tape" name={text('trade.tab.trades')}>
        <BookOrTape {...props} panel="trades" />
      </Sized>
    </>
  );
}

/**
 * From 1,024 pixels: everything at once, on a grid with hairlines that can be moved. From 1,200 the book has a column, from
 * 2,200 there is a watch list, and book and tape have a column each.
 */
export function DesktopTrade(props: TradeViewProps) {
  const { market, instrument, ticket, orders, beside } = props;
  const text = useText();
  const shape = useScreen();
  const screen = shape === 'phone' || shape === 'low' ? 'snug' : shape;
  const ultra = screen === 'ultra';
  const besidePixels = usePanelPixels(screen, 'beside');
  const sized = { screen } as const;
  return (
    <div data-terminal="" className="flex min-h-0 flex-1 flex-col gap-px bg-line">
      <Bar {...props} shape="wide" />
      <div className="grid min-h-0 flex-1 gap-px" style={useGrid(screen)}>
        {ultra && (
          <Sized {...sized} panel="watch" edge="right" name={text('trade.watch')} className={ONE}>
            <WatchList current={instrument} onMarket={props.onMarket} />
          </Sized>
        )}
        {screen === 'snug' ? (
          <ChartOrBook {...props} />
        ) : ultra ? (
          <ChartGrid {...{ instrument, market }} onOrder={props.onOrder} onMarket={props.onMarket} />
        ) : (
          <ChartPanel {...{ instrument, market }} onOrder={props.onOrder} />
        )}
        <BookColumns {...props} screen={screen} />
        <Sized {...sized} panel="ticket" edge="left" name={text('trade.ticket.label')} className={ONE}>
          <div className="@container min-h-0 overflow-y-auto bg-panel">{ticket}</div>
        </Sized>
        <Sized
          {...sized}
          panel="lower"
          edge="top"
          name={text('trade.orders.label')}
          className="col-span-full flex gap-px"
        >
          <div className="min-w-0 flex-1">{orders}</div>
          {ultra && beside !== undefined && (
            <Sized
              {...sized}
              panel="beside"
              edge="left"
              name={text('trade.orders.open')}
              className={`${ONE} shrink-0`}
              style={{ width: besidePixels }}
            >
              {beside}
            </Sized>
          )}
          {ultra && (
            <div className={`${ONE} w-64 shrink-0`}>
              <Suspense fallback={<div className="bg-panel" />}>
                <AccountColumn />
              </Suspense>
            </div>
          )}
        </Sized>
      </div>
      <StatusBar market={market} instrument={instrument} />
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
