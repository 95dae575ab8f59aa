import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passkeySites } from '../../main/accounts.ts';
import { TEST_PASSWORD, TestBrowser } from '../../main/testing.ts';
import { CHALLENGE_LIFE_MILLIS } from '../factors/passkey-challenge.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';
import { type Forged, SoftwareAuthenticator } from '../software-authenticator.fixture.ts';

let world: SecurityWorld;
let origin: string;
beforeAll(async () => {
  world = await SecurityWorld.start();
  origin = world.hub.url.replace('127.0.0.1', 'localhost');
});
afterAll(() => world.hub.close());

/** The same browser with the page opened by its name, as passkeys need it. */
function byName(browser: TestBrowser): TestBrowser {
  const { cookie, device, stoken, tid } = browser;
  const page = Object.assign(new TestBrowser(origin), { cookie, device, stoken, tid });
  page.headers.origin = origin;
  return page;
}

async function member(email?: string): Promise<TestBrowser> {
  return byName(await world.hub.member(email));
}

function visitor(): TestBrowser {
  return byName(world.hub.visitor());
}

interface Proofs {
  readonly secret?: string;
  readonly by?: SoftwareAuthenticator;
}

/** A grant by what the member has: password, authenticator, or passkey. */
async function grantOf(page: TestBrowser, { secret, by }: Proofs = {}): Promise<string> {
  if (by === undefined) return world.grant(page, secret);
  const { data } = await page.call('x/passkey/StepUpOptions', {});
  const passkey = by.answer(data?.options ?? '');
  const answer = await page.call('x/account/StepUp', { purpose: 'credentials', passkey });
  if (answer.data === null) throw new Error(answer.msg);
  page.stoken = answer.data.token;
  return answer.data.grant;
}

async function optionsOf(page: TestBrowser, proofs: Proofs = {}): Promise<string> {
  const begun = await page.call('x/passkey/RegisterOptions', { grant: await grantOf(page, proofs) });
  if (begun.data === null) throw new Error(begun.msg);
  return begun.data.options;
}

async function add(
  page: TestBrowser,
  proofs: Proofs & { readonly counts?: boolean; readonly name?: string } = {},
) {
  const { name = 'Laptop', counts = true } = proofs;
  const key = new SoftwareAuthenticator(origin, { counts });
  const credential = key.make(await optionsOf(page, proofs));
  const made = await page.call('x/passkey/Register', { credential, name });
  if (made.data === null) throw new Error(made.msg);
  page.stoken = made.data.token;
  return { key, codes: made.data.recoveryCodes };
}

async function asked(
  page: TestBrowser,
  input: { ticket?: string; purpose?: 'recover' } = {},
): Promise<string> {
  const { data, msg } = await page.call('x/passkey/LoginOptions', input);
  if (data === null) throw new Error(msg);
  return data.options;
}

async function logIn(page: TestBrowser, key: SoftwareAuthenticator, forged: Forged = {}): Promise<number> {
  const passkey = key.answer(await asked(page), forged);
  const answer = await page.call('x/passkey/Login', { passkey });
  if (answer.data !== null) page.stoken = answer.data.token;
  return answer.code;
}

