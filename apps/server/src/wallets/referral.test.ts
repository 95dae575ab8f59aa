import { amount, type Millis, SHIPPED_REWARDS, type UserId } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ledgerBreaches } from '../storage/ledger/ledger-check.ts';
import { grantKolCode, keepReferral } from '../storage/stores/members/referral-store.ts';
import { openTestDatabase } from '../storage/testing.ts';
import { PROMO_DAY_MAX } from './referral.ts';
import { CALLER, OTHER, World } from './wallet-world.fixture.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
let world: World;
beforeEach(async () => {
  world = new World(await openTestDatabase());
  await member(CALLER.user, 'CALLERXX');
});
afterEach(async () => {
  await world.desk.stop();
  expect(await ledgerBreaches(world.database.database, 'fold')).toEqual([]);
  await world.database.close();
});

/** A member, brought by the code of another one where `referredWith` says so. */
async function member(id: number, code: string, referredWith?: string): Promise<void> {
  await world.database.owner.query(
    `insert into members (id, email, password_hash, nickname, referral_code, created_at)
     overriding system value values ($1, $2, 'x', $3, $4, 0)`,
    [id, `${id}@example.org`, `Trader-${id}`, code],
  );
  await keepReferral({ query: (text, values) => world.database.database.query(text, values) }, id as UserId, {
    ...{ referredWith, at: 1 as Millis },
  });
}

/** A fill of theirs; the order behind it is nobody's here. */
async function traded(user: number): Promise<void> {
  await world.database.owner.withTransaction(async (client) => {
    await client.query('set local session_replication_role = replica');
    await client.query(
      `insert into fills (platform, symbol_type, symbol, trade_id, order_id, user_id, side, price, quantity,
         quote_quantity, fee, fee_asset, maker, filled_at)
       values (1, 'SPOT', 'BTCUSDT', $1, gen_random_uuid(), $2, 1, 1, 1, 1, 0, 'BTC', false, 0)`,
      [String(user), user],
    );
  });
}

const read = async (caller = CALLER, part = {}) => {
  const answer = await world.desk.handlers['invite/namuinvitereward'](caller, { limit: 50, ...part });
  if (!answer.ok) throw new Error(answer.code.error);
  return answer.value;
};
/** The day's payment, a day later. */
async function nextDay(): Promise<void> {
  world.time.advance(DAY);
  await world.pass(0);
  await world.desk.stop();
  await world.desk.start();
  await world.desk.stop();
}

