import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountBudgets } from '../accounts/budgets.ts';
import { png } from '../accounts/kyc/pictures.fixture.ts';
import { SecurityWorld } from '../accounts/security-world.fixture.ts';
import { TEST_PASSWORD, type TestBrowser } from '../main/testing.ts';
import { budgetsStore } from '../storage/stores/members/budgets-store.ts';
import { type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

/** Who has lost mailbox, phone and authenticator: what he states, two of the staff, three days, and every way to stop it. */

const [TOKEN_INVALID, FIELD_INVALID] = [-2, 1001];
const [LOGIN_FAILED, FLOW_INVALID, TAKEN, WAITS] = [2007, 2009, 2017, 2040];
const [ROLE_MISSING, FOUR_EYES, UNKNOWN, DECIDED, DEMO_REFUSED, UNSEEN] = [
  6001, 6003, 6004, 6005, 6008, 6010,
];
const STATED = { fullName: 'Hanako Yamada', birthDate: '1990-02-03', documentNumber: 'AB-12 34' } as const;

let world: OfficeWorld;
let security: SecurityWorld;
let support: AdminBrowser;
let kyc: AdminBrowser;
beforeAll(async () => {
  world = await OfficeWorld.start({ ADDRESS_LIMIT_FACTOR: '100' });
  security = new SecurityWorld(world.hub);
});
afterAll(() => world.hub.close());
// Tests let hours pass, which no session of an admin outlives.
beforeEach(async () => {
  await security.moveDatabaseClock('0 hours');
  support = (await world.admin(['support'])).browser;
  kyc = (await world.admin(['kyc'])).browser;
});

interface Lost {
  readonly browser: TestBrowser;
  readonly id: number;
  readonly email: string;
  readonly secret: string;
}

let made = 0;
/** A member with an authenticator, who has passed the identity check. */
async function verified(): Promise<Lost> {
  made += 1;
  const email = `old${made}@example.org`;
  const browser = await world.hub.member(email);
  const files: string[] = [];
  for (const kind of ['kyc-front', 'kyc-face']) {
    const form = new FormData();
    for (const [field, value] of Object.entries({ sosflag: '3', stoken: browser.stoken ?? '', kind }))
      form.append(field, value);
    form.append('file', new Blob([png(700, 600)]), 'a.png');
    const { envelope } = await browser.send('/api/usercommon/upload', form);
    files.push((envelope.data as { fileId: string }).fileId);
  }
  const [front = '', face = ''] = files;
  const papers = {
    ...STATED,
    country: 'JP',
    documentKind: 'passport',
    consent: 'true',
    front,
    face,
  } as const;
  expect((await browser.call('x/kyc/Submit', papers)).code).toBe(SUCCESS);
  const { owner } = world.hub.database;
  await owner.query(`update kyc_cases set state = 'done', decided_at = 1 where member = $1`, [
    browser.tid ?? 0,
  ]);
  const { secret } = await security.authenticator(browser);
  return { browser, id: browser.tid ?? 0, email, secret };
}

/** A new browser that has proved a contact. */
async function proved(contact: string, browser = world.hub.visitor()) {
  await browser.call('sms/sms', { target: contact, purpose: 'regain', captcha: await browser.captcha() });
  const code = await browser.codeOf(contact);
  const { data } = await browser.call('user/checkcode', { target: contact, purpose: 'regain', code });
  return { browser, flow: data?.flow ?? '' };
}

interface Asked {
  readonly account: string;
  readonly contact: string;
  readonly password?: string;
  readonly stated?: { readonly [Field in keyof typeof STATED]: string };
}

async function ask({ account, contact, password = TEST_PASSWORD, stated = STATED }: Asked) {
  const { browser, flow } = await proved(contact);
  const captcha = await browser.captcha();
  return browser.call('x/recovery/Ask', { account, password, contact, flow, ...stated, captcha });
}

const open = (member: number) =>
  world.hub.database.owner.query<{ id: string; state: string }>(
    'select id, state from access_recoveries where member = $1 order by id',
    [member],
  );

async function newest(member: number): Promise<string> {
  return (await open(member)).at(-1)?.id ?? '';
}

/** Has two of the staff approve: support asks, who decides about papers has compared them. */
async function approved(member: number): Promise<string> {
  const recovery = await newest(member);
  const { approval } = await support.must('x/admin/RecoveryApprove', { recovery, reason: REASON });
  await kyc.must('x/admin/RecoveryView', { recovery });
  expect((await decide(kyc, approval)).code).toBe(SUCCESS);
  return recovery;
}

async function decide(browser: AdminBrowser, approval: string) {
  const row = (await browser.must('x/admin/Approvals', {})).rows.find(({ id }) => id === approval);
  return browser.call('x/admin/Approve', { approval, payloadHash: row?.payloadHash ?? '', reason: REASON });
}

async function finish(contact: string, password = TEST_PASSWORD) {
  const { browser, flow } = await proved(contact);
  return browser.call('x/recovery/Finish', { contact, flow, password });
}

const subjects = async (to: string) => (await security.mails(to)).map(({ subject }) => subject);

test('a member who has lost mailbox and authenticator comes back by a new mailbox: two of the staff, three days, no session, a day’s lock', async () => {
  const { id, email, browser } = await verified();
  const contact = `new${id}@example.org`;
  expect(await ask({ account: email, contact })).toMatchObject({
    ...{ code: SUCCESS, data: { waitHours: 72, lapsesDays: 14 } },
  });
  expect((await subjects(email))[0]).toContain('another contact open your account');
  const recovery = await newest(id);
  const row = { id: recovery, member: id, contact: 'n***@e***.org', state: 'asked', dueAt: null };
  expect((await support.must('x/admin/Recoveries', {})).rows.at(-1)).toMatchObject(row);
  const shown = await kyc.must('x/admin/RecoveryView', { recovery });
  expect(shown).toMatchObject({ stated: STATED, kept: STATED, own: false });
  await approved(id);
  expect((await subjects(email))[0]).toContain('in 72 hours');
  expect((await security.mails(contact))[0]?.body).toContain('/lostAccess');
  expect((await finish(contact)).code).toBe(WAITS);
  await security.moveDatabaseClock('71 hours 59 minutes');
  expect((await finish(contact)).code).toBe(WAITS);
  await security.moveDatabaseClock('72 hours 1 minute');
  expect((await finish(contact, 'Wrong-horse-1')).code).toBe(LOGIN_FAILED);
  const done = await finish(contact);
  expect([done.code, done.data]).toEqual([SUCCESS, {}]);
  // Nothing of before opens the account, and both mailboxes have read of it.
  expect((await browser.call('security/userinfo', {})).code).toBe(TOKEN_INVALID);
  expect((await subjects(email))[0]).toContain('another contact opens your account');
  expect((await subjects(contact))[0]).toContain('another contact opens your account');
  const view = await support.must('x/admin/MemberView', { member: id });
  expect(view).toMatchObject({ email: 'n***@e***.org', authenticator: false });
  expect(view.moneyLockedUntil).toBeGreaterThan(world.hub.now() + 95 * 3_600_000);
  const back = world.hub.visitor();
  expect((await back.logIn(email)).code).toBe(LOGIN_FAILED);
  expect(await back.logIn(contact)).toMatchObject({ code: SUCCESS, data: { tid: id } });
  // The recovery, once done, is over, and its statement is gone.
  expect((await finish(contact)).code).toBe(FLOW_INVALID);
  const [kept] = await world.hub.database.owner.query<{ statement: string | null }>(
    'select statement from access_recoveries where id = $1',
    [recovery],
  );
  expect(kept?.statement).toBeNull();
});

const count = async (): Promise<number> => {
  const [row] = await world.hub.database.owner.query<{ n: string }>(
    'select count(*) as n from access_recoveries',
  );
  return Number(row?.n);
};

describe('nobody learns whether there is an account, or whether the password was right', () => {
  const kinds: readonly [string, () => Promise<Omit<Asked, 'contact'>>][] = [
    ['an account that is not there', async () => ({ account: 'nobody.at.all@example.org' })],
    ['a number that is nobody’s', async () => ({ account: '+819012345678' })],
    ['a wrong password', async () => ({ account: (await verified()).email, password: 'Wrong-horse-1' })],
    [
      'a member whose identity was never checked',
      async () => {
        await world.hub.member('unchecked@example.org');
        return { account: 'unchecked@example.org' };
      },
    ],
    [
      'a frozen member',
      async () => {
        const { email, id } = await verified();
        await support.must('x/admin/MemberFreeze', { member: id, reason: REASON });
        return { account: email };
      },
    ],
  ];
  test.each(kinds)(
    '%s: answered as if staff would look, nothing is kept, and nobody is mailed',
    async (which, given) => {
      const asked = await given();
      const [mailed, kept] = [await subjects(asked.account), await count()];
      const contact = `fresh${kinds.findIndex(([name]) => name === which)}@example.org`;
      const answer = await ask({ ...asked, contact });
      expect([answer.code, answer.data]).toEqual([SUCCESS, { waitHours: 72, lapsesDays: 14 }]);
      expect(await count()).toBe(kept);
      expect(await subjects(asked.account)).toEqual(mailed);
      // Of the new contact's mailbox nothing but its code.
      expect(await subjects(contact)).toHaveLength(1);
    },
  );

  test('and the statements are the same for all of them', async () => {
    const statementsOf = async (
      { account, password = TEST_PASSWORD }: Omit<Asked, 'contact'>,
      contact: string,
    ) => {
      const { browser, flow } = await proved(contact);
      const captcha = await browser.captcha();
      const asked = vi.spyOn(pg.Client.prototype, 'query');
      try {
        await browser.call('x/recovery/Ask', { account, password, contact, flow, ...STATED, captcha });
        const texts = (asked.mock.calls as unknown as readonly (readonly unknown[])[]).map(([statement]) =>
          typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text),
        );
        return texts.filter((text) => !text.startsWith('update mail_queue'));
      } finally {
        asked.mockRestore();
      }
    };
    const right = await statementsOf({ account: (await verified()).email }, 'counted@example.org');
    expect(right.length).toBeGreaterThan(5);
    const wrong: readonly Omit<Asked, 'contact'>[] = [
      { account: (await verified()).email, password: 'Wrong-horse-1' },
      { account: 'nobody.at.all@example.org' },
    ];
    for (const [place, asked] of wrong.entries())
      expect(await statementsOf(asked, `counted${place}@example.org`)).toEqual(right);
  });

  test('who asks too often from one network is told to wait, and so is nobody else', async () => {
    const budgets = accountBudgets(budgetsStore(world.hub.database.database), 1);
    const take = (address: string) => budgets.take('recoveryAsksPerAddress', { address }, world.hub.now());
    for (let time = 0; time < 5; time += 1) expect(await take('192.0.2.7')).toBeUndefined();
    expect((await take('192.0.2.7'))?.code).toMatchObject({ error: 'rate-limited' });
    expect(await take('192.0.2.8')).toBeUndefined();
  });
});

