import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AwayState } from './AwayState.tsx';

test.each([
  ['at-venue', 'at the exchange, still working'],
  ['at-hub', 'waits for OKX'],
] as const)('while OKX is away, what is %s reads %s', (stands, words) => {
  i18n.activate('en');
  const state = createElement(AwayState, { row: { exchange: 2 } as never, stands });
  expect(renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, state))).toContain(`>${words}<`);
});
