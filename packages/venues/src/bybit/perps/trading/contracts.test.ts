import { amount, POSITION_SIDE, type VenueOrderId } from '@crossbook/domain';
import { describe, expect, test, vi } from 'vitest';
import { BYBIT_CONTRACT_KIT } from '../../../conformance/bybit-contract-kit.ts';
import { recordedJson } from '../../../conformance/recorded.ts';
import { scriptedVenue } from '../../../trading/scripted-transport.fixture.ts';
import type { HttpAnswer, HttpRequest } from '../../../transport.ts';
import { asArray, asObject } from '../../../wire/guards.ts';
import { normaliseWallet } from '../../account/balances.ts';
import { normaliseExecution, normaliseFills, normaliseOrders } from '../../account/order-shapes.ts';
import { createBybitTrading } from '../../trading/bybit-trading.ts';
import { errorResult, okResult } from '../../trading/scripted-connector.fixture.ts';
import { asEnvelope } from '../../wire.ts';
import { normaliseLogEntry } from './income.ts';
import { EXECUTION, FUNDING, ORDER, POSITION, WALLET } from './messages.fixture.ts';
import { LINEAR_SHAPE } from './normalise.ts';
import { normalisePool, normalisePosition, normaliseTiers } from './positions.ts';

const { instrument } = BYBIT_CONTRACT_KIT;
const KEY = { apiKey: 'k', secret: 's' };
const NOW = 1_770_000_000_010 as never;
const page = (...list: readonly object[]) => okResult({ category: 'linear', list, nextPageCursor: '' });

