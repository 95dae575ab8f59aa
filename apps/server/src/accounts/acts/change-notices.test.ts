import type { CallName } from '@crossbook/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_PASSWORD, TestBrowser } from '../../main/testing.ts';
import { ACCOUNT_BUDGETS } from '../budgets.ts';
import { mailWriter } from '../mails.ts';
import { SECURITY_EVENTS, type SecurityEvent } from '../security-mails.ts';
import type { LockCause } from '../security-ports.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';
import { SoftwareAuthenticator } from '../software-authenticator.fixture.ts';

/** Every change of a credential, and every freeze, is told where the member is reached, is in the audit log, and locks money where it is one. */

let world: SecurityWorld;
beforeAll(async () => {
  world = await SecurityWorld.start();
  await world.hub.hub.start();
});
afterAll(() => world.hub.close());

const OTHER_PASSWORD = 'Other-camel-8';
const THIRD_PASSWORD = 'Third-llama-9';
const FREEZE_LINK = /\/freeze#([A-Za-z0-9_-]{22})(?=\s|$)/;

interface Owner {
  readonly browser: TestBrowser;
  /** Where codes and notices go. */
  readonly to: string;
  /** A number that nothing is told to, as there is a mailbox. */
  readonly silent?: string;
  secret?: string;
  key?: SoftwareAuthenticator;
}

/** A page on the host that passkeys are for, in the same session. */
function pageOf({ browser }: Owner): TestBrowser {
  const origin = world.hub.url.replace('127.0.0.1', 'localhost');
  const page = Object.assign(new TestBrowser(origin), { cookie: browser.cookie, stoken: browser.stoken });
  page.headers.origin = origin;
  return page;
}

async function grantOf({ secret }: Owner, browser: TestBrowser): Promise<string> {
  const grant = await world.grant(browser, secret);
  world.hub.advance(30_000);
  return grant;
}

type Change = (owner: Owner) => Promise<{ readonly code: number; readonly data?: unknown }>;

async function renewed(owner: Owner, asked: ReturnType<Change>): ReturnType<Change> {
  const answer = await asked;
  owner.browser.stoken = (answer.data as { token?: string } | null)?.token ?? owner.browser.stoken;
  return answer;
}

const acted =
  (act: (owner: Owner, grant: string) => ReturnType<Change>): Change =>
  async (owner) =>
    renewed(owner, act(owner, await grantOf(owner, owner.browser)));

/** In an order in which each can be made, by whoever has a mailbox or a number. */
const CHANGES: readonly (readonly [SecurityEvent, Change])[] = [
  [
    'otp-bound',
    async (owner) => {
      owner.secret = (await world.authenticator(owner.browser)).secret;
      return { code: SUCCESS };
    },
  ],
  ['recovery-codes-made', acted(({ browser }, grant) => browser.call('x/account/RecoveryCodes', { grant }))],
  [
    'profile-changed',
    acted(({ browser }, grant) => browser.call('security/modifyuserinfo', { antiPhishing: 'Tulip', grant })),
  ],
  [
    'password-changed',
    acted(({ browser }, grant) =>
      browser.call('security/resetpwd', { oldPassword: TEST_PASSWORD, password: OTHER_PASSWORD, grant }),
    ),
  ],
  ['sessions-ended', acted(({ browser }, grant) => browser.call('x/account/EndOthers', { grant }))],
  [
    'passkey-added',
    async (owner) => {
      const page = pageOf(owner);
      const { data } = await page.call('x/passkey/RegisterOptions', { grant: await grantOf(owner, page) });
      const key = new SoftwareAuthenticator(page.url, { counts: true });
      const credential = key.make(data?.options ?? '');
      const made = await page.call('x/passkey/Register', { credential, name: 'Desk' });
      Object.assign(owner.browser, { cookie: page.cookie, stoken: made.data?.token });
      return made;
    },
  ],
  [
    'passkey-removed',
    async (owner) => {
      const page = pageOf(owner);
      const [passkey] = (await page.call('x/passkey/List', {})).data ?? [];
      const grant = await grantOf(owner, page);
      const removed = await page.call('x/passkey/Remove', { id: passkey?.id ?? '', grant });
      Object.assign(owner.browser, { cookie: page.cookie, stoken: removed.data?.token });
      return removed;
    },
  ],
  [
    'frozen',
    async ({ to }) => {
      const stranger = world.hub.visitor();
      const links = (await world.mails(to)).map(({ body }) => FREEZE_LINK.exec(body)?.[1]);
      const token = links.find((link) => link !== undefined) ?? '';
      return stranger.call('x/account/Freeze', { token, captcha: await stranger.captcha() });
    },
  ],
  [
    'unfrozen',
    async ({ to }) => {
      const visitor = world.hub.visitor();
      const flow = await world.flow(visitor, to, 'unfreeze');
      return visitor.call('x/account/Unfreeze', { account: to, flow, password: THIRD_PASSWORD });
    },
  ],
  [
    'password-reset',
    async ({ to }) => {
      const visitor = world.hub.visitor();
      const flow = await world.flow(visitor, to, 'recover');
      return visitor.call('user/forgetpwd', { account: to, flow, password: TEST_PASSWORD });
    },
  ],
];

