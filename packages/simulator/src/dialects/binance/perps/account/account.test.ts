import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { amount, type Lots } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../../tests/opened.ts';
import { RECORDINGS_DIR } from '../../../../../../../tests/recordings.ts';
import { type Member, MemberRig } from '../member-rig.fixture.ts';

const rig = openedOnce(() => MemberRig.open());

const SYMBOL = 'BTCUSDT';
const RECORDINGS = join(RECORDINGS_DIR, 'nautilus/binance/futures');

/** An account with a position of 0.2 at 60,000 and orders at both sides, ten times levered; the mark is at 62,000. */
async function engaged(label: string): Promise<Member> {
  const member = await rig.member(label);
  rig.core.marks.set(SYMBOL, 60_000);
  await member.ask('POST /fapi/v1/leverage', { symbol: SYMBOL, leverage: 10 });
  await member.trade('BUY', '0.2', 60_000);
  rig.core.marks.set(SYMBOL, 62_000);
  await member.order('BUY', '0.1', { at: '61000' });
  await member.order('SELL', '0.5', { at: '63000' });
  return member;
}

/** Names of the fields of a row that are text, in order. */
function textsOf(row: object): string[] {
  return Object.entries(row)
    .filter(([, value]) => typeof value === 'string')
    .map(([name]) => name)
    .sort();
}

