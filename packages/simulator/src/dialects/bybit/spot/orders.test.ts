import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type KeyPair, unique } from '../../wire/rig.fixture.ts';
import shapes from '../fixtures/shapes.json' with { type: 'json' };
import { startRig } from '../rig.fixture.ts';

const rig = openedOnce(startRig);
let key: KeyPair;

beforeAll(async () => {
  rig.advance(2_000);
});
beforeEach(async () => {
  key = await rig.key(unique('trader'), { USDT: '100000', BTC: '2' });
});

/** Far enough below the market to rest. */
const low = (): string => {
  const [bid] = rig.venue.spot.depth('BTCUSDT', 1).bids;
  return String(Math.floor(((bid?.[0] ?? 0) / 10) * 0.9));
};
/** A price beside one edge of the band around the market. */
const atBand = (edge: 'bidMultiplierUp' | 'askMultiplierDown', factor: number): string => {
  const multiplier = Number(rig.venue.spot.markets.get('BTCUSDT')?.[edge]) / 1e18;
  return String(Math.floor(rig.venue.spot.averagePrice('BTCUSDT') * multiplier * factor));
};
const bestAsk = (): string => {
  const [ask] = rig.venue.spot.depth('BTCUSDT', 1).asks;
  return ((ask?.[0] ?? 0) / 10).toFixed(1);
};
const resting = () => ({ ...BTC, side: 'Buy', orderType: 'Limit', qty: '0.01', price: low() });
const BTC = { category: 'spot', symbol: 'BTCUSDT' };
const MARKET = { ...BTC, side: 'Buy', orderType: 'Market', qty: '500' };

const post = (path: string, body: object, signer = key) => rig.signed(signer, `/v5/${path}`, { body });
const ask = (path: string, params: Readonly<Record<string, string | number>>, signer = key) =>
  rig.signed(signer, `/v5/${path}`, { params });
const create = (body: object, signer = key) => post('order/create', body, signer);
/** The only row that a lookup by id shows. */
const look = async (orderId: string, path = 'order/realtime') => {
  const { body } = await ask(path, { category: 'spot', orderId });
  expect(body.result.list.length).toBeLessThanOrEqual(1);
  return body.result.list[0];
};
const coins = async () => {
  const { body } = await ask('account/wallet-balance', { accountType: 'UNIFIED' });
  const rows = body.result.list[0].coin as { coin: string; walletBalance: string; locked: string }[];
  return Object.fromEntries(rows.map((row) => [row.coin, [row.walletBalance, row.locked]]));
};

