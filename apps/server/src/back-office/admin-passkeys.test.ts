import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHALLENGE_LIFE_MILLIS } from '../accounts/factors/passkey-challenge.ts';
import { SoftwareAuthenticator } from '../accounts/software-authenticator.fixture.ts';
import { TestBrowser } from '../main/testing.ts';
import { ADMIN_PASSWORD, AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const TOKEN_INVALID = -2;
const PASSKEY_FAILED = 2027;
const PROOF_NEEDED = 2029;

let world: OfficeWorld;
let origin: string;
beforeAll(async () => {
  world = await OfficeWorld.start();
  origin = world.hub.url.replace('127.0.0.1', 'localhost');
});
afterAll(() => world.hub.close());

/** A browser that has opened the back office by its name, as passkeys need it. */
function page(from?: AdminBrowser): AdminBrowser {
  const browser = Object.assign(
    new AdminBrowser(origin),
    from && { cookie: from.cookie, stoken: from.stoken },
  );
  browser.headers.origin = origin;
  return browser;
}

/** An admin with a passkey. */
async function holder(counts = true) {
  const { browser, secret, email } = await world.admin(['support', 'auditor']);
  const desk = page(browser);
  const key = new SoftwareAuthenticator(origin, { counts });
  const { options } = await desk.must('x/admin/PasskeyAddOptions', {});
  const name = 'Key at the desk';
  await desk.must('x/admin/PasskeyAdd', { credential: key.make(options), name });
  world.hub.advance(1_000);
  return { desk, key, secret, email };
}

type Forged = Parameters<SoftwareAuthenticator['answer']>[1];

async function logIn(
  browser: AdminBrowser,
  key: SoftwareAuthenticator,
  forged: Forged = {},
): Promise<number> {
  const { options } = await browser.must('x/admin/PasskeyLogInOptions', {});
  return browser.begin('x/admin/PasskeyLogIn', { passkey: key.answer(options, forged) });
}

async function stepUp(
  browser: AdminBrowser,
  key: SoftwareAuthenticator,
  forged: Forged = {},
): Promise<number> {
  const { options } = await browser.must('x/admin/PasskeyStepUpOptions', {});
  return (await browser.call('x/admin/StepUp', { passkey: key.answer(options, forged) })).code;
}

const audited = async (call: string, outcome: string): Promise<number> => {
  const rows = await world.hub.database.owner.query(
    'select from audit_log where call = $1 and outcome = $2',
    [call, outcome],
  );
  return rows.length;
};

describe('a passkey of an admin', () => {
  test('is counted in the list of admins, beside whether there is an authenticator', async () => {
    const { desk, email } = await holder();
    const demo = world.stranger();
    await demo.begin('x/admin/Demo', { as: 'maker' });
    const { rows } = await desk.must('x/admin/Admins', {});
    expect(rows.find(({ name }) => name === email)).toMatchObject({ authenticator: true, passkeys: 1 });
    expect(rows.filter((row) => row.demo && (row.authenticator || row.passkeys > 0))).toEqual([]);
  });

  test('logs in in place of address, password and code; changes still need a proof, which it is as well', async () => {
    const { key, email } = await holder();
    const browser = page();
    expect(await logIn(browser, key)).toBe(SUCCESS);
    expect(await browser.must('x/admin/Me', {})).toMatchObject({ name: email, provedUntil: null });
    const member = await world.hub.member();
    const freeze = { member: member.tid ?? 0, reason: REASON };
    expect((await browser.call('x/admin/MemberFreeze', freeze)).code).toBe(PROOF_NEEDED);
    expect(await stepUp(browser, key)).toBe(SUCCESS);
    await browser.must('x/admin/MemberFreeze', freeze);
    world.hub.advance(300_000);
    expect((await browser.call('x/admin/MemberFreeze', freeze)).code).toBe(PROOF_NEEDED);
    for (const call of ['x/admin/PasskeyAdd', 'x/admin/PasskeyLogIn', 'x/admin/StepUp'])
      expect(await audited(call, 'ok'), call).toBeGreaterThan(0);
  });

  test.each<[string, Forged]>([
    ['from another origin', { origin: 'https://localhost.example.org' }],
    ['for another host', { rpId: 'example.org' }],
    ['to a challenge of its own making', { challenge: Buffer.from('a challenge').toString('base64url') }],
    ['whose user was not verified', { unverified: true }],
    ['that was changed after it was signed', { tampered: true }],
    ['in the name of somebody else', { userHandle: Buffer.alloc(32).toString('base64url') }],
    ['that is not known', { id: Buffer.alloc(32, 7).toString('base64url') }],
    ['whose counter went back', { counter: 0 }],
  ])('answers in vain %s: neither in nor proved, and it is audited', async (_, forged) => {
    const { desk, key } = await holder();
    const browser = page();
    // It has counted once, so that it can go back.
    expect(await logIn(browser, key)).toBe(SUCCESS);
    const before = await audited('x/admin/PasskeyLogIn', 'passkey-failed');
    expect(await logIn(page(), key, forged)).toBe(PASSKEY_FAILED);
    expect(await audited('x/admin/PasskeyLogIn', 'passkey-failed')).toBe(before + 1);
    expect(await stepUp(desk, key, forged)).toBe(PASSKEY_FAILED);
  });

  test('that names nobody logs nobody in', async () => {
    const { key } = await holder();
    expect(await logIn(page(), key, { userHandle: undefined })).toBe(PASSKEY_FAILED);
  });

  test('answers once, within five minutes, and only what was asked of it', async () => {
    const { desk, key } = await holder(false);
    const browser = page();
    const asked = await browser.must('x/admin/PasskeyLogInOptions', {});
    const passkey = key.answer(asked.options);
    const codes = await Promise.all(
      [page(), page()].map((one) => one.begin('x/admin/PasskeyLogIn', { passkey })),
    );
    expect(codes.toSorted()).toEqual([SUCCESS, PASSKEY_FAILED]);
    // A challenge to log in proves nothing in a session, nor one of a session in another.
    const { options } = await browser.must('x/admin/PasskeyLogInOptions', {});
    const crossed = await desk.call('x/admin/StepUp', { passkey: key.answer(options) });
    expect(crossed.code).toBe(PASSKEY_FAILED);
    const elsewhere = page();
    expect(await logIn(elsewhere, key)).toBe(SUCCESS);
    const { options: ofDesk } = await desk.must('x/admin/PasskeyStepUpOptions', {});
    const other = await elsewhere.call('x/admin/StepUp', { passkey: key.answer(ofDesk) });
    expect(other.code).toBe(PASSKEY_FAILED);
    const { options: late } = await browser.must('x/admin/PasskeyLogInOptions', {});
    world.hub.advance(CHALLENGE_LIFE_MILLIS);
    expect(await browser.begin('x/admin/PasskeyLogIn', { passkey: key.answer(late) })).toBe(PASSKEY_FAILED);
  });

  test('is none of a member, and a member’s is none here', async () => {
    const { key } = await holder();
    const member = new TestBrowser(origin);
    member.headers.origin = origin;
    const asked = await member.call('x/passkey/LoginOptions', {});
    const passkey = key.answer(asked.data?.options ?? '');
    expect((await member.call('x/passkey/Login', { passkey })).code).not.toBe(SUCCESS);
    const answer = { passkey: key.answer(asked.data?.options ?? '') };
    expect(await page().begin('x/admin/PasskeyLogIn', answer)).toBe(PASSKEY_FAILED);
  });

  test('is added and removed only after a proof of the last five minutes, by its admin alone; the authenticator stays', async () => {
    const { desk, key, secret, email } = await holder();
    const { rows } = await desk.must('x/admin/Passkeys', {});
    expect(rows).toMatchObject([{ name: 'Key at the desk', lastUsedAt: null }]);
    const id = rows[0]?.id ?? '';
    const other = await holder();
    expect((await other.desk.call('x/admin/PasskeyRemove', { id })).code).toBe(1001);
    world.hub.advance(300_000);
    expect((await desk.call('x/admin/PasskeyAddOptions', {})).code).toBe(PROOF_NEEDED);
    expect((await desk.call('x/admin/PasskeyRemove', { id })).code).toBe(PROOF_NEEDED);
    expect(await stepUp(desk, key)).toBe(SUCCESS);
    await desk.must('x/admin/PasskeyRemove', { id });
    expect(await audited('x/admin/PasskeyRemove', 'ok')).toBe(1);
    expect(await logIn(page(), key)).toBe(PASSKEY_FAILED);
    world.hub.advance(60_000);
    const fields = { email, password: ADMIN_PASSWORD, totp: world.shows(secret) };
    expect(await world.stranger().begin('x/admin/LogIn', fields)).toBe(SUCCESS);
  });

  test('ends with the secrets of its admin: a break-glass link lets it in neither before nor after it is used', async () => {
    const { desk, key, email } = await holder();
    const token = await world.link(email, [], true);
    expect((await desk.call('x/admin/Me', {})).code).toBe(TOKEN_INVALID);
    expect(await logIn(page(), key)).toBe(PASSKEY_FAILED);
    const fresh = world.stranger();
    const { secret } = await fresh.must('x/admin/StartBegin', { token });
    const set = { token, password: ADMIN_PASSWORD, totp: world.shows(secret) };
    expect(await fresh.begin('x/admin/Start', set)).toBe(SUCCESS);
    expect(await logIn(page(), key)).toBe(PASSKEY_FAILED);
  });

  test('tries in a session end after five; no code and no passkey, or both, is no try', async () => {
    const { desk, key, secret } = await holder();
    expect((await desk.call('x/admin/StepUp', {})).code).toBe(1001);
    for (let tries = 0; tries < 5; tries += 1)
      expect(await stepUp(desk, key, { tampered: true })).toBe(PASSKEY_FAILED);
    expect(await stepUp(desk, key)).toBe(1003);
    expect((await desk.call('x/admin/StepUp', { totp: world.shows(secret, 1) })).code).toBe(1003);
  });

  test('is none of a demo admin, whom anybody plays, nor of a page that was opened by a number', async () => {
    const demo = page();
    await demo.begin('x/admin/Demo', { as: 'maker' });
    expect((await demo.call('x/admin/PasskeyAddOptions', {})).msg).toMatch(/demo/i);
    expect((await world.stranger().call('x/admin/PasskeyLogInOptions', {})).code).toBe(2028);
  });
});
