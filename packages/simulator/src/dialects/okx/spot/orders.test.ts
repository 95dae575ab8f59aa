import { amount, formatAmount, minus, parseSignedAmount, plus, ZERO } from '@crossbook/domain';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { unique } from '../../wire/rig.fixture.ts';
import { type Key, startRig } from '../rig.fixture.ts';

/** Trading by REST: what is answered, what is listed, and what it costs to the unit. */

const rig = openedOnce(startRig);
let key: Key;

beforeAll(async () => {
  // The books wake at the first look; from then on nothing moves by itself.
  await rig.get('/api/v5/market/books?instId=BTC-USDT&sz=5');
});
beforeEach(async () => {
  key = await rig.key(unique('trader'), { USDT: '100000', BTC: '1' });
});

const post = async (call: string, body: unknown) =>
  (await rig.signed(key, 'POST', `/api/v5/trade/${call}`, { body })).body;
const get = async (call: string) => (await rig.signed(key, 'GET', `/api/v5/${call}`)).body.data;
const spot = { instId: 'BTC-USDT', tdMode: 'cash' };
const resting = { ...spot, side: 'buy', ordType: 'limit', sz: '0.01', px: '60000' };
const find = async (ordId: string) => (await get(`trade/order?instId=BTC-USDT&ordId=${ordId}`))[0];
const detail = async (ccy: string) => {
  const [row] = await get(`account/balance?ccy=${ccy}`);
  return row.details[0];
};
const sum = (rows: readonly Record<string, string>[], field: string) =>
  rows.reduce((total, row) => plus(total, parseSignedAmount(row[field] ?? '') ?? ZERO), ZERO);

