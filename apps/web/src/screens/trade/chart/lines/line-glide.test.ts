import { expect, test } from 'vitest';
import type { ChartLine } from '../chart-port.ts';
import { GLIDE_MILLIS, LineGlides } from './line-glide.ts';

const LINE: ChartLine = {
  ...{ id: 'order', price: 100, priceText: '100', label: 'Buy', tone: 'danger', stroke: 'dashed' },
  glidesFrom: 120,
};

function glides(still = false) {
  const around = { at: 0, drawn: 0, frames: [] as (() => void)[], takenBack: 0 };
  const made = new LineGlides({
    now: () => around.at,
    nextFrame: (act) => {
      around.frames.push(act);
      return () => {
        around.takenBack += 1;
      };
    },
    isStill: () => still,
    redraw: () => {
      around.drawn += 1;
    },
  });
  return { around, made };
}

test('a refused line glides back within 150 ms, frame by frame, and then stands', () => {
  const { around, made } = glides();
  expect(GLIDE_MILLIS).toBeLessThanOrEqual(150);
  made.take([LINE]);
  const prices = [0, 50, 100, 149, 150, 400].map((at) => {
    around.at = at;
    const { price } = made.placed(LINE);
    around.frames.shift()?.();
    return price;
  });
  expect(prices[0]).toBe(120);
  expect(prices.toSorted((left, right) => right - left)).toEqual(prices);
  expect(prices.slice(4)).toEqual([100, 100]);
  expect([around.drawn, around.frames.length]).toEqual([4, 0]);
});

test('new lists do not begin it anew; what was over may glide again', () => {
  const { around, made } = glides();
  made.take([LINE]);
  around.at = 100;
  made.take([{ ...LINE, label: 'Buy, newer' }]);
  expect(made.placed(LINE).price).toBeLessThan(105);
  const { glidesFrom: _, ...still } = LINE;
  made.take([still]);
  expect(made.placed(still).price).toBe(100);
  made.take([LINE]);
  expect(made.placed(LINE).price).toBe(120);
});

test('who asked for less motion sees it where it belongs at once; an end takes the frame back', () => {
  const quiet = glides(true);
  quiet.made.take([LINE]);
  expect(quiet.made.placed(LINE).price).toBe(100);
  expect(quiet.around.frames).toEqual([]);
  const { around, made } = glides();
  made.take([LINE]);
  made.placed(LINE);
  made.end();
  expect(around.takenBack).toBe(1);
});
