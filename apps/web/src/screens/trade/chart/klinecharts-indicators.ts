import {
  type Chart,
  type DeepPartial,
  type Indicator,
  type IndicatorDrawParams,
  type KLineData,
  registerIndicator,
  type Styles,
} from 'klinecharts';
import {
  type ChartShape,
  type ChartType,
  chartShapes,
  type DrawnBar,
  drawnBar,
  isOwn,
  type OwnChartType,
} from '../../../calculators/market/chart-types.ts';
import type { ChartTheme } from './chart-port.ts';

/** Volume, and the kinds of a chart that the library has not: indicators of the chart library. */

const VOLUME = 'crossbookVolume';
const KIND = 'crossbookKind';
const VOLUME_PANE_PIXELS = 96;
const DOT_PIXELS = 2.5;

interface VolumeStat {
  readonly volume: number;
  readonly up: boolean;
}

/** What an indicator made of the bars so far. */
interface Known<Made> {
  readonly first: number;
  readonly made: Made[];
}

/** The library recalculates over all bars at each tick: only what is new is made. */
function madeOf<Made>(
  bars: readonly KLineData[],
  known: Known<Made> | undefined,
  make: (bar: KLineData, before: Made | undefined) => Made,
): Known<Made> {
  const first = bars[0]?.timestamp ?? 0;
  const grown = known === undefined ? -1 : bars.length - known.made.length;
  const goesOn = known !== undefined && known.first === first && (grown === 0 || grown === 1);
  const made = goesOn ? known.made : [];
  for (let at = Math.max(0, made.length - 1); at < bars.length; at += 1)
    made[at] = make(bars[at] as KLineData, made[at - 1]);
  return { first, made };
}

const volumeStat = (bar: KLineData): VolumeStat => ({
  volume: bar.volume ?? 0,
  up: bar.close >= bar.open,
});

/** What the indicator of a kind carries. */
interface KindData {
  readonly type: OwnChartType;
  readonly theme: ChartTheme;
  readonly known?: Known<DrawnBar>;
}

type KindIndicator = Indicator<DrawnBar, unknown, KindData>;

function paint(
  ctx: CanvasRenderingContext2D,
  { tone, paint: how, points }: ChartShape,
  theme: ChartTheme,
): void {
  const colour = tone === 'line' ? theme.accent : theme[tone];
  ctx.fillStyle = how === 'tint' ? `${colour}2e` : colour;
  ctx.strokeStyle = colour;
  ctx.beginPath();
  for (const { x, y } of points) {
    if (how === 'dot') {
      ctx.moveTo(x + DOT_PIXELS, y);
      ctx.arc(x, y, DOT_PIXELS, 0, 2 * Math.PI);
    } else ctx.lineTo(x, y);
  }
  if (how === 'stroke') ctx.stroke();
  else ctx.fill();
}

function drawKind(params: IndicatorDrawParams<DrawnBar, unknown, KindData>): boolean {
  const { ctx, chart, indicator, bounding, xAxis, yAxis } = params;
  const { type, theme } = indicator.extendData;
  const { from, to } = chart.getVisibleRange();
  const bars = indicator.result.slice(from, to);
  const shapes = chartShapes(type, bars, {
    xOf: (at) => xAxis.convertToPixel(from + at),
    yOf: (price) => yAxis.convertToPixel(price),
    bottom: bounding.height,
    half: Math.max(0.5, Math.floor(chart.getBarSpace().halfGapBar)),
  });
  ctx.lineWidth = type === 8 ? 1 : 1.5;
  ctx.lineJoin = 'round';
  ctx.setLineDash([]);
  for (const shape of shapes) paint(ctx, shape, theme);
  return true;
}

let registered = false;

/** Makes both indicators known to the library, once. */
export function registerIndicators(): void {
  if (registered) return;
  registered = true;
  registerIndicator<VolumeStat, unknown, Known<VolumeStat> | undefined>({
    name: VOLUME,
    shortName: '',
    series: 'volume',
    minValue: 0,
    shouldFormatBigNumber: true,
    figures: [
      {
        key: 'volume',
        type: 'bar',
        baseValue: 0,
        styles: ({ data, defaultStyles }) => {
          const bar = defaultStyles?.bars[0];
          if (bar === undefined) return null;
          return { color: data.current?.up === false ? bar.downColor : bar.upColor };
        },
      },
    ],
    calc: (bars, indicator) => {
      indicator.extendData = madeOf(bars, indicator.extendData ?? undefined, volumeStat);
      return indicator.extendData.made;
    },
  });
  registerIndicator<DrawnBar, unknown, KindData>({
    name: KIND,
    shortName: '',
    series: 'price',
    // The axis reaches as far as these do; nothing of them is drawn by the library.
    figures: [{ key: 'high' }, { key: 'low' }],
    calc: (bars, indicator) => {
      const { type, known } = indicator.extendData;
      const now = madeOf<DrawnBar>(bars, known, (bar, before) => drawnBar(type, bar, before));
      indicator.extendData = { ...indicator.extendData, known: now };
      return now.made;
    },
    draw: drawKind,
  });
}

/** Puts the volume below the bars. */
export function addVolume(chart: Chart): void {
  chart.createIndicator({ name: VOLUME, paneId: 'volume' }, false);
  chart.setPaneOptions({ id: 'volume', height: VOLUME_PANE_PIXELS, minHeight: 40 });
}

const LIBRARY_TYPES = { 0: 'ohlc', 1: 'candle_solid', 9: 'candle_up_stroke' } as const;
const UNSEEN = 'transparent';

/** How the library draws the bars of a kind: as they are, or unseen where shapes stand in their place. */
function candleStyles(type: ChartType): DeepPartial<Styles> {
  if (!isOwn(type)) return { candle: { type: LIBRARY_TYPES[type] } };
  const area = { lineColor: UNSEEN, backgroundColor: UNSEEN, value: 'close', point: { show: false } };
  return { candle: { type: 'area', area } };
}

/** Draws the bars as a kind, in the colours of a theme. */
export function setChartType(chart: Chart, type: ChartType, theme: ChartTheme): void {
  chart.removeIndicator({ name: KIND });
  chart.setStyles(candleStyles(type));
  if (!isOwn(type)) return;
  const made: Partial<KindIndicator> & { readonly name: string } = {
    ...{ name: KIND, paneId: 'candle_pane' },
    extendData: { type, theme },
  };
  chart.createIndicator(made as Parameters<Chart['createIndicator']>[0], true);
}