describe('golden messages', () => {
  test('a position in one-way mode is signed by its side; the margin mode is what the account has', () => {
    expect(normalisePosition(POSITION, 'cross')).toEqual({
      ...{ platform: 3, symbol: 'BTCUSDT', side: POSITION_SIDE.NET, marginMode: 'cross', leverage: 10 },
      ...{ quantity: amount('-0.5'), entryPrice: amount('60000'), markPrice: amount('60500') },
      ...{ breakEvenPrice: amount('59970'), liquidationPrice: amount('65000.1') },
      ...{
        unrealisedPnl: amount('-250'),
        initialMargin: amount('3041.5'),
        maintenanceMargin: amount('167.7'),
      },
      ...{ adlRank: 2, status: 'normal', version: 42, updatedAt: 1_770_000_000_009 },
    });
    expect(normalisePosition(POSITION, 'isolated')).toMatchObject({ isolatedMargin: amount('3000') });
  });

  const states: [string, string][] = [
    ['Normal', 'normal'],
    ['Liq', 'liquidating'],
    ['Adl', 'deleveraging'],
  ];
  test.each(states)('a position that is %s is %s', (positionStatus, status) => {
    expect(normalisePosition({ ...POSITION, positionStatus }, 'cross')?.status).toBe(status);
  });

  test('a position with a size but no side is not believed: an empty row was once read as a short one', () => {
    expect(normalisePosition({ ...POSITION, side: '' }, 'cross')).toBeUndefined();
    const empty = { ...POSITION, side: '', size: '0', avgPrice: '0', liqPrice: '', seq: -1 };
    expect(normalisePosition(empty, 'cross')).toMatchObject({ quantity: 0n, version: 0 });
  });

  const kinds: [string, 'trade' | 'liquidation' | 'deleveraging'][] = [
    ['Trade', 'trade'],
    ['BustTrade', 'liquidation'],
    ['Delivery', 'trade'],
    ['Settle', 'trade'],
    ['AdlTrade', 'deleveraging'],
  ];
  test.each(kinds)('an execution of kind %s is a %s', (execType, cause) => {
    const [fill] = normaliseFills(LINEAR_SHAPE, [{ ...EXECUTION, execType }], instrument) ?? [];
    expect(fill?.contract).toEqual({ cause, realisedPnl: amount('-40.5'), buys: false });
  });

  const makers: [string, 'liquidation' | 'deleveraging'][] = [
    ['CreateByLiq', 'liquidation'],
    ['CreateByTakeOver_PassThrough', 'liquidation'],
    ['CreateByAdl_PassThrough', 'deleveraging'],
  ];
  test.each(makers)('a trade of an order that the venue made (%s) is a %s', (createType, cause) => {
    const [fill] = normaliseFills(LINEAR_SHAPE, [{ ...EXECUTION, createType }], instrument) ?? [];
    expect(fill?.contract).toMatchObject({ cause });
  });

  test('funding and settlements are no fills; a rebate is a fee below 0; a leg that is named is told', () => {
    expect(normaliseFills(LINEAR_SHAPE, [{ ...EXECUTION, execType: 'Funding' }], instrument)).toEqual([]);
    const event = normaliseExecution(LINEAR_SHAPE, { ...EXECUTION, execFee: '-0.5', positionIdx: 1 });
    expect(event?.fill).toMatchObject({ fee: amount('-0.5'), contract: { side: POSITION_SIDE.LONG } });
  });

  test('what closing realised is never guessed: without it only an execution that closed nothing is read', () => {
    const { execPnl: _, ...older } = EXECUTION;
    expect(normaliseExecution(LINEAR_SHAPE, older)).toBeUndefined();
    expect(normaliseExecution(LINEAR_SHAPE, { ...older, closedSize: '0' })?.fill?.contract).toEqual({
      ...{ cause: 'trade', realisedPnl: 0n, buys: false },
    });
  });

  test('a pool has the rates of the account; in isolated mode what is free is worked out', () => {
    expect(normalisePool(WALLET, NOW)).toEqual({
      ...{ asset: 'USDT', wallet: amount('5000'), unrealisedPnl: amount('-250') },
      ...{ positionInitial: amount('2864.85'), orderInitial: amount('100'), maintenance: amount('162.35') },
      ...{ available: amount('1535.15'), withdrawable: amount('1535.15'), ratio: 0.04, updatedAt: NOW },
    });
    const isolated = { ...WALLET, accountMMRate: '', totalAvailableBalance: '' };
    expect(normalisePool(isolated, NOW)).toMatchObject({ available: amount('2035.15') });
    expect(normalisePool(isolated, NOW)).not.toHaveProperty('ratio');
  });

  test('a row of the log is what it realised, the funding it brought and the fee it cost', () => {
    const trade = {
      ...FUNDING,
      type: 'TRADE',
      cashFlow: '-40.5',
      fee: '6.1',
      funding: '0.2',
      tradeId: 'e-5',
    };
    expect(normaliseLogEntry(trade)).toMatchObject([
      { id: 'e-5', kind: 'realised-pnl', amount: amount('-40.5') },
      { id: 'e-5', kind: 'funding', amount: amount('0.2') },
      { id: 'e-5', kind: 'commission', amount: amount('-6.1') },
    ]);
    expect(normaliseLogEntry(FUNDING)).toEqual([
      {
        ...{ id: 'f-1', kind: 'funding', asset: 'USDT', amount: amount('-1.5308625'), symbol: 'BTCUSDT' },
        ...{ tradeId: 'f-1', rate: amount('0.0001'), quantity: amount('0.25'), markPrice: amount('61234.5') },
        time: 1_770_000_000_005,
      },
    ]);
    const [moved] = normaliseLogEntry({ ...FUNDING, type: 'TRANSFER_IN', change: '5' }) ?? [];
    expect(moved).toMatchObject({ kind: 'transfer', amount: amount('5') });
  });

  test('a liquidation without a trade is what the insurance fund pays, or takes as a fee', () => {
    const row = { ...FUNDING, type: 'LIQUIDATION', tradeId: '', funding: '', cashFlow: '12.5', fee: '0' };
    expect(normaliseLogEntry(row)).toMatchObject([
      { id: FUNDING.id, kind: 'insurance', amount: amount('12.5') },
    ]);
    expect(normaliseLogEntry({ ...row, cashFlow: '0', fee: '3' })).toMatchObject([
      { id: FUNDING.id, kind: 'liquidation-fee', amount: amount('-3') },
    ]);
    expect(normaliseLogEntry({ ...row, tradeId: 'e-9' })).toMatchObject([
      { id: 'e-9', kind: 'realised-pnl' },
    ]);
  });

  test('a wallet below 0, which profits of open positions make up for, is a balance below 0', () => {
    const owed = { ...WALLET, coin: [{ ...WALLET.coin[1], walletBalance: '-12.5', locked: '0' }] };
    expect(normaliseWallet([owed])).toEqual([{ asset: 'USDT', free: amount('-12.5'), locked: 0n }]);
    const ahead = { ...WALLET, coin: [{ ...WALLET.coin[1], walletBalance: '5', locked: '7' }] };
    expect(normaliseWallet([ahead])).toEqual([{ asset: 'USDT', free: 0n, locked: amount('7') }]);
  });

  test('orders of both markets are one shape', () => {
    expect(normaliseOrders([ORDER])).toMatchObject([
      { clientId: 'ours', cumulativeQuantity: amount('0.2'), cumulativeQuote: amount('12200') },
    ]);
  });
});

