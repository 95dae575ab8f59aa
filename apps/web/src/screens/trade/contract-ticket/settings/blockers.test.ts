import '../../../../i18n/trade-words.ts';
import type { AlgoRow } from '@crossbook/contract';
import { amount } from '@crossbook/domain';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CONTRACT, contractOrder } from '../../../../calculators/contracts/contract.fixture.ts';
import { positionFixture } from '../../../../calculators/contracts/position.fixture.ts';
import { instrumentsStore } from '../../../../stores/market/instruments.ts';
import { Blockers } from './Blockers.tsx';

const OKX = { exchange: 2, symbol: 'BTC-USDT-SWAP' } as const;
const FEES = { makerFee: amount('0.0002'), takerFee: amount('0.0005'), family: 'BTC-USDT' };

function shown(orders: number, positions: number, algos: readonly Partial<AlgoRow>[] = []): string {
  const listed = {
    ...{ ...CONTRACT, ...FEES, platform: 2, symbol: OKX.symbol, contractValue: amount('0.01') },
    ...{ lotSize: amount('1'), minQty: amount('1') },
  };
  // What is written without a page sees a store as it began.
  Object.assign(instrumentsStore.getInitialState(), {
    byPlatform: { 2: { status: 'ready', rows: [listed] } },
  });
  const rows = {
    orders: Array.from({ length: orders }, (_, index) =>
      contractOrder({ ...OKX, orderId: `o${index}`, quantity: '5' }),
    ),
    algos: algos.map((row, index) => ({
      ...{ ...OKX, symbolType: 'SWAP', algoId: `a${index}`, side: 2, effect: 0, algoType: 'stop' },
      ...row,
    })) as AlgoRow[],
    positions: Array.from({ length: positions }, () => positionFixture({ ...OKX, quantity: '-20' })),
  };
  const list = createElement(Blockers, rows);
  return renderToStaticMarkup(createElement(I18nProvider, { i18n } as never, list));
}

test('what prevents another mode is counted, and each row ends by a button that names it, its size in coins', () => {
  const html = shown(2, 1);
  expect(html).toContain('2 orders and 1 position prevent it.');
  expect([...html.matchAll(/aria-label="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    ...['Cancel BTC-USDT-SWAP 0.05', 'Cancel BTC-USDT-SWAP 0.05', 'Close at market BTC-USDT-SWAP 0.20'],
  ]);
});

test('an order that waits for a price prevents it like one of the book, and is named by its kind', () => {
  const html = shown(1, 0, [{ quantity: '5' }, { quantity: null, algoType: 'oco' }]);
  expect(html).toContain('3 orders prevent it.');
  expect([...html.matchAll(/aria-label="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    'Cancel BTC-USDT-SWAP 0.05',
    ...['Cancel BTC-USDT-SWAP 0.05 · Stop', 'Cancel BTC-USDT-SWAP Whole · OCO'],
  ]);
});

test('of many five are listed, and all of them counted', () => {
  const html = shown(7, 0);
  expect(html).toContain('7 orders prevent it.');
  expect(html.match(/<li/g)).toHaveLength(5);
});

test('one is said as one; where nothing does, nothing is said', () => {
  expect(shown(0, 1)).toContain('>1 position prevents it.');
  expect(shown(0, 0)).toBe('');
});
