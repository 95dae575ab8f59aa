import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../storage/testing.ts';
import { startTestHub, type TestHub } from './testing.ts';

const pair = (symbol: string) => ({
  ...{ symbol, status: 'TRADING', baseAsset: symbol.slice(0, 3), quoteAsset: 'USDT' },
  ...{ baseAssetPrecision: 8, quoteAssetPrecision: 8, isSpotTradingAllowed: true, permissions: ['SPOT'] },
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' },
    { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000', stepSize: '0.00001' },
    { filterType: 'MARKET_LOT_SIZE', minQty: '0', maxQty: '100', stepSize: '0' },
    { filterType: 'NOTIONAL', minNotional: '5', maxNotional: '9000000' },
  ],
});

test('a market that its exchange has taken off the list is halted to who asks for orders there, also after a start; while the exchange is away its list stays', async () => {
  let listed = ['BTCUSDT', 'OLDUSDT'];
  let away = false;
  const venue = createServer((request, response) => {
    const known = !away && request.url?.startsWith('/api/v3/exchangeInfo') === true;
    response.writeHead(known ? 200 : 503, { 'content-type': 'application/json' });
    const facts = { timezone: 'UTC', serverTime: 1, rateLimits: [], symbols: listed.map(pair) };
    response.end(known ? JSON.stringify(facts) : '');
  });
  await new Promise<void>((resolve) => venue.listen(0, '127.0.0.1', resolve));
  const address = venue.address();
  const venueBase = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const database = await openTestDatabase();
  let members = 0;
  const order = {
    platformType: 43,
    tinstType: 1,
    side: 1,
    orderType: 1,
    price: '10',
    quantity: '1',
  } as const;
  const started = async (): Promise<TestHub> => {
    const hub = await startTestHub({ venueBase, database });
    await hub.hub.start();
    return hub;
  };
  /** What an order there is answered, and which pairs are listed. */
  const answered = async (hub: TestHub, symbol: string) => {
    members += 1;
    const member = await hub.member(`trader${members}@example.org`);
    const placed = await member.call('connextrade/PlaceOrder', { ...order, symbol });
    const { data } = await member.call('connexbasicdata/QuerySymInfo', { platformType: 43, tstate: 0 });
    return { code: placed.code, listed: data?.map(({ tinstId }) => tinstId) };
  };
  try {
    const first = await started();
    await expect
      .poll(async () => (await database.owner.query('select from known_instruments')).length)
      .toBe(2);
    expect(await answered(first, 'OLDUSDT')).toEqual({ code: 3010, listed });
    await first.hub.stop();
    // Nobody knows what is listed now: what was is no lie, and prices are missing, not trading.
    away = true;
    const without = await started();
    for (const symbol of listed) expect(await answered(without, symbol)).toEqual({ code: 3010, listed });
    expect(await answered(without, 'NEWUSDT')).toEqual({ code: 3002, listed });
    await without.hub.stop();
    listed = ['BTCUSDT'];
    away = false;
    const next = await started();
    // Halted, not unknown: what rests there is looked up and cancelled by the same way.
    expect(await answered(next, 'OLDUSDT')).toEqual({ code: 3003, listed });
    expect(await answered(next, 'NEWUSDT')).toEqual({ code: 3002, listed });
    await next.hub.stop();
  } finally {
    await database.close();
    await new Promise((resolve) => venue.close(resolve));
  }
});
