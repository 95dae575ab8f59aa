import { amount, type Instrument, type Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { createVenueRest } from './venue-rest.ts';

const BASE = 'http://127.0.0.1:1/md/venue';

function instrument(symbol: string, symbolType: 'SPOT' | 'SWAP'): Instrument {
  const one = amount('1');
  return {
    ...{ platform: 1, symbolType, symbol, base: 'BTC', quote: 'USDT', tickSize: one, lotSize: one },
    ...{ minPrice: one, maxPrice: one, minQty: one, maxQty: one, maxMarketQty: one, minNotional: one },
    ...{ contractValue: one, maxLeverage: 1, status: 'trading' },
  };
}

test.each([
  [1, 'SPOT', 'BTCUSDT', '/api/v3/klines?symbol=BTCUSDT&interval=1m'],
  [1, 'SWAP', 'BTCUSDT', '/fapi/v1/klines?symbol=BTCUSDT&interval=1m'],
  [2, 'SPOT', 'BTC-USDT', '/api/v5/market/candles?instId=BTC-USDT&bar=1m'],
  [2, 'SWAP', 'BTC-USDT-SWAP', '/api/v5/market/candles?instId=BTC-USDT-SWAP&bar=1m'],
  [3, 'SPOT', 'BTCUSDT', '/v5/market/kline?category=spot&symbol=BTCUSDT&interval=1'],
  [3, 'SWAP', 'BTCUSDT', '/v5/market/kline?category=linear&symbol=BTCUSDT&interval=1'],
] as const)('platform %i, %s: candles of %s are asked at %s', async (platform, symbolType, symbol, path) => {
  const asked: string[] = [];
  const rest = await createVenueRest(platform, symbolType, {
    restBase: BASE,
    fetchText: async (url) => {
      asked.push(url);
      return { status: 503, text: '' };
    },
    clock: () => 0 as Millis,
    instruments: [instrument(symbol, symbolType)],
  });
  const answer = await rest.candles(instrument(symbol, symbolType), '1m', { limit: 10 });
  expect(answer.ok).toBe(false);
  const [url = ''] = asked;
  expect(url.startsWith(BASE)).toBe(true);
  const [wanted = '', query = ''] = path.split('?');
  const found = new URL(url);
  expect(found.pathname.endsWith(wanted)).toBe(true);
  for (const [field, value] of new URLSearchParams(query)) expect(found.searchParams.get(field)).toBe(value);
});
