import { expect, test, vi } from 'vitest';
import { CONTRACT } from '../../../calculators/contracts/contract.fixture.ts';
import { createBookStore } from '../../../stores/market/book.ts';
import type { PaintFrame } from '../canvas-surface.ts';
import { BookPainter } from './book-canvas.ts';

vi.stubGlobal('window', { matchMedia: () => ({ matches: false }) });

/** A canvas that keeps which colours its faded rectangles had: nothing but a flash is painted faded. */
function canvas() {
  const flashes: string[] = [];
  const context = {
    globalAlpha: 1,
    fillStyle: '',
    fillRect: () => {
      if (context.globalAlpha < 1) flashes.push(context.fillStyle);
    },
    fillText: () => undefined,
  };
  const frame = (now: number, fresh: boolean): PaintFrame => ({
    context: context as unknown as CanvasRenderingContext2D,
    ...{ width: 300, height: 436, ratio: 1, now, fresh },
    palette: { up: 'up', down: 'down' } as PaintFrame['palette'],
  });
  return { flashes, frame };
}

test.each([
  ['level by level, the size that changed flashes once', 1, ['up', 'down']],
  ['in rows of ten ticks, where each would flash at every change, none does', 10, []],
])('%s', (_, groupTicks, flashed) => {
  const store = createBookStore();
  store.follow({ s: 'BTCUSDT' });
  const sizes = (time: number, bid: number, ask: number) =>
    store.fold(
      { ch: 'book', s: 'BTCUSDT', k: 's', q: time, b: [600_000, bid], a: [600_010, ask], t: time },
      time,
    );
  const painter = new BookPainter({
    ...{ store, instrument: CONTRACT },
    ...{ last: () => undefined, spreadWord: () => 'Spread' },
    ...{ onPrice: () => undefined, onSize: () => undefined, onPainted: () => undefined },
  });
  painter.view = { mode: 'both', groupTicks };
  const { flashes, frame } = canvas();
  sizes(1, 10, 10);
  expect(painter.paint(frame(1_000, true))).toBe(false);
  sizes(2, 25, 4);
  // Something that fades asks for the next frame.
  expect(painter.paint(frame(1_050, false))).toBe(flashed.length > 0);
  expect(flashes.toSorted().toReversed()).toEqual(flashed);
});
