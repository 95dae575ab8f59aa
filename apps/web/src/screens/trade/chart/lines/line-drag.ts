import type { ChartLine, LineHold } from '../chart-port.ts';

/** What dragging needs of the chart that draws the lines. */
export interface DraggedChart {
  /** Lines there are, the last drawn on top. */
  readonly lines: () => readonly ChartLine[];
  /** Pixels from the top of the element, and back; `undefined` outside of the bars' pane. */
  readonly yOf: (price: number) => number | undefined;
  readonly priceAt: (y: number) => number | undefined;
  /** A line is being moved; `undefined` = it is left where it was. */
  readonly onMove: (id: string, price: number | undefined, hold: LineHold) => void;
  readonly onDrop: (id: string, price: number, hold: LineHold) => void;
}

/** How near a line the pointer takes hold of it: a finger is broader. */
const NEAR_PIXELS = { mouse: 5, touch: 14 } as const;
/** Before that it is a click that trembles. */
export const BEGINS_PIXELS = 4;
/** So long a line is held until it follows without that. A finger has to, and so still: a shorter touch scrolls. */
const HOLD_MILLIS = { mouse: 150, touch: 300 } as const;
const STILL_PIXELS = 8;

interface Held {
  readonly id: string;
  readonly pointer: number;
  /** Where it was pressed, and how far below that the line lies: it does not jump to the pointer. */
  readonly from: number;
  readonly grip: number;
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
  const priceIn = (event: MouseEvent, { grip }: Held): number | undefined => {
    const { left, right } = host.getBoundingClientRect();
    return event.clientX < left || event.clientX > right ? undefined : chart.priceAt(yIn(event) + grip);
  };
  const holdOf = (event: PointerEvent, { by }: Held): LineHold => ({
    ...{ by, limitToo: event.shiftKey, x: event.clientX - host.getBoundingClientRect().left },
  });
  const under = (event: PointerEvent): string | undefined =>
    lineAt(chart.lines(), yIn(event), chart.yOf, kindOf(event));
  const letGo = (): void => {
    clearTimeout(holding);
    if (held?.moved === true) chart.onMove(held.id, undefined, { by: held.by, limitToo: false });
    held = undefined;
  };
  const onDown = (event: PointerEvent): void => {
    const id = event.button === 0 ? under(event) : undefined;
    if (id === undefined) return;
    const { taken, price } = takenAt(event, id, { chart, from: yIn(event) });
    letGo();
    held = taken;
    holding = setTimeout(
      () => takeAlong(host, chart, { taken, price, hold: holdOf(event, taken) }),
      HOLD_MILLIS[taken.by],
    );
    if (!taken.follows) return;
    host.setPointerCapture(taken.pointer);
    event.stopPropagation();
    event.preventDefault();
  };
  const onMove = (event: PointerEvent): void => {
    if (held === undefined) {
      host.style.cursor = under(event) === undefined ? '' : 'ns-resize';
      return;
    }
    if (event.pointerId !== held.pointer) return;
    const y = yIn(event);
    if (!held.follows) {
      if (Math.abs(y - held.from) > STILL_PIXELS) letGo();
      return;
    }
    event.stopPropagation();
    held.moved ||= Math.abs(y - held.from) >= BEGINS_PIXELS;
    // Outside of the bars it is back where it was, and let go there it stays so.
    if (held.moved) chart.onMove(held.id, priceIn(event, held), holdOf(event, held));
  };
  const onUp = (event: PointerEvent): void => {
    if (held === undefined || event.pointerId !== held.pointer) return;
    const { id, moved, by, follows, from } = held;
    if (follows) event.stopPropagation();
    const [price, hold] = [priceIn(event, held), holdOf(event, held)];
    // A mouse that held it and went nowhere asks for nothing; a finger goes on by the tick.
    const went = moved && (by === 'touch' || yIn(event) !== from);
    letGo();
    if (went && price !== undefined) chart.onDrop(id, price, hold);
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

/** A line as a pointer takes it, and the price that it has. */
function takenAt(
  event: PointerEvent,
  id: string,
  { chart, from }: { readonly chart: DraggedChart; readonly from: number },
): { readonly taken: Held; readonly price: number } {
  const by = kindOf(event);
  const price = chart.lines().find((line) => line.id === id)?.price ?? 0;
  const grip = (chart.yOf(price) ?? from) - from;
  const taken = { id, pointer: event.pointerId, from, grip, by, follows: by === 'mouse', moved: false };
  return { taken, price };
}

/** A line has been held long enough: it follows from now on, and says so. */
function takeAlong(
  host: HTMLElement,
  chart: DraggedChart,
  { taken, price, hold }: { readonly taken: Held; readonly price: number; readonly hold: LineHold },
): void {
  if (!taken.follows) host.setPointerCapture(taken.pointer);
  taken.follows = true;
  if (!taken.moved) chart.onMove(taken.id, price, hold);
  taken.moved = true;
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
