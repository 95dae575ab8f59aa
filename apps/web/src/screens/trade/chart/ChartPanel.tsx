import {
  CANDLE_INTERVALS,
  type Candle,
  type CandleInterval,
  decimalsOf,
  formatTicks,
  platformFacts,
  type Ticks,
} from '@crossbook/domain';
import { ChevronsRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { compactNumber, groupThousands } from '../../../calculators/step-text.ts';
import { formatPercent } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import { createCandleSeries, foldTape } from '../../../stores/market/candles.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { follow, liveStore } from '../../../stores/market/live.ts';
import { streamName } from '../../../stores/market/market.ts';
import type { TapeStore } from '../../../stores/market/tape.ts';
import { classNames } from '../../../ui/class-names.ts';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { readPalette, watchTheme } from '../canvas-surface.ts';
import { candleReader, offeredIntervals } from './candle-reader.ts';
import type { ChartPort, ChartTheme } from './chart-port.ts';
import { useChartKeys } from './use-chart-keys.ts';
import { useChartMarks } from './use-chart-marks.ts';

/** What the interval bar shows; all of the specification's resolutions are in the list behind it. */
const ON_THE_BAR: readonly CandleInterval[] = ['1s', '1m', '5m', '15m', '1h', '4h', '1d', '1w'];

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
    font: palette.font,
  };
}

function isInterval(value: string): value is CandleInterval {
  return (CANDLE_INTERVALS as readonly string[]).includes(value);
}

/** The interval kept from the last time, or one minute where this venue has no such bars. */
function intervalAt(stored: string, { platform, symbolType }: ListedInstrument): CandleInterval {
  return isInterval(stored) && offeredIntervals(platform, symbolType).includes(stored) ? stored : '1m';
}

type ChartStatus = 'loading' | 'ready' | 'failed';

