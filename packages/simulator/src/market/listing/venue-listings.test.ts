import { amountToSteps, formatAmount, PLATFORMS, toNumberForDisplay } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { termsOf } from '../../accounts/state/terms.ts';
import type { ListedMarket } from './listing.ts';
import { perpListing } from './perp-listing.ts';
import { spotListing } from './spot-listing.ts';

const SYMBOLS = {
  binance: { spot: /^[A-Z0-9]+$/, perps: /^[A-Z0-9]+(_\d{6})?$/ },
  okx: { spot: /^[A-Z]+-[A-Z]+$/, perps: /^[A-Z]+-USD[TC]-(SWAP|\d{6})$/ },
  bybit: { spot: /^[A-Z0-9]+$/, perps: /^[A-Z0-9]+(-\d{2}[A-Z]{3}\d{2})?$/ },
};

describe.each(PLATFORMS.map(({ slug }) => slug))('the listing of %s', (slug) => {
  const spot = spotListing(slug);
  const perps = perpListing(slug);

  test('has enough of what clients show, and one of everything that they must leave out', () => {
    const shown = spot.filter(({ quote, status }) => quote === 'USDT' && status === 'TRADING');
    const contracts = perps.filter(
      ({ settle, status, kind }) => settle === 'USDT' && status === 'TRADING' && kind === 'PERPETUAL',
    );
    expect(shown.length).toBeGreaterThanOrEqual(20);
    expect(contracts.length).toBeGreaterThanOrEqual(20);
    expect(spot.length - shown.length).toBe(2);
    expect(perps.length - contracts.length).toBe(3);
    for (const market of spot) expect(market.symbol).toMatch(SYMBOLS[slug].spot);
    for (const contract of perps) expect(contract.symbol).toMatch(SYMBOLS[slug].perps);
  });

  test('has tiers for every contract, the first of which allows the most', () => {
    for (const { tiers, maxLeverage } of perps) expect(tiers[0]?.maxLeverage).toBe(maxLeverage);
  });

  test('pays funding every eight hours, for some contracts every four', () => {
    expect(new Set(perps.map(({ fundingEveryMillis }) => fundingEveryMillis / 3_600_000))).toEqual(
      new Set([8, 4]),
    );
  });

  const all: readonly ListedMarket[] = [...spot, ...perps];
  test.each(all.map((market) => [market.symbol, market] as const))(
    '%s has steps that divide its bounds and quantities that a safe integer counts',
    (_, market) => {
      for (const price of [market.minPrice, market.maxPrice]) {
        expect(amountToSteps(price, market.tickSize), formatAmount(price)).toBeDefined();
      }
      expect(amountToSteps(market.minQty, market.lotSize)).toBeDefined();
      expect(Number(market.maxQty / market.lotSize)).toBeLessThan(Number.MAX_SAFE_INTEGER);
      expect(market.maxMarketQty <= market.maxQty).toBe(true);
      const terms = termsOf(market);
      const ticks = market.startPrice / toNumberForDisplay(market.tickSize);
      expect(ticks).toBeGreaterThan(100);
      // The story roams: twenty times the price of the anchor day still fits.
      expect(ticks * 8).toBeLessThan(terms.ticksMax);
      expect(toNumberForDisplay(terms.quotePerStep)).toBeGreaterThanOrEqual(
        market.quote === 'BTC' ? 1e-12 : 1e-10,
      );
    },
  );
});

test('every market of every venue has a crowd of its own', () => {
  const names = PLATFORMS.flatMap(({ slug }) => [...spotListing(slug), ...perpListing(slug)]).map(
    (market) => market.story?.name ?? market.symbol,
  );
  expect(new Set(names).size).toBe(names.length);
});