describe('placing', () => {
  test('the answer acknowledges with both ids; the order is as documented', async () => {
    const order = { ...resting(), orderLinkId: 'mine-1' };
    const { body } = await create(order);
    expect(Object.keys(body.result)).toEqual(['orderId', 'orderLinkId']);
    expect(body.result.orderLinkId).toBe('mine-1');
    const row = await look(body.result.orderId);
    expect(Object.keys(row).sort()).toEqual([...shapes.orderKeys].sort());
    expect(row).toMatchObject({
      orderStatus: 'New',
      price: order.price,
      qty: '0.01',
      leavesQty: '0.01',
      cumExecQty: '0',
      avgPrice: '',
      timeInForce: 'GTC',
      orderType: 'Limit',
      rejectReason: 'EC_NoError',
    });
    expect((await coins()).USDT).toEqual(['100000', String(Number(order.price) / 100)]);
  });

  test('an order without an id of its client is given one', async () => {
    const { body } = await create(resting());
    expect(body.result.orderLinkId).toMatch(/^[a-zA-Z0-9]{19}$/);
  });

  const units: [string, string | undefined, string, 'quoteCoin' | 'baseCoin'][] = [
    ['Buy', undefined, '500', 'quoteCoin'],
    ['Sell', undefined, '0.01', 'baseCoin'],
    ['Buy', 'baseCoin', '0.01', 'baseCoin'],
    ['Sell', 'quoteCoin', '500', 'quoteCoin'],
  ];
  test.each(units)('a market order, %s counted in %s', async (side, marketUnit, ...rest) => {
    const [qty, unit] = rest;
    const { body } = await create({ ...MARKET, side, qty, marketUnit });
    const row = await look(body.result.orderId);
    expect(row).toMatchObject({ orderStatus: 'Filled', orderType: 'Market', timeInForce: 'IOC', qty });
    expect(row.marketUnit).toBe(unit);
    const executed = Number(unit === 'baseCoin' ? row.cumExecQty : row.cumExecValue);
    expect(executed).toBeLessThanOrEqual(Number(qty));
    expect(executed).toBeGreaterThan(Number(qty) * 0.99);
  });

  test('fills explain the balances exactly, free of fees', async () => {
    const { body } = await create(MARKET);
    const list = (await ask('execution/list', { ...BTC, orderId: body.result.orderId })).body.result.list;
    expect(Object.keys(list[0]).sort()).toEqual([...shapes.executionKeys].sort());
    for (const fill of list) {
      expect(fill).toMatchObject({ execFee: '0', feeCurrency: 'BTC', isMaker: false, execType: 'Trade' });
      expect(fill.orderLinkId).toBe(body.result.orderLinkId);
    }
    const sum = (field: string) =>
      list.reduce((total: number, fill: Record<string, string>) => total + Number(fill[field]), 0);
    const row = await look(body.result.orderId);
    expect(Number(row.cumExecQty)).toBeCloseTo(sum('execQty'), 9);
    const held = await coins();
    expect(Number(held.BTC?.[0])).toBeCloseTo(2 + sum('execQty'), 9);
    expect(Number(held.USDT?.[0])).toBeCloseTo(100_000 - sum('execValue'), 6);
  });

  test.each([
    ['IOC', {}, 'EC_NoImmediateQtyToFill'],
    ['FOK', {}, 'EC_NoImmediateQtyToFill'],
    ['PostOnly', { price: 'ask' }, 'EC_PostOnlyWillTakeLiquidity'],
  ])('%s that may not rest is acknowledged and cancelled', async (timeInForce, more, rejectReason) => {
    const price = 'price' in more ? bestAsk() : low();
    const { body } = await create({ ...resting(), timeInForce, price });
    expect(body.retCode).toBe(0);
    const row = await look(body.result.orderId, 'order/history');
    expect(row).toMatchObject({ orderStatus: 'Cancelled', rejectReason, cumExecQty: '0', timeInForce });
    expect((await coins()).USDT).toEqual(['100000', '0']);
  });

  test('an order that ends in part has a word of its own', async () => {
    const maker = await rig.key(unique('maker'), { BTC: '1' });
    const [bid] = rig.venue.spot.depth('BTCUSDT', 1).bids;
    const price = (((bid?.[0] ?? 0) + 1) / 10).toFixed(1);
    const offered = await create({ ...BTC, side: 'Sell', orderType: 'Limit', qty: '0.02', price }, maker);
    expect(offered.body.retCode).toBe(0);
    const there = rig.venue.spot.depth('BTCUSDT', 200).asks.filter(([ticks]) => ticks <= Number(price) * 10);
    const lots = there.reduce((sum, [, size]) => sum + size, 0);
    const qty = (lots / 1e6 + 0.03).toFixed(6);
    const { body } = await create({ ...resting(), qty, price, timeInForce: 'IOC' });
    const row = await look(body.result.orderId);
    expect(row.orderStatus).toBe('PartiallyFilledCanceled');
    expect(Number(row.cumExecQty)).toBeCloseTo(lots / 1e6, 9);
    const made = await ask('execution/list', { ...BTC, orderId: offered.body.result.orderId }, maker);
    expect(made.body.result.list[0]).toMatchObject({ isMaker: true, feeCurrency: 'USDT', side: 'Sell' });
  });

  test('one account that trades with itself tells its two executions apart', async () => {
    const [bid] = rig.venue.spot.depth('BTCUSDT', 1).bids;
    const price = (((bid?.[0] ?? 0) + 1) / 10).toFixed(1);
    await create({ ...BTC, side: 'Sell', orderType: 'Limit', qty: '0.01', price });
    await create({ ...resting(), price, timeInForce: 'IOC' });
    const { list } = (await ask('execution/list', BTC)).body.result;
    const both = list.filter((fill: { execPrice: string }) => Number(fill.execPrice) === Number(price));
    expect(both.map((fill: { isMaker: boolean }) => fill.isMaker).sort()).toEqual([false, true]);
    expect(new Set(both.map((fill: { execId: string }) => fill.execId)).size).toBe(2);
  });

  test('a client’s id is used once, in all markets and after its order has ended', async () => {
    const order = { ...resting(), orderLinkId: 'once' };
    const { body } = await create(order);
    expect((await create(order)).body.retCode).toBe(170_141);
    await post('order/cancel', { ...BTC, orderId: body.result.orderId });
    expect((await create(order)).body.retCode).toBe(170_141);
    const other = { ...order, symbol: 'ETHUSDT', price: '1500', qty: '0.1' };
    expect((await create(other)).body.retCode).toBe(170_141);
    const stranger = await rig.key(unique('stranger'), { USDT: '100000' });
    expect((await create(order, stranger)).body.retCode).toBe(0);
  });
});

