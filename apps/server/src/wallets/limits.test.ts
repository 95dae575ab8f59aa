import { amount } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mayOpenContracts } from '../main/member-tiers.ts';
import { openTestDatabase } from '../storage/testing.ts';
import { CALLER, World } from './wallet-world.fixture.ts';

let world: World;
beforeEach(async () => {
  world = new World(await openTestDatabase());
});
afterEach(async () => {
  await world.desk.stop();
  await world.database.close();
});

async function limits() {
  const answer = await world.desk.handlers['x/account/Limits'](CALLER, {});
  if (!answer.ok) throw new Error(answer.code.error);
  const shown = answer.value.rows.map(({ what, tiers, used }) => [
    what,
    tiers.map(({ open, most }) => (open ? (most ?? 'no limit') : 'closed')).join(', '),
    used,
  ]);
  return { tier: answer.value.tier, shown };
}

test('test funds are a deposit: who has not agreed to new terms gets none, and what was asked for before is still answered', async () => {
  expect(await world.testFunds()).toMatchObject({ ok: true });
  world.barred = { error: 'terms-new' };
  expect(await world.testFunds()).toEqual({ ok: false, code: { error: 'terms-new' } });
  world.barred = undefined;
  expect(await world.testFunds()).toMatchObject({ ok: true });
});

test('what is shown of test funds is what the next request is held against, in each tier', async () => {
  const shown = (used: string) => [
    ['spot', 'no limit, no limit', null],
    ['contracts', 'no limit, no limit', null],
    ['transfers', 'no limit, no limit', null],
    ['test-funds', '100000, 200000', used],
  ];
  expect(await limits()).toEqual({ tier: 0, shown: shown('0') });
  for (const _ of [1, 2]) expect(await world.testFunds()).toMatchObject({ ok: true });
  expect(await limits()).toEqual({ tier: 0, shown: shown('100000') });
  const limited = (allowed: string) => ({ ok: false, code: { error: 'test-funds-limit', allowed } });
  expect(await world.testFunds()).toEqual(limited('100000 USDT'));
  world.tier = 1;
  for (const _ of [1, 2]) expect(await world.testFunds()).toMatchObject({ ok: true });
  expect(await limits()).toEqual({ tier: 1, shown: shown('200000') });
  expect(await world.testFunds()).toEqual(limited('200000 USDT'));
  world.time.advance(86_400_001);
  expect(await limits()).toEqual({ tier: 1, shown: shown('0') });
});

test('a limit that is set and holds later is told with its time, and is not what a request is held against', async () => {
  world.limitsToCome = new Map([[0, { most: amount('300000'), from: 7 }]]);
  const answer = await world.desk.handlers['x/account/Limits'](CALLER, {});
  const funds = answer.ok && answer.value.rows.find(({ what }) => what === 'test-funds');
  expect(funds).toMatchObject({
    tiers: [
      { tier: 0, most: '100000', next: { most: '300000', from: 7 } },
      { tier: 1, most: '200000', next: null },
    ],
  });
});

test('with real money there are no test funds, and contracts open from tier 1', async () => {
  world.paper = false;
  expect((await limits()).shown).toEqual([
    ['spot', 'no limit, no limit', null],
    ['contracts', 'closed, no limit', null],
    ['transfers', 'no limit, no limit', null],
  ]);
});

test.each([
  ['paper', 0, true],
  ['paper', 1, true],
  ['live', 0, false],
  ['live', 1, true],
] as const)('with %s money tier %i may open contracts: %s', async (money, tier, may) => {
  expect(await mayOpenContracts({ money }, { tierOf: async () => tier })(CALLER.user)).toBe(may);
});
