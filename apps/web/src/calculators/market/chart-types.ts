import type { Candle } from '@crossbook/domain';

/** Kinds of a chart, by the keys of spec section 2, in the order of the list that offers them. */
export const CHART_TYPES = [1, 0, 9, 8, 2, 14, 15, 3, 16, 10, 13, 12] as const;
/** One such key. */
export type ChartType = (typeof CHART_TYPES)[number];

/** The kind that stands in the settings, or candles where it is none. */
export function chartTypeOf(kept: number): ChartType {
  return CHART_TYPES.find((type) => type === kept) ?? 1;
}

/** Kinds that the drawing library has itself: bars, candles and hollow candles. */
export type OwnChartType = Exclude<ChartType, 0 | 1 | 9>;

/** Whether a kind is drawn from shapes. */
export function isOwn(type: ChartType): type is OwnChartType {
  return type !== 0 && type !== 1 && type !== 9;
}

/** What is drawn of a bar. */
export type DrawnBar = Pick<Candle, 'open' | 'high' | 'low' | 'close'>;

/** Kinds that show a bar's end alone: their axis reaches as far as the ends do. */
const ENDS_ONLY: ReadonlySet<ChartType> = new Set([2, 3, 10, 13, 14, 15]);

/**
 * A bar as its kind draws it. HeikinAshi (key 8): the end is the mean of the four prices, the begin the middle of the bar
 * drawn before, so that a trend has one colour.
 */
export function drawnBar(type: OwnChartType, bar: DrawnBar, before: DrawnBar | undefined): DrawnBar {
  const { open, high, low, close } = bar;
  if (ENDS_ONLY.has(type)) return { open: close, high: close, low: close, close };
  if (type !== 8) return { open, high, low, close };
  const mean = (open + high + low + close) / 4;
  const from = before === undefined ? (open + close) / 2 : (before.open + before.close) / 2;
  return { open: from, high: Math.max(high, from, mean), low: Math.min(low, from, mean), close: mean };
}

/** A place in the pane, pixels from its left and top. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Something to paint: a line, a surface, a tinted one, or dots at its points. */
export interface ChartShape {
  readonly tone: 'up' | 'down' | 'line';
  readonly paint: 'stroke' | 'fill' | 'tint' | 'dot';
  readonly points: readonly Point[];
}

/** Where bars and prices are in the pane. */
interface ShapeScene {
  /** Middle of a bar in view, by its place among them. */
  readonly xOf: (at: number) => number;
  readonly yOf: (price: number) => number;
  /** The lower edge of the pane. */
  readonly bottom: number;
  /** Half the width of a bar's body. */
  readonly half: number;
}

const toneOf = (rises: boolean): 'up' | 'down' => (rises ? 'up' : 'down');

function box(x: number, half: number, top: number, bottom: number): readonly Point[] {
  // Something is seen of what has no height.
  const foot = Math.max(bottom, top + 1);
  return [
    { x: x - half, y: top },
    { x: x + half, y: top },
    { x: x + half, y: foot },
    { x: x - half, y: foot },
  ];
}

function candle(bar: DrawnBar, x: number, { yOf, half }: ShapeScene): readonly ChartShape[] {
  const tone = toneOf(bar.close >= bar.open);
  const [top, bottom] = [yOf(Math.max(bar.open, bar.close)), yOf(Math.min(bar.open, bar.close))];
  const wick = [
    { x, y: yOf(bar.high) },
    { x, y: yOf(bar.low) },
  ];
  return [
    { tone, paint: 'stroke', points: wick },
    { tone, paint: 'fill', points: box(x, half, top, bottom) },
  ];
}

function steps(points: readonly Point[]): readonly Point[] {
  return points.flatMap((point, at) => {
    const before = points[at - 1];
    return before === undefined ? [point] : [{ x: point.x, y: before.y }, point];
  });
}

/** A line cut where it crosses a height, each part with the side that it is on. */
function runs(points: readonly Point[], base: number): readonly (readonly Point[])[] {
  const parts: Point[][] = [];
  let part: Point[] = [];
  for (const [at, point] of points.entries()) {
    const before = points[at - 1];
    if (before !== undefined && before.y < base !== point.y < base && before.y !== point.y) {
      const share = (base - before.y) / (point.y - before.y);
      const crossing = { x: before.x + share * (point.x - before.x), y: base };
      part.push(crossing);
      parts.push(part);
      part = [crossing];
    }
    part.push(point);
  }
  return [...parts, part];
}

/** The line and the surface under it, down to a height. */
function under(points: readonly Point[], y: number, tone: ChartShape['tone']): readonly ChartShape[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    { tone, paint: 'tint', points: [...points, { x: last.x, y }, { x: first.x, y }] },
    { tone, paint: 'stroke', points },
  ];
}

/** Ends above and below the middle of what is in view, each in its colour. */
function baseline(ends: readonly Point[]): readonly ChartShape[] {
  // A bar before the left edge leads the line in; the axis does not count it.
  const heights = ends.filter(({ x }) => x >= 0).map(({ y }) => y);
  const base = (Math.min(...heights) + Math.max(...heights)) / 2;
  return runs(ends, base).flatMap((part) => under(part, base, toneOf(part.some(({ y }) => y < base))));
}

/** Highest, lowest and last price as three lines, with the surfaces between them. */
function threeLines(bars: readonly DrawnBar[], { xOf, yOf }: ShapeScene): readonly ChartShape[] {
  const line = (name: 'high' | 'low' | 'close') => bars.map((bar, at) => ({ x: xOf(at), y: yOf(bar[name]) }));
  const [high, low, close] = [line('high'), line('low'), line('close')];
  const back = close.toReversed();
  return [
    { tone: 'up', paint: 'tint', points: [...high, ...back] },
    { tone: 'down', paint: 'tint', points: [...low, ...back] },
    { tone: 'up', paint: 'stroke', points: high },
    { tone: 'down', paint: 'stroke', points: low },
    { tone: 'line', paint: 'stroke', points: close },
  ];
}

/** What a kind paints for the bars in view, oldest first, as `drawnBar` made them. */
export function chartShapes(
  type: OwnChartType,
  bars: readonly DrawnBar[],
  scene: ShapeScene,
): readonly ChartShape[] {
  const { xOf, yOf, bottom, half } = scene;
  const ends = bars.map(({ close }, at) => ({ x: xOf(at), y: yOf(close) }));
  if (ends.length === 0) return [];
  const line = { tone: 'line', paint: 'stroke', points: ends } as const;
  switch (type) {
    case 2:
      return [line];
    case 3:
      return under(ends, bottom, 'line');
    case 8:
      return bars.flatMap((bar, at) => candle(bar, xOf(at), scene));
    case 10:
      return baseline(ends);
    case 12:
      return bars.map(({ open, close, high, low }, at) => ({
        ...{ tone: toneOf(close >= open), paint: 'fill' },
        points: box(xOf(at), half, yOf(high), yOf(low)),
      }));
    case 13:
      return bars.map(({ close }, at) => ({
        ...{ tone: toneOf(close >= (bars[at - 1]?.close ?? close)), paint: 'fill' },
        points: box(xOf(at), half, yOf(close), bottom),
      }));
    case 14:
      return [line, { tone: 'line', paint: 'dot', points: ends }];
    case 15:
      return [{ ...line, points: steps(ends) }];
    case 16:
      return threeLines(bars, scene);
  }
}
