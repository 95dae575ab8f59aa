import { amount, minus } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type Params, unique } from '../../wire/rig.fixture.ts';
import { type ChannelSocket, type Key, startRig } from '../rig.fixture.ts';

/** Algo orders on pairs: they lock nothing, follow the last price, and become orders under ids of their own. */

const rig = openedOnce(startRig);
let key: Key;
let last: number;
let count = 0;

beforeEach(async () => {
  count += 1;
  key = await rig.key(unique('waiter'), { USDT: '1000000', BTC: '2' });
  rig.venue.spot.depth('BTC-USDT', 5);
  rig.advance(1_000);
  last = rig.venue.spot.ticker('BTC-USDT').last;
});

/** A price so many percent beside the last one. */
const beside = (percent: number) => String(Number(((last * (100 + percent)) / 100).toFixed(1)));
const call = async (route: string, params: Params | readonly Params[] = {}) => {
  const [method = '', path = ''] = route.split(' ');
  if (method === 'POST') return (await rig.signed(key, method, `/api/v5/${path}`, { body: params })).body;
  const query = new URLSearchParams(params as Record<string, string>).toString();
  return (await rig.signed(key, method, `/api/v5/${path}?${query}`)).body;
};
const ask = async (route: string, params: Params | readonly Params[] = {}) => {
  const { code, data, msg } = await call(route, params);
  if (code !== '0') throw new Error(`${route}: ${code} ${msg} ${JSON.stringify(data)}`);
  return data;
};
const spot = { instId: 'BTC-USDT', tdMode: 'cash', side: 'sell', sz: '0.5' };
const stop = (percent: number, more: Params = {}): Params => ({
  ...{ ...spot, ordType: 'conditional', slTriggerPx: beside(percent), slOrdPx: '-1', ...more },
});
const pair = (more: Params = {}): Params => ({
  ...{ ...spot, ordType: 'oco', tpTriggerPx: beside(3), tpOrdPx: beside(2.9) },
  ...{ slTriggerPx: beside(-3), slOrdPx: '-1', ...more },
});
const place = async (order: Params) => {
  const body = await call('POST trade/order-algo', order);
  return body.data?.[0] ?? { sCode: body.code, sMsg: body.msg };
};
const placed = async (order: Params): Promise<string> => {
  const { sCode, sMsg, algoId } = await place(order);
  if (sCode !== '0') throw new Error(`${sCode} ${sMsg}`);
  return algoId;
};
const find = async (algoId: string) => (await ask('GET trade/order-algo', { algoId }))[0];
const pending = (ordType = 'conditional,oco,trigger,move_order_stop') =>
  ask('GET trade/orders-algo-pending', { ordType });
const history = (ordType: string, state: string) =>
  ask('GET trade/orders-algo-history', { ordType, state, instType: 'SPOT' });
const orders = () => ask('GET trade/orders-pending', { instType: 'SPOT' });
const frozen = async (ccy: string) =>
  (await ask('GET account/balance', { ccy }))[0].details[0]?.frozenBal ?? '0';

/** The price goes there and comes back. */
function move(percent: number): void {
  rig.venue.spot.shock('BTC-USDT', 1 + percent / 100);
  rig.advance(3_000);
  rig.venue.spot.shock('BTC-USDT', 1 / (1 + percent / 100));
  rig.advance(3_000);
}

