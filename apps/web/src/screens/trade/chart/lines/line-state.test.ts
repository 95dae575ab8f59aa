import { expect, test } from 'vitest';
import type { Text } from '../../../../i18n/i18n.ts';
import type { ChartLine } from '../chart-port.ts';
import { type LineMoves, withMove } from './line-state.ts';

const text = ((id: string) => id.split('.').at(-1)) as Text;
const LINE: ChartLine = {
  ...{
    id: 'order 1',
    price: 100,
    priceText: '100',
    label: 'Buy',
    tone: 'up',
    stroke: 'dashed',
    draggable: true,
  },
};
const REST: LineMoves = { moving: new Map(), unknown: new Map(), refused: new Map(), tuned: undefined };
const TO = new Map([['order 1', { price: '120' }]]);
const tuned = {
  id: 'order 1',
  price: '120',
  x: 50,
  held: false,
  step: () => {},
  confirm: () => {},
  leave: () => {},
};

const shown = (line: ChartLine, moves: Partial<LineMoves>) =>
  withMove(line, { ...REST, ...moves }, text).map(
    ({ price, label, tone, striped, draggable, glidesFrom }) =>
      `${price} ${label} ${tone}${striped === true ? ' striped' : ''}${draggable === true ? ' draggable' : ''}${glidesFrom === undefined ? '' : ` from ${glidesFrom}`}`,
  );

test.each<[string, ChartLine, Partial<LineMoves>, readonly string[]]>([
  ['at rest', LINE, {}, ['100 Buy up draggable']],
  ['on its way', LINE, { moving: TO }, ['100  faint', '120 Buy … faint']],
  [
    'on its way where the exchange cancels first',
    { ...LINE, bare: true },
    { moving: TO },
    ['100  faint', '120 Buy … · bare faint'],
  ],
  ['under a finger', LINE, { tuned: { ...tuned, held: true } }, ['100 Buy up draggable']],
  ['let go by a finger, which may take it again', LINE, { tuned }, ['100  faint', '120 Buy up draggable']],
  [
    'pulled out of a position by a finger',
    { ...LINE, pulled: true },
    { tuned },
    ['100 Buy up draggable', '120 Buy up'],
  ],
  [
    'nobody knows what became of it',
    LINE,
    { unknown: TO },
    ['100  faint striped', '120 Buy · unknown up striped'],
  ],
  [
    'the hub says what was asked for, as after a reload',
    { ...LINE, asked: '130', draggable: false },
    {},
    ['100  faint striped', '130 Buy · unknown up striped'],
  ],
  ['asked for a moment ago', { ...LINE, asked: '120' }, { moving: TO }, ['100  faint', '120 Buy … faint']],
  ['refused', LINE, { refused: TO }, ['100 Buy · refused danger draggable from 120']],
  [
    'what was pulled out of a position and refused is gone',
    { ...LINE, pulled: true },
    { refused: TO },
    ['100 Buy up draggable'],
  ],
])('a line whose change is %s', (_, line, moves, expected) => {
  expect(shown(line, moves)).toEqual(expected);
});