describe('refusals', () => {
  const order = (part: object) => ({ ...resting(), ...part });
  const cases: [string, () => object, number][] = [
    ['no category', () => order({ category: undefined }), 10_001],
    ['an option', () => order({ category: 'option' }), 10_001],
    [
      'a contract that nobody trades',
      () => order({ category: 'linear', symbol: 'BTCUSDT-26MAR27' }),
      110_074,
    ],
    ['an unknown perpetual', () => order({ category: 'linear', symbol: 'NOPE' }), 10_001],
    ['no symbol', () => order({ symbol: undefined }), 10_001],
    ['an unknown symbol', () => order({ symbol: 'NOPEUSDT' }), 170_121],
    ['a suspended pair', () => order({ symbol: 'WAVESUSDT', price: '1', qty: '10' }), 170_157],
    ['no side', () => order({ side: undefined }), 10_001],
    ['a side of no kind', () => order({ side: 'BUY' }), 170_117],
    ['a type of no kind', () => order({ orderType: 'Stop' }), 170_116],
    ['a time in force of no kind', () => order({ timeInForce: 'DAY' }), 170_115],
    ['RPI', () => order({ timeInForce: 'RPI' }), 170_227],
    ['no quantity', () => order({ qty: undefined }), 10_001],
    ['a quantity that is a number', () => order({ qty: 0.01 }), 10_001],
    ['a quantity that is no figure', () => order({ qty: '1e3' }), 170_130],
    ['nothing', () => order({ qty: '0' }), 170_130],
    ['a limit order without a price', () => order({ price: undefined }), 10_001],
    ['a price of nothing', () => order({ price: '0' }), 170_130],
    ['a price between two ticks', () => order({ price: `${low()}.05` }), 170_134],
    ['a quantity between two lots', () => order({ qty: '0.0000015' }), 170_137],
    ['a value below the smallest', () => order({ qty: '0.000001' }), 170_140],
    ['a quantity beyond the largest', () => order({ qty: '300' }), 170_135],
    ['a value beyond the largest', () => order({ qty: '200' }), 170_124],
    ['a price beyond the largest', () => order({ price: '99999999999' }), 170_132],
    ['a buy above the band', () => order({ price: atBand('bidMultiplierUp', 1.1) }), 170_193],
    [
      'a sale below the band',
      () => order({ side: 'Sell', price: atBand('askMultiplierDown', 0.9) }),
      170_194,
    ],
    ['more than there is', () => order({ qty: '5' }), 170_131],
    ['an id that is too long', () => order({ orderLinkId: 'x'.repeat(37) }), 10_001],
    ['an id with a blank', () => order({ orderLinkId: 'a b' }), 10_001],
    ['borrowing', () => order({ isLeverage: 1 }), 170_227],
    ['a trigger', () => order({ triggerPrice: '1' }), 170_227],
    ['a filter of conditional orders, and no price', () => order({ orderFilter: 'StopOrder' }), 10_001],
    ['a filter of no kind', () => order({ orderFilter: 'Iceberg' }), 170_202],
    ['prevention of no kind', () => order({ smpType: '__proto__' }), 10_001],
    ['a unit of no kind', () => order({ orderType: 'Market', marketUnit: 'lots' }), 10_001],
    ['an amount finer than 1e-8', () => ({ ...MARKET, qty: '500.000000001' }), 170_148],
    ['an amount below the smallest', () => ({ ...MARKET, qty: '0.5' }), 170_140],
    ['market beyond the largest', () => ({ ...MARKET, side: 'Sell', qty: '150' }), 170_135],
  ];
  test.each(cases)('%s', async (_, make, refusal) => {
    const { status, body } = await create(make());
    expect([status, body.retCode]).toEqual([200, refusal]);
    expect(body.retMsg.length).toBeGreaterThan(5);
    expect(body.result).toEqual({});
    expect((await coins()).USDT).toEqual(['100000', '0']);
  });

  test('more open orders than are allowed', async () => {
    const rich = await rig.key(unique('rich'), { USDT: '100000000' });
    const most = rig.venue.spot.markets.get('BTCUSDT')?.maxOpenOrders ?? 0;
    const answers = await Promise.all(Array.from({ length: most }, () => create(resting(), rich)));
    expect(answers.every((answer) => answer.body.retCode === 0)).toBe(true);
    expect((await create(resting(), rich)).body.retCode).toBe(170_810);
  });
});

