import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { unique } from '../../wire/rig.fixture.ts';
import { BTC, type Member, MemberRig } from './member-rig.fixture.ts';

/** Orders that wait for a price: placed, listed, changed, cancelled, fired and refused, under one id from first to last. */

const rig = openedOnce(() => MemberRig.open());
let member: Member;
beforeEach(async () => {
  rig.core.marks.set('BTCUSDT', 60_000);
  rig.core.indices.clear();
  member = await rig.member(unique('stopper'));
});
afterEach(() => {
  rig.core.clearHouse('BTCUSDT');
});

const STOP = {
  ...{ ...BTC, side: 'Buy', orderType: 'Market', qty: '0.010' },
  ...{ triggerPrice: '61000', triggerDirection: 1, triggerBy: 'MarkPrice' },
};
const LIMIT = { ...STOP, orderType: 'Limit', price: '61500' };
const place = async (more: object = {}) => await member.ask('POST order/create', { ...STOP, ...more });
const listed = async (params: Record<string, string | number> = {}) =>
  (await member.ask('GET order/realtime', { ...BTC, ...params })).list;
const statusOf = async (orderId: string) => (await listed({ orderId }))[0]?.orderStatus;

describe('an order that waits', () => {
  test('is acknowledged and listed as it was asked for, holds no margin, and is deactivated', async () => {
    const placed = await place({ orderLinkId: 'mine-1' });
    expect(placed).toEqual({ orderId: expect.stringMatching(/^[0-9]+$/), orderLinkId: 'mine-1' });
    const [row, ...others] = await listed();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      ...{ ...placed, orderStatus: 'Untriggered', stopOrderType: 'Stop', createType: 'CreateByStopOrder' },
      ...{ triggerPrice: '61000', triggerDirection: 1, triggerBy: 'MarkPrice', qty: '0.01', side: 'Buy' },
      ...{ orderType: 'Market', price: '0', timeInForce: 'IOC', reduceOnly: false, closeOnTrigger: false },
      ...{ cumExecQty: '0', leavesQty: '0.01', positionIdx: 0, cancelType: 'UNKNOWN', tpslMode: '' },
    });
    expect(await listed({ orderLinkId: 'mine-1' })).toEqual([row]);
    const [wallet] = (await member.ask('GET account/wallet-balance', { accountType: 'UNIFIED' })).list;
    expect(wallet.totalInitialMargin).toBe('0');
    expect(await member.ask('POST order/cancel', { ...BTC, orderLinkId: 'mine-1' })).toEqual(placed);
    expect(await listed()).toEqual([]);
    expect(await member.first('GET order/history')).toMatchObject({
      ...{ ...placed, orderStatus: 'Deactivated', cancelType: 'CancelByUser', leavesQty: '0' },
    });
    expect((await member.refusal('POST order/cancel', { ...BTC, orderLinkId: 'mine-1' }))[0]).toBe(110_001);
    expect((await member.refusal('POST order/create', { ...STOP, orderLinkId: 'mine-1' }))[0]).toBe(110_072);
  });

  test('is changed under its own ids: trigger, price, size and which price it follows', async () => {
    const { orderId } = await place({ ...LIMIT });
    const change = { triggerPrice: '62000', price: '62500', qty: '0.02', triggerBy: 'IndexPrice' };
    expect((await member.ask('POST order/amend', { ...BTC, orderId, ...change })).orderId).toBe(orderId);
    expect(await listed()).toMatchObject([
      { orderId, ...change, orderStatus: 'Untriggered', orderType: 'Limit', timeInForce: 'GTC' },
    ]);
    const same = await member.refusal('POST order/amend', { ...BTC, orderId, ...change });
    expect(same[0]).toBe(10_001);
    const reached = await member.refusal('POST order/amend', { ...BTC, orderId, triggerPrice: '59000' });
    expect(reached[0]).toBe(110_092);
  });

  test('at market becomes the order of its own id, with executions, closed profit and log under it', async () => {
    await member.trade('Sell', '0.01', 60_000);
    const { orderId } = await place({ orderLinkId: 'fires', reduceOnly: true });
    rig.core.house('BTCUSDT', 'SELL', 61_010, 10);
    rig.core.mark('BTCUSDT', 61_000);
    const [row] = await listed({ orderId });
    expect(row).toMatchObject({
      ...{ orderId, orderLinkId: 'fires', orderStatus: 'Filled', avgPrice: '61010', cumExecQty: '0.01' },
      ...{ stopOrderType: 'Stop', createType: 'CreateByStopOrder', triggerPrice: '61000' },
    });
    expect(await listed({ orderLinkId: 'fires' })).toEqual([row]);
    expect(await member.first('GET order/history', { orderFilter: 'StopOrder' })).toEqual(row);
    const execution = await member.first('GET execution/list', { orderId });
    expect(execution).toMatchObject({
      ...{ orderId, orderLinkId: 'fires', stopOrderType: 'Stop', createType: 'CreateByStopOrder' },
    });
    const ids = async (route: string) => (await member.ask(route, { category: 'linear' })).list[0];
    expect(await ids('GET position/closed-pnl')).toMatchObject({ orderId, closedSize: '0.01' });
    expect(await ids('GET account/transaction-log')).toMatchObject({ orderId, orderLinkId: 'fires' });
  });

  test('with a limit rests when it has fired, and is amended and cancelled then', async () => {
    const { orderId } = await place({ ...LIMIT, price: '60500' });
    rig.core.mark('BTCUSDT', 61_000);
    expect(await listed({ orderFilter: 'Order' })).toMatchObject([
      { orderId, orderStatus: 'New', price: '60500' },
    ]);
    expect(await listed({ orderFilter: 'StopOrder' })).toEqual([]);
    await member.ask('POST order/amend', { ...BTC, orderId, price: '60400' });
    expect(await listed()).toMatchObject([{ orderId, price: '60400', orderStatus: 'New' }]);
    await member.ask('POST order/cancel', { ...BTC, orderId });
    expect(await statusOf(orderId)).toBe('Cancelled');
  });

  test('is rejected when its price comes and the margin does not suffice', async () => {
    const { orderId } = await place({ qty: '9' });
    rig.core.house('BTCUSDT', 'SELL', 61_000, 9_000);
    rig.core.mark('BTCUSDT', 61_000);
    expect((await listed({ orderId }))[0]).toMatchObject({
      ...{ orderStatus: 'Rejected', rejectReason: 'EC_Others', cumExecQty: '0' },
    });
  });

  test('of size 0 closes what the position is by then, and says that it closes', async () => {
    await member.trade('Buy', '0.02', 60_000);
    const closing = { side: 'Sell', qty: '0', reduceOnly: true, closeOnTrigger: true };
    const down = { ...closing, triggerPrice: '59000', triggerDirection: 2 };
    const { orderId } = await place({ ...down, orderLinkId: 'whole' });
    expect((await listed({ orderLinkId: 'whole' }))[0]).toMatchObject({
      ...{ orderId, qty: '0.02', reduceOnly: true, closeOnTrigger: true, triggerDirection: 2 },
    });
    await member.trade('Buy', '0.03', 60_000);
    rig.core.house('BTCUSDT', 'BUY', 58_990, 50);
    rig.core.mark('BTCUSDT', 59_000);
    expect((await listed({ orderId }))[0]).toMatchObject({ orderStatus: 'Filled', cumExecQty: '0.05' });
    expect(await member.first('GET position/list')).toMatchObject({ size: '0' });
  });

  test.each([
    ['LastPrice', 'LAST'],
    ['MarkPrice', 'MARK'],
    ['IndexPrice', 'INDEX'],
    [undefined, 'LAST'],
  ] as const)('by %s fires at that price alone: %s', async (triggerBy, by) => {
    rig.core.reach('BTCUSDT', 'LAST', 60_000);
    rig.core.house('BTCUSDT', 'SELL', 62_000, 100);
    const { orderId } = await place({ triggerBy });
    for (const other of ['LAST', 'MARK', 'INDEX'] as const)
      if (other !== by) rig.core.reach('BTCUSDT', other, 61_100);
    expect((await listed({ orderId }))[0]).toMatchObject({
      ...{ orderStatus: 'Untriggered', triggerBy: triggerBy ?? 'LastPrice' },
    });
    rig.core.reach('BTCUSDT', by, 61_000);
    expect(await statusOf(orderId)).toBe('Filled');
  });
});

