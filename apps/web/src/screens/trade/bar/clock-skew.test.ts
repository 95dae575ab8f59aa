import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import '../../../i18n/trade-words.ts';
import { skewText } from '../../../calculators/contracts/funding.ts';
import { ClockSkew } from './ClockSkew.tsx';

test.each([
  [2_140, '>+2.1 s<', 'Your clock is 2.1 s fast: the countdown is off by as much.'],
  [-61_000, '>−61.0 s<', 'Your clock is 61.0 s slow: the countdown is off by as much.'],
])('beside the countdown a clock that is %i ms ahead reads %s', (ahead, shown, said) => {
  i18n.activate('en');
  const skew = createElement(ClockSkew, { skew: skewText(ahead) ?? '' });
  const html = renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, skew));
  expect(html).toContain(shown);
  expect(html).toContain(`title="${said}"`);
});
