import { expect, test } from 'vitest';
import {
  CHART_TYPES,
  type ChartShape,
  chartShapes,
  chartTypeOf,
  type DrawnBar,
  drawnBar,
  isOwn,
} from './chart-types.ts';

const BARS = [
  { open: 10, high: 14, low: 8, close: 12 },
  { open: 12, high: 13, low: 5, close: 6 },
  { open: 6, high: 19, low: 6, close: 18 },
];

/** A pane of 20 prices, a pixel each, the highest on top; a bar every ten pixels. */
const SCENE = { xOf: (at: number) => at * 10, yOf: (price: number) => 20 - price, bottom: 20, half: 3 };

/** The shapes as one short text each: paint, tone, points. */
function painted(type: number): readonly string[] {
  const kind = chartTypeOf(type);
  if (!isOwn(kind)) return [];
  const drawn: DrawnBar[] = [];
  for (const bar of BARS) drawn.push(drawnBar(kind, bar, drawn.at(-1)));
  const said = ({ paint, tone, points }: ChartShape) =>
    `${paint} ${tone} ${points.map(({ x, y }) => `${x},${y}`).join(' ')}`;
  return chartShapes(kind, drawn, SCENE).map(said);
}

test.each([
  [2, 'a line of ends', ['stroke line 0,8 10,14 20,2']],
  [
    3,
    'the line with what is under it',
    ['tint line 0,8 10,14 20,2 20,20 0,20', 'stroke line 0,8 10,14 20,2'],
  ],
  [
    8,
    'HeikinAshi',
    [
      ...['stroke up 0,6 0,12', 'fill up -3,9 3,9 3,10 -3,10'],
      ...['stroke down 10,7 10,15', 'fill down 7,9 13,9 13,11 7,11'],
      ...['stroke up 20,1 20,14', 'fill up 17,7.75 23,7.75 23,10 17,10'],
    ],
  ],
  [
    10,
    'ends above and below the middle of what is in view',
    [
      ...['tint down 0,8 10,14 15,8 15,8 0,8', 'stroke down 0,8 10,14 15,8'],
      ...['tint up 15,8 20,2 20,8 15,8', 'stroke up 15,8 20,2'],
    ],
  ],
  [
    12,
    'from the highest to the lowest',
    ['fill up -3,6 3,6 3,12 -3,12', 'fill down 7,7 13,7 13,15 7,15', 'fill up 17,1 23,1 23,14 17,14'],
  ],
  [
    13,
    'columns from the lower edge, by the end before',
    ['fill up -3,8 3,8 3,20 -3,20', 'fill down 7,14 13,14 13,20 7,20', 'fill up 17,2 23,2 23,20 17,20'],
  ],
  [14, 'a line with its points', ['stroke line 0,8 10,14 20,2', 'dot line 0,8 10,14 20,2']],
  [15, 'steps', ['stroke line 0,8 10,8 10,14 20,14 20,2']],
  [
    16,
    'three lines and what is between them',
    [
      'tint up 0,6 10,7 20,1 20,2 10,14 0,8',
      'tint down 0,12 10,15 20,14 20,2 10,14 0,8',
      ...['stroke up 0,6 10,7 20,1', 'stroke down 0,12 10,15 20,14', 'stroke line 0,8 10,14 20,2'],
    ],
  ],
] as const)('chart type %i is %s', (type, _, expected) => {
  expect(painted(type)).toEqual(expected);
});

test.each([
  [0, 0],
  [1, 1],
  [9, 9],
  [7, 1],
  [1.5, 1],
])('chart type %d is the one of the drawing library with key %i', (kept, type) => {
  expect(chartTypeOf(kept)).toBe(type);
  expect(painted(kept)).toEqual([]);
});

test('the list has the twelve kinds of the specification', () => {
  expect(CHART_TYPES.toSorted((left, right) => left - right)).toEqual([
    ...[0, 1, 2, 3, 8, 9, 10, 12, 13, 14, 15, 16],
  ]);
});

test('no bars paint nothing', () => {
  for (const type of CHART_TYPES) if (isOwn(type)) expect(chartShapes(type, [], SCENE)).toEqual([]);
});
