import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../tests/opened.ts';
import { ADMIN_PASSWORD, AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const TOKEN_INVALID = -2;
const FLOW_INVALID = 2009;
const PASSWORD_COMMON = 2012;
const FACTOR_WRONG = 2015;
const LOGIN_FAILED = 2007;
const PROOF_NEEDED = 2029;
const ORIGIN_REFUSED = 1008;

const world = openedOnce(() => OfficeWorld.start());

describe('a one-time link', () => {
  test('shows one secret however often it is opened, survives a wrong code, and is used up by a right one', async () => {
    const token = await world.link('first@example.org', ['admin']);
    const browser = world.stranger();
    const { secret, email, roles } = await browser.must('x/admin/StartBegin', { token });
    expect((await browser.must('x/admin/StartBegin', { token })).secret).toBe(secret);
    expect({ email, roles }).toEqual({ email: 'first@example.org', roles: ['admin'] });
    const given = { token, password: ADMIN_PASSWORD };
    const wrong = { ...given, totp: world.wrong(secret) };
    expect((await browser.call('x/admin/Start', wrong)).code).toBe(FACTOR_WRONG);
    const short = { ...given, password: 'Short-horse-7', totp: world.shows(secret) };
    expect((await browser.call('x/admin/Start', short)).code).toBe(1001);
    const leaked = { ...given, password: 'qwertyuiopasdfghjkl', totp: world.shows(secret) };
    expect((await browser.call('x/admin/Start', leaked)).code).toBe(PASSWORD_COMMON);
    expect(await browser.begin('x/admin/Start', { ...given, totp: world.shows(secret) })).toBe(SUCCESS);
    expect(await browser.must('x/admin/Me', {})).toMatchObject({ name: email, provedUntil: null });
    expect((await world.stranger().call('x/admin/StartBegin', { token })).code).toBe(FLOW_INVALID);
    const again = { ...given, totp: world.shows(secret, 1) };
    expect((await world.stranger().call('x/admin/Start', again)).code).toBe(FLOW_INVALID);
  });

  test('that two browsers use at once makes one session', async () => {
    const token = await world.link('twice@example.org', ['auditor']);
    const { secret } = await world.stranger().must('x/admin/StartBegin', { token });
    const fields = { token, password: ADMIN_PASSWORD, totp: world.shows(secret) };
    const codes = await Promise.all([1, 2, 3].map(() => world.stranger().begin('x/admin/Start', fields)));
    expect(codes.toSorted()).toEqual([SUCCESS, FLOW_INVALID, FLOW_INVALID]);
  });

  test('ends after 15 minutes, and an unknown one is told alike', async () => {
    const token = await world.link('late@example.org', ['admin']);
    world.hub.advance(900_000);
    expect((await world.stranger().call('x/admin/StartBegin', { token })).code).toBe(FLOW_INVALID);
    const unknown = { token: 'A'.repeat(43) };
    expect((await world.stranger().call('x/admin/StartBegin', unknown)).code).toBe(FLOW_INVALID);
  });

  test('to an admin who is there is written as a break-glass only, which ends what he had', async () => {
    const { browser, secret, email } = await world.admin(['admin']);
    await expect(world.link(email, ['admin'])).rejects.toThrow('no link');
    await expect(world.link('nobody@example.org', ['admin'], true)).rejects.toThrow('no link');
    const token = await world.link(email, ['auditor'], true);
    expect((await browser.call('x/admin/Me', {})).code).toBe(TOKEN_INVALID);
    const before = { email, password: ADMIN_PASSWORD, totp: world.shows(secret, 1) };
    expect((await world.stranger().call('x/admin/LogIn', before)).code).toBe(LOGIN_FAILED);
    const next = await browser.must('x/admin/StartBegin', { token });
    expect(next.roles).toEqual(['admin']);
    expect(next.secret).not.toBe(secret);
  });

  test.each([
    ['both treasury roles', ['treasury-maker', 'treasury-checker']],
    ['kyc and treasury', ['kyc', 'treasury-checker']],
  ] as const)('that would give %s to one person makes no admin', async (_what, roles) => {
    const token = await world.link(`${roles.join('.')}@example.org`, roles);
    const { secret } = await world.stranger().must('x/admin/StartBegin', { token });
    const fields = { token, password: ADMIN_PASSWORD, totp: world.shows(secret) };
    expect((await world.stranger().call('x/admin/Start', fields)).code).toBe(1005);
  });
});

describe('a log-in', () => {
  test('needs address, password and code at once, tells nobody which was wrong, and takes a code once', async () => {
    const { secret, email } = await world.admin(['support'], false);
    const right = { email, password: ADMIN_PASSWORD, totp: world.shows(secret) };
    const wrong = [
      { ...right, password: 'another long sentence' },
      { ...right, totp: world.wrong(secret) },
      { ...right, email: 'nobody@example.org' },
      // Used by the link.
      { ...right, totp: world.shows(secret, -1) },
    ];
    for (const fields of wrong) {
      expect((await world.stranger().call('x/admin/LogIn', fields)).code).toBe(LOGIN_FAILED);
    }
    const browser = world.stranger();
    expect(await browser.begin('x/admin/LogIn', right)).toBe(SUCCESS);
    expect((await world.stranger().call('x/admin/LogIn', right)).code).toBe(LOGIN_FAILED);
    await browser.must('x/admin/LogOut', {});
    expect(browser.cleared).toBe('"cache"');
    expect((await browser.call('x/admin/Me', {})).code).toBe(TOKEN_INVALID);
  });

  test('and a proof take one code once, however parallel', async () => {
    const { browser, secret, email } = await world.admin(['support'], false);
    const totp = world.shows(secret);
    const fields = { email, password: ADMIN_PASSWORD, totp };
    const codes = await Promise.all([
      ...[1, 2, 3].map(async () => (await world.stranger().call('x/admin/LogIn', fields)).code),
      ...[1, 2, 3].map(async () => (await browser.call('x/admin/StepUp', { totp })).code),
    ]);
    expect(codes.filter((code) => code === SUCCESS)).toHaveLength(1);
    expect(codes.filter((code) => code === LOGIN_FAILED || code === FACTOR_WRONG)).toHaveLength(5);
  });

  test('of a member, with his own password, leads nowhere', async () => {
    await world.hub.member('plain@example.org');
    const fields = { email: 'plain@example.org', password: 'Correct-horse-7', totp: '123456' };
    expect((await world.stranger().call('x/admin/LogIn', fields)).code).toBe(LOGIN_FAILED);
  });
});

describe('a session', () => {
  test('that nothing was asked with for 15 minutes has ended; one that is used goes on for 12 hours', async () => {
    const idle = (await world.admin(['auditor'])).browser;
    const busy = (await world.admin(['auditor'])).browser;
    world.hub.advance(14 * 60_000);
    await busy.must('x/admin/Me', {});
    world.hub.advance(2 * 60_000);
    expect((await idle.call('x/admin/Me', {})).code).toBe(TOKEN_INVALID);
    for (let quarters = 1; quarters < 51; quarters += 1) {
      await busy.must('x/admin/Me', {});
      world.hub.advance(14 * 60_000);
    }
    await busy.must('x/admin/Me', {});
    world.hub.advance(5 * 60_000);
    expect((await busy.call('x/admin/Me', {})).code).toBe(TOKEN_INVALID);
  });

  test('changes nothing without a code of the last 5 minutes, and that code serves once', async () => {
    const member = await world.hub.member();
    const { browser, secret } = await world.admin(['support'], false);
    const freeze = { member: member.tid ?? 0, reason: REASON };
    expect((await browser.call('x/admin/MemberFreeze', freeze)).code).toBe(PROOF_NEEDED);
    expect((await browser.call('x/admin/StepUp', { totp: world.wrong(secret) })).code).toBe(FACTOR_WRONG);
    const totp = world.shows(secret);
    await browser.must('x/admin/StepUp', { totp });
    expect((await browser.call('x/admin/StepUp', { totp })).code).toBe(FACTOR_WRONG);
    await browser.must('x/admin/MemberFreeze', freeze);
    world.hub.advance(300_000);
    expect((await browser.call('x/admin/MemberFreeze', freeze)).code).toBe(PROOF_NEEDED);
  });

  test('guesses at the code end: after five nothing is compared', async () => {
    const { browser, secret } = await world.admin(['support'], false);
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await browser.call('x/admin/StepUp', { totp: world.wrong(secret) })).code).toBe(FACTOR_WRONG);
    }
    expect((await browser.call('x/admin/StepUp', { totp: world.shows(secret) })).code).toBe(1003);
  });
});