describe('an order', () => {
  test('has the documented fields, and nothing else', async () => {
    const placed = await post('order', { ...resting, clOrdId: 'shape1', tag: 'mark' });
    expect(Object.keys(placed).sort()).toEqual(['code', 'data', 'inTime', 'msg', 'outTime']);
    expect(Object.keys(placed.data[0]).sort()).toEqual(['clOrdId', 'ordId', 'sCode', 'sMsg', 'tag', 'ts']);
    const order = await find(placed.data[0].ordId);
    expect(Object.keys(order).sort()).toEqual(
      `accFillSz algoClOrdId algoId attachAlgoClOrdId attachAlgoOrds avgPx cTime cancelSource cancelSourceReason
      category ccy clOrdId fee feeCcy fillPx fillSz fillTime instId instType isTpLimit lever linkedAlgoOrd ordId ordType
      pnl posSide px pxType pxUsd pxVol quickMgnType rebate rebateCcy reduceOnly side slOrdPx slTriggerPx
      slTriggerPxType source state stpId stpMode sz tag tdMode tgtCcy tpOrdPx tpTriggerPx tpTriggerPxType tradeId
      tradeQuoteCcy uTime`
        .split(/\s+/)
        .sort(),
    );
    expect(order).toMatchObject({
      ...{ instType: 'SPOT', instId: 'BTC-USDT', clOrdId: 'shape1', tag: 'mark', state: 'live', side: 'buy' },
      ...{ px: '60000', sz: '0.01', ordType: 'limit', accFillSz: '0', avgPx: '', fee: '0', tgtCcy: '' },
      ...{ cTime: String(rig.now), uTime: String(rig.now), stpMode: 'cancel_maker' },
    });
    expect(await detail('USDT')).toMatchObject({ availBal: '99400', frozenBal: '600', cashBal: '100000' });
  });

  test('to buy by money spends quote by default, base when told so; to sell it is the other way round', async () => {
    const market = { ...spot, ordType: 'market' };
    const reported = async (body: object) => {
      const placed = await post('order', { ...market, ...body });
      const order = await find(placed.data[0].ordId);
      return [order.state, order.sz, order.tgtCcy];
    };
    expect(await reported({ side: 'buy', sz: '100' })).toEqual(['filled', '100', 'quote_ccy']);
    const base = { side: 'buy', sz: '0.002', tgtCcy: 'base_ccy' };
    expect(await reported(base)).toEqual(['filled', '0.002', 'base_ccy']);
    expect(await reported({ side: 'sell', sz: '0.002' })).toEqual(['filled', '0.002', 'base_ccy']);
    const quote = { side: 'sell', sz: '100', tgtCcy: 'quote_ccy' };
    expect(await reported(quote)).toEqual(['filled', '100', 'quote_ccy']);
  });

  test('is paid for to the unit: fills, fees taken from what arrives and written as charges, balances', async () => {
    const placed = await post('order', { ...spot, side: 'buy', ordType: 'market', sz: '90000' });
    const { ordId } = placed.data[0];
    const fills = await get(`trade/fills?ordId=${ordId}`);
    expect(fills.length).toBeGreaterThan(1);
    for (const fill of fills) {
      expect(fill).toMatchObject({ feeCcy: 'BTC', feeRate: '-0.001', execType: 'T', subType: '1', ordId });
      expect(fill.fee).toMatch(/^-0\.[0-9]{1,8}$/);
    }
    const order = await find(ordId);
    expect(order).toMatchObject({ state: 'filled', feeCcy: 'BTC', fee: formatAmount(sum(fills, 'fee')) });
    expect(order.accFillSz).toBe(formatAmount(sum(fills, 'fillSz')));
    expect([order.tradeId, order.fillPx]).toEqual([fills[0].tradeId, fills[0].fillPx]);
    const got = plus(sum(fills, 'fillSz'), sum(fills, 'fee'));
    expect((await detail('BTC')).cashBal).toBe(formatAmount(plus(amount('1'), got)));
    const spent = fills.reduce((total: bigint, fill: Record<string, string>) => {
      return total + (amount(fill.fillPx ?? '') * amount(fill.fillSz ?? '')) / 10n ** 18n;
    }, 0n);
    expect((await detail('USDT')).cashBal).toBe(formatAmount(minus(amount('100000'), spent)));
  });

  test('that may not rest is taken on and cancelled, and says why', async () => {
    const [ask] = (await rig.get('/api/v5/market/books?instId=BTC-USDT')).body.data[0].asks;
    for (const [change, cancelSource] of [
      [{ ordType: 'ioc' }, '14'],
      [{ ordType: 'fok' }, '13'],
      [{ ordType: 'post_only', px: ask[0] }, '31'],
    ] as const) {
      const placed = await post('order', { ...resting, ...change });
      expect(placed.data[0].sCode).toBe('0');
      expect(await find(placed.data[0].ordId)).toMatchObject({
        state: 'canceled',
        accFillSz: '0',
        cancelSource,
      });
    }
    expect(await get('trade/orders-pending')).toEqual([]);
  });

  test('never trades with its owner: the maker goes first, or the taker, or both, as asked', async () => {
    for (const [stpMode, maker, taker] of [
      [undefined, 'canceled', 'live'],
      ['cancel_maker', 'canceled', 'live'],
      ['cancel_taker', 'live', 'canceled'],
      ['cancel_both', 'canceled', 'canceled'],
    ] as const) {
      const [bid] = (await rig.get('/api/v5/market/books?instId=BTC-USDT')).body.data[0].bids;
      const px = String((Number(bid[0]) * 10 + 1) / 10);
      const sell = await post('order', { ...resting, side: 'sell', ordType: 'post_only', px });
      const buy = await post('order', { ...resting, px, ...(stpMode === undefined ? {} : { stpMode }) });
      const [first, second] = [sell.data[0].ordId, buy.data[0].ordId];
      expect([(await find(first)).state, (await find(second)).state]).toEqual([maker, taker]);
      for (const ordId of [first, second]) await post('cancel-order', { instId: 'BTC-USDT', ordId });
    }
    expect(await get('trade/fills')).toEqual([]);
  });

  test('keeps its id when it gets another price and size, and its history tells both', async () => {
    const placed = await post('order', { ...resting, clOrdId: 'moved' });
    const { ordId } = placed.data[0];
    const amended = await post('amend-order', {
      ...{ instId: 'BTC-USDT', clOrdId: 'moved' },
      ...{ newPx: '61000', newSz: '0.02', reqId: 'r1' },
    });
    expect(amended.data[0]).toMatchObject({ ordId, clOrdId: 'moved', reqId: 'r1', sCode: '0' });
    expect(await find(ordId)).toMatchObject({ px: '61000', sz: '0.02', state: 'live' });
    expect((await detail('USDT')).frozenBal).toBe('1220');
    await post('amend-order', { instId: 'BTC-USDT', ordId, newSz: '0.015' });
    expect((await detail('USDT')).frozenBal).toBe('915');
    // A price that the book reaches trades at once.
    await post('amend-order', { instId: 'BTC-USDT', ordId, newPx: '100000' });
    expect(await find(ordId)).toMatchObject({ state: 'filled', accFillSz: '0.015' });
  });
});

