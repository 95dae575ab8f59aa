import { streamSymbolType } from '@crossbook/contract';
import { describe, expect, test } from 'vitest';
import { defaultMarket, FIRST_MARKET, isOfMarket, marketKey, streamName, tradeLink } from './market.ts';

const PAIR = { platform: 1, symbolType: 'SPOT', symbol: 'BTCUSDT' } as const;
const PERPETUAL = { ...PAIR, symbolType: 'SWAP' } as const;

describe('a pair and a perpetual of the same symbol', () => {
  test('have names of their own', () => {
    expect(marketKey(PAIR)).not.toBe(marketKey(PERPETUAL));
    expect(marketKey(PAIR)).not.toBe(marketKey({ ...PAIR, platform: 3 }));
  });

  test('are told apart on the stream', () => {
    expect([streamName(PAIR), streamName(PERPETUAL)]).toEqual([{ s: 'BTCUSDT' }, { s: 'BTCUSDT', m: 2 }]);
    expect([streamSymbolType(streamName(PAIR)), streamSymbolType(streamName(PERPETUAL))]).toEqual([
      'SPOT',
      'SWAP',
    ]);
    expect(isOfMarket(streamName(PERPETUAL), streamName(PERPETUAL))).toBe(true);
    expect(isOfMarket(streamName(PERPETUAL), streamName(PAIR))).toBe(false);
    expect(isOfMarket(streamName(PAIR), undefined)).toBe(false);
  });
});

test.each([
  [1, 'SPOT', '/spot/binance/BTCUSDT'],
  [2, 'SPOT', '/spot/okx/BTC-USDT'],
  [3, 'SPOT', '/spot/bybit/BTCUSDT'],
  [1, 'SWAP', '/futures/binance/BTCUSDT'],
  [2, 'SWAP', '/futures/okx/BTC-USDT-SWAP'],
  [3, 'SWAP', '/futures/bybit/BTCUSDT'],
] as const)('the default market of platform %i, %s, is %s', (platform, symbolType, path) => {
  const { to, params } = tradeLink(defaultMarket(platform, symbolType));
  expect(to.replace('$exchange', params.exchange).replace('$symbol', params.symbol)).toBe(path);
});

test('where neither exchange, kind nor symbol is said it is the perpetual of the first exchange', () => {
  expect(FIRST_MARKET).toEqual({ platform: 1, symbolType: 'SWAP', symbol: 'BTCUSDT' });
});
