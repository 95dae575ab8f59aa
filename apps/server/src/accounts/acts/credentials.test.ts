import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { TEST_PASSWORD, type TestBrowser } from '../../main/testing.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';

const world = openedOnce(() => SecurityWorld.start());

const NEW_PASSWORD = 'Other-camel-8';

/** Statements of asking for a code, those of its transactions too; not those of who sends mails, which run beside it. */
async function statementsOf(target: string, purpose: 'recover' | 'unfreeze'): Promise<readonly string[]> {
  const browser = world.hub.visitor();
  const captcha = await browser.captcha();
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  try {
    expect((await browser.call('sms/sms', { target, purpose, captcha })).code).toBe(SUCCESS);
    const texts = (asked.mock.calls as unknown as readonly (readonly unknown[])[]).map(([statement]) =>
      typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text),
    );
    return texts.filter((text) => !text.startsWith('update mail_queue'));
  } finally {
    asked.mockRestore();
  }
}

const lockOf = async (browser: TestBrowser) =>
  (await browser.call('security/userinfonew', {})).data?.lockUntil ?? null;

describe('changing the password', () => {
  test('needs the old one and a grant, ends all other sessions and trust, and is mailed', async () => {
    const email = 'change@example.org';
    const browser = await world.hub.member(email);
    const other = world.hub.visitor();
    await other.logIn(email);
    const former = { cookie: browser.cookie, stoken: browser.stoken };
    const change = (fields: object) =>
      browser.call('security/resetpwd', {
        ...{ oldPassword: TEST_PASSWORD, password: NEW_PASSWORD, grant: 'none', ...fields },
      });
    expect((await change({})).code).toBe(2029);
    expect((await change({ oldPassword: 'Wrong-horse-7' })).code).toBe(2007);
    expect((await change({ password: 'weak' })).code).toBe(2003);
    expect((await change({ password: 'P4ssw0rd!1' })).code).toBe(2012);
    expect((await change({ password: TEST_PASSWORD })).code).toBe(2013);
    const grant = await world.grant(browser);
    const changed = await change({ grant });
    expect(changed.code).toBe(SUCCESS);
    browser.stoken = changed.data?.token;
    expect(await world.isLoggedIn(browser)).toBe(true);
    expect(await world.isLoggedIn(other)).toBe(false);
    const thief = world.hub.visitor();
    Object.assign(thief, former);
    expect(await world.isLoggedIn(thief)).toBe(false);
    expect((await world.hub.visitor().logIn(email)).code).toBe(2007);
    expect((await world.hub.visitor().logIn(email, NEW_PASSWORD)).code).toBe(SUCCESS);
    const trusts = await world.hub.database.owner.query<{ n: string }>(
      'select count(*) as n from device_trusts t join members m on m.id = t.member where m.email = $1',
      [email],
    );
    expect(trusts[0]?.n).toBe('2');
    expect((await world.mails(email)).map(({ subject }) => subject)).toContainEqual(
      expect.stringContaining('your password was changed'),
    );
  });

  test('locks money for 24 hours of the database’s clock, to the second, whatever our own clock says', async () => {
    const browser = await world.hub.member('locked@example.org');
    const ask = () => world.hub.hub.accounts.moneyOutAllowed(browser.tid as never);
    expect(await ask()).toBeUndefined();
    const grant = await world.grant(browser);
    const changed = await browser.call('security/resetpwd', {
      ...{ oldPassword: TEST_PASSWORD, password: NEW_PASSWORD, grant },
    });
    browser.stoken = changed.data?.token;
    try {
      await world.moveDatabaseClock('23 hours 59 minutes 50 seconds');
      expect(await ask()).toMatchObject({ error: 'security-lock' });
      expect(await lockOf(browser)).toBeGreaterThan(0);
      await world.moveDatabaseClock('24 hours 1 second');
      expect(await ask()).toBeUndefined();
      expect(await lockOf(browser)).toBeNull();
    } finally {
      await world.moveDatabaseClock('0');
    }
  });
});

