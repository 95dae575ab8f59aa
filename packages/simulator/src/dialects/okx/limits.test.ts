import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REST_ENDPOINTS } from './endpoints.ts';
import { type Key, startRig } from './rig.fixture.ts';

/**
 * How often a call may be made in two seconds, of an address or of an account ("Rate Limit" of each call's page, 2025-11 to
 * 2026-06; figures by the second are doubled). That the numbers hold is what refusals.test.ts shows.
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
  'GET public/insurance-fund': 10,
  'GET public/convert-contract-coin': 10,
  'GET market/tickers': 20,
  'GET market/ticker': 20,
  'GET market/books': 40,
  'GET market/books-full': 10,
  'GET market/candles': 40,
  'GET market/history-candles': 20,
  'GET market/index-candles': 20,
  'GET market/history-index-candles': 10,
  'GET market/mark-price-candles': 20,
  'GET market/history-mark-price-candles': 20,
  'GET market/trades': 100,
  'GET market/history-trades': 20,
  'GET market/index-tickers': 20,
  'GET market/index-components': 20,
  'GET market/exchange-rate': 1,
  'POST trade/order': 60,
  'POST trade/batch-orders': 300,
  'POST trade/cancel-order': 60,
  'POST trade/cancel-batch-orders': 300,
  'POST trade/amend-order': 60,
  'POST trade/amend-batch-orders': 300,
  'POST trade/close-position': 20,
  'POST trade/order-precheck': 5,
  'GET trade/order': 60,
  'GET trade/orders-pending': 60,
  'GET trade/orders-history': 40,
  'GET trade/orders-history-archive': 20,
  'GET trade/fills': 60,
  'GET trade/fills-history': 10,
  'GET trade/account-rate-limit': 2,
  'POST trade/order-algo': 20,
  'POST trade/cancel-algos': 20,
  'POST trade/amend-algos': 20,
  'GET trade/order-algo': 20,
  'GET trade/orders-algo-pending': 20,
  'GET trade/orders-algo-history': 20,
  'GET account/config': 5,
  'GET account/balance': 10,
  'GET account/instruments': 20,
  'GET account/positions': 10,
  'GET account/positions-history': 10,
  'GET account/account-position-risk': 10,
  'GET account/leverage-info': 20,
  'GET account/adjust-leverage-info': 5,
  'POST account/set-leverage': 20,
  'POST account/set-position-mode': 5,
  'POST account/set-account-level': 5,
  'POST account/set-auto-loan': 5,
  'POST account/set-isolated-mode': 5,
  'GET account/set-account-switch-precheck': 5,
  'POST account/account-level-switch-preset': 5,
  'POST account/position/margin-balance': 20,
  'GET account/position-tiers': 10,
  'GET account/risk-state': 10,
  'GET account/max-size': 20,
  'GET account/max-avail-size': 20,
  'GET account/max-withdrawal': 20,
  'GET account/bills': 10,
  'GET account/bills-archive': 5,
  'GET account/trade-fee': 5,
  'GET account/subaccount/balances': 6,
  'GET asset/currencies': 12,
  'GET asset/balances': 12,
  'GET asset/asset-valuation': 2,
  'POST asset/transfer': 4,
  'GET asset/transfer-state': 20,
  'GET users/subaccount/list': 20,
  'POST users/subaccount/create-subaccount': 2,
  'POST users/subaccount/apikey': 2,
};

/** No page that we could read says them: what ccxt 4.5.84 counts (`subtypes`), what the page once said (`liquidation-orders`). */
const NOT_ON_A_PAGE: Readonly<Record<string, number>> = {
  'GET account/subtypes': 5,
  'GET public/liquidation-orders': 40,
};

/** Once in five seconds (ccxt 4.5.84); twice a second of an account and each of its twenty tags. */
const OTHERWISE: Readonly<Record<string, number>> = {
  'GET system/status': 1,
  'POST trade/cancel-all-after': 42,
};

const ALL = { ...PER_TWO_SECONDS, ...NOT_ON_A_PAGE, ...OTHERWISE };

