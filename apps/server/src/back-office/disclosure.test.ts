import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuditChain } from '../storage/stores/audit-chain.ts';
import { verifyAuditFile } from '../storage/stores/audit-file.ts';
import { type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const FIELD_INVALID = 1001;
const RATE_LIMITED = 1003;
const GRANT_INVALID = 2029;
const UNKNOWN = 6004;
const DEMO_REFUSED = 6008;
/** The clock of a test hub stands still, and so does its sealer. */
const KEYS = { current: new Uint8Array(32).fill(7) };

let world: OfficeWorld;
let support: AdminBrowser;
let auditor: AdminBrowser;
let demo: AdminBrowser;
beforeAll(async () => {
  world = await OfficeWorld.start();
  support = (await world.admin(['support'])).browser;
  auditor = (await world.admin(['auditor'])).browser;
  demo = world.stranger();
  await demo.begin('x/admin/Demo', { as: 'maker' });
});
afterAll(() => world.hub.close());

const entries = (call: string) =>
  world.hub.database.owner.query<{ outcome: string; subject: string; reason: string; details: object }>(
    'select outcome, subject, reason, details from audit_log where call = $1 order by id',
    [call],
  );

describe('a contact of a member', () => {
  test('is shown as it is for a reason, which stands in the audit log without the contact', async () => {
    const email = 'whole.contact@example.org';
    const member = (await world.hub.member(email)).tid ?? 0;
    const ask = { member, field: 'email', reason: REASON } as const;
    expect((await support.must('x/admin/MemberView', { member })).email).toBe('w***@e***.org');
    expect((await support.must('x/admin/MemberReveal', ask)).value).toBe(email);
    const kept = await entries('x/admin/MemberReveal');
    expect(kept).toEqual([
      {
        ...{ outcome: 'ok', subject: `member ${member}`, reason: REASON },
        details: { field: 'email', session: expect.any(String) },
      },
    ]);
    expect(JSON.stringify(kept)).not.toContain(email);
    expect((await support.call('x/admin/MemberReveal', { ...ask, field: 'mobile' })).code).toBe(
      FIELD_INVALID,
    );
    expect((await support.call('x/admin/MemberReveal', { ...ask, member: 1 })).code).toBe(UNKNOWN);
    expect((await support.call('x/admin/MemberReveal', { ...ask, reason: 'short' })).code).toBe(
      FIELD_INVALID,
    );
    const tried = (await entries('x/admin/MemberReveal')).slice(1);
    expect(tried.map(({ outcome, subject }) => `${outcome}: ${subject}`)).toEqual([
      'subject-unknown: member 1',
    ]);
  });

  test('is shown to no demo admin, to nobody without a fresh proof, and twenty times a day', async () => {
    const member = (await world.hub.member()).tid ?? 0;
    const ask = { member, field: 'email', reason: REASON } as const;
    expect((await demo.call('x/admin/MemberReveal', ask)).code).toBe(DEMO_REFUSED);
    const { browser: late } = await world.admin(['kyc'], false);
    expect((await late.call('x/admin/MemberReveal', ask)).code).toBe(GRANT_INVALID);
    const { browser: eager } = await world.admin(['admin']);
    for (let asked = 0; asked < 20; asked += 1)
      expect((await eager.call('x/admin/MemberReveal', ask)).code).toBe(SUCCESS);
    expect((await eager.call('x/admin/MemberReveal', ask)).code).toBe(RATE_LIMITED);
    expect((await support.call('x/admin/MemberReveal', ask)).code).toBe(SUCCESS);
    const outcomes = (await entries('x/admin/MemberReveal')).map(({ outcome }) => outcome);
    expect(outcomes).toContain('demo-refused');
    expect(outcomes).toContain('rate-limited');
  });
});

describe('the audit log as a file', () => {
  test('goes to who may, as lines with their chain, and is itself in the log; no cache keeps it', async () => {
    const file = async (browser: AdminBrowser, fields: object) =>
      fetch(`${world.hub.url}/api/x/admin/AuditExport`, {
        method: 'POST',
        body: new URLSearchParams({ sosflag: '3', stoken: browser.stoken ?? '', reason: REASON, ...fields }),
        headers: { cookie: browser.cookie ?? '' },
      });
    while ((await createAuditChain(world.hub.database.database, KEYS).seal()) !== undefined);
    const answer = await file(auditor, { after: '0' });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ 'content-type': 'application/jsonl', 'cache-control': 'no-store' },
      'content-disposition': 'attachment; filename="audit-log.jsonl"',
      'x-content-type-options': 'nosniff',
    });
    const [head = '{}', ...rows] = (await answer.text()).trimEnd().split('\n');
    expect(JSON.parse(head)).toMatchObject({ places: rows.length, newest: rows.length });
    const text = [head, ...rows].join('\n');
    expect(verifyAuditFile(text, KEYS)).toMatchObject({ after: 0, head: { seq: rows.length } });
    expect(rows.length).toBeGreaterThan(10);
    expect(await entries('x/admin/AuditExport')).toMatchObject([
      { outcome: 'ok', subject: 'audit log', reason: REASON, details: { after: 0, places: rows.length } },
    ]);
    const empty = await file(auditor, { after: '999999' });
    expect(JSON.parse(await empty.text())).toMatchObject({ places: 0 });
    for (const after of ['-1', '1.5', 'x', '', '9007199254740993'])
      expect(await (await file(auditor, { after })).json()).toMatchObject({ code: FIELD_INVALID });
    expect(await (await file(demo, { after: '0' })).json()).toMatchObject({ code: DEMO_REFUSED });
  });
});