describe('the lock of a first authenticator', () => {
  test('begins only where money has moved before', async () => {
    const poor = await world.hub.member();
    await world.authenticator(poor);
    expect(await lockOf(poor)).toBeNull();
    const funded = await world.hub.member();
    await world.fund(funded);
    await world.authenticator(funded);
    expect(await lockOf(funded)).not.toBeNull();
  });
});

describe('a lost password', () => {
  test('is set anew by a code to the mailbox: no session comes of it, and all there were end', async () => {
    const email = 'lost@example.org';
    const member = await world.hub.member(email);
    const browser = world.hub.visitor();
    const flow = await world.flow(browser, email, 'recover');
    const reset = (password: string, given = flow) =>
      browser.call('user/forgetpwd', { account: email, flow: given, password });
    expect((await reset('weak')).code).toBe(2003);
    expect((await reset('Letmein1!')).code).toBe(2012);
    expect((await reset(TEST_PASSWORD)).code).toBe(2013);
    const answers = await Promise.all(Array.from({ length: 6 }, () => reset(NEW_PASSWORD)));
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => SUCCESS));
    const mails = (await world.mails(email)).filter(({ subject }) => subject.includes('set anew'));
    expect(mails).toHaveLength(1);
    expect(browser.cookie).toBeUndefined();
    expect(await world.isLoggedIn(member)).toBe(false);
    expect((await reset('Third-llama-9')).code).toBe(2009);
    expect((await browser.logIn(email, NEW_PASSWORD)).code).toBe(SUCCESS);
    expect(await lockOf(browser)).not.toBeNull();
  });

  test('never gets past an authenticator, and tells of it only to who holds the mailbox', async () => {
    const email = 'lost-totp@example.org';
    const member = await world.hub.member(email);
    const { secret, codes } = await world.authenticator(member);
    const browser = world.hub.visitor();
    const flow = await world.flow(browser, email, 'recover');
    const reset = (fields: object) =>
      browser.call('user/forgetpwd', { account: email, flow, password: NEW_PASSWORD, ...fields });
    const blind = await browser.call('user/forgetpwd', {
      ...{ account: email, flow: 'guessed', password: NEW_PASSWORD },
    });
    expect(blind.code).toBe(2009);
    expect((await reset({})).code).toBe(2014);
    expect((await reset({ totp: world.wrong(secret) })).code).toBe(2015);
    expect((await reset({ recovery: 'A'.repeat(24) })).code).toBe(2015);
    expect(await world.isLoggedIn(member)).toBe(true);
    expect((await reset({ recovery: codes[0] })).code).toBe(SUCCESS);
    expect((await world.hub.visitor().logIn(email, NEW_PASSWORD)).data).toMatchObject({ next: 'totp' });
  });

  test('of an account that is not there is asked for alike, and no mail goes out', async () => {
    const email = 'no-such-member@example.org';
    await world.hub.member('there@example.org');
    const ask = async (target: string) => {
      const browser = world.hub.visitor();
      return browser.call('sms/sms', { target, purpose: 'recover', captcha: await browser.captcha() });
    };
    expect(await ask(email)).toEqual(await ask('there@example.org'));
    expect(await world.mails(email)).toEqual([]);
  });

  test.each(['recover', 'unfreeze'] as const)(
    'to %s asks the database the same, in the same order, whoever has the address: member, frozen, nobody, only a number',
    async (purpose) => {
      const known = `${purpose}-known@example.org`;
      const browser = await world.hub.member(known);
      const [both, alone, nobody] = ['1', '2', '3'].map((last) => `+8180${purpose.length}000000${last}`);
      await world.bindMobile(browser, both ?? '');
      await world.hub.member(`${purpose}-frozen@example.org`);
      const { owner } = world.hub.database;
      await owner.query('update members set frozen_at = 1 where email = $1', [
        `${purpose}-frozen@example.org`,
      ]);
      await owner.query(
        `insert into members (mobile, password_hash, nickname, referral_code, created_at)
         values ($1, '', 'n', right($1, 8), 0)`,
        [alone ?? ''],
      );
      // What was sent to sign up and to bind is forgotten.
      world.hub.advance(60 * 60_000);
      const kinds = [
        [known, `${purpose}-frozen@example.org`, `${purpose}-nobody@example.org`],
        [both, alone, nobody],
      ];
      // So often that codes become long ones, and those are spaced.
      for (let time = 0; time < 5; time += 1) {
        const counts = new Set<number>();
        for (const targets of kinds) {
          const asked = [];
          for (const target of targets) asked.push(await statementsOf(target ?? '', purpose));
          for (const statements of asked) {
            expect(statements).toEqual(asked[0]);
            counts.add(statements.length);
          }
        }
        expect(counts.size).toBe(1);
      }
      const sent = await Promise.all(kinds.flat().map(async (to) => (await world.mails(to ?? '')).length));
      expect(sent.map((mails) => mails > 3)).toEqual([true, true, false, false, true, false]);
    },
  );

  test('writes the same rows, whoever has the address, and what is for nobody is never seen', async () => {
    const { owner } = world.hub.database;
    const tables = ['outbox_mails', 'freeze_tokens', 'verification_codes'];
    const counts = async () =>
      Promise.all(tables.map(async (table) => (await owner.query(`select 1 from ${table}`)).length));
    await world.hub.member('rows-known@example.org');
    for (const target of ['rows-known@example.org', 'rows-nobody@example.org', '+818000000099']) {
      const before = await counts();
      const browser = world.hub.visitor();
      await browser.call('sms/sms', { target, purpose: 'recover', captcha: await browser.captcha() });
      expect((await counts()).map((rows, at) => rows - (before[at] ?? 0))).toEqual([1, 1, 1]);
    }
    const outbox = await (await fetch(`${world.hub.url}/dev/outbox.json`)).json();
    expect((outbox as { to: string }[]).map(({ to }) => to)).not.toContain('');
    // No longer than the code that it came with.
    const late = 'select 1 from freeze_tokens where member is null and expires_at > $1';
    expect(await owner.query(late, [world.hub.now() + 1_800_000])).toEqual([]);
  });

  test('a code of one matter is nothing in another', async () => {
    const email = 'matters@example.org';
    await world.hub.member(email);
    const browser = world.hub.visitor();
    const flow = await world.flow(browser, email, 'recover');
    const other = await browser.call('x/account/Unfreeze', { account: email, flow, password: NEW_PASSWORD });
    expect(other.code).toBe(2009);
    const foreign = await browser.call('user/forgetpwd', {
      ...{ account: 'there@example.org', flow, password: NEW_PASSWORD },
    });
    expect(foreign.code).toBe(2009);
  });
});

