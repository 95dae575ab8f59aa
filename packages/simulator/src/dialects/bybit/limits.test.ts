import { describe, expect, test } from 'vitest';
import { REST_ENDPOINTS } from './endpoints.ts';
import { startRig } from './rig.fixture.ts';

/**
 * How often an account may make a call in a second ("Rate Limit Rules", 2026-07-24), of contracts and, where they are counted
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
  ['POST /v5/order/disconnected-cancel-all', 5, 5],
  ['POST /v5/order/pre-check', 10, 10],
  ['GET /v5/order/realtime', 50, 50],
  ['GET /v5/order/history', 50, 50],
  ['GET /v5/execution/list', 50, 50],
  ['GET /v5/position/list', 50, 50],
  ['GET /v5/position/closed-pnl', 50, 50],
  ['GET /v5/position/get-closed-positions', 50, 50],
  ['POST /v5/position/set-leverage', 10, 10],
  ['POST /v5/position/switch-mode', 10, 10],
  ['POST /v5/position/trading-stop', 10, 10],
  ['POST /v5/position/add-margin', 10, 10],
  ['POST /v5/position/set-auto-add-margin', 10, 10],
  ['POST /v5/position/confirm-pending-mmr', 10, 10],
  ['GET /v5/account/wallet-balance', 50, 50],
  ['GET /v5/account/withdrawal', 50, 50],
  ['GET /v5/account/borrow-history', 50, 50],
  ['GET /v5/account/collateral-info', 50, 50],
  ['GET /v5/account/transaction-log', 25, 25],
  ['GET /v5/account/fee-rate', 5, 5],
  ['GET /v5/account/info', 50, 50],
  ['GET /v5/account/instruments-info', 10, 10],
  ['GET /v5/account/query-dcp-info', 5, 5],
  ['GET /v5/account/smp-group', 5, 5],
  ['GET /v5/account/user-setting-config', 50, 50],
  ['POST /v5/account/set-collateral-switch-batch', 5, 5],
  ['POST /v5/account/set-limit-px-action', 10, 10],
  ['POST /v5/account/set-margin-mode', 5, 5],
  ['GET /v5/asset/coin/query-info', 5, 5],
  ['GET /v5/asset/delivery-record', 50, 50],
  ['GET /v5/asset/settlement-record', 50, 50],
  ['GET /v5/asset/transfer/query-account-coin-balance', 450, 450],
  ['GET /v5/asset/transfer/query-account-coins-balance', 5, 5],
  ['GET /v5/asset/transfer/query-universal-transfer-list', 5, 5],
  ['POST /v5/asset/transfer/universal-transfer', 5, 5],
  ['POST /v5/user/create-sub-member', 1, 1],
  ['POST /v5/user/create-sub-api', 1, 1],
  ['GET /v5/user/submembers', 5, 5],
  ['GET /v5/user/query-sub-members', 10, 10],
  ['GET /v5/user/query-api', 10, 10],
];

/** The page says nothing of them, or a dash; the last four are calls that answer only that they are retired. */
const NOT_ON_THE_PAGE = [
  'GET /v5/position/symbol-info',
  'POST /v5/account/set-collateral-switch',
  'POST /v5/position/switch-isolated',
  'POST /v5/position/set-risk-limit',
  'POST /v5/position/set-tpsl-mode',
  'GET /v5/account/contract-transaction-log',
];

describe('the limit of each call is the documented one', () => {
  test.each(PER_SECOND)('%s: %i a second, of pairs %i', (route, contracts, pairs) => {
    const endpoint = REST_ENDPOINTS.get(route);
    expect(endpoint?.linearPerSecondMax ?? endpoint?.perSecondMax).toBe(contracts);
    expect(endpoint?.perSecondMax).toBe(pairs);
  });

  test('no signed call is missing from the table; calls without a key are counted by their address alone', () => {
    const signed = [...REST_ENDPOINTS.values()].filter((endpoint) => endpoint.signed);
    const listed = [...PER_SECOND.map(([route]) => route), ...NOT_ON_THE_PAGE];
    expect(signed.map(({ route }) => route).toSorted()).toEqual(listed.toSorted());
  });
});

/** rate-limit, "Instructions for batch endpoints", 2026-07-24. */
test.each([
  ['spot', 20, 10],
  ['linear', 10, 15],
] as const)(
  'of batches each order counts, those beyond the limit fail alone: %s',
  async (category, perSecond, size) => {
    const rig = await startRig({ accountCallsFactor: 1 });
    const key = await rig.key('batches');
    const order = { symbol: 'BTCUSDT', side: 'Buy', orderType: 'Limit', qty: '1000000', price: '1' };
    const request = Array.from({ length: size }, () => order);
    const batch = async () => {
      const answer = await rig.signed(key, '/v5/order/create-batch', { body: { category, request } });
      return { left: answer.headers.get('x-bapi-limit-status'), body: answer.body };
    };
    const codes = (of: Awaited<ReturnType<typeof batch>>) =>
      of.body.retExtInfo.list.map(({ code }: { readonly code: number }) => code);
    const first = await batch();
    expect(codes(first).slice(0, perSecond)).not.toContain(10_006);
    expect(codes(first).slice(perSecond)).toEqual(Array(Math.max(0, size - perSecond)).fill(10_006));
    expect(first.left).toBe(String(Math.max(0, perSecond - size)));
    for (let used = size; used < perSecond; used += size) expect(codes(await batch())).not.toContain(10_006);
    expect((await batch()).body.retCode).toBe(10_006);
    rig.letPass(1_001);
    expect((await batch()).body.retCode).toBe(0);
    await rig.close();
  },
);
