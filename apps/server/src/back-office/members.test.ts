import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD, type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const TOKEN_INVALID = -2;
const FOUR_EYES = 6003;
const UNKNOWN = 6004;
const DECIDED = 6005;

let world: OfficeWorld;
let support: AdminBrowser;
let kyc: AdminBrowser;
beforeAll(async () => {
  world = await OfficeWorld.start();
  support = (await world.admin(['support'])).browser;
  kyc = (await world.admin(['kyc'])).browser;
});
afterAll(() => world.hub.close());

async function waiting(browser: AdminBrowser, approval: string) {
  const { rows } = await browser.must('x/admin/Approvals', {});
  const row = rows.find(({ id }) => id === approval);
  if (row === undefined) throw new Error('no such decision');
  return row;
}

/** Has a second admin approve what a first one has asked for. */
async function approve(browser: AdminBrowser, approval: string) {
  const { payloadHash } = await waiting(browser, approval);
  return browser.call('x/admin/Approve', { approval, payloadHash, reason: REASON });
}

describe('members are found', () => {
  test('by id, by whole contact and by the beginning of a nickname, never by a part of a contact', async () => {
    const member = await world.hub.member('found.by@example.org');
    const id = member.tid ?? 0;
    await member.call('security/modifyuserinfo', { nickname: 'Quagga-7' });
    const found = async (query: string): Promise<readonly number[]> =>
      (await support.must('x/admin/MemberSearch', { query })).rows.map((row) => row.id);
    for (const query of [String(id), 'found.by@example.org', ' FOUND.by@Example.org', 'quag', 'Quagga-7']) {
      expect(await found(query), query).toEqual([id]);
    }
    for (const query of ['found.by@', 'found.by', 'uagga', '%', 'q_agga', '+819012345678']) {
      expect(await found(query), query).toEqual([]);
    }
  });

  test('in pages that hold each once, and contacts are masked', async () => {
    for (let made = 0; made < 5; made += 1) await world.hub.member();
    for (const query of [undefined, 'a', 'c']) {
      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const page: Awaited<ReturnType<typeof support.must<'x/admin/MemberSearch'>>> = await support.must(
          'x/admin/MemberSearch',
          {
            limit: 2,
            ...(query === undefined ? {} : { query }),
            ...(cursor === undefined ? {} : { cursor }),
          },
        );
        seen.push(...page.rows.map(({ id }) => id));
        for (const { email } of page.rows) expect(email).toMatch(/^.\*\*\*@.\*\*\*\.org$/);
        cursor = page.next ?? undefined;
      } while (cursor !== undefined);
      expect(new Set(seen).size).toBe(seen.length);
      if (query === undefined) expect(seen.length).toBeGreaterThan(5);
    }
  });

  test('with how their identity check stands, the tier that gives, and what they hold at the last prices', async () => {
    const member = await world.hub.member('columns@example.org');
    const id = member.tid ?? 0;
    const row = async () => (await support.must('x/admin/MemberSearch', { query: String(id) })).rows[0];
    expect(await row()).toMatchObject({ kyc: 'none', tier: 0, equity: '0.00', equityWhole: true });
    const owner = await world.hub.database.owner.pool.connect();
    await owner.query('set session_replication_role = replica');
    for (const [asset, posted] of [
      ['USDT', '1234.567'],
      ['NOSUCHCOIN', '5'],
    ] as const)
      await owner.query(
        `insert into ledger_accounts (key, class, owner, asset, posted) values ($1, 'FUNDING', $2, $3, $4)`,
        [`FUNDING/${id}/${asset}`, id, asset, posted],
      );
    for (const [attempt, state] of [
      [1, 'refused'],
      [2, 'done'],
    ] as const)
      await owner.query(
        `insert into kyc_cases (id, member, attempt, state, fields, country, document_kind, document_hash, submitted_at, decided_at, reason)
         values (gen_random_uuid(), $1, $2, $3, '', 'JP', 'passport', '', 1, 2, $4)`,
        [id, attempt, state, state === 'refused' ? 'blurred' : null],
      );
    await owner.query('reset session_replication_role');
    owner.release();
    const columns = { kyc: 'done', tier: 1, equity: '1234.56', equityWhole: false };
    expect(await row()).toMatchObject(columns);
    expect(await support.must('x/admin/MemberView', { member: id })).toMatchObject(columns);
  });

  test('one who is not there is told as that', async () => {
    const nobody = { member: 999_999, reason: REASON };
    expect((await support.call('x/admin/MemberView', { member: 999_999 })).code).toBe(UNKNOWN);
    expect((await support.call('x/admin/MemberFreeze', nobody)).code).toBe(UNKNOWN);
    expect((await support.call('x/admin/MemberEndSessions', nobody)).code).toBe(UNKNOWN);
    expect((await support.call('x/admin/MemberUnfreeze', nobody)).code).toBe(UNKNOWN);
    expect((await support.call('x/admin/MemberTkropen', { ...nobody, open: true })).code).toBe(UNKNOWN);
  });
});

