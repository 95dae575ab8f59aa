import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_PASSWORD, type TestBrowser } from '../../main/testing.ts';
import { budgetsStore } from '../../storage/stores/members/budgets-store.ts';
import { accountBudgets } from '../budgets.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';

/** Members with a number and no mailbox. */

let world: SecurityWorld;
beforeAll(async () => {
  world = await SecurityWorld.start({ NEW_DEVICE_CODE: '1' });
  // The texts that are agreed to are there from the start on.
  await world.hub.hub.start();
});
afterAll(() => world.hub.close());

const GOOD = { password: TEST_PASSWORD, agree: 'true' } as const;
let numbers = 0;

function freshNumber(): string {
  numbers += 1;
  return `+8190${String(10_000_000 + numbers)}`;
}

/** Signs up with a number; answers the logged-in browser. */
async function phoneMember(mobile = freshNumber()): Promise<{ browser: TestBrowser; mobile: string }> {
  const browser = world.hub.visitor();
  const flow = await browser.flowFor(mobile);
  const { data, msg } = await browser.call('user/usernew', { mobile, flow, ...GOOD });
  if (data === null) throw new Error(msg);
  browser.stoken = data.token;
  browser.tid = data.tid;
  return { browser, mobile };
}

async function ask(target: string, purpose: 'register' | 'recover' | 'unfreeze' = 'register') {
  const browser = world.hub.visitor();
  return browser.call('sms/sms', { target, purpose, captcha: await browser.captcha() });
}

describe('signing up with a mobile number', () => {
  test('a number that was proved becomes a member, in whatever way it was typed, with the terms agreed to kept', async () => {
    const browser = world.hub.visitor();
    const flow = await browser.flowFor('+819012345678');
    const answer = await browser.call('user/usernew', { mobile: '+81 90-1234-5678', flow, ...GOOD });
    expect(answer.code).toBe(SUCCESS);
    browser.stoken = answer.data?.token;
    const info = await browser.call('security/userinfo', {});
    expect(info.data).toMatchObject({ mobile: '+819012345678', email: null });
    const full = await browser.call('security/userinfonew', {});
    expect(full.data).toMatchObject({ mobile: '+81******78', email: null });
    expect(full.data?.agreed.map(({ kind, version }) => [kind, version])).toEqual([
      ['terms', 1],
      ['privacy', 1],
    ]);
    const [sent] = await world.mails('+819012345678');
    expect(sent?.body.length).toBeLessThanOrEqual(70);
  });

  test.each([
    ['neither contact', {}, 1001],
    ['both contacts', { email: 'both@example.org', mobile: '+819011112222' }, 1001],
    ['a number without country code', { mobile: '09011112222' }, 2011],
    ['an address where the number belongs', { mobile: 'ada@example.org' }, 2011],
    ['a number where the address belongs', { email: '+819011112222' }, 2002],
    ['a flow of another number', { mobile: '+819011112223' }, 2009],
  ])('%s is refused', async (_claim, contact, code) => {
    const browser = world.hub.visitor();
    const flow = await browser.flowFor(freshNumber());
    expect((await browser.call('user/usernew', { ...contact, flow, ...GOOD })).code).toBe(code);
    expect(browser.cookie).toBeUndefined();
  });

  test('a number that has an account is told so by text; the asker sees no difference, and cannot sign up with it', async () => {
    const { mobile } = await phoneMember();
    const browser = world.hub.visitor();
    const asked = await browser.call('sms/sms', {
      ...{ target: mobile, purpose: 'register' },
      captcha: await browser.captcha(),
    });
    expect(asked).toEqual(await ask(freshNumber()));
    const [text] = await world.mails(mobile);
    expect(text?.body).toContain('already has an account');
    expect(text?.body).not.toMatch(/\d{4}/);
  });

  test('a code is worth something only in the browser that asked for it', async () => {
    const mobile = freshNumber();
    const browser = world.hub.visitor();
    await browser.call('sms/sms', { target: mobile, purpose: 'register', captcha: await browser.captcha() });
    const code = await browser.codeOf(mobile);
    const other = world.hub.visitor();
    await other.captcha();
    const check = { target: mobile, purpose: 'register', code } as const;
    expect((await other.call('user/checkcode', check)).code).toBe(2005);
    expect((await browser.call('user/checkcode', check)).code).toBe(SUCCESS);
  });
});

