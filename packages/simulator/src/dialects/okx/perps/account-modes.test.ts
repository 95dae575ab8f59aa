import { beforeEach, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { unique } from '../../wire/rig.fixture.ts';
import { type Member, MemberRig, SWAP } from './member-rig.fixture.ts';

const rig = openedOnce(() => MemberRig.open());
let member: Member;
beforeEach(async () => {
  rig.core.marks.set(SWAP, 60_000);
  member = await rig.member(unique('moded'), '1000');
});

test('a new account is in net mode, and its leverage is 3 in both margin modes', async () => {
  expect(await member.ask('GET account/config')).toMatchObject([{ acctLv: '2', posMode: 'net_mode' }]);
  for (const mgnMode of ['cross', 'isolated']) {
    const [row, ...others] = await member.ask('GET account/leverage-info', { instId: SWAP, mgnMode });
    expect(row).toMatchObject({ lever: '3', mgnMode, posSide: 'net' });
    expect(others).toEqual([]);
  }
});

const CHECK = 'GET account/set-account-switch-precheck';
const PRESET = 'POST account/account-level-switch-preset';

describe('before an account changes its mode', () => {
  test('nothing stands in the way of one that holds nothing', async () => {
    expect(await member.ask(CHECK, { acctLv: '1' })).toMatchObject([
      { acctLv: '1', curAcctLv: '2', sCode: '0', unmatchedInfoCheck: [] },
    ]);
    expect(await member.ask(PRESET, { acctLv: '1' })).toEqual([
      { acctLv: '1', curAcctLv: '2', lever: '', riskOffsetType: '' },
    ]);
    expect(await member.ask('GET account/config')).toMatchObject([{ acctLv: '2' }]);
  });

  test('what must end first is named, as the change itself then refuses', async () => {
    const order = { instId: SWAP, tdMode: 'cross', side: 'buy', ordType: 'limit', sz: '1', px: '59000' };
    await member.ask('POST trade/order', order);
    const stop = { instId: SWAP, tdMode: 'cross', side: 'sell', ordType: 'trigger', sz: '1', orderPx: '-1' };
    await member.ask('POST trade/order-algo', { ...stop, triggerPx: '50000' });
    const [found] = await member.ask(CHECK, { acctLv: '1' });
    expect(found).toMatchObject({
      sCode: '1',
      unmatchedInfoCheck: [{ type: 'pending_orders' }, { type: 'pending_algos' }],
    });
    expect((await member.call('POST account/set-account-level', { acctLv: '1' })).body.code).toBe('59000');
    expect(await member.ask(CHECK, { acctLv: '2' })).toMatchObject([{ sCode: '0', unmatchedInfoCheck: [] }]);
  });

  test.each([
    [CHECK, { acctLv: '3' }, '51070'],
    [CHECK, { acctLv: '9' }, '51000'],
    [CHECK, {}, '50014'],
    [PRESET, { acctLv: '4' }, '51070'],
    [PRESET, {}, '50014'],
    ['POST trade/order-precheck', { instId: SWAP }, '51010'],
    ['GET account/position-tiers', { instType: 'SWAP' }, '51010'],
    ['GET account/risk-state', {}, '51010'],
  ])('%s %o is refused', async (call, params, code) => {
    expect((await member.call(call, params)).body.code).toBe(code);
  });
});

test('kinds of bills are told, all or those that are named, and every bill is of one of them', async () => {
  const kinds = await member.ask('GET account/subtypes');
  expect(await member.ask('GET account/subtypes', { type: '8' })).toEqual([
    {
      type: '8',
      typeDesc: 'Funding fee',
      subTypeDetails: [
        { subType: '173', subTypeDesc: 'Funding fee expense' },
        { subType: '174', subTypeDesc: 'Funding fee income' },
      ],
    },
  ]);
  const known = new Set(
    kinds.flatMap(({ type, subTypeDetails }: { type: string; subTypeDetails: { subType: string }[] }) =>
      subTypeDetails.map(({ subType }) => `${type} ${subType}`),
    ),
  );
  const order = { instId: SWAP, tdMode: 'cross', side: 'buy', ordType: 'market', sz: '1' };
  rig.core.house(SWAP, 'SELL', 60_000, 100 as never);
  await member.ask('POST trade/order', order);
  const bills: { type: string; subType: string }[] = await member.ask('GET account/bills');
  expect(bills.length).toBeGreaterThan(0);
  for (const { type, subType } of bills) expect(known).toContain(`${type} ${subType}`);
});
