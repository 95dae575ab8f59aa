import type { CallName } from '@crossbook/contract';
import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { TEST_PASSWORD, type TestBrowser } from '../../main/testing.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';
import { REPEATED_MILLIS, STEPS } from './repeated-steps.ts';

const world = openedOnce(() => SecurityWorld.start());

const NEW_PASSWORD = 'Other-camel-8';
const SIGN_UP = { password: TEST_PASSWORD, agree: 'true' } as const;

type Fields = Readonly<Record<string, string>>;

/** A step that is about to be taken: who takes it, with what. */
interface Begun {
  readonly browser: TestBrowser;
  readonly fields: Fields;
}

/** A step, what makes its request another one, and how that is refused. */
interface Row {
  begin(): Promise<Begun>;
  readonly other: Fields;
  readonly refusal: number;
}

/** A code to a contact of who is logged in, verified. */
async function memberFlow(
  browser: TestBrowser,
  purpose: 'bind' | 'modify-new' | 'modify-old',
  target: string,
): Promise<string> {
  const channel = target.startsWith('+') ? 'mobile' : 'email';
  await browser.call('usersms/usersms', {
    ...{ purpose, channel },
    ...(purpose === 'modify-old' ? {} : { target }),
  });
  return world.checked(browser, target, purpose);
}

async function recovery(purpose: 'recover' | 'unfreeze', account: string): Promise<Begun> {
  await world.hub.member(account);
  if (purpose === 'unfreeze')
    await world.hub.database.owner.query('update members set frozen_at = 1 where email = $1', [account]);
  const browser = world.hub.visitor();
  const flow = await world.flow(browser, account, purpose);
  return { browser, fields: { account, flow, password: NEW_PASSWORD } };
}

const ROWS: Readonly<Partial<Record<CallName, Row>>> = {
  'user/usernew': {
    async begin() {
      const [browser, email] = [world.hub.visitor(), 'new@example.org'];
      return { browser, fields: { email, flow: await browser.flowFor(email), ...SIGN_UP } };
    },
    ...{ other: { password: NEW_PASSWORD }, refusal: 2009 },
  },
  'user/forgetpwd': {
    begin: () => recovery('recover', 'lost-password@example.org'),
    ...{ other: { password: 'Third-llama-9' }, refusal: 2009 },
  },
  'x/account/Unfreeze': {
    begin: () => recovery('unfreeze', 'opened@example.org'),
    ...{ other: { password: 'Third-llama-9' }, refusal: 2009 },
  },
  'x/account/OtpResetFinish': {
    async begin() {
      const [email, mobile] = ['lost-app@example.org', '+819000000101'];
      const member = await world.hub.member(email);
      const { secret } = await world.authenticator(member);
      await world.bindMobile(member, mobile, secret);
      world.hub.advance(30_000);
      const browser = world.hub.visitor();
      const { ticket } = await world.ticket(browser, email);
      await browser.call('x/account/OtpResetBegin', { ticket });
      const codes = { emailCode: await browser.codeOf(email), mobileCode: await browser.codeOf(mobile) };
      return { browser, fields: { ticket, ...codes } };
    },
    ...{ other: { mobileCode: '000000000000' }, refusal: 2005 },
  },
  'x/demo/Keep': {
    async begin() {
      const [browser, email] = [world.hub.visitor(), 'kept@example.org'];
      const { data } = await browser.call('x/demo/Start', { captcha: await browser.captcha() });
      browser.stoken = data?.token;
      return { browser, fields: { email, flow: await browser.flowFor(email), ...SIGN_UP } };
    },
    // Who has an account has no demo to keep.
    ...{ other: { password: NEW_PASSWORD }, refusal: 2006 },
  },
  'security/bindphone': {
    async begin() {
      const [browser, mobile] = [await world.hub.member(), '+819000000102'];
      const flow = await memberFlow(browser, 'bind', mobile);
      return { browser, fields: { mobile, flow, grant: await world.grant(browser) } };
    },
    // One is bound now.
    ...{ other: { mobile: '+819000000103' }, refusal: 1001 },
  },
  'security/bindemail': {
    async begin() {
      const [browser, mobile, email] = [world.hub.visitor(), '+819000000104', 'bound@example.org'];
      const signUp = { mobile, flow: await browser.flowFor(mobile), ...SIGN_UP };
      browser.stoken = (await browser.call('user/usernew', signUp)).data?.token;
      const flow = await memberFlow(browser, 'bind', email);
      const oldFlow = await memberFlow(browser, 'modify-old', mobile);
      return { browser, fields: { email, flow, oldFlow, grant: await world.grant(browser) } };
    },
    ...{ other: { email: 'else@example.org' }, refusal: 1001 },
  },
  'security/modifyemail': {
    async begin() {
      const [browser, email] = [await world.hub.member('former@example.org'), 'later@example.org'];
      const flow = await memberFlow(browser, 'modify-new', email);
      const oldFlow = await memberFlow(browser, 'modify-old', 'former@example.org');
      return { browser, fields: { email, flow, oldFlow, grant: await world.grant(browser) } };
    },
    ...{ other: { email: 'else@example.org' }, refusal: 2009 },
  },
  'security/modifyphone': {
    async begin() {
      const [browser, former, mobile] = [await world.hub.member(), '+819000000105', '+819000000106'];
      await world.bindMobile(browser, former);
      const flow = await memberFlow(browser, 'modify-new', mobile);
      const oldFlow = await memberFlow(browser, 'modify-old', former);
      return { browser, fields: { mobile, flow, oldFlow, grant: await world.grant(browser) } };
    },
    ...{ other: { mobile: '+819000000107' }, refusal: 2009 },
  },
  'security/bindgoogle': {
    async begin() {
      const browser = await world.hub.member();
      const { data } = await browser.call('security/usergooglesecret', { grant: await world.grant(browser) });
      const { setupId = '', secret = '' } = data ?? {};
      return { browser, fields: { setupId, totp: world.shows(secret) } };
    },
    ...{ other: { totp: '000000' }, refusal: 2009 },
  },
};

