import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Params, unique } from '../../wire/rig.fixture.ts';
import type { ChannelSocket } from '../rig.fixture.ts';
import { type Member, MemberRig, SWAP } from './member-rig.fixture.ts';

/** Algo orders on contracts: placed, listed, changed, cancelled, fired and refused, in OKX's words and order. */

let rig: MemberRig;
let member: Member;
let members = 0;
beforeAll(async () => {
  rig = await MemberRig.open();
});
afterAll(async () => {
  expect(rig.complaints).toEqual([]);
  await rig.close();
});
beforeEach(async () => {
  members += 1;
  rig.core.clearHouse(SWAP);
  rig.core.marks.set(SWAP, 60_000);
  rig.core.indices.clear();
  member = await rig.member(unique('algo'), '5000');
});

const ROW =
  'activePx actualPx actualSide actualSz algoClOrdId algoId amendPxOnTriggerType attachAlgoOrds cTime callbackRatio callbackSpread ccy clOrdId closeFraction failCode instId instType last lever linkedOrd moveTriggerPx ordId ordIdList ordPx ordType posSide pxLimit pxSpread pxVar quickMgnType reduceOnly side slOrdPx slTriggerPx slTriggerPxType state sz szLimit tag tdMode tgtCcy timeInterval tpOrdPx tpTriggerPx tpTriggerPxType triggerPx triggerPxType triggerTime uTime';
const base = { instId: SWAP, tdMode: 'cross', side: 'sell', sz: '5', reduceOnly: true };
const STOP = {
  ...{ ...base, ordType: 'conditional', slTriggerPx: '59000', slOrdPx: '-1', slTriggerPxType: 'mark' },
};
const PAIR = {
  ...{ ...base, ordType: 'oco', tpTriggerPx: '61000', tpOrdPx: '60900', tpTriggerPxType: 'mark' },
  ...{ slTriggerPx: '59000', slOrdPx: '-1', slTriggerPxType: 'mark' },
};
const TRIGGER = {
  ...{ ...base, reduceOnly: false, side: 'buy', ordType: 'trigger', triggerPx: '59500', orderPx: '59400' },
  triggerPxType: 'mark',
};
const TRAIL = { ...base, ordType: 'move_order_stop', callbackRatio: '0.01', activePx: '61000' };

const place = async (order: Params) => {
  const { body } = await member.call('POST trade/order-algo', order);
  return body.data?.[0] ?? { sCode: body.code, sMsg: body.msg };
};
const placed = async (order: Params): Promise<string> => {
  const { sCode, sMsg, algoId } = await place(order);
  if (sCode !== '0') throw new Error(`${sCode} ${sMsg}`);
  return algoId;
};
const find = async (algoId: string) => (await member.ask('GET trade/order-algo', { algoId }))[0];
const pending = async (ordType: string, more: Params = {}) =>
  await member.ask('GET trade/orders-algo-pending', { ordType, ...more });
const history = async (ordType: string, state: string) =>
  await member.ask('GET trade/orders-algo-history', { ordType, state });

