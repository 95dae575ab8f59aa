import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { unique } from '../../wire/rig.fixture.ts';
import { type Member, MemberRig, SWAP } from './member-rig.fixture.ts';

/** Orders on contracts by REST: what is answered, what is listed, and what becomes of positions. */

const rig = openedOnce(() => MemberRig.open());
let member: Member;
beforeEach(async () => {
  rig.core.clearHouse(SWAP);
  rig.core.marks.set(SWAP, 60_000);
  member = await rig.member(unique('trader'), '10000');
});

const find = async (ordId: string) => (await member.ask('GET trade/order', { instId: SWAP, ordId }))[0];

describe('an order on a contract', () => {
  test('has the fields of a pair’s order, and says position side, mode, leverage and profit', async () => {
    const { ordId = '' } = await member.order('buy', '5', { px: '59000', clOrdId: 'shape1', tag: 'mark' });
    const order = await find(ordId);
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
      ...{ instType: 'SWAP', instId: SWAP, clOrdId: 'shape1', tag: 'mark', state: 'live', side: 'buy' },
      ...{ px: '59000', sz: '5', ordType: 'limit', accFillSz: '0', avgPx: '', fee: '0', pnl: '0' },
      ...{ posSide: 'net', tdMode: 'cross', lever: '3', reduceOnly: 'false', category: 'normal' },
    });
  });

  test('that is filled says its average in coins, its fee below 0 and, where it closes, its profit', async () => {
    await member.trade('buy', '5', 60_000);
    const ordId = await member.trade('sell', '8', 60_900);
    expect(await find(ordId)).toMatchObject({
      ...{ state: 'filled', accFillSz: '8', avgPx: '60900', fee: '-2.436', pnl: '45', feeCcy: 'USDT' },
    });
    expect(await member.held()).toEqual([`${SWAP} cross net -3`]);
    const [fill] = await member.ask('GET trade/fills', { instType: 'SWAP', ordId });
    expect(fill).toMatchObject({
      ...{ fillPnl: '45', fee: '-2.436', fillSz: '8', subType: '2', execType: 'T', posSide: 'net' },
    });
  });

  test('amended keeps its id; cancelled it says who cancelled it; both only while it is open', async () => {
    const { ordId = '' } = await member.order('buy', '5', { px: '59000' });
    const change = { instId: SWAP, ordId, newSz: '7', newPx: '58000', reqId: 'r1' };
    const [amended] = await member.ask('POST trade/amend-order', change);
    expect(amended).toMatchObject({ ordId, reqId: 'r1', sCode: '0' });
    expect(await find(ordId)).toMatchObject({ sz: '7', px: '58000', state: 'live' });
    expect(await member.ask('GET trade/orders-pending', { instType: 'SWAP' })).toHaveLength(1);
    expect(await member.ask('GET trade/orders-pending', { instType: 'SPOT' })).toEqual([]);
    await member.ask('POST trade/cancel-order', { instId: SWAP, ordId });
    expect(await find(ordId)).toMatchObject({ state: 'canceled', cancelSource: '1' });
    const late = (await member.call('POST trade/cancel-order', { instId: SWAP, ordId })).body;
    expect(late).toMatchObject({ code: '1', data: [{ sCode: '51401' }] });
    const [ended] = await member.ask('GET trade/orders-history', { instType: 'SWAP' });
    expect(ended).toMatchObject({ ordId, state: 'canceled' });
  });

  test('whose amendment is refused may be cancelled for it', async () => {
    const { ordId = '' } = await member.order('buy', '5', { px: '59000' });
    const change = { instId: SWAP, ordId, newSz: '999999', cxlOnFail: true };
    const { data } = (await member.call('POST trade/amend-order', change)).body;
    expect(data[0].sCode).not.toBe('0');
    expect(await find(ordId)).toMatchObject({ state: 'canceled' });
  });

  test('may be one of a batch with orders on pairs and others’ faults', async () => {
    const order = { instId: SWAP, tdMode: 'cross', side: 'buy', ordType: 'limit', sz: '1', px: '59000' };
    const { body } = await member.call('POST trade/batch-orders', [order, { ...order, sz: '0.001' }]);
    expect(body).toMatchObject({ code: '2', data: [{ sCode: '0' }, { sCode: '51121' }] });
    const names = body.data.slice(0, 1).map(({ ordId }: { ordId: string }) => ({ instId: SWAP, ordId }));
    expect(await member.ask('POST trade/cancel-batch-orders', names)).toMatchObject([{ sCode: '0' }]);
  });

  const types: [string, object, object][] = [
    ['ioc', { px: '59000' }, { state: 'canceled', cancelSource: '14' }],
    ['fok', { px: '59000' }, { state: 'canceled', cancelSource: '13' }],
    ['post_only', { px: '60000' }, { state: 'canceled', cancelSource: '31' }],
    ['optimal_limit_ioc', {}, { state: 'filled', avgPx: '60000' }],
    ['market', {}, { state: 'filled', ordType: 'market' }],
  ];
  test.each(types)('of type %s with %o ends as %o', async (ordType, more, end) => {
    rig.core.house(SWAP, 'SELL', 60_000, 100);
    const { ordId = '' } = await member.order('buy', '1', { ordType, ...more } as never);
    expect(await find(ordId)).toMatchObject(end);
  });
});