const EFFECTS = [
  ...['members', 'sessions', 'devices', 'device_trusts', 'grants', 'outbox_mails'],
  ...[
    'credential_changes',
    'freeze_tokens',
    'recovery_codes',
    'otp_secrets',
    'otp_resets',
    'referral_rewards',
  ],
];

/** Rows of the audit log: of what was done, or of what a call was refused. */
async function audited(where: string): Promise<number> {
  await world.hub.hub.audit.seal();
  return (await world.hub.database.owner.query(`select 1 from audit_log where ${where}`)).length;
}

/** Everything that a step may have left, of which a repetition leaves nothing more. */
async function effects(): Promise<unknown> {
  const counts: Record<string, unknown> = {
    done: await audited(`outcome = 'ok' and actor_kind <> 'system'`),
  };
  for (const table of EFFECTS)
    counts[table] = (await world.hub.database.owner.query(`select count(*) from ${table}`))[0];
  const hashes = await world.hub.database.owner.query(
    'select id, password_hash, email, mobile from members order by id',
  );
  return { counts, hashes };
}

/** The same cookies in another object: what the browser had before, or a program that took them. */
function copied(browser: TestBrowser, kept: Partial<TestBrowser> = {}): TestBrowser {
  const { cookie, device, stoken } = browser;
  return Object.assign(world.hub.visitor(), { cookie, device, stoken, ...kept });
}

