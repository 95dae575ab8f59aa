import { describe, expect, test } from 'vitest';
import { REST_ENDPOINTS } from './endpoints.ts';

/**
 * How often an account may make a call in a second ("Rate Limit Rules", 2026-07), of contracts and, where they are counted
 * apart, of pairs. That the numbers hold and are told in the headers is what account.test.ts shows.
 */
const PER_SECOND: readonly (readonly [route: string, contracts: number, pairs: number])[] = [
  ['POST /v5/order/create', 10, 20],
  ['POST /v5/order/amend', 10, 10],
  ['POST /v5/order/cancel', 10, 20],
  ['POST /v5/order/cancel-all', 10, 20],
  ['POST /v5/order/create-batch', 10, 20],
  ['POST /v5/order/amend-batch', 10, 20],
  ['POST /v5/order/cancel-batch', 10, 20],
  ['GET /v5/order/realtime', 50, 50],
  ['GET /v5/order/history', 50, 50],
  ['GET /v5/execution/list', 50, 50],
  ['GET /v5/position/list', 50, 50],
  ['GET /v5/position/closed-pnl', 50, 50],
  ['POST /v5/position/set-leverage', 10, 10],
  ['POST /v5/position/switch-mode', 10, 10],
  ['POST /v5/position/trading-stop', 10, 10],
  ['POST /v5/position/add-margin', 10, 10],
  ['POST /v5/position/set-auto-add-margin', 10, 10],
  ['GET /v5/account/wallet-balance', 50, 50],
  ['GET /v5/account/info', 50, 50],
  ['GET /v5/account/fee-rate', 5, 5],
  ['GET /v5/account/transaction-log', 25, 25],
  ['POST /v5/account/set-margin-mode', 5, 5],
  ['GET /v5/asset/coin/query-info', 5, 5],
  ['GET /v5/asset/transfer/query-account-coins-balance', 5, 5],
];

describe('the limit of each call is the documented one', () => {
  test.each(PER_SECOND)('%s: %i a second, of pairs %i', (route, contracts, pairs) => {
    const endpoint = REST_ENDPOINTS.get(route);
    expect(endpoint?.linearPerSecondMax ?? endpoint?.perSecondMax).toBe(contracts);
    expect(endpoint?.perSecondMax).toBe(pairs);
  });
});
