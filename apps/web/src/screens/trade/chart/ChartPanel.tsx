import {
  type Candle,
  type CandleInterval,
  decimalsOf,
  formatTicks,
  parseAmount,
  stepsToAmount,
  type Ticks,
} from '@crossbook/domain';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { chartTypeOf } from '../../../calculators/market/chart-types.ts';
import { compactNumber, groupThousands } from '../../../calculators/step-text.ts';
import { formatPercent } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import { createCandleSeries, foldTape } from '../../../stores/market/candles.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { follow, liveStore } from '../../../stores/market/live.ts';
import { streamName } from '../../../stores/market/market.ts';
import { classNames } from '../../../ui/class-names.ts';
import { lazyPart } from '../../../ui/read-ahead.ts';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import type { OrderAt } from '../ChartPointer.tsx';
import { readPalette, watchTheme } from '../canvas-surface.ts';
import { useScreen } from '../live/live-hooks.ts';
import type { LiveMarket } from '../live/live-market.ts';
import { ChartHead, type ChartParts, intervalAt } from './ChartHead.tsx';
import { candleReader } from './candle-reader.ts';
import { chartName } from './chart-name.tsx';
import type { ChartLine, ChartPort, ChartTheme, LineHold } from './chart-port.ts';
import { lineAtBook } from './lines/line-mover.ts';
import type { BestPrices } from './lines/meets-book.ts';
import { type MovedTo, movedLine } from './lines/moved-line.ts';
import { priceOnTick, useLineMoves } from './lines/use-line-moves.ts';
import { useChartKeys } from './use-chart-keys.ts';
import { useChartMarks } from './use-chart-marks.ts';

function themeOf(host: Element): ChartTheme {
  const palette = readPalette(host);
  return {
    background: palette.panel,
    grid: palette.line,
    text: palette.faint,
    line: palette.faint,
    up: palette.up,
    down: palette.down,
    warning: palette.warning,
    danger: palette.danger,
    accent: palette.accent,
    font: palette.font,
  };
}

/** With the dialogs of a position: it is only of use once there are bars. */
const ChartPointer = lazyPart(async () => (await import('../ChartPointer.tsx')).ChartPointer);

type ChartStatus = 'loading' | 'ready' | 'failed';

/** Owns the drawing library's chart for the life of the panel. */
function useChartPort(heard: {
  readonly onCrosshair: (bar: Candle | undefined) => void;
  readonly onLineHeld: (id: string, price: number | undefined, hold: LineHold) => void;
  readonly onLineDropped: (id: string, price: number, hold: LineHold) => void;
  readonly lineMoved: (line: ChartLine, price: number, limitToo: boolean) => ChartLine;
  readonly linesMerged: (crowd: readonly ChartLine[]) => ChartLine;
}) {
  const host = useRef<HTMLDivElement>(null);
  const [port, setPort] = useState<ChartPort>();
  const older = useRef<() => void>(() => undefined);
  const listener = useRef(heard);
  listener.current = heard;
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    let chart: ChartPort | undefined;
    let gone = false;
    void import('./klinecharts-chart.ts').then(({ createKlineChart }) => {
      if (gone) return;
      chart = createKlineChart(element, {
        theme: themeOf(element),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        listener: {
          onOlderWanted: () => older.current(),
          onCrosshair: (bar) => listener.current.onCrosshair(bar),
          onLineHeld: (id, price, hold) => listener.current.onLineHeld(id, price, hold),
          onLineDropped: (id, price, hold) => listener.current.onLineDropped(id, price, hold),
          lineMoved: (line, price, limitToo) => listener.current.lineMoved(line, price, limitToo),
          linesMerged: (crowd) => listener.current.linesMerged(crowd),
        },
      });
      setPort(chart);
    });
    const sizes = new ResizeObserver(() => chart?.resize());
    sizes.observe(element);
    const stopTheme = watchTheme(() => chart?.setTheme(themeOf(element)));
    return () => {
      gone = true;
      sizes.disconnect();
      stopTheme();
      chart?.dispose();
      setPort(undefined);
    };
  }, []);
  return { host, port, older };
}

