import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { TEST_PASSWORD } from '../../main/testing.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';
import { SETUP_LIFE_MILLIS } from './authenticator.ts';
import { GRANT_LIFE_MILLIS } from './step-up.ts';

const world = openedOnce(() => SecurityWorld.start());

const minute = 60_000;

describe('setting an authenticator up', () => {
  test('a right code turns it on, ends what is logged in elsewhere, and gives ten recovery codes once', async () => {
    const email = 'setup@example.org';
    const browser = await world.hub.member(email);
    const other = world.hub.visitor();
    await other.logIn(email);
    const { codes } = await world.authenticator(browser);
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    expect(codes[0]).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){5}$/);
    expect(await world.isLoggedIn(browser)).toBe(true);
    expect(await world.isLoggedIn(other)).toBe(false);
    const { data } = await browser.call('security/userinfonew', {});
    expect(data).toMatchObject({ googleAuth: true, recoveryCodesLeft: 10, lockUntil: null });
    expect((await world.mails(email))[0]?.subject).toContain('authenticator is on');
  });

  test('a wrong code, a reload and a second tab keep the secret; another session is not shown it', async () => {
    const email = 'tabs@example.org';
    const browser = await world.hub.member(email);
    const first = await browser.call('security/usergooglesecret', { grant: await world.grant(browser) });
    const { setupId = '', secret = '' } = first.data ?? {};
    expect((await browser.call('security/bindgoogle', { setupId, totp: world.wrong(secret) })).code).toBe(
      2015,
    );
    expect((await browser.call('security/usergooglesecret', {})).data).toEqual(first.data);
    const thief = world.hub.visitor();
    await thief.logIn(email);
    expect((await thief.call('security/usergooglesecret', {})).code).toBe(2029);
    expect((await thief.call('security/bindgoogle', { setupId, totp: world.shows(secret) })).code).toBe(2009);
    expect((await browser.call('security/bindgoogle', { setupId, totp: world.shows(secret) })).code).toBe(
      SUCCESS,
    );
  });

  test('an unfinished set-up ends after ten minutes, and one that is on is not replaced', async () => {
    const browser = await world.hub.member();
    const begun = await browser.call('security/usergooglesecret', { grant: await world.grant(browser) });
    const { setupId = '', secret = '' } = begun.data ?? {};
    world.hub.advance(SETUP_LIFE_MILLIS);
    expect((await browser.call('security/bindgoogle', { setupId, totp: world.shows(secret) })).code).toBe(
      2009,
    );
    await world.authenticator(browser);
    const again = await browser.call('security/usergooglesecret', { grant: 'x' });
    expect(again.code).toBe(2033);
  });

  test('a secret is neither stored nor logged as it is', async () => {
    const browser = await world.hub.member();
    const { secret, codes } = await world.authenticator(browser);
    for (const table of ['otp_secrets', 'recovery_codes', 'outbox_mails', 'audit_log', 'auth_flows']) {
      const stored = JSON.stringify(await world.hub.database.owner.query(`select * from ${table}`));
      expect(stored, table).not.toContain(secret);
      expect(stored, table).not.toContain(codes[0]);
    }
    expect(JSON.stringify(world.hub.logged)).not.toContain(secret);
  });
});

describe('a code of the authenticator', () => {
  test('serves once, however parallel, and so does none that was shown before it', async () => {
    const browser = await world.hub.member();
    const { secret } = await world.authenticator(browser);
    const totp = world.shows(secret);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => browser.call('security/connex/bindgoogle', { totp })),
    );
    expect(answers.filter(({ code }) => code === SUCCESS)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 2015)).toHaveLength(4);
    world.hub.advance(15 * minute);
    // One that was shown before the last that was used is over, too.
    const late = world.shows(secret, 1);
    expect((await browser.call('security/connex/bindgoogle', { totp: late })).code).toBe(SUCCESS);
    const early = world.shows(secret, 0);
    expect((await browser.call('security/connex/bindgoogle', { totp: early })).code).toBe(2015);
  });

  test('is guessed at five times in a quarter of an hour, however parallel', async () => {
    const browser = await world.hub.member();
    const { secret } = await world.authenticator(browser);
    world.hub.advance(15 * minute);
    const answers = await Promise.all(
      // As many as one member may have under way at once.
      Array.from({ length: 32 }, () =>
        browser.call('security/connex/bindgoogle', { totp: world.wrong(secret) }),
      ),
    );
    expect(answers.filter(({ code }) => code === 2015)).toHaveLength(5);
    expect(answers.filter(({ code }) => code === 1003)).toHaveLength(27);
    expect((await browser.call('security/connex/bindgoogle', { totp: world.shows(secret) })).code).toBe(1003);
  });

  test('is what a step-up asks for: the password does not serve instead', async () => {
    const browser = await world.hub.member();
    const { secret } = await world.authenticator(browser);
    const stepUp = (fields: object) =>
      browser.call('x/account/StepUp', { purpose: 'credentials', ...fields });
    expect((await stepUp({ password: TEST_PASSWORD })).code).toBe(2014);
    expect((await stepUp({ password: TEST_PASSWORD, totp: world.wrong(secret) })).code).toBe(2015);
    expect((await stepUp({ totp: world.shows(secret) })).code).toBe(SUCCESS);
  });

  test('is asked before money moves, and nothing else serves there', async () => {
    const browser = await world.hub.member();
    const ask = (fields: object) => browser.call('x/account/StepUp', { purpose: 'money', ...fields });
    expect((await browser.call('security/connex/bindgoogle', { totp: '123456' })).code).toBe(2016);
    expect((await ask({ password: TEST_PASSWORD })).code).toBe(2016);
    const { secret } = await world.authenticator(browser);
    expect((await ask({ password: TEST_PASSWORD })).code).toBe(2014);
    const given = await ask({ totp: world.shows(secret) });
    expect(given.code).toBe(SUCCESS);
    browser.stoken = given.data?.token;
    // What allows money to move changes no credential.
    const { grant = '' } = given.data ?? {};
    expect((await browser.call('x/account/RecoveryCodes', { grant })).code).toBe(2029);
  });
});

