import '../../../i18n/trade-words.ts';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';

// What the window is like is asked for as soon as the parts are read.
vi.stubGlobal('window', { matchMedia: () => ({ matches: true, addEventListener: () => undefined }) });
const { TicketEntry } = await import('./TicketEntry.tsx');

test.each([
  ['what is wrong with it', { error: 'Between two ticks.', note: 'sends 1 BTC' }, 'Between two ticks.'],
  ['what it comes to', { note: 'sends 1 BTC' }, 'sends 1 BTC'],
  ['nothing, where nothing is said', {}, undefined],
])('a field of a ticket is described by %s', (_name, said, described) => {
  i18n.activate('en');
  const nothing = () => undefined;
  const entry = createElement(TicketEntry, {
    ...{ label: 'Price', name: 'price', value: '1', unit: 'USDT' },
    ...{ onChange: nothing, onStep: nothing, onEnter: nothing, ...said },
  });
  const html = renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, entry));
  const id = /<input[^>]* aria-describedby="([^"]*)"/.exec(html)?.[1];
  const words = [...html.matchAll(/<p id="([^"]*)"[^>]*>([^<]*)</g)].map(([, of, text]) => [of, text]);
  expect(words).toEqual(described === undefined ? [] : [[id, described]]);
  expect(id === undefined).toBe(described === undefined);
});
