import type { AdminResponse } from '@crossbook/contract';
import { formatAmount } from '@crossbook/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { memberTiers } from '../main/member-tiers.ts';
import { type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const FIELD_INVALID = 1001;
const ROLE_MISSING = 6001;
const DECIDED = 6005;
const DEMO_REFUSED = 6008;
const DAY_MILLIS = 86_400_000;

let world: OfficeWorld;
let maker: AdminBrowser;
let checker: AdminBrowser;
beforeAll(async () => {
  world = await OfficeWorld.start({ ADDRESS_LIMIT_FACTOR: '100' });
  maker = (await world.admin(['treasury-maker'])).browser;
  checker = (await world.admin(['treasury-checker'])).browser;
});
beforeEach(() => world.hub.database.owner.query('truncate limit_changes'));
afterAll(() => world.hub.close());

const ask = (most: string, tier = '0') =>
  maker.call('x/admin/LimitSet', { what: 'test-funds', tier, most, reason: REASON });

async function decided(approval: string, by = checker): Promise<number> {
  const { rows } = await checker.must('x/admin/Approvals', {});
  const payloadHash = rows.find(({ id }) => id === approval)?.payloadHash ?? '';
  return (await by.call('x/admin/Approve', { approval, payloadHash, reason: REASON })).code;
}

async function set(most: string): Promise<void> {
  expect(await decided((await ask(most)).data?.approval ?? '')).toBe(SUCCESS);
}

async function shown(): Promise<AdminResponse<'x/admin/Offer'>['limits'][number] | undefined> {
  return (await maker.must('x/admin/Offer', {})).limits.find(({ tier }) => tier === 0);
}

/** What the next request of a member is held against. */
async function holds(): Promise<readonly string[]> {
  const tiers = memberTiers({ money: 'paper' }, world.hub.database.database, async () => 0);
  const { testFundsDayMax } = await tiers.limits();
  return [formatAmount(testFundsDayMax[0]), formatAmount(testFundsDayMax[1])];
}

/** As if what was set had been set so long before. */
async function pass(hours: number): Promise<void> {
  await world.hub.database.owner.query(
    `update limit_changes set at = at - make_interval(hours => $1), effective_at = effective_at - make_interval(hours => $1)`,
    [hours],
  );
}

describe('a limit', () => {
  test('that is raised by two holds a day later, of its own tier alone', async () => {
    expect(await holds()).toEqual(['100000', '200000']);
    const approval = (await ask('300000')).data?.approval ?? '';
    expect(await decided(approval, maker)).toBe(ROLE_MISSING);
    expect(await shown()).toMatchObject({ most: '100000', next: null });
    expect(await decided(approval)).toBe(SUCCESS);
    const { next, ...row } = (await shown()) ?? {};
    expect(row).toMatchObject({ most: '100000', shipped: '100000' });
    expect(next).toMatchObject({ most: '300000', by: expect.stringMatching(/^admins \d+ and \d+$/) });
    expect((next?.from ?? 0) - (next?.at ?? 0)).toBe(DAY_MILLIS);
    await pass(23);
    expect(await holds()).toEqual(['100000', '200000']);
    await pass(2);
    expect(await holds()).toEqual(['300000', '200000']);
    expect(await shown()).toMatchObject({ most: '300000', next: null });
  });

  test('that is lowered holds at once', async () => {
    await set('50000');
    expect(await holds()).toEqual(['50000', '200000']);
    expect(await shown()).toMatchObject({ most: '50000', shipped: '100000', next: null });
  });

  test('that waits is taken back by the same figure again, and never begins', async () => {
    await set('300000');
    await set('100000');
    expect(await shown()).toMatchObject({ most: '100000', next: null });
    await pass(30);
    expect(await holds()).toEqual(['100000', '200000']);
    const { history } = await checker.must('x/admin/Offer', {});
    expect(history.map(({ most }) => most)).toEqual(['100000', '300000']);
  });

  test('is not set by a decision about how it stood before', async () => {
    const [first, second] = [await ask('90000'), await ask('80000')];
    expect(await decided(first.data?.approval ?? '')).toBe(SUCCESS);
    expect(await decided(second.data?.approval ?? '')).toBe(DECIDED);
    expect(await holds()).toEqual(['90000', '200000']);
  });

  test.each([
    ['as it is', '100000', '0', DECIDED],
    ['of nothing', '0', '0', FIELD_INVALID],
    ['beyond what any may be', '10000001', '0', FIELD_INVALID],
    ['of no tier', '5', '2', FIELD_INVALID],
  ])('%s is not asked for', async (_what, most, tier, code) => {
    expect((await ask(most, tier)).code).toBe(code);
  });

  test('is set in the table by nothing but a decision of two about it, and what was set stays', async () => {
    await set('70000');
    const { owner, database } = world.hub.database;
    const [made] = await owner.query<{ approval: string }>('select approval from limit_changes');
    await owner.query('truncate limit_changes');
    const write = (tier: number, most: string) =>
      owner.query(
        `insert into limit_changes (what, tier, most, was, at, effective_at, actor, reason, approval)
         values ('test-funds', $1, $2, 1, now(), now(), 'x', 'long enough', $3)`,
        [tier, most, made?.approval ?? null],
      );
    await expect(write(1, '70000')).rejects.toThrow('does not set');
    await expect(write(0, '70001')).rejects.toThrow('does not set');
    await write(0, '70000');
    await expect(write(0, '70000')).rejects.toThrow('unique');
    for (const text of ['update limit_changes set most = 1', 'delete from limit_changes'])
      await expect(database.query(text)).rejects.toThrow('permission denied');
  });
});

test('the page tells what each exchange takes; demo admins look and set nothing', async () => {
  const demo = world.stranger();
  expect(await demo.begin('x/admin/Demo', { as: 'maker' })).toBe(SUCCESS);
  const { fees, contractsFrom } = await demo.must('x/admin/Offer', {});
  expect(contractsFrom).toBe(0);
  expect(fees).toContainEqual(
    expect.objectContaining({ name: 'Binance', symbolType: 'SPOT', maker: '0.001', taker: '0.001' }),
  );
  const raise = { what: 'test-funds', tier: '0', most: '5', reason: REASON } as const;
  expect((await demo.call('x/admin/LimitSet', raise)).code).toBe(DEMO_REFUSED);
});