describe('an algo order', () => {
  test.each<[string, Params, Params]>([
    ['conditional', STOP, { slTriggerPx: '59000', slOrdPx: '-1', slTriggerPxType: 'mark', tpTriggerPx: '' }],
    ['oco', PAIR, { tpTriggerPx: '61000', tpOrdPx: '60900', slTriggerPx: '59000', slOrdPx: '-1' }],
    ['trigger', TRIGGER, { triggerPx: '59500', ordPx: '59400', triggerPxType: 'mark', slTriggerPx: '' }],
    ['move_order_stop', TRAIL, { callbackRatio: '0.01', activePx: '61000', moveTriggerPx: '' }],
  ])(
    'of the kind %s is listed as it was asked for, under its own name, until it is cancelled',
    async (kind, asked, said) => {
      const { algoId, ...ack } = await place({ ...asked, algoClOrdId: `mine${members}`, tag: 'mark1' });
      expect(ack).toEqual({
        ...{ algoClOrdId: `mine${members}`, clOrdId: '', sCode: '0', sMsg: '', tag: 'mark1' },
      });
      const [row, ...others] = await pending(kind);
      expect(others).toEqual([]);
      expect(Object.keys(row).sort().join(' ')).toBe(ROW.split(' ').sort().join(' '));
      expect(row).toMatchObject({
        ...{ algoId, algoClOrdId: `mine${members}`, ordType: kind, state: 'live', sz: '5', tag: 'mark1' },
        ...{ instId: SWAP, instType: 'SWAP', tdMode: 'cross', posSide: 'net', ordId: '', actualSz: '0' },
        ...{ side: asked.side, reduceOnly: String(asked.reduceOnly), ...said },
      });
      expect(await find(algoId)).toEqual(row);
      expect(await member.ask('GET trade/order-algo', { algoClOrdId: `mine${members}` })).toEqual([row]);
      expect(await pending('conditional,oco')).toEqual(stops(kind) ? [row] : []);
      const cancel = [{ instId: SWAP, algoClOrdId: `mine${members}` }];
      expect(await member.ask('POST trade/cancel-algos', cancel)).toMatchObject([{ algoId, sCode: '0' }]);
      expect(await pending(kind)).toEqual([]);
      expect(await history(kind, 'canceled')).toMatchObject([{ algoId, state: 'canceled' }]);
      expect(await history(kind, 'effective')).toEqual([]);
      const again = (await member.call('POST trade/cancel-algos', cancel)).body;
      expect([again.code, again.data[0].sCode]).toEqual(['1', '51401']);
    },
  );
  const stops = (kind: string) => kind === 'conditional' || kind === 'oco';

  test('holds no margin, and pages join', async () => {
    const ids: string[] = [];
    for (const slTriggerPx of ['59000', '58000', '57000']) {
      ids.unshift(await placed({ ...STOP, slTriggerPx }));
      rig.core.now = (rig.core.now + 1_000) as never;
    }
    const [{ details }] = await member.ask('GET account/balance', { ccy: 'USDT' });
    expect(details[0]).toMatchObject({ availEq: '5000', imr: '0' });
    const two = await pending('conditional', { limit: '2' });
    const rest = await pending('conditional', { after: two[1].algoId });
    expect([...two, ...rest].map(({ algoId }: Record<string, string>) => algoId)).toEqual(ids);
    expect(await pending('conditional', { instType: 'SPOT' })).toEqual([]);
  });

  test('is changed under its own ids: trigger, price, size, how far it comes back', async () => {
    const names = { instId: SWAP, algoId: await placed(PAIR) };
    const change = { newTpTriggerPx: '62000', newTpOrdPx: '-1', newSlTriggerPx: '58000', newSz: '3' };
    expect(await member.ask('POST trade/amend-algos', { ...names, ...change, reqId: 'r1' })).toEqual([
      { ...{ algoId: names.algoId, algoClOrdId: '', sCode: '0', sMsg: '' }, reqId: 'r1' },
    ]);
    expect(await find(names.algoId)).toMatchObject({
      ...{ tpTriggerPx: '62000', tpOrdPx: '-1', slTriggerPx: '58000', slOrdPx: '-1', sz: '3' },
      ...{ tpTriggerPxType: 'mark', slTriggerPxType: 'mark', state: 'live' },
    });
    const trigger = { instId: SWAP, algoId: await placed(TRIGGER) };
    await member.ask('POST trade/amend-algos', { ...trigger, newTriggerPx: '59300', newOrdPx: '-1' });
    expect(await find(trigger.algoId)).toMatchObject({ triggerPx: '59300', ordPx: '-1' });
    const trail = { instId: SWAP, algoId: await placed(TRAIL) };
    await member.ask('POST trade/amend-algos', { ...trail, newCallbackSpread: '250', newActivePx: '61500' });
    expect(await find(trail.algoId)).toMatchObject({
      ...{ callbackSpread: '250', callbackRatio: '', activePx: '61500' },
    });
  });
});

