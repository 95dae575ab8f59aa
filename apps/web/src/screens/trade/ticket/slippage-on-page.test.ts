import '../../../i18n/later-words.ts';
import '../../../i18n/trade-words.ts';
import { amount, ORDER_TYPE, SIDE } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement, type ReactElement } from 'react';
import { expect, test, vi } from 'vitest';
import { CONTRACT } from '../../../calculators/contracts/contract.fixture.ts';
import { bootStore } from '../../../stores/app/boot.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { liveStore } from '../../../stores/market/live.ts';
import { sessionStore } from '../../../stores/member/session.ts';
import { createTicketStore } from '../../../stores/trading/ticket/ticket.ts';
import { balancesStore } from '../../../stores/wallet/balances.ts';
import { drawnBy } from '../../../ui/drawn.fixture.ts';
import { createLiveMarket } from '../live/live-market.ts';

// What the window is like is asked for as soon as the parts are read.
vi.hoisted(() => {
  const document = { createElement: () => ({}), body: { append: () => undefined } };
  const matchMedia = () => ({ matches: true, addEventListener: () => undefined });
  Object.assign(globalThis, { document, window: { matchMedia } });
});
const { OrderTicket } = await import('./OrderTicket.tsx');
const { ConfirmOrder } = await import('../entry/ConfirmOrder.tsx');
const { PairSend } = await import('./PairSend.tsx');

const BTC = {
  ...{ ...CONTRACT, symbolType: 'SPOT', makerFee: amount('0.001'), takerFee: amount('0.001') },
} as ListedInstrument;

/** What is not drawn by effects is as the stores began. */
function begin(): void {
  i18n.activate('en');
  Object.assign(sessionStore.getInitialState(), { token: 't' });
  const row = (asset: string) => ({ asset, total: '9000000', available: '9000000', locked: '0' });
  const wallets = { 43: { status: 'ready', rows: [row('USDT'), row('BTC')] } };
  Object.assign(balancesStore.getInitialState(), { wallets });
  const platforms = [{ platform: 1, state: 'live', symbolTypes: ['SPOT'] }];
  Object.assign(bootStore.getInitialState(), { status: 'ready', config: { money: 'paper', platforms } });
  sessionStore.setState(sessionStore.getInitialState(), true);
  balancesStore.setState(balancesStore.getInitialState(), true);
  bootStore.setState(bootStore.getInitialState(), true);
  const venue = { state: 'live', checkedSeconds: 0, millis: 0, receivedAt: performance.now() };
  liveStore.setState({ 1: { phase: 'open', venues: { SPOT: venue } } } as never);
}

/** A market order of coins on a book that has one at 60,000 and any number at 63,000; or their mirror below it. */
function pressed(side: 1 | 2, quantity: string) {
  begin();
  const market = createLiveMarket();
  market.book.follow({ s: 'BTCUSDT' });
  const book = { b: [599_990, 1_000, 569_990, 99_000], a: [600_000, 1_000, 630_000, 99_000] };
  market.book.fold({ ch: 'book', s: 'BTCUSDT', k: 's', q: 1, t: 1, ...book }, performance.now());
  const store = createTicketStore({ orderKind: 2, timeInForce: 1, spotUnit: 'base' });
  Object.assign(store.getInitialState(), { market: '1:SPOT:BTCUSDT', pair: 'BTC/USDT', priced: true });
  Object.assign(store.getInitialState().ticket, { type: ORDER_TYPE.MARKET, side, quantity });
  const within = (child: ReactElement) => createElement(I18nProvider, { i18n } as never, child);
  const ticket = { store, market, instrument: BTC, firstVisit: false };
  const { html, drawn } = drawnBy(OrderTicket, ticket, {
    within,
    press: (all) => {
      const [send] = all.filter(({ type }) => type === PairSend).map(({ props }) => props.onSend);
      (send as () => void)();
    },
  });
  const said = /A market order of this size fills ([\d.]+) % from the best price/.exec(html)?.[1];
  return { said, asks: drawn.some(({ type }) => type === ConfirmOrder) };
}

// The first coin at the best price, what is beyond it 5 % away: of 1.25 coins a fifth, of two a half.
test.each([
  ['a buy within the best level', SIDE.BUY, '1', { said: undefined, asks: false }],
  ['a buy that takes a little beyond it', SIDE.BUY, '1.25', { said: '1.00', asks: false }],
  ['a buy that takes as much again', SIDE.BUY, '2', { said: '2.50', asks: true }],
  ['a sale that takes as much again', SIDE.SELL, '2', { said: '2.50', asks: true }],
] as const)('on the ticket of a pair, confirmations off: %s', (_, side, quantity, expected) => {
  expect(pressed(side, quantity)).toEqual(expected);
});
