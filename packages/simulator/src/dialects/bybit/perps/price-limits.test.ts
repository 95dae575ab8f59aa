import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { unique } from '../../wire/rig.fixture.ts';
import { BTC, type Member, MemberRig } from './member-rig.fixture.ts';

const rig = openedOnce(() => MemberRig.open());
let member: Member;
beforeEach(async () => {
  rig.core.marks.set('BTCUSDT', 60_001.3);
  member = await rig.member(unique('bound'), '1000000');
});

afterEach(() => member.ask('POST order/cancel-all', { category: 'linear', settleCoin: 'USDT' }));

const limit = (side: 'Buy' | 'Sell', price: string) => ({
  ...{ ...BTC, side, qty: '0.01', orderType: 'Limit', price, timeInForce: 'PostOnly' },
});
const action = (modifyEnable: boolean, category = 'linear') =>
  member.ask('POST account/set-limit-px-action', { category, modifyEnable });
const settings = () => member.ask('GET account/user-setting-config');
const open = async () =>
  (await member.ask('GET order/realtime', BTC)).list.map(({ price }: { price: string }) => price);

// The rig's band is five times the mark (300,006.5) and a fifth of it (12,000.26).
describe('a limit price of a contract beyond the band', () => {
  test.each([
    ['Sell', '1000', '12000.3'],
    ['Sell', '12000.4', '12000.4'],
    ['Buy', '300006.6', '300006.5'],
    ['Buy', '300006.4', '300006.4'],
  ] as const)('is moved to its edge: %s at %s', async (side, asked, taken) => {
    const { orderId } = await member.ask('POST order/create', limit(side, asked));
    expect(await member.first('GET order/realtime', { orderId })).toMatchObject({ price: taken });
  });

  test('is refused where the account wants that', async () => {
    expect(await settings()).toEqual({
      ...{ lpaSpot: false, lpaPerp: false, deltaEnable: false, smsef: false, fmsef: false },
    });
    await action(false, 'inverse');
    expect(await settings()).toMatchObject({ lpaPerp: true });
    expect((await member.refusal('POST order/create', limit('Buy', '300006.6')))[0]).toBe(110_003);
    expect(await open()).toEqual([]);
    await action(true);
    await action(false, 'spot');
    expect(await settings()).toMatchObject({ lpaPerp: false });
  });

  test('is moved by an amend, which changes no price that it does not name', async () => {
    rig.core.clearHouse('BTCUSDT');
    const { orderId } = await member.ask('POST order/create', { ...limit('Sell', '61000') });
    await member.ask('POST order/amend', { ...BTC, orderId, price: '1000' });
    expect(await open()).toEqual(['12000.3']);
    rig.core.marks.set('BTCUSDT', 600_000);
    await member.ask('POST order/amend', { ...BTC, orderId, qty: '0.005' }).catch(() => undefined);
    expect(await open()).toEqual(['12000.3']);
  });

  test.each([
    [{ modifyEnable: true }, 10_001],
    [{ category: 'option', modifyEnable: true }, 10_001],
    [{ category: 'linear' }, 10_001],
    [{ category: 'linear', modifyEnable: 'perhaps' }, 10_001],
    [{ category: 'spot', modifyEnable: true }, 10_001],
  ])('%o is refused', async (asked, code) => {
    expect((await member.refusal('POST account/set-limit-px-action', asked))[0]).toBe(code);
    expect(await settings()).toMatchObject({ lpaPerp: false });
  });
});