/** A venue whose answers are chosen by the end of the path. */
function answering(answers: Readonly<Record<string, HttpAnswer>>) {
  const asked: HttpRequest[] = [];
  const played = BYBIT_CONTRACT_KIT.create((request) => {
    asked.push(request);
    const name = Object.keys(answers).find((path) => request.url.includes(path));
    return name === undefined ? errorResult(10_017, 'Route not found.') : (answers[name] as HttpAnswer);
  });
  return { ...played, asked };
}

describe('what the list of executions leaves out', () => {
  const { execPnl: _, ...older } = EXECUTION;

  test('comes from the transaction log under the same id', async () => {
    const row = { ...FUNDING, type: 'TRADE', tradeId: 'e-5', cashFlow: '-40.5', fee: '6.1', funding: '' };
    const { trading } = answering({ 'execution/list': page(older), 'transaction-log': page(row) });
    const fills = await trading.fillsOfOrder(KEY, instrument, '77' as VenueOrderId);
    trading.close();
    expect(fills).toMatchObject({ value: [{ contract: { realisedPnl: amount('-40.5') } }] });
  });

  test('and what neither says makes the answer unreadable', async () => {
    const { trading } = answering({ 'execution/list': page(older), 'transaction-log': page() });
    const fills = await trading.fillsOfOrder(KEY, instrument, '77' as VenueOrderId);
    trading.close();
    expect(fills).toEqual({ ok: false, code: 'malformed' });
  });
});

