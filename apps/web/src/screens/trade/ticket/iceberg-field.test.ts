import '../../../i18n/trade-words.ts';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { IcebergField } from './TicketFields.tsx';

test.each([
  ['Binance', 1, /<input[^>]*type="checkbox"/],
  ['OKX', 2, /^<p[^>]*>Icebergs of OKX are a kind of conditional order\.<\/p>$/],
  ['Bybit', 3, /^<p[^>]*>Icebergs are not available at Bybit\.<\/p>$/],
] as const)(
  'the limit ticket of a pair at %s says where an iceberg is had, and that there is none only where that is so',
  (_, platform, expected) => {
    const props = {
      ticket: { type: 1, timeInForce: 1, visible: '' },
      instrument: { platform, symbolType: 'SPOT', base: 'BTC' },
    };
    const field = createElement(IcebergField, props as never);
    expect(renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, field))).toMatch(expected);
  },
);