/** Which of them lock money for a day, and as what. */
const LOCKS: Readonly<Partial<Record<SecurityEvent, LockCause>>> = {
  ...{ 'otp-bound': 'otp', 'recovery-codes-made': 'recovery-codes', 'password-changed': 'password' },
  ...{ 'passkey-added': 'passkey', 'passkey-removed': 'passkey', unfrozen: 'unfreeze' },
  ...{ 'password-reset': 'password' },
};

/** What stands in the audit log of each. */
const CALLS: Readonly<Partial<Record<SecurityEvent, CallName>>> = {
  ...{ 'otp-bound': 'security/bindgoogle', 'recovery-codes-made': 'x/account/RecoveryCodes' },
  ...{ 'profile-changed': 'security/modifyuserinfo', 'password-changed': 'security/resetpwd' },
  ...{ 'sessions-ended': 'x/account/EndOthers', 'passkey-added': 'x/passkey/Register' },
  ...{ 'passkey-removed': 'x/passkey/Remove', frozen: 'x/account/Freeze' },
  ...{ unfrozen: 'x/account/Unfreeze', 'password-reset': 'user/forgetpwd' },
};

/** Told by the same act, proved elsewhere: they take another service, two contacts, staff, or a log-in. */
const ELSEWHERE: readonly SecurityEvent[] = [
  ...(['new-device', 'recovery-code-used', 'password-known', 'otp-removed', 'otp-reset-waiting'] as const),
  'otp-reset-done',
  ...(['provider-linked', 'provider-unlinked'] as const),
  ...(['recovery-asked', 'recovery-waiting', 'recovery-done'] as const),
  ...(['email-bound', 'email-changed', 'mobile-bound', 'mobile-changed'] as const),
];

const WITHOUT_LINK: readonly SecurityEvent[] = ['frozen', 'unfrozen'];

function titleOf(event: SecurityEvent): string {
  return mailWriter('').securityText(event, { language: 'en' }).slice(2, -1);
}

async function byNumber(mobile: string): Promise<TestBrowser> {
  const browser = world.hub.visitor();
  const flow = await browser.flowFor(mobile);
  const { data } = await browser.call('user/usernew', {
    mobile,
    flow,
    password: TEST_PASSWORD,
    agree: 'true',
  });
  return Object.assign(browser, { stoken: data?.token, tid: data?.tid });
}

interface Locking {
  readonly kind: LockCause;
  /** The last moment of the lock, and the first one after it. */
  readonly lastly: string;
  readonly after: string;
}

/** What locks the money of a member, oldest first. */
function lockings({ browser }: Owner): Promise<readonly Locking[]> {
  return world.hub.database.owner.query<Record<keyof Locking, string>>(
    `select kind, (at + interval '24 hours' - interval '1 microsecond')::text as lastly, (at + interval '24 hours')::text as after
     from credential_changes where member = $1 and locks order by at`,
    [browser.tid ?? 0],
  ) as Promise<readonly Locking[]>;
}

const mayLeave = ({ browser }: Owner) => world.hub.hub.accounts.moneyOutAllowed(browser.tid as never);

/** Whether what was done last locks money, and until when. */
async function expectLock(owner: Owner, event: SecurityEvent, before: number): Promise<void> {
  const made = (await lockings(owner)).slice(before);
  const cause = LOCKS[event];
  expect(
    made.map(({ kind }) => kind),
    event,
  ).toEqual(cause === undefined ? [] : [cause]);
  for (const { lastly, after } of made) {
    await world.stopDatabaseClock(lastly);
    expect(await mayLeave(owner), event).toMatchObject({ error: 'security-lock' });
    await world.stopDatabaseClock(after);
    expect(await mayLeave(owner), event).toBeUndefined();
    await world.moveDatabaseClock('0');
  }
}

/** What the audit log says of the member last. */
async function audited({ browser }: Owner): Promise<unknown> {
  const [newest] = await world.hub.database.owner.query(
    'select call, outcome, actor_kind as kind, address from audit_log where actor = $1 order by id desc limit 1',
    [String(browser.tid)],
  );
  return newest;
}

const entryOf = (call: CallName | undefined) => ({
  ...{ call, outcome: 'ok', kind: 'member', address: '127.0.0.1' },
});