describe('settings', () => {
  const legs = [
    { ...POSITION, positionIdx: 1, side: '', size: '0', avgPrice: '0', leverage: '5' },
    { ...POSITION, positionIdx: 2, side: 'Sell', leverage: '7' },
  ];

  test('the rows of a symbol say its mode and the leverage of each leg', async () => {
    const { trading } = answering({ 'position/list': page(...legs) });
    expect(await trading.contracts?.setting(KEY, instrument)).toMatchObject({
      value: { positionMode: 'hedge', marginMode: 'cross', leverageLong: 5, leverageShort: 7 },
    });
    trading.close();
  });

  test('an isolated leg changes its leverage alone', async () => {
    const { trading, asked } = answering({ 'position/list': page(...legs), 'set-leverage': okResult({}) });
    const change = { leverage: 9, marginMode: 'isolated', side: POSITION_SIDE.LONG } as const;
    expect(await trading.contracts?.setLeverage(KEY, instrument, change)).toEqual({ outcome: 'done' });
    trading.close();
    expect(JSON.parse(asked.at(-1)?.body ?? '')).toMatchObject({ buyLeverage: '9', sellLeverage: '7' });
  });

  test('a margin mode that the account has is done unsent; refusals come as reasons beside a good code', async () => {
    const reasons = [
      { reasonCode: '3400000', reasonMsg: 'Equity needs to be equal to or greater than 1000 USDC' },
    ];
    const { trading, asked } = answering({ 'set-margin-mode': okResult({ reasons }) });
    expect(await trading.contracts?.setMarginMode(KEY, instrument, 'cross')).toEqual({ outcome: 'done' });
    expect(asked).toEqual([]);
    expect(await trading.contracts?.setMarginMode(KEY, instrument, 'isolated')).toMatchObject({
      ...{ outcome: 'refused', venueCode: '3400000' },
    });
    trading.close();
  });

  test('a refused margin mode says its reason', async () => {
    const reason = { reasonCode: '3400054', reasonMsg: 'You have uncancelled USDT perpetual orders' };
    const { trading, asked } = answering({
      'set-margin-mode': errorResult(3_400_045, 'Set margin mode failed', { reasons: [reason] }),
    });
    expect(await trading.contracts?.setMarginMode(KEY, instrument, 'isolated')).toEqual({
      ...{ outcome: 'refused', venueCode: '3400054', message: reason.reasonMsg },
    });
    expect(asked).toHaveLength(1);
    trading.close();
  });

  test('a setting is read with the mode of now, and a wallet that contradicts the mode ends what was known of it', async () => {
    let marginMode = 'REGULAR_MARGIN';
    const { options } = scriptedVenue();
    const trading = createBybitTrading({
      ...{ ...options, socketBase: 'ws://venue', contracts: true },
      async sendHttp({ url }) {
        if (url.includes('account/info')) return okResult({ marginMode });
        if (!url.includes('wallet-balance')) return page(POSITION);
        const accountIMRate = marginMode === 'REGULAR_MARGIN' ? WALLET.accountIMRate : '';
        return okResult({ list: [{ ...WALLET, accountIMRate }] });
      },
    });
    const modes = async () => {
      const read = await trading.contracts?.positions(KEY, [instrument]);
      return read?.ok === true ? read.value.map((one) => one.marginMode) : [];
    };
    expect(await modes()).toEqual(['cross']);
    // In the exchange's own app, of which nobody tells.
    marginMode = 'ISOLATED_MARGIN';
    expect(await modes()).toEqual(['cross']);
    await trading.contracts?.pool(KEY);
    expect(await modes()).toEqual(['isolated']);
    await trading.contracts?.pool(KEY);
    marginMode = 'REGULAR_MARGIN';
    expect(await trading.contracts?.setting(KEY, instrument)).toMatchObject({
      value: { marginMode: 'cross' },
    });
    trading.close();
  });

  test('a mode that was asked for before the account was switched is not kept', async () => {
    const held: ((answer: HttpAnswer) => void)[] = [];
    const { options } = scriptedVenue();
    const trading = createBybitTrading({
      ...{ ...options, socketBase: 'ws://venue', contracts: true },
      sendHttp({ url }) {
        if (url.includes('account/info')) return new Promise((answered) => held.push(answered));
        return Promise.resolve(url.includes('position/list') ? page(POSITION) : okResult({ reasons: [] }));
      },
    });
    const answer = (marginMode: string) => held.shift()?.(okResult({ marginMode }));
    const early = trading.contracts?.positions(KEY, [instrument]);
    await vi.waitUntil(() => held.length === 1);
    const switched = trading.contracts?.setMarginMode(KEY, instrument, 'isolated');
    await vi.waitUntil(() => held.length === 2);
    held.reverse();
    answer('REGULAR_MARGIN');
    expect(await switched).toEqual({ outcome: 'done' });
    answer('REGULAR_MARGIN');
    expect(await early).toMatchObject({ value: [{ marginMode: 'cross' }] });
    const late = trading.contracts?.positions(KEY, [instrument]);
    await vi.waitUntil(() => held.length === 1);
    answer('ISOLATED_MARGIN');
    expect(await late).toMatchObject({ value: [{ marginMode: 'isolated' }] });
    trading.close();
  });

  test('preparing takes every coin but USDT out of the collateral and reads it back', async () => {
    const [btc, usdt] = WALLET.coin;
    const wallet = { ...WALLET, coin: [{ ...btc, collateralSwitch: true }, usdt] };
    let switched = false;
    const { trading, requests } = BYBIT_CONTRACT_KIT.create(({ url }) => {
      if (url.includes('user-setting-config')) return okResult({ lpaSpot: false, lpaPerp: true });
      if (!url.includes('set-collateral-switch')) return okResult({ list: [switched ? WALLET : wallet] });
      switched = true;
      return okResult({});
    });
    expect(await trading.contracts?.prepare(KEY)).toEqual({ outcome: 'done' });
    const sent = requests.filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
      { coin: 'BTC', collateralSwitch: 'OFF' },
    ]);
    expect(await trading.contracts?.prepare(KEY)).toEqual({ outcome: 'done' });
    expect(requests.filter(({ method }) => method === 'POST').length).toBe(1);
    trading.close();
  });

  test.each([
    ['is set', true, { outcome: 'done' }],
    ['does not stay', false, { outcome: 'unknown' }],
  ])('preparing has prices beyond the band refused; that %s is read back', async (_, stays, outcome) => {
    let lpaPerp = false;
    const { trading, requests } = BYBIT_CONTRACT_KIT.create(({ url }) => {
      if (url.includes('user-setting-config')) return okResult({ lpaSpot: false, lpaPerp });
      if (!url.includes('set-limit-px-action')) return okResult({ list: [WALLET] });
      lpaPerp = stays;
      return okResult({});
    });
    expect(await trading.contracts?.prepare(KEY)).toMatchObject(outcome);
    const sent = requests.filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
      { category: 'linear', modifyEnable: false },
    ]);
    trading.close();
  });

  test('an answer that does not say how prices are taken prepares nothing', async () => {
    const { trading, requests } = BYBIT_CONTRACT_KIT.create(() => okResult({ lpaPerp: 'no' }));
    expect((await trading.contracts?.prepare(KEY))?.outcome).not.toBe('done');
    expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
    trading.close();
  });
});