describe('an algo order on a pair', () => {
  test.each<[string, () => Params, () => Params]>([
    [
      'conditional',
      () => stop(-3),
      () => ({ slTriggerPx: beside(-3), slOrdPx: '-1', slTriggerPxType: 'last', tpTriggerPx: '', sz: '0.5' }),
    ],
    [
      'conditional',
      () => ({
        ...spot,
        side: 'buy',
        ordType: 'conditional',
        tpTriggerPx: beside(-3),
        tpOrdPx: '-1',
        sz: '900',
      }),
      () => ({ tpTriggerPx: beside(-3), tpOrdPx: '-1', sz: '900', tgtCcy: 'quote_ccy' }),
    ],
    [
      'conditional',
      () => stop(3, { side: 'buy', tgtCcy: 'base_ccy' }),
      () => ({ slTriggerPx: beside(3), sz: '0.5', tgtCcy: 'base_ccy' }),
    ],
    [
      'oco',
      () => pair(),
      () => ({ tpTriggerPx: beside(3), tpOrdPx: beside(2.9), slTriggerPx: beside(-3), slOrdPx: '-1' }),
    ],
    [
      'trigger',
      () => ({ ...spot, ordType: 'trigger', triggerPx: beside(2), orderPx: beside(2.5) }),
      () => ({ triggerPx: beside(2), ordPx: beside(2.5), triggerPxType: 'last', slTriggerPx: '' }),
    ],
    [
      'move_order_stop',
      () => ({ ...spot, ordType: 'move_order_stop', callbackRatio: '0.25', activePx: beside(4) }),
      () => ({ callbackRatio: '0.25', activePx: beside(4), moveTriggerPx: '' }),
    ],
    [
      'move_order_stop',
      () => ({ ...spot, ordType: 'move_order_stop', callbackSpread: '500' }),
      () => ({ callbackSpread: '500', callbackRatio: '', activePx: '' }),
    ],
  ])('of the kind %s is listed as asked for, locks nothing and is no order', async (kind, asked, said) => {
    const name = `mine${count}`;
    const { algoId, ...ack } = await place({ ...asked(), algoClOrdId: name, tag: 'mark1' });
    expect(ack).toEqual({ algoClOrdId: name, clOrdId: '', sCode: '0', sMsg: '', tag: 'mark1' });
    expect(algoId).toMatch(/^8[0-9]{19}$/);
    const row = await find(algoId);
    expect(row).toMatchObject({
      ...{ algoId, algoClOrdId: name, ordType: kind, state: 'live', instId: 'BTC-USDT', instType: 'SPOT' },
      ...{ tdMode: 'cash', posSide: 'net', reduceOnly: 'false', ordId: '', tag: 'mark1', ...said() },
    });
    expect(await pending()).toEqual([row]);
    expect(await ask('GET trade/order-algo', { algoClOrdId: name })).toEqual([row]);
    expect([await frozen('BTC'), await frozen('USDT'), await orders()]).toEqual(['0', '0', []]);
    expect((await place({ ...asked(), algoClOrdId: name })).sCode).toBe('51065');
    const cancel = [{ instId: 'BTC-USDT', algoClOrdId: name }];
    expect(await ask('POST trade/cancel-algos', cancel)).toMatchObject([{ algoId, sCode: '0' }]);
    expect(await pending()).toEqual([]);
    expect(await history(kind, 'canceled')).toMatchObject([{ algoId, state: 'canceled' }]);
    expect(await ask('GET trade/orders-history', { instType: 'SPOT' })).toEqual([]);
    expect((await call('POST trade/cancel-algos', cancel)).data[0].sCode).toBe('51401');
  });

  test('is changed under its own ids, both legs of a pair together or not at all', async () => {
    const names = { instId: 'BTC-USDT', algoId: await placed(pair()) };
    const change = { newTpTriggerPx: beside(4), newTpOrdPx: '-1', newSlTriggerPx: beside(-4), newSz: '0.3' };
    expect(await ask('POST trade/amend-algos', { ...names, ...change, reqId: 'r1' })).toEqual([
      { algoId: names.algoId, algoClOrdId: '', sCode: '0', sMsg: '', reqId: 'r1' },
    ]);
    const after = {
      ...{ tpTriggerPx: beside(4), tpOrdPx: '-1', slTriggerPx: beside(-4), slOrdPx: '-1', sz: '0.3' },
    };
    expect(await find(names.algoId)).toMatchObject(after);
    const refused = async (more: Params) =>
      (await call('POST trade/amend-algos', { ...names, ...more })).data[0].sCode;
    expect(await refused({ newTpTriggerPx: beside(5), newSlTriggerPx: beside(1) })).toBe('51280');
    expect(await refused({ newSlTriggerPxType: 'mark' })).toBe('51415');
    expect(await refused({ newSz: '0.000000001' })).toBe('51121');
    expect(await refused({})).toBe('51500');
    expect(await find(names.algoId)).toMatchObject(after);
    const trail = { ...spot, ordType: 'move_order_stop', callbackRatio: '0.05' };
    const trailing = { instId: 'BTC-USDT', algoId: await placed(trail) };
    await ask('POST trade/amend-algos', { ...trailing, newCallbackSpread: '700', newActivePx: beside(2) });
    expect(await find(trailing.algoId)).toMatchObject({
      ...{ callbackSpread: '700', callbackRatio: '', activePx: beside(2), moveTriggerPx: '' },
    });
  });
});

