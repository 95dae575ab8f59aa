import { expect, test } from 'vitest';
import { BoundedMap } from './bounded-map.ts';
import { BaseReader, queryPairs } from './param-reader.ts';

class Reader extends BaseReader<string> {
  constructor(values: Readonly<Record<string, unknown>>, refusal?: string) {
    const words = { missing: (name: string) => `no ${name}`, invalid: (name: string) => `bad ${name}` };
    super(new Map(Object.entries(values)), words, refusal);
  }

  override text(name: string): string | undefined {
    return this.has(name) ? String(this.raw(name)) : undefined;
  }
}

test.each<[string, (reader: Reader) => unknown, unknown, string | undefined]>([
  ['a text that is there', (reader) => reader.requiredText('a'), 'x', undefined],
  ['an empty text counts as absent', (reader) => reader.requiredText('empty'), '', 'no empty'],
  ['so does null', (reader) => reader.requiredText('none'), '', 'no none'],
  ['a text of its form', (reader) => reader.pattern('a', /^x$/), 'x', undefined],
  ['a text of another form', (reader) => reader.pattern('a', /^y$/), undefined, 'bad a'],
  ['the same in the words of a call', (reader) => reader.pattern('a', /^y$/, 'no y'), undefined, 'no y'],
  ['one of its words', (reader) => reader.choice('a', ['x', 'y']), 'x', undefined],
  ['none of its words', (reader) => reader.choice('a', ['y']), undefined, 'bad a'],
  ['no word at all', (reader) => reader.choice('b', ['y']), undefined, undefined],
  ['a word that must be there', (reader) => reader.requiredChoice('b', ['y']), 'y', 'no b'],
])('%s', (_, read, value, refusal) => {
  const reader = new Reader({ a: 'x', empty: '', none: null });
  expect([read(reader), reader.refusal]).toEqual([value, refusal]);
});

test('the first thing wrong is kept, and what was wrong before the first read comes before it', () => {
  const reader = new Reader({});
  reader.requiredText('a');
  reader.requiredText('b');
  const late = new Reader({}, 'no query');
  late.requiredText('a');
  expect([reader.refusal, late.refusal]).toEqual(['no a', 'no query']);
});

test.each([
  ['', []],
  [
    'a=1&b=2',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  [
    'a&&b=',
    [
      ['a', ''],
      ['b', ''],
    ],
  ],
  ['a=1+2%2B=3', [['a', '1 2+=3']]],
  ['a=%E0%A4&b=1', [undefined, ['b', '1']]],
])('the pairs of %s', (raw, pairs) => {
  expect([...queryPairs(raw)]).toEqual(pairs);
});

test('a bounded map forgets its oldest entry, and none where a known one changes', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3);
  expect([...map]).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
  map.set('c', 4);
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 4],
  ]);
});
