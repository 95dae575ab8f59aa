import '../../../i18n/trade-words.ts';
import { amount, formatAmount } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement, Fragment } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CONTRACT } from '../../../calculators/contracts/contract.fixture.ts';
import { positionFixture } from '../../../calculators/contracts/position.fixture.ts';
import { positionStats } from '../../../calculators/contracts/position-stats.ts';
import { setClock } from '../../../stores/app/clock.ts';
import { type PositionTools, positionColumns } from './position-columns.tsx';

const AT = Date.UTC(2026, 10, 22, 12, 0, 0);
const TOOLS: PositionTools = {
  ...{ text: (id) => i18n._(id), ratioOf: () => undefined, roomy: true },
  ...{ actions: () => null, margin: () => null, targets: () => null },
};

/** The cell of the next funding, its tip, and what the column is sorted by. */
function funding(quantity: string, rate: string | undefined) {
  i18n.activate('en');
  setClock({ now: () => AT, randomBytes: () => new Uint8Array(10) });
  const row = positionFixture({ quantity });
  const view = {
    ...{ key: 'p', row, instrument: CONTRACT, stats: positionStats(row, CONTRACT, amount('60000')) },
    ...{ markAgeMillis: 0, funding: rate === undefined ? undefined : { rate, at: AT + 10_747_000 } },
  } as never;
  const column = positionColumns(TOOLS).find(({ id }) => id === 'funding');
  const cell = createElement(Fragment, {}, column?.cell(view));
  const html = renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, cell));
  return {
    said: html.replaceAll(/<br\/?>/g, ' ').replaceAll(/<[^>]*>/g, ''),
    tone: /text-(up|down)/.exec(html)?.[1],
    tip: /title="([^"]*%)"/.exec(html)?.[1],
    order: formatAmount(column?.order?.(view) as never),
  };
}

type Maybe = string | undefined;

test.each<[string, string, Maybe, string, Maybe, Maybe, string]>([
  ['a long pays where the rate is above 0', '0.5', '0.0001', '≈ −3.00 02:59', 'down', '+0.0100%', '-3'],
  ['a short receives it', '-0.5', '0.0001', '≈ +3.00 02:59', 'up', '+0.0100%', '3'],
  ['a long receives where it is below 0', '0.5', '-0.0002', '≈ +6.00 02:59', 'up', '−0.0200%', '6'],
  ['a short pays it', '-0.5', '-0.0002', '≈ −6.00 02:59', 'down', '−0.0200%', '-6'],
  ['nobody pays where it is 0', '0.5', '0', '≈ 0.00 02:59', undefined, '0.0000%', '0'],
  ['nothing is made up where it is not known', '0.5', undefined, '–', undefined, undefined, '0'],
  ['nor where the exchange states none yet', '0.5', '', '–', undefined, undefined, '0'],
])('next funding: %s', (_, ...[quantity, rate, said, tone, tip, order]) => {
  expect(funding(quantity, rate)).toEqual({ said, tone, tip, order });
});
