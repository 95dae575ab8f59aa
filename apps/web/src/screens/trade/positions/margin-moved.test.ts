import '../../../i18n/trade-words.ts';
import { amount } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CONTRACT, TIERS } from '../../../calculators/contracts/contract.fixture.ts';
import { positionFixture } from '../../../calculators/contracts/position.fixture.ts';
import { positionStats } from '../../../calculators/contracts/position-stats.ts';
import { MarginMoved } from './MarginMoved.tsx';
import type { PositionView } from './use-positions.ts';

/** The figures under the amount of the dialog: of 0.5 BTC at 60,000 with 1,500 behind them, maintenance 120. */
function saidOf(after: string, mark = '60000'): readonly string[] {
  const row = positionFixture({ marginMode: 'isolated', isolatedMargin: '1500', liquidationPrice: '57229' });
  const stats = positionStats(row, CONTRACT, amount(mark));
  const view: PositionView = {
    ...{ key: 'p', row, instrument: CONTRACT, stats, markAgeMillis: 0, funding: undefined },
  } as never;
  const moved = createElement(MarginMoved, { view, after: amount(after), tiers: TIERS });
  const html = renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, moved));
  return [...html.matchAll(/<dd[^>]*>(.*?)<\/dd>/g)].map(([, said]) => said ?? '');
}

test.each([
  ['added', '2000', '60000', ['1,500.00 → ≈ 2,000.00', '57,229.0 → ≈ 56,224.9', '8.00% → ≈ 6.00%']],
  ['taken', '1200', '60000', ['1,500.00 → ≈ 1,200.00', '57,229.0 → ≈ 57,831.4', '8.00% → ≈ 10.00%']],
  [
    'added at a loss',
    '2000',
    '59000',
    ['1,500.00 → ≈ 2,000.00', '57,229.0 → ≈ 56,224.9', '12.00% → ≈ 8.00%'],
  ],
] as const)(
  'margin that is %s is said before and after: what stands behind, the price that liquidates, the ratio',
  (_, after, mark, said) => {
    expect(saidOf(after, mark)).toEqual(said);
  },
);
