import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_PASSWORD, type TestBrowser } from '../../main/testing.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';
import { ARRIVAL_LIFE_MILLIS } from './provider-calls.ts';
import { RealProvider, visitAs } from './real-provider.fixture.ts';
import { VISIT_LIFE_MILLIS } from './visits.ts';

let provider: RealProvider;
let world: SecurityWorld;
beforeAll(async () => {
  provider = await RealProvider.start();
  world = await SecurityWorld.start({ ...provider.environment, NEW_DEVICE_CODE: '1' });
  provider.serve(world.hub.url);
});
afterAll(async () => {
  await world.hub.close();
  await provider.stop();
});

/** A browser at a page of the hub. */
function visitor(): TestBrowser {
  const browser = world.hub.visitor();
  browser.headers.origin = world.hub.url;
  return browser;
}

async function start(browser: TestBrowser): Promise<string> {
  const { data, msg } = await browser.call('x/oauth/Start', {});
  if (data === null) throw new Error(msg);
  return data.url;
}

interface Brought {
  readonly code: string;
  readonly state: string;
  readonly iss: string;
}

/** To the provider and back: what the landing page finds in its address. */
async function brought(browser: TestBrowser, login: string): Promise<Brought> {
  const back = await visitAs(await start(browser), login);
  return { code: back.get('code') ?? '', state: back.get('state') ?? '', iss: back.get('iss') ?? '' };
}

async function arrive(browser: TestBrowser, login: string) {
  const answer = await browser.call('user/oauthlogin', await brought(browser, login));
  if (answer.data !== null && 'token' in answer.data) browser.stoken = answer.data.token;
  return answer;
}

/** The ticket of who came without an account here. */
async function ticketOf(browser: TestBrowser, login: string): Promise<string> {
  const { data, msg } = await arrive(browser, login);
  if (data === null || !('ticket' in data)) throw new Error(`no ticket: ${msg}`);
  return data.ticket;
}

const bind = (browser: TestBrowser, ticket: string, fields: object = {}) =>
  browser.call('x/oauth/BindPassword', { ticket, password: TEST_PASSWORD, agree: 'true', ...fields });

/** A member who came from the provider. */
async function registered(login: string, email: string): Promise<TestBrowser> {
  provider.people.set(login, { email, email_verified: true });
  const browser = visitor();
  const { data, msg } = await bind(browser, await ticketOf(browser, login));
  if (data === null) throw new Error(msg);
  browser.stoken = data.token;
  browser.tid = data.tid;
  return browser;
}

/** A member of ours who links a log-in of the provider. */
async function linked(login: string, email: string): Promise<TestBrowser> {
  provider.people.set(login, { email, email_verified: true });
  const browser = await world.hub.member(email);
  browser.headers.origin = world.hub.url;
  const ticket = await ticketOf(browser, login);
  const done = await browser.call('x/oauth/Link', { ticket, grant: await world.grant(browser) });
  if (done.data === null) throw new Error(done.msg);
  browser.stoken = done.data.token;
  return browser;
}

const rowsOf = (query: string, values: string[]) => world.hub.database.owner.query(query, values);