describe('figures', () => {
  test('of an account with a position and orders at both sides: only the worse side counts', async () => {
    const member = await engaged('figures');
    const [risk] = await member.ask('GET /fapi/v3/positionRisk');
    expect(risk).toEqual({
      symbol: SYMBOL,
      positionSide: 'BOTH',
      positionAmt: '0.200',
      entryPrice: '60000',
      breakEvenPrice: '60030',
      markPrice: '62000.00000000',
      unRealizedProfit: '400.00000000',
      liquidationPrice: expect.stringMatching(/^[0-9.]+$/),
      isolatedMargin: '0.00000000',
      notional: '12400.00000000',
      isolatedWallet: '0.00000000',
      updateTime: rig.core.now,
      marginAsset: 'USDT',
      initialMargin: '1910.00000000',
      maintMargin: '49.60000000',
      positionInitialMargin: '1240.00000000',
      openOrderInitialMargin: '670.00000000',
      adl: expect.any(Number),
      bidNotional: '6100',
      askNotional: '31500',
    });
    const account = await member.ask('GET /fapi/v3/account');
    expect(account).toMatchObject({
      totalInitialMargin: '1910.00000000',
      totalMaintMargin: '49.60000000',
      totalWalletBalance: '9994.00000000',
      totalUnrealizedProfit: '400.00000000',
      totalMarginBalance: '10394.00000000',
      totalOpenOrderInitialMargin: '670.00000000',
      availableBalance: '8484.00000000',
      assets: [{ asset: 'USDT', walletBalance: '9994.00000000', marginBalance: '10394.00000000' }],
      positions: [{ symbol: SYMBOL, positionAmt: '0.200', initialMargin: '1910.00000000' }],
    });
    expect(await member.ask('GET /fapi/v3/balance')).toEqual([
      {
        accountAlias: `sim${member.account}`,
        asset: 'USDT',
        balance: '9994.00000000',
        crossWalletBalance: '9994.00000000',
        crossUnPnl: '400.00000000',
        availableBalance: '8484.00000000',
        maxWithdrawAmount: account.maxWithdrawAmount,
        marginAvailable: true,
        updateTime: expect.any(Number),
      },
    ]);
    expect(await member.ask('GET /fapi/v2/balance')).toEqual(await member.ask('GET /fapi/v3/balance'));
    await member.ask('DELETE /fapi/v1/allOpenOrders', { symbol: SYMBOL });
  });

  test('version 2 lists every contract, flat ones too, with leverage and margin type', async () => {
    const member = await rig.member('flat');
    await member.ask('POST /fapi/v1/marginType', { symbol: SYMBOL, marginType: 'ISOLATED' });
    const rows = await member.ask('GET /fapi/v2/positionRisk');
    expect(rows).toMatchObject([
      {
        ...{ symbol: SYMBOL, positionAmt: '0.000', entryPrice: '0.0', liquidationPrice: '0', leverage: '20' },
        ...{
          marginType: 'isolated',
          isAutoAddMargin: 'false',
          maxNotionalValue: '12000000',
          positionSide: 'BOTH',
        },
      },
      { symbol: 'ETHUSDT', marginType: 'cross' },
    ]);
    expect(await member.ask('GET /fapi/v3/positionRisk')).toEqual([]);
    const account = await member.ask('GET /fapi/v2/account');
    expect(account.positions).toMatchObject([{ isolated: true, leverage: '20' }, { isolated: false }]);
  });

  // "Position Information V2" and "Account Information V2", 2026-06: fields in text, numbers and flags.
  test('answers of version 2 have the documented fields', async () => {
    const member = await engaged('documented');
    const [risk] = await member.ask('GET /fapi/v2/positionRisk', { symbol: SYMBOL });
    const position =
      'breakEvenPrice entryPrice isolatedMargin isolatedWallet leverage liquidationPrice marginType markPrice maxNotionalValue notional positionAmt positionSide symbol unRealizedProfit';
    expect(textsOf(risk)).toEqual(expect.arrayContaining(position.split(' ')));
    expect(risk).toMatchObject({ isAutoAddMargin: 'false', updateTime: rig.core.now });
    const account = await member.ask('GET /fapi/v2/account');
    const sums =
      'availableBalance maxWithdrawAmount totalCrossUnPnl totalCrossWalletBalance totalInitialMargin totalMaintMargin totalMarginBalance totalOpenOrderInitialMargin totalPositionInitialMargin totalUnrealizedProfit totalWalletBalance';
    expect(textsOf(account)).toEqual(sums.split(' '));
    expect(account).toMatchObject({
      ...{ feeTier: 0, canTrade: true, canDeposit: true, canWithdraw: true, multiAssetsMargin: false },
      ...{ tradeGroupId: -1, updateTime: expect.any(Number) },
    });
    const asset =
      'asset availableBalance crossUnPnl crossWalletBalance initialMargin maintMargin marginBalance maxWithdrawAmount openOrderInitialMargin positionInitialMargin unrealizedProfit walletBalance';
    expect(textsOf(account.assets[0])).toEqual(asset.split(' '));
    expect(account.assets[0]).toMatchObject({ marginAvailable: true, updateTime: expect.any(Number) });
    const held =
      'askNotional bidNotional entryPrice initialMargin leverage maintMargin maxNotional openOrderInitialMargin positionAmt positionInitialMargin positionSide symbol unrealizedProfit';
    expect(textsOf(account.positions[0])).toEqual(expect.arrayContaining(held.split(' ')));
    expect(account.positions[0]).toMatchObject({ isolated: false, updateTime: expect.any(Number) });
    await member.ask('DELETE /fapi/v1/allOpenOrders', { symbol: SYMBOL });
  });

  test.skipIf(!existsSync(RECORDINGS))(
    'recorded answers of version 2 have no field that is missing',
    async () => {
      const member = await engaged('recorded');
      const recorded = (name: string) =>
        JSON.parse(readFileSync(`${RECORDINGS}/http_json/${name}.json`, 'utf8'));
      const [risk] = await member.ask('GET /fapi/v2/positionRisk', { symbol: SYMBOL });
      const kinds = (value: object) =>
        Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, typeof entry]));
      expect(kinds(risk)).toMatchObject(kinds(recorded('position_risk')[0]));
      const theirs = recorded('account_info_v2');
      const ours = await member.ask('GET /fapi/v2/account');
      expect(kinds(ours)).toEqual(kinds(theirs));
      expect(kinds(ours.assets[0])).toEqual(kinds(theirs.assets[0]));
      expect(kinds(ours.positions[0])).toMatchObject(kinds(theirs.positions[0]));
      await member.ask('DELETE /fapi/v1/allOpenOrders', { symbol: SYMBOL });
    },
  );
});

