import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { unique } from '../../wire/rig.fixture.ts';
import { BTC, type Member, MemberRig } from './member-rig.fixture.ts';

const rig = openedOnce(() => MemberRig.open());
let member: Member;
beforeEach(async () => {
  rig.core.marks.set('BTCUSDT', 60_000);
  member = await rig.member(unique('setter'), '5016.5');
});

const position = () => member.first('GET position/list');
const wallet = async () =>
  (await member.ask('GET account/wallet-balance', { accountType: 'UNIFIED' })).list[0];
const isolated = () => member.ask('POST account/set-margin-mode', { setMarginMode: 'ISOLATED_MARGIN' });
const leverage = (buyLeverage: string, sellLeverage = buyLeverage) => ({ ...BTC, buyLeverage, sellLeverage });

describe('positions and the account behind them', () => {
  test('a flat one is listed where its contract is named, and its sequence is that of nothing', async () => {
    expect(await position()).toMatchObject({
      ...{ positionIdx: 0, symbol: 'BTCUSDT', side: '', size: '0', avgPrice: '0', leverage: '10', seq: -1 },
      ...{ tpslMode: 'Full', takeProfit: '', stopLoss: '', trailingStop: '0' },
      ...{ positionStatus: 'Normal', adlRankIndicator: 0, liqPrice: '', positionIM: '0', tradeMode: 0 },
    });
    const all = { category: 'linear', settleCoin: 'USDT' };
    expect(await member.ask('GET position/list', all)).toMatchObject({ list: [], nextPageCursor: '' });
    expect((await member.refusal('GET position/list', { category: 'linear' }))[0]).toBe(10_001);
    expect(await member.ask('GET position/list', { category: 'inverse' })).toMatchObject({ list: [] });
  });

  test('cross: margin at the mark, and what the account is worth', async () => {
    const orderId = await member.trade('Buy', '0.5', 60_000);
    rig.core.marks.set('BTCUSDT', 59_000);
    const { seq } = await member.first('GET execution/list', { orderId });
    expect(await position()).toMatchObject({
      ...{ side: 'Buy', size: '0.5', avgPrice: '60000', markPrice: '59000', leverage: '10', seq },
      ...{ positionIM: '2964.85', positionMM: '162.35', unrealisedPnl: '-500', positionBalance: '0' },
      ...{ breakEvenPrice: '60066.03631997', curRealisedPnl: '-16.5', cumRealisedPnl: '-16.5' },
      ...{ positionValue: '30000', riskLimitValue: '2000000', liqPrice: '50281.2' },
    });
    expect(await wallet()).toMatchObject({
      ...{ accountType: 'UNIFIED', totalWalletBalance: '5000', totalMarginBalance: '4500' },
      ...{ totalEquity: '4500', totalAvailableBalance: '1535.15', totalPerpUPL: '-500' },
      ...{ totalInitialMargin: '2964.85', totalMaintenanceMargin: '162.35' },
      ...{ accountIMRate: '0.65885555', accountMMRate: '0.03607777' },
      coin: [
        {
          ...{ coin: 'USDT', walletBalance: '5000', equity: '4500', unrealisedPnl: '-500', locked: '0' },
          ...{ totalPositionIM: '2964.85', totalPositionMM: '162.35', totalOrderIM: '0' },
          ...{ marginCollateral: true, collateralSwitch: true },
        },
      ],
    });
    const asked = { accountType: 'UNIFIED', coin: 'USDT' };
    const { balance } = await member.ask('GET asset/transfer/query-account-coins-balance', asked);
    expect(balance).toMatchObject([{ coin: 'USDT', walletBalance: '5000', transferBalance: '1535.15' }]);
  });

  test('an order holds margin', async () => {
    await member.ask('POST position/set-leverage', leverage('20'));
    await member.order('Buy', '0.1', { at: '58000' });
    expect((await wallet()).coin[0]).toMatchObject({ totalOrderIM: '296.2205', totalPositionIM: '0' });
  });

  test('isolated: the margin of the position is its own, and sums of the account are none', async () => {
    await isolated();
    await member.trade('Buy', '0.5', 60_000);
    expect(await position()).toMatchObject({
      ...{ positionIM: '3014.85', positionMM: '164.85', positionBalance: '3014.85', liqPrice: '54271.4' },
    });
    expect(await wallet()).toMatchObject({
      ...{ accountIMRate: '', accountMMRate: '', totalAvailableBalance: '', totalMarginBalance: '' },
      ...{ totalWalletBalance: '5000' },
    });
    expect(await member.ask('GET account/info')).toMatchObject({ marginMode: 'ISOLATED_MARGIN' });
  });
});

