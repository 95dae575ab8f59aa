import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type Params, unique } from '../../wire/rig.fixture.ts';
import { type Member, MemberRig, SWAP } from './member-rig.fixture.ts';

/** What is refused about contracts, by code; and that nothing changed by it. */

const rig = openedOnce(() => MemberRig.open());
let member: Member;
beforeEach(async () => {
  rig.core.clearHouse(SWAP);
  rig.core.marks.set(SWAP, 60_000);
  member = await rig.member(unique('refused'), '1000');
});

/** The code of an answer: of its first row where that has one. */
async function codeOf(route: string, params: Params): Promise<string> {
  const { body } = await member.call(route, params);
  return body.data?.[0]?.sCode ?? body.code;
}

const good = { instId: SWAP, tdMode: 'cross', side: 'buy', ordType: 'limit', sz: '1', px: '59000' };
const orders: [string, Params, string][] = [
  ['no margin mode', { tdMode: '' }, '50014'],
  ['the margin mode of pairs', { tdMode: 'cash' }, '51000'],
  ['an unknown contract', { instId: 'NOPE-USDT-SWAP' }, '51001'],
  ['a leg in net mode', { posSide: 'long' }, '51000'],
  ['a side that is none', { posSide: 'both' }, '51000'],
  ['no size', { sz: '' }, '50014'],
  ['a size of 0', { sz: '0' }, '51000'],
  ['a size in words', { sz: 'one' }, '51000'],
  ['a size between lots', { sz: '0.015' }, '51121'],
  ['a size beyond the largest', { sz: '99999999' }, '51005'],
  ['no price', { px: '' }, '51204'],
  ['a price between ticks', { px: '59000.05' }, '51000'],
  ['a price of 0', { px: '0' }, '51000'],
  ['more than the margin carries', { sz: '60' }, '51008'],
  ['reducing what is not there', { reduceOnly: true }, '51169'],
  ['a condition beside it', { attachAlgoOrds: '[]' }, '51000'],
  ['an order type that is none', { ordType: 'stop' }, '51000'],
  ['a client id with a sign', { clOrdId: 'a-b' }, '51000'],
];
describe('orders', () => {
  test.each(orders)('with %s', async (_, part, code) => {
    expect(await codeOf('POST trade/order', { ...good, ...part })).toBe(code);
    expect(await member.ask('GET trade/orders-pending', { instType: 'SWAP' })).toEqual([]);
  });

  test('of an account in Spot mode, and with the id of another order that is open', async () => {
    await member.ask('POST trade/order', { ...good, clOrdId: 'twice' });
    expect(await codeOf('POST trade/order', { ...good, clOrdId: 'twice' })).toBe('51016');
    const plain = await rig.member(unique('plain'), '1000', true);
    expect(await plain.order('buy', '1', { px: '59000' })).toMatchObject({ sCode: '51010' });
    const [config] = await plain.ask('GET account/config');
    expect(config).toMatchObject({ acctLv: '1', posMode: 'net_mode', autoLoan: false });
  });

  test('beyond what the tier allows at this leverage', async () => {
    await member.ask('POST account/set-leverage', { instId: SWAP, lever: '125', mgnMode: 'cross' });
    const rich = await rig.member(unique('rich'), '10000000');
    await rich.ask('POST account/set-leverage', { instId: SWAP, lever: '125', mgnMode: 'cross' });
    expect(await rich.order('buy', '1001', { px: '59000' })).toMatchObject({ sCode: '51004' });
    expect(await rich.order('buy', '1000', { px: '59000' })).toMatchObject({ sCode: '0' });
  });

  const named: [string, string, Params, string][] = [
    ['cancel', 'POST trade/cancel-order', { instId: SWAP, ordId: '12345' }, '51400'],
    ['cancel', 'POST trade/cancel-order', { instId: SWAP }, '51003'],
    ['amendment', 'POST trade/amend-order', { instId: SWAP, ordId: '12345', newSz: '1' }, '51503'],
    ['lookup', 'GET trade/order', { instId: SWAP, clOrdId: 'nobody' }, '51603'],
    ['close', 'POST trade/close-position', { instId: SWAP, mgnMode: 'cross' }, '51023'],
    ['close', 'POST trade/close-position', { instId: 'BTC-USD-SWAP', mgnMode: 'cross' }, '51001'],
    ['close', 'POST trade/close-position', { instId: SWAP, mgnMode: 'cross', posSide: 'long' }, '51000'],
  ];
  test.each(named)('a %s by %s with %o', async (_, route, params, code) => {
    expect(await codeOf(route, params)).toBe(code);
  });
});