describe('a grant', () => {
  test('serves once, for five minutes, in its own session, for its purpose', async () => {
    const email = 'grant@example.org';
    const browser = await world.hub.member(email);
    const { secret } = await world.authenticator(browser);
    const renew = (grant: string, by = browser) => by.call('x/account/EndOthers', { grant });
    const used = await world.grant(browser, secret);
    const first = await renew(used);
    expect(first.code).toBe(SUCCESS);
    browser.stoken = first.data?.token;
    expect((await renew(used)).code).toBe(2029);
    expect((await renew('guessed')).code).toBe(2029);

    world.hub.advance(minute);
    const late = await world.grant(browser, secret);
    world.hub.advance(GRANT_LIFE_MILLIS);
    expect((await renew(late)).code).toBe(2029);

    const foreign = await world.grant(browser, secret);
    const stranger = await world.hub.member();
    expect((await renew(foreign, stranger)).code).toBe(2029);

    world.hub.advance(minute);
    const money = await browser.call('security/connex/bindgoogle', { totp: world.shows(secret) });
    browser.stoken = money.data?.token;
    expect((await renew(money.data?.grant ?? '')).code).toBe(2029);

    const parallel = await Promise.all(Array.from({ length: 8 }, () => renew(foreign)));
    expect(parallel.filter(({ code }) => code === SUCCESS)).toHaveLength(1);
  });

  test('changes the cookie: the former one answers for a second, and the token stays', async () => {
    const browser = await world.hub.member();
    const former = world.hub.visitor();
    former.cookie = browser.cookie;
    former.stoken = browser.stoken;
    await world.grant(browser);
    expect(browser.cookie).not.toBe(former.cookie);
    expect(await world.isLoggedIn(former)).toBe(true);
    expect(browser.stoken).toBe(former.stoken);
    world.hub.advance(1_001);
    expect(await world.isLoggedIn(former)).toBe(false);
    expect(await world.isLoggedIn(browser)).toBe(true);
  });

  test('is not given for a wrong password, and only five wrong ones are compared', async () => {
    const browser = await world.hub.member();
    const ask = () => browser.call('x/account/StepUp', { purpose: 'credentials', password: 'Wrong-horse-7' });
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    expect(answers.filter(({ code }) => code === 2007)).toHaveLength(5);
    expect(answers.filter(({ code }) => code === 1003)).toHaveLength(3);
    expect((await browser.call('x/account/StepUp', { purpose: 'credentials' })).code).toBe(2014);
  });
});

test('recovery codes: new ones end the former ten', async () => {
  const email = 'codes@example.org';
  const browser = await world.hub.member(email);
  expect((await browser.call('x/account/RecoveryCodes', { grant: 'x' })).code).toBe(2016);
  const { secret, codes } = await world.authenticator(browser);
  const made = await browser.call('x/account/RecoveryCodes', { grant: await world.grant(browser, secret) });
  browser.stoken = made.data?.token;
  const visitor = world.hub.visitor();
  const { ticket } = await world.ticket(visitor, email);
  const step = (recovery: string) => visitor.call('user/loginstep2', { ticket, recovery });
  expect((await step(codes[0] ?? '')).code).toBe(2015);
  expect((await step(made.data?.recoveryCodes[0] ?? '')).code).toBe(SUCCESS);
});