describe('leverage', () => {
  test('is set for both directions, and read without a position', async () => {
    expect(await member.ask('POST position/set-leverage', leverage('12.5'))).toEqual({});
    expect(await position()).toMatchObject({ leverage: '12.5' });
    expect(await member.first('GET position/symbol-info')).toMatchObject({
      ...{ symbol: 'BTCUSDT', leverage: '12.5', positionIdx: 0 },
    });
  });

  const refusals: [string, string, string, number][] = [
    ['as it is', '10', '10', 110_043],
    ['unequal in one-way mode', '10', '20', 10_001],
    ['above the ladder', '101', '101', 110_013],
    ['less than one', '0', '0', 10_001],
    ['no number', 'x', '10', 10_001],
    ['too fine', '10.001', '10.001', 10_001],
  ];
  test.each(refusals)('%s', async (_, buy, sell, code) => {
    expect((await member.refusal('POST position/set-leverage', leverage(buy, sell)))[0]).toBe(code);
    expect(await position()).toMatchObject({ leverage: '10' });
  });

  test('legs have their own in isolated hedge mode; where one is refused, neither is set', async () => {
    await isolated();
    await member.ask('POST position/switch-mode', { ...BTC, mode: 3 });
    await member.ask('POST position/set-leverage', leverage('5', '7'));
    const legs = async () =>
      (await member.ask('GET position/list', BTC)).list.map((row: { leverage: string }) => row.leverage);
    expect(await legs()).toEqual(['5', '7']);
    expect((await member.refusal('POST position/set-leverage', leverage('8', '101')))[0]).toBe(110_013);
    expect(await legs()).toEqual(['5', '7']);
  });

  test('margin for a lower one must be there', async () => {
    await member.trade('Buy', '0.7', 60_000);
    expect((await member.refusal('POST position/set-leverage', leverage('5')))[0]).toBe(110_044);
  });
});

describe('modes', () => {
  test('the position mode: of a contract, of all of a coin that are idle, and as it is', async () => {
    const mode = async (part: object) => (await member.refusal('POST position/switch-mode', part))[0];
    expect(await mode({ ...BTC, mode: 0 })).toBe(110_025);
    await member.order('Buy', '0.01', { at: '59000' });
    expect(await mode({ ...BTC, mode: 3 })).toBe(110_028);
    await member.trade('Buy', '0.01', 60_000);
    await member.ask('POST order/cancel-all', BTC);
    expect(await mode({ ...BTC, mode: 3 })).toBe(110_024);
    expect(await mode({ category: 'linear', coin: 'USDT', mode: 3 })).toBe(0);
    const legs = async (symbol: string) =>
      (await member.ask('GET position/list', { category: 'linear', symbol })).list.length;
    expect([await legs('BTCUSDT'), await legs('ETHUSDT')]).toEqual([1, 2]);
    for (const part of [{ mode: 3 }, { ...BTC }, { ...BTC, mode: 1 }, { coin: 'BTC', mode: 3 }])
      expect(await mode({ category: 'linear', ...part })).toBe(10_001);
  });

  test('the margin mode is that of the account; why not stands beside the code', async () => {
    const set = (setMarginMode: string) => member.call('POST account/set-margin-mode', { setMarginMode });
    expect((await set('REGULAR_MARGIN')).body).toMatchObject({ retCode: 0, result: { reasons: [] } });
    await member.order('Buy', '0.01', { at: '59000' });
    expect((await set('ISOLATED_MARGIN')).body).toMatchObject({
      ...{ retCode: 3_400_045, retMsg: 'Set margin mode failed' },
      result: { reasons: [{ reasonCode: '3400054', reasonMsg: expect.stringContaining('orders') }] },
    });
    expect((await set('PORTFOLIO_MARGIN')).body.retCode).toBe(3_400_045);
    expect((await set('NONE')).body.retCode).toBe(10_001);
    expect(await member.ask('GET account/info')).toMatchObject({ marginMode: 'REGULAR_MARGIN' });
  });
});

