import { expect, test } from 'vitest';
import { freeTop } from './toast-place.ts';

const WINDOW = { top: 0, bottom: 844 };

test.each([
  ['nothing stands there', [], WINDOW, 8],
  ['all of it stands further down', [{ top: 300, bottom: 340 }], WINDOW, 8],
  ['a field stands at the top', [{ top: 40, bottom: 90 }], WINDOW, 98],
  [
    'two stand there, told from below',
    [
      { top: 120, bottom: 160 },
      { top: 0, bottom: 60 },
    ],
    WINDOW,
    168,
  ],
  [
    'between two there is room',
    [
      { top: 0, bottom: 60 },
      { top: 200, bottom: 240 },
    ],
    WINDOW,
    68,
  ],
  ['a part that was scrolled out of sight', [{ top: -200, bottom: -10 }], WINDOW, 8],
  ['a keyboard has pushed the window down', [{ top: 300, bottom: 340 }], { top: 200, bottom: 620 }, 208],
  ['a button at the end alone', [{ top: 780, bottom: 844 }], WINDOW, 8],
  [
    'above what stands further down there is room, below it there is none',
    [
      { top: 0, bottom: 40 },
      { top: 120, bottom: 844 },
    ],
    WINDOW,
    48,
  ],
] as const)('a toast lies over nothing that has to be mended: %s', (_, stands, window, top) => {
  expect(freeTop(60, stands, window)).toBe(top);
});

test.each([
  ['it is full but for a crack', [{ top: 0, bottom: 820 }], WINDOW, 776],
  [
    'a keyboard leaves too little: the lower one is the shorter',
    [
      { top: 0, bottom: 60 },
      { top: 76, bottom: 96 },
    ],
    { top: 0, bottom: 120 },
    52,
  ],
  ['all of it is full', [{ top: 0, bottom: 844 }], WINDOW, 8],
] as const)('where nothing is free it covers least: %s', (_, stands, window, top) => {
  expect(freeTop(60, stands, window)).toBe(top);
});
