import '../../../i18n/trade-words.ts';
import '../../../i18n/later-words.ts';
import { type Instrument, type Platform, SIDE, type SymbolType } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { AlgoEntry, AlgoFacts } from '../../../calculators/algos/algo-entry.ts';
import { CONTRACT } from '../../../calculators/contracts/contract.fixture.ts';
import { algoOffer } from '../../../stores/market/market.ts';
import { AlgoFields } from './AlgoFields.tsx';

const ENTRY: AlgoEntry = {
  ...{ choice: 'stop', market: true, by: 'last', whole: false, trigger: '', takeProfit: '' },
  ...{ callback: '', callbackIn: 'percent', activation: '', visible: '' },
};

/** What the ticket of an order that waits says besides its fields. */
function sentences(platform: Platform, symbolType: SymbolType): readonly string[] {
  const instrument: Instrument = { ...CONTRACT, platform, symbolType };
  const facts: AlgoFacts = {
    ...{ instrument, side: SIDE.BUY, offer: algoOffer(platform, symbolType), prices: {}, limit: '' },
    ...{ timeInForce: 1, waiting: 0, quantity: undefined },
  };
  const fields = createElement(AlgoFields, {
    ...{ entry: ENTRY, facts, errors: [], onLimit: () => undefined, onEnter: () => undefined },
  });
  const html = renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, fields));
  return [...html.matchAll(/<p[^>]*>([^<]*)<\/p>/g)].map(([, said]) => said ?? '');
}

test.each([
  ['contracts at Binance', 1, 'SWAP', 'Binance does not have this here: OCO, Iceberg.'],
  ['contracts at OKX', 2, 'SWAP', undefined],
  ['contracts at Bybit', 3, 'SWAP', 'Bybit does not have this here: OCO, Iceberg.'],
  ['pairs at Binance, where the limit ticket has icebergs', 1, 'SPOT', undefined],
  ['pairs at Bybit', 3, 'SPOT', 'Bybit does not have this here: Trailing stop, OCO.'],
] as const)('what an exchange has not is said in one sentence: %s', (_, platform, symbolType, said) => {
  expect(sentences(platform, symbolType).filter((one) => one.includes('does not have'))).toEqual(
    said === undefined ? [] : [said],
  );
});