describe('the margin mode of an account that holds something', () => {
  const set = async (setMarginMode: string) =>
    (await member.call('POST account/set-margin-mode', { setMarginMode })).body;
  const [ISOLATED, CROSS] = ['ISOLATED_MARGIN', 'REGULAR_MARGIN'];

  test('takes positions along: each gets its initial margin, and back it returns to the wallet', async () => {
    await member.trade('Buy', '0.5', 60_000);
    rig.core.marks.set('BTCUSDT', 59_000);
    const before = await position();
    const [log] = (await member.ask('GET account/transaction-log', { category: 'linear' })).list;
    expect(await set(ISOLATED)).toMatchObject({ retCode: 0, result: { reasons: [] } });
    expect(before).toMatchObject({ positionIM: '2964.85', positionBalance: '0', liqPrice: '50281.2' });
    const { size, avgPrice, curRealisedPnl, unrealisedPnl, breakEvenPrice, createdTime, seq } = before;
    const same = { size, avgPrice, curRealisedPnl, unrealisedPnl, breakEvenPrice, createdTime, seq };
    // As of a position that was opened isolated: at its entry, whatever the mark is now.
    expect(await position()).toMatchObject({
      ...{ ...same, positionIM: '3014.85', positionBalance: '3014.85', liqPrice: '54271.4' },
    });
    expect(await wallet()).toMatchObject({ totalWalletBalance: '5000', totalMarginBalance: '' });
    // What it did before it moved is what it did.
    expect((await member.ask('GET account/transaction-log', { category: 'linear' })).list).toEqual([log]);
    expect(log).toMatchObject({ size: '0.5' });
    expect(await set(CROSS)).toMatchObject({ retCode: 0 });
    expect(await position()).toEqual({ ...before, updatedTime: expect.any(String) });
    expect(await wallet()).toMatchObject({ totalWalletBalance: '5000', totalMarginBalance: '4500' });
  });

  test('legs take the leverage of both along, and of two the lower one back', async () => {
    await member.ask('POST position/switch-mode', { ...BTC, mode: 3 });
    await member.ask('POST position/set-leverage', leverage('20'));
    await member.trade('Buy', '0.3', 60_000, { positionIdx: 1 });
    await member.trade('Sell', '0.1', 60_000, { positionIdx: 2 });
    await set(ISOLATED);
    const legs = async () =>
      (await member.ask('GET position/list', BTC)).list.map((row: Record<string, string>) => [
        ...[row.size, row.leverage, row.positionBalance],
      ]);
    expect(await legs()).toEqual([
      ['0.3', '20', '909.405'],
      ['0.1', '20', '303.465'],
    ]);
    await member.ask('POST position/set-leverage', leverage('20', '12'));
    await set(CROSS);
    expect(await legs()).toEqual([
      ['0.3', '12', '0'],
      ['0.1', '12', '0'],
    ]);
  });

  const refusals: [string, readonly [string, number][], string][] = [
    [
      'the margin of all of them',
      [
        ['0.5', 60_000],
        ['0.6', 66_000],
      ],
      '3400071',
    ],
    [
      'a loss beyond the margin of its own',
      [
        ['0.5', 60_000],
        ['0', 54_200],
      ],
      '140005',
    ],
  ];
  test.each(refusals)('not where the account has not %s', async (_, trades, reasonCode) => {
    for (const [size, mark] of trades) {
      rig.core.marks.set('BTCUSDT', mark);
      if (size !== '0') await member.trade('Buy', size, mark);
    }
    const before = [await position(), await wallet()];
    expect(await set(ISOLATED)).toMatchObject({ retCode: 3_400_045, result: { reasons: [{ reasonCode }] } });
    expect([await position(), await wallet()]).toEqual(before);
    expect(await member.ask('GET account/info')).toMatchObject({ marginMode: CROSS });
  });
});

describe('margin of a position', () => {
  const move = (margin: string, part: object = {}) => ({ ...BTC, margin, ...part });
  const code = async (body: object) => (await member.refusal('POST position/add-margin', body))[0];

  test('is added and taken back', async () => {
    await isolated();
    await member.trade('Buy', '0.5', 60_000);
    const more = await member.ask('POST position/add-margin', move('100'));
    expect(more).toMatchObject({ category: 'linear', symbol: 'BTCUSDT', positionIM: '3114.85' });
    expect(await position()).toMatchObject({ positionBalance: '3114.85', liqPrice: '54070.4' });
    expect(await code(move('5000'))).toBe(110_014);
    expect(await code(move('-100.0001'))).toBe(110_078);
    expect(await code(move('-100'))).toBe(0);
    expect(await position()).toMatchObject({ positionBalance: '3014.85' });
    expect(await code(move('-0.0001', { positionIdx: 1 }))).toBe(10_001);
    expect(await code(move('0'))).toBe(110_027);
    for (const margin of ['', 'x', '1.00001', '--1', 'NaN']) expect(await code(move(margin))).toBe(10_001);
  });

  test('is none of a cross position, nor of no position', async () => {
    await member.trade('Buy', '0.1', 60_000);
    expect(await code(move('10'))).toBe(110_015);
    await member.trade('Sell', '0.1', 60_000);
    await isolated();
    expect(await code(move('10'))).toBe(110_033);
  });

  test('is added by itself where that is switched on, of isolated positions alone', async () => {
    const auto = async (autoAddMargin: number, part: object = {}) =>
      (await member.refusal('POST position/set-auto-add-margin', { ...BTC, autoAddMargin, ...part }))[0];
    expect(await auto(1)).toBe(110_076);
    await isolated();
    expect(await position()).toMatchObject({ autoAddMargin: 0 });
    expect([await auto(1), await auto(1), await auto(2)]).toEqual([0, 0, 10_001]);
    expect(await auto(1, { positionIdx: 1 })).toBe(10_001);
    await member.trade('Buy', '0.5', 60_000);
    expect(await position()).toMatchObject({ autoAddMargin: 1, positionBalance: '3014.85' });
    rig.core.mark('BTCUSDT', 54_200);
    expect(await position()).toMatchObject({ size: '0.5', positionBalance: '5000', liqPrice: '50281.2' });
    expect(await auto(0)).toBe(0);
    expect(await position()).toMatchObject({ autoAddMargin: 0, positionBalance: '5000' });
    await member.ask('POST position/switch-mode', { category: 'linear', symbol: 'ETHUSDT', mode: 3 });
    const eth = { symbol: 'ETHUSDT' };
    expect(await auto(1, eth)).toBe(10_001);
    expect(await auto(1, { ...eth, positionIdx: 2 })).toBe(0);
    const { list } = await member.ask('GET position/list', { category: 'linear', ...eth });
    expect(list.map((row: { autoAddMargin: number }) => row.autoAddMargin)).toEqual([0, 1]);
  });
});