const LEVERAGE = 'POST account/set-leverage';
const MARGIN = 'POST account/position/margin-balance';
const ESTIMATE = 'GET account/adjust-leverage-info';
const estimated = { instType: 'SWAP', instId: SWAP, mgnMode: 'cross', lever: '5' };
const settings: [string, string, Params, string][] = [
  ['a leverage without a number', LEVERAGE, { instId: SWAP, mgnMode: 'cross' }, '50014'],
  ['a leverage in words', LEVERAGE, { instId: SWAP, mgnMode: 'cross', lever: 'ten' }, '51000'],
  ['a leverage of 0', LEVERAGE, { instId: SWAP, mgnMode: 'cross', lever: '0' }, '59102'],
  ['a leverage beyond the first tier', LEVERAGE, { instId: SWAP, mgnMode: 'cross', lever: '126' }, '59102'],
  ['a leverage of no contract', LEVERAGE, { mgnMode: 'cross', lever: '5' }, '50015'],
  ['a leverage of a pair', LEVERAGE, { instId: 'AAAUSDT', mgnMode: 'cross', lever: '5' }, '51000'],
  ['an unknown margin mode', LEVERAGE, { instId: SWAP, mgnMode: 'cash', lever: '5' }, '51000'],
  ['margin of no position', MARGIN, { instId: SWAP, posSide: 'net', type: 'add', amt: '1' }, '59300'],
  ['margin of no side', MARGIN, { instId: SWAP, type: 'add', amt: '1' }, '50014'],
  ['margin of nothing', MARGIN, { instId: SWAP, posSide: 'net', type: 'add', amt: '0' }, '51000'],
  ['an unknown position mode', 'POST account/set-position-mode', { posMode: 'both' }, '51000'],
  ['a mode of accounts that is not simulated', 'POST account/set-account-level', { acctLv: '3' }, '51070'],
  ['borrowing', 'POST account/set-auto-loan', { autoLoan: true }, '51010'],
  ['an estimate of no leverage', ESTIMATE, { ...estimated, lever: '' }, '50014'],
  ['an estimate beyond the first tier', ESTIMATE, { ...estimated, lever: '126' }, '59102'],
  ['an estimate of a leg in net mode', ESTIMATE, { ...estimated, posSide: 'long' }, '51000'],
  ['an estimate of no contract', ESTIMATE, { ...estimated, instId: '' }, '50014'],
  ['an estimate of margin trading', ESTIMATE, { ...estimated, instType: 'MARGIN' }, '51010'],
  ['leverage of nothing', 'GET account/leverage-info', { mgnMode: 'cross' }, '50014'],
  ['sizes of contracts for cash', 'GET account/max-size', { instId: SWAP, tdMode: 'cash' }, '51010'],
];
describe('settings', () => {
  test.each(settings)('%s', async (_, route, params, code) => {
    expect(await codeOf(route, params)).toBe(code);
  });

  test('leverage stays while orders of its margin mode rest, modes while anything is open', async () => {
    await member.ask('POST trade/order', good);
    expect(await codeOf(LEVERAGE, { instId: SWAP, mgnMode: 'cross', lever: '5' })).toBe('59107');
    expect(await codeOf(LEVERAGE, { instId: SWAP, mgnMode: 'isolated', lever: '5' })).toBe('0');
    await member.ask('POST trade/order', { ...good, tdMode: 'isolated' });
    expect(await codeOf(LEVERAGE, { instId: SWAP, mgnMode: 'isolated', lever: '6' })).toBe('59101');
    expect(await codeOf('POST account/set-position-mode', { posMode: 'long_short_mode' })).toBe('59000');
    expect(await codeOf('POST account/set-account-level', { acctLv: '1' })).toBe('59000');
  });

  test('what is so already is answered like a change', async () => {
    for (const [route, params] of [
      ['POST account/set-position-mode', { posMode: 'net_mode' }],
      ['POST account/set-account-level', { acctLv: '2' }],
      [LEVERAGE, { instId: SWAP, mgnMode: 'cross', lever: '3' }],
    ] as const)
      expect(await codeOf(route, params)).toBe('0');
  });

  test('isolated legs have a leverage each and must be named; margin goes no lower than leverage asks', async () => {
    await member.ask('POST account/set-position-mode', { posMode: 'long_short_mode' });
    const isolated = { instId: SWAP, mgnMode: 'isolated' };
    expect(await codeOf(LEVERAGE, { ...isolated, lever: '5' })).toBe('51000');
    const [set] = await member.ask(LEVERAGE, { ...isolated, lever: '5', posSide: 'long' });
    expect(set).toEqual({ instId: SWAP, lever: '5', mgnMode: 'isolated', posSide: 'long' });
    expect(await member.ask('GET account/leverage-info', isolated)).toMatchObject([
      { posSide: 'long', lever: '5' },
      { posSide: 'short', lever: '3' },
    ]);
    await member.trade('buy', '1', 60_000, { tdMode: 'isolated', posSide: 'long' });
    const move = { instId: SWAP, posSide: 'long' };
    const [added] = await member.ask(MARGIN, { ...move, type: 'add', amt: '30' });
    expect(added).toEqual({ ...move, type: 'add', amt: '30', ccy: 'USDT', leverage: '4.00' });
    expect(await codeOf(MARGIN, { ...move, type: 'reduce', amt: '30.01' })).toBe('59301');
    expect(await codeOf(MARGIN, { ...move, type: 'add', amt: '100000' })).toBe('59301');
    expect(await codeOf(MARGIN, { ...move, type: 'reduce', amt: '30' })).toBe('0');
  });
});