describe('the limit of each call is the documented one', () => {
  test.each(Object.entries(ALL))('%s: %i in two seconds', (call, limit) => {
    const route = call.replace(' ', ' /api/v5/');
    expect(REST_ENDPOINTS.get(route)?.per2SecondsMax).toBe(limit);
  });

  test('no call is missing from the table', () => {
    const called = [...REST_ENDPOINTS.keys()].map((route) => route.replace('/api/v5/', ''));
    expect(called.toSorted()).toEqual(Object.keys(ALL).toSorted());
  });
});

describe('what is counted together', () => {
  let rig: Awaited<ReturnType<typeof startRig>>;
  let key: Key;
  let accounts = 0;
  const order = (instId: string) => ({
    ...{ instId, tdMode: 'cash', side: 'buy', ordType: 'limit' },
    ...{ px: '1', sz: '1' },
  });

  beforeAll(async () => {
    rig = await startRig({ limited: true });
  });
  afterAll(() => rig.close());

  const post = (path: string, body: object) => rig.signed(key, 'POST', `/api/v5/${path}`, { body });
  const newAccount = async () => {
    accounts += 1;
    key = await rig.key(`counted-${accounts}`, {});
    rig.letPass(2_000);
  };
  /** How many of so many calls were let through. */
  const passed = async (times: number, call: () => Promise<{ readonly status: number }>) => {
    let through = 0;
    for (let at = 0; at < times; at += 1) if ((await call()).status === 200) through += 1;
    return through;
  };

  test('orders of each instrument for themselves; a batch of one is an order, larger ones count apart, order by order', async () => {
    await newAccount();
    expect(await passed(61, () => post('trade/order', order('BTC-USDT')))).toBe(60);
    expect(await passed(2, () => post('trade/batch-orders', [order('BTC-USDT')]))).toBe(0);
    expect(await passed(1, () => post('trade/order', order('ETH-USDT')))).toBe(1);
    const twenty = Array.from({ length: 20 }, () => order('BTC-USDT'));
    expect(await passed(16, () => post('trade/batch-orders', twenty))).toBe(15);
    // Names of nothing share one part, so that nobody makes room with them.
    expect(await passed(61, () => post('trade/order', order(`NO-${Math.trunc(rig.now)}`)))).toBe(60);
  });

  test('algo orders that are cancelled count one by one, of each instrument for themselves', async () => {
    await newAccount();
    const seven = (instId: string) => Array.from({ length: 7 }, () => ({ instId, algoId: '1' }));
    expect(await passed(4, () => post('trade/cancel-algos', seven('BTC-USDT')))).toBe(2);
    expect(await passed(1, () => post('trade/cancel-algos', seven('ETH-USDT')))).toBe(1);
  });

  test('orders of contracts are at most a thousand of an account, whatever they are in; pairs are exempt', async () => {
    await newAccount();
    const twenty = (instId: string) => Array.from({ length: 20 }, () => order(instId));
    const batches: readonly (readonly [call: string, instId: string, times: number])[] = [
      ['trade/batch-orders', 'BTC-USDT-SWAP', 15],
      ['trade/amend-batch-orders', 'BTC-USDT-SWAP', 15],
      ['trade/batch-orders', 'ETH-USDT-SWAP', 15],
      ['trade/amend-batch-orders', 'ETH-USDT-SWAP', 5],
    ];
    for (const [call, instId, times] of batches) {
      expect(await passed(times, () => post(call, twenty(instId)))).toBe(times);
    }
    const code = async (call: string, body: object) => (await post(call, body)).body.code;
    expect(await code('trade/batch-orders', twenty('BTC-USDT-SWAP'))).toBe('50011');
    expect(await code('trade/order', order('DOGE-USDT-SWAP'))).toBe('50061');
    expect(await code('trade/order', order('BTC-USDT'))).toBe('1');
    expect(await code('trade/cancel-order', { instId: 'DOGE-USDT-SWAP', ordId: '1' })).toBe('1');
  });

  test('the state of the system once in five seconds', async () => {
    rig.letPass(5_000);
    const status = () => rig.get('/api/v5/system/status');
    expect(await passed(2, status)).toBe(1);
    rig.letPass(5_000);
    expect(await passed(1, status)).toBe(1);
  });

  test('transfers by currency', async () => {
    await newAccount();
    const move = (ccy: string) => post('asset/transfer', { ccy, amt: '0', from: '6', to: '18' });
    expect(await passed(5, () => move('USDT'))).toBe(4);
    expect(await passed(1, () => move('BTC'))).toBe(1);
  });
});
