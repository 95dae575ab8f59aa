import '../../../i18n/later-words.ts';
import '../../../i18n/trade-words.ts';
import { amount } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CONTRACT } from '../../../calculators/contracts/contract.fixture.ts';
import { bootStore } from '../../../stores/app/boot.ts';
import { balancesStore } from '../../../stores/wallet/balances.ts';
import { MissingMargin } from './MissingMargin.tsx';

type Held = { readonly spot?: string; readonly funding?: string };

/** Lines and buttons under the ticket, in order. */
function shown(platform: 1 | 2, held: Held, short: string | undefined, most = false): readonly string[] {
  i18n.activate('en');
  const row = (available = '0') => ({ asset: 'USDT', total: available, available, locked: '0' });
  const own = platform === 1 ? { ...row(held.spot), pocket: 'spot' } : row('1');
  // What is written without a page sees a store as it began.
  Object.assign(balancesStore.getInitialState(), {
    wallets: {
      [platform === 1 ? 43 : 41]: { status: 'ready', rows: [own] },
      funding: { status: 'ready', rows: [row(held.funding)] },
    },
  });
  const config = { money: 'paper', platforms: [] };
  Object.assign(bootStore.getInitialState(), { status: 'ready', config });
  bootStore.setState(bootStore.getInitialState(), true);
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const missing = createElement(MissingMargin, {
    instrument: { ...CONTRACT, platform } as never,
    ...{ short: short === undefined ? undefined : amount(short) },
    onMax: most ? () => undefined : undefined,
  });
  const inside = createElement(I18nProvider, { i18n } as never, missing);
  const html = renderToStaticMarkup(createElement(RouterContextProvider, { router } as never, inside));
  return [...html.matchAll(/<(p|button|a)\b[^>]*>(.*?)<\/\1>/g)].map(
    ([, tag, words = '']) => `${tag} ${words.replaceAll(/<[^>]*>/g, '')}`,
  );
}

const TOO_LITTLE = 'p insufficient available balance, please deposit or transfer';

test.each<[string, 1 | 2, Held, string | undefined, boolean, readonly string[]]>([
  [
    'the other pocket has it: up to the cent above',
    ...([1, { spot: '200' }, '115.694', false, [TOO_LITTLE, 'button Transfer 115.70 from spot']] as const),
  ],
  [
    'both have it: the nearer first',
    ...([1, { spot: '200', funding: '200' }, '115.7', false] as const),
    [TOO_LITTLE, 'button Transfer 115.70 from spot', 'button Transfer 115.70 from funding'],
  ],
  [
    'only funding has all of it',
    ...([1, { spot: '115.69', funding: '115.7' }, '115.7', false] as const),
    [TOO_LITTLE, 'button Transfer 115.70 from funding'],
  ],
  [
    'one pocket: funding alone',
    ...([2, { funding: '200' }, '115.7', true] as const),
    [TOO_LITTLE, 'button Transfer 115.70 from funding', 'button Use max'],
  ],
  ['nothing has it: test funds', 1, { spot: '1' }, '115.7', false, [TOO_LITTLE, 'button Get test funds']],
  [
    'there is no account yet',
    1,
    { funding: '5000' },
    undefined,
    false,
    ['button Transfer 1,000.00 from funding'],
  ],
])('missing margin, %s', (_, ...[platform, held, short, most, lines]) => {
  expect(shown(platform, held, short, most)).toEqual([...lines, 'a Transfer']);
});