describe('the address', () => {
  async function flows(browser: TestBrowser, email: string, next: string) {
    await browser.call('usersms/usersms', { purpose: 'modify-new', target: next });
    const flow = await world.checked(browser, next, 'modify-new');
    await browser.call('usersms/usersms', { purpose: 'modify-old' });
    return { flow, oldFlow: await world.checked(browser, email, 'modify-old') };
  }

  test('changes by a grant and codes to the old and the new; both are told, and the old logs in no more', async () => {
    const [email, next] = ['old-address@example.org', 'new-address@example.org'];
    const browser = await world.hub.member(email);
    const proofs = await flows(browser, email, next);
    const change = (fields: object) =>
      browser.call('security/modifyemail', { email: next, ...proofs, grant: 'none', ...fields });
    expect((await change({})).code).toBe(2029);
    expect((await change({ oldFlow: proofs.flow })).code).toBe(2009);
    expect((await change({ email: 'third@example.org' })).code).toBe(2009);
    const answer = await change({ grant: await world.grant(browser) });
    expect(answer.code).toBe(SUCCESS);
    browser.stoken = answer.data?.token;
    expect((await browser.call('security/userinfo', {})).data?.email).toBe(next);
    expect((await world.hub.visitor().logIn(email)).code).toBe(2007);
    expect((await world.hub.visitor().logIn(next)).code).toBe(SUCCESS);
    for (const to of [email, next]) {
      expect((await world.mails(to)).map(({ subject }) => subject)).toContainEqual(
        expect.stringContaining('your address was changed'),
      );
    }
    expect(await lockOf(browser)).not.toBeNull();
  });

  test('of somebody else is not taken, and that is told only to who has proved it', async () => {
    const taken = 'taken-address@example.org';
    await world.hub.member(taken);
    const email = 'wants-it@example.org';
    const browser = await world.hub.member(email);
    const sent = await browser.call('usersms/usersms', { purpose: 'modify-new', target: taken });
    expect(sent).toMatchObject({ code: SUCCESS, data: { maskedTo: 't***@e***.org' } });
    const proofs = await flows(browser, email, taken);
    const grant = await world.grant(browser);
    const answer = await browser.call('security/modifyemail', { email: taken, ...proofs, grant });
    expect(answer.code).toBe(2017);
    // Refused, it has used up nothing.
    const again = await browser.call('security/modifyemail', { email: taken, ...proofs, grant });
    expect(again.code).toBe(2017);
  });

  test('is one member’s: of two who take it at the same moment one has it, and the other is told so', async () => {
    const to = 'both-want-it@example.org';
    const asking: (() => ReturnType<TestBrowser['call']>)[] = [];
    // One after the other: a newer code to the same address takes the place of one that is not used yet.
    for (const email of ['first-of-two@example.org', 'second-of-two@example.org']) {
      const browser = await world.hub.member(email);
      const proofs = await flows(browser, email, to);
      const grant = await world.grant(browser);
      asking.push(() => browser.call('security/modifyemail', { email: to, ...proofs, grant }));
    }
    const codes = (await Promise.all(asking.map((take) => take()))).map(({ code }) => code);
    expect(codes.toSorted((a, b) => a - b)).toEqual([SUCCESS, 2017]);
  });
});