const ROOT = 'nautilus/bybit';
const short = asArray(asObject(recordedJson(`${ROOT}/ws_account_position_short.json`))?.data);
test.skipIf(short === undefined)('a recorded short position is read', () => {
  expect(normalisePosition(short?.[0], 'cross')).toMatchObject({
    ...{ quantity: amount('-0.01'), entryPrice: amount('3641.075'), version: 325_852_190_774 },
  });
});
const listed = asEnvelope(recordedJson(`${ROOT}/http_get_positions_with_open_time.json`));
test.skipIf(listed === undefined)('a recorded list of positions is read', () => {
  expect(normalisePosition(asArray(listed?.result.list)?.[0], 'isolated')).toMatchObject({
    ...{ quantity: amount('1'), leverage: 10, isolatedMargin: amount('7') },
  });
});
const executed = asArray(asObject(recordedJson(`${ROOT}/ws_account_execution.json`))?.data);
test.skipIf(executed === undefined)('a recorded execution that closed says its profit elsewhere', () => {
  const row = asObject(executed?.[0]) ?? {};
  expect(normaliseExecution(LINEAR_SHAPE, row)).toBeUndefined();
  const whole = normaliseExecution(LINEAR_SHAPE, { ...row, execPnl: '3' });
  expect(whole?.fill).toMatchObject({ fee: amount('26.3725275'), contract: { realisedPnl: amount('3') } });
});
const tiers = asObject(recordedJson('leverage-tiers/bybit-2024-12.json'));
test.skipIf(tiers === undefined)(
  'recorded risk limits are read, each beginning where the one before ends',
  () => {
    for (const rows of Object.values(tiers ?? {})) {
      const read = normaliseTiers(rows) ?? [];
      expect(read.length).toBeGreaterThan(0);
      for (const [at, tier] of read.entries()) expect(tier.floor).toBe(read[at - 1]?.cap ?? 0n);
    }
  },
);
