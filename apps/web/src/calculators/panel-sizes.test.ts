import { expect, test } from 'vitest';
import {
  PANEL_STEP_PIXELS,
  panelLimits,
  panelPixels,
  type SizedScreen,
  withPanelPixels,
} from './panel-sizes.ts';

test.each([
  ['a little', 309, 312],
  ['half a step is none yet', 307, 304],
  ['below the least', 12, 240],
  ['beyond the most', 4_000, 480],
])('a book that is moved %s, to %i pixels, has %i', (_how, pixels, size) => {
  expect(panelPixels(withPanelPixels('', 'wide', 'book', pixels), 'wide', 'book')).toBe(size);
});

test('each shape of the window has sizes of its own, and the usual one is not kept', () => {
  const kept = withPanelPixels('full-book=400', 'wide', 'ticket', 400);
  expect(kept).toBe('full-book=400;wide-ticket=400');
  expect([panelPixels(kept, 'full', 'book'), panelPixels(kept, 'wide', 'book')]).toEqual([400, 304]);
  expect(withPanelPixels(kept, 'wide', 'ticket', 304)).toBe('full-book=400');
});

test.each(['wide-book=9', 'wide-book=9999', 'wide-book=x', 'nonsense'])(
  'what is kept and cannot be, %s, is the usual size',
  (kept) => expect(panelPixels(kept, 'wide', 'book')).toBe(304),
);

test.each(['snug', 'wide', 'full', 'ultra'] as const satisfies readonly SizedScreen[])(
  'every size of %s is whole steps, and at its least every panel leaves the chart 480 pixels',
  (screen) => {
    const least = { snug: 1_024, wide: 1_200, full: 1_920, ultra: 2_200 }[screen];
    const across = (['watch', 'book', 'tape', 'ticket'] as const).map((panel) => panelLimits(screen, panel));
    for (const { usual } of across) expect(usual % PANEL_STEP_PIXELS).toBe(0);
    expect(least - across.reduce((sum, limits) => sum + limits.least, 0)).toBeGreaterThanOrEqual(480);
    expect(least - across.reduce((sum, limits) => sum + limits.usual, 0)).toBeGreaterThanOrEqual(480);
  },
);