describe('a member with a number alone', () => {
  test('logs in with it; a new browser is asked for the code that was sent there', async () => {
    const { mobile } = await phoneMember();
    const browser = world.hub.visitor();
    const { ticket, next } = await world.ticket(browser, mobile);
    expect(next).toBe('device');
    const done = await browser.call('user/loginstep2', { ticket, code: await browser.codeOf(mobile) });
    expect(done.code).toBe(SUCCESS);
  });

  test('gets a new password by a text message; of who has a mailbox the number alone opens nothing', async () => {
    const { mobile } = await phoneMember();
    const stranger = world.hub.visitor();
    const flow = await world.flow(stranger, mobile, 'recover');
    const fresh = { account: mobile, flow, password: 'Better-horse-9' };
    expect((await stranger.call('user/forgetpwd', fresh)).code).toBe(SUCCESS);
    const both = await phoneMember();
    const email = `both${both.browser.tid}@example.org`;
    await bindEmail(both, email);
    const before = await world.mails(both.mobile);
    expect(await ask(both.mobile, 'recover')).toEqual(await ask(freshNumber(), 'recover'));
    expect(await world.mails(both.mobile)).toEqual(before);
    expect(await ask(email, 'recover')).toMatchObject({ code: SUCCESS });
    expect((await world.mails(email))[0]?.subject).toContain('new password');
  });

  async function bindEmail({ browser, mobile }: Awaited<ReturnType<typeof phoneMember>>, email: string) {
    await browser.call('usersms/usersms', { purpose: 'bind', channel: 'email', target: email });
    const flow = await world.checked(browser, email, 'bind');
    await browser.call('usersms/usersms', { purpose: 'modify-old', channel: 'mobile' });
    const oldFlow = await world.checked(browser, mobile, 'modify-old');
    const grant = await world.grant(browser);
    const bound = await browser.call('security/bindemail', { email, flow, oldFlow, grant });
    expect(bound.code).toBe(SUCCESS);
    browser.stoken = bound.data?.token;
  }

  test('binds an address, which is told and then changed, not bound again', async () => {
    const member = await phoneMember();
    const { browser } = member;
    const email = `bound${browser.tid}@example.org`;
    await bindEmail(member, email);
    expect((await browser.call('security/userinfo', {})).data?.email).toBe(email);
    expect((await world.mails(email))[0]?.subject).toContain('was bound to your account');
    expect((await world.mails(member.mobile))[0]?.body).toContain(
      'an email address was bound to your account',
    );
    const again = { email: 'other@example.org', flow: 'x', grant: await world.grant(browser) };
    expect((await browser.call('security/bindemail', again)).code).toBe(1001);
    const other = await phoneMember();
    const change = { email, flow: 'x', oldFlow: 'x', grant: await world.grant(other.browser) };
    expect((await other.browser.call('security/modifyemail', change)).code).toBe(2016);
  });

  test.each([
    ['no code to the number', () => undefined, 1001],
    ['a code to the address in its place', (flow: string) => flow, 2009],
    ['a code to another number of his', (_flow: string, other: string) => other, 2009],
  ])('binds no address with %s, whoever has the session and the password', async (_claim, given, code) => {
    const { browser } = await phoneMember();
    const email = `thief${browser.tid}@example.org`;
    await browser.call('usersms/usersms', { purpose: 'bind', channel: 'email', target: email });
    const flow = await world.checked(browser, email, 'bind');
    const theirs = freshNumber();
    await browser.call('usersms/usersms', { purpose: 'modify-new', channel: 'mobile', target: theirs });
    const other = await world.checked(browser, theirs, 'modify-new');
    const oldFlow = given(flow, other);
    const fields = { email, flow, ...(oldFlow === undefined ? {} : { oldFlow }) };
    const bound = await browser.call('security/bindemail', { ...fields, grant: await world.grant(browser) });
    expect(bound.code).toBe(code);
    expect((await browser.call('security/userinfo', {})).data?.email).toBeNull();
  });

  test('resets no authenticator without a mailbox', async () => {
    const { browser, mobile } = await phoneMember();
    await world.authenticator(browser);
    const fresh = world.hub.visitor();
    const { ticket } = await world.ticket(fresh, mobile);
    expect((await fresh.call('x/account/OtpResetBegin', { ticket })).code).toBe(2018);
  });
});

