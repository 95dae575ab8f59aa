import type { AdminPlatformRow } from '@crossbook/contract';
import { amount, type UserId } from '@crossbook/domain';
import { transferId } from '@crossbook/ledger';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import type { VenueConfig } from '../config-venues.ts';
import { platformStates } from '../main/venues/platform-states.ts';
import { type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const NOT_OPEN = 4006;
const FOUR_EYES = 6003;
const DECIDED = 6005;
const DEMO_REFUSED = 6008;
const BINANCE = '43';

let world: OfficeWorld;
let admin: AdminBrowser;
let other: AdminBrowser;
beforeAll(async () => {
  world = await OfficeWorld.start({ ADDRESS_LIMIT_FACTOR: '100' });
  [admin, other] = [(await world.admin(['admin'])).browser, (await world.admin(['admin'])).browser];
});
afterAll(() => world.hub.close());

async function binance(): Promise<AdminPlatformRow | undefined> {
  const { rows } = await other.must('x/admin/Platforms', {});
  return rows.find(({ platformType }) => platformType === 43);
}

async function booted(): Promise<{ readonly state: string; readonly paused: boolean } | undefined> {
  const boot = (await (await fetch(`${world.hub.url}/boot.json`)).json()) as {
    readonly platforms: readonly { platformType: number; state: string; paused: boolean }[];
  };
  return boot.platforms.find(({ platformType }) => platformType === 43);
}

async function askedToOpen(): Promise<{ readonly approval: string; readonly payloadHash: string }> {
  const { approval } = await admin.must('x/admin/PlatformOpen', { platformType: BINANCE, reason: REASON });
  const { rows } = await other.must('x/admin/Approvals', {});
  return { approval, payloadHash: rows.find(({ id }) => id === approval)?.payloadHash ?? '' };
}

const close = (state: 'paused' | 'coming-soon') =>
  admin.call('x/admin/PlatformClose', { platformType: BINANCE, state, reason: REASON });

describe('a platform', () => {
  test('that one admin closes refuses what opens at once, never what leaves; two open it again', async () => {
    const member = await world.hub.member();
    const moves = (direction: string) =>
      member.call('connexfunding/UniversalTransfer', {
        ...{ platformType: BINANCE, tinstType: '1', direction, asset: 'USDT', amount: '1' },
      });
    expect(await binance()).toMatchObject({ state: 'live', byDefault: 'live', said: null });
    const before = (await moves('1')).code;
    expect(before).not.toBe(NOT_OPEN);

    expect((await close('paused')).code).toBe(SUCCESS);
    expect(await binance()).toMatchObject({ state: 'paused', said: { state: 'paused', reason: REASON } });
    expect(await booted()).toMatchObject({ state: 'coming-soon', paused: true });
    expect((await moves('1')).code).toBe(NOT_OPEN);
    expect((await moves('2')).code).not.toBe(NOT_OPEN);
    expect((await close('paused')).code).toBe(DECIDED);

    const { approval, payloadHash } = await askedToOpen();
    const decision = { approval, payloadHash, reason: REASON };
    expect((await admin.call('x/admin/Approve', decision)).code).toBe(FOUR_EYES);
    expect(await binance()).toMatchObject({ state: 'paused' });
    expect((await other.call('x/admin/Approve', decision)).code).toBe(SUCCESS);
    expect(await binance()).toMatchObject({ state: 'live' });
    expect(await booted()).toMatchObject({ state: 'live', paused: false });
    expect((await moves('1')).code).toBe(before);
    const { history } = await admin.must('x/admin/Platforms', {});
    expect(history.map(({ state }) => state)).toEqual(['live', 'paused']);
    expect(history[0]?.by).toMatch(/^admins \d+ and \d+$/);
  });

  test('that was closed anew is not opened by the decision about the first time', async () => {
    await close('paused');
    const decision = { ...(await askedToOpen()), reason: REASON };
    await close('coming-soon');
    expect((await other.call('x/admin/Approve', decision)).code).toBe(DECIDED);
    expect(await binance()).toMatchObject({ state: 'coming-soon' });
    expect(await booted()).toMatchObject({ state: 'coming-soon', paused: false });
    expect((await other.call('x/admin/Approve', { ...(await askedToOpen()), reason: REASON })).code).toBe(
      SUCCESS,
    );
    const again = { platformType: BINANCE, reason: REASON };
    expect((await admin.call('x/admin/PlatformOpen', again)).code).toBe(DECIDED);
  });

  test('is opened in the table by nothing but a decision of two about it, and what was said stays', async () => {
    const { owner, database } = world.hub.database;
    const write = (approval: string | null) =>
      owner.query(
        `insert into platform_states (platform, state, at, actor, reason, approval)
         values (2, 'live', 1, 'x', 'long enough', $1)`,
        [approval],
      );
    const [about] = await owner.query<{ id: string }>(
      `select id from approvals where kind = 'platform-open'`,
    );
    await expect(write(null)).rejects.toThrow('does not open');
    await expect(write(about?.id ?? '')).rejects.toThrow('does not open');
    await expect(database.query(`update platform_states set state = 'paused'`)).rejects.toThrow('permission');
    await expect(database.query('delete from platform_states')).rejects.toThrow('permission');
  });
});

test('the list says what stands as a debt, when balances were compared, and no age of books where none is followed', async () => {
  expect(await binance()).toMatchObject({ debts: [] });
  const user = (await world.hub.member()).tid as UserId;
  const from = { class: 'EXTERNAL', counterparty: 'debt:1', asset: 'USDT' } as const;
  const move = {
    do: 'post',
    from,
    to: { class: 'FUNDING', user, asset: 'USDT' },
    amount: amount('20.5'),
  } as const;
  const id = transferId('test-credit', 'debt');
  const done = await world.hub.database
    .openLedger()
    .commit({ commands: [{ ...move, id, kind: 'test-funds' }] });
  expect(done.ok).toBe(true);
  const { rows } = await other.must('x/admin/Platforms', {});
  const { venues } = await other.must('x/admin/Health', {});
  // Nobody follows a book here.
  expect(
    rows.map(({ name, debts, bookAgeMillis, balanceCheckAgeMillis: age }) => [
      name,
      debts,
      bookAgeMillis,
      age,
    ]),
  ).toEqual(
    venues.map(({ name, balanceCheckAgeMillis: age }) => [
      ...[name, name === 'Binance' ? [{ asset: 'USDT', amount: '20.5' }] : [], null, age],
    ]),
  );
});

test('demo admins look and change nothing', async () => {
  const demo = world.stranger();
  expect(await demo.begin('x/admin/Demo', { as: 'checker' })).toBe(SUCCESS);
  expect((await demo.must('x/admin/Platforms', {})).rows).toHaveLength(3);
  const at = { platformType: BINANCE, reason: REASON };
  expect((await demo.call('x/admin/PlatformClose', { ...at, state: 'paused' })).code).toBe(DEMO_REFUSED);
  expect((await demo.call('x/admin/PlatformOpen', at)).code).toBe(DEMO_REFUSED);
});

test('a real exchange without a key stays closed, whatever was said', async () => {
  const [venue] = readConfig({ SIMULATOR_URL: 'http://127.0.0.1:1' }, '').venues;
  if (venue === undefined) throw new Error('no venue');
  const statesOf = (master: VenueConfig['master']) =>
    platformStates(
      world.hub.database.database,
      { venues: [{ ...venue, mode: 'live', state: 'coming-soon', master }] },
      { warn: () => undefined },
    );
  const without = await statesOf(undefined);
  expect([without.saying(1)?.state, without.canOpen(1), without.stateOf(1)]).toEqual([
    ...['live', false, 'coming-soon'],
  ]);
  expect((await statesOf({ key: 'k', secret: 's' })).stateOf(1)).toBe('live');
});
