import { createElement, useState } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { movingFault } from '../../../calculators/ticket/held-still.ts';
import { useHeldStill } from './use-held-still.ts';

type Step = readonly [fault: string | undefined, typed: string, words: string];

/** One field, drawn step by step; it writes down what it reads. */
function Field({ steps, read }: { readonly steps: readonly Step[]; readonly read: string[] }): null {
  const [at, setAt] = useState(0);
  const [fault, typed, words] = steps[at] as Step;
  read.push(useHeldStill(movingFault(fault, [typed]), words));
  if (at + 1 < steps.length) setAt(at + 1);
  return null;
}

function readOf(steps: readonly Step[]): readonly string[] {
  const read: string[] = [];
  renderToStaticMarkup(createElement(Field, { steps, read }));
  return read;
}

test.each<[string, readonly Step[], readonly string[]]>([
  [
    'is still while the market moves its bound',
    [
      ['crosses', '102', '< 101.0'],
      ['crosses', '102', '< 100.9'],
      ['crosses', '102', '< 100.8'],
    ],
    ['< 101.0', '< 101.0', '< 101.0'],
  ],
  [
    'is new for what is typed next, and that is still too',
    [
      ['post-only-crosses', '102', '< 101.0'],
      ['post-only-crosses', '103', '< 100.9'],
      ['post-only-crosses', '103', '< 100.8'],
    ],
    ['< 101.0', '< 100.9', '< 100.9'],
  ],
  [
    'follows what no market moves',
    [
      ['notional-too-small', '1', '5'],
      ['notional-too-small', '1', '6'],
      [undefined, '1', ''],
    ],
    ['5', '6', ''],
  ],
])('from one drawing to the next a field %s', (_, steps, words) => {
  expect(readOf(steps)).toEqual(words);
});

test('two fields hold each their own words', () => {
  expect([readOf([['crosses', '1', 'a']]), readOf([['crosses', '1', 'b']])]).toEqual([['a'], ['b']]);
});