test('a member sends text messages to five numbers that are not his a day; another and his own number have theirs', async () => {
  const { browser, mobile } = await phoneMember();
  const send = async (by: TestBrowser, purpose: 'bind' | 'modify-new', target: string) =>
    (await by.call('usersms/usersms', { purpose, channel: 'mobile', target })).code;
  const codes: number[] = [];
  for (const purpose of ['bind', 'modify-new', 'bind', 'modify-new', 'bind', 'modify-new', 'bind'] as const)
    codes.push(await send(browser, purpose, freshNumber()));
  expect(codes).toEqual([SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS, 1003, 1003]);
  const own = { purpose: 'modify-old', channel: 'mobile' } as const;
  expect((await browser.call('usersms/usersms', own)).code).toBe(SUCCESS);
  expect((await world.mails(mobile))[0]?.body).toMatch(/\d{4}/);
  expect(await send((await phoneMember()).browser, 'bind', freshNumber())).toBe(SUCCESS);
});

test('text messages to strangers end at a day’s bound; members’ codes and addresses do not', async () => {
  const { mobile } = await phoneMember();
  await world.hub.database.owner.query(
    `update budgets set used = 1000 where key like 'signUpTexts:%' and window_ends_at > $1`,
    [world.hub.now()],
  );
  expect((await ask(freshNumber())).code).toBe(1003);
  expect((await ask('nobody@example.org')).code).toBe(SUCCESS);
  expect((await world.ticket(world.hub.visitor(), mobile)).next).toBe('device');
});

describe('a hub that has lost its text gateway', () => {
  test('says so about every number alike, at each step that would send a text, and to the member', async () => {
    const { tid } = await world.hub.member('has-a-password@example.org');
    const bare = await SecurityWorld.start({ NEW_DEVICE_CODE: '1', SMTP_URL: 'smtp://127.0.0.1:9' });
    try {
      const [row] = await world.hub.database.owner.query<{ password_hash: string }>(
        'select password_hash from members where id = $1',
        [tid ?? 0],
      );
      const [alone, both, nobody] = ['+819088880001', '+819088880002', '+819088880003'];
      for (const [mobile, email] of [
        [alone, null],
        [both, 'has-both@example.org'],
      ] as const) {
        await bare.hub.database.owner.query(
          `insert into members (mobile, email, password_hash, nickname, referral_code, created_at)
           values ($1, $2, $3, 'n', right($1, 8), 0)`,
          [mobile, email, row?.password_hash ?? ''],
        );
      }
      const numbers = [alone, both, nobody];
      const answersOf = async (ask: (number: string) => Promise<{ readonly code: number }>) => {
        const answers = await Promise.all(numbers.map((number) => ask(number)));
        return new Set(answers.map((answer) => JSON.stringify(answer)));
      };
      for (const purpose of ['register', 'recover', 'unfreeze'] as const) {
        const kinds = await answersOf(async (target) => {
          const browser = bare.hub.visitor();
          return browser.call('sms/sms', { target, purpose, captcha: await browser.captcha() });
        });
        expect([...kinds]).toEqual([expect.stringContaining('"code":2038')]);
      }
      const logIn = (number: string, password: string) => bare.hub.visitor().logIn(number, password);
      expect([...(await answersOf((number) => logIn(number, 'Wrong-horse-7')))]).toHaveLength(1);
      expect((await logIn(alone, TEST_PASSWORD)).code).toBe(2038);
      // So many wrong passwords that the mailbox is to be proved first.
      const budgets = accountBudgets(budgetsStore(bare.hub.database.owner), 1);
      for (const number of numbers) {
        for (let wrong = 0; wrong < 21; wrong += 1)
          await budgets.count('guardedLoginsPerAccount', number, bare.hub.now());
      }
      for (const password of [TEST_PASSWORD, 'Wrong-horse-7']) {
        const kinds = await answersOf((number) => logIn(number, password));
        expect([...kinds]).toEqual([expect.stringContaining('"code":2038')]);
      }
    } finally {
      await bare.hub.close();
    }
  });
});
