import type { AdminRole } from '@crossbook/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD, type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const TOKEN_INVALID = -2;
const FIELD_INVALID = 1001;
const FLOW_INVALID = 2009;
const ROLE_MISSING = 6001;
const FOUR_EYES = 6003;
const UNKNOWN = 6004;
const DECIDED = 6005;
const LAST_ADMIN = 6006;
const DEMO_REFUSED = 6008;

let world: OfficeWorld;
let first: { browser: AdminBrowser; email: string };
let second: { browser: AdminBrowser; email: string };
beforeAll(async () => {
  world = await OfficeWorld.start({ ADDRESS_LIMIT_FACTOR: '100' });
  [first, second] = [await world.admin(['admin']), await world.admin(['admin'])];
});
afterAll(() => world.hub.close());

async function numberOf(email: string): Promise<number> {
  const { rows } = await first.browser.must('x/admin/Admins', {});
  return rows.find(({ name }) => name === email)?.id ?? 0;
}

/** Somebody approves; the code of the answer. */
async function approves(browser: AdminBrowser, approval: string): Promise<number> {
  // Who was just ended reads nothing: that is an answer as well.
  const { data } = await browser.call('x/admin/Approvals', {});
  const payloadHash = data?.rows.find(({ id }) => id === approval)?.payloadHash ?? '';
  return (await browser.call('x/admin/Approve', { approval, payloadHash, reason: REASON })).code;
}

async function invited(email: string, roles: string): Promise<string> {
  const { approval } = await first.browser.must('x/admin/AdminInvite', { email, roles, reason: REASON });
  expect(await approves(second.browser, approval)).toBe(SUCCESS);
  return approval;
}

async function begins(token: string): Promise<{ browser: AdminBrowser; code: number }> {
  const browser = world.stranger();
  const begun = await browser.call('x/admin/StartBegin', { token });
  if (begun.data === null) return { browser, code: begun.code };
  const totp = world.shows(begun.data.secret);
  const code = await browser.begin('x/admin/Start', { token, password: ADMIN_PASSWORD, totp });
  return { browser, code };
}

