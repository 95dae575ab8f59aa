import '../../../i18n/later-words.ts';
import '../../../i18n/trade-words.ts';
import type { BootConfig } from '@crossbook/contract';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CONTRACT } from '../../../calculators/contracts/contract.fixture.ts';
import { bootStore } from '../../../stores/app/boot.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { type LiveStatus, liveStore } from '../../../stores/market/live.ts';
import { sessionStore } from '../../../stores/member/session.ts';
import { type Opening, openingStore, pairsOf } from '../../../stores/trading/opening.ts';
import { Doubt } from './Doubt.tsx';

const HERE = { ...CONTRACT, makerFee: 0n, takerFee: 0n } as unknown as ListedInstrument;
const PAIR = { ...HERE, symbolType: 'SPOT' } as ListedInstrument;
const CLOSED: Opening = { stopped: 'money-halted' };

interface World {
  readonly opening?: Opening;
  readonly live?: Partial<LiveStatus>;
  readonly old?: boolean;
}

/** What stands beside what closes, cancels or protects; what is written without a page sees stores as they began. */
function beside(
  instrument: ListedInstrument,
  { opening = { stopped: 'nothing' }, live, old = false }: World,
): string {
  i18n.activate('en');
  const platforms = [{ platform: 1, state: 'live' }];
  Object.assign(bootStore.getInitialState(), {
    status: 'ready',
    config: { productName: 'Crossbook', platforms } as unknown as BootConfig,
  });
  bootStore.setState(bootStore.getInitialState(), true);
  Object.assign(sessionStore.getInitialState(), { token: 'a token' });
  const { symbolType } = instrument;
  Object.assign(openingStore.getInitialState(), { 1: undefined, [pairsOf(1)]: undefined });
  Object.assign(openingStore.getInitialState(), { [symbolType === 'SPOT' ? pairsOf(1) : 1]: opening });
  Object.assign(liveStore.getInitialState(), { 1: live && { venues: {}, ...live } });
  const part = createElement(Doubt, { instrument, old });
  const html = renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, part));
  return html.replaceAll(/<[^>]*>/g, '');
}

const down = (symbolType: 'SPOT' | 'SWAP') =>
  ({
    venues: { [symbolType]: { state: 'down', millis: Date.UTC(2026, 10, 22, 12, 4, 11) } },
  }) as unknown as Partial<LiveStatus>;

test.each<[string, World, World, string]>([
  ['nothing is in doubt', {}, {}, ''],
  [
    'the exchange is away',
    { live: down('SWAP') },
    { live: down('SPOT') },
    'Binance has not answered since 12:04:11 UTC. Opening waits; cancel and close are tried.',
  ],
  [
    'our server is away',
    { live: { phase: 'failed' } },
    { live: { phase: 'failed' } },
    'Crossbook cannot be reached. Opening waits, and nothing is sent by itself later; cancel and close are tried.',
  ],
  [
    'the money gate is closed',
    { opening: CLOSED },
    { opening: CLOSED },
    'Money movement is stopped for a check. Cancelling and closing work.',
  ],
])('what closes or cancels is sent all the same, with a word beside it: %s', (_, contract, pair, words) => {
  expect([beside(HERE, contract), beside(PAIR, pair)]).toEqual([words, words]);
});

test('a close at market says that prices are old', () => {
  expect(beside(HERE, { old: true })).toMatch(/^The market price is older than 5 seconds/);
});
