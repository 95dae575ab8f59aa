import { expect, test } from 'vitest';
import type { ChartLine, ChartTheme } from './chart-port.ts';
import { lineShapes } from './line-shapes.ts';

const theme = {
  up: 'green',
  warning: 'amber',
  line: 'grey',
  grid: 'pale',
  background: 'black',
} as ChartTheme;
const LINE: ChartLine = {
  ...{ id: 'order 1', price: 1, priceText: '1', label: 'Buy', tone: 'up', stroke: 'solid' },
};

interface Shape {
  readonly type: string;
  readonly styles: {
    readonly style?: string;
    readonly size: number;
    readonly color: string;
    readonly dashedValue?: readonly number[];
  };
}

function strokesOf(mark: ChartLine): readonly string[] {
  const drawn = lineShapes({
    ...{ overlay: { extendData: { mark, theme } }, coordinates: [{ x: 0, y: 50 }] },
    bounding: { width: 400, height: 300 },
  } as unknown as Parameters<typeof lineShapes>[0]);
  return (drawn as unknown as readonly Shape[])
    .filter(({ type }) => type === 'line')
    .map(({ styles: { style, size, color, dashedValue = [] } }) =>
      [color, style, `${size} px`, ...(style === 'solid' ? [] : [dashedValue.join('-')])].join(' '),
    );
}

test.each<[string, Partial<ChartLine>, readonly string[]]>([
  ['what rests in the book', {}, ['green solid 1 px']],
  ['what threatens', { tone: 'warning', stroke: 'dashed' }, ['amber dashed 1 px 4-3']],
  ['what is only reckoned', { tone: 'faint', stroke: 'dotted' }, ['grey dashed 1 px 1-3']],
  ['what nobody knows', { striped: true }, ['pale solid 3 px', 'green dashed 3 px 8-8']],
])('%s is drawn as such', (_, line, strokes) => {
  expect(strokesOf({ ...LINE, ...line })).toEqual(strokes);
});

test.each<[string, number, boolean, string | undefined]>([
  ['stands above its line', 50, false, 'bottom'],
  ['stands below where that is asked for', 50, true, 'top'],
  ['is whole at the upper end', 5, false, 'top'],
  ['is whole at the lower end', 295, true, 'bottom'],
  ['goes with a line that is out of sight', 303, false, undefined],
  ['goes with one above the bars too', -1, false, undefined],
])('the label %s', (_, y, below, baseline) => {
  const drawn = lineShapes({
    ...{ overlay: { extendData: { mark: { ...LINE, below }, theme } }, coordinates: [{ x: 0, y }] },
    bounding: { width: 400, height: 300 },
  } as unknown as Parameters<typeof lineShapes>[0]);
  const texts = (drawn as unknown as readonly { readonly type: string; readonly attrs: object }[]).filter(
    ({ type }) => type === 'text',
  );
  expect(texts.map(({ attrs }) => (attrs as { readonly baseline: string }).baseline)).toEqual(
    baseline === undefined ? [] : [baseline],
  );
});