describe('somebody from the provider without an account', () => {
  test('binds a password to the confirmed address and is logged in, and then comes back with either', async () => {
    provider.people.set('ada', { email: 'Ada@Example.org', email_verified: true });
    const browser = visitor();
    const { data } = await arrive(browser, 'ada');
    expect(data).toMatchObject({ next: 'bindPsd', email: 'ada@example.org', emailVerified: true });
    const ticket = data !== null && 'ticket' in data ? data.ticket : '';
    expect((await bind(browser, ticket, { password: 'weak' })).code).toBe(2003);
    expect((await bind(browser, ticket, { password: 'P4ssw0rd!1' })).code).toBe(2012);
    expect((await bind(browser, ticket, { agree: 'false' })).code).toBe(2004);
    expect((await bind(browser, ticket, { referralCode: 'NOBODY' })).code).toBe(2008);
    const made = await bind(browser, ticket);
    expect(made.code).toBe(SUCCESS);
    browser.stoken = made.data?.token;
    expect(await world.isLoggedIn(browser)).toBe(true);
    // Sent again it is answered the same; below stands that it was done once.
    expect(await bind(browser, ticket)).toEqual(made);
    expect((await bind(browser, ticket, { password: 'Other-camel-8' })).code).toBe(2009);

    expect((await arrive(browser, 'ada')).data).toMatchObject({ tid: made.data?.tid });
    expect(await browser.logIn('ada@example.org')).toMatchObject({ data: { tid: made.data?.tid } });
    const sessions = await rowsOf(
      `select factors from sessions s join members m on m.id = s.member where m.email = $1 order by factors`,
      ['ada@example.org'],
    );
    expect(sessions).toEqual([{ factors: 'oidc' }, { factors: 'oidc' }, { factors: 'pwd' }]);
    const agreed = await rowsOf(
      `select a.call from audit_log a join members m on m.id::text = a.actor where m.email = $1 and a.outcome = 'ok' order by a.id`,
      ['ada@example.org'],
    );
    expect(agreed).toEqual([
      { call: 'x/oauth/BindPassword' },
      { call: 'user/oauthlogin' },
      { call: 'user/login' },
    ]);
  });

  test.each([
    ['not confirmed', 'unconfirmed', { email: 'someone@example.org', email_verified: false }],
    [
      'confirmed by nothing but the word',
      'word',
      { email: 'someone@example.org', email_verified: 'true' as never },
    ],
    ['missing', 'nameless', {}],
    ['no address', 'odd', { email: 'not an address', email_verified: true }],
  ])('whose address is %s proves one by a code', async (_what, login, person) => {
    provider.people.set(login, person);
    const browser = visitor();
    const { data } = await arrive(browser, login);
    expect(data).toMatchObject({ next: 'bindPsd', emailVerified: false });
    const ticket = data !== null && 'ticket' in data ? data.ticket : '';
    const email = `${login}@example.org`;
    const refused = await bind(browser, ticket);
    expect(refused.code).toBe('email' in person && person.email.includes('@') ? 2009 : 1001);
    expect((await bind(browser, ticket, { email })).code).toBe(2009);
    expect((await bind(browser, ticket, { email, flow: 'none' })).code).toBe(2009);
    const flow = await browser.flowFor(email);
    // A code for one address is none for another.
    expect((await bind(browser, ticket, { email: 'other@example.org', flow })).code).toBe(2009);
    expect((await bind(browser, ticket, { email, flow })).code).toBe(SUCCESS);
  });

  test('may be registered by a number that it proves', async () => {
    provider.people.set('phone', {});
    const browser = visitor();
    const ticket = await ticketOf(browser, 'phone');
    const mobile = '+819011112222';
    await browser.call('sms/sms', { target: mobile, purpose: 'register', captcha: await browser.captcha() });
    const code = await browser.codeOf(mobile);
    const checked = await browser.call('user/checkcode', { target: mobile, purpose: 'register', code });
    const made = await bind(browser, ticket, { mobile, flow: checked.data?.flow ?? '' });
    expect(made.code).toBe(SUCCESS);
    expect((await arrive(browser, 'phone')).data).toMatchObject({ tid: made.data?.tid });
  });

  test('makes one account however often the form is sent', async () => {
    provider.people.set('twice', { email: 'twice@example.org', email_verified: true });
    const browser = visitor();
    const ticket = await ticketOf(browser, 'twice');
    const answers = await Promise.all(Array.from({ length: 8 }, () => bind(browser, ticket)));
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => SUCCESS));
    expect(new Set(answers.map(({ data }) => data?.token)).size).toBe(1);
    expect(await rowsOf('select 1 from members where email = $1', ['twice@example.org'])).toHaveLength(1);
  });
});