describe('batches', () => {
  test('tell each order’s own fate: all well 0, none 1, some 2', async () => {
    const bad = { ...resting, sz: '0' };
    expect(await post('batch-orders', [resting, resting])).toMatchObject({ code: '0', msg: '' });
    const mixed = await post('batch-orders', [resting, bad]);
    expect(mixed).toMatchObject({ code: '2', data: [{ sCode: '0' }, { sCode: '51000', ordId: '' }] });
    expect(await post('batch-orders', [bad, bad])).toMatchObject({ code: '1', msg: 'All operations failed' });
    const open = await get('trade/orders-pending');
    const named = open.map(({ instId, ordId }: Record<string, string>) => ({ instId, ordId }));
    expect(named.length).toBe(3);
    const amends = named.map((one: object) => ({ ...one, newSz: '0.005' }));
    expect((await post('amend-batch-orders', amends)).code).toBe('0');
    expect((await get('trade/orders-pending')).map((one: Record<string, string>) => one.sz)).toEqual([
      '0.005',
      '0.005',
      '0.005',
    ]);
    expect((await post('cancel-batch-orders', named)).code).toBe('0');
    expect((await post('cancel-batch-orders', named)).code).toBe('1');
  });
});

describe('lists', () => {
  test('are newest first and are paged by the last id, without a hole or a repeat', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      const instId = count % 2 === 0 ? 'BTC-USDT' : 'ETH-USDT';
      const px = instId === 'BTC-USDT' ? '60000' : '1500';
      rig.letPass(1);
      ids.unshift((await post('order', { ...resting, instId, px })).data[0].ordId);
    }
    const read: string[] = [];
    for (let after = ''; ; ) {
      const page = await get(`trade/orders-pending?limit=3${after === '' ? '' : `&after=${after}`}`);
      read.push(...page.map((one: Record<string, string>) => one.ordId));
      if (page.length < 3) break;
      after = page.at(-1).ordId;
    }
    expect(read).toEqual(ids);
    const newer = await get(`trade/orders-pending?before=${ids[2]}`);
    expect(newer.map((one: Record<string, string>) => one.ordId)).toEqual(ids.slice(0, 2));
    expect((await get('trade/orders-pending?instType=SPOT&instId=ETH-USDT')).length).toBe(3);
    expect(await get('trade/orders-pending?instType=SWAP')).toEqual([]);
    expect((await get('trade/orders-pending?ordType=limit,ioc')).length).toBe(7);
    expect(await get('trade/orders-pending?ordType=post_only')).toEqual([]);
  });

  test('of fills are paged by bill id; an order’s own are found by its id', async () => {
    for (const sz of ['20000', '15000']) {
      await post('order', { ...spot, side: 'buy', ordType: 'market', sz });
      rig.letPass(1);
    }
    const all = await get('trade/fills');
    expect(all.length).toBeGreaterThan(3);
    const read: unknown[] = [];
    for (let after = ''; ; ) {
      const page = await get(
        `trade/fills-history?instType=SPOT&limit=2${after === '' ? '' : `&after=${after}`}`,
      );
      read.push(...page);
      if (page.length < 2) break;
      after = page.at(-1).billId;
    }
    expect(read).toEqual(all);
    expect(new Set(all.map((fill: Record<string, string>) => fill.billId)).size).toBe(all.length);
    const { ordId } = all[0];
    const own = await get(`trade/fills?ordId=${ordId}`);
    expect(own).toEqual(all.filter((fill: Record<string, string>) => fill.ordId === ordId));
    expect(await get(`trade/fills?begin=${rig.now}`)).toEqual([]);
    expect(await get('trade/fills?ordId=1')).toEqual([]);
  });

  test('forget an order that ended without a fill after two hours, and none that was filled', async () => {
    const cancelled = (await post('order', resting)).data[0].ordId;
    await post('cancel-order', { instId: 'BTC-USDT', ordId: cancelled });
    const filled = (await post('order', { ...spot, side: 'buy', ordType: 'market', sz: '100' })).data[0]
      .ordId;
    const ended = async () =>
      (await get('trade/orders-history?instType=SPOT')).map((one: Record<string, string>) => one.ordId);
    expect(await ended()).toEqual([filled, cancelled]);
    expect((await get('trade/orders-history?instType=SPOT&state=filled')).length).toBe(1);
    rig.letPass(2 * 3_600_000 + 1);
    expect(await ended()).toEqual([filled]);
    const gone = await rig.signed(key, 'GET', `/api/v5/trade/order?instId=BTC-USDT&ordId=${cancelled}`);
    expect(gone.body.code).toBe('51603');
    expect((await get('trade/orders-history-archive?instType=SPOT')).length).toBe(1);
  });
});