describe('a new contact', () => {
  test.each([
    ['that is somebody else’s is told so to who has proved it', TAKEN, async () => (await verified()).email],
    ['that is the member’s own mailbox serves: what was lost is the authenticator', SUCCESS, undefined],
  ])('%s', async (_which, code, other) => {
    const { email } = await verified();
    const contact = other === undefined ? email : await other();
    expect((await ask({ account: email, contact })).code).toBe(code);
  });

  test('is proved by a code of this purpose, of this browser, once', async () => {
    const { email, id } = await verified();
    const { browser, flow } = await proved('twice@example.org');
    const foreign = await world.hub.visitor().flowFor('foreign@example.org');
    const asking = async (given: object) =>
      browser.call('x/recovery/Ask', {
        ...{ account: email, password: TEST_PASSWORD, contact: 'twice@example.org', flow, ...STATED },
        ...{ captcha: await browser.captcha(), ...given },
      });
    expect((await asking({ flow: foreign, contact: 'foreign@example.org' })).code).toBe(FLOW_INVALID);
    expect((await asking({ contact: 'else@example.org' })).code).toBe(FLOW_INVALID);
    expect((await asking({ captcha: 'e30=' })).code).toBe(2001);
    expect((await asking({ birthDate: 'yesterday' })).code).toBe(FIELD_INVALID);
    const both = await Promise.all([asking({}), asking({})]);
    // One of the two kept it; the other met what was used up.
    expect(both.map(({ code }) => code).toSorted()).toEqual([SUCCESS, FLOW_INVALID]);
    expect(await open(id)).toHaveLength(1);
    const request = { account: email, password: TEST_PASSWORD, ...STATED, captcha: await browser.captcha() };
    const contact = `again${id}@example.org`;
    const repeated = { ...request, contact, flow: (await proved(contact, browser)).flow };
    for (const _time of [1, 2]) expect((await browser.call('x/recovery/Ask', repeated)).code).toBe(SUCCESS);
    expect(await open(id)).toHaveLength(2);
    world.hub.advance(31 * 60_000);
    const late = await proved('late@example.org');
    world.hub.advance(31 * 60_000);
    expect((await asking({ contact: 'late@example.org', flow: late.flow })).code).toBe(FLOW_INVALID);
  });

  test('of a member who asks for a sixth one is not kept', async () => {
    const { email, id } = await verified();
    for (let time = 0; time < 6; time += 1) await ask({ account: email, contact: `many${time}@example.org` });
    expect(await open(id)).toHaveLength(5);
  });
});