describe('a freeze by staff', () => {
  test('ends what is logged in at once, keeps the member out, and two admins open it again', async () => {
    const member = await world.hub.member('frozen@example.org');
    const id = member.tid ?? 0;
    expect((await member.call('security/userinfo', {})).code).toBe(SUCCESS);
    await support.must('x/admin/MemberFreeze', { member: id, reason: REASON });
    expect((await member.call('security/userinfo', {})).code).toBe(TOKEN_INVALID);
    expect((await member.logIn('frozen@example.org')).code).toBe(2019);
    const { rows } = await support.must('x/admin/MemberSearch', { frozen: true });
    expect(rows.map((row) => row.id)).toContain(id);

    const { approval } = await support.must('x/admin/MemberUnfreeze', { member: id, reason: REASON });
    expect(await waiting(support, approval)).toMatchObject({ own: true, mayDecide: false });
    expect((await member.logIn('frozen@example.org')).code).toBe(2019);
    expect((await approve(kyc, approval)).code).toBe(SUCCESS);
    expect((await member.logIn('frozen@example.org')).code).toBe(SUCCESS);
    const view = await support.must('x/admin/MemberView', { member: id });
    expect(view).toMatchObject({ frozen: false, frozenByStaff: false });
    // As after the member's own unfreezing, money does not leave for a day.
    expect(view.moneyLockedUntil).not.toBeNull();
    expect((await approve(kyc, approval)).code).toBe(DECIDED);
  });

  test('is not opened by the member, who can open his own', async () => {
    const email = 'own.freeze@example.org';
    const member = await world.hub.member(email);
    await world.hub.database.owner.query('update members set frozen_at = 1 where id = $1', [member.tid ?? 0]);
    await support.must('x/admin/MemberFreeze', { member: member.tid ?? 0, reason: REASON });
    await member.call('sms/sms', { target: email, purpose: 'unfreeze', captcha: await member.captcha() });
    const code = await member.codeOf(email);
    const { data } = await member.call('user/checkcode', { target: email, purpose: 'unfreeze', code });
    const opened = await member.call('x/account/Unfreeze', {
      ...{ account: email, flow: data?.flow ?? '', password: 'Another-horse-8' },
    });
    expect(opened.code).toBe(2019);
    expect(await support.must('x/admin/MemberView', { member: member.tid ?? 0 })).toMatchObject({
      ...{ frozen: true, frozenByStaff: true },
    });
  });

  test('that ended and began anew is not opened by the decision about the first', async () => {
    const member = (await world.hub.member()).tid ?? 0;
    await support.must('x/admin/MemberFreeze', { member, reason: REASON });
    const first = await support.must('x/admin/MemberUnfreeze', { member, reason: REASON });
    const second = await support.must('x/admin/MemberUnfreeze', { member, reason: REASON });
    expect((await approve(kyc, first.approval)).code).toBe(SUCCESS);
    expect((await support.call('x/admin/MemberUnfreeze', { member, reason: REASON })).code).toBe(DECIDED);
    world.hub.advance(1_000);
    await support.must('x/admin/MemberFreeze', { member, reason: REASON });
    expect((await approve(kyc, second.approval)).code).toBe(DECIDED);
    expect(await support.must('x/admin/MemberView', { member })).toMatchObject({ frozen: true });
  });
});

test('sessions are ended without a freeze: the member logs in again', async () => {
  const member = await world.hub.member('ended@example.org');
  const ended = await support.must('x/admin/MemberEndSessions', { member: member.tid ?? 0, reason: REASON });
  expect(ended).toEqual({ ended: 1 });
  expect((await member.call('security/userinfo', {})).code).toBe(TOKEN_INVALID);
  expect((await member.logIn('ended@example.org')).code).toBe(SUCCESS);
});

