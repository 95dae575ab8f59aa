import type { Candle, CandleInterval, Millis } from '@crossbook/domain';
import {
  type Chart,
  type Crosshair,
  type DataLoaderGetBarsParams,
  dispose,
  init,
  type KLineData,
  type Period,
  type PeriodType,
} from 'klinecharts';
import type { ChartType } from '../../../calculators/market/chart-types.ts';
import { compactNumber } from '../../../calculators/step-text.ts';
import { localeNow } from '../../../i18n/i18n.ts';
import type {
  ChartFill,
  ChartLine,
  ChartListener,
  ChartPort,
  ChartSubject,
  ChartTheme,
  CreateChart,
} from './chart-port.ts';
import { addVolume, registerIndicators, setChartType } from './klinecharts-indicators.ts';
import { createMarksLayer, isOnArrow, type MarksLayer, registerMarks } from './klinecharts-marks.ts';
import { stylesOf } from './klinecharts-styles.ts';
import { attachLineDrag, type DraggedChart } from './lines/line-drag.ts';
import { LineGlides } from './lines/line-glide.ts';
import { mergedLines } from './lines/merged-lines.ts';
import { leftBehind } from './lines/moved-line.ts';
import { createTimeTicks } from './time-ticks.ts';

/** The chart library's side of `ChartPort`: KLineCharts 10 (docs: klinecharts.com, read 2026-11). Loaded lazily. */

const BAR_PIXELS = 8;

const PERIODS: Readonly<Record<string, PeriodType>> = {
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  M: 'month',
};

function periodOf(interval: CandleInterval): Period {
  return { type: PERIODS[interval.slice(-1)] ?? 'minute', span: Number.parseInt(interval, 10) };
}

function libraryBar(bar: Candle): KLineData {
  const { time, open, high, low, close, volume } = bar;
  return { timestamp: time, open, high, low, close, volume };
}

function domainBar(bar: KLineData): Candle {
  const { timestamp, open, high, low, close, volume } = bar;
  return { time: timestamp as Millis, open, high, low, close, volume: volume ?? 0 };
}

interface DraggedLine {
  readonly id: string;
  readonly price: number;
  readonly limitToo: boolean;
}