describe('"this was not me"', () => {
  test('ends everything at once, lets nobody in, and can do nothing else', async () => {
    const email = 'frozen@example.org';
    const browser = await world.hub.member(email);
    const { secret } = await world.authenticator(browser);
    await world.ageFactors();
    const token = await world.freezeToken(email);
    const anybody = world.hub.visitor();
    const press = async (given: string) =>
      anybody.call('x/account/Freeze', { token: given, captcha: await anybody.captcha() });
    expect((await anybody.call('x/account/Freeze', { token, captcha: 'x' })).code).toBe(2001);
    expect((await press('A'.repeat(22))).code).toBe(2009);
    expect(await world.isLoggedIn(browser)).toBe(true);
    const pressed = await press(token);
    expect(pressed).toMatchObject({ code: SUCCESS, data: {} });
    expect(await world.isLoggedIn(browser)).toBe(false);
    expect((await press(token)).code).toBe(SUCCESS);
    const mayLeave = () => world.hub.hub.accounts.moneyOutAllowed(browser.tid as never);
    expect(await mayLeave()).toEqual({ error: 'account-frozen' });

    const visitor = world.hub.visitor();
    const { ticket } = await world.ticket(visitor, email);
    expect((await visitor.call('user/loginstep2', { ticket, totp: world.wrong(secret) })).code).toBe(2015);
    expect((await visitor.call('user/loginstep2', { ticket, totp: world.shows(secret) })).code).toBe(2019);
    const recover = await world.flow(visitor, email, 'recover');
    const reset = await visitor.call('user/forgetpwd', {
      ...{ account: email, flow: recover, password: NEW_PASSWORD, totp: world.shows(secret) },
    });
    expect(reset.code).toBe(2019);

    const flow = await world.flow(visitor, email, 'unfreeze');
    const open = (fields: object) =>
      visitor.call('x/account/Unfreeze', { account: email, flow, password: NEW_PASSWORD, ...fields });
    expect((await open({})).code).toBe(2014);
    expect((await open({ totp: world.shows(secret), password: TEST_PASSWORD })).code).toBe(2013);
    expect((await open({ totp: world.shows(secret) })).code).toBe(SUCCESS);
    expect(await mayLeave()).toMatchObject({ error: 'security-lock' });
    world.hub.advance(30_000);
    expect((await visitor.logIn(email, NEW_PASSWORD)).data).toMatchObject({ next: 'totp' });
  });

  test('is offered for seven days, and never by the code itself', async () => {
    const email = 'seven-days@example.org';
    const browser = await world.hub.member(email);
    await world.authenticator(browser);
    const token = await world.freezeToken(email);
    world.hub.advance(7 * 86_400_000);
    const late = await browser.call('x/account/Freeze', { token, captcha: await browser.captcha() });
    expect(late.code).toBe(2009);
    const stored = JSON.stringify(await world.hub.database.owner.query('select * from freeze_tokens'));
    expect(stored).not.toContain(token);
  });
});