describe('four eyes', () => {
  async function aKol(maker: AdminBrowser, code: string): Promise<string> {
    const member = (await world.hub.member()).tid ?? 0;
    return (await maker.must('x/admin/MemberKol', { member, code, rateBps: 500, reason: REASON })).approval;
  }

  test('nobody approves his own request; he can take it back', async () => {
    const { browser } = await world.admin(['admin']);
    const approval = await aKol(browser, 'OWNCODE');
    expect((await approve(browser, approval)).code).toBe(FOUR_EYES);
    await browser.must('x/admin/Refuse', { approval, reason: REASON });
    expect(await waiting(browser, approval)).toMatchObject({ state: 'withdrawn' });
  });

  test('what is approved is what was shown: another hash, a role that may not, a day later are refused', async () => {
    const { browser: admin } = await world.admin(['admin']);
    const approval = await aKol(support, 'SHOWNCODE');
    const other = { approval, payloadHash: 'f'.repeat(64), reason: REASON };
    expect((await admin.call('x/admin/Approve', other)).code).toBe(DECIDED);
    expect((await approve(kyc, approval)).code).toBe(6001);
    expect((await kyc.call('x/admin/Refuse', { approval, reason: REASON })).code).toBe(6001);
    const [tried] = await world.hub.database.owner.query(
      'select call, outcome from audit_log order by id desc limit 1',
    );
    expect(tried).toEqual({ call: 'x/admin/Refuse', outcome: 'role-missing' });
    world.hub.advance(86_400_000);
    const { browser: late } = await world.admin(['admin']);
    expect((await approve(late, approval)).code).toBe(DECIDED);
    support = (await world.admin(['support'])).browser;
    kyc = (await world.admin(['kyc'])).browser;
  });

  test('two who approve at once do it once', async () => {
    const approval = await aKol(support, 'ONCEONLY2');
    const admins = [await world.admin(['admin']), await world.admin(['admin'])];
    const codes = await Promise.all(
      admins.map(async ({ browser }) => (await approve(browser, approval)).code),
    );
    expect(codes.toSorted((left, right) => left - right)).toEqual([SUCCESS, DECIDED]);
  });

  test('one code that two members are given at the same moment is one member’s; the other decision is over', async () => {
    const { browser: other } = await world.admin(['admin']);
    const { browser: admin } = await world.admin(['admin']);
    const asked = await Promise.all(
      [1, 2].map(async () => {
        const member = (await world.hub.member()).tid ?? 0;
        return support.must('x/admin/MemberKol', { member, code: 'WANTED', rateBps: 100, reason: REASON });
      }),
    );
    const codes = await Promise.all(
      [admin, other].map(async (browser, at) => (await approve(browser, asked[at]?.approval ?? '')).code),
    );
    expect(codes.toSorted((a, b) => a - b)).toEqual([SUCCESS, DECIDED]);
  });

  test('is a rule of the database as well: its own maker, or the same session, cannot be stored as checker', async () => {
    const approval = await aKol(support, 'STORED99X');
    const decide = (checker: string, session: string) =>
      world.hub.database.database.query(
        `update approvals set state = 'approved', checker = ${checker}, checker_session = ${session}, decided_at = 1
         where id = $1`,
        [approval],
      );
    await expect(decide('maker', 'maker_session')).rejects.toThrow(/check constraint/);
    const another = '(select id from admins a where a.id <> maker limit 1)';
    await expect(decide(another, 'maker_session')).rejects.toThrow(/check constraint/);
  });

  test('the server cannot ask for the money gate to be opened but for an approved decision', async () => {
    const { database } = world.hub.database;
    const ask = (id: string) => database.query('select money_gate_request_approved($1)', [id]);
    const maker = (await world.admin(['treasury-maker'])).browser;
    const checker = (await world.admin(['treasury-checker'])).browser;
    const { approval } = await maker.must('x/admin/GateOpen', { reason: REASON });
    await expect(ask(approval)).rejects.toThrow(/does not open/);
    await expect(ask(await aKol(support, 'NOGATE7'))).rejects.toThrow(/does not open/);
    await expect(
      database.query(
        `insert into money_gate_events (event, reason, actor) values ('open-requested', 'x', 'y')`,
      ),
    ).rejects.toThrow(/permission denied/);
    expect((await approve(checker, approval)).code).toBe(SUCCESS);
    const { gateHistory } = await checker.must('x/admin/Health', {});
    expect(gateHistory.map(({ event }) => event)).toContain('open-requested');
  });
});

