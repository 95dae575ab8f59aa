import { expect, test } from 'vitest';
import { BOOK_ROW_PIXELS, bookLayout } from './book-canvas.ts';

test.each([
  ['both', 476, { rows: 11, askTop: 0, middleTop: 220, bidTop: 256 }],
  ['bids', 476, { rows: 22, askTop: -1, middleTop: 0, bidTop: 36 }],
  ['asks', 476, { rows: 22, askTop: 0, middleTop: 440, bidTop: -1 }],
  ['both', 0, { rows: 0, askTop: 0, middleTop: 0, bidTop: 36 }],
] as const)('%s in %i pixels stands at %j', (mode, height, layout) => {
  expect(bookLayout(mode, height)).toEqual(layout);
  expect(layout.rows * BOOK_ROW_PIXELS).toBeLessThanOrEqual(Math.max(0, height - 36));
});
