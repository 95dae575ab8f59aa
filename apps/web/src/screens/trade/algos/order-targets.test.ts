import '../../../i18n/trade-words.ts';
import type { BootConfig } from '@crossbook/contract';
import { amount, type Platform, SIDE, type SymbolType } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, test } from 'vitest';
import { CONTRACT } from '../../../calculators/contracts/contract.fixture.ts';
import { algoTicketStore } from '../../../stores/algos/algo-ticket.ts';
import { bootStore } from '../../../stores/app/boot.ts';
import { OrderTargets } from './OrderTargets.tsx';

beforeEach(() => {
  bootStore.setState({ status: 'ready', config: { productName: 'Crossbook' } as BootConfig });
  // A page that is rendered to text shows how its stores began.
  const began = algoTicketStore.getInitialState();
  Object.assign(began, { targets: { ...began.targets, on: true } });
});

function said(platform: Platform, symbolType: SymbolType): string {
  const instrument = { ...CONTRACT, platform, symbolType };
  const { tickSize } = instrument;
  const scene = {
    ...{ side: SIDE.BUY, entry: amount('60000'), size: amount('0.5'), leverage: 20, tickSize },
    feeRate: amount('0.0005'),
  };
  const targets = createElement(OrderTargets, {
    ...{ instrument, side: SIDE.BUY, scene, bracket: { error: undefined, fields: {} }, tried: false },
    onEnter: () => undefined,
  });
  return renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, targets));
}

const BY_HUB =
  'Placed by Crossbook: on contracts after each fill, reduce-only; on pairs once the order is over.';

test.each([
  ['contracts at Binance', 1, 'SWAP', BY_HUB],
  [
    'pairs at Binance',
    1,
    'SPOT',
    'Stands at Binance with a limit order, as one list: active once all of it has filled.',
  ],
  [
    'pairs at OKX',
    2,
    'SPOT',
    'Stands at OKX with a buy, which makes one of what was bought once the order is over, whole or not.',
  ],
  ['pairs at Bybit', 3, 'SPOT', BY_HUB],
  [
    'contracts at OKX',
    2,
    'SWAP',
    'Placed by OKX once the order is over, for what it has filled, reduce-only.',
  ],
  ['contracts at Bybit', 3, 'SWAP', 'Placed by Bybit as the order fills, reduce-only.'],
] as const)('who places take-profit and stop-loss of an order is said: %s', (_, platform, symbolType, by) => {
  expect(said(platform, symbolType)).toContain(by);
});

test.each([
  [
    ...['contracts at OKX', 2, 'SWAP'],
    'Not with an order here: a target that rests in the book, a share of the price filled.',
  ],
  ['pairs at Bybit', 3, 'SPOT', 'Not with an order here: take-profit and stop-loss together.'],
  ['contracts at Bybit', 3, 'SWAP', undefined],
  ['pairs at OKX', 2, 'SPOT', undefined],
] as const)(
  'what the exchange takes with an order, and it cannot bring from here, is said: %s',
  (_, platform, symbolType, lacks) => {
    if (lacks === undefined) expect(said(platform, symbolType)).not.toContain('Not with an order');
    else expect(said(platform, symbolType)).toContain(lacks);
  },
);