describe('cancelling and amending', () => {
  test('by either id, once; what has ended is no longer there', async () => {
    const first = (await create({ ...resting(), orderLinkId: unique('a') })).body.result;
    const second = (await create(resting())).body.result;
    const byLink = await post('order/cancel', { ...BTC, orderLinkId: first.orderLinkId });
    expect(byLink.body.result).toEqual(first);
    const byId = await post('order/cancel', { ...BTC, orderId: second.orderId, orderFilter: 'Order' });
    expect(byId.body.result).toEqual(second);
    expect((await look(first.orderId)).orderStatus).toBe('Cancelled');
    for (const orderId of [first.orderId, '1', 'x', '99999999999999999999999']) {
      expect((await post('order/cancel', { ...BTC, orderId })).body.retCode).toBe(170_213);
    }
    expect((await post('order/cancel', BTC)).body.retCode).toBe(10_001);
    expect((await post('order/cancel', { ...BTC, category: 'linear', orderId: '1' })).body.retCode).toBe(
      110_001,
    );
    expect((await coins()).USDT).toEqual(['100000', '0']);
  });

  test('all of a symbol, of a coin, or all', async () => {
    const eth = { ...resting(), symbol: 'ETHUSDT', price: '1500', qty: '0.1' };
    for (const order of [resting(), resting(), eth]) await create(order);
    const ofCoin = await post('order/cancel-all', { category: 'spot', baseCoin: 'ETH' });
    expect(ofCoin.body.result).toMatchObject({ success: '1', list: [{}] });
    expect((await post('order/cancel-all', { category: 'spot' })).body.result.list.length).toBe(2);
    expect((await post('order/cancel-all', { category: 'linear' })).body.retCode).toBe(10_001);
    const none = await post('order/cancel-all', { category: 'linear', settleCoin: 'USDT' });
    expect(none.body.result.list).toEqual([]);
  });

  test('quantity and price change under the order’s own ids', async () => {
    const asked = resting();
    const order = (await create(asked)).body.result;
    const amend = (part: object) => post('order/amend', { ...BTC, orderId: order.orderId, ...part });
    expect((await amend({ qty: '0.004', price: asked.price })).body.result).toEqual(order);
    expect(await look(order.orderId)).toMatchObject({ qty: '0.004', orderStatus: 'New' });
    const lower = String(Number(asked.price) - 10);
    expect((await amend({ qty: '0.02', price: lower })).body.result).toEqual(order);
    expect(await look(order.orderId)).toMatchObject({ qty: '0.02', price: lower, orderStatus: 'New' });
    expect((await coins()).USDT).toEqual(['100000', String((Number(lower) * 2) / 100)]);
    const refusals: [object, number][] = [
      [{ qty: '0.02', price: lower }, 10_001],
      [{}, 10_001],
      [{ qty: '0' }, 170_130],
      [{ qty: '0.0000005' }, 170_137],
      [{ price: `${lower}.05` }, 170_134],
      [{ qty: '5' }, 170_131],
      [{ qty: '300' }, 170_135],
      [{ qty: '0.000001' }, 170_140],
      [{ price: '99999999999' }, 170_132],
      [{ takeProfit: '1', qty: '0.001' }, 170_227],
    ];
    for (const [part, refusal] of refusals) expect((await amend(part)).body.retCode).toBe(refusal);
    expect((await amend({ price: bestAsk() })).body.retCode).toBe(0);
    expect((await look(order.orderId)).orderStatus).not.toBe('New');
  });

  test('a batch tells what became of each of its orders', async () => {
    const orders = [resting(), { ...resting(), qty: '5' }, { ...resting(), symbol: 'NOPEUSDT' }];
    const request = orders.map(({ category: _, ...order }) => order);
    const { body } = await post('order/create-batch', { category: 'spot', request });
    expect(body.retExtInfo.list.map((one: { code: number }) => one.code)).toEqual([0, 170_131, 170_121]);
    const [placed] = body.result.list;
    expect((await look(placed.orderId)).orderStatus).toBe('New');
    const cancelled = await post('order/cancel-batch', {
      category: 'spot',
      request: [{ symbol: 'BTCUSDT', orderId: placed.orderId }, { symbol: 'BTCUSDT' }],
    });
    expect(cancelled.body.retExtInfo.list.map((one: { code: number }) => one.code)).toEqual([0, 10_001]);
    for (const bad of [[], {}, [1], Array.from({ length: 11 }, resting)]) {
      expect((await post('order/create-batch', { category: 'spot', request: bad })).body.retCode).toBe(
        10_001,
      );
    }
  });
});

