import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { unique } from '../../wire/rig.fixture.ts';
import { BTC, type Member, MemberRig } from './member-rig.fixture.ts';

/** What protects a position: attached to an order, or set for the position, whole and in parts. */

const rig = openedOnce(() => MemberRig.open());
let member: Member;
beforeEach(async () => {
  rig.core.marks.set('BTCUSDT', 60_000);
  rig.core.indices.clear();
  member = await rig.member(unique('protected'));
});
afterEach(async () => {
  rig.core.clearHouse('BTCUSDT');
  // What is left of a test may not fire in another.
  await member.ask('POST order/cancel-all', BTC);
});

type Row = Readonly<Record<string, string>>;
const MARKS = { tpTriggerBy: 'MarkPrice', slTriggerBy: 'MarkPrice' };
const FULL = { tpslMode: 'Full', takeProfit: '62000', stopLoss: '58000', ...MARKS };
const PARTIAL = { ...FULL, tpslMode: 'Partial' };
const set = (more: object) =>
  member.refusal('POST position/trading-stop', { ...BTC, positionIdx: 0, ...more });
const waiting = async (): Promise<readonly Row[]> =>
  (await member.ask('GET order/realtime', { ...BTC, orderFilter: 'StopOrder' })).list;
const lines = async () =>
  (await waiting()).map((row) => `${row.stopOrderType} ${row.triggerPrice} ${row.qty}`).toSorted();
const position = async () => await member.first('GET position/list');
const ended = async (orderId: string | undefined) =>
  await member.first('GET order/history', { orderId: orderId ?? '' });