describe('when its price comes', () => {
  let socket: ChannelSocket;
  beforeEach(async () => {
    await member.trade('buy', '5', 60_000);
    const channels = ['orders-algo', 'algo-advance'];
    socket = await member.listenAt('business', ...channels.map((channel) => ({ channel, instType: 'SWAP' })));
  });
  const states = () =>
    socket
      .pushes('orders-algo')
      .map(({ data }) => `${data[0].ordType} ${data[0].state} ${data[0].actualSide}`);

  test('it is effective, and says which order it sent; that one says by which it was sent', async () => {
    const algoId = await placed({ ...STOP, algoClOrdId: 'stop1' });
    rig.core.house(SWAP, 'BUY', 58_900, 500 as never);
    rig.core.mark(SWAP, 59_000);
    await socket.hear(({ data }) => data?.[0].state === 'effective');
    expect(states()).toEqual(['conditional live ', 'conditional effective sl']);
    const row = await find(algoId);
    expect(row).toMatchObject({
      state: 'effective',
      actualSz: '5',
      actualPx: '-1',
      actualSide: 'sl',
      failCode: '',
    });
    expect(row.ordIdList).toEqual([row.ordId]);
    expect(Number(row.triggerTime)).toBe(rig.core.now);
    const [sent] = await member.ask('GET trade/order', { instId: SWAP, ordId: row.ordId });
    expect(sent).toMatchObject({ algoId, algoClOrdId: 'stop1', clOrdId: '', state: 'filled', side: 'sell' });
    expect(await history('conditional', 'effective')).toEqual([row]);
    expect(await pending('conditional')).toEqual([]);
    expect(await member.ask('GET account/positions', { instId: SWAP })).toEqual([]);
  });

  const FOLLOWED = ['LAST', 'MARK', 'INDEX'] as const;
  test.each([
    ['slTriggerPxType', 'last', 'LAST'],
    ['slTriggerPxType', 'mark', 'MARK'],
    ['slTriggerPxType', 'index', 'INDEX'],
    ['slTriggerPxType', '', 'LAST'],
    ['triggerPxType', 'mark', 'MARK'],
    ['triggerPxType', 'index', 'INDEX'],
  ] as const)('%s "%s" fires at that price alone: %s', async (field, type, by) => {
    const stop = field === 'slTriggerPxType' ? STOP : { ...TRIGGER, triggerPx: '59000', orderPx: '-1' };
    rig.core.house(SWAP, 'BUY', 58_000, 1_000 as never);
    const algoId = await placed({ ...stop, ...base, [field]: type });
    for (const other of FOLLOWED) if (other !== by) rig.core.reach(SWAP, other, 58_900);
    expect(await find(algoId)).toMatchObject({ state: 'live', [field]: type === '' ? 'last' : type });
    rig.core.reach(SWAP, by, 59_000);
    expect(await find(algoId)).toMatchObject({ state: 'effective', actualSz: '5' });
  });

  test.each([
    ['mark', 'MARK', 60_900],
    ['index', 'INDEX', 61_100],
  ] as const)(
    'a trigger order by the %s fires from the side on which that stood',
    async (type, by, short) => {
      rig.core.reach(SWAP, 'INDEX', 62_000);
      rig.core.house(SWAP, 'BUY', 58_000, 1_000 as never);
      const asked = { ...TRIGGER, ...base, triggerPx: '61000', orderPx: '-1', triggerPxType: type };
      const algoId = await placed(asked);
      rig.core.reach(SWAP, by, short);
      expect(await find(algoId)).toMatchObject({ state: 'live' });
      rig.core.reach(SWAP, by, 61_000);
      expect(await find(algoId)).toMatchObject({ state: 'effective', actualSz: '5' });
    },
  );

  test('one leg of a pair fires and the other is gone with it', async () => {
    const algoId = await placed(PAIR);
    rig.core.mark(SWAP, 61_000);
    await socket.hear(({ data }) => data?.[0].state === 'effective');
    rig.core.house(SWAP, 'BUY', 57_900, 1_000 as never);
    rig.core.mark(SWAP, 58_000);
    expect([await pending('oco'), await member.held()]).toEqual([[], [`${SWAP} cross net 5`]]);
    expect(states()).toEqual(['oco live ', 'oco effective tp']);
    expect(await find(algoId)).toMatchObject({ actualPx: '60900', actualSz: '5', actualSide: 'tp' });
    expect(await member.ask('GET trade/orders-pending', { instType: 'SWAP' })).toMatchObject([
      { algoId, px: '60900' },
    ]);
  });

  test('it is refused where the account cannot carry what it sends, and says why', async () => {
    const algoId = await placed({ ...TRIGGER, sz: '5000', orderPx: '-1' });
    rig.core.house(SWAP, 'SELL', 59_600, 1_000_000 as never);
    rig.core.mark(SWAP, 59_400);
    await socket.hear(({ data }) => data?.[0].state === 'order_failed');
    expect(await find(algoId)).toMatchObject({
      state: 'order_failed',
      failCode: '51008',
      ordId: '',
      actualSz: '0',
    });
    expect(await history('trigger', 'order_failed')).toMatchObject([{ algoId }]);
  });

  test('what closes all of a position stands in its row and ends with it', async () => {
    const { sz: _, ...whole } = PAIR;
    const algoId = await placed({ ...whole, tpOrdPx: '-1', closeFraction: '1' });
    const [position] = await member.ask('GET account/positions', { instId: SWAP });
    expect(position.closeOrderAlgo).toEqual([
      {
        ...{ algoId, slTriggerPx: '59000', slTriggerPxType: 'mark' },
        ...{ tpTriggerPx: '61000', tpTriggerPxType: 'mark', closeFraction: '1' },
      },
    ]);
    expect(await find(algoId)).toMatchObject({ closeFraction: '1', sz: '' });
    await member.trade('sell', '5', 60_000);
    await socket.hear(({ data }) => data?.[0].state === 'canceled');
    expect(states()).toEqual(['oco live ', 'oco canceled ']);
  });

  test('what ends with a position is gone with it, and nothing else', async () => {
    const algoId = await placed({ ...STOP, cxlOnClosePos: true });
    const stays = await placed(STOP);
    await member.trade('sell', '5', 60_000);
    await socket.hear(({ data }) => data?.[0].state === 'canceled');
    expect([(await find(algoId)).state, (await find(stays)).state]).toEqual(['canceled', 'live']);
  });

  const BY_DISTANCE = { ...TRAIL, activePx: '', callbackRatio: '', callbackSpread: '500' };

  test('a trailing one follows from its placing on and fires where the price comes back', async () => {
    const algoId = await placed(BY_DISTANCE);
    await member.trade('buy', '1', 60_600);
    await member.trade('sell', '1', 60_200);
    expect(await find(algoId)).toMatchObject({ state: 'live', moveTriggerPx: '60100' });
    rig.core.house(SWAP, 'BUY', 60_000, 500 as never);
    await member.trade('sell', '1', 60_100);
    await socket.hear(({ data }) => data?.[0].state === 'effective');
    expect(await find(algoId)).toMatchObject({ state: 'effective', actualSz: '4' });
    expect(await member.ask('GET account/positions', { instId: SWAP })).toEqual([]);
  });

  test('a trailing one that buys follows a fall, and fires where the price comes back', async () => {
    const algoId = await placed({ ...BY_DISTANCE, side: 'buy', reduceOnly: false });
    rig.core.house(SWAP, 'SELL', 61_000, 500 as never);
    for (const seen of [59_400, 59_800]) rig.core.reach(SWAP, 'LAST', seen);
    expect(await find(algoId)).toMatchObject({ state: 'live', moveTriggerPx: '59900' });
    rig.core.reach(SWAP, 'LAST', 59_900);
    expect(await find(algoId)).toMatchObject({ state: 'effective', actualSz: '5' });
  });

  test('a trailing one is cancelled by a change that cannot be, where that was asked for', async () => {
    const algoId = await placed(BY_DISTANCE);
    expect(await find(algoId)).toMatchObject({ callbackSpread: '500', activePx: '', state: 'live' });
    const changed = { instId: SWAP, algoId, cxlOnFail: true, newCallbackRatio: '7' };
    const { body } = await member.call('POST trade/amend-algos', changed);
    expect(body.data[0].sCode).toBe('51257');
    expect(await find(algoId)).toMatchObject({ state: 'canceled' });
  });
});

