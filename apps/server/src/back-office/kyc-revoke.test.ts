import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestBrowser } from '../main/testing.ts';
import { type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const [FIELD_INVALID, ROLE_MISSING, FOUR_EYES, UNKNOWN, DECIDED] = [1001, 6001, 6003, 6004, 6005];

let world: OfficeWorld;
let kyc: AdminBrowser;
let other: AdminBrowser;
beforeAll(async () => {
  world = await OfficeWorld.start();
  [kyc, other] = [(await world.admin(['kyc'])).browser, (await world.admin(['kyc'])).browser];
});
afterAll(() => world.hub.close());

/** A member whose papers were passed; which papers they were is kyc-desk.test.ts. */
async function verified(email?: string): Promise<TestBrowser> {
  const member = await world.hub.member(email);
  await world.hub.database.owner.query(
    `insert into kyc_cases (id, member, attempt, state, country, document_kind, document_hash, version, submitted_at,
       decided_at, decided_by)
     values (gen_random_uuid(), $1, 1, 'done', 'JP', 'passport', 'x', 2, 1, 2, 'admin 1')`,
    [member.tid ?? 0],
  );
  return member;
}

const ask = (browser: AdminBrowser, member: TestBrowser, why = 'suspected') =>
  browser.call('x/admin/KycRevoke', { member: member.tid ?? 0, why: why as 'suspected', reason: REASON });

async function decides(browser: AdminBrowser, approval: string): Promise<number> {
  const { rows } = await browser.must('x/admin/Approvals', {});
  const payloadHash = rows.find(({ id }) => id === approval)?.payloadHash ?? '';
  return (await browser.call('x/admin/Approve', { approval, payloadHash, reason: REASON })).code;
}

test('a check that was passed is taken back by two of the role; the member is told why, in the page and by mail', async () => {
  const email = 'passed@example.org';
  const member = await verified(email);
  expect((await kyc.must('x/admin/MemberView', { member: member.tid ?? 0 })).kyc).toBe('done');
  const approval = (await ask(kyc, member)).data?.approval ?? '';
  expect(await member.call('x/kyc/Status', {})).toMatchObject({ data: { state: 'done', tier: 1 } });
  expect(await member.call('x/account/Limits', {})).toMatchObject({ data: { tier: 1 } });
  expect(await decides(kyc, approval)).toBe(FOUR_EYES);
  const { browser: admin } = await world.admin(['admin']);
  expect(await decides(admin, approval)).toBe(ROLE_MISSING);
  expect(await decides(other, approval)).toBe(SUCCESS);
  expect(await member.call('x/kyc/Status', {})).toMatchObject({
    data: { state: 'refused', tier: 0, reason: 'suspected' },
  });
  expect(await member.call('x/account/Limits', {})).toMatchObject({ data: { tier: 0 } });
  const [mail] = (await (await fetch(`${world.hub.url}/dev/outbox.json?to=${email}`)).json()) as {
    subject: string;
    body: string;
  }[];
  expect(mail?.subject).toContain('your verification was taken back');
  expect(mail?.body).toContain('We could not establish that the document is genuine.');
  const entries = await world.hub.database.owner.query<{ actor: string; details: object }>(
    `select actor, details from audit_log where call = 'x/admin/KycRevoke' order by id`,
  );
  expect(entries.at(-1)).toMatchObject({ actor: expect.stringMatching(/^admins \d+ and \d+$/) });
  expect(entries.at(-1)?.details).toMatchObject({ from: 'done', to: 'refused', why: 'suspected' });
});

test('who was never verified, or was taken back meanwhile, is told so; a remark is no reason', async () => {
  const nobody = await world.hub.member();
  expect((await ask(kyc, nobody)).code).toBe(UNKNOWN);
  const member = await verified();
  expect((await ask(kyc, member, 'other')).code).toBe(FIELD_INVALID);
  const [first, second] = [await ask(kyc, member), await ask(kyc, member, 'expired')];
  expect(await decides(other, first.data?.approval ?? '')).toBe(SUCCESS);
  expect(await decides(other, second.data?.approval ?? '')).toBe(DECIDED);
});

test('nobody takes back, nor keeps, the check of the mailbox that he logs in with', async () => {
  const { browser, email } = await world.admin(['kyc']);
  const member = await verified(email);
  const approval = (await ask(kyc, member)).data?.approval ?? '';
  expect(await decides(browser, approval)).toBe(FOUR_EYES);
  expect(await decides(other, approval)).toBe(SUCCESS);
});

test('a check that has ended is shown as ended, with its moment, and there is nothing to take back', async () => {
  const member = await verified();
  const view = () => kyc.must('x/admin/MemberView', { member: member.tid ?? 0 });
  const ends = (interval: string) =>
    world.hub.database.owner.query(
      `update kyc_cases set valid_until = db_clock() + interval '${interval}' where member = $1`,
      [member.tid ?? 0],
    );
  await ends('1 day');
  expect(await view()).toMatchObject({ kyc: 'done', tier: 1, kycValidUntil: expect.any(Number) });
  await ends('-1 second');
  expect(await view()).toMatchObject({ kyc: 'expired', tier: 0, kycValidUntil: expect.any(Number) });
  expect((await ask(kyc, member)).code).toBe(UNKNOWN);
});
