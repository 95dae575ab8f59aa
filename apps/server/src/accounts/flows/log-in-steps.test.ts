import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { TEST_PASSWORD, type TestBrowser } from '../../main/testing.ts';
import { ACCOUNT_BUDGETS } from '../budgets.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';
import { LOG_IN_LIFE_MILLIS } from './log-in-steps.ts';

const world = openedOnce(() => SecurityWorld.start({ NEW_DEVICE_CODE: '1' }));

const totpOf = (browser: TestBrowser, ticket: string, totp: string) =>
  browser.call('user/loginstep2', { ticket, totp });

describe('a log-in with an authenticator', () => {
  test('asks for it after the password, in the own browser as well, and not for a code by mail', async () => {
    const email = 'second@example.org';
    const browser = await world.hub.member(email);
    const { secret } = await world.authenticator(browser);
    for (const somewhere of [browser, world.hub.visitor()]) {
      world.hub.advance(30_000);
      const { ticket, next } = await world.ticket(somewhere, email);
      expect(next).toBe('totp');
      const answer = await totpOf(somewhere, ticket, world.shows(secret));
      expect(answer.code).toBe(SUCCESS);
      if (answer.data !== null && 'token' in answer.data) somewhere.stoken = answer.data.token;
      expect(await world.isLoggedIn(somewhere)).toBe(true);
    }
  });

  test('sent twice gives one session and the same answer; a minute later, or elsewhere, it is over', async () => {
    const email = 'twice@example.org';
    const browser = await world.hub.member(email);
    const { secret } = await world.authenticator(browser);
    const visitor = world.hub.visitor();
    const { ticket } = await world.ticket(visitor, email);
    const totp = world.shows(secret);
    const before = visitor.device;
    const first = await totpOf(visitor, ticket, totp);
    expect(first.code).toBe(SUCCESS);
    // The answer may have been lost with its cookies.
    visitor.device = before;
    expect(await totpOf(visitor, ticket, totp)).toEqual(first);
    if (first.data !== null && 'token' in first.data) visitor.stoken = first.data.token;
    expect(await world.isLoggedIn(visitor)).toBe(true);
    const stranger = world.hub.visitor();
    await stranger.captcha();
    expect((await totpOf(stranger, ticket, totp)).code).toBe(2009);
    world.hub.advance(60_000);
    expect((await totpOf(visitor, ticket, totp)).code).toBe(2009);
    const rows = await world.hub.database.owner.query(
      `select 1 from sessions s join members m on m.id = s.member where m.email = $1 and factors = 'pwd otp'`,
      [email],
    );
    expect(rows).toHaveLength(1);
  });

  test('is nobody else’s: a ticket that is forged, of another browser, late or used up starts again', async () => {
    const email = 'ticket@example.org';
    const { secret } = await world.authenticator(await world.hub.member(email));
    const visitor = world.hub.visitor();
    const { ticket } = await world.ticket(visitor, email);
    const thief = world.hub.visitor();
    await thief.captcha();
    expect((await totpOf(thief, ticket, world.shows(secret))).code).toBe(2009);
    expect((await totpOf(visitor, `${ticket}x`, world.shows(secret))).code).toBe(2009);
    expect((await totpOf(visitor, 'no ticket', world.shows(secret))).code).toBe(2009);
    const guesses = await Promise.all(
      Array.from({ length: 20 }, () => totpOf(visitor, ticket, world.wrong(secret))),
    );
    expect(guesses.filter(({ code }) => code === 2015)).toHaveLength(5);
    expect(guesses.filter(({ code }) => code === 2009)).toHaveLength(15);
    expect((await totpOf(visitor, ticket, world.shows(secret))).code).toBe(2009);
    const { ticket: late } = await world.ticket(visitor, email);
    world.hub.advance(LOG_IN_LIFE_MILLIS);
    expect((await totpOf(visitor, late, world.shows(secret))).code).toBe(2009);
  });

  test('one recovery code opens once, in two browsers at the same moment as well', async () => {
    const email = 'recovery@example.org';
    const member = await world.hub.member(email);
    const { codes } = await world.authenticator(member);
    const recovery = codes[3]?.toLowerCase().replaceAll('-', ' ') ?? '';
    const browsers = [world.hub.visitor(), world.hub.visitor()];
    const answers = await Promise.all(
      browsers.map(async (browser) => {
        const { ticket } = await world.ticket(browser, email);
        return browser.call('user/loginstep2', { ticket, recovery });
      }),
    );
    expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([SUCCESS, 2015]);
    const { data } = await member.call('security/userinfonew', {});
    expect(data).toMatchObject({ recoveryCodesLeft: 9, googleAuth: true });
    const mails = (await world.mails(email)).filter(({ subject }) =>
      subject.includes('a recovery code was used'),
    );
    expect(mails).toHaveLength(1);
    expect(mails[0]?.body).toMatch(/\/freeze#[A-Za-z0-9_-]{22}\n/);
  });

  test('guessed at from many browsers asks strangers for the mailbox first, never the owner’s own browser, and is told once', async () => {
    const email = 'guessed@example.org';
    const owner = await world.hub.member(email);
    const { secret } = await world.authenticator(owner);
    const hoarded = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const browser = world.hub.visitor();
        return { browser, ...(await world.ticket(browser, email)) };
      }),
    );
    const answers = await Promise.all(
      hoarded.flatMap(({ browser, ticket }) =>
        Array.from({ length: 5 }, () => totpOf(browser, ticket, world.wrong(secret))),
      ),
    );
    const { usesMax } = ACCOUNT_BUDGETS.factorFailuresPerAccount;
    expect(answers.filter(({ code }) => code === 2015)).toHaveLength(usesMax);
    expect(answers.filter(({ code }) => code === 2009)).toHaveLength(20 - usesMax);
    // Whoever guesses has the password: its owner is told once, with the way to stop it.
    const notices = (await world.mails(email)).filter(({ subject }) =>
      subject.includes('know your password'),
    );
    expect(notices).toHaveLength(1);
    expect(notices[0]?.body).toContain('/freeze#');

    const own = await world.ticket(owner, email);
    expect(own.next).toBe('totp');
    expect((await totpOf(owner, own.ticket, world.shows(secret))).code).toBe(SUCCESS);

    world.hub.advance(30_000);
    const elsewhere = world.hub.visitor();
    const { ticket, next } = await world.ticket(elsewhere, email);
    expect(next).toBe('device');
    expect((await totpOf(elsewhere, ticket, world.shows(secret))).code).toBe(2014);
    const code = await elsewhere.codeOf(email);
    const middle = await elsewhere.call('user/loginstep2', { ticket, code });
    expect(middle.data).toMatchObject({ next: 'totp', ticket });
    expect((await totpOf(elsewhere, ticket, world.shows(secret))).code).toBe(SUCCESS);
  });
});