/** Owns the drawing library's chart for the life of the panel. */
function useChartPort(onCrosshair: (bar: Candle | undefined) => void) {
  const host = useRef<HTMLDivElement>(null);
  const [port, setPort] = useState<ChartPort>();
  const older = useRef<() => void>(() => undefined);
  const crosshair = useRef(onCrosshair);
  crosshair.current = onCrosshair;
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
          onCrosshair: (bar) => crosshair.current(bar),
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
}: {
  readonly bar: Candle | undefined;
  readonly instrument: ListedInstrument;
}) {
  const text = useText();
  if (bar === undefined) return null;
  const decimals = decimalsOf(instrument.tickSize);
  const tone = bar.close >= bar.open ? 'text-up' : 'text-down';
  const stats = [
    [text('trade.chart.open'), bar.open],
    [text('trade.chart.high'), bar.high],
    [text('trade.chart.low'), bar.low],
    [text('trade.chart.close'), bar.close],
  ] as const;
  const percent = bar.open === 0 ? 0 : ((bar.close - bar.open) / bar.open) * 100;
  return (
    <p className="pointer-events-none absolute inset-x-3 top-1.5 z-10 flex h-4 flex-wrap gap-x-3 overflow-hidden whitespace-nowrap text-[11px] leading-4 tabular-nums max-lg:gap-x-2 max-lg:text-[10px] text-faint">
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

function IntervalBar(props: {
  readonly value: CandleInterval;
  readonly instrument: ListedInstrument;
  readonly onChange: (value: CandleInterval) => void;
}) {
  const text = useText();
  const { platform, symbolType } = props.instrument;
  const offered = offeredIntervals(platform, symbolType);
  const missing = text('trade.chart.noInterval', { venue: platformFacts(platform).name });
  const others = CANDLE_INTERVALS.filter((interval) => !ON_THE_BAR.includes(interval));
  const label = (interval: CandleInterval) => (/[dw]$/.test(interval) ? interval.toUpperCase() : interval);
  const choice = 'h-7 rounded-md px-2 text-xs max-lg:h-11 max-lg:min-w-11';
  return (
    <fieldset
      className="flex min-w-0 items-center gap-0.5 overflow-x-auto px-2"
      aria-label={text('trade.chart.intervals')}
    >
      {ON_THE_BAR.map((interval) => (
        <button
          key={interval}
          type="button"
          aria-pressed={interval === props.value}
          disabled={!offered.includes(interval)}
          title={offered.includes(interval) ? undefined : missing}
          onClick={() => props.onChange(interval)}
          className={classNames(
            choice,
            'text-soft enabled:hover:text-text disabled:opacity-40 aria-pressed:bg-raised aria-pressed:text-text',
          )}
        >
          {label(interval)}
        </button>
      ))}
      <select
        aria-label={text('trade.chart.intervals')}
        value={others.includes(props.value) ? props.value : ''}
        onChange={(event) => isInterval(event.target.value) && props.onChange(event.target.value)}
        className={classNames(
          choice,
          'cursor-pointer appearance-none border-none bg-transparent text-center text-soft hover:text-text',
          others.includes(props.value) && 'bg-raised text-text',
        )}
      >
        <option value="" disabled className="bg-panel">
          …
        </option>
        {others.map((interval) => (
          <option key={interval} value={interval} disabled={!offered.includes(interval)} className="bg-panel">
            {label(interval)}
          </option>
        ))}
      </select>
    </fieldset>
  );
}

/** Feeds the chart with the bars of an instrument at an interval: pages by REST, the newest bar live and with each trade. */
function useCandles(
  { instrument, tape }: ChartPanelProps,
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
interface ChartPanelProps {
  readonly instrument: ListedInstrument;
  /** The last trades: the newest bar ends at the last price that the page shows. */
  readonly tape: TapeStore;
}

/** The chart with its interval bar, legend and states. */
export function ChartPanel(props: ChartPanelProps) {
  const { instrument } = props;
  const text = useText();
  const stored = useStore(tradeSettingsStore, (settings) => settings.chartInterval);
  const interval = intervalAt(stored, instrument);
  const [status, setStatus] = useState<ChartStatus>('loading');
  const [hovered, setHovered] = useState<Candle>();
  const [newest, setNewest] = useState<Candle>();
  const chart = useChartPort(setHovered);
  const latest = useRef<Candle>(undefined);
  const retry = useCandles(props, interval, chart, {
    status: setStatus,
    bar: (bar) => {
      latest.current = bar;
      if (bar?.time !== newest?.time) setNewest(bar);
    },
  });
  useChartMarks(chart.port, instrument, { interval, drawn: status === 'ready' });
  // The legend of the live bar follows a few times a second; the chart itself draws every frame.
  useEffect(() => {
    const timer = setInterval(() => setNewest(latest.current), LEGEND_MILLIS);
    return () => clearInterval(timer);
  }, []);
  const panel = useChartKeys(interval, instrument);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={text('trade.chart.label')}
      className="flex h-full min-h-0 flex-col bg-panel"
    >
      <div className="flex h-9 shrink-0 items-center justify-between border-b border-line max-lg:h-12">
        <IntervalBar
          value={interval}
          instrument={instrument}
          onChange={(chosen) => changeTradeSettings({ chartInterval: chosen })}
        />
        <button
          type="button"
          aria-label={text('trade.chart.newest')}
          title={text('trade.chart.newest')}
          onClick={() => chart.port?.showNewest()}
          className="mr-2 grid size-7 shrink-0 place-items-center rounded-md text-faint hover:bg-hover hover:text-text max-lg:size-11"
        >
          <ChevronsRight size={16} aria-hidden="true" />
        </button>
      </div>
      <div className="relative min-h-0 flex-1">
        <Legend bar={hovered ?? newest} instrument={instrument} />
        <div ref={chart.host} className="absolute inset-0 touch-pan-y overflow-hidden" />
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