describe('guesses at an admin', () => {
  const tried = (email: string, password: string, totp: string): Promise<number> =>
    world.stranger().begin('x/admin/LogIn', { email, password, totp });

  test('with the right password end after twenty wrong codes; wrong passwords count for nothing', async () => {
    const { secret, email } = await world.admin(['support']);
    for (let made = 0; made < 20; made += 1)
      expect(await tried(email, 'not that sentence', world.wrong(secret))).toBe(LOGIN_FAILED);
    for (let made = 0; made < 19; made += 1)
      expect(await tried(email, ADMIN_PASSWORD, world.wrong(secret))).toBe(LOGIN_FAILED);
    // A right code is none of the twenty.
    for (let made = 0; made < 2; made += 1) {
      world.hub.advance(60_000);
      expect(await tried(email, ADMIN_PASSWORD, world.shows(secret))).toBe(SUCCESS);
    }
    expect(await tried(email, ADMIN_PASSWORD, world.wrong(secret))).toBe(LOGIN_FAILED);
    world.hub.advance(60_000);
    expect(await tried(email, ADMIN_PASSWORD, world.shows(secret))).toBe(LOGIN_FAILED);
    const [refused] = await world.hub.database.owner.query<{ refused: number }>(
      `select count(*)::int as refused from audit_log l join admins a on l.actor = 'admin ' || a.id
       where a.email = $1 and l.call = 'x/admin/LogIn' and l.outcome = 'login-failed'`,
      [email],
    );
    expect(refused?.refused).toBe(41);

    const token = await world.link(email, ['support'], true);
    const browser = world.stranger();
    const { secret: another } = await browser.must('x/admin/StartBegin', { token });
    const anew = { token, password: 'another long sentence', totp: world.shows(another) };
    expect(await browser.begin('x/admin/Start', anew)).toBe(SUCCESS);
    world.hub.advance(60_000);
    expect(await tried(email, anew.password, world.shows(another))).toBe(SUCCESS);
  });

  test('by an older link end when there is a newer one', async () => {
    const { email } = await world.admin(['support']);
    const first = await world.link(email, ['support'], true);
    expect((await world.stranger().call('x/admin/StartBegin', { token: first })).code).toBe(SUCCESS);
    await world.hub.database.owner.query('update admins set disabled_at = null where email = $1', [email]);
    const second = await world.link(email, ['support'], true);
    expect((await world.stranger().call('x/admin/StartBegin', { token: first })).code).toBe(FLOW_INVALID);
    expect((await world.stranger().call('x/admin/StartBegin', { token: second })).code).toBe(SUCCESS);
  });
});