describe('a log-in with a browser that the member never used', () => {
  test('asks for a code by mail, then never again there; its own browser is not asked at all', async () => {
    const email = 'new-browser@example.org';
    const own = await world.hub.member(email);
    expect(await own.logIn(email)).toMatchObject({ code: SUCCESS, data: { tid: own.tid } });
    const browser = world.hub.visitor();
    const { ticket, next } = await world.ticket(browser, email);
    expect(next).toBe('device');
    const wrong = await browser.call('user/loginstep2', { ticket, code: '0000' });
    const code = await browser.codeOf(email);
    if (code !== '0000') expect(wrong.code).toBe(2005);
    const answer = await browser.call('user/loginstep2', { ticket, code });
    expect(answer.data).toMatchObject({ tid: own.tid });
    expect((await world.mails(email))[0]?.subject).toContain('new browser');
    expect(await browser.logIn(email)).toMatchObject({ data: { tid: own.tid } });
  });

  test('the code is worth nothing without the ticket, in another browser, or a second time', async () => {
    const email = 'bound-code@example.org';
    await world.hub.member(email);
    const browser = world.hub.visitor();
    const { ticket } = await world.ticket(browser, email);
    const code = await browser.codeOf(email);
    const thief = world.hub.visitor();
    const { ticket: theirs } = await world.ticket(thief, email);
    if ((await thief.codeOf(email)) !== code)
      expect((await thief.call('user/loginstep2', { ticket: theirs, code })).code).toBe(2005);
    expect((await thief.call('user/loginstep2', { ticket, code })).code).toBe(2009);
    expect((await browser.call('user/loginstep2', { ticket, code })).code).toBe(SUCCESS);
    const { ticket: next } = await world.ticket(thief, email);
    expect((await thief.call('user/loginstep2', { ticket: next, code })).code).toBe(2005);
  });
});

