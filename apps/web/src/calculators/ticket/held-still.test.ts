import { expect, test } from 'vitest';
import { heldStill, movingFault, type Said } from './held-still.ts';

/** A fault as a field has it: its name, what was chosen and typed, and the words that the market makes of it. */
type Step = readonly [name: string | undefined, chosen: string, words: string];

/** What is read under a field, step by step. */
function read(steps: readonly Step[]): readonly string[] {
  let held: Said<string> | undefined;
  return steps.map(([name, chosen, words]) => {
    held = heldStill(held, { of: movingFault(name, [chosen]), words });
    return held.words;
  });
}

test.each<[string, readonly Step[], readonly string[]]>([
  [
    'a bound that the market moves stands as it was said',
    [
      ['post-only-crosses', 'buy 100', '< 99.9'],
      ['post-only-crosses', 'buy 100', '< 99.8'],
      ['post-only-crosses', 'buy 100', '< 99.7'],
    ],
    ['< 99.9', '< 99.9', '< 99.9'],
  ],
  [
    'a trigger that would fire at once has its bound from the market too, by each price its own',
    [
      ['trigger-at-once', 'last 100', '> 101'],
      ['trigger-at-once', 'last 100', '> 101.2'],
      ['trigger-at-once', 'mark 100', '> 100.8'],
    ],
    ['> 101', '> 101', '> 100.8'],
  ],
  [
    'the next digit is held against the market of its moment',
    [
      ['price-band', 'buy 100', 'at most 90'],
      ['price-band', 'buy 1000', 'at most 91'],
    ],
    ['at most 90', 'at most 91'],
  ],
  [
    'the other side has a bound of its own',
    [
      ['price-range', 'buy 100', '50 – 90'],
      ['price-range', 'sell 100', '110 – 150'],
    ],
    ['50 – 90', '110 – 150'],
  ],
  [
    'another leverage allows another size',
    [
      ['tier-exceeded', 'buy 4 20x', 'At 20x 300,000'],
      ['tier-exceeded', 'buy 4 10x', 'At 10x 350,000'],
    ],
    ['At 20x 300,000', 'At 10x 350,000'],
  ],
  [
    'what was over and comes back is said anew',
    [
      ['venue-refused', 'buy 100', '< 99.9'],
      [undefined, 'buy 100', ''],
      ['venue-refused', 'buy 100', '< 99.5'],
    ],
    ['< 99.9', '', '< 99.5'],
  ],
  [
    'what no market moves follows at once: closing orders that were cancelled are not in the way any more',
    [
      ['close-too-large', 'sell 0.6', '0.3 can be closed: 0.2 is in closing orders.'],
      ['close-too-large', 'sell 0.6', '0.5 can be closed.'],
    ],
    ['0.3 can be closed: 0.2 is in closing orders.', '0.5 can be closed.'],
  ],
])('%s', (_, steps, words) => {
  expect(read(steps)).toEqual(words);
});