describe('settings', () => {
  test('leverage: what it allows, and the same again', async () => {
    const member = await rig.member('leverage');
    const set = { symbol: SYMBOL, leverage: 100 };
    const answer = { ...set, maxNotionalValue: '800000' };
    expect(await member.ask('POST /fapi/v1/leverage', set)).toEqual(answer);
    expect(await member.ask('POST /fapi/v1/leverage', set)).toEqual(answer);
    expect(await member.ask('GET /fapi/v1/symbolConfig', { symbol: SYMBOL })).toEqual([
      {
        symbol: SYMBOL,
        marginType: 'CROSSED',
        isAutoAddMargin: false,
        leverage: 100,
        maxNotionalValue: '800000',
      },
    ]);
  });

  test('the account is in one-way, single-asset mode until it is changed', async () => {
    const member = await rig.member('modes');
    expect(await member.ask('GET /fapi/v1/positionSide/dual')).toEqual({ dualSidePosition: false });
    expect(await member.ask('GET /fapi/v1/multiAssetsMargin')).toEqual({ multiAssetsMargin: false });
    const done = { code: 200, msg: 'success' };
    expect(await member.ask('POST /fapi/v1/positionSide/dual', { dualSidePosition: 'true' })).toEqual(done);
    expect(await member.ask('GET /fapi/v1/accountConfig')).toMatchObject({
      ...{ feeTier: 0, canTrade: true, dualSidePosition: true, multiAssetsMargin: false },
    });
    expect(await member.ask('POST /fapi/v1/marginType', { symbol: SYMBOL, marginType: 'ISOLATED' })).toEqual(
      done,
    );
    expect(await member.ask('GET /fapi/v1/feeBurn')).toEqual({ feeBurn: false });
    expect(await member.ask('POST /fapi/v1/feeBurn', { feeBurn: 'false' })).toMatchObject({ code: 200 });
    for (const [feeBurn, code] of [
      [{ feeBurn: 'true' }, -1020],
      [{ feeBurn: 'x' }, -1130],
      [{}, -1102],
    ] as const)
      expect((await member.call('POST /fapi/v1/feeBurn', feeBurn)).body.code).toBe(code);
    expect((await member.ask('GET /fapi/v1/apiTradingStatus')).indicators).toEqual({});
  });

  test('the steps of leverage and the fees', async () => {
    const member = await rig.member('tiers');
    const [row] = await member.ask('GET /fapi/v1/leverageBracket', { symbol: SYMBOL });
    expect(row.brackets[1]).toEqual({
      ...{ bracket: 2, initialLeverage: 100, notionalCap: 800_000, notionalFloor: 300_000 },
      ...{ maintMarginRatio: 0.005, cum: 300 },
    });
    expect((await member.ask('GET /fapi/v1/leverageBracket')).length).toBe(2);
    expect(await member.ask('GET /fapi/v1/commissionRate', { symbol: SYMBOL })).toEqual({
      ...{
        symbol: SYMBOL,
        makerCommissionRate: '0.0002',
        takerCommissionRate: '0.0005',
        rpiCommissionRate: '0',
      },
    });
  });

  test('isolated margin is added and taken, and both are listed', async () => {
    const member = await rig.member('isolated');
    rig.core.marks.set(SYMBOL, 60_000);
    await member.ask('POST /fapi/v1/marginType', { symbol: SYMBOL, marginType: 'ISOLATED' });
    await member.trade('BUY', '0.1', 60_000);
    const move = (change: object) =>
      member.call('POST /fapi/v1/positionMargin', { symbol: SYMBOL, ...change });
    expect((await move({ amount: '150.5', type: 1 })).body).toEqual({
      ...{ amount: 150.5, code: 200, msg: 'Successfully modify position margin.', type: 1 },
    });
    expect(await member.ask('GET /fapi/v3/positionRisk')).toMatchObject([{ isolatedWallet: '450.50000000' }]);
    await move({ amount: '50', type: 2 });
    const history = await member.ask('GET /fapi/v1/positionMargin/history', { symbol: SYMBOL });
    expect(history).toMatchObject([
      { type: 1, amount: '150.50000000', asset: 'USDT', positionSide: 'BOTH' },
      { type: 2, amount: '50.00000000' },
    ]);
    const refusals = [
      [{ amount: '0', type: 1 }, -4055],
      [{ amount: '20000', type: 1 }, -4050],
      [{ amount: '300', type: 2 }, -4051],
      [{ amount: '1', type: 1, symbol: 'ETHUSDT' }, -4054],
    ] as const;
    for (const [change, code] of refusals) expect((await move(change)).body.code).toBe(code);
    const lowered = await member.call('POST /fapi/v1/leverage', { symbol: SYMBOL, leverage: 5 });
    expect(lowered.body).toEqual({
      code: -4161,
      msg: 'Leverage reduction is not supported in Isolated Margin Mode with open positions.',
    });
  });

  test.each([
    ['leverage', { symbol: SYMBOL, leverage: 0 }, -4028],
    ['leverage', { symbol: SYMBOL, leverage: 151 }, -4028],
    ['leverage', { symbol: SYMBOL }, -1102],
    ['marginType', { symbol: SYMBOL, marginType: 'CROSSED' }, -4046],
    ['marginType', { symbol: SYMBOL, marginType: 'cross' }, -1130],
    ['positionSide/dual', { dualSidePosition: 'false' }, -4059],
    ['positionSide/dual', {}, -1102],
    ['multiAssetsMargin', { multiAssetsMargin: 'false' }, -4171],
    ['multiAssetsMargin', { multiAssetsMargin: 'true' }, -1020],
    ['positionMargin', { symbol: SYMBOL, amount: '1' }, -1102],
    ['positionMargin', { symbol: SYMBOL, amount: '-1', type: 1 }, -1100],
  ])('%s %o is refused and changes nothing', async (path, params, code) => {
    const member = await rig.member(`refused ${path} ${code}`);
    expect((await member.call(`POST /fapi/v1/${path}`, params)).body.code).toBe(code);
    expect(await member.ask('GET /fapi/v1/positionSide/dual')).toEqual({ dualSidePosition: false });
  });

  test('modes do not change while orders or positions are open', async () => {
    const member = await rig.member('busy');
    rig.core.marks.set(SYMBOL, 60_000);
    const codes = async () => [
      (await member.call('POST /fapi/v1/marginType', { symbol: SYMBOL, marginType: 'ISOLATED' })).body.code,
      (await member.call('POST /fapi/v1/positionSide/dual', { dualSidePosition: 'true' })).body.code,
    ];
    await member.order('BUY', '0.01', { at: '59000' });
    expect(await codes()).toEqual([-4047, -4067]);
    await member.ask('DELETE /fapi/v1/allOpenOrders', { symbol: SYMBOL });
    await member.trade('BUY', '0.01', 60_000);
    expect(await codes()).toEqual([-4048, -4068]);
    expect(await member.ask('GET /fapi/v1/adlQuantile', { symbol: SYMBOL })).toMatchObject([
      { symbol: SYMBOL, adlQuantile: { LONG: 0, SHORT: 0, BOTH: expect.any(Number) } },
    ]);
  });
});