describe('somebody from the provider whose address has an account here', () => {
  test('does not get in: the account is linked by who logs in to it and proves it once more', async () => {
    const email = 'owner@example.org';
    const owner = await world.hub.member(email);
    provider.people.set('owner', { email, email_verified: true });
    const browser = visitor();
    const { data } = await arrive(browser, 'owner');
    expect(data).toMatchObject({ next: 'link', email });
    const ticket = data !== null && 'ticket' in data ? data.ticket : '';
    // Neither by registering over it nor by a link without a log-in or without proof.
    expect((await bind(browser, ticket)).code).toBe(2006);
    expect((await browser.call('x/oauth/Link', { ticket, grant: 'none' })).code).toBe(-2);
    await browser.logIn(email);
    const step = await world.ticket(browser, email);
    const code = await browser.codeOf(email);
    const logged = await browser.call('user/loginstep2', { ticket: step.ticket, code });
    if (logged.data !== null && 'token' in logged.data) browser.stoken = logged.data.token;
    expect((await browser.call('x/oauth/Link', { ticket, grant: 'none' })).code).toBe(2029);
    const link = { ticket, grant: await world.grant(browser) };
    const done = await browser.call('x/oauth/Link', link);
    expect(done.code).toBe(SUCCESS);
    browser.stoken = done.data?.token;
    const mailed = (await world.mails(email)).length;
    expect(await browser.call('x/oauth/Link', link)).toEqual(done);
    expect(await world.mails(email)).toHaveLength(mailed);
    expect((await world.mails(email))[0]?.subject).toContain('a log-in of another service was linked');
    expect((await browser.call('security/userinfonew', {})).data?.providerLinkedAt).toBe(world.hub.now());
    expect((await arrive(browser, 'owner')).data).toMatchObject({ tid: owner.tid });
  });

  test('who does not confirm it is told nothing about the account', async () => {
    await world.hub.member('quiet@example.org');
    provider.people.set('stranger', { email: 'quiet@example.org', email_verified: false });
    expect((await arrive(visitor(), 'stranger')).data).toMatchObject({ next: 'bindPsd' });
  });

  test('of a former provider opens nothing, whatever name it gives', async () => {
    await linked('same-name', 'former@example.org');
    const [row] = await world.hub.database.owner.query<{ issuer: string }>(
      `select issuer from provider_links where subject = 'same-name'`,
    );
    await rowsOf('update provider_links set issuer = $1 where subject = $2', [
      'https://former.example.org',
      'same-name',
    ]);
    expect((await arrive(visitor(), 'same-name')).data).toMatchObject({ next: 'link' });
    await rowsOf('update provider_links set issuer = $1 where subject = $2', [
      row?.issuer ?? '',
      'same-name',
    ]);
    // The account's own log-in, in a browser that its member never used.
    expect((await arrive(visitor(), 'same-name')).data).toMatchObject({ next: 'device' });
  });

  test('one log-in opens one account, and an account has one of them', async () => {
    const owner = await linked('first-log-in', 'first@example.org');
    provider.people.set('second-log-in', { email: 'second-log-in@example.org', email_verified: true });
    const second = await ticketOf(owner, 'second-log-in');
    const refused = await owner.call('x/oauth/Link', { ticket: second, grant: await world.grant(owner) });
    expect(refused.code).toBe(2036);
    // What was begun before the link was made leads nowhere afterwards.
    provider.people.set('raced', { email: 'raced@example.org', email_verified: true });
    const other = visitor();
    const early = await ticketOf(other, 'raced');
    await registered('raced', 'raced@example.org');
    expect(
      (
        await bind(other, early, {
          email: 'raced-2@example.org',
          flow: await other.flowFor('raced-2@example.org'),
        })
      ).code,
    ).toBe(2009);
    expect(await rowsOf('select 1 from members where email = $1', ['raced-2@example.org'])).toEqual([]);
  });
});

describe('a log-in by the provider', () => {
  test('still asks for the authenticator, in the own browser as well', async () => {
    const browser = await linked('with-otp', 'with-otp@example.org');
    const { secret } = await world.authenticator(browser);
    world.hub.advance(30_000);
    const { data } = await arrive(browser, 'with-otp');
    expect(data).toMatchObject({ next: 'totp' });
    const ticket = data !== null && 'ticket' in data ? data.ticket : '';
    const wrong = await browser.call('user/loginstep2', { ticket, totp: world.wrong(secret) });
    expect(wrong.code).toBe(2015);
    const right = await browser.call('user/loginstep2', { ticket, totp: world.shows(secret) });
    expect(right.code).toBe(SUCCESS);
    const rows = await rowsOf(
      `select 1 from sessions s join members m on m.id = s.member where m.email = $1 and factors = 'oidc otp'`,
      ['with-otp@example.org'],
    );
    expect(rows).toHaveLength(1);
  });

  test('asks for a mailed code in a browser that the member never used, and tells of it by mail', async () => {
    const own = await linked('elsewhere', 'elsewhere@example.org');
    const { tid } = own;
    const browser = visitor();
    const { data } = await arrive(browser, 'elsewhere');
    expect(data).toMatchObject({ next: 'device', maskedTo: 'e***@e***.org' });
    const ticket = data !== null && 'ticket' in data ? data.ticket : '';
    const code = await browser.codeOf('elsewhere@example.org');
    expect((await browser.call('user/loginstep2', { ticket, code })).data).toMatchObject({ tid });
    expect((await world.mails('elsewhere@example.org'))[0]?.subject).toContain('new browser');
  });

  test('opens no frozen account; opened again, or with a password set anew, the account has no link any more', async () => {
    const email = 'frozen@example.org';
    const browser = await linked('frozen', email);
    const token = await world.freezeToken(email);
    await browser.call('x/account/Freeze', { token, captcha: await browser.captcha() });
    const { data } = await arrive(browser, 'frozen');
    const ticket = data !== null && 'ticket' in data ? data.ticket : '';
    const step = await browser.call('user/loginstep2', { ticket, code: await browser.codeOf(email) });
    expect(step.code).toBe(2019);
    const flow = await world.flow(browser, email, 'unfreeze');
    const opened = await browser.call('x/account/Unfreeze', {
      account: email,
      flow,
      password: 'Other-camel-8',
    });
    expect(opened.code).toBe(SUCCESS);
    expect((await arrive(browser, 'frozen')).data).toMatchObject({ next: 'link' });

    const forgetful = 'forgetful@example.org';
    const other = await linked('forgetful', forgetful);
    const reset = await world.flow(other, forgetful, 'recover');
    await other.call('user/forgetpwd', { account: forgetful, flow: reset, password: 'Other-camel-8' });
    expect((await arrive(other, 'forgetful')).data).toMatchObject({ next: 'link' });
  });

  test('ends with the link, which logs out what it had opened and locks money', async () => {
    const browser = await registered('leaver', 'leaver@example.org');
    const elsewhere = visitor();
    const { data } = await arrive(elsewhere, 'leaver');
    const ticket = data !== null && 'ticket' in data ? data.ticket : '';
    const code = await elsewhere.codeOf('leaver@example.org');
    const logged = await elsewhere.call('user/loginstep2', { ticket, code });
    if (logged.data !== null && 'token' in logged.data) elsewhere.stoken = logged.data.token;
    expect((await browser.call('x/oauth/Unlink', { grant: 'none' })).code).toBe(2029);
    const done = await browser.call('x/oauth/Unlink', { grant: await world.grant(browser) });
    expect(done.code).toBe(SUCCESS);
    browser.stoken = done.data?.token;
    expect(await world.isLoggedIn(elsewhere)).toBe(false);
    const profile = (await browser.call('security/userinfonew', {})).data;
    expect(profile).toMatchObject({ providerLinkedAt: null, lockUntil: expect.any(Number) });
    expect((await browser.call('x/oauth/Unlink', { grant: await world.grant(browser) })).code).toBe(2009);
    expect((await arrive(browser, 'leaver')).data).toMatchObject({ next: 'link' });
  });
});