describe('what is not here', () => {
  const cases: [string, object, number][] = [
    ['position/switch-isolated', { ...BTC, tradeMode: 1, ...leverage('10') }, 100_028],
    ['account/set-collateral-switch', { coin: 'USDT', collateralSwitch: 'OFF' }, 182_111],
    ['account/set-collateral-switch', { coin: 'AAA', collateralSwitch: 'ON' }, 182_111],
    ['account/set-collateral-switch', { coin: 'AAA', collateralSwitch: 'OFF' }, 0],
  ];
  test.each(cases)('%s %o', async (path, body, code) => {
    expect((await member.refusal(`POST ${path}`, body))[0]).toBe(code);
  });
});

describe('money', () => {
  test('funding is an execution without an order, and an entry of the log', async () => {
    await member.trade('Sell', '0.25', 60_000);
    rig.core.marks.set('BTCUSDT', 61_234.5);
    rig.core.perps.fundNow('BTCUSDT');
    const funding = await member.first('GET execution/list', { execType: 'Funding' });
    expect(funding).toMatchObject({
      ...{ execType: 'Funding', orderType: 'UNKNOWN', side: 'Sell', execQty: '0.25', execFee: '-1.5308625' },
      ...{ execPrice: '61234.5', feeRate: '-0.0001', orderLinkId: '' },
    });
    expect((await member.ask('GET account/transaction-log', { category: 'linear' })).list).toMatchObject([
      {
        ...{ type: 'SETTLEMENT', tradeId: funding.execId, funding: '1.5308625', change: '1.5308625' },
        ...{ side: 'Sell', qty: '0.25', size: '-0.25', tradePrice: '61234.5', fee: '0', cashFlow: '0' },
      },
      { type: 'TRADE' },
    ]);
    const trades = await member.ask('GET execution/list', { ...BTC, execType: 'Trade' });
    expect(trades.list.length).toBe(1);
  });

  test('the log is narrowed by kind, coin and time, and comes in pages', async () => {
    await member.trade('Buy', '0.1', 60_000);
    await member.trade('Sell', '0.1', 60_000);
    const ask = async (params: object) => (await member.ask('GET account/transaction-log', params)).list;
    const kinds = async (params: object) => (await ask(params)).map((row: { type: string }) => row.type);
    expect(await kinds({ baseCoin: 'ETH' })).toEqual([]);
    expect(await kinds({ baseCoin: 'BTC' })).toEqual(['TRADE', 'TRADE']);
    expect(await kinds({ currency: 'BTC' })).toEqual([]);
    expect(await kinds({ category: 'spot' })).toEqual([]);
    expect(await kinds({ startTime: 1, endTime: 2 })).toEqual([]);
    const first = await member.ask('GET account/transaction-log', { category: 'linear', limit: 1 });
    const params = { category: 'linear', limit: 1, cursor: first.nextPageCursor };
    const second = await member.ask('GET account/transaction-log', params);
    expect([first.list[0].side, second.list[0].side, second.nextPageCursor]).toEqual(['Sell', 'Buy', '']);
    expect((await member.refusal('GET account/transaction-log', { accountType: 'FUND' }))[0]).toBe(10_001);
    expect(await member.ask('GET asset/settlement-record', { category: 'linear' })).toMatchObject({
      list: [],
    });
  });
});
