import { type Chart, type OverlayTemplate, registerOverlay } from 'klinecharts';
import type { ChartFill, ChartLine, ChartTheme } from './chart-port.ts';

/** Lines and arrows of the member over the bars: overlays of the chart library that it cannot drag itself. */

const LINE = 'crossbookLine';
const FILL = 'crossbookFill';
const LABEL_PIXELS = 11;
const ARROW_PIXELS = 5;
const ARROW_LONG_PIXELS = 9;
/** A striped line is as thick as it must be to be told from a dashed one. */
const STRIPE_PIXELS = 3;
const STRIPE_LONG_PIXELS = 8;
/** How near an arrow the pointer is on it. */
const ARROW_NEAR_PIXELS = 3;

interface Drawn<Mark> {
  readonly mark: Mark;
  readonly theme: ChartTheme;
}

function toneColour(theme: ChartTheme, tone: ChartLine['tone']): string {
  const { up, down, warning, danger, accent, line: faint } = theme;
  return { up, down, warning, danger, accent, faint }[tone];
}

/** Whether a point is on an arrow, counted from its tip. */
export function isOnArrow({ x, y }: { readonly x: number; readonly y: number }, side: 1 | 2): boolean {
  const along = side === 1 ? y : -y;
  return (
    Math.abs(x) <= ARROW_PIXELS + ARROW_NEAR_PIXELS &&
    along >= -ARROW_NEAR_PIXELS &&
    along <= ARROW_LONG_PIXELS + ARROW_NEAR_PIXELS
  );
}

/** Half of a bell, from its middle: a font need not have one. */
const BELL = [
  [0, -12],
  [1.5, -10.5],
  [3.5, -9],
  [4, -4],
  [5.5, -2.5],
  [5.5, -1.5],
  [1.5, -1.5],
  [1, 0],
] as const;
const BELL_PIXELS = 14;

/** A bell that stands on a point. */
function bellAt(left: number, foot: number, color: string) {
  const side = (sign: 1 | -1) => BELL.map(([x, y]) => ({ x: left + 6 + sign * x, y: foot + y }));
  return {
    type: 'polygon',
    attrs: { coordinates: [...side(1), ...side(-1).toReversed()] },
    styles: { style: 'fill', color },
    ignoreEvent: true,
  };
}

/** A line across the bars, and its label at the left. */
const lineFigures: NonNullable<OverlayTemplate<Drawn<ChartLine>>['createPointFigures']> = ({
  overlay,
  coordinates,
  bounding,
}) => {
  const y = coordinates[0]?.y;
  if (y === undefined) return [];
  const { mark, theme } = overlay.extendData;
  const color = toneColour(theme, mark.tone);
  const stroke = (styles: object) => ({
    type: 'line',
    attrs: {
      coordinates: [
        { x: 0, y },
        { x: bounding.width, y },
      ],
    },
    styles,
    ignoreEvent: true,
  });
  const stripes = {
    style: 'dashed',
    size: STRIPE_PIXELS,
    dashedValue: [STRIPE_LONG_PIXELS, STRIPE_LONG_PIXELS],
  };
  const strokes =
    mark.striped === true
      ? [stroke({ color: theme.grid, style: 'solid', size: STRIPE_PIXELS }), stroke({ color, ...stripes })]
      : [stroke({ color, style: mark.dashed ? 'dashed' : 'solid', size: 1, dashedValue: [4, 3] })];
  const x = mark.bell === true ? 8 + BELL_PIXELS : 8;
  return [
    ...strokes,
    ...(mark.bell === true ? [bellAt(8, y - 4, color)] : []),
    {
      type: 'text',
      attrs:
        mark.below === true
          ? { x, y: y + 2, text: mark.label, baseline: 'top' }
          : { x, y: y - 2, text: mark.label, baseline: 'bottom' },
      styles: {
        ...{ color, size: LABEL_PIXELS, family: theme.font, backgroundColor: theme.background },
        ...{ paddingLeft: 3, paddingRight: 3, paddingTop: 1, paddingBottom: 1, borderSize: 0 },
      },
      ignoreEvent: true,
    },
  ];
};

