import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inOrder } from '../../calculators/tables/table-order.ts';
import { createRowPlaces } from './row-places.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A table by a figure that changes by itself, drawn anew four times a second and whenever it is told to. */
function table(first: Readonly<Record<string, number>>) {
  const values = new Map(Object.entries(first));
  const places = createRowPlaces();
  let shown: readonly string[] = [];
  const draw = (): void => {
    const names = [...values.keys()];
    shown = places.stand('value:desc', names, () => inOrder(names, (name) => values.get(name) ?? 0, 'desc'));
  };
  draw();
  const stop = places.follow(draw, true);
  setInterval(draw, 250);
  return { values, stop, hold: places.hold, shown: () => shown.join(' ') };
}

test('figures that change by themselves change the order every two seconds, and not between', () => {
  const { values, shown, stop } = table({ a: 3, b: 2, c: 1 });
  expect(shown()).toBe('a b c');
  values.set('c', 9);
  vi.advanceTimersByTime(1_999);
  expect(shown()).toBe('a b c');
  vi.advanceTimersByTime(1);
  expect(shown()).toBe('c a b');
  values.set('b', 10);
  vi.advanceTimersByTime(1_999);
  expect(shown()).toBe('c a b');
  vi.advanceTimersByTime(1);
  expect(shown()).toBe('b c a');
  stop();
  values.set('a', 11);
  vi.advanceTimersByTime(10_000);
  expect(shown()).toBe('b c a');
});

test('under the pointer no row changes its place, however long it stays there; once it leaves all do at once', () => {
  const { values, hold, shown } = table({ a: 3, b: 2, c: 1 });
  hold(true);
  values.set('c', 9);
  values.set('d', 10);
  vi.advanceTimersByTime(60_000);
  expect(shown()).toBe('a b c d');
  values.delete('a');
  vi.advanceTimersByTime(250);
  expect(shown()).toBe('b c d');
  hold(false);
  expect(shown()).toBe('d c b');
});
