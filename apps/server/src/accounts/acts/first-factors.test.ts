import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { TEST_PASSWORD, TestBrowser } from '../../main/testing.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';
import { SoftwareAuthenticator } from '../software-authenticator.fixture.ts';

/** Somebody else turns on the first second factor, and the owner gets the account back. */

let world: SecurityWorld;
beforeAll(async () => {
  world = await SecurityWorld.start();
  await world.hub.hub.start();
});
afterAll(() => world.hub.close());
afterEach(() => world.moveDatabaseClock('0'));

const NEW_PASSWORD = 'Other-camel-8';

type Binds = (browser: TestBrowser) => Promise<SoftwareAuthenticator | undefined>;

const authenticator: Binds = async (browser) => {
  await world.authenticator(browser);
  return undefined;
};

const passkey: Binds = async (browser) => {
  const origin = world.hub.url.replace('127.0.0.1', 'localhost');
  const { cookie, device, stoken } = browser;
  const page = Object.assign(new TestBrowser(origin), { cookie, device, stoken });
  page.headers.origin = origin;
  const grant = await world.grant(page);
  const { data } = await page.call('x/passkey/RegisterOptions', { grant });
  const key = new SoftwareAuthenticator(origin, { counts: true });
  const made = await page.call('x/passkey/Register', {
    ...{ credential: key.make(data?.options ?? ''), name: 'Theirs' },
  });
  expect(made.code).toBe(SUCCESS);
  Object.assign(browser, { cookie: page.cookie, stoken: made.data?.token });
  return key;
};

async function pressFreeze(email: string): Promise<void> {
  const owner = world.hub.visitor();
  const token = await world.freezeToken(email);
  const pressed = await owner.call('x/account/Freeze', { token, captcha: await owner.captcha() });
  expect(pressed.code).toBe(SUCCESS);
}

/** What opening the account again by the mailbox alone answers. */
async function unfreeze(email: string): Promise<number> {
  const owner = world.hub.visitor();
  const flow = await world.flow(owner, email, 'unfreeze');
  return (await owner.call('x/account/Unfreeze', { account: email, flow, password: NEW_PASSWORD })).code;
}

let members = 0;
async function member(): Promise<{ readonly email: string; readonly browser: TestBrowser }> {
  members += 1;
  const email = `first-factor-${members}@example.org`;
  return { email, browser: await world.hub.member(email) };
}

describe.each([
  ['authenticator', authenticator],
  ['passkey', passkey],
])('a first %s', (_kind, bind) => {
  test('that somebody else added goes with the freeze link of its mail: the mailbox opens the account again', async () => {
    const { email, browser } = await member();
    const key = await bind(browser);
    expect((await world.mails(email))[0]?.body).toContain('the link also takes it off');
    // Our own clock has no say in it.
    world.hub.advance(2 * 86_400_000);
    await world.moveDatabaseClock('23 hours 59 minutes');
    await pressFreeze(email);
    expect(await unfreeze(email)).toBe(SUCCESS);
    const owner = world.hub.visitor();
    expect((await owner.logIn(email, NEW_PASSWORD)).data).toMatchObject({ tid: browser.tid });
    const { data } = await owner.call('security/userinfonew', {});
    expect(data).toMatchObject({ googleAuth: false, passkeys: 0, recoveryCodesLeft: 0 });
    if (key !== undefined) {
      const page = new TestBrowser(world.hub.url.replace('127.0.0.1', 'localhost'));
      page.headers.origin = page.url;
      const asked = await page.call('x/passkey/LoginOptions', {});
      const answer = key.answer(asked.data?.options ?? '');
      expect((await page.call('x/passkey/Login', { passkey: answer })).code).toBe(2027);
    }
  });

  test('that is a day old by the database’s clock stays: the mailbox alone opens nothing', async () => {
    const { email, browser } = await member();
    await bind(browser);
    await world.moveDatabaseClock('24 hours 1 second');
    await pressFreeze(email);
    expect(await unfreeze(email)).toBe(2014);
  });

  test('needs the password anew: who has only a session adds none', async () => {
    const { browser } = await member();
    for (const proof of [{}, { password: 'Wrong-horse-7' }, { totp: '000000' }]) {
      const step = await browser.call('x/account/StepUp', { purpose: 'credentials', ...proof });
      expect(step.data).toBeNull();
    }
    expect((await browser.call('security/usergooglesecret', {})).code).toBe(2029);
    const origin = world.hub.url.replace('127.0.0.1', 'localhost');
    browser.headers.origin = origin;
    expect((await browser.call('security/usergooglesecret', { grant: 'guessed' })).code).not.toBe(SUCCESS);
  });
});

test('one that is added beside an old one takes nothing off and does not make the old one young', async () => {
  const { email, browser } = await member();
  const { secret } = await world.authenticator(browser);
  await world.ageFactors();
  const grant = await world.grant(browser, secret);
  const { data } = await browser.call('x/account/RecoveryCodes', { grant });
  browser.stoken = data?.token;
  world.hub.advance(30_000);
  const origin = world.hub.url.replace('127.0.0.1', 'localhost');
  const page = Object.assign(new TestBrowser(origin), { cookie: browser.cookie, stoken: browser.stoken });
  page.headers.origin = origin;
  const again = await world.grant(page, secret);
  const options = await page.call('x/passkey/RegisterOptions', { grant: again });
  const key = new SoftwareAuthenticator(origin, { counts: true });
  const made = await page.call('x/passkey/Register', {
    ...{ credential: key.make(options.data?.options ?? ''), name: 'Second' },
  });
  expect(made.code).toBe(SUCCESS);
  await pressFreeze(email);
  expect(await unfreeze(email)).toBe(2014);
});

describe('a member with a number alone', () => {
  const phoneMember = async (mobile: string): Promise<TestBrowser> => {
    const browser = world.hub.visitor();
    const flow = await browser.flowFor(mobile);
    const { data } = await browser.call('user/usernew', {
      ...{ mobile, flow, password: TEST_PASSWORD, agree: 'true' },
    });
    Object.assign(browser, { stoken: data?.token, tid: data?.tid });
    return browser;
  };
  const recover = async (mobile: string): Promise<number> => {
    const owner = world.hub.visitor();
    const flow = await world.flow(owner, mobile, 'recover');
    return (await owner.call('user/forgetpwd', { account: mobile, flow, password: NEW_PASSWORD })).code;
  };

  test('is told of a first factor by text, and recovers without it within the day', async () => {
    const mobile = '+819077770001';
    const browser = await phoneMember(mobile);
    await world.authenticator(browser);
    expect((await world.mails(mobile))[0]?.body).toMatch(
      /authenticator is on\. Not you\? Freeze it within 24 hours: http/,
    );
    expect(await recover(mobile)).toBe(SUCCESS);
    const owner = world.hub.visitor();
    expect((await owner.logIn(mobile, NEW_PASSWORD)).data).toMatchObject({ tid: browser.tid });
    expect(await world.isLoggedIn(browser)).toBe(false);
  });

  test('needs it from a day later on', async () => {
    const mobile = '+819077770002';
    await world.authenticator(await phoneMember(mobile));
    await world.moveDatabaseClock('24 hours 1 second');
    expect(await recover(mobile)).toBe(2014);
  });
});