test('the mail with the code of a log-in says how to stop it: whoever asked for it had the password', async () => {
  const email = 'stop-it@example.org';
  const owner = await world.hub.member(email);
  const thief = world.hub.visitor();
  await world.ticket(thief, email);
  const token = await world.freezeToken(email);
  const visitor = world.hub.visitor();
  const frozen = await visitor.call('x/account/Freeze', { token, captcha: await visitor.captcha() });
  expect(frozen.code).toBe(SUCCESS);
  expect(await world.isLoggedIn(owner)).toBe(false);
});

describe('the code of a log-in once more', () => {
  test('comes to the mailbox of the ticket’s member, takes no try, and is the only one that works then', async () => {
    const email = 'once-more@example.org';
    const mobile = '+819012345670';
    await world.bindMobile(await world.hub.member(email), mobile);
    const browser = world.hub.visitor();
    const { ticket } = await world.ticket(browser, email);
    const first = await browser.codeOf(email);
    const again = async (target: string, from = browser, given = ticket) =>
      (
        await from.call('sms/sms', {
          ...{ target, purpose: 'login', ticket: given },
          captcha: await from.captcha(),
        })
      ).code;
    expect(await again(mobile)).toBe(SUCCESS);
    const second = await browser.codeOf(email);
    if (second !== first)
      expect((await browser.call('user/loginstep2', { ticket, code: first })).code).toBe(2005);
    const thief = world.hub.visitor();
    await thief.captcha();
    const sent = (await world.mails(email)).length;
    expect(await again(email, thief)).toBe(2009);
    expect(await again('somebody-else@example.org')).toBe(2009);
    expect(await again(email, browser, `${ticket}x`)).toBe(2009);
    expect(await again(email, browser, undefined)).toBe(SUCCESS);
    expect(await world.mails(email)).toHaveLength(sent + 1);
    const third = await browser.codeOf(email);
    expect((await browser.call('user/loginstep2', { ticket, code: third })).code).toBe(SUCCESS);
    expect(await again(email)).toBe(2009);
  });
});

describe('an account whose passwords are guessed at', () => {
  const tries = ACCOUNT_BUDGETS.guardedLoginsPerAccount.usesMax;
  /** Wrong passwords with the most work there is, from browsers that are not the member's. */
  async function guess(account: string, count: number): Promise<readonly number[]> {
    const codes: number[] = [];
    for (let done = 0; done < count; done += 1) {
      world.hub.advance(done % 9 === 8 ? 15 * 60_000 : 0);
      codes.push((await world.hub.visitor().logIn(account, 'Wrong-horse-7')).code);
    }
    return codes;
  }

  test('compares none of strangers before the mailbox is proved; the member’s own browser is asked nothing', async () => {
    const email = 'guarded@example.org';
    const owner = await world.hub.member(email);
    expect(await guess(email, tries + 1)).toEqual([...Array.from({ length: tries }, () => 2007), 2014]);
    expect(await owner.logIn(email)).toMatchObject({ data: { tid: owner.tid } });
    const elsewhere = world.hub.visitor();
    // Even the right password is not compared.
    expect((await elsewhere.logIn(email)).code).toBe(2014);
    const code = await elsewhere.codeOf(email);
    const logIn = async (password: string, given: string) =>
      elsewhere.call('user/login', {
        ...{ account: email, password, code: given },
        captcha: await elsewhere.captcha(email),
      });
    expect((await logIn('Wrong-horse-7', code)).code).toBe(2007);
    const answer = await logIn(TEST_PASSWORD, code);
    expect(answer.data).toMatchObject({ tid: owner.tid });
    const stranger = world.hub.visitor();
    expect((await stranger.logIn(email)).code).toBe(2014);
    world.hub.advance(ACCOUNT_BUDGETS.guardedLoginsPerAccount.windowMillis);
    expect((await stranger.logIn(email)).data).toMatchObject({ next: 'device' });
  });

  test('answers alike when it does not exist, and mails nobody', async () => {
    const email = 'guarded-nobody@example.org';
    expect(await guess(email, tries + 1)).toEqual([...Array.from({ length: tries }, () => 2007), 2014]);
    expect(await world.mails(email)).toEqual([]);
  });
});