let registered = false;

/** Makes the two kinds of overlay known to the library, once. */
export function registerMarks(): void {
  if (registered) return;
  registered = true;
  registerOverlay<Drawn<ChartLine>>({
    name: LINE,
    totalStep: 2,
    needDefaultPointFigure: false,
    needDefaultXAxisFigure: false,
    needDefaultYAxisFigure: false,
    createPointFigures: lineFigures,
    createYAxisFigures: ({ overlay, coordinates, bounding, yAxis }) => {
      const y = coordinates[0]?.y;
      if (y === undefined) return [];
      const { mark, theme } = overlay.extendData;
      const fromLeft = yAxis?.isFromZero() ?? false;
      return {
        type: 'text',
        attrs: {
          x: fromLeft ? 0 : bounding.width,
          y,
          text: mark.priceText,
          align: fromLeft ? 'left' : 'right',
          baseline: 'middle',
        },
        styles: {
          ...{ color: theme.background, backgroundColor: toneColour(theme, mark.tone), borderSize: 0 },
          ...{ size: LABEL_PIXELS, family: theme.font, borderRadius: 2 },
        },
        ignoreEvent: true,
      };
    },
  });
  registerOverlay<Drawn<ChartFill>>({
    name: FILL,
    totalStep: 2,
    needDefaultPointFigure: false,
    needDefaultXAxisFigure: false,
    needDefaultYAxisFigure: false,
    createPointFigures: ({ overlay, coordinates }) => {
      const at = coordinates[0];
      if (at === undefined) return [];
      const { mark, theme } = overlay.extendData;
      // Buys point up from below, sells down from above, their tip at the price.
      const tip = at.y;
      const foot = tip + (mark.side === 1 ? 1 : -1) * ARROW_LONG_PIXELS;
      return {
        type: 'polygon',
        attrs: {
          coordinates: [
            { x: at.x, y: tip },
            { x: at.x - ARROW_PIXELS, y: foot },
            { x: at.x + ARROW_PIXELS, y: foot },
          ],
        },
        styles: {
          ...{ style: 'stroke_fill', borderSize: 1, borderColor: theme.background },
          color: mark.side === 1 ? theme.up : theme.down,
        },
        ignoreEvent: true,
      };
    },
  });
}

/** What is drawn over the bars of one chart. */
export interface MarksLayer {
  setLines(lines: readonly ChartLine[]): void;
  setFills(fills: readonly ChartFill[]): void;
  setTheme(theme: ChartTheme): void;
}

/** Keeps the overlays of a chart as the newest lists say: each is made, changed or removed by its id. */
export function createMarksLayer(chart: Chart, firstTheme: ChartTheme): MarksLayer {
  let theme = firstTheme;
  let lines: readonly ChartLine[] = [];
  let fills: readonly ChartFill[] = [];
  const drawn = new Set<string>();

  function put(id: string, name: string, made: { points: object[]; extendData: unknown }): void {
    const overlay = { id, name, lock: true, ...made };
    if (drawn.has(id)) chart.overrideOverlay(overlay);
    else {
      drawn.add(id);
      chart.createOverlay(overlay);
    }
  }

  function draw(): void {
    const wanted = new Set([...lines, ...fills].map((mark) => mark.id));
    for (const id of drawn) {
      if (wanted.has(id)) continue;
      drawn.delete(id);
      chart.removeOverlay({ id });
    }
    for (const mark of lines)
      put(mark.id, LINE, { points: [{ value: mark.price }], extendData: { mark, theme } });
    for (const mark of fills) {
      put(mark.id, FILL, {
        points: [{ timestamp: mark.time, value: mark.price }],
        extendData: { mark, theme },
      });
    }
  }

  return {
    setLines(next) {
      lines = next;
      draw();
    },
    setFills(next) {
      fills = next;
      draw();
    },
    setTheme(next) {
      theme = next;
      draw();
    },
  };
}