describe('attached to an order', () => {
  test('partial ones come with each fill, know their order, and grow with it', async () => {
    rig.core.house('BTCUSDT', 'SELL', 60_000, 10);
    const legs = { ...PARTIAL, tpOrderType: 'Limit', tpLimitPrice: '61900' };
    await member.order('Buy', '0.03', { at: '60000', orderLinkId: 'opens', ...legs });
    expect(await member.first('GET order/realtime', { orderLinkId: 'opens' })).toMatchObject({
      ...{ takeProfit: '62000', stopLoss: '58000', tpslMode: 'Partial', tpLimitPrice: '61900' },
      ...{ tpTriggerBy: 'MarkPrice', slTriggerBy: 'MarkPrice', slLimitPrice: '', stopOrderType: '' },
    });
    expect(await lines()).toEqual(['PartialStopLoss 58000 0.01', 'PartialTakeProfit 62000 0.01']);
    const [profit] = (await waiting()).filter(({ stopOrderType }) => stopOrderType === 'PartialTakeProfit');
    expect(profit).toMatchObject({
      ...{
        orderLinkId: '',
        parentOrderLinkId: 'opens',
        createType: 'CreateByPartialTakeProfit',
        side: 'Sell',
      },
      ...{ orderType: 'Limit', price: '61900', timeInForce: 'GTC', reduceOnly: true, closeOnTrigger: true },
      ...{ tpslMode: 'Partial', orderStatus: 'Untriggered', triggerDirection: 1, triggerBy: 'MarkPrice' },
    });
    rig.core.house('BTCUSDT', 'SELL', 60_000, 20);
    const other = await rig.member(unique('seller'));
    await other.order('Sell', '0.02', { at: '60000' });
    expect(await lines()).toEqual(['PartialStopLoss 58000 0.03', 'PartialTakeProfit 62000 0.03']);
    // Another order brings legs of its own.
    await member.trade('Buy', '0.01', 60_000, { ...PARTIAL, stopLoss: '57000' });
    expect(await lines()).toEqual([
      ...['PartialStopLoss 57000 0.01', 'PartialStopLoss 58000 0.03'],
      ...['PartialTakeProfit 62000 0.01', 'PartialTakeProfit 62000 0.03'],
    ]);
    expect((await position()).stopLoss).toBe('');
  });

  test('one leg that fires ends the other, under a word that says which', async () => {
    await member.trade('Buy', '0.01', 60_000, { orderLinkId: 'parent', ...PARTIAL });
    const [profit, loss] = ['TakeProfit', 'StopLoss'].map((kind) =>
      waiting().then((rows) => rows.find((row) => row.stopOrderType === `Partial${kind}`)?.orderId),
    );
    const ids = [await profit, await loss];
    rig.core.house('BTCUSDT', 'BUY', 57_990, 10);
    rig.core.mark('BTCUSDT', 58_000);
    expect(await ended(ids[1])).toMatchObject({
      ...{ orderStatus: 'Filled', stopOrderType: 'PartialStopLoss', createType: 'CreateByPartialStopLoss' },
      ...{ orderLinkId: '', parentOrderLinkId: 'parent', avgPrice: '57990' },
    });
    expect(await ended(ids[0])).toMatchObject({
      ...{ orderStatus: 'Deactivated', cancelType: 'CancelByOCOTpCanceledBySlTriggered' },
    });
    expect(await position()).toMatchObject({ size: '0' });
  });

  test('full ones become those of the position, and the next order changes them in place', async () => {
    await member.trade('Buy', '0.01', 60_000, { ...FULL, orderLinkId: 'first' });
    expect(await lines()).toEqual(['StopLoss 58000 0.01', 'TakeProfit 62000 0.01']);
    expect(await position()).toMatchObject({ takeProfit: '62000', stopLoss: '58000', tpslMode: 'Full' });
    const before = await waiting();
    await member.trade('Buy', '0.02', 60_000, { stopLoss: '59000', slTriggerBy: 'MarkPrice' });
    expect(await lines()).toEqual(['StopLoss 59000 0.03', 'TakeProfit 62000 0.03']);
    const after = await waiting();
    expect(after.map(({ orderId }) => orderId)).toEqual(before.map(({ orderId }) => orderId));
    expect(after.map(({ parentOrderLinkId }) => parentOrderLinkId)).toEqual(['first', 'first']);
  });

  test('are changed and taken away while the order waits for its first fill', async () => {
    await member.order('Buy', '0.01', { at: '59000', orderLinkId: 'open', stopLoss: '58000' });
    const amend = (more: object) =>
      member.refusal('POST order/amend', { ...BTC, orderLinkId: 'open', ...more });
    const row = async () => await member.first('GET order/realtime', { orderLinkId: 'open' });
    expect(await amend({ takeProfit: '61000', tpTriggerBy: 'IndexPrice' })).toEqual([0, 'OK']);
    expect(await row()).toMatchObject({
      ...{
        takeProfit: '61000',
        tpTriggerBy: 'IndexPrice',
        stopLoss: '58000',
        tpslMode: 'Full',
        price: '59000',
      },
    });
    expect((await amend({ stopLoss: '59500' }))[0]).toBe(10_001);
    expect(await amend({ takeProfit: '0', stopLoss: '0' })).toEqual([0, 'OK']);
    expect(await row()).toMatchObject({ takeProfit: '', stopLoss: '', tpslMode: '' });
    rig.core.house('BTCUSDT', 'SELL', 59_050, 4);
    expect(await amend({ price: '59100', stopLoss: '57000' })).toEqual([0, 'OK']);
    expect(await lines()).toEqual(['StopLoss 57000 0.004']);
    expect((await amend({ stopLoss: '56000' }))[0]).toBe(110_059);
  });

  test('with an order that never fills nothing comes', async () => {
    const { body } = await member.order('Buy', '0.01', { at: '59000', ...PARTIAL });
    await member.ask('POST order/cancel', { ...BTC, orderId: body.result.orderId });
    expect(await waiting()).toEqual([]);
  });
});