describe('hostile turns', () => {
  test('a member reaches no call of the back office, with his cookie and token in any place', async () => {
    const member = await world.hub.member();
    const browser = new AdminBrowser(world.hub.url);
    for (const name of ['sid', 'aid', '__Host-aid']) {
      browser.cookie = `${name}=${member.cookie}`;
      browser.stoken = member.stoken;
      expect((await browser.call('x/admin/Me', {})).code).toBe(TOKEN_INVALID);
    }
  });

  test('an admin is no member, and each half of a session alone is nothing', async () => {
    const { browser } = await world.admin(['admin']);
    const [, value = ''] = (browser.cookie ?? '').split('=');
    const other = (await world.admin(['admin'])).browser;
    const asMember = new AdminBrowser(world.hub.url);
    asMember.cookie = `sid=${value}`;
    asMember.stoken = browser.stoken;
    expect((await asMember.send('security/userinfo', {})).code).toBe(TOKEN_INVALID);
    for (const [cookie, stoken] of [
      [browser.cookie, undefined],
      [undefined, browser.stoken],
      [browser.cookie, other.stoken],
      [`${browser.cookie}; ${other.cookie}`, browser.stoken],
    ]) {
      const half = new AdminBrowser(world.hub.url);
      half.cookie = cookie;
      half.stoken = stoken;
      expect((await half.call('x/admin/Me', {})).code).toBe(TOKEN_INVALID);
    }
  });

  test('another site is refused before anything is looked at', async () => {
    const { browser } = await world.admin(['admin']);
    browser.headers.origin = 'https://elsewhere.example';
    expect((await browser.call('x/admin/Me', {})).code).toBe(ORIGIN_REFUSED);
    delete browser.headers.origin;
    browser.headers['sec-fetch-site'] = 'cross-site';
    expect((await browser.call('x/admin/Me', {})).code).toBe(ORIGIN_REFUSED);
  });

  test('a call by GET does not exist', async () => {
    const answer = await fetch(`${world.hub.url}/api/x/admin/Me`);
    expect(await answer.json()).toMatchObject({ code: 1004 });
  });
});

describe('demo admins', () => {
  test('are two who between them decide everything, with two hours each and no code to prove', async () => {
    const member = await world.hub.member();
    const [maker, checker] = [world.stranger(), world.stranger()];
    expect(await maker.begin('x/admin/Demo', { as: 'maker' })).toBe(SUCCESS);
    expect(await checker.begin('x/admin/Demo', { as: 'checker' })).toBe(SUCCESS);
    const given = { member: member.tid ?? 0, code: 'DEMOKOL', rateBps: 2_000, reason: REASON };
    const { approval } = await maker.must('x/admin/MemberKol', given);
    const { rows } = await checker.must('x/admin/Approvals', {});
    const payloadHash = rows.find(({ id }) => id === approval)?.payloadHash ?? '';
    await checker.must('x/admin/Approve', { approval, payloadHash, reason: REASON });
    expect(await maker.must('x/admin/MemberView', { member: member.tid ?? 0 })).toMatchObject({
      ...{ kolCode: 'DEMOKOL', kolRateBps: 2_000 },
    });
    world.hub.advance(2 * 3_600_000);
    expect((await maker.call('x/admin/Me', {})).code).toBe(TOKEN_INVALID);
  });

  test('do not exist where there is no outbox', async () => {
    const closed = await OfficeWorld.start({ OUTBOX: '0' });
    const answer = await closed.stranger().call('x/admin/Demo', { as: 'maker' });
    await closed.hub.close();
    expect(answer.code).toBe(1004);
  });
});