describe('sessions', () => {
  test('are listed by what they are, ended one by one with a grant, and only the own', async () => {
    const email = 'sessions@example.org';
    const browser = await world.hub.member(email);
    const other = world.hub.visitor();
    other.headers['user-agent'] = 'Phone/2';
    await other.logIn(email);
    const stranger = await world.hub.member();
    const { data = [] } = await browser.call('x/account/Sessions', {});
    expect(data).toHaveLength(2);
    expect(data?.filter(({ current }) => current)).toHaveLength(1);
    const elsewhere = data?.find(({ current }) => !current);
    const place = { address: '127.0.0.1', userAgent: 'Phone/2' };
    expect(elsewhere).toMatchObject({ ...place, createdAt: world.hub.now() });
    const { data: history } = await browser.call('x/account/LoginHistory', { limit: 2 });
    expect(history?.rows).toContainEqual(expect.objectContaining({ ...place, ended: false }));
    const id = elsewhere?.id ?? '';
    expect((await browser.call('x/account/EndSession', { id })).code).toBe(2029);
    const theirs = await world.grant(stranger);
    expect((await stranger.call('x/account/EndSession', { id, grant: theirs })).code).toBe(1001);
    expect(await world.isLoggedIn(other)).toBe(true);
    const grant = await world.grant(browser);
    expect((await browser.call('x/account/EndSession', { id, grant })).code).toBe(SUCCESS);
    expect(await world.isLoggedIn(other)).toBe(false);
    const own = data?.find(({ current }) => current)?.id ?? '';
    expect((await browser.call('x/account/EndSession', { id: own })).code).toBe(SUCCESS);
    expect(browser.cookie).toBeUndefined();
  });

  test('are twenty at most: the oldest ends when another begins', async () => {
    const email = 'crowded@example.org';
    const oldest = await world.hub.member(email);
    const others = [];
    for (let count = 0; count < 20; count += 1) {
      world.hub.advance(1_000);
      expect(await world.isLoggedIn(oldest)).toBe(true);
      const other = world.hub.visitor();
      await other.logIn(email);
      others.push(other);
    }
    expect(await world.isLoggedIn(oldest)).toBe(false);
    for (const other of others) expect(await world.isLoggedIn(other)).toBe(true);
  });

  test('all others end together, and a log-in history is read in pages', async () => {
    const email = 'history@example.org';
    const browser = await world.hub.member(email);
    const others = [world.hub.visitor(), world.hub.visitor(), world.hub.visitor()];
    for (const other of others) {
      world.hub.advance(1_000);
      await other.logIn(email);
    }
    const grant = await world.grant(browser);
    const ended = await browser.call('x/account/EndOthers', { grant });
    expect(ended.data?.ended).toBe(3);
    browser.stoken = ended.data?.token;
    for (const other of others) expect(await world.isLoggedIn(other)).toBe(false);
    const first = await browser.call('x/account/LoginHistory', { limit: 3 });
    const second = await browser.call('x/account/LoginHistory', { limit: 3, cursor: first.data?.next ?? '' });
    const times = [...(first.data?.rows ?? []), ...(second.data?.rows ?? [])].map(({ at }) => at);
    expect(times).toHaveLength(4);
    expect(times).toEqual(times.toSorted((left, right) => right - left));
    expect(second.data?.next).toBeNull();
    expect(first.data?.rows.every((row) => row.ended && row.factors === 'pwd')).toBe(true);
  });
});

