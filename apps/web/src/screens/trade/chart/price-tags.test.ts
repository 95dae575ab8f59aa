import { expect, test } from 'vitest';
import type { ChartTheme } from './chart-port.ts';
import { hiddenTicks, stackedTags, TAG_PIXELS, tagShapes } from './price-tags.ts';

const HEIGHT = 400;

test.each<[string, readonly number[], readonly number[]]>([
  ['far from each other stand at their price', [100, 200, 300], [100, 200, 300]],
  ['at one price stand beside each other', [100, 100, 100], [100, 100 + TAG_PIXELS, 100 + 2 * TAG_PIXELS]],
  [
    'that would touch make room on the side where they are',
    [100, 105, 90],
    [100, 100 + TAG_PIXELS, 100 - TAG_PIXELS],
  ],
  ['stay whole at its ends', [2, HEIGHT], [TAG_PIXELS / 2, HEIGHT - TAG_PIXELS / 2]],
  ['never leave the axis', [2, 0], [TAG_PIXELS * 1.5, TAG_PIXELS / 2]],
  [
    'are in the order of their prices at its end',
    [HEIGHT - 40, HEIGHT - 4, HEIGHT - 6, HEIGHT - 8],
    [3.5, 0.5, 1.5, 2.5].map((above) => HEIGHT - above * TAG_PIXELS),
  ],
  ['beyond the axis are left out', [-5, 100, HEIGHT + 1], [100]],
])('tags %s', (_, prices, places) => {
  expect(
    stackedTags(
      prices.map((y) => ({ y })),
      HEIGHT,
    ).map(({ at }) => at),
  ).toEqual(places);
});

test('none covers another or a higher price while there is room, and more stay at theirs', () => {
  const tags = Array.from({ length: 60 }, (_, at) => ({ y: 200 + (at % 7) }));
  const places = stackedTags(tags, HEIGHT).map(({ at }) => at);
  expect(places).toHaveLength(60);
  const room = places.slice(0, 18).toSorted((left, right) => left - right);
  for (const [at, place] of room.entries())
    expect(place - (room[at - 1] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(TAG_PIXELS);
  expect(places.slice(-20)).toEqual(tags.slice(-20).map(({ y }) => y));
});

test('what the axis says under a tag, or half of it, is taken away', () => {
  const ticks = [60, 84, 86, 100, 115, 117].map((coord) => ({ coord }));
  expect(hiddenTicks(ticks, [{ at: 100 }]).map(({ coord }) => coord)).toEqual([86, 100, 115]);
});

test('the last price comes first, in the colour of its bar, and has the ground of the axis below it', () => {
  const theme = { up: 'green', down: 'red', warning: 'amber', background: 'black' } as ChartTheme;
  const line = {
    id: 'liquidation',
    price: 100,
    priceText: '100.0',
    label: '',
    tone: 'warning',
    stroke: 'dashed',
  };
  const shapes = tagShapes({
    overlay: { extendData: { lines: [line], theme } },
    chart: { getDataList: () => [{ open: 1_235, close: 1_234.5 }], getSymbol: () => ({ pricePrecision: 1 }) },
    bounding: { width: 60, height: HEIGHT },
    yAxis: { convertToPixel: () => 50, isFromZero: () => false, getTicks: () => [{ coord: 52 }] },
  } as unknown as Parameters<typeof tagShapes>[0]);
  expect(shapes).toMatchObject([
    { type: 'rect', styles: { color: 'black' } },
    { attrs: { text: '100.0', y: 50 + TAG_PIXELS }, styles: { backgroundColor: 'amber' } },
    { attrs: { text: '1,234.5', y: 50 }, styles: { backgroundColor: 'red' } },
  ]);
});