describe('what is attached to an order', () => {
  const attachAlgoOrds = [
    {
      ...{ attachAlgoClOrdId: 'guard', tpTriggerPx: '61000', tpOrdPx: '-1', tpTriggerPxType: 'mark' },
      ...{ slTriggerPx: '59000', slOrdPx: '58900', slTriggerPxType: 'mark' },
    },
  ];
  const order = (legs: unknown, more: Params = {}) =>
    member.order('buy', '5', { px: '60000', attachAlgoOrds: legs as never, ...more });

  test('stands in its row, and comes alive with its fill as an algo order of its own', async () => {
    const { ordId, sCode } = await order(attachAlgoOrds);
    expect(sCode).toBe('0');
    const find = async () => (await member.ask('GET trade/order', { instId: SWAP, ordId: ordId ?? '' }))[0];
    expect((await find()).attachAlgoOrds).toEqual([
      {
        ...attachAlgoOrds[0],
        ...{ amendPxOnTriggerType: '0', failCode: '', failReason: '', sz: '', tpOrdKind: 'condition' },
        attachAlgoId: expect.stringMatching(/^7[0-9]{17}$/),
      },
    ]);
    expect(await pending('oco')).toEqual([]);
    await rig.core.trade((await rig.member(unique('other'), '100000')).account, SWAP, {
      ...{ lots: -500, at: 60_000 },
    });
    expect(await find()).toMatchObject({ state: 'filled' });
    expect(await pending('oco')).toMatchObject([
      {
        ...{ algoClOrdId: 'guard', side: 'sell', sz: '5', reduceOnly: 'true', state: 'live' },
        ...{ tpTriggerPx: '61000', slTriggerPx: '59000', slOrdPx: '58900' },
      },
    ]);
  });

  test('is for what has filled of an order that is cancelled, and comes with its end', async () => {
    const { ordId = '' } = await order(attachAlgoOrds);
    const other = (await rig.member(unique('other'), '100000')).account;
    await rig.core.trade(other, SWAP, { lots: -200, at: 60_000 });
    expect(await pending('oco')).toEqual([]);
    await member.ask('POST trade/cancel-order', { instId: SWAP, ordId });
    expect(await pending('oco')).toMatchObject([{ algoClOrdId: 'guard', sz: '2', state: 'live' }]);
  });

  test.each<[string, unknown, string]>([
    ['a text', '[]', '51000'],
    ['two of them', [attachAlgoOrds[0], attachAlgoOrds[0]], '51076'],
    ['neither leg', [{}], '50015'],
    ['a size of its own', [{ ...attachAlgoOrds[0], sz: '1' }], '51000'],
    ['a take profit below the order', [{ ...attachAlgoOrds[0], tpTriggerPx: '59900' }], '51046'],
    ['a stop loss above it', [{ ...attachAlgoOrds[0], slTriggerPx: '60100' }], '51047'],
  ])('%s is refused', async (_, legs, code) => {
    const { body } = await member.call('POST trade/order', {
      ...{ instId: SWAP, tdMode: 'cross', side: 'buy', ordType: 'limit', sz: '5', px: '60000' },
      attachAlgoOrds: legs as never,
    });
    expect(body.data?.[0]?.sCode ?? body.code).toBe(code);
    expect(await member.ask('GET trade/orders-pending', { instType: 'SWAP' })).toEqual([]);
  });
});