describe('a passkey', () => {
  test('is added with a grant, told by mail, ends what is logged in elsewhere, and brings recovery codes to who has none', async () => {
    const email = 'adds@example.org';
    const page = await member(email);
    const other = world.hub.visitor();
    await other.logIn(email);
    expect((await page.call('x/passkey/RegisterOptions', { grant: 'guessed' })).code).toBe(2029);
    const { codes } = await add(page);
    expect(codes).toHaveLength(10);
    expect(await world.isLoggedIn(page)).toBe(true);
    expect(await world.isLoggedIn(other)).toBe(false);
    const [mail] = await world.mails(email);
    expect(mail?.subject).toContain('a passkey was added');
    expect(mail?.body).toMatch(/\/freeze#[A-Za-z0-9_-]{22}\n/);
    expect((await page.call('x/passkey/List', {})).data).toMatchObject([
      { name: 'Laptop', lastUsedAt: null },
    ]);
    const { data } = await page.call('security/userinfonew', {});
    // Nothing of this member's money ever moved: a first factor makes no newcomer wait.
    expect(data).toMatchObject({ passkeys: 1, googleAuth: false, recoveryCodesLeft: 10, lockUntil: null });
    const rows = await world.hub.database.owner.query(
      `select 1 from audit_log where call = 'x/passkey/Register' and actor = $1`,
      [String(page.tid)],
    );
    expect(rows).toHaveLength(1);
  });

  test('logs in alone, with no password, captcha or code, and the browser is the member’s from then on', async () => {
    const email = 'alone@example.org';
    const { key } = await add(await member(email));
    world.hub.advance(1_000);
    const page = visitor();
    expect(await logIn(page, key)).toBe(SUCCESS);
    expect(await world.isLoggedIn(page)).toBe(true);
    expect((await world.mails(email))[0]?.subject).toContain('log-in from a new browser');
    const proved = expect.objectContaining({ call: 'x/passkey/Login', outcome: 'ok' });
    expect(world.hub.logged).toContainEqual({ event: 'security: proved', facts: proved });
    const { data } = await page.call('x/account/LoginHistory', { limit: 1 });
    expect(data?.rows[0]?.factors).toBe('passkey');
    const before = (await world.mails(email)).length;
    expect(await logIn(page, key)).toBe(SUCCESS);
    expect(await world.mails(email)).toHaveLength(before);
  });

  test('that does not count, as one that is synced, logs in again and again', async () => {
    const { key } = await add(await member(), { counts: false });
    const page = visitor();
    expect([await logIn(page, key), await logIn(page, key)]).toEqual([SUCCESS, SUCCESS]);
  });

  test.each<[string, Forged | ((key: SoftwareAuthenticator) => Forged)]>([
    ['from another origin', { origin: 'https://localhost.example.org' }],
    ['from the same host over another scheme', { origin: 'https://localhost' }],
    ['for another host', { rpId: 'example.org' }],
    ['for a host above ours', { rpId: 'host' }],
    ['without PIN or finger', { unverified: true }],
    ['made for a registration', { type: 'webauthn.create' }],
    ['to a challenge that is not ours', { challenge: Buffer.from('a'.repeat(80)).toString('base64url') }],
    ['changed after it was signed', { tampered: true }],
    ['that names nobody', { userHandle: undefined }],
    ['in the name of somebody else', { userHandle: Buffer.alloc(32).toString('base64url') }],
    ['of a passkey that nobody has', { id: Buffer.alloc(32).toString('base64url') }],
    ['whose counter went back', ({ counter }) => ({ counter: counter - 1 })],
    ['whose counter stood still', ({ counter }) => ({ counter })],
    ['whose counter fell to nothing', () => ({ counter: 0 })],
  ])('is refused where its answer is %s', async (_what, forged) => {
    const { key } = await add(await member());
    const page = visitor();
    expect(await logIn(page, key)).toBe(SUCCESS);
    expect(await logIn(page, key, typeof forged === 'function' ? forged(key) : forged)).toBe(2027);
    expect(await logIn(page, key)).toBe(SUCCESS);
  });

  test.each(['{', '[]', '{"id":"AA"}', 'null', '"x"', '['.repeat(15_000)])(
    'whose answer is no answer (%#) is refused by the name of the field',
    async (passkey) => {
      expect(await visitor().call('x/passkey/Login', { passkey })).toMatchObject({ code: 1001 });
    },
  );
});

describe('a challenge', () => {
  test('serves once, also in parallel, for five minutes, in the browser that asked', async () => {
    const { key } = await add(await member(), { counts: false });
    const page = visitor();
    const passkey = key.answer(await asked(page));
    const stranger = visitor();
    await asked(stranger);
    expect((await stranger.call('x/passkey/Login', { passkey })).code).toBe(2027);
    const parallel = await Promise.all(
      Array.from({ length: 5 }, () => page.call('x/passkey/Login', { passkey })),
    );
    expect(parallel.filter(({ code }) => code === SUCCESS)).toHaveLength(1);
    expect((await page.call('x/passkey/Login', { passkey })).code).toBe(2027);
    const late = key.answer(await asked(page));
    world.hub.advance(CHALLENGE_LIFE_MILLIS);
    expect((await page.call('x/passkey/Login', { passkey: late })).code).toBe(2027);
  });

  test('is for one matter: one of a log-in neither steps up nor adds a passkey, and the other way round', async () => {
    const page = await member();
    const { key } = await add(page, { counts: false });
    const login = key.answer(await asked(page));
    const stepUp = key.answer((await page.call('x/passkey/StepUpOptions', {})).data?.options ?? '');
    const recover = key.answer(await asked(page, { purpose: 'recover' }));
    const purpose = 'credentials';
    expect((await page.call('x/account/StepUp', { purpose, passkey: login })).code).toBe(2027);
    expect((await page.call('x/account/StepUp', { purpose, passkey: recover })).code).toBe(2027);
    for (const passkey of [stepUp, recover])
      expect((await page.call('x/passkey/Login', { passkey })).code).toBe(2027);
    expect((await page.call('x/account/StepUp', { purpose, passkey: stepUp })).code).toBe(SUCCESS);
  });

  test('of a stranger takes nobody’s away: none is kept until it was answered', async () => {
    const { key } = await add(await member());
    const page = visitor();
    const passkey = key.answer(await asked(page));
    const kept = () => world.hub.database.owner.query('select 1 from used_challenges');
    const before = (await kept()).length;
    await Promise.all(Array.from({ length: 50 }, () => asked(visitor())));
    expect(await kept()).toHaveLength(before);
    expect((await page.call('x/passkey/Login', { passkey })).code).toBe(SUCCESS);
  });

  test('is not given to a page opened by a number, and the refusal says so', async () => {
    const numbered = world.hub.visitor();
    numbered.headers.origin = world.hub.url;
    expect(await numbered.call('x/passkey/LoginOptions', {})).toMatchObject({ code: 2028 });
  });

  test.each([
    [undefined, 'http://localhost:3000', 'localhost'],
    [undefined, 'http://127.0.0.1:3000', undefined],
    [undefined, 'http://[::1]:3000', undefined],
    [undefined, 'https://localhost:3000', undefined],
    [undefined, 'http://localhost.example.org', undefined],
    [undefined, '', undefined],
    ['https://trade.example.org', 'https://trade.example.org', 'trade.example.org'],
    ['https://trade.example.org:8443', 'https://trade.example.org:8443', 'trade.example.org'],
    ['https://trade.example.org', 'https://example.org', undefined],
    ['https://trade.example.org', 'http://localhost:3000', undefined],
    ['https://192.0.2.7', 'https://192.0.2.7', undefined],
    ['https://[2001:db8::7]', 'https://[2001:db8::7]', undefined],
  ])('of a hub at %s is for pages at %s: host %s', (publicUrl, page, rpId) => {
    const site = passkeySites(publicUrl === undefined ? undefined : new URL(publicUrl))(page);
    expect(site?.rpId).toBe(rpId);
  });
});

describe('adding a passkey', () => {
  test.each<[string, Forged]>([
    ['from another origin', { origin: 'https://example.org' }],
    ['for another host', { rpId: 'example.org' }],
    ['without PIN or finger', { unverified: true }],
    ['made for a log-in', { type: 'webauthn.get' }],
    ['to a challenge that is not ours', { challenge: Buffer.from('b'.repeat(80)).toString('base64url') }],
    ['with certificates', { certificates: true }],
  ])('is refused %s, and the right one is still taken', async (_what, forged) => {
    const page = await member();
    const options = await optionsOf(page);
    const key = new SoftwareAuthenticator(origin);
    const send = (credential: string) => page.call('x/passkey/Register', { credential, name: 'Key' });
    expect((await send(key.make(options, forged))).code).toBe(2027);
    const credential = key.make(options);
    const made = await send(credential);
    expect(made.code).toBe(SUCCESS);
    page.stoken = made.data?.token;
    expect((await send(credential)).code).toBe(2027);
  });

  test('works in the session that asked alone, and a passkey of one member is nobody else’s', async () => {
    const email = 'sessions@example.org';
    const page = await member(email);
    const options = await optionsOf(page);
    const second = visitor();
    await second.logIn(email);
    const key = new SoftwareAuthenticator(origin);
    const credential = key.make(options);
    expect((await second.call('x/passkey/Register', { credential, name: 'Key' })).code).toBe(2027);
    const made = await page.call('x/passkey/Register', { credential, name: 'Key' });
    expect(made.code).toBe(SUCCESS);
    const stranger = await member();
    const again = await stranger.call('x/passkey/Register', {
      credential: key.make(await optionsOf(stranger)),
      name: 'Mine',
    });
    expect(again.code).toBe(2027);
    expect((await stranger.call('x/passkey/List', {})).data).toEqual([]);
  });

  test('ends at ten, however parallel', async () => {
    const page = await member();
    const { key: by } = await add(page);
    for (let n = 1; n < 9; n += 1) {
      world.hub.advance(1_000);
      await add(page, { by });
    }
    const begun = [await optionsOf(page, { by }), await optionsOf(page, { by })];
    const answers = await Promise.all(
      begun.map((options) =>
        page.call('x/passkey/Register', {
          credential: new SoftwareAuthenticator(origin).make(options),
          name: 'Key',
        }),
      ),
    );
    expect(answers.map(({ code }) => code)).toContain(SUCCESS);
    expect(
      (await world.hub.database.owner.query('select 1 from passkeys where member = $1', [page.tid ?? 0]))
        .length,
    ).toBe(10);
    page.stoken = answers.find(({ data }) => data !== null)?.data?.token;
    const grant = await grantOf(page, { by });
    expect((await page.call('x/passkey/RegisterOptions', { grant })).code).toBe(2037);
  });
});

test('a passkey is named anew and removed by its member alone; with the last factor its recovery codes end and the password logs in', async () => {
  const email = 'removes@example.org';
  const page = await member(email);
  const { key } = await add(page);
  const stranger = await member();
  const [row] = (await page.call('x/passkey/List', {})).data ?? [];
  const id = row?.id ?? '';
  const grant = await world.grant(stranger);
  expect((await stranger.call('x/passkey/Rename', { id, name: 'Mine' })).code).toBe(1001);
  expect((await stranger.call('x/passkey/Remove', { id, grant })).code).toBe(1001);
  expect((await page.call('x/passkey/Rename', { id, name: 'Phone' })).code).toBe(SUCCESS);
  expect((await page.call('x/passkey/List', {})).data).toMatchObject([{ name: 'Phone' }]);
  expect((await page.call('x/passkey/Remove', { id, grant: 'guessed' })).code).toBe(2029);
  const elsewhere = visitor();
  expect(await logIn(elsewhere, key)).toBe(SUCCESS);
  const removed = await page.call('x/passkey/Remove', { id, grant: await grantOf(page, { by: key }) });
  expect(removed.code).toBe(SUCCESS);
  page.stoken = removed.data?.token;
  expect(await world.isLoggedIn(elsewhere)).toBe(false);
  expect((await world.mails(email))[0]?.subject).toContain('a passkey was removed');
  expect((await page.call('security/userinfonew', {})).data).toMatchObject({
    ...{ passkeys: 0, recoveryCodesLeft: 0, lockUntil: expect.any(Number) },
  });
  expect(await logIn(visitor(), key)).toBe(2027);
  const before = world.hub.visitor();
  expect((await before.logIn(email)).data).toHaveProperty('token');
});

test('a hub whose host was changed knows how many passkeys serve no more', async () => {
  const page = await member();
  await add(page);
  const elsewhere = () => world.hub.hub.accounts.passkeysElsewhere();
  expect(await elsewhere()).toBe(0);
  await world.hub.database.owner.query(`update passkeys set rp_id = 'old.example.org' where member = $1`, [
    page.tid ?? 0,
  ]);
  expect(await elsewhere()).toBe(1);
});

describe('a passkey as second factor', () => {
  test('is asked for after the password, also where there is no authenticator; the password alone steps nothing up', async () => {
    const email = 'second@example.org';
    const page = await member(email);
    const { key, codes } = await add(page);
    const purpose = 'credentials';
    expect((await page.call('x/account/StepUp', { purpose, password: TEST_PASSWORD })).code).toBe(2014);
    const second = visitor();
    const begun = await second.logIn(email);
    expect(begun.data).toMatchObject({ next: 'totp', methods: ['passkey', 'recovery'] });
    const { ticket } = begun.data as { readonly ticket: string };
    const options = await asked(second, { ticket });
    expect(JSON.parse(options)).toMatchObject({ allowCredentials: [{ id: key.id }] });
    const step = (passkey: string) => second.call('user/loginstep2', { ticket, passkey });
    // An answer that would log in alone is one to another challenge.
    expect((await step(key.answer(await asked(second)))).code).toBe(2027);
    expect((await second.call('user/loginstep2', { ticket, totp: '123456' })).code).toBe(2014);
    const answer = key.answer(await asked(second, { ticket }));
    const done = await step(answer);
    expect(done.code).toBe(SUCCESS);
    // The same step sent again gets the same answer, as of any other factor.
    expect((await step(answer)).data).toEqual(done.data);
    const third = visitor();
    const { ticket: next } = (await third.logIn(email)).data as { readonly ticket: string };
    const recovery = codes[0] ?? '';
    expect((await third.call('user/loginstep2', { ticket: next, recovery })).code).toBe(SUCCESS);
  });

  test('of another member is refused, and so is a challenge for somebody else’s ticket', async () => {
    const [email, foreign] = ['victim@example.org', 'attacker@example.org'];
    await add(await member(email));
    const { key } = await add(await member(foreign));
    const page = visitor();
    const { ticket } = (await page.logIn(email)).data as { readonly ticket: string };
    const passkey = key.answer(await asked(page, { ticket }));
    expect((await page.call('user/loginstep2', { ticket, passkey })).code).toBe(2027);
    expect((await visitor().call('x/passkey/LoginOptions', { ticket })).code).toBe(2009);
  });

  test('serves beside the authenticator, for a grant over money too', async () => {
    const email = 'both@example.org';
    const page = await member(email);
    const { secret } = await world.authenticator(page);
    const { key, codes } = await add(page, { secret });
    expect(codes).toEqual([]);
    const { data } = await page.call('x/passkey/StepUpOptions', {});
    const money = await page.call('security/connex/bindgoogle', { passkey: key.answer(data?.options ?? '') });
    expect(money.code).toBe(SUCCESS);
    const second = visitor();
    expect((await second.logIn(email)).data).toMatchObject({ methods: ['totp', 'passkey', 'recovery'] });
  });

  test('is what a new password by mail asks for: the mailbox alone does not get past it', async () => {
    const email = 'forgets@example.org';
    const { key } = await add(await member(email));
    const page = visitor();
    const flow = await world.flow(page, email, 'recover');
    const reset = (fields: object) =>
      page.call('user/forgetpwd', { account: email, flow, password: 'Other-horse-8', ...fields });
    expect((await reset({})).code).toBe(2014);
    expect((await reset({ passkey: key.answer(await asked(page)) })).code).toBe(2027);
    expect((await reset({ passkey: key.answer(await asked(page, { purpose: 'recover' })) })).code).toBe(
      SUCCESS,
    );
  });
});

describe('a lost authenticator', () => {
  async function lost(email: string, mobile: string) {
    const page = await member(email);
    const { secret } = await world.authenticator(page);
    await world.bindMobile(page, mobile, secret);
    world.hub.advance(30_000);
    const { key } = await add(page, { secret });
    return { page, key };
  }

  async function finish(page: TestBrowser, email: string, mobile: string, key?: SoftwareAuthenticator) {
    const { ticket } = (await page.logIn(email)).data as { readonly ticket: string };
    await page.call('x/account/OtpResetBegin', { ticket });
    const [emailCode, mobileCode] = [await page.codeOf(email), await page.codeOf(mobile)];
    const passkey = key?.answer(await asked(page, { ticket }));
    const given = { ticket, emailCode, mobileCode, ...(passkey === undefined ? {} : { passkey }) };
    return page.call('x/account/OtpResetFinish', given);
  }

  test('is off at once for who has a passkey in a browser of his; it waits a day in any other', async () => {
    const [email, mobile] = ['lost@example.org', '+819011112222'];
    const { page, key } = await lost(email, mobile);
    expect((await finish(visitor(), email, mobile, key)).data).toEqual({ waitHours: 24 });
    expect((await finish(page, email, mobile, key)).data).toEqual({ waitHours: 0 });
    expect((await page.logIn(email)).data).toMatchObject({ methods: ['passkey', 'recovery'] });
    expect((await world.mails(email))[0]?.subject).toContain('your authenticator is off');
  });

  test('together with lost passkeys ends all of them a day later; one that is seen before ends the wait', async () => {
    const [email, mobile] = ['all-lost@example.org', '+819033334444'];
    const { page, key } = await lost(email, mobile);
    const waiting = () =>
      world.hub.database.owner.query('select 1 from otp_resets where member = $1', [page.tid ?? 0]);
    expect((await finish(visitor(), email, mobile)).data).toEqual({ waitHours: 24 });
    expect(await waiting()).toHaveLength(1);
    expect(await logIn(visitor(), key)).toBe(SUCCESS);
    expect(await waiting()).toHaveLength(0);
    expect((await finish(visitor(), email, mobile)).data).toEqual({ waitHours: 24 });
    await world.moveDatabaseClock('25 hours');
    expect(await logIn(visitor(), key)).toBe(2027);
    const back = visitor();
    expect((await back.logIn(email)).data).toHaveProperty('token');
    // What is added now does not bring the lost ones back.
    const { key: fresh, codes } = await add(back);
    expect(codes).toHaveLength(10);
    expect(await logIn(visitor(), key)).toBe(2027);
    expect(await logIn(visitor(), fresh)).toBe(SUCCESS);
    await world.moveDatabaseClock('0 hours');
  });
});

test('answers that log nobody in are counted for their network, and stop nobody in a browser of his own', async () => {
  const strict = await SecurityWorld.start({ ADDRESS_LIMIT_FACTOR: '1' });
  const site = strict.hub.url.replace('127.0.0.1', 'localhost');
  const named = (browser: TestBrowser): TestBrowser => {
    const { cookie, device, stoken } = browser;
    const page = Object.assign(new TestBrowser(site), { cookie, device, stoken });
    page.headers.origin = site;
    return page;
  };
  const owner = named(await strict.hub.member());
  const key = new SoftwareAuthenticator(site);
  const begun = await owner.call('x/passkey/RegisterOptions', { grant: await strict.grant(owner) });
  await owner.call('x/passkey/Register', { credential: key.make(begun.data?.options ?? ''), name: 'Key' });
  const stranger = named(strict.hub.visitor());
  const { data } = await stranger.call('x/passkey/LoginOptions', {});
  const passkey = new SoftwareAuthenticator(site).answer(data?.options ?? '');
  const codes: number[] = [];
  for (let n = 0; n < 101; n += 1) codes.push((await stranger.call('x/passkey/Login', { passkey })).code);
  expect(new Set(codes.slice(0, 100))).toEqual(new Set([2027]));
  expect(codes[100]).toBe(1003);
  const options = await owner.call('x/passkey/LoginOptions', {});
  const right = key.answer(options.data?.options ?? '');
  expect((await owner.call('x/passkey/Login', { passkey: right })).code).toBe(SUCCESS);
  await strict.hub.close();
});