describe('mails', () => {
  test('begin with the member’s word once there is one, in the member’s language', async () => {
    const email = 'word@example.org';
    const browser = await world.hub.member(email);
    const change = (fields: object) => browser.call('security/modifyuserinfo', fields);
    expect((await change({ antiPhishing: 'heron' })).code).toBe(2029);
    expect((await change({ nickname: 'Ada_1', language: 'ja' })).code).toBe(SUCCESS);
    expect((await change({ antiPhishing: 'heron', grant: await world.grant(browser) })).code).toBe(SUCCESS);
    await world.authenticator(browser);
    const [newest] = await world.mails(email);
    expect(newest?.body.split('\n')[0]).toBe('あなたの合言葉: heron');
    // Also what somebody else has sent by signing up with this address, in whatever language.
    const stranger = world.hub.visitor();
    stranger.headers.language = 'en';
    const asked = { target: email, purpose: 'register', captcha: await stranger.captcha() } as const;
    expect((await stranger.call('sms/sms', asked)).code).toBe(SUCCESS);
    const [warned] = await world.mails(email);
    expect(warned?.subject).toContain('登録済みです');
    expect(warned?.body.split('\n')[0]).toBe('あなたの合言葉: heron');
    const { data } = await browser.call('security/userinfonew', {});
    expect(data).toMatchObject({ nickname: 'Ada_1', language: 'ja', antiPhishing: 'h***' });
    const stored = JSON.stringify(await world.hub.database.owner.query('select * from members'));
    expect(stored).not.toContain('heron');
  });
});

test('a log-in answers token and tid; user info has every field of the specification, the password as set and never its value', async () => {
  const email = 'whole@example.org';
  const browser = await world.hub.member(email);
  const answer = await browser.logIn(email);
  expect(Object.keys(answer.data ?? {}).sort()).toEqual(['tid', 'token']);
  const { data: info } = await browser.call('security/userinfo', {});
  const { data: full } = await browser.call('security/userinfonew', {});
  expect(answer.data).toMatchObject({ tid: info?.tid });
  for (const field of [
    ...['tid', 'tkropen', 'nickname', 'memberId', 'ip', 'lastLogin', 'email', 'mobile', 'googleAuth'],
    ...['kycStatus', 'referralCode', 'kolReferralCode'],
  ]) {
    expect(Object.keys(info ?? {})).toContain(field);
    expect(Object.keys(full ?? {})).toContain(field);
  }
  expect(full?.password).toMatchObject({ set: true });
  expect(JSON.stringify([info, full])).not.toMatch(/argon2|Correct-horse/);
});

test('what is decided is in the audit log, in the transaction of the decision, without a secret', async () => {
  const email = 'audited@example.org';
  const browser = await world.hub.member(email);
  await world.grant(browser);
  expect((await browser.call('user/layout', {})).code).toBe(SUCCESS);
  const rows = await world.hub.database.owner.query<{ call: string; outcome: string }>(
    'select call, outcome from audit_log where actor = $1 order by id',
    [String(browser.tid)],
  );
  expect(rows.slice(-2)).toEqual([
    { call: 'x/account/StepUp', outcome: 'ok' },
    { call: 'user/layout', outcome: 'ok' },
  ]);
});