describe('an invitation', () => {
  test('that two have signed makes a link for who asked, once, and the address with its roles is an admin', async () => {
    const approval = await invited('new@example.org', 'auditor,support');
    const mine = await first.browser.must('x/admin/Admins', {});
    expect(mine.invitations).toMatchObject([{ approval, name: 'new@example.org', linkUntil: null }]);
    expect((await second.browser.must('x/admin/Admins', {})).invitations).toEqual([]);
    const ask = { approval, reason: REASON };
    expect((await second.browser.call('x/admin/AdminLink', ask)).code).toBe(ROLE_MISSING);
    const older = await first.browser.must('x/admin/AdminLink', ask);
    const link = await first.browser.must('x/admin/AdminLink', ask);
    expect((await begins(older.token)).code).toBe(FLOW_INVALID);
    const { browser, code } = await begins(link.token);
    expect(code).toBe(SUCCESS);
    expect(await browser.must('x/admin/Me', {})).toMatchObject({
      ...{ name: 'new@example.org', roles: ['support', 'auditor'] },
    });
    expect((await first.browser.call('x/admin/AdminLink', ask)).code).toBe(DECIDED);
    expect((await first.browser.must('x/admin/Admins', {})).invitations).toEqual([]);
    const again = { email: 'new@example.org', roles: 'support', reason: REASON };
    expect((await first.browser.call('x/admin/AdminInvite', again)).code).toBe(DECIDED);
  });

  test('nobody has approved, or one of a day ago, makes no link', async () => {
    const ask = { email: 'waits@example.org', roles: 'support', reason: REASON };
    const { approval } = await first.browser.must('x/admin/AdminInvite', ask);
    expect((await first.browser.call('x/admin/AdminLink', { approval, reason: REASON })).code).toBe(UNKNOWN);
    expect(await approves(first.browser, approval)).toBe(FOUR_EYES);
    await first.browser.must('x/admin/Refuse', { approval, reason: REASON });
    const late = await invited('late@example.org', 'support');
    await world.hub.database.owner.query(
      'update approvals set decided_at = decided_at - 86400000 where id = $1',
      [late],
    );
    expect((await first.browser.call('x/admin/AdminLink', { approval: late, reason: REASON })).code).toBe(
      DECIDED,
    );
  });

  test.each([
    ['both treasury roles', 'treasury-maker,treasury-checker'],
    ['kyc and treasury', 'kyc,treasury-maker'],
    ['a role that does not exist', 'owner'],
    ['no role', ''],
  ])('to %s is refused at the field', async (_what, roles) => {
    const ask = { email: 'wrong@example.org', roles, reason: REASON };
    const answer = await first.browser.call('x/admin/AdminInvite', ask);
    expect(answer.code).toBe(FIELD_INVALID);
    expect(answer.msg).toContain('roles');
  });

  test('leaves no whole address in the audit log', async () => {
    const rows = await world.hub.database.owner.query<{ details: string }>(
      `select details::text as details from audit_log where call like 'x/admin/Admin%'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { details } of rows) expect(details).not.toContain('@example.org');
  });

  test('cannot be written to the table with other words than two have signed', async () => {
    const approval = await invited('signed@example.org', 'support');
    const write = (email: string, roles: AdminRole[]) =>
      world.hub.database.owner.query(
        `insert into admin_invites (hash, email, roles, invited_by, reason, created_at, expires_at, approval)
         values (repeat('a', 64), $1, $2, 'x', 'long enough', 1, 2, $3)`,
        [email, roles, approval],
      );
    await expect(write('signed@example.org', ['admin'])).rejects.toThrow('does not invite');
    await expect(write('other@example.org', ['support'])).rejects.toThrow('does not invite');
    await write('signed@example.org', ['support']);
  });
});

describe('a change of an admin', () => {
  const change = async (asker: AdminBrowser, admin: number, roles: string): Promise<string> =>
    (await asker.must('x/admin/AdminRoles', { admin, roles, reason: REASON })).approval;

  test('by two ends his sessions and what he has asked for; the next log-in has the new roles', async () => {
    const { browser, email, secret } = await world.admin(['support']);
    const member = (await world.hub.member()).tid ?? 0;
    const kol = { member, code: 'STAFFKOL9', rateBps: 100, reason: REASON };
    const { approval: waiting } = await browser.must('x/admin/MemberKol', kol);
    const approval = await change(first.browser, await numberOf(email), 'auditor');
    expect(await approves(second.browser, approval)).toBe(SUCCESS);
    expect((await browser.call('x/admin/Me', {})).code).toBe(TOKEN_INVALID);
    const { rows } = await second.browser.must('x/admin/Approvals', {});
    expect(rows.find(({ id }) => id === waiting)?.state).toBe('withdrawn');
    const log = { email, password: ADMIN_PASSWORD, totp: world.shows(secret, 1) };
    expect(await browser.begin('x/admin/LogIn', log)).toBe(SUCCESS);
    expect((await browser.must('x/admin/Me', {})).roles).toEqual(['auditor']);
  });

  test('is not decided by who asked, nor by whom it is about', async () => {
    const { browser, email } = await world.admin(['admin', 'support']);
    const approval = await change(first.browser, await numberOf(email), 'admin,support,auditor');
    expect(await approves(first.browser, approval)).toBe(FOUR_EYES);
    expect(await approves(browser, approval)).toBe(FOUR_EYES);
    expect(await approves(second.browser, approval)).toBe(SUCCESS);
  });

  test('is over when somebody else was quicker, and is refused where nothing would change', async () => {
    const { email } = await world.admin(['support']);
    const admin = await numberOf(email);
    const [one, other] = [
      await change(first.browser, admin, 'auditor'),
      await change(first.browser, admin, 'kyc'),
    ];
    expect(await approves(second.browser, one)).toBe(SUCCESS);
    expect(await approves(second.browser, other)).toBe(DECIDED);
    const same = { admin, roles: 'auditor', reason: REASON };
    expect((await first.browser.call('x/admin/AdminRoles', same)).code).toBe(DECIDED);
    const nobody = { admin: 2_000_000, roles: 'auditor', reason: REASON };
    expect((await first.browser.call('x/admin/AdminRoles', nobody)).code).toBe(UNKNOWN);
  });

  test('that disables ends his log-in, and an invitation that was used does not bring him back', async () => {
    const invitation = await invited('gone@example.org', 'support');
    const ask = { approval: invitation, reason: REASON };
    const { token } = await first.browser.must('x/admin/AdminLink', ask);
    const { browser } = await begins(token);
    const admin = await numberOf('gone@example.org');
    const { approval } = await first.browser.must('x/admin/AdminDisable', { admin, reason: REASON });
    expect(await approves(second.browser, approval)).toBe(SUCCESS);
    expect((await browser.call('x/admin/Me', {})).code).toBe(TOKEN_INVALID);
    expect((await first.browser.call('x/admin/AdminLink', ask)).code).toBe(DECIDED);
    expect((await first.browser.call('x/admin/AdminDisable', { admin, reason: REASON })).code).toBe(DECIDED);
  });
});

test('the last admin stays: neither disabled nor without the role, though two changes come at once', async () => {
  const small = await OfficeWorld.start();
  const [one, two] = [await small.admin(['admin']), await small.admin(['admin'])];
  const { rows } = await one.browser.must('x/admin/Admins', {});
  const idOf = (email: string) => rows.find(({ name }) => name === email)?.id ?? 0;
  const asks = async (asker: AdminBrowser, email: string) =>
    (await asker.must('x/admin/AdminDisable', { admin: idOf(email), reason: REASON })).approval;
  // Each asks for himself, and the other agrees: only one of the two may go.
  const [mine, yours] = [await asks(one.browser, one.email), await asks(two.browser, two.email)];
  const codes = await Promise.all([approves(two.browser, mine), approves(one.browser, yours)]);
  expect(codes.filter((code) => code === SUCCESS)).toHaveLength(1);
  const left = codes[0] === SUCCESS ? two : one;
  const admin = idOf(left.email);
  for (const call of ['x/admin/AdminDisable', 'x/admin/AdminRoles'] as const) {
    const roles = call === 'x/admin/AdminRoles' ? { roles: 'auditor' } : {};
    const answer = await left.browser.send(call, { admin, reason: REASON, ...roles });
    expect(answer.code).toBe(LAST_ADMIN);
  }
  await small.hub.close();
});

test('demo admins read masked names and change nobody', async () => {
  const demo = world.stranger();
  expect(await demo.begin('x/admin/Demo', { as: 'checker' })).toBe(SUCCESS);
  const { approval } = await first.browser.must('x/admin/AdminInvite', {
    ...{ email: 'hidden@example.org', roles: 'support', reason: REASON },
  });
  const seen = JSON.stringify([
    await demo.must('x/admin/Admins', { limit: 200 }),
    await demo.must('x/admin/Approvals', {}),
    await demo.must('x/admin/AuditSearch', { limit: 200 }),
  ]);
  expect(seen).not.toContain('hidden@example.org');
  expect(seen).not.toContain(first.email);
  expect(await approves(demo, approval)).toBe(ROLE_MISSING);
  const admin = await numberOf(first.email);
  const tries = [
    demo.call('x/admin/AdminInvite', { email: 'mine@example.org', roles: 'admin', reason: REASON }),
    demo.call('x/admin/AdminRoles', { admin, roles: 'auditor', reason: REASON }),
    demo.call('x/admin/AdminDisable', { admin, reason: REASON }),
    demo.call('x/admin/AdminLink', { approval, reason: REASON }),
  ];
  for (const answer of await Promise.all(tries)) expect(answer.code).toBe(DEMO_REFUSED);
  const demoId = (await first.browser.must('x/admin/Admins', {})).rows.find((row) => row.demo)?.id ?? 0;
  const change = { admin: demoId, roles: 'auditor', reason: REASON };
  expect((await first.browser.call('x/admin/AdminRoles', change)).code).toBe(UNKNOWN);
});
