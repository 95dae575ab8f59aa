import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { unique } from '../../wire/rig.fixture.ts';
import { BTC, type Member, MemberRig } from './member-rig.fixture.ts';

const rig = openedOnce(() => MemberRig.open());
let member: Member;
beforeEach(async () => {
  member = await rig.member(unique('trader'));
});
afterEach(() => {
  rig.core.clearHouse('BTCUSDT');
  rig.core.clearHouse('ETHUSDT');
});

const resting = (more: object = {}) => ({
  ...{ ...BTC, side: 'Buy', orderType: 'Limit', qty: '0.010', price: '59000.0' },
  ...more,
});
const place = async (more: object = {}) => await member.ask('POST order/create', resting(more));

describe('an order that rests', () => {
  test('is acknowledged, listed, amended under its own ids, and cancelled', async () => {
    const placed = await place({ orderLinkId: 'mine-1' });
    expect(placed).toEqual({ orderId: expect.stringMatching(/^[0-9]+$/), orderLinkId: 'mine-1' });
    const { orderId } = placed;
    expect(await member.first('GET order/realtime', { orderId })).toMatchObject({
      ...{ symbol: 'BTCUSDT', orderId, orderLinkId: 'mine-1', side: 'Buy', positionIdx: 0, price: '59000' },
      ...{ qty: '0.01', leavesQty: '0.01', leavesValue: '590', cumExecQty: '0', avgPrice: '' },
      ...{ orderStatus: 'New', createType: 'CreateByUser', cancelType: 'UNKNOWN', timeInForce: 'GTC' },
      ...{
        orderType: 'Limit',
        reduceOnly: false,
        stopOrderType: '',
        tpslMode: '',
        rejectReason: 'EC_NoError',
      },
    });
    const amend = { ...BTC, orderLinkId: 'mine-1', qty: '0.02', price: '58000' };
    expect(await member.ask('POST order/amend', amend)).toEqual(placed);
    expect(await member.first('GET order/realtime')).toMatchObject({ qty: '0.02', price: '58000', orderId });
    expect(await member.ask('POST order/cancel', { ...BTC, orderId })).toEqual(placed);
    expect(await member.first('GET order/realtime')).toBeUndefined();
    expect(await member.first('GET order/history')).toMatchObject({
      ...{ orderId, orderStatus: 'Cancelled', cancelType: 'CancelByUser', leavesQty: '0' },
    });
  });

  test('has no id of its own where the client gave none', async () => {
    expect(await place()).toMatchObject({ orderLinkId: '' });
    expect(await member.first('GET order/realtime')).toMatchObject({ orderLinkId: '' });
  });

  test('post-only that would take is acknowledged and cancelled', async () => {
    rig.core.house('BTCUSDT', 'SELL', 60_000, 10);
    const { orderId } = await place({ timeInForce: 'PostOnly', price: '60000' });
    expect(await member.first('GET order/history', { orderId })).toMatchObject({
      ...{ orderStatus: 'Cancelled', timeInForce: 'PostOnly', rejectReason: 'EC_PostOnlyWillTakeLiquidity' },
    });
  });

  const unfilled: [string, string, string][] = [
    ['IOC', '0.02', '0.01'],
    ['FOK', '0.02', '0'],
  ];
  test.each(unfilled)('%s ends with what it met', async (timeInForce, qty, cumExecQty) => {
    rig.core.house('BTCUSDT', 'SELL', 60_000, 10);
    const { orderId } = await place({ timeInForce, qty, price: '60000' });
    expect(await member.first('GET order/realtime', { orderId })).toMatchObject({
      ...{ orderStatus: 'Cancelled', timeInForce, cumExecQty, rejectReason: 'EC_NoImmediateQtyToFill' },
    });
  });
});