/** Joins the library's pulling loader with the port's pushing calls. */
class KlineChart implements ChartPort {
  readonly #host: HTMLElement;
  readonly #chart: Chart;
  readonly #listener: ChartListener;
  readonly #marks: MarksLayer;
  readonly #endDrag: () => void;
  readonly #glides = new LineGlides({
    now: () => performance.now(),
    nextFrame: (act) => {
      const request = requestAnimationFrame(act);
      return () => cancelAnimationFrame(request);
    },
    isStill: () => matchMedia('(prefers-reduced-motion: reduce)').matches,
    redraw: () => this.#drawLines(),
  });
  #lines: readonly ChartLine[] = [];
  /** Those that are drawn: crowds of orders as one. */
  #drawn: readonly ChartLine[] = [];
  #fills: readonly ChartFill[] = [];
  #dragged: DraggedLine | undefined;
  #timeZone: string;
  #theme: ChartTheme;
  #type: ChartType = 1;
  #bars: readonly Candle[] = [];
  #older = false;
  #push: ((bar: KLineData) => void) | undefined;
  #answerOlder: DataLoaderGetBarsParams['callback'] | undefined;
  #pending: Candle | undefined;
  #request: number | undefined;

  constructor(host: HTMLElement, chart: Chart, { theme, timeZone, listener }: Parameters<CreateChart>[1]) {
    this.#marks = createMarksLayer(chart, theme);
    this.#host = host;
    this.#chart = chart;
    this.#listener = listener;
    this.#timeZone = timeZone;
    this.#theme = theme;
    chart.setBarSpace(BAR_PIXELS);
    chart.setOffsetRightDistance(60);
    addVolume(chart);
    this.#setRoundTicks();
    chart.subscribeAction('onCrosshairChange', (data) =>
      listener.onCrosshair(this.#barAt(data as Crosshair)),
    );
    // What crowds depends on where prices are on the screen.
    chart.subscribeAction('onVisibleRangeChange', () => this.#regroup());
    host.addEventListener('pointerleave', this.#onLeave);
    this.#endDrag = attachLineDrag(host, {
      lines: () => this.#drawn,
      ...linePixels(chart),
      onMove: (id, price, hold) => {
        this.#drag(price === undefined ? undefined : { id, price, limitToo: hold.limitToo });
        listener.onLineHeld(id, price, hold);
      },
      onDrop: (id, price, hold) => listener.onLineDropped(id, price, hold),
    });
    chart.setDataLoader({
      getBars: (params) => this.#getBars(params),
      subscribeBar: ({ callback }) => {
        this.#push = callback;
      },
      unsubscribeBar: () => {
        this.#push = undefined;
      },
    });
  }

  setSubject(subject: ChartSubject): void {
    this.#drop();
    this.#bars = [];
    this.#older = false;
    this.#chart.setSymbol({
      ticker: subject.symbol,
      pricePrecision: subject.priceDecimals,
      volumePrecision: subject.volumeDecimals,
    });
    this.#chart.setPeriod(periodOf(subject.interval));
  }

  setBars(bars: readonly Candle[], older: boolean): void {
    this.#drop();
    this.#bars = bars;
    this.#older = older;
    this.#chart.resetData();
  }

  prepend(bars: readonly Candle[], older: boolean): void {
    const answer = this.#answerOlder;
    this.#answerOlder = undefined;
    answer?.(bars.map(libraryBar), { forward: older, backward: false });
  }

  update(bar: Candle): void {
    this.#flushIfNext(bar);
    this.#pending = bar;
    this.#request ??= requestAnimationFrame(() => {
      this.#request = undefined;
      this.#flush();
    });
  }

  setLines(lines: readonly ChartLine[]): void {
    this.#lines = lines;
    this.#glides.take(lines);
    this.#drawLines();
  }

  standsAlone(id: string): boolean {
    return this.#drawn.some((line) => line.id === id);
  }

  dragLine(id: string, price: number | undefined): void {
    this.#drag(price === undefined ? undefined : { id, price, limitToo: false });
  }

  setFills(fills: readonly ChartFill[]): void {
    this.#fills = fills;
    this.#marks.setFills(fills);
  }

  setTheme(theme: ChartTheme): void {
    this.#host.style.background = theme.background;
    this.#theme = theme;
    this.#chart.setStyles(stylesOf(theme));
    this.#marks.setTheme(theme);
    this.setType(this.#type);
  }

  setType(type: ChartType): void {
    this.#type = type;
    setChartType(this.#chart, type, this.#theme);
  }

  setTimeZone(timeZone: string): void {
    this.#timeZone = timeZone;
    this.#chart.setTimezone(timeZone);
  }

  yOf(price: number): number | undefined {
    return linePixels(this.#chart).yOf(price);
  }

  priceAt(y: number): number | undefined {
    return linePixels(this.#chart).priceAt(y);
  }

  fillAt(x: number, y: number): ChartFill | undefined {
    return this.#fills.find(({ time, price, side }) => {
      const at = pixelOf(this.#chart, { timestamp: time, value: price });
      return at !== undefined && isOnArrow({ x: x - at.x, y: y - at.y }, side);
    });
  }

  showNewest(): void {
    this.#chart.scrollToRealTime();
  }

  resize(): void {
    this.#chart.resize();
  }

  dispose(): void {
    this.#drop();
    this.#host.removeEventListener('pointerleave', this.#onLeave);
    this.#endDrag();
    this.#glides.end();
    dispose(this.#host);
  }

  #drag(dragged: DraggedLine | undefined): void {
    this.#dragged = dragged;
    this.#drawLines();
  }

  /** A line that is dragged leaves a faint one where it was. */
  #drawLines(): void {
    const dragged = this.#dragged;
    if (dragged === undefined) this.#drawn = this.#grouped();
    else {
      // Which of them crowd stays as it was; what each says may be newer.
      const newest = new Map(this.#lines.map((line) => [line.id, line]));
      this.#drawn = this.#drawn.map((line) => newest.get(line.id) ?? line);
    }
    this.#marks.setLines(
      this.#drawn.flatMap((line) =>
        line.id === dragged?.id
          ? [leftBehind(line), this.#listener.lineMoved(line, dragged.price, dragged.limitToo)]
          : [this.#glides.placed(line)],
      ),
    );
  }

  #grouped(): readonly ChartLine[] {
    const merge = (crowd: readonly ChartLine[]): ChartLine => this.#listener.linesMerged(crowd);
    return mergedLines(this.#lines, (price) => this.yOf(price), merge);
  }

  /** Without a crowd before and after there is nothing to draw anew. */
  #regroup(): void {
    if (this.#dragged === undefined && this.#grouped() !== this.#drawn) this.#drawLines();
  }

  // The library says where the crosshair goes, not that it went away.
  readonly #onLeave = (): void => this.#listener.onCrosshair(undefined);

  /** The bar under the crosshair; the action carries pixels only. */
  #barAt(crosshair: Crosshair | undefined): Candle | undefined {
    if (crosshair?.x === undefined) return undefined;
    const at = this.#chart.convertFromPixel([{ x: crosshair.x }]);
    const index = (Array.isArray(at) ? at[0] : at)?.dataIndex;
    const bar = index === undefined ? undefined : this.#chart.getDataList()[index];
    return bar === undefined ? undefined : domainBar(bar);
  }

  #getBars({ type, callback }: DataLoaderGetBarsParams): void {
    if (type === 'init') callback(this.#bars.map(libraryBar), { forward: this.#older, backward: false });
    else if (type === 'forward') {
      this.#answerOlder = callback;
      this.#listener.onOlderWanted();
    } else callback([], false);
  }

  /** A bar that is complete must be drawn before the next one opens. */
  #flushIfNext(bar: Candle): void {
    if (this.#pending !== undefined && this.#pending.time !== bar.time) this.#flush();
  }

  #flush(): void {
    const bar = this.#pending;
    this.#pending = undefined;
    if (bar !== undefined) this.#push?.(libraryBar(bar));
  }

  #drop(): void {
    if (this.#request !== undefined) cancelAnimationFrame(this.#request);
    this.#request = undefined;
    this.#pending = undefined;
    this.#answerOlder = undefined;
  }

  #setRoundTicks(): void {
    const ticks = createTimeTicks(localeNow);
    this.#chart.overrideXAxis({
      createTicks: ({ range }) => {
        const bars = this.#chart.getDataList();
        const to = Math.min(bars.length - 1, Math.ceil(range.realTo));
        const span = {
          timeAt: (index: number) => bars[index]?.timestamp ?? 0,
          from: Math.max(0, Math.floor(range.realFrom)),
          to,
          barPixels: this.#chart.getBarSpace().bar,
          timeZone: this.#timeZone,
        };
        return ticks(span).map(({ index, time, text }) => {
          const at = this.#chart.convertToPixel({ dataIndex: index });
          return { coord: (Array.isArray(at) ? at[0]?.x : at.x) ?? 0, value: time, text };
        });
      },
    });
  }
}

