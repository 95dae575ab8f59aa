import {
  amount,
  ORDER_STATUS,
  ORDER_TYPE,
  SIDE,
  type UserId,
  type VenueOrderId,
  ZERO,
} from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPerpsWorld, type PerpsWorld, placeContractOrder } from '../perps/perps-world.fixture.ts';
import { CALLER, stateOf } from '../trading-world.fixture.ts';

/** An order is named by our id or by the exchange's, which Binance counts in each instrument anew. */

let perps: PerpsWorld;
/** What the exchange calls the orders that it takes next. */
let ids: string[];
beforeEach(async () => {
  perps = await openPerpsWorld();
  const { world } = perps;
  await world.fund('USDT', '1000');
  world.venue.answers.place = async (_credentials, { clientId, instrument: { symbol } }) => {
    const venueOrderId = (ids.shift() ?? '') as VenueOrderId;
    const rests = { status: ORDER_STATUS.OPEN, cumulativeQuantity: ZERO, cumulativeQuote: ZERO };
    const state = { clientId, venueOrderId, symbol, ...rests, time: perps.venue.now };
    return { outcome: 'accepted', state, fills: [] };
  };
  world.venue.answers.cancel = async (_credentials, { symbol }, clientId) => {
    const order = (await open()).find(({ orderId }) => orderId.replaceAll('-', '') === clientId);
    const state = stateOf(
      { id: clientId as never, symbol },
      ORDER_STATUS.CANCELLED,
      '0',
      order?.venueOrderId,
    );
    return { outcome: 'cancelled', state: { ...state, clientId } };
  };
});
afterEach(() => perps.world.close());

const caller = (user = CALLER.user) => ({ ...CALLER, user, now: perps.world.time.clock() });
const handlers = () => perps.world.desk.handlers;
const LIMIT = { orderType: ORDER_TYPE.LIMIT, price: amount('90') } as const;

async function placed(tinstType: 1 | 2): Promise<string> {
  perps.world.time.advance(1);
  const answer =
    tinstType === 2
      ? await placeContractOrder(perps, LIMIT)
      : await handlers()['connextrade/PlaceOrder'](caller(), {
          ...{ ...LIMIT, platformType: 43, tinstType, symbol: 'BTCUSDT', side: SIDE.BUY, timeInForce: 1 },
          quantity: amount('1'),
        });
  if (!answer.ok) throw new Error(answer.code.error);
  return answer.value.orderId;
}

async function open(tinstType?: 1 | 2) {
  const of = tinstType === undefined ? {} : { tinstType };
  const answer = await handlers()['connextrade/CurOrderList'](caller(), { platformType: 43, ...of });
  if (!answer.ok) throw new Error(answer.code.error);
  return answer.value;
}

const cancel = (orderId: string, user?: UserId) =>
  handlers()['connextrade/CancelOrder'](caller(user), { platformType: 43, orderId });
const rpnl = (orderId: string) =>
  handlers()['connextrade/GetOrderRpnl'](caller(), { platformType: 43, orderId });
const UNKNOWN = { ok: false, code: { error: 'order-unknown', field: 'orderId' } };
const SEVERAL = { ok: false, code: { error: 'field-invalid', field: 'orderId' } };

describe('an order is cancelled by the id that the exchange gave it, as its row tells it', () => {
  test.each([
    ['digits', '8389765591'],
    ['a UUID like ours', 'fd4300ae-7847-404e-b947-b46980a4d140'],
  ])('%s', async (_what, id) => {
    ids = ['7', id];
    const [other, meant] = [await placed(2), await placed(2)];
    expect((await open()).map(({ orderId, venueOrderId }) => [orderId, venueOrderId])).toEqual([
      [meant, id],
      [other, '7'],
    ]);
    expect(await rpnl(id)).toMatchObject({ ok: true, value: { orderId: meant } });
    expect(await cancel(id, 8 as UserId), 'of somebody else').toEqual(UNKNOWN);
    expect(await cancel(id)).toMatchObject({ ok: true, value: { orderId: meant, status: 3 } });
    expect((await open()).map(({ orderId }) => orderId)).toEqual([other]);
    expect(await cancel(id)).toMatchObject({ ok: false, code: { error: 'order-final' } });
  });
});

test('of several orders with one id the only open one is cancelled; with two open none is, and it is said why', async () => {
  ids = ['9', '9'];
  const [pair, contract] = [await placed(1), await placed(2)];
  expect(await cancel('9')).toMatchObject(SEVERAL);
  expect(perps.world.venue.count('cancel')).toBe(0);
  expect(await rpnl('9'), 'of a contract there is one').toMatchObject({ value: { orderId: contract } });
  expect(await cancel(contract)).toMatchObject({ ok: true });
  expect(await cancel('9')).toMatchObject({ ok: true, value: { orderId: pair, status: 3 } });
  expect(await open()).toEqual([]);
});

test('open orders are those of the type that is asked for', async () => {
  ids = ['1', '2'];
  const [pair, contract] = [await placed(1), await placed(2)];
  expect((await open(1)).map(({ orderId }) => orderId)).toEqual([pair]);
  expect((await open(2)).map(({ orderId }) => orderId)).toEqual([contract]);
  expect((await open()).map(({ orderId }) => orderId)).toEqual([contract, pair]);
});
