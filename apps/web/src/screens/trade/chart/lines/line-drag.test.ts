import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChartLine } from '../chart-port.ts';
import { attachLineDrag, lineAt } from './line-drag.ts';

const line = (id: string, price: number, draggable: boolean): ChartLine => ({
  ...{ id, price, draggable, priceText: String(price), label: id, tone: 'up', stroke: 'dashed' },
});
const LINES = [line('order', 100, true), line('stop', 106, true), line('position', 103, false)];
/** One pixel a dollar, prices below 50 are out of sight. */
const yOf = (price: number): number | undefined => (price < 50 ? undefined : 200 - price);

test.each([
  ['on it', 100, 'order'],
  ['the nearest of two', 96, 'stop'],
  ['one that cannot be moved is looked through', 98, 'order'],
  ['too far', 120, undefined],
])('a pointer takes hold of a line: %s', (_, y, id) => {
  expect(lineAt(LINES, y, yOf, 'mouse')).toBe(id);
});

test('what is out of sight is not taken hold of', () => {
  expect(lineAt([line('far', 10, true)], 190, yOf, 'mouse')).toBeUndefined();
});

test('out of the line of a position a finger pulls; the mouse has a button for it', () => {
  const position: ChartLine = { ...line('position', 100, false), pulled: true };
  expect(lineAt([position], 100, yOf, 'touch')).toBe('position');
  expect(lineAt([position], 100, yOf, 'mouse')).toBeUndefined();
});

describe('a line is dragged', () => {
  const said: string[] = [];
  let host: EventTarget;
  let end: () => void;
  beforeEach(() => {
    vi.useFakeTimers();
    said.length = 0;
    vi.stubGlobal('document', new EventTarget());
    const box = {
      getBoundingClientRect: () => ({ top: 0, left: 0, right: 500 }),
      setPointerCapture: () => undefined,
      style: {},
    };
    host = Object.assign(new EventTarget(), box);
    end = attachLineDrag(host as unknown as HTMLElement, {
      lines: () => LINES,
      yOf,
      priceAt: (y) => (y > 180 ? undefined : 200 - y),
      onMove: (id, price, { limitToo }) => said.push(`${id} at ${price}${limitToo ? ' with its limit' : ''}`),
      onDrop: (id, price, { by, limitToo }) =>
        said.push(`${id} let go at ${price} by ${by}${limitToo ? ' with its limit' : ''}`),
    });
  });
  afterEach(() => {
    end();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** @returns whether the event went on to the drawing library. */
  function point(kind: string, clientY: number, pointerType: 'mouse' | 'touch', more: object = {}): boolean {
    const event = Object.assign(new Event(kind, { cancelable: true }), {
      ...{ clientY, pointerType, pointerId: 1, button: 0, clientX: 100, shiftKey: false, ...more },
    });
    const stop = vi.spyOn(event, 'stopPropagation');
    host.dispatchEvent(event);
    return stop.mock.calls.length === 0;
  }

  test('by the mouse after 4 pixels, as far as it goes from where it was pressed, and let go where it is', () => {
    expect(point('pointerdown', 98, 'mouse')).toBe(false);
    point('pointermove', 95, 'mouse');
    expect(said).toEqual([]);
    point('pointermove', 94, 'mouse');
    point('pointermove', 88, 'mouse', { pointerId: 2 });
    point('pointerup', 78, 'mouse');
    expect(said).toEqual(['order at 104', 'order at undefined', 'order let go at 120 by mouse']);
  });

  test('by the mouse that holds it for 150 ms, then by every pixel', () => {
    point('pointerdown', 98, 'mouse');
    vi.advanceTimersByTime(149);
    point('pointermove', 97, 'mouse');
    expect(said).toEqual([]);
    vi.advanceTimersByTime(1);
    point('pointermove', 97, 'mouse');
    point('pointerup', 97, 'mouse');
    expect(said).toEqual([
      ...['order at 100', 'order at 101', 'order at undefined', 'order let go at 101 by mouse'],
    ]);
  });

  test('by the mouse nowhere: it is left where it was', () => {
    point('pointerdown', 98, 'mouse');
    vi.advanceTimersByTime(1_000);
    point('pointermove', 98, 'mouse', { clientX: 300 });
    point('pointerup', 98, 'mouse', { clientX: 300 });
    expect(said).toEqual(['order at 100', 'order at 100', 'order at undefined']);
  });

  test('by a finger that holds it for 300 ms; then nothing scrolls', () => {
    expect(point('pointerdown', 100, 'touch')).toBe(true);
    vi.advanceTimersByTime(299);
    expect(said).toEqual([]);
    expect(point('touchmove', 100, 'touch')).toBe(true);
    vi.advanceTimersByTime(1);
    expect(point('touchmove', 100, 'touch')).toBe(false);
    point('pointermove', 90, 'touch');
    point('pointerup', 80, 'touch');
    expect(said).toEqual([
      ...['order at 100', 'order at 110', 'order at undefined', 'order let go at 120 by touch'],
    ]);
  });

  test.each([
    ['scrolls', () => point('pointermove', 80, 'touch')],
    ['taps', () => point('pointerup', 100, 'touch')],
    ['is taken away', () => point('pointercancel', 100, 'touch')],
  ])('not by a finger that %s', (_, act) => {
    point('pointerdown', 100, 'touch');
    act();
    vi.advanceTimersByTime(1_000);
    point('pointermove', 70, 'touch');
    point('pointerup', 60, 'touch');
    expect(said).toEqual([]);
  });

  test('with Shift together with the limit behind it', () => {
    point('pointerdown', 100, 'mouse');
    point('pointermove', 90, 'mouse', { shiftKey: true });
    point('pointerup', 90, 'mouse', { shiftKey: true });
    expect(said).toEqual([
      ...['order at 110 with its limit', 'order at undefined', 'order let go at 110 by mouse with its limit'],
    ]);
  });

  test.each([
    ['below', 190, {}],
    ['beside', 100, { clientX: 501 }],
  ])('let go %s the bars it is where it was', (_, y, more) => {
    point('pointerdown', 100, 'mouse');
    point('pointermove', 90, 'mouse');
    point('pointermove', y, 'mouse', more);
    point('pointerup', y, 'mouse', more);
    expect(said).toEqual(['order at 110', 'order at undefined', 'order at undefined']);
  });

  test('Esc leaves it where it was', () => {
    point('pointerdown', 100, 'mouse');
    point('pointermove', 90, 'mouse');
    document.dispatchEvent(Object.assign(new Event('keydown'), { key: 'Escape' }));
    point('pointerup', 80, 'mouse');
    expect(said).toEqual(['order at 110', 'order at undefined']);
  });
});
