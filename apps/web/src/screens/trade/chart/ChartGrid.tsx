import { Suspense, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import {
  activated,
  CHART_COUNTS,
  type ChartLayout,
  type ChartSlot,
  chartLayoutText,
  parseChartLayout,
  withCount,
  withInterval,
} from '../../../calculators/market/chart-layout.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import {
  instrumentsOf,
  instrumentsStore,
  type ListedInstrument,
} from '../../../stores/market/instruments.ts';
import type { MarketName } from '../../../stores/market/market.ts';
import { classNames } from '../../../ui/class-names.ts';
import { lazyPart } from '../../../ui/read-ahead.ts';
import { Skeleton } from '../../../ui/states.tsx';
import type { OrderAt } from '../ChartPointer.tsx';
import type { LiveMarket } from '../live/live-market.ts';
import { ChartPanel } from './ChartPanel.tsx';
import { ActiveChart } from './chart-name.tsx';

const SideChart = lazyPart(async () => (await import('./SideChart.tsx')).SideChart);

/** How many charts there are. */
function Counts(props: { readonly value: number; readonly onChange: (count: 1 | 2 | 4) => void }) {
  const text = useText();
  return (
    <fieldset aria-label={text('trade.charts')} className="ml-auto flex shrink-0 items-center gap-0.5">
      {CHART_COUNTS.map((count) => (
        <button
          key={count}
          type="button"
          title={text('trade.charts.count', { count })}
          aria-pressed={count === props.value}
          onClick={() => props.onChange(count)}
          className="h-7 min-w-7 rounded-md text-xs tabular-nums text-soft hover:text-text aria-pressed:bg-raised aria-pressed:text-text"
        >
          {count}
        </button>
      ))}
    </fieldset>
  );
}

const BOX = 'grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)]';

/** Charts have places, whatever they show. */
const PLACES = ['first', 'second', 'third', 'fourth'] as const;

function keep(layout: ChartLayout, more: { readonly chartInterval?: string } = {}): void {
  const chartLayouts = layout.slots.length === 0 ? '' : chartLayoutText(layout);
  changeTradeSettings({ chartLayouts, ...more });
}

/** One, two or four charts. The active one is the page's: the ticket, the book and the watch list belong to it. */
export function ChartGrid(props: {
  readonly instrument: ListedInstrument;
  readonly market: LiveMarket;
  readonly onOrder: OrderAt | undefined;
  readonly onMarket: (market: MarketName) => void;
}) {
  const { instrument, market, onOrder, onMarket } = props;
  const { platform, symbolType, symbol } = instrument;
  const kept = useStore(tradeSettingsStore, ({ chartLayouts }) => chartLayouts);
  const interval = useStore(tradeSettingsStore, ({ chartInterval }) => chartInterval);
  const layout = useMemo(() => parseChartLayout(kept), [kept]);
  const current: ChartSlot = { market: { platform, symbolType, symbol }, interval };
  const count = Math.max(1, layout.slots.length);
  const main = useRef<HTMLDivElement>(null);
  const opened = useRef(false);
  // The button that was pressed is gone: who works by keyboard goes on in the chart that it opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chart became the active one
  useEffect(() => {
    if (opened.current) main.current?.querySelector('section')?.focus();
    opened.current = false;
  }, [layout.active]);
  const change = (wanted: 1 | 2 | 4): void => {
    const offered = instrumentsOf(instrumentsStore.getState(), platform, symbolType)
      .slice(0, 8)
      .map((row): ChartSlot => ({ market: { platform, symbolType, symbol: row.symbol }, interval }));
    keep(withCount(layout, wanted, current, offered));
  };
  const open = (at: number, slot: ChartSlot): void => {
    opened.current = true;
    keep(activated(layout, at, current), { chartInterval: slot.interval });
    onMarket(slot.market);
  };
  const own = (
    <div key="own" ref={main} className={BOX}>
      <ChartPanel
        {...{ instrument, market, onOrder }}
        title={count > 1 ? <ActiveChart instrument={instrument} /> : undefined}
        tools={<Counts value={count} onChange={change} />}
      />
    </div>
  );
  const others = layout.slots.map((slot, at) =>
    at === layout.active ? (
      own
    ) : (
      <div key={PLACES[at]} className={BOX}>
        <Suspense fallback={<Skeleton className="m-4" />}>
          <SideChart
            slot={slot}
            onInterval={(chosen) => keep(withInterval(layout, at, chosen))}
            onOpen={() => open(at, slot)}
          />
        </Suspense>
      </div>
    ),
  );
  return (
    <div
      className={classNames(
        'grid min-h-0 min-w-0 gap-px',
        count > 1 ? 'grid-cols-2' : 'grid-cols-1',
        count > 2 ? 'grid-rows-2' : 'grid-rows-1',
      )}
    >
      {count === 1 ? [own] : others}
    </div>
  );
}