describe('staff', () => {
  async function asked(): Promise<Lost & { readonly recovery: string; readonly contact: string }> {
    const lost = await verified();
    const contact = `staff${lost.id}@example.org`;
    expect((await ask({ account: lost.email, contact })).code).toBe(SUCCESS);
    return { ...lost, contact, recovery: await newest(lost.id) };
  }
  const wants = (browser: AdminBrowser, recovery: string) =>
    browser.call('x/admin/RecoveryApprove', { recovery, reason: REASON });

  test('needs two: the one who asked decides nothing, nor who has not compared the papers, nor another role', async () => {
    const { recovery, contact } = await asked();
    const both = (await world.admin(['support', 'kyc'])).browser;
    const own = (await wants(both, recovery)).data?.approval ?? '';
    await both.must('x/admin/RecoveryView', { recovery });
    expect((await decide(both, own)).code).toBe(FOUR_EYES);
    const admin = (await world.admin(['admin'])).browser;
    expect((await decide(admin, own)).code).toBe(ROLE_MISSING);
    expect((await decide(kyc, own)).code).toBe(UNSEEN);
    expect((await finish(contact)).code).toBe(FLOW_INVALID);
    await kyc.must('x/admin/RecoveryView', { recovery });
    expect((await decide(kyc, own)).code).toBe(SUCCESS);
    expect((await decide(kyc, own)).code).toBe(DECIDED);
    expect((await wants(support, recovery)).code).toBe(DECIDED);
  });

  test('that is the member himself decides nothing, and is told before', async () => {
    const { recovery, id } = await asked();
    const self = await world.admin(['kyc']);
    await world.hub.database.owner.query('update members set email = $2 where id = $1', [id, self.email]);
    const { approval } = await support.must('x/admin/RecoveryApprove', { recovery, reason: REASON });
    expect(await self.browser.must('x/admin/RecoveryView', { recovery })).toMatchObject({ own: true });
    expect((await decide(self.browser, approval)).code).toBe(FOUR_EYES);
  });

  test('all together shortens no waiting time: the table refuses, whoever writes to it', async () => {
    const { recovery, id } = await asked();
    const { owner } = world.hub.database;
    const forced = [
      `update access_recoveries set state = 'waiting', approval = 1, approved_at = now() - interval '4 days' where id = $1`,
      `update access_recoveries set state = 'done', statement = null, ended_at = 1 where id = $1`,
    ];
    for (const statement of forced)
      await expect(owner.query(statement, [recovery])).rejects.toThrow(/recovery/);
    await approved(id);
    await expect(
      owner.query(
        `update access_recoveries set approved_at = approved_at - interval '4 days' where id = $1`,
        [recovery],
      ),
    ).rejects.toThrow('what was approved stays');
    await expect(owner.query(forced[1] ?? '', [recovery])).rejects.toThrow('has not waited');
    await expect(
      owner.query(`update access_recoveries set contact = 'thief@example.org' where id = $1`, [recovery]),
    ).rejects.toThrow('stays that of its member');
  });

  test('refuses alone, before and while it waits; the new contact is told, and a demo admin does nothing', async () => {
    const first = await asked();
    const stranger = world.stranger();
    expect(await stranger.begin('x/admin/Demo', { as: 'checker' })).toBe(SUCCESS);
    expect((await stranger.call('x/admin/RecoveryView', { recovery: first.recovery })).code).toBe(
      DEMO_REFUSED,
    );
    const listed = await stranger.must('x/admin/Recoveries', {});
    expect(listed.rows.every(({ nickname }) => nickname === '***')).toBe(true);
    await support.must('x/admin/RecoveryRefuse', { recovery: first.recovery, reason: REASON });
    expect((await subjects(first.contact))[0]).toContain('could not be let into your account');
    const second = await asked();
    await approved(second.id);
    await support.must('x/admin/RecoveryRefuse', { recovery: second.recovery, reason: REASON });
    await security.moveDatabaseClock('73 hours');
    expect((await finish(second.contact)).code).toBe(FLOW_INVALID);
    const refuse = { recovery: second.recovery, reason: REASON };
    for (const call of ['x/admin/RecoveryRefuse', 'x/admin/RecoveryApprove'] as const) {
      expect((await support.call(call, refuse)).code).toBe(DECIDED);
      expect((await support.call(call, { ...refuse, recovery: '999999' })).code).toBe(UNKNOWN);
    }
    for (const [recovery, code] of [
      [refuse.recovery, DECIDED],
      ['999999', UNKNOWN],
    ] as const)
      expect((await kyc.call('x/admin/RecoveryView', { recovery })).code).toBe(code);
  });

  test('every step is in the audit log, with its reason and without contact or papers', async () => {
    const { recovery, id, contact } = await asked();
    await approved(id);
    const rows = await world.hub.database.owner.query<{ call: string; reason: string; all: string }>(
      `select call, reason, audit_log::text as all from audit_log where subject = $1 order by id`,
      [`recovery ${recovery}`],
    );
    expect(rows.map(({ call, reason }) => [call, reason])).toEqual([
      ['x/recovery/Ask', ''],
      ['x/admin/RecoveryApprove', REASON],
      ['x/admin/RecoveryView', ''],
      ['x/admin/Approve', REASON],
    ]);
    for (const { all } of rows) {
      expect(all).not.toContain(contact);
      expect(all).not.toMatch(/Yamada|AB-12|1990-02-03/);
    }
  });

  test('reads it in pages that hold each once, the oldest first', async () => {
    await asked();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Awaited<ReturnType<typeof support.must<'x/admin/Recoveries'>>> = await support.must(
        'x/admin/Recoveries',
        { limit: 1, ...(cursor === undefined ? {} : { cursor }) },
      );
      seen.push(...page.rows.map(({ id }) => id));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(seen.toSorted((left, right) => Number(left) - Number(right)));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(1);
  });
});