describe('an approval does not outlive what it was about', () => {
  const ownerQuery = (statement: string, ...values: (string | number)[]) =>
    world.hub.database.owner.query(statement, values);
  const shownMember = (member: number) => support.must('x/admin/MemberView', { member });

  test.each([
    {
      what: 'an own freeze that staff froze over',
      async begin() {
        const member = (await world.hub.member()).tid ?? 0;
        await ownerQuery('update members set frozen_at = $2 where id = $1', member, world.hub.now());
        const { approval } = await support.must('x/admin/MemberUnfreeze', { member, reason: REASON });
        return {
          approval,
          changed: () => support.must('x/admin/MemberFreeze', { member, reason: REASON }),
          closed: async () => (await shownMember(member)).frozen,
        };
      },
    },
    {
      what: 'a money gate that was closed anew',
      async begin() {
        const requests = `select id from money_gate_events where event = 'open-requested'`;
        const before = await ownerQuery(requests);
        const { browser } = await world.admin(['treasury-maker']);
        const { approval } = await browser.must('x/admin/GateOpen', { reason: REASON });
        return {
          approval,
          changed: () => ownerQuery(`select money_gate_close('by hand', 'ann', '[]')`),
          closed: async () => (await ownerQuery(requests)).length === before.length,
        };
      },
    },
    {
      what: 'a maker who was disabled',
      begin: () =>
        aKolOf('GONEMAKER', ({ email }) =>
          ownerQuery('update admins set disabled_at = 1 where email = $1', email),
        ),
    },
    {
      what: 'a maker who began anew by a break-glass',
      begin: () =>
        aKolOf('ANEWMAKER', async ({ email }) => {
          const token = await world.link(email, ['support'], true);
          const browser = world.stranger();
          const { secret } = await browser.must('x/admin/StartBegin', { token });
          const proofs = { token, password: ADMIN_PASSWORD, totp: world.shows(secret) };
          expect(await browser.begin('x/admin/Start', proofs)).toBe(SUCCESS);
        }),
    },
  ])('$what', async ({ begin }) => {
    const { browser: checker } = await world.admin(['admin']);
    const { approval, changed, closed } = await begin();
    await changed();
    expect((await approve(checker, approval)).code).toBe(DECIDED);
    expect(await closed()).toBe(true);
  });

  async function aKolOf(code: string, change: (maker: { readonly email: string }) => Promise<unknown>) {
    const maker = await world.admin(['support']);
    const member = (await world.hub.member()).tid ?? 0;
    const given = { member, code, rateBps: 500, reason: REASON };
    const { approval } = await maker.browser.must('x/admin/MemberKol', given);
    return {
      approval,
      changed: () => change(maker),
      closed: async () => (await shownMember(member)).kolCode === null,
    };
  }
});

test('Korean is opened to a member and closed again, and he reads it at once', async () => {
  const member = await world.hub.member();
  const id = member.tid ?? 0;
  for (const open of [true, false]) {
    await support.must('x/admin/MemberTkropen', { member: id, open, reason: REASON });
    expect((await support.must('x/admin/MemberView', { member: id })).tkropen).toBe(open);
    expect((await member.call('security/userinfo', {})).data?.tkropen).toBe(open);
  }
});

test('every change stands in the audit log with who, from where and why, and the log verifies', async () => {
  const member = (await world.hub.member()).tid ?? 0;
  await support.must('x/admin/MemberFreeze', { member, reason: 'seen in a stolen list' });
  await support.must('x/admin/MemberTkropen', { member, open: true, reason: 'asked for by telephone' });
  const { browser: auditor } = await world.admin(['auditor']);
  const filter = { by: 'subject', value: `member ${member}` } as const;
  const { rows, next } = await auditor.must('x/admin/AuditSearch', { ...filter, limit: 1 });
  expect(rows).toMatchObject([
    { call: 'x/admin/MemberTkropen', outcome: 'ok', reason: 'asked for by telephone' },
  ]);
  const second = await auditor.must('x/admin/AuditSearch', { ...filter, limit: 1, cursor: next ?? '' });
  expect(second.rows).toMatchObject([
    {
      call: 'x/admin/MemberFreeze',
      actorKind: 'operator',
      address: '127.0.0.1',
      reason: 'seen in a stolen list',
    },
  ]);
  expect(second.rows[0]?.actor).toMatch(/^admin [0-9]+$/);
  const verdict = await auditor.must('x/admin/AuditVerify', {});
  expect(verdict.broken).toBeNull();
});