describe('what is refused', () => {
  const without = (order: Params, name: string): Params =>
    Object.fromEntries(Object.entries(order).filter(([key]) => key !== name));
  const refusals: [string, Params, string][] = [
    ['an unknown contract', { ...STOP, instId: 'NOPE-USDT-SWAP' }, '51001'],
    ['no margin mode', without(STOP, 'tdMode'), '50014'],
    ['a kind that is none', { ...STOP, ordType: 'chase' }, '51000'],
    ['no size', without(STOP, 'sz'), '50014'],
    ['a size of 0', { ...STOP, sz: '0' }, '51000'],
    ['a size between lots', { ...STOP, sz: '0.015' }, '51121'],
    ['a size beyond the largest', { ...STOP, sz: '99999999', slOrdPx: '58000' }, '51005'],
    ['no trigger', { ...STOP, slTriggerPx: '' }, '50015'],
    ['a trigger between ticks', { ...STOP, slTriggerPx: '59000.05' }, '51000'],
    ['a trigger without what it sends', { ...STOP, slOrdPx: '' }, '50014'],
    ['a followed price that is none', { ...STOP, slTriggerPxType: 'fair' }, '51000'],
    ['half a pair', { ...PAIR, tpTriggerPx: '' }, '50014'],
    ['a stop loss above the mark', { ...STOP, slTriggerPx: '60500' }, '51304'],
    ['a take profit below it', { ...PAIR, tpTriggerPx: '59900' }, '51303'],
    ['a stop loss of a short below it', { ...STOP, side: 'buy', slTriggerPx: '59500' }, '51302'],
    ['a take profit of a short above it', { ...PAIR, side: 'buy', slTriggerPx: '61000' }, '51300'],
    ['a stop loss above the index', { ...STOP, slTriggerPx: '60500', slTriggerPxType: 'index' }, '51308'],
    ['a trigger order without a trigger', { ...TRIGGER, triggerPx: '' }, '50014'],
    ['a trigger order without a price', { ...TRIGGER, orderPx: '' }, '50014'],
    ['nothing to come back by', { ...TRAIL, callbackRatio: '' }, '50015'],
    ['both ways to come back', { ...TRAIL, callbackSpread: '10' }, '51000'],
    ['a share of nothing', { ...TRAIL, callbackRatio: '0.00001' }, '51000'],
    ['more than all of a position', { ...STOP, closeFraction: '2' }, '51000'],
    ['all of a position without reducing', { ...STOP, reduceOnly: false, closeFraction: '1' }, '51328'],
    ['all of a position at a limit', { ...STOP, slOrdPx: '58000', closeFraction: '1' }, '51330'],
    ['all of a position that is none', { ...STOP, closeFraction: '1' }, '51169'],
    ['a name with a sign', { ...STOP, algoClOrdId: 'a-b' }, '51000'],
    ['what would be attached', { ...STOP, attachAlgoOrds: '[]' }, '51000'],
  ];
  test.each(refusals)('%s', async (_, order, code) => {
    expect((await place(order)).sCode).toBe(code);
    expect(await pending('conditional,oco,trigger,move_order_stop')).toEqual([]);
  });

  test('a pair, an account in Spot mode, a name that waits already', async () => {
    expect((await place({ ...STOP, instId: 'BTC-USDT', tdMode: 'cash' })).sCode).not.toBe('0');
    await placed({ ...STOP, algoClOrdId: 'twice' });
    expect((await place({ ...TRAIL, algoClOrdId: 'twice' })).sCode).toBe('51065');
    member = await rig.member(unique('spot'), '1000', true);
    expect((await place(STOP)).sCode).toBe('51010');
  });

  test('all of a leg: in hedge mode the size is said', async () => {
    await member.ask('POST account/set-position-mode', { posMode: 'long_short_mode' });
    const { sz: _, ...whole } = { ...STOP, posSide: 'long', closeFraction: '1' };
    expect((await place(whole)).sCode).toBe('51329');
  });

  test.each<[string, Params | Params[], string]>([
    ['POST trade/cancel-algos', [{ instId: SWAP }], '51003'],
    ['POST trade/cancel-algos', [{ instId: SWAP, algoId: '1' }], '51400'],
    ['POST trade/amend-algos', { instId: SWAP, algoId: '1', newSz: '1' }, '51503'],
    ['GET trade/order-algo', {}, '50015'],
    ['GET trade/order-algo', { algoId: '1' }, '51603'],
    ['GET trade/orders-algo-pending', {}, '50014'],
    ['GET trade/orders-algo-history', { ordType: 'oco' }, '50015'],
    ['GET trade/orders-algo-history', { ordType: 'oco', state: 'live' }, '51000'],
  ])('%s %j', async (route, params, code) => {
    const { body } = await member.call(route, params);
    expect(body.data?.[0]?.sCode ?? body.code).toBe(code);
  });

  test('nothing to change, and a change against the price', async () => {
    const names = { instId: SWAP, algoId: await placed(STOP) };
    const amend = async (more: Params) =>
      (await member.call('POST trade/amend-algos', { ...names, ...more })).body.data[0].sCode;
    expect(await amend({})).toBe('51500');
    expect(await amend({ newSlTriggerPx: '60500' })).toBe('51304');
    expect(await amend({ newSz: '0' })).toBe('51000');
    expect(await find(names.algoId)).toMatchObject({ slTriggerPx: '59000', sz: '5', state: 'live' });
  });
});