function Legend({
  bar,
  instrument,
  inHead,
}: {
  readonly bar: Candle | undefined;
  readonly instrument: ListedInstrument;
  /** It stands among the buttons, not in a row of its own. */
  readonly inHead: boolean;
}) {
  const text = useText();
  // Its row stays, so that the bars do not move when it comes.
  if (bar === undefined) return inHead ? null : <p className="h-5 shrink-0" />;
  const decimals = decimalsOf(instrument.tickSize);
  const tone = bar.close >= bar.open ? 'text-up' : 'text-down';
  const close = [text('trade.chart.close'), bar.close] as const;
  const stats = [
    // Where the last ones may find no room, what counts most comes first.
    ...(inHead ? [close] : []),
    [text('trade.chart.open'), bar.open] as const,
    [text('trade.chart.high'), bar.high] as const,
    [text('trade.chart.low'), bar.low] as const,
    ...(inHead ? [] : [close]),
  ];
  const percent = bar.open === 0 ? 0 : ((bar.close - bar.open) / bar.open) * 100;
  return (
    <p
      className={classNames(
        'flex min-w-0 flex-wrap gap-x-3 overflow-hidden whitespace-nowrap text-[11px] tabular-nums max-lg:gap-x-2 text-faint',
        inHead ? 'h-4 flex-1 leading-4 max-[760px]:invisible' : 'h-5 shrink-0 px-3 leading-5',
      )}
    >
      {stats.map(([label, value]) => (
        <span key={label}>
          {label} <span className={tone}>{groupThousands(value.toFixed(decimals))}</span>
        </span>
      ))}
      <span className={tone}>{formatPercent(percent)}</span>
      <span className="max-lg:hidden">
        {text('trade.chart.volume')} <span className="text-soft">{compactNumber(bar.volume, 5, 1_000)}</span>
      </span>
    </p>
  );
}

/** Feeds the chart with the bars of an instrument at an interval: pages by REST, the newest bar live and with each trade. */
function useCandles(
  { instrument, market: { tape } }: ChartPanelProps,
  interval: CandleInterval,
  chart: Pick<ReturnType<typeof useChartPort>, 'port' | 'older'>,
  show: { readonly status: (status: ChartStatus) => void; readonly bar: (bar: Candle | undefined) => void },
): () => void {
  const { port, older } = chart;
  const shown = useRef(show);
  shown.current = show;
  const retry = useRef<() => void>(() => undefined);
  const { platform, symbol } = instrument;
  useEffect(() => {
    if (port === undefined) return;
    shown.current.status('loading');
    shown.current.bar(undefined);
    port.setSubject({
      symbol,
      priceDecimals: decimalsOf(instrument.tickSize),
      volumeDecimals: decimalsOf(baseStep(instrument)),
      interval,
    });
    const series = createCandleSeries(interval, candleReader(instrument, interval), {
      onBars: (bars, hasOlder) => {
        port.setBars(bars, hasOlder);
        shown.current.status('ready');
        shown.current.bar(bars.at(-1));
      },
      onOlder: (bars, hasOlder) => port.prepend(bars, hasOlder),
      onUpdate: (bar) => {
        port.update(bar);
        shown.current.bar(bar);
      },
      onFailure: () => shown.current.status('failed'),
    });
    older.current = () => series.wantOlder();
    retry.current = () => {
      shown.current.status('loading');
      series.start();
    };
    series.start();
    const unfollow = follow(platform, { ch: 'candle', ...streamName(instrument), i: interval }, (frame) =>
      series.fold(frame),
    );
    const stopTape = foldTape(tape, series, (ticks) => Number(formatTicks(ticks as Ticks, instrument)));
    // What the stream could not bring while it was away is read by REST.
    const stopLive = liveStore.subscribe((now, before) => {
      if (now[platform]?.phase === 'open' && before[platform]?.phase !== 'open') series.catchUp();
    });
    return () => {
      older.current = () => undefined;
      unfollow();
      stopTape();
      stopLive();
      series.close();
    };
  }, [instrument, interval, older, platform, port, symbol, tape]);
  return () => retry.current();
}

const LEGEND_MILLIS = 250;

/** Props of `ChartPanel`. */
interface ChartPanelProps extends ChartParts {
  readonly instrument: ListedInstrument;
  /** Its last trades end the newest bar; a limit dragged through its best prices would be filled at once. */
  readonly market: LiveMarket;
  /** A price was picked in the chart; absent where nothing can be ordered. */
  readonly onOrder?: OrderAt | undefined;
}

/** The best prices of this moment; while there is no book, the last price stands for both. */
function bestOf({ market, instrument }: ChartPanelProps, last: number | undefined): BestPrices {
  const { book } = market.book;
  const known = last === undefined ? undefined : parseAmount(priceOnTick(last, instrument));
  const [bid, ask] = [book.bestBid(), book.bestAsk()].map((steps) =>
    steps === undefined ? known : stepsToAmount(steps, instrument.tickSize),
  );
  return { bid, ask };
}

/** What a line says while it is dragged; that an order would fill at once before anything else. */
function draggedLine(
  line: ChartLine,
  to: MovedTo & { readonly best: BestPrices; readonly fills: string },
): ChartLine {
  const moved = movedLine(line, to);
  if (lineAtBook(line.id, to.price, to.best) === 'rests') return moved;
  return { ...moved, label: `${moved.label} · ${to.fills}`, tone: 'warning' };
}