describe('when its price comes', () => {
  let algos: ChannelSocket;
  let account: ChannelSocket;
  beforeEach(async () => {
    algos = await rig.socket('business');
    algos.send({ op: 'login', args: [rig.loginArgument(key)] });
    await algos.hear(({ event }) => event === 'login');
    const channels = ['orders-algo', 'algo-advance'];
    algos.subscribe(...channels.map((channel) => ({ channel, instType: 'SPOT' })));
    await algos.hear(({ event, arg }) => event === 'subscribe' && arg?.channel === channels[1]);
    account = await rig.loggedIn(key);
    account.subscribe({ channel: 'orders', instType: 'SPOT' });
    await account.hear(({ event }) => event === 'subscribe');
  });
  const states = () =>
    algos
      .pushes('orders-algo')
      .map(({ data: [row] }) => `${row.ordType} ${row.state} ${row.actualSide}`.trim());
  const heard = (state: string) => algos.hear(({ data }) => data?.[0].state === state);

  test('it is effective, and its order says by which it was sent', async () => {
    const algoId = await placed(stop(-3, { algoClOrdId: 'stop1' }));
    move(-4);
    await heard('effective');
    expect(states()).toEqual(['conditional live', 'conditional effective sl']);
    const row = await find(algoId);
    expect(row).toMatchObject({ state: 'effective', actualSz: '0.5', actualPx: '-1', failCode: '' });
    expect([row.ordIdList, row.ordId === algoId]).toEqual([[row.ordId], false]);
    const [order] = await ask('GET trade/order', { instId: 'BTC-USDT', ordId: row.ordId });
    expect(order).toMatchObject({ algoId, algoClOrdId: 'stop1', clOrdId: '', state: 'filled', side: 'sell' });
    await account.hear(({ data }) => data?.[0].state === 'filled');
    const seen = account
      .pushes('orders')
      .map(({ data: [push] }) => `${push.ordId === row.ordId} ${push.state}`);
    expect([seen[0], seen.at(-1)]).toEqual(['true live', 'true filled']);
    expect(await history('conditional', 'effective')).toEqual([row]);
    expect(await pending()).toEqual([]);
    expect((await call('POST trade/cancel-algos', [{ instId: 'BTC-USDT', algoId }])).data[0].sCode).toBe(
      '51402',
    );
  });

  test('one leg of a pair fires, the other is gone, and the order that rests can be changed', async () => {
    const algoId = await placed(pair({ tpOrdPx: beside(6) }));
    move(3.5);
    await heard('effective');
    expect(states()).toEqual(['oco live', 'oco effective tp']);
    const [order, ...others] = await orders();
    expect(others).toEqual([]);
    expect(order).toMatchObject({ algoId, px: beside(6), sz: '0.5', ordType: 'limit', state: 'live' });
    expect(await frozen('BTC')).toBe('0.5');
    expect(await find(algoId)).toMatchObject({ state: 'effective', actualSide: 'tp', actualPx: beside(6) });
    const { ordId } = order;
    await ask('POST trade/amend-order', { instId: 'BTC-USDT', ordId, newPx: beside(7) });
    expect(await orders()).toMatchObject([{ ordId, px: beside(7) }]);
    await ask('POST trade/cancel-order', { instId: 'BTC-USDT', ordId });
    expect([await orders(), await frozen('BTC')]).toEqual([[], '0']);
  });

  test('it is refused where the account has not enough by then, and says why', async () => {
    const algoId = await placed(stop(-3, { sz: '9' }));
    move(-4);
    await heard('order_failed');
    expect(await find(algoId)).toMatchObject({
      ...{ state: 'order_failed', failCode: '51008', ordId: '', actualSz: '0' },
    });
    expect(await history('conditional', 'order_failed')).toMatchObject([{ algoId }]);
    expect(await ask('GET trade/orders-history', { instType: 'SPOT' })).toEqual([]);
    expect(account.pushes('orders')).toEqual([]);
  });

  test.each<['sell' | 'buy', number]>([
    ['sell', -3],
    ['buy', 3],
  ])('one that trails by a distance follows from its placing on: %s', async (side, percent) => {
    const trail = { ...spot, side, ordType: 'move_order_stop', tgtCcy: 'base_ccy' };
    const algoId = await placed({ ...trail, callbackSpread: String(Math.round(last / 50)) });
    move(percent / 3);
    expect(await find(algoId)).toMatchObject({ state: 'live' });
    move(percent);
    await heard('effective');
    const row = await find(algoId);
    expect(row).toMatchObject({ state: 'effective', actualSz: '0.5', side });
    expect(await ask('GET trade/order', { instId: 'BTC-USDT', ordId: row.ordId })).toMatchObject([
      { algoId, side, state: 'filled' },
    ]);
  });

  test('one that trails follows from its activation and fires on the way back; a cancel is told once', async () => {
    const trail = { ...spot, ordType: 'move_order_stop', callbackSpread: '200' };
    const algoId = await placed({ ...trail, activePx: beside(2) });
    move(4);
    await heard('effective');
    expect(await find(algoId)).toMatchObject({ state: 'effective', actualSide: '', callbackSpread: '200' });
    await ask('POST trade/cancel-algos', [{ instId: 'BTC-USDT', algoId: await placed(pair()) }]);
    await heard('canceled');
    expect(states()).toEqual(['oco live', 'oco canceled']);
    expect(algos.pushes('algo-advance').map(({ data: [row] }) => row.state)).toEqual(['live', 'effective']);
  });
});