describe('lists', () => {
  test('pages of open orders, of ended ones and of executions join without a hole, newest first', async () => {
    for (let at = 0; at < 5; at += 1) {
      await create(resting());
      await create(MARKET);
      rig.letPass(at % 2);
    }
    const pages = async (path: string, params: object, idName: string) => {
      const ids: string[] = [];
      const times: number[] = [];
      let cursor = '';
      do {
        const answer = await ask(path, { ...BTC, limit: 2, ...params, ...(cursor === '' ? {} : { cursor }) });
        for (const row of answer.body.result.list) {
          ids.push(row[idName]);
          times.push(Number(row.execTime ?? row.createdTime));
        }
        cursor = answer.body.result.nextPageCursor;
      } while (cursor !== '' && ids.length < 100);
      expect(times).toEqual([...times].sort((left, right) => right - left));
      expect(new Set(ids).size).toBe(ids.length);
      return ids;
    };
    expect(await pages('order/realtime', { openOnly: 0 }, 'orderId')).toHaveLength(5);
    expect(await pages('order/realtime', { openOnly: 1 }, 'orderId')).toHaveLength(5);
    expect(await pages('order/history', {}, 'orderId')).toHaveLength(5);
    expect((await pages('execution/list', {}, 'execId')).length).toBeGreaterThanOrEqual(5);
    const everywhere = await ask('order/realtime', { category: 'spot' });
    expect(everywhere.body.result.list).toHaveLength(5);
  });

  test('spans are seven days at most, and bound what is shown', async () => {
    await create(MARKET);
    const week = 7 * 86_400_000;
    const fills = async (span: object) => (await ask('execution/list', { ...BTC, ...span })).body;
    expect((await fills({ startTime: rig.now - 1, endTime: rig.now })).result.list.length).toBeGreaterThan(0);
    expect((await fills({ endTime: rig.now - 1 })).result.list).toEqual([]);
    expect((await fills({ startTime: rig.now + 1 })).result.list).toEqual([]);
    expect((await fills({ startTime: rig.now - week - 1, endTime: rig.now })).retCode).toBe(10_001);
    expect((await fills({ startTime: rig.now, endTime: rig.now - 1 })).retCode).toBe(10_001);
    expect((await fills({ execType: 'Funding' })).result.list).toEqual([]);
    expect((await fills({ cursor: 'page_2' })).retCode).toBe(10_001);
  });

  test('one account sees nothing of another’s', async () => {
    const { orderId } = (await create(resting())).body.result;
    const other = await rig.key(unique('other'));
    for (const path of ['order/realtime', 'order/history', 'execution/list']) {
      expect((await ask(path, { ...BTC, orderId }, other)).body.result.list).toEqual([]);
    }
    expect((await post('order/cancel', { ...BTC, orderId }, other)).body.retCode).toBe(170_213);
  });
});
