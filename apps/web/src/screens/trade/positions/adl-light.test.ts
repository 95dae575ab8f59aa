import '../../../i18n/later-words.ts';
import '../../../i18n/trade-words.ts';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { positionFixture } from '../../../calculators/contracts/position.fixture.ts';
import { text } from '../../../i18n/i18n.ts';
import { positionColumns } from './position-columns.tsx';

const column = positionColumns({ text, instrument: () => undefined } as never).find(({ id }) => id === 'adl');

test.each([
  [0, [0, 0, 5]],
  [1, [0, 1, 4]],
  [3, [0, 3, 2]],
  [4, [4, 0, 1]],
  [5, [5, 0, 0]],
])(
  'a place of %i in the queue of auto-deleveraging lights as many of five bars, in red near its front',
  (rank, bars) => {
    const view = { row: positionFixture({ adlRank: rank }) } as never;
    const html = renderToStaticMarkup(column?.cell(view) as ReactNode);
    const lit = (tone: string) => html.split(`bg-${tone}"`).length - 1;
    expect([lit('danger'), lit('warning'), lit('line-strong')]).toEqual(bars);
    expect(html).toContain(`aria-label="${text('trade.position.adl', { rank })}"`);
    expect(column?.order?.(view)).toBe(rank);
  },
);