describe('while it waits it is stopped', () => {
  type Stop = (lost: Lost, contact: string) => Promise<unknown>;
  const stops: readonly [string, Stop][] = [
    [
      'by "this was not me" in any of its mails, which freezes',
      async ({ email, browser }) => {
        const token = await security.freezeToken(email);
        const frozen = await browser.call('x/account/Freeze', { token, captcha: await browser.captcha() });
        expect(frozen.code).toBe(SUCCESS);
      },
    ],
    [
      'by the member, who logs in',
      async ({ email, secret }) => {
        const back = world.hub.visitor();
        const { ticket } = await security.ticket(back, email);
        const done = await back.call('user/loginstep2', {
          ticket,
          totp: security.shows(secret, 1),
        });
        expect(done.code).toBe(SUCCESS);
      },
    ],
    [
      'by the member, who has no second factor and logs in by the password',
      async ({ email, id }) => {
        await world.hub.database.owner.query('delete from otp_secrets where member = $1', [id]);
        expect((await world.hub.visitor().logIn(email)).code).toBe(SUCCESS);
      },
    ],
    [
      'by the member, whose old mailbox sets a new password with the authenticator',
      async ({ email, secret }) => {
        const back = world.hub.visitor();
        const flow = await security.flow(back, email, 'recover');
        const totp = security.shows(secret, 1);
        const reset = { account: email, flow, password: 'Another-horse-9', totp };
        expect((await back.call('user/forgetpwd', reset)).code).toBe(SUCCESS);
      },
    ],
    [
      'by the authenticator in a session that was open all the time',
      ({ browser, secret }) => security.grant(browser, secret),
    ],
    [
      'by staff, who freezes',
      ({ id }) => support.must('x/admin/MemberFreeze', { member: id, reason: REASON }),
    ],
  ];
  test.each(stops)('%s', async (_how, stop) => {
    const lost = await verified();
    const contact = `stopped${lost.id}@example.org`;
    await ask({ account: lost.email, contact });
    await approved(lost.id);
    world.hub.advance(60_000);
    await stop(lost, contact);
    expect((await open(lost.id)).map(({ state }) => state)).toEqual(['stopped']);
    await security.moveDatabaseClock('73 hours');
    expect((await finish(contact)).code).toBe(FLOW_INVALID);
    expect(await support.must('x/admin/MemberView', { member: lost.id })).toMatchObject({
      email: 'o***@e***.org',
    });
  });

  test('but not by a thief who asks with another contact, whose request staff no longer sees', async () => {
    const { email, id } = await verified();
    await ask({ account: email, contact: 'thief@example.org' });
    await ask({ account: email, contact: `owner${id}@example.org` });
    await approved(id);
    await ask({ account: email, contact: 'thief2@example.org' });
    expect((await open(id)).map(({ state }) => state)).toEqual(['stopped', 'waiting']);
  });
});

