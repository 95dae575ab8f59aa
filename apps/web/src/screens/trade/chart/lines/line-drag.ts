import type { ChartLine, LineHold } from '../chart-port.ts';

/** What dragging needs of the chart that draws the lines. */
export interface DraggedChart {
  /** Lines there are, the last drawn on top. */
  readonly lines: () => readonly ChartLine[];
  /** Pixels from the top of the element, and back; `undefined` outside of the bars' pane. */
  readonly yOf: (price: number) => number | undefined;
  readonly priceAt: (y: number) => number | undefined;
  /** A line is being moved; `undefined` = it is left where it was. */
  readonly onMove: (id: string, price: number | undefined, limitToo: boolean) => void;
  readonly onDrop: (id: string, price: number, hold: LineHold) => void;
}

/** How near a line the pointer takes hold of it: a finger is broader. */
const NEAR_PIXELS = { mouse: 5, touch: 14 } as const;
/** Before that it is a click that trembles. */
export const BEGINS_PIXELS = 4;
/** A finger holds a line so long, and so still, before it moves it: a shorter touch scrolls. */
const HOLD_MILLIS = 300;
const STILL_PIXELS = 8;

interface Held {
  readonly id: string;
  readonly pointer: number;
  readonly from: number;
  readonly by: 'mouse' | 'touch';
  /** Whether it follows the pointer: a finger has to hold it first. */
  follows: boolean;
  moved: boolean;
}

/** The line that a pointer takes hold of at a height; the nearest of several. */
export function lineAt(
  lines: readonly ChartLine[],
  y: number,
  yOf: DraggedChart['yOf'],
  by: LineHold['by'],
): string | undefined {
  let found: string | undefined;
  let least: number = NEAR_PIXELS[by];
  for (const line of lines) {
    const follows = line.draggable === true || (line.pulled === true && by === 'touch');
    const at = follows ? yOf(line.price) : undefined;
    const gap = at === undefined ? Number.POSITIVE_INFINITY : Math.abs(at - y);
    if (gap > least) continue;
    least = gap;
    found = line.id;
  }
  return found;
}

/**
 * Lets the lines of a chart be dragged up and down, before the drawing library hears of it. Esc, or a pointer that is taken
 * away, leaves the line where it was.
 * @returns what ends it.
 */
export function attachLineDrag(host: HTMLElement, chart: DraggedChart): () => void {
  let held: Held | undefined;
  let holding: ReturnType<typeof setTimeout> | undefined;
  const yIn = (event: MouseEvent): number => event.clientY - host.getBoundingClientRect().top;
  const priceIn = (event: MouseEvent): number | undefined => {
    const { left, right } = host.getBoundingClientRect();
    return event.clientX < left || event.clientX > right ? undefined : chart.priceAt(yIn(event));
  };
  const under = (event: PointerEvent): string | undefined =>
    lineAt(chart.lines(), yIn(event), chart.yOf, kindOf(event));
  const letGo = (): void => {
    clearTimeout(holding);
    if (held?.moved === true) chart.onMove(held.id, undefined, false);
    held = undefined;
  };
  const onDown = (event: PointerEvent): void => {
    const id = event.button === 0 ? under(event) : undefined;
    if (id === undefined) return;
    const by = kindOf(event);
    const pointer = event.pointerId;
    const taken: Held = { id, pointer, from: yIn(event), by, follows: by === 'mouse', moved: false };
    letGo();
    held = taken;
    if (by === 'touch') {
      holding = setTimeout(() => takeAlong(host, chart, taken), HOLD_MILLIS);
      return;
    }
    host.setPointerCapture(pointer);
    event.stopPropagation();
    event.preventDefault();
  };
  const onMove = (event: PointerEvent): void => {
    if (held === undefined) {
      host.style.cursor = under(event) === undefined ? '' : 'ns-resize';
      return;
    }
    const y = yIn(event);
    if (!held.follows) {
      if (Math.abs(y - held.from) > STILL_PIXELS) letGo();
      return;
    }
    event.stopPropagation();
    held.moved ||= Math.abs(y - held.from) >= BEGINS_PIXELS;
    // Outside of the bars it is back where it was, and let go there it stays so.
    if (held.moved) chart.onMove(held.id, priceIn(event), event.shiftKey);
  };
  const onUp = (event: PointerEvent): void => {
    if (held === undefined || event.pointerId !== held.pointer) return;
    const { id, moved, by, follows } = held;
    if (follows) event.stopPropagation();
    const price = priceIn(event);
    letGo();
    if (moved && price !== undefined) chart.onDrop(id, price, { by, limitToo: event.shiftKey });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') letGo();
  };
  // While a line is held the library must not scroll: it hears the mouse, not the pointer.
  const keep = (event: Event): void => {
    if (held?.follows !== true) return;
    event.stopPropagation();
    event.preventDefault();
  };
  const deaf = hears(host, [
    ['pointerdown', onDown],
    ['pointermove', onMove],
    ['pointerup', onUp],
    ['pointercancel', letGo],
    ...['mousedown', 'mousemove', 'touchstart', 'touchmove', 'contextmenu'].map(
      (name) => [name, keep] as const,
    ),
  ]);
  document.addEventListener('keydown', onKey);
  return () => {
    clearTimeout(holding);
    deaf();
    document.removeEventListener('keydown', onKey);
  };
}

function kindOf({ pointerType }: PointerEvent): LineHold['by'] {
  return pointerType === 'touch' ? 'touch' : 'mouse';
}

/** A finger has held a line long enough: it follows now, and says so. */
function takeAlong(host: HTMLElement, chart: DraggedChart, held: Held): void {
  held.follows = true;
  held.moved = true;
  host.setPointerCapture(held.pointer);
  const price = chart.priceAt(held.from);
  if (price !== undefined) chart.onMove(held.id, price, false);
}

/** Hears events of an element before anybody inside it. @returns what ends it. */
function hears(
  host: HTMLElement,
  acts: readonly (readonly [name: string, act: (event: never) => void])[],
): () => void {
  const heard = acts.map(([name, act]) => [name, act as EventListener] as const);
  for (const [name, act] of heard) host.addEventListener(name, act, { capture: true, passive: false });
  return () => {
    for (const [name, act] of heard) host.removeEventListener(name, act, { capture: true });
  };
}
