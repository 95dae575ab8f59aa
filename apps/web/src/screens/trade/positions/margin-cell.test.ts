import '../../../i18n/trade-words.ts';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CONTRACT } from '../../../calculators/contracts/contract.fixture.ts';
import { positionFixture } from '../../../calculators/contracts/position.fixture.ts';
import { positionStats } from '../../../calculators/contracts/position-stats.ts';
import { Margin } from './position-columns.tsx';

/** The cell of a position's margin. */
function cellOf(part: Parameters<typeof positionFixture>[0]): string {
  const row = positionFixture(part);
  const stats = positionStats(row, CONTRACT, undefined);
  const view = { key: 'p', row, instrument: CONTRACT, stats, markAgeMillis: 0, funding: undefined } as never;
  const cell = createElement(Margin, { view, onAct: () => undefined });
  return renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, cell));
}

test.each([1, 2, 3] as const)(
  'margin of a cross position at platform %i is no button, and its tip says why',
  (exchange) => {
    const cell = cellOf({ exchange, marginMode: 'cross', initialMargin: '1500' });
    expect(cell).not.toContain('<button');
    expect(cell).toMatch(
      /title="Cross: the whole balance stands behind it\. Margin is added to isolated positions alone\.; .*">1,500\.00</,
    );
  },
);

test('that of an isolated one opens its dialog, and is named by contract and side', () => {
  const cell = cellOf({ marginMode: 'isolated', isolatedMargin: '1500' });
  expect(cell).toMatch(/<button[^>]*aria-label="Add or take margin BTCUSDT long: 1,500\.00"/);
  expect(cell).not.toContain('Cross');
});