describe('browsers that are trusted', () => {
  test('are listed; one that is forgotten is logged out and asked for a code again, and nobody forgets another’s', async () => {
    const email = 'browsers@example.org';
    const browser = await world.hub.member(email);
    const other = world.hub.visitor();
    const { ticket } = await world.ticket(other, email);
    const step = await other.call('user/loginstep2', { ticket, code: await other.codeOf(email) });
    if (step.data === null || !('token' in step.data)) throw new Error(step.msg);
    other.stoken = step.data.token;
    const { data } = await browser.call('x/account/Devices', {});
    expect(data?.map(({ current }) => current).toSorted()).toEqual([false, true]);
    const id = data?.find(({ current }) => !current)?.id ?? '';
    const stored = JSON.stringify(await world.hub.database.owner.query('select id, hash from devices'));
    for (const row of data ?? []) expect(stored).not.toContain(row.id);

    const stranger = await world.hub.member();
    const theirs = await world.grant(stranger);
    const none = { id, grant: 'none' };
    expect((await browser.call('x/account/ForgetDevice', none)).code).toBe(2029);
    expect((await stranger.call('x/account/ForgetDevice', { id, grant: theirs })).code).toBe(1001);
    expect(await world.isLoggedIn(other)).toBe(true);
    expect((await world.hub.visitor().call('x/account/Devices', {})).code).toBe(-2);

    const grant = await world.grant(browser);
    const forgotten = await browser.call('x/account/ForgetDevice', { id, grant });
    expect(forgotten.data).toEqual({ ended: 1 });
    expect(await world.isLoggedIn(other)).toBe(false);
    expect((await world.ticket(other, email)).next).toBe('device');
    expect((await browser.call('x/account/Devices', {})).data).toHaveLength(1);
    expect((await browser.logIn(email)).data).toHaveProperty('token');
  });

  test('the own one is forgotten with its session', async () => {
    const email = 'own-browser@example.org';
    const browser = await world.hub.member(email);
    const [own] = (await browser.call('x/account/Devices', {})).data ?? [];
    const grant = await world.grant(browser);
    expect((await browser.call('x/account/ForgetDevice', { id: own?.id ?? '', grant })).code).toBe(SUCCESS);
    expect(browser.cookie).toBeUndefined();
    expect((await world.ticket(browser, email)).next).toBe('device');
  });
});

test('thirty wrong passwords in a row end the trust in a browser: the next log-in there needs its code, and nothing else ends', async () => {
  const email = 'thirty@example.org';
  const browser = await world.hub.member(email);
  const { owner } = world.hub.database;
  const isTrusted = async (): Promise<boolean> =>
    (await owner.query('select from device_trusts where member = $1', [browser.tid ?? 0])).length > 0;
  const logIn = async (password: string) =>
    browser.call('user/login', { account: email, password, captcha: await browser.captcha(email) });
  const wrong = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      // Ten in a quarter of an hour are all that the browser has.
      if (n % 10 === 0) world.hub.advance(15 * 60_000);
      expect((await logIn('Wrong-horse-7')).code).toBe(2007);
    }
  };
  await wrong(29);
  world.hub.advance(15 * 60_000);
  const again = await logIn(TEST_PASSWORD);
  if (again.data === null || !('token' in again.data)) throw new Error(again.msg);
  browser.stoken = again.data.token;
  // The right one began the row anew.
  await wrong(29);
  expect(await isTrusted()).toBe(true);
  world.hub.advance(15 * 60_000);
  await wrong(1);
  expect(await isTrusted()).toBe(false);
  const entries = await owner.query<{ details: object }>(
    `select details from audit_log where call = 'device/trust-ended' and subject = $1`,
    [`member ${browser.tid}`],
  );
  expect(entries).toEqual([{ details: { wrongPasswords: 30 } }]);
  expect((await logIn(TEST_PASSWORD)).data).toMatchObject({ next: 'device' });
  expect(await world.isLoggedIn(browser)).toBe(true);
});