test('the table has every event that no code is sent with', () => {
  const known = [...CHANGES.map(([event]) => event), ...ELSEWHERE];
  expect(known.sort()).toEqual(SECURITY_EVENTS.filter((event) => !event.endsWith('-code')).sort());
});

test.each([
  [
    'an address only',
    async () => ({ to: 'told-1@example.org', browser: await world.hub.member('told-1@example.org') }),
  ],
  ['a number only', async () => ({ to: '+819055550001', browser: await byNumber('+819055550001') })],
  [
    'both',
    async () => {
      const [to, silent] = ['told-2@example.org', '+819055550002'];
      const browser = await world.hub.member(to);
      await world.bindMobile(browser, silent);
      return { to, silent, browser };
    },
  ],
] as const)(
  'with %s every change and freeze is told there, with the link that freezes, and is in the audit log; a changed credential locks money for a day',
  async (_, make) => {
    const owner: Owner = await make();
    await world.fund(owner.browser);
    expect(await mayLeave(owner)).toBeUndefined();
    const silentBefore = owner.silent === undefined ? 0 : (await world.mails(owner.silent)).length;
    for (const [event, change] of CHANGES) {
      const before = (await lockings(owner)).length;
      expect((await change(owner)).code, event).toBe(SUCCESS);
      expect(await audited(owner), event).toEqual(entryOf(CALLS[event]));
      await expectLock(owner, event, before);
      const [newest] = await world.mails(owner.to);
      expect(newest?.body, event).toContain(titleOf(event));
      expect(FREEZE_LINK.test(newest?.body ?? ''), event).toBe(!WITHOUT_LINK.includes(event));
    }
    if (owner.silent !== undefined) expect(await world.mails(owner.silent)).toHaveLength(silentBefore);
  },
);

test('a number that is changed and an address that is bound are told at both ends', async () => {
  const [old, next, email] = ['+819055550003', '+819055550004', 'told-3@example.org'] as const;
  const owner: Owner = { to: old, browser: await byNumber(old) };
  const { browser } = owner;
  const send = (
    purpose: 'modify-new' | 'modify-old' | 'bind',
    channel: 'mobile' | 'email',
    target?: string,
  ) => browser.call('usersms/usersms', { purpose, channel, ...(target === undefined ? {} : { target }) });
  await send('modify-new', 'mobile', next);
  const flow = await world.checked(browser, next, 'modify-new');
  await send('modify-old', 'mobile');
  const oldFlow = await world.checked(browser, old, 'modify-old');
  const changed = await acted((_, grant) =>
    browser.call('security/modifyphone', { mobile: next, flow, oldFlow, grant }),
  )(owner);
  expect(changed.code).toBe(SUCCESS);
  expect(await audited(owner)).toEqual(entryOf('security/modifyphone'));
  for (const number of [old, next]) {
    const [newest] = await world.mails(number);
    expect(newest?.body).toContain(titleOf('mobile-changed'));
    expect(newest?.body).toMatch(FREEZE_LINK);
  }
  expect((await lockings(owner)).map(({ kind }) => kind)).toEqual(['mobile']);
  await send('bind', 'email', email);
  const bindFlow = await world.checked(browser, email, 'bind');
  await send('modify-old', 'mobile');
  const numberFlow = await world.checked(browser, next, 'modify-old');
  const bound = await acted((_, grant) =>
    browser.call('security/bindemail', { email, flow: bindFlow, oldFlow: numberFlow, grant }),
  )(owner);
  expect(bound.code).toBe(SUCCESS);
  expect(await audited(owner)).toEqual(entryOf('security/bindemail'));
  for (const contact of [next, email]) {
    const [newest] = await world.mails(contact);
    expect(newest?.body).toContain(titleOf('email-bound'));
    expect(newest?.body).toMatch(FREEZE_LINK);
  }
  // A first address of who has no money yet locks nothing.
  expect((await lockings(owner)).map(({ kind }) => kind)).toEqual(['mobile']);
});

test('texts that cost money end at a bound of what was done: what is refused uses none of it up', async () => {
  const number = '+819055550005';
  const owner: Owner = { to: number, browser: await byNumber(number) };
  const { browser } = owner;
  const before = (await world.mails(number)).length;
  for (let tried = 0; tried < 3; tried += 1)
    expect((await browser.call('x/account/EndOthers', { grant: 'guessed' })).code).not.toBe(SUCCESS);
  const { usesMax } = ACCOUNT_BUDGETS.securityTextsPerMember;
  const end = acted((one, grant) => one.browser.call('x/account/EndOthers', { grant }));
  for (let done = 0; done < usesMax + 2; done += 1) expect((await end(owner)).code).toBe(SUCCESS);
  expect((await world.mails(number)).length - before).toBe(usesMax);
});
