import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../../tests/opened.ts';
import { type Member, MemberRig } from '../member-rig.fixture.ts';

const rig = openedOnce(() => MemberRig.open());
let member: Member;
let count = 0;

beforeEach(async () => {
  rig.core.marks.set('BTCUSDT', 60_000);
  rig.core.indices.clear();
  count += 1;
  member = await rig.member(`algo ${count}`);
});
afterEach(async () => {
  rig.core.clearHouse('BTCUSDT');
  // What is left of a test may not meet another's trades.
  await member.ask('DELETE /fapi/v1/allOpenOrders', { symbol: 'BTCUSDT' });
  await member.ask('DELETE /fapi/v1/algoOpenOrders', { symbol: 'BTCUSDT' });
});

const STOP = {
  algoType: 'CONDITIONAL',
  symbol: 'BTCUSDT',
  side: 'SELL',
  type: 'STOP_MARKET',
  quantity: '0.01',
  triggerPrice: '59000',
  workingType: 'MARK_PRICE',
};
const PLACE = 'POST /fapi/v1/algoOrder';
const OPEN = 'GET /fapi/v1/openAlgoOrders';

/** The same without some of its parameters. */
function without(params: typeof STOP, ...names: (keyof typeof STOP)[]): Partial<typeof STOP> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name as never)));
}