describe('bills', () => {
  test('of a trade are one of what was received, less the fee, and one of what was paid; they add up to the balances', async () => {
    const before = [await detail('USDT'), await detail('BTC')];
    await post('order', { ...spot, side: 'buy', ordType: 'market', sz: '20000', tag: 'mark' });
    rig.letPass(1);
    await post('order', { ...spot, side: 'sell', ordType: 'market', sz: '0.2' });
    const fills: Record<string, string>[] = await get('trade/fills');
    const bills: Record<string, string>[] = await get('account/bills?instType=SPOT');
    expect(bills).toHaveLength(2 * fills.length);
    expect(new Set(bills.map(({ billId }) => billId)).size).toBe(bills.length);
    for (const [at, ccy] of ['USDT', 'BTC'].entries()) {
      const own = bills.filter((bill) => bill.ccy === ccy);
      expect(await get(`account/bills?type=2&ccy=${ccy}`)).toEqual(own);
      const moved = minus(amount((await detail(ccy)).cashBal), amount(before[at].cashBal));
      expect(formatAmount(sum(own, 'balChg'))).toBe(formatAmount(moved));
    }
    for (const { billId, side, fillSz, fillPx, fee, feeCcy, tradeId, ordId } of fills) {
      const got = bills.find((bill) => bill.billId === billId);
      const ccy = side === 'buy' ? 'BTC' : 'USDT';
      expect(got).toMatchObject({ ccy, fee, px: fillPx, tradeId, ordId, subType: '1', type: '2' });
      expect(got?.ccy).toBe(feeCcy);
      const others = bills.filter((bill) => bill.tradeId === tradeId && bill.billId !== billId);
      expect(others).toMatchObject([{ fee: '0', subType: '2', ccy: ccy === 'BTC' ? 'USDT' : 'BTC' }]);
      expect([got?.sz, others[0]?.sz]).toContain(fillSz);
    }
    const read: unknown[] = [];
    for (let after = ''; ; ) {
      const page = await get(
        `account/bills-archive?instType=SPOT&limit=3${after === '' ? '' : `&after=${after}`}`,
      );
      read.push(...page);
      if (page.length < 3) break;
      after = page.at(-1).billId;
    }
    expect(read).toEqual(bills);
    expect(await get('account/bills?instType=SWAP')).toEqual([]);
    expect(await get('account/bills?mgnMode=cross')).toEqual([]);
  });
});

test('funding and trading are two account types, between which funds move', async () => {
  expect(await get('asset/balances')).toEqual([]);
  const move = { ccy: 'USDT', amt: '250.5', from: '18', to: '6', clientId: 'home1' };
  const moved = await rig.signed(key, 'POST', '/api/v5/asset/transfer', { body: move });
  expect(moved.body.data[0]).toMatchObject({
    ccy: 'USDT',
    amt: '250.5',
    from: '18',
    to: '6',
    clientId: 'home1',
  });
  expect(await get('asset/balances?ccy=USDT,BTC')).toEqual([
    { availBal: '250.5', bal: '250.5', ccy: 'USDT', frozenBal: '0' },
  ]);
  expect((await detail('USDT')).availBal).toBe('99749.5');
  expect((await get('asset/transfer-state?clientId=home1'))[0]).toMatchObject({
    from: '18',
    to: '6',
    type: '0',
  });
  const [worth] = await get('asset/asset-valuation');
  expect(Number(worth.details.funding)).toBeCloseTo(250.5, 6);
  const back = { ...move, amt: '250.5', from: '6', to: '18', clientId: 'back1' };
  await rig.signed(key, 'POST', '/api/v5/asset/transfer', { body: back });
  expect((await detail('USDT')).availBal).toBe('100000');
  expect(await get('asset/balances')).toEqual([]);
});