test('what nobody decides in a fortnight lapses, and so does what its member does not finish in a week', async () => {
  const [first, second] = [await verified(), await verified()];
  await ask({ account: first.email, contact: 'lapses1@example.org' });
  await ask({ account: second.email, contact: 'lapses2@example.org' });
  await approved(second.id);
  const { store } = world.hub.hub.accounts;
  await security.moveDatabaseClock('9 days 23 hours');
  await store.sweep(world.hub.now());
  expect([await open(first.id), await open(second.id)]).toMatchObject([
    [{ state: 'asked' }],
    [{ state: 'waiting' }],
  ]);
  world.hub.advance(14 * 86_400_000 + 1_000);
  await security.moveDatabaseClock('10 days 1 hour');
  await store.sweep(world.hub.now());
  expect([await open(first.id), await open(second.id)]).toMatchObject([
    [{ state: 'lapsed' }],
    [{ state: 'lapsed' }],
  ]);
});

test('a member with a number alone comes back by a new mailbox, and the number opens nothing any more', async () => {
  const { id, email, browser } = await verified();
  await world.hub.database.owner.query('update members set email = null, mobile = $2 where id = $1', [
    id,
    '+819000000001',
  ]);
  expect(browser.tid).toBe(id);
  expect((await ask({ account: '+819000000001', contact: email })).code).toBe(SUCCESS);
  expect((await security.mails('+819000000001'))[0]?.body).toContain('/freeze#');
  await approved(id);
  await security.moveDatabaseClock('73 hours');
  expect((await finish(email)).code).toBe(SUCCESS);
  expect((await security.mails('+819000000001'))[0]?.body).toContain('another contact opens your account');
  const [row] = await world.hub.database.owner.query<{ email: string; mobile: string | null }>(
    'select email, mobile from members where id = $1',
    [id],
  );
  expect(row).toEqual({ email, mobile: null });
});

test('two who finish at once: it is done once', async () => {
  const { id, email } = await verified();
  const contact = `once${id}@example.org`;
  await ask({ account: email, contact });
  await approved(id);
  await security.moveDatabaseClock('73 hours');
  const { browser, flow } = await proved(contact);
  const request = { contact, flow, password: TEST_PASSWORD };
  const both = await Promise.all([1, 2].map(() => browser.call('x/recovery/Finish', request)));
  expect(both.map(({ code }) => code)).toContain(SUCCESS);
  const done = await world.hub.database.owner.query(
    `select from audit_log where call = 'x/recovery/Finish' and outcome = 'ok' and actor = $1`,
    [String(id)],
  );
  expect(done).toHaveLength(1);
  // Its answer may have been lost: the same step says the same for a minute, and another one nothing.
  expect((await browser.call('x/recovery/Finish', request)).code).toBe(SUCCESS);
  expect((await browser.call('x/recovery/Finish', { ...request, password: 'Wrong-horse-1' })).code).toBe(
    FLOW_INVALID,
  );
});
