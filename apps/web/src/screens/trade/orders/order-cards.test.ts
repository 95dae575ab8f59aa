import '../../../i18n/later-words.ts';
import '../../../i18n/trade-words.ts';
import type { AlgoRow, OrderRow } from '@crossbook/contract';
import { amount, ORDER_STATUS } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { CONTRACT, contractOrder } from '../../../calculators/contracts/contract.fixture.ts';
import { text } from '../../../i18n/i18n.ts';
import { setClock } from '../../../stores/app/clock.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { algoCard } from './algo-columns.tsx';
import { openOrderCard } from './order-cards.tsx';
import { openOrderColumns } from './order-columns.tsx';

vi.hoisted(() => vi.stubEnv('TZ', 'UTC'));
setClock({ now: () => Date.UTC(2026, 10, 28), randomBytes: () => new Uint8Array(10) });

const CREATED = Date.UTC(2026, 10, 22, 3, 24, 26);
const BTC: ListedInstrument = {
  ...CONTRACT,
  ...{ makerFee: amount('0.0002'), takerFee: amount('0.0005'), family: 'BTCUSDT' },
};
const TOOLS = { text, instrument: () => BTC };
const CANCEL = { asked: new Set<string>(), onCancel: () => undefined };

/** What is drawn: its words, each once between bars, and its buttons by name. */
function drawn(part: ReactNode) {
  i18n.activate('en');
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const within = createElement(I18nProvider, { i18n } as never, part);
  const html = renderToStaticMarkup(createElement(RouterContextProvider, { router } as never, within));
  return {
    words: html
      .replaceAll(/<[^>]*>/g, '|')
      .replaceAll(/[|\s]*\|[|\s]*/g, '|')
      .slice(1, -1),
    buttons: [...html.matchAll(/<button[^>]*aria-label="([^"]*)"/g)].map(([, name]) => name),
  };
}

const resting = (change: Partial<OrderRow> = {}): OrderRow =>
  contractOrder({ createdAt: CREATED, cumQuantity: '0.025', ...change });

test.each<[string, Partial<OrderRow>, string]>([
  [
    'that rests',
    {},
    'Limit|11-22 03:24:26|Cancel|Price|59,000.0|Filled / quantity|0.025 / 0.100|Status|Open',
  ],
  [
    'whose outcome is not known',
    { status: ORDER_STATUS.UNKNOWN, reduceOnly: true },
    'Limit · RO|11-22 03:24:26|Cancel|Price|59,000.0|Filled / quantity|0.025 / 0.100|Status|Being checked',
  ],
])('on a phone an order %s is a card: what it is and since when, then how far it is', (_, change, rest) => {
  const { words } = drawn(openOrderCard(TOOLS, CANCEL)(resting(change)));
  expect(words).toBe(`BTCUSDT|Binance|Buy|${rest}`);
});

test('its price is changed and it is cancelled by buttons that name it', () => {
  const { buttons } = drawn(openOrderCard(TOOLS, CANCEL)(resting()));
  expect(buttons).toEqual(['Cancel BTCUSDT 0.100', 'Edit price BTCUSDT: 59,000.0']);
});

test.each<[string, Partial<OrderRow>, string]>([
  ['that rests', {}, '–'],
  ['that only closes and only makes', { reduceOnly: true, timeInForce: 4 }, 'RO PO'],
  ['that is filled in part', { status: ORDER_STATUS.PARTIALLY_FILLED }, '–'],
  ['that the exchange has not confirmed', { status: ORDER_STATUS.NEW }, 'New'],
  ['whose outcome is not known', { status: ORDER_STATUS.UNKNOWN, reduceOnly: true }, 'RO|Being checked'],
])('beside the flags of an order %s stands what is not known to rest', (_, change, said) => {
  const flags = openOrderColumns(TOOLS, CANCEL, () => undefined).find(({ id }) => id === 'flags');
  expect(drawn(createElement('p', {}, flags?.cell(resting(change)))).words).toBe(said);
});

test('an order that waits is a card with when it fires, what it sends, how far that is and where it stands', () => {
  const row = {
    ...{ algoId: 'a1', exchange: 1, symbolType: 'SWAP', symbol: 'BTCUSDT', side: 2, effect: 0 },
    ...{ reduceOnly: true, algoType: 'stop', takeProfit: null, trailing: null, iceberg: null },
    stopLoss: { triggerPrice: '58000', triggerBy: 'last', price: null },
    ...{ executed: null, quantity: null, state: 'waiting', unknown: false, cancelPending: false },
    ...{ reason: null, refusal: null, children: [], placed: true, parentOrderId: null, createdAt: CREATED },
  } as unknown as AlgoRow;
  const tools = { ...TOOLS, onCancel: () => undefined, away: () => false, prices: () => ({ last: '60000' }) };
  const { words, buttons } = drawn(algoCard(tools)(row));
  expect(words).toBe(
    'BTCUSDT|Binance|Sell|Stop · RO|11-22 03:24:26|Cancel|Trigger|last ≤ 58,000.0|Price|Market|Size|Whole|Distance|−3.33%|waiting',
  );
  expect(buttons).toEqual(['Cancel BTCUSDT Stop', 'Edit stop-loss 58,000.0 BTCUSDT']);
});