describe('cancel-all', () => {
  const all = (more: object = {}) => member.ask('POST order/cancel-all', { ...BTC, ...more });

  test.each([
    ['everything unless it says which', {}, 2, []],
    ['what is in the market', { orderFilter: 'Order' }, 1, ['Untriggered']],
    ['what waits', { orderFilter: 'StopOrder' }, 1, ['New']],
    ['what its member placed of that', { orderFilter: 'StopOrder', stopOrderType: 'Stop' }, 1, ['New']],
  ])('cancels %s', async (_, more, cancelled, left) => {
    await place();
    await member.order('Buy', '0.01', { at: '59000' });
    expect((await all(more)).list).toHaveLength(cancelled);
    expect((await listed()).map((row: Record<string, string>) => row.orderStatus)).toEqual(left);
  });
});

describe('refusals', () => {
  test.each<[string, object, number, string]>([
    ['a price without a direction', { triggerDirection: undefined }, 10_001, 'TriggerDirection'],
    ['a direction that is none', { triggerDirection: 3 }, 10_001, 'TriggerDirection'],
    ['a price that is there already', { triggerPrice: '60000' }, 110_092, 'expect Rising'],
    ['one from below', { triggerPrice: '60000', triggerDirection: 2 }, 110_093, 'expect Falling'],
    ['half a tick', { triggerPrice: '61000.05' }, 10_001, 'Price'],
    ['no number', { triggerPrice: 'high' }, 10_001, 'triggerPrice'],
    ['another price kind', { triggerBy: 'Last' }, 10_001, 'triggerBy'],
    ['half a lot', { qty: '0.0105' }, 10_001, 'Qty'],
    ['too large', { qty: '100001' }, 10_001, 'maximum'],
    ['a leg in one-way mode', { positionIdx: 1 }, 10_001, 'position idx'],
  ])('%s', async (_, more, code, text) => {
    const refusal = await member.refusal('POST order/create', { ...STOP, ...more });
    expect(refusal).toEqual([code, expect.stringContaining(text)]);
    expect(await listed()).toEqual([]);
  });

  test('more than ten in a contract', async () => {
    const triggers = Array.from({ length: 10 }, (_, n) => ({ ...STOP, triggerPrice: String(61_000 + n) }));
    const { body } = await member.call('POST order/create-batch', { category: 'linear', request: triggers });
    expect(body.retExtInfo.list.map((one: { code: number }) => one.code)).toEqual(triggers.map(() => 0));
    expect((await member.refusal('POST order/create', STOP))[0]).toBe(110_009);
  });
});