describe('a check before an order', () => {
  const check = (part: object = {}) =>
    member.call('POST order/pre-check', { ...limit('Buy', '59000'), timeInForce: 'GTC', ...part });

  test('tells the rates as if it had filled, and places nothing', async () => {
    rig.core.marks.set('BTCUSDT', 60_000);
    const { body } = await check({ qty: '5', orderLinkId: 'tried' });
    // 300,000 at 10x, 0.055 % of 270,000 to close; 0.5 % of it to keep.
    expect(body.result).toMatchObject({
      ...{ orderLinkId: 'tried', preImrE4: 0, preMmrE4: 0, postImrE4: 301, postMmrE4: 16 },
    });
    expect(await open()).toEqual([]);
    await member.trade('Buy', '5', 60_000);
    const closing = (await check({ side: 'Sell', qty: '9', price: '61000', reduceOnly: true })).body.result;
    expect(closing).toMatchObject({ preImrE4: 302, preMmrE4: 16, postImrE4: 0, postMmrE4: 0 });
    const less = (await check({ side: 'Sell', qty: '3', price: '61000' })).body.result;
    expect(less).toMatchObject({ preImrE4: 302, postImrE4: 121, postMmrE4: 7 });
  });

  test('who lacks the margin hears the rates beside the refusal, all others the ids', async () => {
    rig.core.marks.set('BTCUSDT', 60_000);
    member = await rig.member('poor', '100');
    const short = (await check({ qty: '1', orderLinkId: 'big' })).body;
    expect(short).toMatchObject({ retCode: 110_007, result: {} });
    expect(Object.keys(short.retExtInfo).sort()).toEqual([
      ...['future_order_id', 'future_order_link_id', 'post_imr_e4', 'post_mmr_e4'],
    ]);
    expect(short.retExtInfo.future_order_link_id).toBe('big');
    const small = (await check({ qty: '0.0011' })).body;
    expect([small.retCode, small.retExtInfo]).toEqual([10_001, {}]);
    const nothing = (await check({ side: 'Sell', reduceOnly: true, price: '61000' })).body;
    expect([nothing.retCode, Object.keys(nothing.retExtInfo).length]).toEqual([110_017, 2]);
  });

  test.each([
    [{ category: 'spot' }],
    [{ triggerPrice: '58000', triggerDirection: 2 }],
    [{ symbol: 'NONE' }],
    [{ qty: undefined }],
  ])('%o is refused', async (part) => {
    expect((await check(part)).body.retCode).toBe(10_001);
  });

  test('in isolated margin there is none', async () => {
    await member.ask('POST account/set-margin-mode', { setMarginMode: 'ISOLATED_MARGIN' });
    expect((await check()).body.retCode).toBe(10_001);
  });
});

describe('what has nothing to tell here', () => {
  test.each([
    ['GET asset/delivery-record', { category: 'linear' }],
    ['GET position/get-closed-positions', { category: 'option' }],
    ['GET account/borrow-history', {}],
    ['GET market/delivery-price', { category: 'linear' }],
  ])('%s is an empty list', async (call, params) => {
    expect(await member.ask(call, params)).toEqual({ ...params, nextPageCursor: '', list: [] });
    if ('category' in params) expect((await member.refusal(call, { category: 'x' }))[0]).toBe(10_001);
  });

  test.each([
    ['POST position/set-risk-limit', { ...BTC, riskId: 1 }],
    ['POST position/set-tpsl-mode', { ...BTC, tpSlMode: 'Full' }],
    ['GET account/contract-transaction-log', {}],
  ])('%s is gone', async (call, params) => {
    expect((await member.refusal(call, params))[0]).toBe(100_028);
  });

  test('no group, no mark to confirm away, no message of the system', async () => {
    expect(await member.ask('GET account/smp-group')).toEqual({ smpGroup: 0 });
    expect(await member.ask('POST position/confirm-pending-mmr', BTC)).toEqual({});
    const other = { category: 'spot', symbol: 'BTCUSDT' };
    expect((await member.refusal('POST position/confirm-pending-mmr', other))[0]).toBe(10_001);
    expect(await member.ask('GET system/status')).toEqual({ list: [] });
  });

  test('an account is shown the instruments that trade', async () => {
    const one = await member.ask('GET account/instruments-info', BTC);
    const [row] = (await member.ask('GET market/instruments-info', BTC)).list;
    expect(one.list).toEqual([{ ...row, isPublicRpi: false, myRpiPermission: false }]);
    expect((await member.refusal('GET account/instruments-info', {}))[0]).toBe(10_001);
  });

  test('several coins leave the collateral with one call, all or none', async () => {
    const batch = (...coins: readonly (readonly [string, string])[]) =>
      member.call('POST account/set-collateral-switch-batch', {
        request: coins.map(([coin, collateralSwitch]) => ({ coin, collateralSwitch })),
      });
    const off = await batch(['AAA', 'OFF']);
    expect(off.body.result).toEqual({ list: [{ coin: 'AAA', collateralSwitch: 'OFF' }] });
    expect((await batch(['AAA', 'OFF'], ['USDT', 'OFF'])).body.retCode).toBe(182_111);
    expect((await batch(['AAA', 'ON'])).body.retCode).toBe(182_111);
    expect((await batch(['AAA', 'perhaps'])).body.retCode).toBe(10_001);
    expect((await batch()).body.retCode).toBe(10_001);
  });
});