/** One line for orders that crowd: how many they are, at their middle. */
function crowdLine(crowd: readonly ChartLine[], label: string, decimals: number): ChartLine {
  const price = crowd.reduce((sum, line) => sum + line.price, 0) / crowd.length;
  const priceText = groupThousands(price.toFixed(decimals));
  return { id: `crowd ${crowd[0]?.id}`, price, priceText, label, tone: 'faint', stroke: 'dashed' };
}

/** The chart with its interval bar, legend and states. */
export function ChartPanel(props: ChartPanelProps) {
  const { instrument } = props;
  const text = useText();
  const { side, title, tools } = props;
  const stored = useStore(tradeSettingsStore, ({ chartInterval }) => side?.interval ?? chartInterval);
  const type = useStore(tradeSettingsStore, (settings) => chartTypeOf(settings.chartType));
  const interval = intervalAt(stored, instrument);
  const [status, setStatus] = useState<ChartStatus>('loading');
  const [hovered, setHovered] = useState<Candle>();
  const [newest, setNewest] = useState<Candle>();
  const latest = useRef<Candle>(undefined);
  const best = () => bestOf(props, latest.current?.close);
  const moves = useLineMoves(instrument, best);
  const chart = useChartPort({
    onCrosshair: setHovered,
    onLineHeld: moves.hold,
    onLineDropped: moves.drop,
    lineMoved: (line, price, limitToo) =>
      draggedLine(line, {
        ...{ price: priceOnTick(price, instrument), last: newest?.close, limitToo },
        ...{ best: best(), fills: text('trade.chart.fillsAtOnce') },
      }),
    linesMerged: (crowd) =>
      crowdLine(crowd, text('trade.chart.merged', { count: crowd.length }), decimalsOf(instrument.tickSize)),
  });
  const retry = useCandles(props, interval, chart, {
    status: setStatus,
    bar: (bar) => {
      latest.current = bar;
      if (bar?.time !== newest?.time) setNewest(bar);
    },
  });
  useEffect(() => chart.port?.setType(type), [chart.port, type]);
  useChartMarks(chart.port, instrument, { interval, drawn: status === 'ready', moves });
  // The legend of the live bar follows a few times a second; the chart itself draws every frame.
  useEffect(() => {
    const timer = setInterval(() => setNewest(latest.current), LEGEND_MILLIS);
    return () => clearInterval(timer);
  }, []);
  const panel = useChartKeys(interval, instrument, side === undefined);
  const pane = useRef<HTMLDivElement>(null);
  const low = useScreen() === 'low';
  const legend = <Legend bar={hovered ?? newest} instrument={instrument} inHead={low} />;
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={
        side === undefined
          ? text('trade.chart.label')
          : text('trade.charts.side', { market: chartName(instrument, text('trade.type.SWAP')) })
      }
      className="flex h-full min-h-0 flex-col bg-panel"
    >
      <ChartHead
        {...{
          instrument,
          interval,
          type,
          last: newest?.close,
          parts: { side, title, low, tools: low ? legend : tools },
        }}
        onNewest={() => chart.port?.showNewest()}
        onInterval={side?.onInterval ?? ((chosen) => changeTradeSettings({ chartInterval: chosen }))}
      />
      {!low && legend}
      <div ref={pane} className="relative min-h-0 flex-1">
        <div ref={chart.host} data-lines="" className="absolute inset-0 touch-pan-y overflow-hidden" />
        {status === 'ready' && (
          <Suspense>
            <ChartPointer
              {...{ pane, instrument, moves, onOrder: props.onOrder }}
              port={chart.port}
              last={newest?.close}
            />
          </Suspense>
        )}
        {status === 'loading' && (
          <div
            className="absolute inset-0 z-10 flex items-end gap-1 bg-panel px-4 pb-10 pt-16 [animation:appear_100ms_200ms_both]"
            aria-busy="true"
          >
            <span className="sr-only">{text('trade.chart.loading')}</span>
            {SKELETON_BARS.map((bar) => (
              <Skeleton key={bar.key} className={classNames('w-2 flex-1', bar.height)} />
            ))}
          </div>
        )}
        {status === 'failed' && (
          <div className="absolute inset-0 z-10 grid place-items-center bg-panel">
            <ErrorState title={text('trade.chart.failed')} retry={text('common.retry')} onRetry={retry} />
          </div>
        )}
      </div>
    </section>
  );
}

const HEIGHTS = ['h-1/4', 'h-2/5', 'h-1/3', 'h-1/2', 'h-3/5', 'h-2/5', 'h-1/2', 'h-1/3'] as const;
const SKELETON_BARS = Array.from({ length: 40 }, (_, at) => ({
  key: `bar-${at}`,
  height: HEIGHTS[(at * 5) % HEIGHTS.length],
}));
