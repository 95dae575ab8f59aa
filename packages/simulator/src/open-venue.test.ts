import type { Millis } from '@crossbook/domain';
import { afterEach, describe, expect, test } from 'vitest';
import type { OpenedVenue } from './open-venue.ts';
import { openQuietVenue } from './quiet-venue.fixture.ts';

const START = Date.UTC(2026, 10, 20, 16, 20, 30) as Millis;
const opened: OpenedVenue[] = [];
afterEach(async () => {
  for (const venue of opened.splice(0)) await venue.close();
});

describe.each(['binance', 'okx', 'bybit'] as const)('the venue %s', (slug) => {
  test('has full books around the fair price in both kinds of market, and empty ones where it is suspended', async () => {
    const venue = await openQuietVenue(slug, { clock: () => START });
    opened.push(venue);
    for (const market of ['spot', 'perps'] as const) {
      for (const { symbol, status } of venue[market].markets.values()) {
        const { bids, asks } = venue[market].depth(symbol, 1_000);
        expect(Math.min(bids.length, asks.length) > 50, symbol).toBe(status === 'TRADING');
      }
    }
  });

  test('lists one market each that clients must leave out: another quote, suspended, dated', async () => {
    const venue = await openQuietVenue(slug, { clock: () => START });
    opened.push(venue);
    const spot = [...venue.spot.markets.values()];
    const contracts = [...venue.perps.contracts.values()];
    expect(spot.filter(({ quote }) => quote !== 'USDT').length).toBe(1);
    expect(spot.filter(({ status }) => status === 'BREAK').length).toBe(1);
    expect(contracts.filter(({ settle }) => settle !== 'USDT').length).toBe(1);
    expect(contracts.filter(({ status }) => status === 'BREAK').length).toBe(1);
    expect(contracts.filter(({ kind }) => kind === 'DATED').length).toBe(1);
  });
});
