import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type KeyPair, unique } from '../../wire/rig.fixture.ts';
import { startRig } from '../rig.fixture.ts';

/** Fees, the state of the wallet, and matches with oneself that were prevented. */

const rig = openedOnce(startRig);
let key: KeyPair;
beforeEach(async () => {
  key = await rig.key(unique('member'), { USDT: '1000000000', ETH: '100' });
});

const get = async (path: string, params: object) => await rig.signed(key, path, { params: { ...params } });

test('commission of a symbol: nothing special, no tax, no discount', async () => {
  const none = { maker: '0.00000000', taker: '0.00000000', buyer: '0.00000000', seller: '0.00000000' };
  const { body, headers } = await get('/api/v3/account/commission', { symbol: 'ETHUSDT' });
  expect(body).toEqual({
    symbol: 'ETHUSDT',
    standardCommission: { ...none, maker: '0.00100000', taker: '0.00100000' },
    specialCommission: none,
    taxCommission: none,
    discount: {
      ...{ enabledForAccount: false, enabledForSymbol: false, discountAsset: 'BNB', discount: '0.75000000' },
    },
  });
  expect(Number(headers.get('x-mbx-used-weight-1m'))).toBeGreaterThanOrEqual(20);
  expect((await get('/api/v3/account/commission', {})).body.code).toBe(-1102);
  expect((await get('/api/v3/account/commission', { symbol: 'NOPE' })).body.code).toBe(-1121);
});

test('the wallet is in order', async () => {
  const { status, body } = await rig.get('/sapi/v1/system/status');
  expect([status, body]).toEqual([200, { status: 0, msg: 'normal' }]);
});

describe('prevented matches', () => {
  const symbol = 'ETHUSDT';
  const order = async (side: string, price: string, quantity: string, selfTradePreventionMode = 'NONE') => {
    const params = {
      symbol,
      side,
      type: 'LIMIT',
      timeInForce: 'GTC',
      price,
      quantity,
      selfTradePreventionMode,
    };
    const { body } = await rig.signed(key, '/api/v3/order', { method: 'POST', params });
    expect(body.orderId).toBeGreaterThan(0);
    return body.orderId as number;
  };
  const matches = async (params: object) =>
    (await get('/api/v3/myPreventedMatches', { symbol, ...params })).body;

  /** Rests two orders above the market. @returns the better one's price, and both ids. */
  async function rest(): Promise<{ price: string; makers: readonly number[] }> {
    const { bids } = (await rig.get('/api/v3/depth', { symbol })).body;
    const price = (Number(bids[0][0]) * 1.002).toFixed(2);
    const worse = (Number(bids[0][0]) * 1.004).toFixed(2);
    return { price, makers: [await order('SELL', price, '2'), await order('SELL', worse, '3')] };
  }

  // The house offers again what was bought.
  afterEach(async () => {
    await rig.signed(key, '/api/v3/openOrders', { method: 'DELETE', params: { symbol } });
    rig.advance(5_000);
  });

  test.each([
    ['EXPIRE_MAKER', { makerPreventedQuantity: '2.00000000' }],
    ['EXPIRE_TAKER', { takerPreventedQuantity: expect.stringMatching(/^[0-9.]+$/) }],
    [
      'EXPIRE_BOTH',
      {
        takerPreventedQuantity: expect.stringMatching(/^[0-9.]+$/),
        makerPreventedQuantity: '2.00000000',
      },
    ],
  ])('of %s tell who met whom at what price, and what was lost', async (mode, lost) => {
    const { price, makers } = await rest();
    const { asks } = (await rig.get('/api/v3/depth', { symbol, limit: 1_000 })).body;
    const before = asks
      .filter(([at]: [string]) => Number(at) < Number(price))
      .reduce((sum: number, [, size]: [string, string]) => sum + Number(size), 0);
    const taker = await order('BUY', price, (before + 1).toFixed(4), mode);
    const [match, ...others] = await matches({ orderId: taker });
    expect(others).toEqual([]);
    expect(match).toEqual({
      ...{ symbol, preventedMatchId: match.preventedMatchId, takerOrderId: taker, makerSymbol: symbol },
      ...{ makerOrderId: makers[0], tradeGroupId: -1, selfTradePreventionMode: mode },
      ...{ price: `${price}000000`, transactTime: rig.now },
      ...lost,
    });
    expect(await matches({ orderId: makers[0] })).toEqual([match]);
    expect(await matches({ orderId: makers[1] })).toEqual([]);
    expect(await matches({ preventedMatchId: match.preventedMatchId })).toEqual([match]);
    const later = { orderId: taker, fromPreventedMatchId: match.preventedMatchId + 1 };
    expect(await matches(later)).toEqual([]);
  });

  test.each([
    ['nothing', {}],
    ['an id and an order', { preventedMatchId: 1, orderId: 1 }],
    ['a page of one id', { preventedMatchId: 1, limit: 5 }],
    ['an id to begin from alone', { fromPreventedMatchId: 1 }],
  ])('%s is no combination', async (_, params) => {
    expect((await get('/api/v3/myPreventedMatches', { symbol, ...params })).body.code).toBe(-1128);
  });

  test('cost two by an id and twenty by an order', async () => {
    rig.letPass(60_000);
    const used = async (params: object) =>
      (await get('/api/v3/myPreventedMatches', { symbol, ...params })).headers.get('x-mbx-used-weight-1m');
    expect(await used({ preventedMatchId: 7 })).toBe('2');
    expect(await used({ orderId: 7 })).toBe('22');
  });
});