describe('lists', () => {
  test('contracts must be narrowed: by symbol, coin, or the coin they settle in', async () => {
    await place();
    await place({ symbol: 'ETHUSDT', price: '58000' });
    const open = async (params: object) =>
      (await member.ask('GET order/realtime', { category: 'linear', ...params })).list.map(
        (row: { symbol: string }) => row.symbol,
      );
    expect(await open({ symbol: 'BTCUSDT' })).toEqual(['BTCUSDT']);
    expect(await open({ baseCoin: 'ETH' })).toEqual(['ETHUSDT']);
    expect((await open({ settleCoin: 'USDT' })).toSorted()).toEqual(['BTCUSDT', 'ETHUSDT']);
    expect(await open({ settleCoin: 'USDC' })).toEqual([]);
    expect((await member.refusal('GET order/realtime', { category: 'linear' }))[0]).toBe(10_001);
    expect(await member.ask('GET order/realtime', { category: 'spot' })).toMatchObject({ list: [] });
    const all = await member.ask('POST order/cancel-all', { category: 'linear', settleCoin: 'USDT' });
    expect([all.success, all.list.length]).toEqual(['1', 2]);
    expect(await open({ settleCoin: 'USDT' })).toEqual([]);
  });

  test('pages follow each other by their cursor, newest first', async () => {
    const ids: string[] = [];
    for (let order = 0; order < 3; order += 1) ids.unshift((await place()).orderId);
    const seen: string[] = [];
    let cursor = '';
    do {
      const params = { ...BTC, limit: 1, ...(cursor === '' ? {} : { cursor }) };
      const { list, nextPageCursor } = await member.ask('GET order/realtime', params);
      seen.push(list[0].orderId);
      cursor = nextPageCursor;
    } while (cursor !== '');
    expect(seen).toEqual(ids);
  });
});

describe('trades', () => {
  test('a market order opens: the order, its execution, the entry of the log', async () => {
    const orderId = await member.trade('Buy', '0.5', 60_000);
    expect(await member.first('GET order/realtime', { orderId })).toMatchObject({
      ...{ orderStatus: 'Filled', orderType: 'Market', timeInForce: 'IOC', price: '0', avgPrice: '60000' },
      ...{ cumExecQty: '0.5', cumExecValue: '30000', cumExecFee: '16.5', cumFeeDetail: { USDT: '16.5' } },
    });
    const execution = await member.first('GET execution/list', { orderId });
    expect(execution).toMatchObject({
      ...{ symbol: 'BTCUSDT', orderId, side: 'Buy', execType: 'Trade', execPrice: '60000', execQty: '0.5' },
      ...{ execValue: '30000', execFee: '16.5', feeRate: '0.00055', isMaker: false, closedSize: '0' },
      ...{ execPnl: '0', createType: 'CreateByUser', feeCurrency: 'USDT', orderType: 'Market' },
    });
    const { list } = await member.ask('GET account/transaction-log', { category: 'linear' });
    expect(list).toMatchObject([
      {
        ...{ type: 'TRADE', tradeId: execution.execId, orderId, qty: '0.5', size: '0.5', fee: '16.5' },
        ...{ cashFlow: '0', change: '-16.5', cashBalance: '9983.5', funding: '', currency: 'USDT' },
      },
    ]);
  });

  test('a part that closes carries its share of the fee of opening; a flip closes and opens at once', async () => {
    await member.trade('Buy', '0.5', 60_000);
    const part = await member.trade('Sell', '0.2', 61_000);
    expect(await member.first('GET execution/list', { orderId: part })).toMatchObject({
      ...{ execPnl: '200', closedSize: '0.2', execFee: '6.71' },
    });
    expect(await member.first('GET position/closed-pnl')).toMatchObject({
      ...{ orderId: part, side: 'Sell', closedSize: '0.2', closedPnl: '186.69', openFee: '6.6' },
      ...{ closeFee: '6.71', avgEntryPrice: '60000', avgExitPrice: '61000', fillCount: '1', leverage: '10' },
    });
    const flip = await member.trade('Sell', '0.5', 61_000);
    expect(await member.first('GET execution/list', { orderId: flip })).toMatchObject({
      ...{ execPnl: '300', closedSize: '0.3', execQty: '0.5' },
    });
    const log = (await member.ask('GET account/transaction-log', { type: 'TRADE' })).list;
    expect(log.map((row: { size: string }) => row.size)).toEqual(['-0.2', '0.3', '0.5']);
  });

  test('reduce-only: cut to what is there, gone with the position, refused where nothing is', async () => {
    await member.trade('Buy', '0.1', 60_000);
    const { orderId } = await place({ side: 'Sell', qty: '0.5', price: '61000', reduceOnly: true });
    expect(await member.first('GET order/realtime', { orderId })).toMatchObject({
      ...{ qty: '0.1', reduceOnly: true },
    });
    await member.trade('Sell', '0.04', 60_000);
    expect(await member.first('GET order/realtime', { orderId })).toMatchObject({ qty: '0.06' });
    // A quantity of 0 closes what is left.
    rig.core.house('BTCUSDT', 'BUY', 60_000, 60);
    await member.ask('POST order/create', {
      ...{ ...BTC, side: 'Sell', orderType: 'Market', qty: '0', reduceOnly: true, closeOnTrigger: true },
    });
    expect(await member.first('GET position/list')).toMatchObject({ size: '0', side: '' });
    expect(await member.first('GET order/history', { orderId })).toMatchObject({
      ...{ orderStatus: 'Cancelled', cancelType: 'CancelByReduceOnly' },
    });
    const nothing = { ...BTC, side: 'Sell', orderType: 'Market', qty: '0.1', reduceOnly: true };
    expect(await member.refusal('POST order/create', nothing)).toEqual([
      110_017,
      'current position is zero, cannot fix reduce-only order qty',
    ]);
  });

  test('hedge mode: the index names the leg, and a close names that of its position', async () => {
    await member.ask('POST position/switch-mode', { ...BTC, mode: 3 });
    expect(await member.refusal('POST order/create', resting())).toEqual([
      10_001,
      'position idx not match position mode',
    ]);
    await member.trade('Buy', '0.1', 60_000, { positionIdx: 1 });
    await member.trade('Sell', '0.2', 60_000, { positionIdx: 2 });
    const sizes = async () =>
      (await member.ask('GET position/list', BTC)).list.map((row: Record<string, unknown>) => [
        row.positionIdx,
        row.side,
        row.size,
      ]);
    expect(await sizes()).toEqual([
      [1, 'Buy', '0.1'],
      [2, 'Sell', '0.2'],
    ]);
    await member.trade('Sell', '0.1', 60_000, { positionIdx: 1, reduceOnly: true });
    expect(await sizes()).toEqual([
      [1, '', '0'],
      [2, 'Sell', '0.2'],
    ]);
    const grows = { ...resting({ positionIdx: 1, side: 'Buy', reduceOnly: true }) };
    expect((await member.refusal('POST order/create', grows))[0]).toBe(110_017);
  });
});

