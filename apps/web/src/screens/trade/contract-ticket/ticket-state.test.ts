import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import '../../../i18n/trade-words.ts';
import { type ButtonFacts, type DeadReason, deadReason } from '../../../calculators/contracts/dead-reason.ts';
import { TicketState } from './TicketEnd.tsx';

const ALIVE: ButtonFacts = {
  ...{ setting: 'known', closes: false, platformLive: true, trading: true, downSince: undefined },
  serverAway: false,
  ...{ opening: { stopped: 'nothing' }, venue: 'OKX', product: 'Crossbook' },
  ...{ waits: undefined, symbol: 'BTC-USDT-SWAP' },
};
const DOWN = Date.UTC(2026, 10, 22, 12, 4, 11);

/** What stands under the button of a ticket that nothing else is wrong with. */
function shown(reason: DeadReason | undefined, doubt: DeadReason | undefined): string {
  i18n.activate('en');
  const dead = reason && i18n._(reason.id, { ...reason.values });
  const state = createElement(TicketState, {
    ...{ sending: { phase: 'idle' }, dead, doubt, error: undefined, failed: false },
    onRetry: () => undefined,
  });
  const html = renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, state));
  return html.replaceAll(/<[^>]*>/g, '');
}

test.each<[string, Partial<ButtonFacts>, string]>([
  [
    'the exchange is away',
    { downSince: DOWN },
    'OKX has not answered since 12:04:11 UTC. Opening waits; cancel and close are tried.',
  ],
  [
    'our server is away',
    { serverAway: true },
    'Crossbook cannot be reached. Opening waits, and nothing is sent by itself later; cancel and close are tried.',
  ],
  [
    'the books differ',
    { opening: { stopped: 'books-differ', differs: { of: 'USDT', amount: '1.5' } } },
    'Crossbook and OKX differ by 1.5 USDT here. Opening is stopped until they agree; closing works.',
  ],
  [
    'the money gate is closed',
    { opening: { stopped: 'money-halted' } },
    'Money movement is stopped for a check. Cancelling and closing work.',
  ],
  [
    'the account is being prepared',
    { opening: { stopped: 'account-preparing' } },
    'Your account at OKX is being prepared, a few seconds.',
  ],
  [
    'no prices were shown yet',
    { waits: 'figures' },
    'Waiting for the prices of BTC-USDT-SWAP from OKX. Nothing is sent before its figures stand here.',
  ],
  [
    'the market is not fresh',
    { waits: 'fresh' },
    'The market price is older than 5 seconds: opening at market waits for fresh data.',
  ],
  ['the contract is halted', { trading: false }, 'This instrument is not trading at the moment.'],
  ['the platform is closed', { platformLive: false }, 'Trading here is not open now.'],
])(
  'while %s: opening waits and says why; closing goes out with the same words beside it',
  (_, facts, said) => {
    const opening = deadReason({ ...ALIVE, ...facts });
    expect(shown(opening, undefined)).toContain(said);
    const closing = deadReason({ ...ALIVE, ...facts, closes: true });
    expect(closing).toBeUndefined();
    expect(shown(closing, opening)).toContain(said);
  },
);

test('while leverage and modes are being read nothing is sent either way, because they say what closing is', () => {
  const facts = { ...ALIVE, setting: 'loading' } as const;
  for (const closes of [false, true])
    expect(shown(deadReason({ ...facts, closes }), undefined)).toBe('Reading leverage and modes from OKX.');
});