describe('what comes back is worth something only where it was asked for, once, in time', () => {
  const SOMEBODY = 'somebody';
  beforeAll(() => {
    provider.people.set(SOMEBODY, { email: 'somebody@example.org', email_verified: true });
  });

  test('a state that is forged, used, late, or brought by another browser', async () => {
    const browser = visitor();
    const back = await brought(browser, SOMEBODY);
    const forged = await browser.call('user/oauthlogin', { ...back, state: `${back.state}x` });
    expect(forged.code).toBe(2009);
    const thief = visitor();
    expect((await thief.call('user/oauthlogin', back)).code).toBe(2009);
    await thief.captcha();
    expect((await thief.call('user/oauthlogin', back)).code).toBe(2009);
    // None of them cost the asking browser anything.
    expect((await browser.call('user/oauthlogin', back)).data).toMatchObject({ next: 'bindPsd' });
    expect((await browser.call('user/oauthlogin', back)).code).toBe(2009);
    const late = await brought(browser, SOMEBODY);
    world.hub.advance(VISIT_LIFE_MILLIS);
    expect((await browser.call('user/oauthlogin', late)).code).toBe(2009);
  });

  test('at the same moment from many tabs: one is taken', async () => {
    const browser = visitor();
    const back = await brought(browser, SOMEBODY);
    const answers = await Promise.all(Array.from({ length: 6 }, () => browser.call('user/oauthlogin', back)));
    expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([
      SUCCESS,
      2009,
      2009,
      2009,
      2009,
      2009,
    ]);
  });

  test('a code of another visit does not fit the own state', async () => {
    const browser = visitor();
    const stolen = await brought(visitor(), SOMEBODY);
    const own = await brought(browser, SOMEBODY);
    expect((await browser.call('user/oauthlogin', { ...own, code: stolen.code })).code).toBe(2026);
    expect((await browser.call('user/oauthlogin', own)).code).toBe(2009);
  });

  test('a ticket is of its browser, whole, and over after a quarter of an hour', async () => {
    const browser = visitor();
    const ticket = await ticketOf(browser, SOMEBODY);
    const thief = visitor();
    await thief.captcha();
    expect((await bind(thief, ticket)).code).toBe(2009);
    expect((await bind(browser, `${ticket.slice(0, -1)}x`)).code).toBe(2009);
    expect((await bind(browser, 'no ticket')).code).toBe(2009);
    world.hub.advance(ARRIVAL_LIFE_MILLIS);
    expect((await bind(browser, ticket)).code).toBe(2009);
  });

  test('a sixth tab of a browser ends the first one’s visit; nobody else’s', async () => {
    const browser = visitor();
    const [first, other] = [await brought(browser, SOMEBODY), visitor()];
    const others = await brought(other, SOMEBODY);
    for (let tab = 0; tab < 5; tab += 1) {
      world.hub.advance(1);
      await start(browser);
    }
    expect((await browser.call('user/oauthlogin', first)).code).toBe(2009);
    expect((await other.call('user/oauthlogin', others)).code).toBe(SUCCESS);
    const kept = await rowsOf('select browser, count(*) as n from provider_requests group by 1', []);
    expect(Math.max(...kept.map((row) => Number((row as { n: string }).n)))).toBeLessThanOrEqual(5);
  });
});