describe('the algo service', () => {
  test('has the documented shape, and lists what waits', async () => {
    const placed = await member.ask(PLACE, { ...STOP, clientAlgoId: 'mine/1', reduceOnly: 'true' });
    const shape = {
      algoId: expect.any(Number),
      clientAlgoId: 'mine/1',
      algoType: 'CONDITIONAL',
      orderType: 'STOP_MARKET',
      symbol: 'BTCUSDT',
      side: 'SELL',
      positionSide: 'BOTH',
      timeInForce: 'GTC',
      quantity: '0.010',
      algoStatus: 'NEW',
      triggerPrice: '59000.0',
      price: '0',
      icebergQuantity: null,
      selfTradePreventionMode: 'EXPIRE_MAKER',
      workingType: 'MARK_PRICE',
      priceMatch: 'NONE',
      closePosition: false,
      priceProtect: false,
      reduceOnly: true,
      activatePrice: '',
      callbackRate: '',
      createTime: rig.core.now,
      updateTime: rig.core.now,
      triggerTime: 0,
      goodTillDate: 0,
    };
    expect(placed).toEqual(shape);
    const queried = {
      ...shape,
      actualOrderId: '',
      actualPrice: '0.00000',
      tpTriggerPrice: '0.000',
      tpPrice: '0.000',
    };
    const row = { ...queried, slTriggerPrice: '0.000', slPrice: '0.000', tpOrderType: '' };
    const { algoId } = placed;
    expect(await member.ask('GET /fapi/v1/algoOrder', { algoId })).toEqual(row);
    expect(await member.ask(OPEN)).toEqual([row]);
    expect(await member.ask(OPEN, { symbol: 'BTCUSDT', algoId })).toEqual([row]);
    for (const other of [{ symbol: 'ETHUSDT' }, { algoId: '999999' }])
      expect(await member.ask(OPEN, other)).toEqual([]);
    expect(await member.ask('GET /fapi/v1/openOrders')).toEqual([]);
    const named = { algoId, clientAlgoId: 'another' };
    expect((await member.call('GET /fapi/v1/algoOrder', named)).body.code).toBe(-2013);
    expect((await member.call('DELETE /fapi/v1/algoOrder', named)).body.code).toBe(-2011);
    const gone = { algoId, clientAlgoId: 'mine/1', code: '200', msg: 'success' };
    expect(await member.ask('DELETE /fapi/v1/algoOrder', { clientAlgoId: 'mine/1' })).toEqual(gone);
    expect((await member.call('DELETE /fapi/v1/algoOrder', { algoId })).body.code).toBe(-2011);
    expect((await member.call('GET /fapi/v1/algoOrder', { algoId: '999999' })).body.code).toBe(-2013);
    expect(await member.ask(OPEN)).toEqual([]);
    const all = await member.ask('GET /fapi/v1/allAlgoOrders', { symbol: 'BTCUSDT' });
    expect(all).toMatchObject([{ algoId, algoStatus: 'CANCELED' }]);
  });

  test('pages through all there were, and cancels all of a contract', async () => {
    for (let at = 0; at < 5; at += 1) await member.ask(PLACE, STOP);
    const done = await member.ask('DELETE /fapi/v1/algoOpenOrders', { symbol: 'BTCUSDT' });
    expect(done).toMatchObject({ code: 200 });
    const page = async (at: string) => {
      const rows = await member.ask('GET /fapi/v1/allAlgoOrders', {
        symbol: 'BTCUSDT',
        limit: '2',
        page: at,
      });
      return rows.map(({ algoStatus }: { algoStatus: string }) => algoStatus);
    };
    expect([await page('0'), await page('2'), await page('3')]).toEqual([
      ['CANCELED', 'CANCELED'],
      ['CANCELED'],
      [],
    ]);
  });

  test('tells of a stop that fires in the venue’s order', async () => {
    await member.trade('BUY', '0.01', 60_000);
    const socket = await member.listen();
    const { algoId } = await member.ask(PLACE, { ...STOP, reduceOnly: 'true' });
    rig.core.house('BTCUSDT', 'BUY', 58_900, 100);
    rig.core.mark('BTCUSDT', 58_950);
    await socket.hear(({ o }) => o?.X === 'FINISHED');
    const reported = socket.heard.map(({ e, o }) => (e === 'ALGO_UPDATE' ? o.X : e));
    const child = ['ORDER_TRADE_UPDATE', 'TRADE_LITE', 'ACCOUNT_UPDATE', 'ORDER_TRADE_UPDATE'];
    expect(reported).toEqual(['NEW', 'TRIGGERING', 'TRIGGERED', ...child, 'FINISHED']);
    const order = socket.heard.find(({ e }) => e === 'ORDER_TRADE_UPDATE').o;
    expect(socket.heard[0].o).toMatchObject({
      aid: algoId,
      at: 'CONDITIONAL',
      o: 'STOP_MARKET',
      ai: '',
      tt: 0,
    });
    const last = { ai: `${order.i}`, ap: '58900.00000', aq: '0.010', act: 'MARKET', tt: rig.core.now };
    expect(socket.heard.at(-1).o).toMatchObject(last);
    const row = await member.ask('GET /fapi/v1/algoOrder', { algoId });
    expect(row).toMatchObject({
      algoStatus: 'FINISHED',
      actualOrderId: `${order.i}`,
      actualPrice: '58900.00000',
    });
    socket.close();
  });

  test.each([
    ['CONTRACT_PRICE', 'LAST', 'MARK'],
    ['MARK_PRICE', 'MARK', 'LAST'],
    [undefined, 'LAST', 'MARK'],
  ] as const)('by %s fires at that price alone: %s, not %s', async (workingType, by, other) => {
    await member.trade('BUY', '0.01', 60_000);
    rig.core.house('BTCUSDT', 'BUY', 58_000, 100);
    const asked = {
      ...without(STOP, 'workingType'),
      ...(workingType && { workingType }),
      reduceOnly: 'true',
    };
    const { algoId } = await member.ask(PLACE, asked);
    const fate = async () => (await member.ask('GET /fapi/v1/algoOrder', { algoId })) as object;
    rig.core.reach('BTCUSDT', other, 58_900);
    rig.core.reach('BTCUSDT', 'INDEX', 58_900);
    expect(await fate()).toMatchObject({ algoStatus: 'NEW', workingType: workingType ?? 'CONTRACT_PRICE' });
    rig.core.reach('BTCUSDT', by, 59_000);
    expect(await fate()).toMatchObject({ algoStatus: 'FINISHED' });
  });

  test('priceProtect waits on while the last price and the mark are more than triggerProtect apart', async () => {
    await member.trade('BUY', '0.02', 60_000);
    const socket = await member.listen();
    const guarded = await member.ask(PLACE, { ...STOP, reduceOnly: 'true', priceProtect: 'TRUE' });
    const plain = await member.ask(PLACE, { ...STOP, reduceOnly: 'true', priceProtect: 'FALSE' });
    expect([guarded.priceProtect, plain.priceProtect]).toEqual([true, false]);
    const fates = () =>
      Promise.all(
        [guarded, plain].map(
          async ({ algoId }) => (await member.ask('GET /fapi/v1/algoOrder', { algoId })).algoStatus,
        ),
      );
    rig.core.reach('BTCUSDT', 'LAST', 60_000);
    rig.core.house('BTCUSDT', 'BUY', 57_000, 10);
    rig.core.mark('BTCUSDT', 57_100);
    // What the one that is not guarded has sold brings the last price to the mark.
    expect(await fates()).toEqual(['NEW', 'FINISHED']);
    rig.core.house('BTCUSDT', 'BUY', 56_900, 10);
    rig.core.mark('BTCUSDT', 57_050);
    expect(await fates()).toEqual(['FINISHED', 'FINISHED']);
    await socket.hear(({ o }) => o?.X === 'FINISHED' && o.pP === true);
    socket.close();
  });

  test('says why one was rejected when it fired', async () => {
    const socket = await member.listen();
    await member.ask(PLACE, { ...STOP, reduceOnly: 'true' });
    rig.core.mark('BTCUSDT', 58_950);
    const { o } = await socket.hear((message) => message.o?.X === 'REJECTED');
    expect(o.rm).toBe('ReduceOnly Order is rejected.');
    socket.close();
  });

  test('closePosition ends with the position, one of a purpose', async () => {
    const whole = { ...without(STOP, 'quantity'), closePosition: 'true' };
    expect((await member.call(PLACE, whole)).body.code).toBe(-4509);
    await member.trade('BUY', '0.01', 60_000);
    const socket = await member.listen();
    const placed = await member.ask(PLACE, whole);
    expect(placed).toMatchObject({ closePosition: true, timeInForce: 'GTE_GTC', reduceOnly: true });
    expect((await member.call(PLACE, whole)).body.code).toBe(-4130);
    const target = { ...whole, type: 'TAKE_PROFIT_MARKET', triggerPrice: '61000' };
    await member.ask(PLACE, target);
    await member.trade('SELL', '0.01', 60_000, { reduceOnly: 'true' });
    await socket.hear(({ o }) => o?.X === 'EXPIRED' && o.o === 'TAKE_PROFIT_MARKET');
    expect(await member.ask(OPEN)).toEqual([]);
    socket.close();
  });

  test('GTE_GTC ends with the position, needs one, and is for its own size', async () => {
    const part = { ...STOP, timeInForce: 'GTE_GTC' };
    expect((await member.call(PLACE, part)).body.code).toBe(-4509);
    await member.trade('BUY', '0.02', 60_000);
    const socket = await member.listen();
    expect(await member.ask(PLACE, part)).toMatchObject({
      ...{ closePosition: false, timeInForce: 'GTE_GTC', quantity: '0.010', reduceOnly: false },
    });
    await member.ask(PLACE, part);
    await member.ask(PLACE, STOP);
    await member.trade('SELL', '0.02', 60_000, { reduceOnly: 'true' });
    await socket.hear(({ o }) => o?.X === 'EXPIRED');
    expect(await member.ask(OPEN)).toMatchObject([{ timeInForce: 'GTC' }]);
    socket.close();
  });

  test.each([
    ['GTC', '60900', 'TRIGGERED', 'NEW'],
    ['GTC', '61100', 'FINISHED', 'FILLED'],
    ['IOC', '60900', 'FINISHED', 'EXPIRED'],
    ['FOK', '61100', 'FINISHED', 'EXPIRED'],
    ['GTX', '60900', 'TRIGGERED', 'NEW'],
    ['GTX', '61100', 'REJECTED', undefined],
  ])('a limit is sent as %s says, at %s: %s', async (timeInForce, price, algoStatus, status) => {
    const quantity = timeInForce === 'FOK' ? '0.02' : '0.01';
    const asked = { ...STOP, side: 'BUY', type: 'STOP', quantity, triggerPrice: '61000', price };
    const { algoId } = await member.ask(PLACE, { ...asked, timeInForce });
    rig.core.house('BTCUSDT', 'SELL', 61_050, 10);
    rig.core.mark('BTCUSDT', 61_000);
    const row = await member.ask('GET /fapi/v1/algoOrder', { algoId });
    expect(row).toMatchObject({ algoStatus, orderType: 'STOP', timeInForce, price: `${price}.0` });
    const child = { symbol: 'BTCUSDT', orderId: row.actualOrderId };
    const { body } = await member.call('GET /fapi/v1/order', child);
    expect([body.status, row.actualOrderId === '']).toEqual([status, status === undefined]);
  });

  test.each([
    ['SELL', [60_600, 60_100], 59_994],
    ['BUY', [59_400, 59_900], 59_994],
  ] as const)(
    'a trailing %s follows the last price, and fires on its way back',
    async (side, quiet, fires) => {
      rig.core.reach('BTCUSDT', 'LAST', 60_000);
      rig.core.house('BTCUSDT', side === 'SELL' ? 'BUY' : 'SELL', side === 'SELL' ? 59_000 : 61_000, 100);
      const trailing = { ...without(STOP, 'triggerPrice', 'workingType'), type: 'TRAILING_STOP_MARKET' };
      const { algoId } = await member.ask(PLACE, { ...trailing, side, callbackRate: '1' });
      const status = async () => (await member.ask('GET /fapi/v1/algoOrder', { algoId })).algoStatus;
      for (const seen of quiet) rig.core.reach('BTCUSDT', 'LAST', seen);
      expect(await status()).toBe('NEW');
      rig.core.reach('BTCUSDT', 'LAST', fires);
      expect(await status()).toBe('FINISHED');
    },
  );

  test('a trailing stop says from where and by how much', async () => {
    const trailing = { ...without(STOP, 'triggerPrice'), type: 'TRAILING_STOP_MARKET', callbackRate: '1.5' };
    expect(await member.ask(PLACE, { ...trailing, activatePrice: '60500' })).toMatchObject({
      ...{
        orderType: 'TRAILING_STOP_MARKET',
        callbackRate: '1.5',
        activatePrice: '60500.0',
        triggerPrice: '',
      },
    });
  });
});

