import { expect, test } from 'vitest';
import { alikeSymbol } from './alike-symbols.ts';

const ROWS = [
  { symbol: 'BTC-USDT-SWAP', base: 'BTC' },
  { symbol: 'ETH-USDT-SWAP', base: 'ETH' },
];

test.each([
  ['BTCUSDT', 'BTC-USDT-SWAP'],
  ['btc-usdt', 'BTC-USDT-SWAP'],
  ['eth', 'ETH-USDT-SWAP'],
  ['BTC_USDT_SWAP', 'BTC-USDT-SWAP'],
  ['NOPE', undefined],
  ['', undefined],
])('%j means %s', (typed, meant) => {
  expect(alikeSymbol(ROWS, typed)?.symbol).toBe(meant);
});