describe('set for a position', () => {
  beforeEach(async () => {
    await member.trade('Buy', '0.02', 60_000);
  });

  test('full ones are changed in place, one at a time too, and taken away with 0', async () => {
    expect(await set(FULL)).toEqual([0, 'OK']);
    expect(await lines()).toEqual(['StopLoss 58000 0.02', 'TakeProfit 62000 0.02']);
    expect(await set(FULL)).toEqual([34_040, 'not modified']);
    const before = (await waiting()).map(({ orderId }) => orderId);
    expect(await set({ tpslMode: 'Full', takeProfit: '63000' })).toEqual([0, 'OK']);
    expect(await lines()).toEqual(['StopLoss 58000 0.02', 'TakeProfit 63000 0.02']);
    expect((await waiting()).map(({ orderId }) => orderId)).toEqual(before);
    expect(await set({ tpslMode: 'Full', stopLoss: '0' })).toEqual([0, 'OK']);
    expect(await position()).toMatchObject({ takeProfit: '63000', stopLoss: '', trailingStop: '0' });
    await member.trade('Sell', '0.01', 60_000);
    expect(await lines()).toEqual(['TakeProfit 63000 0.01']);
  });

  test.each([
    ['LastPrice', 'LAST'],
    ['MarkPrice', 'MARK'],
    ['IndexPrice', 'INDEX'],
    [undefined, 'LAST'],
  ] as const)('a leg by %s fires at that price alone: %s', async (slTriggerBy, by) => {
    rig.core.house('BTCUSDT', 'BUY', 57_000, 100);
    expect(await set({ tpslMode: 'Full', stopLoss: '58000', slTriggerBy })).toEqual([0, 'OK']);
    for (const other of ['LAST', 'MARK', 'INDEX'] as const)
      if (other !== by) rig.core.reach('BTCUSDT', other, 57_900);
    expect(await position()).toMatchObject({ size: '0.02', stopLoss: '58000' });
    rig.core.reach('BTCUSDT', by, 58_000);
    expect(await position()).toMatchObject({ size: '0', stopLoss: '' });
  });

  test('a trailing one follows from its price on, and closes what is there', async () => {
    expect(await set({ tpslMode: 'Full', trailingStop: '500', activePrice: '61000' })).toEqual([0, 'OK']);
    expect(await waiting()).toMatchObject([
      {
        ...{ stopOrderType: 'TrailingStop', createType: 'CreateByTrailingStop', triggerPrice: '61000' },
        ...{ qty: '0.02', tpslMode: 'Full', triggerBy: 'LastPrice', triggerDirection: 2 },
      },
    ]);
    expect(await position()).toMatchObject({ trailingStop: '500' });
    const [{ orderId } = {}] = await waiting();
    const other = await rig.member(unique('mover'), '100000');
    for (const [at, status] of [
      [60_400, 'Untriggered'],
      [61_200, 'Untriggered'],
      [60_750, 'Untriggered'],
    ] as const) {
      await other.trade('Buy', '0.001', at);
      expect((await member.first('GET order/realtime', { orderId: orderId ?? '' })).orderStatus).toBe(status);
    }
    rig.core.house('BTCUSDT', 'BUY', 60_690, 20);
    await other.trade('Buy', '0.001', 60_700);
    expect(await ended(orderId)).toMatchObject({ orderStatus: 'Filled', stopOrderType: 'TrailingStop' });
    expect(await position()).toMatchObject({ size: '0', trailingStop: '0' });
  });

  test('a trailing one is changed in its place, stands beside the others, and is taken away with 0', async () => {
    expect(await set({ ...FULL, trailingStop: '500' })).toEqual([0, 'OK']);
    const trails = async () => (await waiting()).filter((row) => row.stopOrderType === 'TrailingStop');
    const [before] = await trails();
    expect(await set({ tpslMode: 'Full', trailingStop: '700' })).toEqual([0, 'OK']);
    expect((await trails()).map(({ orderId }) => orderId)).toEqual([before?.orderId]);
    expect(await position()).toMatchObject({ trailingStop: '700', takeProfit: '62000', stopLoss: '58000' });
    expect(await set({ tpslMode: 'Full', trailingStop: '0' })).toEqual([0, 'OK']);
    expect([await trails(), (await position()).trailingStop]).toEqual([[], '0']);
    expect(await lines()).toEqual(['StopLoss 58000 0.02', 'TakeProfit 62000 0.02']);
  });

  test('partial ones are added, and cancelled as the pair they are', async () => {
    const part = {
      ...PARTIAL,
      tpSize: '0.005',
      slSize: '0.005',
      slOrderType: 'Limit',
      slLimitPrice: '57900',
    };
    expect(await set(part)).toEqual([0, 'OK']);
    expect(await set(part)).toEqual([0, 'OK']);
    expect(await lines()).toEqual([
      ...['PartialStopLoss 58000 0.005', 'PartialStopLoss 58000 0.005'],
      ...['PartialTakeProfit 62000 0.005', 'PartialTakeProfit 62000 0.005'],
    ]);
    const [first] = await waiting();
    await member.ask('POST order/cancel', { ...BTC, orderId: first?.orderId });
    expect(await lines()).toEqual(['PartialStopLoss 58000 0.005', 'PartialTakeProfit 62000 0.005']);
    expect(await position()).toMatchObject({ takeProfit: '', stopLoss: '' });
    const [one] = await waiting();
    await member.ask('POST order/amend', { ...BTC, orderId: one?.orderId, qty: '0.004' });
    expect((await waiting())[0]).toMatchObject({ orderId: one?.orderId, qty: '0.004' });
  });

  test('all of them go with the position', async () => {
    await set({ ...PARTIAL, tpSize: '0.005', slSize: '0.005' });
    await set(FULL);
    const ids = (await waiting()).map(({ orderId }) => orderId);
    expect(ids).toHaveLength(4);
    await member.trade('Sell', '0.02', 60_000);
    expect(await waiting()).toEqual([]);
    for (const orderId of ids)
      expect(await ended(orderId)).toMatchObject({
        ...{ orderStatus: 'Deactivated', cancelType: 'CancelByTpSlTsClear' },
      });
  });

  test('cancel-all leaves what protects when it names stops alone', async () => {
    await set(FULL);
    const all = (more: object) => member.ask('POST order/cancel-all', { ...BTC, ...more });
    expect((await all({ orderFilter: 'StopOrder', stopOrderType: 'Stop' })).list).toEqual([]);
    expect((await all({})).list).toHaveLength(2);
  });

  test.each<[string, object, number, string]>([
    ['another mode', { tpslMode: 'Half' }, 10_001, 'tpslMode'],
    ['nothing', { takeProfit: undefined, stopLoss: undefined }, 34_040, 'not modified'],
    ['a take profit that is reached', { takeProfit: '59000' }, 10_001, 'wrong side'],
    ['a stop loss that is reached', { stopLoss: '61000' }, 10_001, 'wrong side'],
    ['half a tick', { takeProfit: '62000.05' }, 10_001, 'Price'],
    ['a limit of the whole', { slOrderType: 'Limit', slLimitPrice: '57000' }, 10_001, 'Full'],
    ['a part without a size', { tpslMode: 'Partial' }, 10_001, 'tpSize'],
    ['two sizes', { tpslMode: 'Partial', tpSize: '0.01', slSize: '0.02' }, 10_001, 'tpSize'],
    ['more than there is', { tpslMode: 'Partial', tpSize: '0.03', slSize: '0.03' }, 110_058, 'insufficient'],
    ['a part taken away', { tpslMode: 'Partial', takeProfit: '0', tpSize: '0.01' }, 10_001, 'Partial'],
    ['the other leg', { positionIdx: 1 }, 10_001, 'position idx'],
    ['pairs', { category: 'spot' }, 10_001, 'Category'],
    ['no contract', { symbol: 'NOUSDT' }, 10_001, 'Symbol'],
    ['no position', { symbol: 'ETHUSDT' }, 10_001, 'zero position'],
  ])('%s is refused by name', async (_, more, code, text) => {
    expect(await set({ ...FULL, ...more })).toEqual([code, expect.stringContaining(text)]);
    expect(await waiting()).toEqual([]);
  });
});

test('legs of hedge mode have stops of their own', async () => {
  await member.ask('POST position/switch-mode', { ...BTC, mode: 3 });
  await member.trade('Buy', '0.01', 60_000, { positionIdx: 1 });
  await member.trade('Sell', '0.02', 60_000, { positionIdx: 2 });
  expect(await set({ ...FULL, positionIdx: 1 })).toEqual([0, 'OK']);
  expect(await set({ ...FULL, positionIdx: 2, takeProfit: '58000', stopLoss: '62000' })).toEqual([0, 'OK']);
  const rows = (await member.ask('GET position/list', BTC)).list;
  expect(rows.map((row: Row) => [row.takeProfit, row.stopLoss])).toEqual([
    ['62000', '58000'],
    ['58000', '62000'],
  ]);
  rig.core.house('BTCUSDT', 'SELL', 58_000, 20);
  rig.core.house('BTCUSDT', 'BUY', 57_000, 10);
  rig.core.mark('BTCUSDT', 58_000);
  const after = (await member.ask('GET position/list', BTC)).list;
  expect(after.map((row: Row) => row.size)).toEqual(['0', '0']);
});
