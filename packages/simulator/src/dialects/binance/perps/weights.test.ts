import type { Millis } from '@crossbook/domain';
import { beforeAll, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import type { Params } from '../../wire/rig.fixture.ts';
import { type Member, MemberRig } from './member-rig.fixture.ts';

/** What each call of the futures weighs on its address ("Request Weight" of its page, 2026-06), as `X-MBX-USED-WEIGHT-1M` says. */

const rig = openedOnce(() => MemberRig.open());
let member: Member;
let orderId: number;

beforeAll(async () => {
  member = await rig.member('weighed');
  rig.core.house('BTCUSDT', 'SELL', 61_000, 1);
});

const BTC = { symbol: 'BTCUSDT' };
const CANDLES = { ...BTC, interval: '1m' };
const PAIR = { pair: 'BTCUSDT', interval: '1m' };
const ORDER = { ...BTC, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '59000' };
const ALGO = { ...BTC, algoType: 'CONDITIONAL', side: 'SELL', type: 'STOP_MARKET', quantity: '0.01' };
const none: Params = {};
/** Of klines by how many are asked for. */
const SIZES = [99, 100, 499, 500, 1_000, 1_001].map((limit) => ({ limit }));
const OF_SIZES = [1, 2, 2, 5, 5, 10];

const PUBLIC: readonly (readonly [route: string, params: Params, weight: number])[] = [
  ['GET /fapi/v1/ping', none, 1],
  ['GET /fapi/v1/time', none, 1],
  ['GET /fapi/v1/exchangeInfo', none, 1],
  ...[5, 10, 20, 50].map((limit) => ['GET /fapi/v1/depth', { ...BTC, limit }, 2] as const),
  ['GET /fapi/v1/depth', { ...BTC, limit: 100 }, 5],
  ['GET /fapi/v1/depth', { ...BTC, limit: 500 }, 10],
  ['GET /fapi/v1/depth', BTC, 10],
  ['GET /fapi/v1/depth', { ...BTC, limit: 1_000 }, 20],
  ['GET /fapi/v1/trades', BTC, 5],
  ['GET /fapi/v1/historicalTrades', BTC, 20],
  ['GET /fapi/v1/aggTrades', BTC, 20],
  ...SIZES.map((size, at) => ['GET /fapi/v1/klines', { ...CANDLES, ...size }, OF_SIZES[at] ?? 0] as const),
  ['GET /fapi/v1/continuousKlines', { ...PAIR, contractType: 'PERPETUAL', limit: 99 }, 1],
  ['GET /fapi/v1/indexPriceKlines', { ...PAIR, limit: 500 }, 5],
  ['GET /fapi/v1/markPriceKlines', { ...CANDLES, limit: 1_001 }, 10],
  ['GET /fapi/v1/premiumIndexKlines', { ...CANDLES, limit: 100 }, 2],
  ['GET /fapi/v1/premiumIndex', BTC, 1],
  ['GET /fapi/v1/premiumIndex', none, 10],
  // These two have a budget of their own, together.
  ['GET /fapi/v1/fundingRate', BTC, 0],
  ['GET /fapi/v1/fundingInfo', none, 0],
  ['GET /fapi/v1/ticker/24hr', BTC, 1],
  ['GET /fapi/v1/ticker/24hr', none, 40],
  ['GET /fapi/v1/ticker/price', BTC, 1],
  ['GET /fapi/v1/ticker/price', none, 2],
  ['GET /fapi/v2/ticker/price', none, 2],
  ['GET /fapi/v1/ticker/bookTicker', BTC, 2],
  ['GET /fapi/v1/ticker/bookTicker', none, 5],
  ['GET /fapi/v1/openInterest', BTC, 1],
  ['GET /fapi/v1/insuranceBalance', none, 1],
  ['GET /fapi/v1/symbolAdlRisk', BTC, 1],
];

/** Those of an account; one order or conditional order at a time is there to be changed, read and cancelled. */
const SIGNED: readonly (readonly [route: string, params: () => Params, weight: number])[] = [
  ['POST /fapi/v1/leverage', () => ({ ...BTC, leverage: 10 }), 1],
  ['POST /fapi/v1/marginType', () => ({ ...BTC, marginType: 'ISOLATED' }), 1],
  ['POST /fapi/v1/positionSide/dual', () => ({ dualSidePosition: 'true' }), 1],
  ['POST /fapi/v1/positionSide/dual', () => ({ dualSidePosition: 'false' }), 1],
  ['POST /fapi/v1/order', () => ORDER, 0],
  ['PUT /fapi/v1/order', () => ({ ...BTC, side: 'BUY', orderId, quantity: '0.02', price: '58000' }), 0],
  ['GET /fapi/v1/order', () => ({ ...BTC, orderId }), 1],
  ['GET /fapi/v1/openOrder', () => ({ ...BTC, orderId }), 1],
  ['GET /fapi/v1/openOrders', () => BTC, 1],
  ['GET /fapi/v1/openOrders', () => none, 40],
  ['GET /fapi/v1/orderAmendment', () => BTC, 1],
  ['DELETE /fapi/v1/order', () => ({ ...BTC, orderId }), 1],
  ['DELETE /fapi/v1/allOpenOrders', () => BTC, 1],
  ['POST /fapi/v1/order/test', () => ORDER, 1],
  ['POST /fapi/v1/batchOrders', () => ({ batchOrders: JSON.stringify([ORDER, ORDER]) }), 5],
  ['DELETE /fapi/v1/batchOrders', () => ({ ...BTC, orderIdList: '[1]' }), 1],
  ['POST /fapi/v1/countdownCancelAll', () => ({ ...BTC, countdownTime: 0 }), 10],
  ['GET /fapi/v1/allOrders', () => BTC, 5],
  ['GET /fapi/v1/userTrades', () => BTC, 5],
  ['GET /fapi/v1/forceOrders', () => BTC, 20],
  ['GET /fapi/v1/forceOrders', () => none, 50],
  ['POST /fapi/v1/algoOrder', () => ({ ...ALGO, triggerPrice: '50000', clientAlgoId: 'weighed' }), 0],
  ['GET /fapi/v1/algoOrder', () => ({ clientAlgoId: 'weighed' }), 1],
  ['GET /fapi/v1/openAlgoOrders', () => BTC, 1],
  ['GET /fapi/v1/openAlgoOrders', () => none, 40],
  ['GET /fapi/v1/allAlgoOrders', () => BTC, 5],
  ['DELETE /fapi/v1/algoOrder', () => ({ clientAlgoId: 'weighed' }), 1],
  ['DELETE /fapi/v1/algoOpenOrders', () => BTC, 1],
  ['GET /fapi/v3/account', () => none, 5],
  ['GET /fapi/v2/account', () => none, 5],
  ['GET /fapi/v3/balance', () => none, 5],
  ['GET /fapi/v2/balance', () => none, 5],
  ['GET /fapi/v3/positionRisk', () => none, 5],
  ['GET /fapi/v2/positionRisk', () => none, 5],
  ['GET /fapi/v1/accountConfig', () => none, 5],
  ['GET /fapi/v1/symbolConfig', () => none, 5],
  ['GET /fapi/v1/positionSide/dual', () => none, 30],
  ['GET /fapi/v1/multiAssetsMargin', () => none, 30],
  ['GET /fapi/v1/leverageBracket', () => none, 1],
  ['GET /fapi/v1/commissionRate', () => BTC, 20],
  ['GET /fapi/v1/income', () => none, 30],
  ['GET /fapi/v1/adlQuantile', () => none, 5],
  ['GET /fapi/v1/rateLimit/order', () => none, 1],
  ['GET /fapi/v1/positionMargin/history', () => BTC, 1],
  ['GET /fapi/v1/feeBurn', () => none, 30],
  ['POST /fapi/v1/feeBurn', () => ({ feeBurn: 'false' }), 1],
  ['GET /fapi/v1/apiTradingStatus', () => BTC, 1],
  ['GET /fapi/v1/apiTradingStatus', () => none, 10],
  ['POST /fapi/v1/listenKey', () => none, 1],
  ['PUT /fapi/v1/listenKey', () => none, 1],
  ['DELETE /fapi/v1/listenKey', () => none, 1],
];

async function weighs(route: string, params: Params): Promise<number> {
  // Another minute: what was used is forgotten.
  rig.core.now = (rig.core.now + 60_000) as Millis;
  const { status, headers, body } = await member.call(route, params);
  expect([status, body.code], JSON.stringify(body)).toEqual([200, body.code]);
  orderId = body.orderId ?? orderId;
  return Number(headers.get('x-mbx-used-weight-1m'));
}

test.each(PUBLIC)('%s %j weighs %i', async (route, params, weight) => {
  expect(await weighs(route, params)).toBe(weight);
});

test.each(SIGNED)('%s of an account weighs what is documented', async (route, params, weight) => {
  expect(await weighs(route, params())).toBe(weight);
});