describe('a step that is sent again', () => {
  test('is each of the list: what has no row below has its own claim where its other half is played', () => {
    const elsewhere = STEPS.filter((call) => ROWS[call] === undefined);
    // The last two take what staff has decided: recoveries.test.ts.
    const taken = ['x/oauth/BindPassword', 'x/oauth/Link', 'x/recovery/Ask', 'x/recovery/Finish'];
    expect(elsewhere.toSorted()).toEqual(taken);
  });

  test.each(STEPS.filter((call) => ROWS[call] !== undefined))(
    '%s: answers the same for a minute, does nothing more, and tells no other browser, request or time',
    async (call) => {
      const row = ROWS[call];
      if (row === undefined) throw new Error('no row');
      const { browser, fields } = await row.begin();
      const send = (from: TestBrowser, changed: Fields = {}) =>
        from.call(call, { ...fields, ...changed } as never);
      const before = copied(browser);
      const first = await send(browser);
      expect(first.code).toBe(SUCCESS);
      const data = first.data as { readonly token?: string } | null;
      if (data?.token !== undefined) browser.stoken = data.token;
      const done = await effects();

      const { cookie, device } = browser;
      world.hub.advance(REPEATED_MILLIS - 1);
      expect(await send(browser)).toEqual(first);
      expect([browser.cookie, browser.device]).toEqual([cookie, device]);
      if (data?.token !== undefined) expect(await world.isLoggedIn(browser)).toBe(true);
      // Its first answer was lost, with the cookies in it: a session that was there before is over by then.
      const lost = await send(before);
      if (before.stoken === undefined) expect(lost).toEqual(first);
      else expect(lost.code).toBe(-2);

      expect((await send(browser, row.other)).code).toBe(row.refusal);
      const thief = copied(browser, { device: undefined });
      await thief.captcha();
      expect((await send(thief)).code).toBe(2009);
      expect((await send(copied(browser, { device: undefined }))).code).toBe(2009);
      world.hub.advance(1);
      expect((await send(browser)).code).toBe(2009);
      expect(await effects()).toEqual(done);
      // That somebody else tried is told, and nothing else is in the log.
      expect(await audited(`call = '${call}' and outcome = 'flow-invalid'`)).toBeGreaterThan(0);
    },
  );

  test('at once, eight times, is done once and answers all of them', async () => {
    for (const call of ['user/usernew', 'user/forgetpwd'] as const) {
      const [email, visitor] = [`at-once-${call.slice(5)}@example.org`, world.hub.visitor()];
      const begun =
        call === 'user/forgetpwd'
          ? await recovery('recover', email)
          : { browser: visitor, fields: { email, flow: await visitor.flowFor(email), ...SIGN_UP } };
      const { browser, fields } = begun;
      const before = await world.hub.database.owner.query('select 1 from sessions');
      const answers = await Promise.all(Array.from({ length: 8 }, () => browser.call(call, fields as never)));
      expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => SUCCESS));
      expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
      const opened = (await world.hub.database.owner.query('select 1 from sessions')).length - before.length;
      expect(opened).toBe(call === 'user/usernew' ? 1 : 0);
    }
  });

  test('tells of no session that has ended or goes on under another cookie', async () => {
    const [browser, email] = [world.hub.visitor(), 'logged-out@example.org'];
    const fields = { email, flow: await browser.flowFor(email), ...SIGN_UP };
    const first = await browser.call('user/usernew', fields);
    browser.stoken = first.data?.token;
    await world.grant(browser);
    const again = copied(browser);
    expect((await again.call('user/usernew', fields)).code).toBe(2009);
    await browser.call('user/layout', {});
    expect((await again.call('user/usernew', fields)).code).toBe(2009);
  });

  test('has its answer sealed, without a word of what was sent', async () => {
    const [browser, email] = [world.hub.visitor(), 'sealed@example.org'];
    const fields = { email, flow: await browser.flowFor(email), ...SIGN_UP };
    const first = await browser.call('user/usernew', fields);
    const kept = await world.hub.database.owner.query('select * from auth_flows where member is null');
    expect(kept.length).toBeGreaterThan(0);
    for (const secret of [first.data?.token, browser.cookie, TEST_PASSWORD, email, fields.flow])
      expect(JSON.stringify(kept)).not.toContain(secret);
  });
});