describe('batches', () => {
  test('each order stands or falls by itself', async () => {
    const request = [resting({ orderLinkId: 'a' }), resting({ qty: '0' }), resting({ orderLinkId: 'b' })];
    const { body } = await member.call('POST order/create-batch', { category: 'linear', request });
    expect(body.retExtInfo.list.map((one: { code: number }) => one.code)).toEqual([0, 10_001, 0]);
    expect(body.result.list[0]).toMatchObject({ category: 'linear', symbol: 'BTCUSDT', orderLinkId: 'a' });
    const amended = await member.call('POST order/amend-batch', {
      category: 'linear',
      request: [{ ...BTC, orderLinkId: 'a', qty: '0.03' }],
    });
    expect(amended.body.retExtInfo.list).toEqual([{ code: 0, msg: 'OK' }]);
    const ended = await member.call('POST order/cancel-batch', {
      category: 'linear',
      request: ['a', 'b', 'c'].map((orderLinkId) => ({ ...BTC, orderLinkId })),
    });
    expect(ended.body.retExtInfo.list.map((one: { code: number }) => one.code)).toEqual([0, 0, 110_001]);
    const many = { category: 'linear', request: Array.from({ length: 21 }, () => resting()) };
    expect((await member.refusal('POST order/create-batch', many))[0]).toBe(10_001);
  });
});

