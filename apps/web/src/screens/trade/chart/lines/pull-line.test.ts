import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pullLine } from './pull-line.ts';

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.stubGlobal('document', new EventTarget());
  pullLine(
    { clientY: 100, pointerId: 1 },
    {
      priceAt: (y) => (y > 180 ? undefined : 200 - y),
      onMove: (price) => said.push(`at ${price}`),
      onDrop: (price) => said.push(`let go at ${price}`),
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function point(kind: string, clientY: number, pointerId = 1): void {
  document.dispatchEvent(Object.assign(new Event(kind), { clientY, pointerId }));
}

test('a line follows the pointer and is placed where it is let go, once', () => {
  point('pointermove', 90);
  point('pointermove', 80);
  point('pointerup', 70);
  point('pointermove', 60);
  point('pointerup', 60);
  expect(said).toEqual(['at 110', 'at 120', 'at undefined', 'let go at 130']);
});

test.each([
  ['a click that trembles', () => point('pointermove', 103), []],
  ['another pointer', () => point('pointermove', 50, 2), []],
  ['Esc', () => escapes(80), ['at 120', 'at undefined']],
  ['a pointer that is taken away', () => isTaken(80), ['at 120', 'at undefined']],
  ['leaving the bars', () => point('pointermove', 190), ['at undefined', 'at undefined']],
] as const)('%s pulls nothing', (name, act, says) => {
  act();
  point('pointerup', name === 'leaving the bars' ? 190 : 102);
  expect(said).toEqual(says);
});

function escapes(y: number): void {
  point('pointermove', y);
  document.dispatchEvent(Object.assign(new Event('keydown'), { key: 'Escape' }));
}

function isTaken(y: number): void {
  point('pointermove', y);
  point('pointercancel', y);
}
