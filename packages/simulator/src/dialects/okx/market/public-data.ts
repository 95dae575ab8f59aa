import { toNumberForDisplay } from '@crossbook/domain';
import type { Desk } from '../desk.ts';
import { type Endpoint, publicEndpoint, rows, rowsUnlessRefused } from '../endpoint.ts';
import { factsOf, type Listed } from '../listing.ts';
import { STATUS_WINDOW_MILLIS } from '../rate-limits.ts';
import { listedOf } from './instruments.ts';

/** OKX's bounds of orders of contracts: about 2 % around the mark price. */
const PRICE_BAND = 0.02;

/** The highest price to buy at and the lowest to sell at: the band that the core enforces for spot. */
export function priceLimitRow(desk: Desk, listed: Listed): object {
  const facts = factsOf(listed);
  const contract = listed.contract !== undefined;
  const middle = contract
    ? desk.venue.perps.stats(listed.instId).mark
    : listed.markets.averagePrice(listed.instId);
  const up = contract ? 1 + PRICE_BAND : toNumberForDisplay(facts.bidMultiplierUp);
  const down = contract ? 1 - PRICE_BAND : toNumberForDisplay(facts.askMultiplierDown);
  const tick = toNumberForDisplay(facts.tickSize);
  const onTick = (price: number) => listed.format.displayPrice(Math.floor(price / tick) * tick);
  return {
    instType: listed.instType,
    instId: listed.instId,
    buyLmt: onTick(middle * up),
    sellLmt: onTick(middle * down),
    ts: String(desk.now()),
    enabled: true,
  };
}

/** Time, state and the bounds of prices. */
export const PUBLIC_DATA_ENDPOINTS: readonly Endpoint[] = [
  publicEndpoint('time GET /api/v5/public/time', 10, ({ desk }) => rows([{ ts: String(desk.now()) }])),
  {
    ...publicEndpoint('status GET /api/v5/system/status', 1, () => rows([])),
    windowMillis: STATUS_WINDOW_MILLIS,
  },
  publicEndpoint('priceLimit GET /api/v5/public/price-limit', 20, ({ desk, reader }) => {
    const listed = listedOf(desk, reader);
    return rowsUnlessRefused(reader, () => (listed === undefined ? [] : [priceLimitRow(desk, listed)]));
  }),
];
