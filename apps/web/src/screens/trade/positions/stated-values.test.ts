import { amount } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CONTRACT } from '../../../calculators/contracts/contract.fixture.ts';
import { positionFixture } from '../../../calculators/contracts/position.fixture.ts';
import { positionStats } from '../../../calculators/contracts/position-stats.ts';
import { text } from '../../../i18n/i18n.ts';
import '../../../i18n/trade-words.ts';
import { setClock } from '../../../stores/app/clock.ts';
import { Liquidation, marginText, positionLabel } from './position-columns.tsx';

const AT = new Date(2026, 10, 22, 12, 4, 11).getTime();

test.each([
  ['60000', '4.62%'],
  ['65000', '11.96%'],
])(
  'at a mark of %s the distance follows it, %s; the price that liquidates is the exchange’s and says since when',
  (mark, distance) => {
    i18n.activate('en');
    setClock({ now: () => AT + 90_000, randomBytes: () => new Uint8Array(10) });
    const row = positionFixture({ updatedAt: AT, quantity: '0.5' });
    const stats = positionStats(row, CONTRACT, amount(mark));
    const view = {
      key: 'p',
      row,
      instrument: CONTRACT,
      stats,
      markAgeMillis: 0,
      funding: undefined,
    } as never;
    const cell = createElement(I18nProvider, { i18n } as never, createElement(Liquidation, { view }));
    const html = renderToStaticMarkup(cell);
    expect(html).toContain('<span title="as of 11-22 12:04:11">57,229.0</span>');
    expect(html).toContain(distance);
    // What stands behind it does not move with the mark either.
    expect(marginText(view)).toBe('1,500.00');
  },
);

test.each<[string, Parameters<typeof positionFixture>[0], string, string, string]>([
  ['a loss', { quantity: '0.05' }, '59752', 'long 0.050, loss 12.40 USDT, 8.3 percent', ', 4.2 percent away'],
  [
    'a profit',
    { quantity: '-0.05' },
    '59752',
    'short 0.050, profit 12.40 USDT, 8.3 percent',
    ', 4.2 percent away',
  ],
  [
    'none in range',
    { quantity: '0.05', liquidationPrice: null },
    '60000',
    'long 0.050, profit 0.00 USDT, 0.0 percent',
    '',
  ],
])('a position is spoken with all that its row shows: %s', (_, ...[change, mark, middle, away]) => {
  i18n.activate('en');
  const row = positionFixture(change);
  const stats = positionStats(row, CONTRACT, amount(mark));
  const end = away === '' ? 'no liquidation price' : `liquidation 57,229.0${away}`;
  expect(positionLabel(text, { row, stats, instrument: CONTRACT } as never)).toBe(
    `BTCUSDT perpetual Binance ${middle}, ${end}`,
  );
});
