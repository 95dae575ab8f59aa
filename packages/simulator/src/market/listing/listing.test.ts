import { amount, amountToSteps, formatAmount, mulDown, toNumberForDisplay } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { LISTING } from './listing.ts';

describe('listing', () => {
  test('has at least 20 trading pairs against USDT, another quote, and a suspended market', () => {
    const trading = LISTING.filter((market) => market.status === 'TRADING');
    expect(trading.filter((market) => market.quote === 'USDT').length).toBeGreaterThanOrEqual(20);
    expect(trading.some((market) => market.quote !== 'USDT')).toBe(true);
    expect(LISTING.some((market) => market.status === 'BREAK')).toBe(true);
    expect(new Set(LISTING.map((market) => market.symbol)).size).toBe(LISTING.length);
  });

  test.each(LISTING.map((market) => [market.symbol, market] as const))(
    '%s has steps that divide its bounds',
    (_, market) => {
      for (const price of [market.minPrice, market.maxPrice]) {
        expect(amountToSteps(price, market.tickSize), formatAmount(price)).toBeDefined();
      }
      for (const quantity of [market.minQty, market.maxQty]) {
        expect(amountToSteps(quantity, market.lotSize), formatAmount(quantity)).toBeDefined();
      }
      expect(Number(market.maxPrice / market.tickSize)).toBeLessThan(2 ** 31);
      expect(market.maxMarketQty <= market.maxQty).toBe(true);
      expect(market.symbol).toBe(market.base + market.quote);
    },
  );

  test.each(LISTING.map((market) => [market.symbol, market] as const))(
    '%s can be traded at its start price by a small order',
    (_, market) => {
      const ticks = market.startPrice / toNumberForDisplay(market.tickSize);
      expect(ticks).toBeGreaterThan(100);
      const smallest = mulDown(amount(market.startPrice.toFixed(12)), market.lotSize);
      expect(smallest <= market.minNotional).toBe(true);
    },
  );
});
