import '../../../i18n/later-words.ts';
import '../../../i18n/trade-words.ts';
import type { OrderRow } from '@crossbook/contract';
import { ORDER_STATUS } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { contractOrder } from '../../../calculators/contracts/contract.fixture.ts';
import { text } from '../../../i18n/i18n.ts';
import { StatusCell } from './order-columns.tsx';

test.each<[string, Partial<OrderRow>, string]>([
  ['that is open', { status: ORDER_STATUS.OPEN }, 'Open'],
  [
    'that the hub itself ended',
    { status: ORDER_STATUS.REJECT, reason: 'too old to be sent' },
    'Rejected: too old to be sent',
  ],
  [
    'that the exchange refused',
    {
      status: ORDER_STATUS.REJECT,
      reason: 'code -2019',
      refusal: { cause: 'balance-insufficient', venueCode: '-2019' },
    },
    'Rejected: Your Available Balance is insufficient.Details-2019',
  ],
])('the row of an order %s says what became of it, and why', (_name, change, said) => {
  i18n.activate('en');
  const cell = createElement(StatusCell, { row: contractOrder(change), text });
  const html = renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, cell));
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(said);
});
