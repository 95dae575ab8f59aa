import { describe, expect, test } from 'vitest';
import { REST_ENDPOINTS } from './endpoints.ts';

/**
 * How often a call may be made in two seconds, of an address or of an account ("Rate Limit" of each call's page, 2026-06;
 * figures by the second are doubled). That the numbers hold is what refusals.test.ts shows.
 */
const PER_TWO_SECONDS: Readonly<Record<string, number>> = {
  'GET public/time': 10,
  'GET public/instruments': 20,
  'GET public/mark-price': 10,
  'GET public/funding-rate': 10,
  'GET public/funding-rate-history': 10,
  'GET public/open-interest': 20,
  'GET public/price-limit': 20,
  'GET public/position-tiers': 10,
  'GET public/liquidation-orders': 40,
  'GET public/insurance-fund': 10,
  'GET market/tickers': 20,
  'GET market/ticker': 20,
  'GET market/books': 40,
  'GET market/books-full': 10,
  'GET market/candles': 40,
  'GET market/history-candles': 20,
  'GET market/index-candles': 20,
  'GET market/mark-price-candles': 20,
  'GET market/trades': 100,
  'GET market/history-trades': 20,
  'GET market/index-tickers': 20,
  'POST trade/order': 60,
  'POST trade/batch-orders': 300,
  'POST trade/cancel-order': 60,
  'POST trade/cancel-batch-orders': 300,
  'POST trade/amend-order': 60,
  'POST trade/amend-batch-orders': 300,
  'POST trade/close-position': 20,
  'GET trade/order': 60,
  'GET trade/orders-pending': 60,
  'GET trade/orders-history': 40,
  'GET trade/orders-history-archive': 20,
  'GET trade/fills': 60,
  'GET trade/fills-history': 10,
  'POST trade/order-algo': 20,
  'POST trade/cancel-algos': 20,
  'POST trade/amend-algos': 20,
  'GET trade/order-algo': 20,
  'GET trade/orders-algo-pending': 20,
  'GET trade/orders-algo-history': 20,
  'GET account/config': 5,
  'GET account/balance': 10,
  'GET account/positions': 10,
  'GET account/positions-history': 10,
  'GET account/account-position-risk': 10,
  'GET account/leverage-info': 20,
  'POST account/set-leverage': 20,
  'POST account/set-position-mode': 5,
  'POST account/position/margin-balance': 20,
  'GET account/max-size': 20,
  'GET account/max-avail-size': 20,
  'GET account/bills': 10,
  'GET account/bills-archive': 5,
  'GET account/trade-fee': 5,
  'GET asset/currencies': 12,
  'GET asset/balances': 12,
  'GET asset/asset-valuation': 2,
  'GET asset/transfer-state': 20,
};

describe('the limit of each call is the documented one', () => {
  test.each(Object.entries(PER_TWO_SECONDS))('%s: %i in two seconds', (call, limit) => {
    const route = call.replace(' ', ' /api/v5/');
    expect(REST_ENDPOINTS.get(route)?.per2SecondsMax).toBe(limit);
  });
});