describe('refused by name', () => {
  test.each([
    ['no algoType', without(STOP, 'algoType'), -1102],
    ['another algoType', { ...STOP, algoType: 'TWAP' }, -1130],
    ['a type of /order', { ...STOP, type: 'LIMIT' }, -1116],
    ['no trigger price', without(STOP, 'triggerPrice'), -1102],
    ['a trigger price off the tick', { ...STOP, triggerPrice: '59000.01' }, -1111],
    ['a trigger price of 0', { ...STOP, triggerPrice: '0' }, -4001],
    ['no quantity', without(STOP, 'quantity'), -1102],
    ['a price at market', { ...STOP, price: '59000' }, -1106],
    ['no price at a limit', { ...STOP, type: 'STOP' }, -1102],
    ['what would fire at once', { ...STOP, triggerPrice: '60000' }, -2021],
    ['a target that would', { ...STOP, type: 'TAKE_PROFIT_MARKET' }, -2021],
    ['closePosition with a quantity', { ...STOP, closePosition: 'true' }, -4137],
    [
      'closePosition at a limit',
      { ...without(STOP, 'quantity'), type: 'STOP', closePosition: 'true' },
      -4136,
    ],
    [
      'closePosition and reduceOnly',
      { ...without(STOP, 'quantity'), closePosition: 'true', reduceOnly: 'true' },
      -4138,
    ],
    ['a callback rate for a stop', { ...STOP, callbackRate: '1' }, -1106],
    ['priceProtect of neither', { ...STOP, priceProtect: 'perhaps' }, -1130],
    ['priceMatch', { ...STOP, priceMatch: 'QUEUE' }, -1130],
    ['GTD', { ...STOP, timeInForce: 'GTD' }, -1115],
    ['a leg in one-way mode', { ...STOP, positionSide: 'LONG' }, -4061],
    ['a bad client id', { ...STOP, clientAlgoId: 'a b' }, -4015],
  ])('%s', async (_, params, code) => {
    expect((await member.call(PLACE, params as typeof STOP)).body.code).toBe(code);
  });

  test.each(['0.09', '0', '20.1', '1.23'])('a callback rate of %s', async (callbackRate) => {
    const trailing = { ...without(STOP, 'triggerPrice'), type: 'TRAILING_STOP_MARKET', callbackRate };
    expect((await member.call(PLACE, trailing as typeof STOP)).body.code).toBe(-1130);
  });
});
