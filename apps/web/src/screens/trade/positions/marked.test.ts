import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import '../../../i18n/trade-words.ts';
import { Marked } from './Marked.tsx';

test.each([
  [0, '<span class="text-up">+12.40</span>'],
  [5_000, '<span class="text-up">+12.40</span>'],
  [6_000, '<span class="text-faint opacity-70" title="6 s old">+12.40</span>'],
  [60_000, '<span class="text-faint opacity-70" title="60 s old">+12.40</span>'],
  [61_000, '<span title="+12.40 at the last mark, 61 s ago">–</span>'],
])('a figure at a mark that is %i ms old reads %s', (markAgeMillis, html) => {
  i18n.activate('en');
  const marked = createElement(Marked, { view: { markAgeMillis }, value: '+12.40', tone: 'text-up' });
  expect(renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, marked))).toBe(html);
});