const PANE = { paneId: 'candle_pane', absolute: true } as const;

function one<Point>(found: Point | readonly Point[]): Point | undefined {
  return Array.isArray(found) ? found[0] : (found as Point);
}

/** Where a bar and price is on the screen, from the corner of the whole chart. */
function pixelOf(chart: Chart, point: { readonly timestamp: number; readonly value: number }) {
  const { x, y } = one(chart.convertToPixel(point, PANE)) ?? {};
  return x === undefined || y === undefined ? undefined : { x, y };
}

/** Where prices are on the screen, from the top of the whole chart: the bars' pane is the first one. */
function linePixels(chart: Chart): Pick<DraggedChart, 'yOf' | 'priceAt'> {
  return {
    yOf: (value) => one(chart.convertToPixel({ value }, PANE))?.y,
    priceAt: (y) => {
      const { height = 0 } = chart.getSize(PANE.paneId) ?? {};
      return y < 0 || y > height ? undefined : one(chart.convertFromPixel([{ y }], PANE))?.value;
    },
  };
}

/** A volume at the axis: short, without zeros that say nothing. */
function axisVolume(value: number): string {
  return value >= 1_000 ? compactNumber(value, 4, 1_000) : String(Number(value.toPrecision(3)));
}

/** Builds the chart. The element is emptied again by `dispose`. */
export const createKlineChart: CreateChart = (host, options) => {
  const { theme, timeZone } = options;
  registerIndicators();
  registerMarks();
  const chart = init(host, {
    timezone: timeZone,
    locale: 'en-US',
    styles: stylesOf(theme),
    formatter: { formatBigNumber: (value) => axisVolume(Number(value)) },
    thousandsSeparator: { sign: ',' },
  });
  if (chart === null) throw new Error('the chart found no canvas');
  host.style.background = theme.background;
  // The library asks for the first place in the tab order; the chart takes its own.
  host.querySelector('[tabindex="1"]')?.setAttribute('tabindex', '0');
  return new KlineChart(host, chart, options);
};
