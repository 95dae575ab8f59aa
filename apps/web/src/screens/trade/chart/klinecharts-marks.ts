import { type Chart, registerOverlay } from 'klinecharts';
import type { ChartFill, ChartLine, ChartTheme } from './chart-port.ts';
import { type Drawn, lineShapes } from './line-shapes.ts';
import { type Tagged, tagShapes } from './price-tags.ts';

/** Lines and arrows of the member over the bars: overlays of the chart library that it cannot drag itself. */

const LINE = 'crossbookLine';
const FILL = 'crossbookFill';
const TAGS = 'crossbookTags';
const ARROW_PIXELS = 5;
const ARROW_LONG_PIXELS = 9;
/** How near an arrow the pointer is on it. */
const ARROW_NEAR_PIXELS = 3;

/** Whether a point is on an arrow, counted from its tip. */
export function isOnArrow({ x, y }: { readonly x: number; readonly y: number }, side: 1 | 2): boolean {
  const along = side === 1 ? y : -y;
  return (
    Math.abs(x) <= ARROW_PIXELS + ARROW_NEAR_PIXELS &&
    along >= -ARROW_NEAR_PIXELS &&
    along <= ARROW_LONG_PIXELS + ARROW_NEAR_PIXELS
  );
}

let registered = false;

/** Makes the kinds of overlay known to the library, once. */
export function registerMarks(): void {
  if (registered) return;
  registered = true;
  registerOverlay<Drawn<ChartLine>>({
    name: LINE,
    totalStep: 2,
    needDefaultPointFigure: false,
    needDefaultXAxisFigure: false,
    needDefaultYAxisFigure: false,
    createPointFigures: lineShapes,
  });
  registerOverlay<Tagged>({
    name: TAGS,
    totalStep: 2,
    needDefaultPointFigure: false,
    needDefaultXAxisFigure: false,
    needDefaultYAxisFigure: false,
    createYAxisFigures: tagShapes,
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
    const wanted = new Set([TAGS, ...[...lines, ...fills].map((mark) => mark.id)]);
    for (const id of drawn) {
      if (wanted.has(id)) continue;
      drawn.delete(id);
      chart.removeOverlay({ id });
    }
    for (const mark of lines)
      put(mark.id, LINE, { points: [{ value: mark.price }], extendData: { mark, theme } });
    // They stand at the axis, wherever their one point is.
    put(TAGS, TAGS, { points: [{ value: 0 }], extendData: { lines, theme } satisfies Tagged });
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
