import type { Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { createBinanceFuturesRest } from './binance/perps/binance-futures-public.ts';
import { createBinanceRest } from './binance/spot/binance-public.ts';
import { createBybitRest } from './bybit/market/bybit-public.ts';
import { createOkxRest } from './okx/market/okx-public.ts';
import type { PublicRestOptions, VenuePublicRest } from './venue-public.ts';

// What reads a venue by REST alone is never made to name a socket's address: an empty one would be a lie.
const doors: [string, (options: PublicRestOptions) => VenuePublicRest, string, object][] = [
  ['Binance spot', createBinanceRest, '/api/v3/time', { serverTime: 5 }],
  ['Binance futures', createBinanceFuturesRest, '/fapi/v1/time', { serverTime: 5 }],
  ['OKX', createOkxRest, '/api/v5/public/time', { code: '0', msg: '', data: [{ ts: '5' }] }],
  [
    'Bybit',
    (options) => createBybitRest({ ...options, category: 'linear' }),
    '/v5/market/time',
    { retCode: 0, retMsg: 'OK', result: { timeSecond: '0', timeNano: '5000000' }, time: 5 },
  ],
];
test.each(doors)('%s answers by REST with no socket named', async (_name, create, path, body) => {
  const asked: string[] = [];
  const fetchText = async (url: string) => {
    asked.push(url);
    return { status: 200, text: JSON.stringify(body) };
  };
  const rest = create({ restBase: 'https://venue', fetchText, clock: () => 0 as Millis });
  expect(await rest.serverTime()).toEqual({ ok: true, value: 5 });
  expect(asked).toEqual([`https://venue${path}`]);
});