/** Of half a coin: the fee of each fill is rounded up. */
const LESS_FEE = expect.stringMatching(/^0\.49(?:95|949)/);

describe('what comes with an order', () => {
  const guards = (more: Params = {}) => [
    {
      ...{ attachAlgoClOrdId: `guard${count}`, tpTriggerPx: beside(3), tpOrdPx: '-1' },
      ...{ slTriggerPx: beside(-3), slOrdPx: '-1', ...more },
    },
  ];
  const buy = (more: Params = {}, leg: Params = {}): Params => ({
    ...{
      ...spot,
      side: 'buy',
      ordType: 'limit',
      px: beside(-1),
      attachAlgoOrds: guards(leg) as never,
      ...more,
    },
  });
  const order = async (asked: Params) => {
    const { data, code, msg } = await call('POST trade/order', asked);
    return data?.[0] ?? { sCode: code, sMsg: msg };
  };

  test('stands in its row, and waits as an algo order once that has filled, less the fee', async () => {
    const { ordId } = await order(buy());
    const row = async () => (await ask('GET trade/order', { instId: 'BTC-USDT', ordId }))[0];
    expect((await row()).attachAlgoOrds).toEqual([
      {
        ...{ ...guards()[0], tpTriggerPxType: 'last', slTriggerPxType: 'last', tpOrdKind: 'condition' },
        ...{ amendPxOnTriggerType: '0', failCode: '', failReason: '', sz: '' },
        attachAlgoId: expect.stringMatching(/^7[0-9]{19}$/),
      },
    ]);
    expect(await pending()).toEqual([]);
    await ask('POST trade/amend-order', { instId: 'BTC-USDT', ordId, newPx: beside(1) });
    expect((await row()).state).toBe('filled');
    expect(await pending()).toMatchObject([
      {
        ...{ algoClOrdId: `guard${count}`, ordType: 'oco', side: 'sell', sz: LESS_FEE, state: 'live' },
        ...{ tpTriggerPx: beside(3), slTriggerPx: beside(-3) },
      },
    ]);
    expect(await frozen('BTC')).toBe('0');
    move(-4);
    const [algo] = await ask('GET trade/order-algo', { algoClOrdId: `guard${count}` });
    expect(algo).toMatchObject({ state: 'effective', actualSide: 'sl', actualSz: LESS_FEE });
  });

  test('is gone with an order that is cancelled, and never was an algo order', async () => {
    const { ordId } = await order(buy());
    await ask('POST trade/cancel-order', { instId: 'BTC-USDT', ordId });
    expect([await pending(), await history('oco', 'canceled')]).toEqual([[], []]);
    expect((await call('GET trade/order-algo', { algoClOrdId: `guard${count}` })).code).toBe('51603');
  });

  /** What the best offer has, and a coin more. */
  const beyondTheBest = async (): Promise<Params> => {
    const { asks } = (await ask('GET market/books', { instId: 'BTC-USDT', sz: '1' }))[0];
    const [px = '', sz = ''] = asks[0] ?? [];
    return { px, sz: String(Number((Number(sz) + 1).toFixed(4))) };
  };
  test.each<[string, () => Promise<{ ordId: string }>, string]>([
    [
      'is for what an order has filled that is cancelled, less the fee',
      async () => {
        const { ordId } = await order(buy(await beyondTheBest()));
        await ask('POST trade/cancel-order', { instId: 'BTC-USDT', ordId });
        return { ordId };
      },
      'canceled',
    ],
    [
      'is for what an order that never rests has found',
      async () => order(buy({ ...(await beyondTheBest()), ordType: 'ioc' })),
      'canceled',
    ],
    ['is for what so much money bought', () => order(buy({ ordType: 'market', sz: '1000' })), 'filled'],
    [
      'is for the size that the order has come to',
      async () => {
        const { ordId } = await order(buy());
        await ask('POST trade/amend-order', { instId: 'BTC-USDT', ordId, newSz: '0.4', newPx: beside(1) });
        return { ordId };
      },
      'filled',
    ],
  ])('%s', async (_name, act, state) => {
    const { ordId } = await act();
    const [row] = await ask('GET trade/order', { instId: 'BTC-USDT', ordId });
    expect(row.state).toBe(state);
    const filled = Number(row.accFillSz);
    expect(filled).toBeGreaterThan(0);
    const [leg] = await pending();
    expect(leg).toMatchObject({ algoClOrdId: `guard${count}`, ordType: 'oco', side: 'sell', state: 'live' });
    expect(amount(leg.sz)).toBe(minus(amount(row.accFillSz), amount(row.fee.slice(1))));
  });

  test('is not changed', async () => {
    const { ordId } = await order(buy());
    const change = { instId: 'BTC-USDT', ordId, attachAlgoOrds: [{ newTpTriggerPx: beside(4) }] as never };
    expect((await call('POST trade/amend-order', change)).data[0].sCode).toBe('51000');
    expect(await orders()).toMatchObject([{ ordId, sz: '0.5', state: 'live' }]);
    await ask('POST trade/cancel-order', { instId: 'BTC-USDT', ordId });
  });

  test.each<[string, () => Params, string]>([
    ['a take profit below the order', () => buy({}, { tpTriggerPx: beside(-2) }), '51046'],
    ['a stop loss above it', () => buy({}, { slTriggerPx: beside(2) }), '51047'],
    ['a take profit of a sale above the price', () => buy({ side: 'sell', ordType: 'market' }), '51048'],
    ['the mark', () => buy({}, { slTriggerPxType: 'mark' }), '51415'],
    ['two of them', () => buy({ attachAlgoOrds: [...guards(), ...guards()] as never }), '51077'],
    ['a target in the book', () => buy({}, { tpOrdKind: 'limit', tpTriggerPx: '' }), '51094'],
    ['a stop at the cost', () => buy({}, { amendPxOnTriggerType: '1' }), '51077'],
  ])('%s is refused', async (_, asked, code) => {
    expect((await order(asked())).sCode).toBe(code);
    expect(await orders()).toEqual([]);
  });
});

