import { BEGINS_PIXELS } from './line-drag.ts';

/** What pulling a line out of a position's needs. */
export interface PulledLine {
  /** The price at a height of the window; `undefined` outside of the bars. */
  readonly priceAt: (clientY: number) => number | undefined;
  /** Where it is; `undefined` = nowhere. */
  readonly onMove: (price: number | undefined) => void;
  readonly onDrop: (price: number) => void;
}

/**
 * Follows a pointer that was pressed on the button of a position's line until it is let go. Less than a few pixels is a click;
 * Esc, a pointer that is taken away and one let go outside of the bars pull nothing.
 */
export function pullLine(
  from: Pick<PointerEvent, 'clientY' | 'pointerId'>,
  { priceAt, onMove, onDrop }: PulledLine,
): void {
  let moved = false;
  const ended = new AbortController();
  const end = (): void => {
    ended.abort();
    if (moved) onMove(undefined);
  };
  const hear = <Kind extends 'pointermove' | 'pointerup' | 'pointercancel' | 'keydown'>(
    kind: Kind,
    act: (event: DocumentEventMap[Kind]) => void,
  ) => document.addEventListener(kind, act, { signal: ended.signal });
  hear('pointermove', (event) => {
    if (event.pointerId !== from.pointerId) return;
    moved ||= Math.abs(event.clientY - from.clientY) >= BEGINS_PIXELS;
    if (moved) onMove(priceAt(event.clientY));
  });
  hear('pointerup', (event) => {
    if (event.pointerId !== from.pointerId) return;
    const price = moved ? priceAt(event.clientY) : undefined;
    end();
    if (price !== undefined) onDrop(price);
  });
  hear('pointercancel', end);
  hear('keydown', (event) => {
    if (event.key === 'Escape') end();
  });
}