describe('positions', () => {
  test('cross and isolated stand side by side; a reduce-only order is cut to its position', async () => {
    await member.trade('buy', '5', 60_000);
    await member.trade('sell', '2', 60_000, { tdMode: 'isolated' });
    expect(await member.held()).toEqual([`${SWAP} cross net 5`, `${SWAP} isolated net -2`]);
    const ordId = await member.trade('sell', '9', 60_000, { reduceOnly: true });
    expect(await find(ordId)).toMatchObject({ sz: '5', accFillSz: '5', state: 'filled', reduceOnly: 'true' });
    expect(await member.held()).toEqual([`${SWAP} isolated net -2`]);
    expect(await member.order('buy', '1', { reduceOnly: true, px: '59000' })).toMatchObject({
      sCode: '51169',
    });
  });

  test('legs are opened and closed by side and name; pending closes count against what may be closed', async () => {
    await member.ask('POST account/set-position-mode', { posMode: 'long_short_mode' });
    await member.trade('buy', '5', 60_000, { posSide: 'long' });
    await member.trade('sell', '3', 60_000, { posSide: 'short' });
    expect(await member.held()).toEqual([`${SWAP} cross long 5`, `${SWAP} cross short 3`]);
    const close = { posSide: 'long', px: '61000' };
    expect(await member.order('sell', '4', close)).toMatchObject({ sCode: '0' });
    expect(await member.order('sell', '2', close)).toMatchObject({ sCode: '51112' });
    const [long] = await member.ask('GET account/positions', { instId: SWAP });
    expect(long).toMatchObject({ pos: '5', availPos: '1' });
    expect(await member.order('buy', '1', { px: '59000' })).toMatchObject({ sCode: '51000' });
    rig.core.house(SWAP, 'BUY', 60_100, 500);
    const busy = { instId: SWAP, mgnMode: 'cross', posSide: 'long' };
    const refusal = async () => (await member.call('POST trade/close-position', busy)).body;
    expect(await refusal()).toMatchObject({ code: '1', data: [{ sCode: '51115', ordId: '' }] });
    const closed = await member.ask('POST trade/close-position', { ...busy, autoCxl: true, tag: 'bye' });
    expect(closed).toEqual([{ clOrdId: '', instId: SWAP, posSide: 'long', tag: 'bye' }]);
    expect(await member.held()).toEqual([`${SWAP} cross short 3`]);
    expect(await refusal()).toMatchObject({ code: '1', data: [{ sCode: '51023' }] });
  });

  test('a position of worked figures: margin, ratio, liquidation price, break-even', async () => {
    await member.ask('POST account/set-leverage', { instId: SWAP, lever: '10', mgnMode: 'isolated' });
    await member.trade('buy', '50', 60_000, { tdMode: 'isolated' });
    rig.core.marks.set(SWAP, 60_500);
    const [position] = await member.ask('GET account/positions', { instType: 'SWAP' });
    expect(Object.keys(position).sort()).toEqual(
      `adl availPos avgPx baseBal baseBorrowed baseInterest bePx bizRefId bizRefType cTime ccy clSpotInUseAmt
      closeOrderAlgo deltaBS deltaPA fee fundingFee gammaBS gammaPA hedgedPos idxPx imr instId instType interest last
      lever liab liabCcy liqPenalty liqPx margin markPx maxSpotInUseAmt mgnMode mgnRatio mmr nonSettleAvgPx notionalUsd
      optVal pendingCloseOrdLiabVal pnl pos posCcy posId posSide quoteBal quoteBorrowed quoteInterest realizedPnl
      settledPnl spotInUseAmt spotInUseCcy thetaBS thetaPA tradeId uTime upl uplLastPx uplRatio uplRatioLastPx usdPx
      vegaBS vegaPA`
        .split(/\s+/)
        .sort(),
    );
    expect(position).toMatchObject({
      ...{ margin: '3000', imr: '', mmr: '121', lever: '10', upl: '250', fee: '-15', realizedPnl: '-15' },
      ...{ mgnMode: 'isolated', pos: '50', avgPx: '60000', markPx: '60500', notionalUsd: '30250' },
    });
    expect(Number(position.mgnRatio)).toBeCloseTo(23.87511478, 6);
    expect(position.liqPx.slice(0, 14)).toBe('54244.19844299');
    expect(Number(position.uplRatio)).toBeCloseTo(250 / 3000, 10);
    const [row] = await member.ask('GET account/balance', { ccy: 'USDT' });
    expect(row.details[0]).toMatchObject({
      ...{ cashBal: '6985', isoEq: '3250', isoUpl: '250', eq: '10235', upl: '250', availEq: '6985' },
      ...{ availBal: '6985', frozenBal: '3250', imr: '0', mmr: '0', mgnRatio: '', ordFrozen: '0' },
    });
  });

  test('a position that was closed is in the history with all that it brought', async () => {
    await member.trade('buy', '5', 60_000);
    await member.trade('sell', '5', 61_000);
    const [row] = await member.ask('GET account/positions-history', { instType: 'SWAP' });
    expect(row).toMatchObject({
      ...{ type: '2', direction: 'long', openAvgPx: '60000', closeAvgPx: '61000', openMaxPos: '5' },
      ...{ pnl: '50', fee: '-3.025', realizedPnl: '46.975', closeTotalPos: '5', lever: '3', posSide: 'net' },
    });
    const after = String(Number(row.uTime) + 1);
    expect(await member.ask('GET account/positions-history', { after })).toHaveLength(1);
    expect(await member.ask('GET account/positions-history', { after: row.uTime })).toEqual([]);
    expect(await member.ask('GET account/positions-history', { type: '3' })).toEqual([]);
  });
});