describe('income', () => {
  test('lists what changed the wallet, by kind, contract, time and page; it adds up to the wallet', async () => {
    const member = await rig.member('income', '1000');
    rig.core.marks.set(SYMBOL, 60_000);
    await member.trade('BUY', '0.01', 60_000);
    await member.trade('SELL', '0.01', 60_500);
    const rows = await member.ask('GET /fapi/v1/income');
    expect(rows.map(({ incomeType, income }: Record<string, string>) => [incomeType, income])).toEqual([
      ['TRANSFER', '1000.00000000'],
      ['COMMISSION', '-0.30000000'],
      ['REALIZED_PNL', '5.00000000'],
      ['COMMISSION', '-0.30250000'],
    ]);
    expect(rows[2]).toEqual({
      ...{
        symbol: SYMBOL,
        incomeType: 'REALIZED_PNL',
        income: '5.00000000',
        asset: 'USDT',
        time: rig.core.now,
      },
      ...{ info: rows[2].tradeId, tranId: expect.any(Number), tradeId: expect.stringMatching(/^[0-9]+$/) },
    });
    expect((await member.ask('GET /fapi/v3/balance'))[0].balance).toBe('1004.39750000');
    const fees = { incomeType: 'COMMISSION', limit: 1 };
    expect(await member.ask('GET /fapi/v1/income', { ...fees, page: 2 })).toEqual([rows[3]]);
    expect(await member.ask('GET /fapi/v1/income', { symbol: SYMBOL })).toEqual(rows.slice(1));
    expect(await member.ask('GET /fapi/v1/income', { startTime: rig.core.now + 1 })).toEqual([]);
    expect(await member.ask('GET /fapi/v1/forceOrders')).toEqual([]);
  });
});

test('a position of a lot is written with the decimals of its step, whichever its sign', async () => {
  const member = await rig.member('lots');
  rig.core.marks.set(SYMBOL, 60_000);
  await member.trade('SELL', '0.001', 60_000);
  expect(await member.ask('GET /fapi/v3/positionRisk')).toMatchObject([
    { positionAmt: '-0.001', notional: '-60.00000000' },
  ]);
  expect(rig.core.perps.positions(member.account)[0]?.quantity).toBe(-1 as Lots);
  expect(rig.core.wallet(member.account)).toBe(amount('9999.97'));
});