describe('what comes with a trigger order', () => {
  const legs = () => ({
    ...{ attachAlgoClOrdId: `guard${count}`, tpTriggerPx: beside(3), tpOrdPx: '-1', tpTriggerPxType: 'last' },
    ...{ slTriggerPx: beside(-4), slOrdPx: '-1', slTriggerPxType: 'last' },
  });
  const trigger = (more: Params = {}, leg: Params = {}): Params => ({
    ...{ ...spot, side: 'buy', ordType: 'trigger', triggerPx: beside(-2), orderPx: '-1' },
    ...{ algoClOrdId: `bid${count}`, attachAlgoOrds: [{ ...legs(), ...leg }] as never, ...more },
  });
  beforeEach(() => ask('POST account/set-account-level', { acctLv: '2' }));

  test('is in its row, goes with what it sends, and waits once that has filled, less the fee', async () => {
    const algoId = await placed(trigger());
    expect(await find(algoId)).toMatchObject({ ordType: 'trigger', state: 'live', attachAlgoOrds: [legs()] });
    expect([(await pending()).length, await frozen('USDT')]).toEqual([1, '0']);
    const amended = await ask('POST trade/amend-algos', {
      ...{ instId: 'BTC-USDT', algoId, newTriggerPx: beside(-1) },
    });
    expect(amended[0].sCode).toBe('0');
    rig.venue.spot.shock('BTC-USDT', 0.985);
    rig.advance(3_000);
    const { state, ordId, triggerPx } = await find(algoId);
    expect([state, triggerPx]).toEqual(['effective', beside(-1)]);
    const [child] = await ask('GET trade/order', { instId: 'BTC-USDT', ordId });
    expect(child).toMatchObject({ state: 'filled', algoId, attachAlgoOrds: [legs()] });
    expect(await pending()).toMatchObject([
      { algoClOrdId: `guard${count}`, ordType: 'oco', side: 'sell', sz: LESS_FEE, attachAlgoOrds: [] },
    ]);
    move(-4);
    rig.venue.spot.shock('BTC-USDT', 1 / 0.985);
    expect(await pending()).toEqual([]);
    const [guard] = await ask('GET trade/order-algo', { algoClOrdId: `guard${count}` });
    expect(guard).toMatchObject({ state: 'effective', actualSide: 'sl', actualSz: LESS_FEE });
    expect(await history('trigger,oco', 'effective')).toMatchObject([{ algoId: guard.algoId }, { algoId }]);
  });

  test('is gone with a trigger order that is cancelled, and with what that sent and did not fill', async () => {
    const algoId = await placed(trigger());
    const [gone] = await ask('POST trade/cancel-algos', [{ instId: 'BTC-USDT', algoId }]);
    expect([gone.sCode, await pending(), await history('oco', 'canceled')]).toEqual(['0', [], []]);
    expect(await history('trigger', 'canceled')).toMatchObject([{ algoId, attachAlgoOrds: [legs()] }]);
    const rests = await placed(trigger({ orderPx: beside(-3), algoClOrdId: `low${count}` }));
    move(-2.5);
    const { ordId } = await find(rests);
    await ask('POST trade/cancel-order', { instId: 'BTC-USDT', ordId });
    expect([await pending(), await history('oco', 'canceled'), await orders()]).toEqual([[], [], []]);
  });

  test('is not changed, nor the size that it has too', async () => {
    const algoId = await placed(trigger());
    for (const change of [{ newSz: '0.2' }, { attachAlgoOrds: [{ newTpTriggerPx: beside(4) }] as never }]) {
      const { data } = await call('POST trade/amend-algos', { instId: 'BTC-USDT', algoId, ...change });
      expect(data[0].sCode).toBe('51000');
    }
    expect(await find(algoId)).toMatchObject({ sz: '0.5', attachAlgoOrds: [legs()] });
  });

  test.each<[string, () => Params, string]>([
    ['a take profit below its trigger', () => trigger({}, { tpTriggerPx: beside(-3) }), '51046'],
    ['a stop loss above what it sends', () => trigger({ orderPx: beside(-5) }), '51047'],
    ['the mark', () => trigger({}, { slTriggerPxType: 'mark' }), '51415'],
    ['two of them', () => trigger({ attachAlgoOrds: [legs(), legs()] as never }), '51077'],
    ['a target in the book', () => trigger({}, { tpOrdKind: 'limit', tpTriggerPx: '' }), '51094'],
    ['one of a stop', () => stop(-3, { attachAlgoOrds: [legs()] as never }), '51000'],
  ])('%s is refused', async (_, asked, code) => {
    expect((await place(asked())).sCode).toBe(code);
    expect(await pending()).toEqual([]);
  });

  test('an account in Spot mode has none', async () => {
    await ask('POST account/set-account-level', { acctLv: '1' });
    expect((await place(trigger())).sCode).toBe('51010');
  });
});

