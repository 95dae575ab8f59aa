import type { VenueArbiter } from '../arbiter/venue-arbiter.ts';
import { createBinanceTrading } from '../binance/trading/binance-trading.ts';
import { createBybitTrading } from '../bybit/trading/bybit-trading.ts';
import { createOkxTrading } from '../okx/trading/okx-trading.ts';
import { scriptedVenue } from '../trading/scripted-transport.fixture.ts';
import type { HttpRequest } from '../transport.ts';

/** The trading half of a venue, of pairs and contracts, over a transport whose answers a test gives. */
export function openVenue(create: 'binance' | 'okx' | 'bybit', arbiter?: VenueArbiter) {
  const { options, http } = scriptedVenue();
  const all = { ...options, ...(arbiter === undefined ? {} : { arbiter }) };
  const futures = { restBase: 'http://venue', socketBase: 'ws://venue' };
  const trading =
    create === 'binance'
      ? createBinanceTrading({ ...all, wsApiUrl: 'ws://venue/ws-api/v3', futures })
      : create === 'okx'
        ? createOkxTrading({ ...all, privateSocketUrl: 'ws://venue/ws/v5/private', contracts: true })
        : createBybitTrading({ ...all, socketBase: 'ws://venue/', contracts: true });
  /** What was asked, besides what instruments are called. */
  const asked = (): readonly HttpRequest[] => http.requests.filter(({ url }) => !url.includes('/public/'));
  return { trading, http, asked };
}