describe('rewards for bringing members', () => {
  test('are waited for, accrued with the first trade, and paid once from the promo account the day after', async () => {
    await member(11, 'INVITEEA', 'CALLERXX');
    await member(12, 'INVITEEB', 'CALLERXX');
    await traded(11);
    expect(await read()).toMatchObject({
      ...{ settled: '0', unsettled: '10', invitees: 2, self: { code: 'CALLERXX', rate: '0.2' }, kol: null },
      rows: [
        { invitee: 'Tr***', kind: 'self', state: 'invited', amount: null },
        { invitee: 'Tr***', kind: 'self', state: 'unsettled', amount: '10' },
      ],
    });
    await world.desk.start();
    await world.desk.stop();
    expect(await world.owns()).toBe('0 0');
    await nextDay();
    expect(await read()).toMatchObject({ settled: '10', unsettled: '0' });
    await nextDay();
    expect(await world.owns()).toBe('10 0');
    expect(world.published.at(-1)).toMatchObject({ user: CALLER.user, event: { kind: 'balance' } });
    const kinds = await world.database.owner.query(
      'select kind, amount::int from ledger_transfers order by seq',
    );
    expect(kinds).toEqual([
      { kind: 'promo-funding', amount: 1_000 },
      { kind: 'referral-reward', amount: 10 },
    ]);
  });

  test('a KOL code earns its own rate; the code that was given decides, for ever', async () => {
    const { owner } = world.database;
    const grant = { member: CALLER.user, operator: 'ann', reason: 'known for charts', at: 1 as Millis };
    expect(await grantKolCode(owner, { ...grant, code: 'STAR', rateBps: 5_000 })).toBe(true);
    await member(11, 'INVITEEA', 'STAR');
    await member(12, 'INVITEEB', 'CALLERXX');
    await traded(11);
    await traded(12);
    expect((await read()).rows.map(({ kind, amount: earned }) => `${kind} ${earned}`)).toEqual([
      'self 10',
      'kol 25',
    ]);
    expect(await read()).toMatchObject({ kol: { code: 'STAR', rate: '0.5' } });
    // A rate of later is for those who trade later.
    expect(await grantKolCode(owner, { ...grant, code: 'STAR', rateBps: 100 })).toBe(true);
    await member(13, 'INVITEEC', 'STAR');
    await traded(13);
    expect((await read()).rows.map(({ amount: earned }) => earned)).toEqual(['0.5', '10', '25']);
    for (const text of ['update referrals set referrer = 8', 'delete from referrals']) {
      await expect(owner.query(text)).rejects.toThrow(/fixed for ever/);
    }
  });

  test('a code of somebody else, no such member, and a code of the wrong shape are no grant; each is audited', async () => {
    const { owner } = world.database;
    await member(OTHER.user, 'OTHERXXX');
    const grant = { operator: 'ann', reason: 'known for charts', at: 1 as Millis, rateBps: 100 };
    expect(await grantKolCode(owner, { ...grant, member: CALLER.user, code: 'STAR' })).toBe(true);
    expect(await grantKolCode(owner, { ...grant, member: OTHER.user, code: 'STAR' })).toBe(false);
    expect(await grantKolCode(owner, { ...grant, member: 99, code: 'MOON' })).toBe(false);
    await expect(grantKolCode(owner, { ...grant, member: OTHER.user, code: 'no' })).rejects.toThrow(/shape/);
    await expect(
      grantKolCode(owner, { ...grant, member: OTHER.user, code: 'MOON', rateBps: 5_001 }),
    ).rejects.toThrow(/kol_rate_bps/);
    const logged = await owner.query('select subject, outcome from audit_log order by id');
    expect(logged).toEqual([
      { subject: 'member 7', outcome: 'ok' },
      { subject: 'member 8', outcome: 'refused' },
      { subject: 'member 99', outcome: 'refused' },
    ]);
  });

  test('are worth what holds when they are earned: the page and the reward say the same, and what was earned stays', async () => {
    await member(11, 'INVITEEA', 'CALLERXX');
    await traded(11);
    // As before a decision of two: what was earned is written down first.
    await world.desk.accrueRewards();
    const next = [{ field: 'self-rate', value: '30', from: 7 }];
    world.offered = { firstTrade: amount('80'), selfRateBps: 1_000, next };
    await member(12, 'INVITEEB', 'CALLERXX');
    await traded(12);
    const page = await read();
    expect(page).toMatchObject({ paysFor: '80', self: { rate: '0.1' }, unsettled: '18', later: next });
    expect(page.rows.map(({ amount: earned }) => earned)).toEqual(['8', '10']);
  });

  test('wait while the promo account cannot pay: it is filled once a day, and never negative', async () => {
    const each = Number(SHIPPED_REWARDS.firstTrade / 10n ** 18n) * (SHIPPED_REWARDS.selfRateBps / 10_000);
    const paidADay = Number(PROMO_DAY_MAX / 10n ** 18n) / each;
    for (let id = 0; id < paidADay + 5; id += 1) {
      await member(1_000 + id, `I${id}`, 'CALLERXX');
      await traded(1_000 + id);
    }
    await read();
    await nextDay();
    expect(await read()).toMatchObject({ settled: '1000', unsettled: '50', late: true });
    expect(world.desk.rewardsStarved()).toBe(true);
    expect(world.notes).toContain('rewards wait: the promo account could not pay');
    await nextDay();
    expect(await read()).toMatchObject({ settled: '1050', unsettled: '0', late: false });
    expect(world.desk.rewardsStarved()).toBe(false);
    expect(await world.owns()).toBe('1050 0');
  });

  test('wait while the faucet does not answer and while money is halted', async () => {
    await member(11, 'INVITEEA', 'CALLERXX');
    await traded(11);
    await read();
    world.credit = async () => 'unknown';
    await nextDay();
    expect(await read()).toMatchObject({ settled: '0', unsettled: '10' });
    world.credit = async () => 'done';
    world.halted = { error: 'money-halted' };
    await nextDay();
    expect(await read()).toMatchObject({ settled: '0', unsettled: '10' });
    world.halted = undefined;
    await nextDay();
    expect(await read()).toMatchObject({ settled: '10', unsettled: '0' });
  });

  test('are nothing where money is real: codes and invitees are shown, no reward is promised', async () => {
    world.paper = false;
    await member(11, 'INVITEEA', 'CALLERXX');
    await traded(11);
    await nextDay();
    expect(await read()).toMatchObject({
      paysFor: null,
      unsettled: '0',
      invitees: 1,
      rows: [{ state: 'invited' }],
    });
  });

  test("a member's list is their own, page by page; another's codes and rewards are not in it", async () => {
    await member(OTHER.user, 'OTHERXXX');
    for (const id of [11, 12, 13]) await member(id, `INVITE${id}`, 'CALLERXX');
    const first = await read(CALLER, { limit: 2 });
    const rest = await read(CALLER, { limit: 2, cursor: first.next });
    expect([first.rows.length, rest.rows.length, rest.next]).toEqual([2, 1, undefined]);
    expect(await read(OTHER)).toMatchObject({ invitees: 0, rows: [], self: { code: 'OTHERXXX' } });
    const wrong = await world.desk.handlers['invite/namuinvitereward'](CALLER, { limit: 2, cursor: 'x' });
    expect(wrong).toMatchObject({ ok: false, code: { error: 'field-invalid' } });
  });

  test('are looked after every hour while the hub runs', async () => {
    await world.desk.start();
    await member(11, 'INVITEEA', 'CALLERXX');
    await traded(11);
    await read();
    for (let hours = 0; hours < 25; hours += 1) {
      world.time.advance(HOUR);
      await world.pass(500);
    }
    await world.desk.stop();
    expect(await read()).toMatchObject({ settled: '10' });
  });
});

test('the amounts are those that the page tells', () => {
  expect([SHIPPED_REWARDS, PROMO_DAY_MAX]).toEqual([
    { firstTrade: amount('50'), selfRateBps: 2_000 },
    amount('1000'),
  ]);
});