describe('what is refused', () => {
  test.each<[string, () => Params, string]>([
    ['margin', () => stop(-3, { tdMode: 'cross' }), '51010'],
    ['the mark', () => stop(-3, { slTriggerPxType: 'mark' }), '51415'],
    [
      'a trigger by the index',
      () => ({
        ...{ ...spot, ordType: 'trigger', triggerPx: beside(2), orderPx: '-1', triggerPxType: 'index' },
      }),
      '51415',
    ],
    ['a stop loss above the price', () => stop(1), '51280'],
    ['a stop loss of a purchase below it', () => stop(-1, { side: 'buy' }), '51278'],
    ['a take profit below it', () => pair({ tpTriggerPx: beside(-1) }), '51279'],
    ['a pair whose stop is above it', () => pair({ slTriggerPx: beside(1) }), '51280'],
    [
      'an activation that is reached',
      () => ({
        ...{ ...spot, ordType: 'move_order_stop', callbackRatio: '0.01', activePx: beside(-1) },
      }),
      '51258',
    ],
    [
      'a purchase from an activation that is reached',
      () => ({
        ...{ ...spot, side: 'buy', ordType: 'move_order_stop', callbackRatio: '0.01', activePx: beside(1) },
      }),
      '51259',
    ],
    [
      'a way back that is too short',
      () => ({
        ...{ ...spot, ordType: 'move_order_stop', callbackRatio: '0.0005' },
      }),
      '51257',
    ],
    ['all of a position', () => stop(-3, { closeFraction: '1' }), '51327'],
    ['a sale of so much quote', () => stop(-3, { tgtCcy: 'quote_ccy' }), '51000'],
    [
      'a trigger that counts quote',
      () => ({
        ...{ ...spot, ordType: 'trigger', triggerPx: beside(2), orderPx: '-1', tgtCcy: 'quote_ccy' },
      }),
      '51281',
    ],
    ['a size between lots', () => stop(-3, { sz: '0.000000001' }), '51121'],
    ['a size below the smallest', () => stop(-3, { sz: '0.000001' }), '51020'],
    ['a limit far from the price', () => stop(-3, { slOrdPx: beside(-70) }), '51006'],
    ['a pair that is suspended', () => stop(-3, { instId: 'WAVES-USDT', slTriggerPx: '0.1' }), '51022'],
  ])('%s', async (_, order, code) => {
    expect((await place(order())).sCode).toBe(code);
    expect(await pending()).toEqual([]);
  });

  test('ids that are none, and those of others', async () => {
    const algoId = await placed(stop(-3));
    const cancelled = async (names: Params) =>
      (await call('POST trade/cancel-algos', [{ instId: 'BTC-USDT', ...names }])).data[0].sCode;
    expect(await cancelled({ algoId: '1' })).toBe('51400');
    expect(await cancelled({ algoId, instId: 'ETH-USDT' })).toBe('51400');
    expect((await call('GET trade/order', { instId: 'BTC-USDT', ordId: algoId })).code).toBe('51603');
    const own = key;
    key = await rig.key(unique('stranger'), { USDT: '1' });
    expect([await cancelled({ algoId }), await pending()]).toEqual(['51400', []]);
    key = own;
    expect(await cancelled({ algoId })).toBe('0');
  });

  test('an order that waits as an ordinary one: it is neither cancelled nor changed by those calls', async () => {
    const algoId = await placed(stop(-3));
    const names = { instId: 'BTC-USDT', ordId: String(BigInt(algoId.slice(1))) };
    expect((await call('POST trade/cancel-order', names)).data[0].sCode).toBe('51400');
    expect((await call('POST trade/amend-order', { ...names, newSz: '0.1' })).data[0].sCode).toBe('51503');
    expect((await call('GET trade/order', names)).code).toBe('51603');
    expect(await find(algoId)).toMatchObject({ state: 'live', sz: '0.5' });
  });
});
