import '../../../i18n/trade-words.ts';
import type { BootConfig } from '@crossbook/contract';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { bootStore } from '../../../stores/app/boot.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { sessionStore } from '../../../stores/member/session.ts';
import { type Opening, openingStore, pairsOf } from '../../../stores/trading/opening.ts';
import { useDeadPair } from './use-dead-pair.ts';

const PAIR = { platform: 2, symbolType: 'SPOT', symbol: 'BTC-USDT' } as ListedInstrument;

function Said({ waits }: { readonly waits: boolean }) {
  return useDeadPair(PAIR, waits) ?? 'can be sent';
}

/** What stands under the button of a pair; a page that is rendered to text shows how its stores began. */
function said(key: string | number, opening: Opening, member = true, waits = false): string {
  bootStore.setState({ status: 'ready', config: { productName: 'Crossbook' } as BootConfig });
  Object.assign(sessionStore.getInitialState(), { token: member ? 'a token' : undefined });
  const known = openingStore.getInitialState();
  Object.assign(known, { [pairsOf(1)]: undefined, [pairsOf(2)]: undefined, 2: undefined, [key]: opening });
  return renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, createElement(Said, { waits })));
}

const differ = (amount: string, of: string): Opening => ({
  stopped: 'books-differ',
  differs: { amount, of },
});

test.each([
  [
    'the gate is closed',
    { stopped: 'money-halted' },
    'Money movement is stopped for a check. Cancelling and closing work.',
  ],
  [
    'books differ',
    differ('0.5', 'BTC'),
    'Crossbook and OKX differ by 0.5 BTC here. New orders wait until they agree; cancelling works.',
  ],
  [
    'nobody says by how much',
    { stopped: 'books-differ' },
    'Crossbook and OKX differ by – here. New orders wait until they agree; cancelling works.',
  ],
  ['nothing stops it', { stopped: 'nothing' }, 'can be sent'],
] as const)('of a pair it is said why no order is sent: %s', (_, opening, sentence) => {
  expect(said(pairsOf(2), opening)).toBe(sentence);
});

test.each([
  ['contracts of the exchange', 2, true],
  ['pairs of another exchange', pairsOf(1), true],
  ['a visitor', pairsOf(2), false],
] as const)('what stops others stops no pair: %s', (_, key, member) => {
  expect(said(key, differ('0.5', 'BTC'), member)).toBe('can be sent');
});

test('before its first prices nothing is sent of a pair, unless there is more to say; a visitor has no button', () => {
  const nothing = { stopped: 'nothing' } as const;
  expect(said(pairsOf(2), nothing, true, true)).toBe(
    'Waiting for the prices of BTC-USDT from OKX. Nothing is sent before its figures stand here.',
  );
  expect(said(pairsOf(2), { stopped: 'money-halted' }, true, true)).toContain('stopped for a check');
  expect(said(pairsOf(2), nothing, false, true)).toBe('can be sent');
});