describe('bills', () => {
  test('a trade is one bill with profit and fee, funding one of its own; together they are the wallet', async () => {
    await member.trade('buy', '5', 60_000);
    rig.core.perps.fundNow(SWAP);
    await member.trade('sell', '5', 61_000);
    const bills = await member.ask('GET account/bills', { instType: 'SWAP' });
    expect(bills.map(({ type, subType, balChg }: Record<string, string>) => [type, subType, balChg])).toEqual(
      [
        ['2', '2', '48.475'],
        ['8', '173', '-0.3'],
        ['2', '1', '-1.5'],
      ],
    );
    expect(bills[1]).toMatchObject({ pnl: '-0.3', sz: '5', px: '60000', instId: SWAP, mgnMode: 'cross' });
    expect(bills[0]).toMatchObject({ pnl: '50', fee: '-1.525', bal: '10046.675' });
    const [row] = await member.ask('GET account/balance', { ccy: 'USDT' });
    expect(row.details[0].cashBal).toBe('10046.675');
    const older = await member.ask('GET account/bills', { after: bills[0].billId, limit: '1' });
    expect(older).toEqual([bills[1]]);
    expect(await member.ask('GET account/bills-archive', { type: '8' })).toEqual([bills[1]]);
  });
});

describe('an estimate of another leverage', () => {
  const ask = async (more: object) =>
    (
      await member.ask('GET account/adjust-leverage-info', {
        ...{ instType: 'SWAP', instId: SWAP, mgnMode: 'isolated', ...more },
      })
    )[0];
  test('says what the leverage then does, and changes nothing', async () => {
    await member.ask('POST account/set-leverage', { instId: SWAP, lever: '10', mgnMode: 'isolated' });
    await member.trade('buy', '50', 60_000, { tdMode: 'isolated' });
    const before = await member.ask('GET account/positions', { instId: SWAP });
    // The worked position: 3000 stand aside, and 6985 are free.
    expect(await ask({ lever: '20' })).toEqual({
      ...{ estAvailQuoteTrans: '', estQuoteMaxAmt: '', estQuoteMgn: '', estAvailTrans: '' },
      ...{ estLiqPx: before[0].liqPx, estMgn: '1500', existOrd: false },
      ...{ estMaxAmt: expect.any(String), maxLever: '125', minLever: '0.01' },
    });
    expect(await ask({ lever: '5' })).toMatchObject({ estMgn: '6000', estAvailTrans: '0' });
    await member.order('buy', '1', { tdMode: 'isolated', px: '59000' });
    expect(await ask({ lever: '5' })).toMatchObject({ existOrd: true });
    expect(await ask({ lever: '5', mgnMode: 'cross' })).toMatchObject({
      ...{ existOrd: false, estMgn: '0', estLiqPx: '' },
    });
    expect(await member.ask('GET account/positions', { instId: SWAP })).toEqual(before);
  });

  test('says how much could then be ordered, which is so once it is set, and not a lot more', async () => {
    const { estMaxAmt } = await ask({ mgnMode: 'cross', lever: '7' });
    await member.ask('POST account/set-leverage', { instId: SWAP, lever: '7', mgnMode: 'cross' });
    rig.core.house(SWAP, 'SELL', 60_000, 1_000_000);
    const more = (Number(estMaxAmt) + 0.01).toFixed(2);
    expect(await member.order('buy', more)).toMatchObject({ sCode: '51008' });
    expect(await member.order('buy', estMaxAmt)).toMatchObject({ sCode: '0' });
    const [position] = await member.ask('GET account/positions', { instId: SWAP });
    const { estLiqPx, estMgn } = await ask({ mgnMode: 'cross', lever: '7' });
    expect([estLiqPx, estMgn]).toEqual([position.liqPx, position.imr]);
  });
});

describe('what could be ordered', () => {
  test('so much is taken and a lot more is not, at a price and at market', async () => {
    rig.core.house(SWAP, 'SELL', 60_000, 1_000_000);
    const [size] = await member.ask('GET account/max-size', { instId: SWAP, tdMode: 'cross', px: '59000' });
    expect(size).toMatchObject({ instId: SWAP, ccy: 'USDT' });
    const more = (Number(size.maxBuy) + 0.01).toFixed(2);
    expect(await member.order('buy', more, { px: '59000' })).toMatchObject({ sCode: '51008' });
    expect(await member.order('buy', size.maxBuy, { px: '59000' })).toMatchObject({ sCode: '0' });
    const [free] = await member.ask('GET account/max-avail-size', { instId: SWAP, tdMode: 'cross' });
    expect(Number(free.availBuy)).toBeLessThan(10);
  });
});