describe('refusals say what is wrong, and change nothing', () => {
  const cases: [string, object, number, string][] = [
    ['no category', { category: undefined }, 10_001, 'category'],
    ['inverse', { category: 'inverse' }, 10_001, 'Category'],
    ['an unknown symbol', { symbol: 'NOUSDT' }, 10_001, 'Symbol'],
    ['no side', { side: undefined }, 10_001, 'side'],
    ['another side', { side: 'buy' }, 10_001, 'side'],
    ['another type', { orderType: 'Stop' }, 10_001, 'orderType'],
    ['another time in force', { timeInForce: 'GTX' }, 10_001, 'timeInForce'],
    ['retail price improvement', { timeInForce: 'RPI' }, 10_001, 'RPI'],
    ['no quantity', { qty: undefined }, 10_001, 'qty'],
    ['a quantity that is a number', { qty: 0.01 }, 10_001, 'qty'],
    ['no lots', { qty: '0' }, 10_001, 'Qty'],
    ['half a lot', { qty: '0.0105' }, 10_001, 'Qty'],
    ['too large', { qty: '1000001' }, 10_001, 'maximum'],
    ['too large at market', { qty: '100001', orderType: 'Market' }, 10_001, 'maximum'],
    ['no price', { price: undefined }, 10_001, 'price'],
    ['half a tick', { price: '59000.05' }, 10_001, 'Price'],
    ['below the smallest value', { qty: '0.001', price: '4000' }, 110_094, 'minimum'],
    ['more than the margin', { qty: '10' }, 110_007, 'not enough'],
    ['more than the tier allows', { qty: '100' }, 110_090, 'max limit'],
    ['another leg', { positionIdx: 3 }, 10_001, 'positionIdx'],
    ['a leg in one-way mode', { positionIdx: 1 }, 10_001, 'position idx'],
    ['an id with blanks', { orderLinkId: 'a b' }, 10_001, 'orderLinkId'],
    ['a truth that is none', { reduceOnly: 'yes' }, 10_001, 'reduceOnly'],
    ['another prevention', { smpType: 'All' }, 10_001, 'smpType'],
    ['a trigger without a direction', { triggerPrice: '58000' }, 10_001, 'TriggerDirection'],
    ['a take profit below the price', { takeProfit: '58000' }, 10_001, 'TP/SL'],
    ['a stop loss above the price', { stopLoss: '59500' }, 10_001, 'TP/SL'],
    ['a bracket of a close', { stopLoss: '58000', reduceOnly: true }, 10_001, 'reduceOnly'],
    ['a limit price of a whole position', { stopLoss: '58000', slOrderType: 'Limit' }, 10_001, 'Full'],
    ['nothing to reduce', { reduceOnly: true, side: 'Sell', price: '61000' }, 110_017, 'reduce-only'],
  ];
  test.each(cases)('%s', async (_, part, code, text) => {
    const [given, message] = await member.refusal('POST order/create', resting(part));
    expect([given, message]).toEqual([code, expect.stringContaining(text)]);
    expect(await member.first('GET order/realtime')).toBeUndefined();
  });

  test('an id that was used, whatever became of its order', async () => {
    await place({ orderLinkId: 'once' });
    await member.ask('POST order/cancel', { ...BTC, orderLinkId: 'once' });
    const again = resting({ orderLinkId: 'once', symbol: 'ETHUSDT' });
    expect((await member.refusal('POST order/create', again))[0]).toBe(110_072);
  });

  const gone: [string, object, number][] = [
    ['cancel', { orderId: '77' }, 110_001],
    ['cancel', {}, 10_001],
    ['amend', { orderLinkId: 'none', qty: '1' }, 110_001],
    ['amend', { orderLinkId: 'open' }, 10_001],
    ['amend', { orderLinkId: 'open', qty: '0.01', price: '59000' }, 10_001],
    ['amend', { orderLinkId: 'open', takeProfit: '1' }, 10_001],
    ['amend', { orderLinkId: 'open', qty: '100' }, 110_090],
  ];
  test.each(gone)('%s with %o', async (call, part, code) => {
    await place({ orderLinkId: 'open' });
    expect((await member.refusal(`POST order/${call}`, { ...BTC, ...part }))[0]).toBe(code);
    expect(await member.first('GET order/realtime')).toMatchObject({ qty: '0.01', price: '59000' });
  });
});

test('orders on contracts are counted by themselves, ten a second', async () => {
  const counted = await MemberRig.open({ accountCallsFactor: 1 });
  const one = await counted.member('busy');
  const codes: number[] = [];
  for (let order = 0; order < 11; order += 1)
    codes.push((await one.refusal('POST order/create', resting()))[0]);
  expect(codes).toEqual([...Array.from({ length: 10 }, () => 0), 10_006]);
  expect((await one.refusal('POST order/create', { ...resting(), category: 'spot' }))[0]).not.toBe(10_006);
  await counted.close();
});
