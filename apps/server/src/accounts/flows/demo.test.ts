import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHub, TEST_PASSWORD, type TestBrowser } from '../../main/testing.ts';
import { demoStore } from '../../storage/stores/members/demo-store.ts';
import { grantKolCode } from '../../storage/stores/members/referral-store.ts';
import { demosPerNetworkMax } from '../demo-ends.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';

let world: SecurityWorld;
beforeAll(async () => {
  world = await SecurityWorld.start();
  // The texts that are agreed to are there from the start on.
  await world.hub.hub.start();
});
afterAll(() => world.hub.close());

const UNKNOWN_CALL = 1004;
const TOKEN_INVALID = -2;
const OWN_ACCOUNT_NEEDED = 2031;
const GOOD = { password: TEST_PASSWORD, agree: 'true' } as const;

async function start(browser: TestBrowser) {
  const answer = await browser.call('x/demo/Start', { captcha: await browser.captcha() });
  if (answer.data !== null) {
    browser.stoken = answer.data.token;
    browser.tid = answer.data.tid;
  }
  return answer;
}

async function demo(browser = world.hub.visitor()): Promise<TestBrowser> {
  const answer = await start(browser);
  if (answer.data === null) throw new Error(answer.msg);
  return browser;
}

const row = async (user: number | undefined) =>
  (
    await world.hub.database.owner.query<{
      demo: boolean;
      email: string | null;
      demo_ended_at: string | null;
      nickname: string;
      referral_code: string;
    }>('select demo, email, demo_ended_at, nickname, referral_code from members where id = $1', [user ?? 0])
  )[0];

describe('a demo member', () => {
  test('is made by one call, is named as what it is, and is audited', async () => {
    const browser = await demo();
    const info = await browser.call('security/userinfo', {});
    expect(info.data).toMatchObject({ tid: browser.tid, demo: true, email: null, mobile: null });
    expect(info.data?.nickname).toMatch(/^Demo-/);
    const audited = await world.hub.database.owner.query(
      `select from audit_log where call = 'x/demo/Start' and actor = $1`,
      [String(browser.tid)],
    );
    expect(audited).toHaveLength(1);
  });

  test('is the same in the same browser, logged out and in again; another browser gets another', async () => {
    const browser = await demo();
    const first = browser.tid;
    await browser.call('user/layout', {});
    expect((await demo(browser)).tid).toBe(first);
    expect((await demo()).tid).not.toBe(first);
  });

  test.each([
    ['x/account/StepUp', { purpose: 'credentials', password: 'x' }],
    ['usersms/usersms', { purpose: 'bind', channel: 'email', target: 'spam@example.org' }],
    ['security/bindemail', { email: 'a@example.org', flow: 'x', grant: 'x' }],
    ['security/bindphone', { mobile: '+819011112222', flow: 'x', grant: 'x' }],
    ['security/resetpwd', { oldPassword: 'x', password: TEST_PASSWORD, grant: 'x' }],
    ['security/usergooglesecret', { grant: 'x' }],
    ['invite/namuinvitereward', {}],
    ['x/kyc/Submit', {}],
  ] as const)('is refused %s, and nothing is sent', async (call, fields) => {
    const browser = await demo();
    const answer = await browser.call(call, fields as never);
    expect(answer.code).toBe(OWN_ACCOUNT_NEEDED);
    expect(await world.mails('spam@example.org')).toEqual([]);
  });

  test('brings nobody, has no KOL code and takes no money out', async () => {
    const browser = await demo();
    const code = (await row(browser.tid))?.referral_code ?? '';
    await expect(world.hub.member(undefined, { referralCode: code })).rejects.toThrow(/referral/);
    const grant = { member: browser.tid ?? 0, code: 'DEMOKOL', rateBps: 100, at: world.hub.now() };
    const granted = grantKolCode(world.hub.database.owner, {
      ...grant,
      operator: 'ann',
      reason: 'asked for',
    });
    expect(await granted).toBe(false);
    const { moneyOutAllowed } = world.hub.hub.accounts;
    expect(await moneyOutAllowed(browser.tid as never)).toEqual({ error: 'own-account-needed' });
  });

  test('needs a captcha of its own', async () => {
    const browser = world.hub.visitor();
    const captcha = await browser.captcha();
    expect((await browser.call('x/demo/Start', { captcha })).code).toBe(SUCCESS);
    expect((await world.hub.visitor().call('x/demo/Start', { captcha })).code).toBe(2001);
  });
});

describe('keeping a demo', () => {
  test.each([
    ['an address', { email: 'kept@example.org' }, 'kept@example.org'],
    ['a number', { mobile: '+819055556666' }, '+819055556666'],
  ])(
    'with %s: the same member logs in with it, with the terms agreed to kept',
    async (_claim, contact, to) => {
      const browser = await demo();
      const user = browser.tid;
      const before = world.hub.visitor();
      Object.assign(before, { cookie: browser.cookie, stoken: browser.stoken });
      const kept = await browser.call('x/demo/Keep', {
        ...contact,
        flow: await browser.flowFor(to),
        ...GOOD,
      });
      expect(kept.code).toBe(SUCCESS);
      browser.stoken = kept.data?.token;
      const info = await browser.call('security/userinfo', {});
      expect(info.data).toMatchObject({ tid: user, demo: false });
      expect(info.data?.nickname).toMatch(/^Trader-/);
      const full = await browser.call('security/userinfonew', {});
      expect(full.data?.agreed.map(({ kind, version }) => [kind, version]).sort()).toEqual([
        ['privacy', 1],
        ['terms', 1],
      ]);
      const bound = (await world.mails(to)).filter(({ body }) => /\/freeze#[A-Za-z0-9_-]{22}\n/.test(body));
      expect(bound).toHaveLength('email' in contact ? 1 : 0);
      const again = world.hub.visitor();
      expect((await again.logIn(to)).code).toBe(SUCCESS);
      expect(again.tid).toBe(user);
      world.hub.advance(1_001);
      expect((await before.call('security/userinfo', {})).code).toBe(TOKEN_INVALID);
    },
  );

  test('locks its money for a day, as any contact that is bound once there is some; it is in the audit log', async () => {
    const browser = await demo();
    await world.fund(browser);
    const flow = await browser.flowFor('kept-funds@example.org');
    const kept = await browser.call('x/demo/Keep', { email: 'kept-funds@example.org', flow, ...GOOD });
    expect(kept.code).toBe(SUCCESS);
    const { moneyOutAllowed } = world.hub.hub.accounts;
    expect(await moneyOutAllowed(browser.tid as never)).toMatchObject({ error: 'security-lock' });
    const [newest] = await world.hub.database.owner.query(
      'select call, outcome from audit_log where actor = $1 order by id desc limit 1',
      [String(browser.tid)],
    );
    expect(newest).toEqual({ call: 'x/demo/Keep', outcome: 'ok' });
  });

  test('refuses what a sign-up refuses, and leaves the demo as it is', async () => {
    await world.hub.member('taken@example.org');
    const browser = await demo();
    const flow = await browser.flowFor('fresh@example.org');
    const keep = async (fields: object) =>
      (await browser.call('x/demo/Keep', { email: 'fresh@example.org', flow, ...GOOD, ...fields } as never))
        .code;
    expect(await keep({ password: 'Abcdefg!' })).toBe(2003);
    expect(await keep({ agree: 'false' })).toBe(2004);
    expect(await keep({ flow: 'forged' })).toBe(2009);
    expect(await keep({ email: 'other@example.org' })).toBe(2009);
    expect(await keep({ mobile: '+819011112222' })).toBe(1001);
    expect((await row(browser.tid))?.demo).toBe(true);
    expect(await keep({})).toBe(SUCCESS);
  });

  test('takes a proof within half an hour, and once; of two that keep one address at once one does', async () => {
    const [one, two, late] = [await demo(), await demo(), await demo()];
    const keep = async (browser: TestBrowser, flow: string, email: string) =>
      (await browser.call('x/demo/Keep', { email, flow, ...GOOD })).code;
    const flows = [await one.flowFor('two-want@example.org'), await two.flowFor('two-want@example.org')];
    const kept = await Promise.all(
      [one, two].map((browser, at) => keep(browser, flows[at] ?? '', 'two-want@example.org')),
    );
    expect(kept.toSorted()).toEqual([SUCCESS, 2006]);
    const [won, lost] = kept[0] === SUCCESS ? [0, two] : [1, one];
    expect((await row(lost.tid))?.demo).toBe(true);
    expect(await keep(lost, flows[won] ?? '', 'two-want@example.org')).toBe(2009);
    const flow = await late.flowFor('too-late@example.org');
    world.hub.advance(30 * 60_000 + 1);
    expect(await keep(late, flow, 'too-late@example.org')).toBe(2009);
    expect((await row(late.tid))?.demo).toBe(true);
  });

  test('with an address that was taken meanwhile is refused to who proved it; a member keeps nothing', async () => {
    const browser = await demo();
    const flow = await browser.flowFor('raced@example.org');
    const member = await world.hub.member('raced@example.org');
    const fields = { email: 'raced@example.org', flow, ...GOOD };
    expect((await browser.call('x/demo/Keep', fields)).code).toBe(2006);
    expect((await member.call('x/demo/Keep', fields)).code).toBe(2006);
  });
});

describe('the number of demos', () => {
  const bounds = { aliveMax: 2, perNetworkMax: 2, idleMillisMin: 3_600_000 };

  test('is bounded: the one idle longest ends for a newcomer, one that was just there does not', async () => {
    const own = await SecurityWorld.start();
    try {
      const store = demoStore(own.hub.database.database);
      const visitors = [own.hub.visitor(), own.hub.visitor(), own.hub.visitor()];
      const [first, second, third] = visitors as [TestBrowser, TestBrowser, TestBrowser];
      await demo(first);
      await demo(second);
      const session = (name: string) => ({
        ...{ id: name, hash: name.repeat(64), epoch: 1, address: '', userAgent: '' },
        ...{ createdAt: own.hub.now(), expiresAt: (own.hub.now() + 1_000) as never },
      });
      const more = (name: string) => {
        const demo = { device: undefined, nickname: name, referralCode: name, language: 'en' as const };
        return store.begin({ ...demo, network: 'elsewhere', session: session(name) }, bounds);
      };
      expect(await more('a')).toMatchObject({ ok: false, code: 'full' });
      own.hub.advance(3_600_001);
      await second.call('x/demo/Funds', {});
      const made = await more('b');
      expect(made).toMatchObject({ ok: true, value: { over: { user: first.tid } } });
      expect(await more('c')).toMatchObject({ ok: false, code: 'full' });
      expect((await demo(third)).tid).not.toBe(first.tid);
    } finally {
      await own.hub.close();
    }
  });

  test('of one network is bounded as well: only its own end for its newcomers, and others still have room', async () => {
    const own = await SecurityWorld.start();
    try {
      const store = demoStore(own.hub.database.database);
      const more = async (name: string, network: string) => {
        const session = {
          ...{
            id: name,
            hash: Buffer.from(name).toString('hex').padEnd(64, '0'),
            epoch: 1,
            address: '',
            userAgent: '',
          },
          ...{ createdAt: own.hub.now(), expiresAt: (own.hub.now() + 1_000) as never },
        };
        const demo = { device: undefined, nickname: name, referralCode: name, language: 'en' as const };
        const bounds = { aliveMax: 10, perNetworkMax: 2, idleMillisMin: 3_600_000 };
        const made = await store.begin({ ...demo, network, session }, bounds);
        return made.ok ? made.value : made.code;
      };
      const others = await more('o1', 'other');
      const first = await more('a1', 'greedy');
      own.hub.advance(1_000);
      await more('a2', 'greedy');
      expect(await more('a3', 'greedy')).toBe('full');
      expect(await more('o2', 'other')).toMatchObject({ over: undefined });
      own.hub.advance(3_600_001);
      // The other network's first demo is idle for longer, and stays.
      expect(await more('a4', 'greedy')).toMatchObject({
        over: { user: (first as { user: number }).user },
      });
      expect(await more('o3', 'third')).toMatchObject({ over: undefined });
      expect((others as { user: number }).user).toBeGreaterThan(0);
    } finally {
      await own.hub.close();
    }
  });

  test.each([
    [1, 100],
    [3, 300],
    [10_000, 500],
  ])('of one network with a factor of %i is %i', (factor, most) => {
    expect(demosPerNetworkMax(factor)).toBe(most);
  });

  test('that comes back keeps two sessions, and comes back sixty times an hour from one network', async () => {
    const own = await SecurityWorld.start({ ADDRESS_LIMIT_FACTOR: '1' });
    try {
      const browser = await demo(own.hub.visitor());
      const count = async () =>
        (
          await own.hub.database.owner.query<{ n: number }>(
            'select count(*)::int as n from sessions where member = $1 and ended_at is null',
            [browser.tid ?? 0],
          )
        )[0]?.n;
      const first = Object.assign(own.hub.visitor(), { cookie: browser.cookie, stoken: browser.stoken });
      for (let returns = 0; returns < 3; returns += 1) {
        own.hub.advance(1_000);
        // Without the cookie of its session, so that nothing but the bound ends it.
        browser.cookie = undefined;
        expect((await start(browser)).code).toBe(SUCCESS);
      }
      expect(await count()).toBe(2);
      expect((await first.call('security/userinfo', {})).code).toBe(TOKEN_INVALID);
      expect((await browser.call('security/userinfo', {})).code).toBe(SUCCESS);
      await own.hub.database.owner.query(
        `update budgets set used = 60 where key like 'demoReturnsPerAddress:%'`,
      );
      expect((await start(browser)).code).toBe(1003);
      expect(await count()).toBe(2);
    } finally {
      await own.hub.close();
    }
  });

  test('falls by those that nobody looked into for a week; their sessions end', async () => {
    const browser = await demo();
    const other = await demo();
    world.hub.advance(4 * 86_400_000);
    await other.call('x/demo/Funds', {});
    world.hub.advance(3 * 86_400_000 + 1);
    await world.hub.hub.accounts.store.sweep(world.hub.now());
    expect((await row(browser.tid))?.demo_ended_at).not.toBeNull();
    expect((await row(other.tid))?.demo_ended_at).toBeNull();
    expect((await browser.call('security/userinfo', {})).code).toBe(TOKEN_INVALID);
    const former = browser.tid;
    expect((await demo(browser)).tid).not.toBe(former);
  });

  test('is five a network and hour, a hundred and twenty an hour in all, and nobody’s who comes back', async () => {
    const hub = await startTestHub({ environment: { ADDRESS_LIMIT_FACTOR: '1' } });
    try {
      const known = hub.visitor();
      for (const browser of [known, hub.visitor(), hub.visitor(), hub.visitor(), hub.visitor()]) {
        expect((await start(browser)).code).toBe(SUCCESS);
      }
      expect((await start(hub.visitor())).code).toBe(1003);
      expect((await start(known)).code).toBe(SUCCESS);
      const { owner } = hub.database;
      await owner.query(`update budgets set used = 120 where key like 'demos:%'`);
      await owner.query(`delete from budgets where key like 'demosPerAddress:%'`);
      expect((await start(hub.visitor())).code).toBe(1003);
      expect((await hub.member()).tid).toBeGreaterThan(0);
    } finally {
      await hub.close();
    }
  });
});

test('where there is no outbox the calls answer as an unknown name does', async () => {
  const hub = await startTestHub({ environment: { OUTBOX: '0' } });
  try {
    const browser = hub.visitor();
    const unknown = await browser.form('/api/x/demo/Nothing', { sosflag: '3' });
    for (const name of ['Start', 'Funds', 'Keep']) {
      const answer = await browser.form(`/api/x/demo/${name}`, { sosflag: '3', captcha: 'x' });
      expect(answer.envelope).toEqual(unknown.envelope);
      expect(answer.envelope.code).toBe(UNKNOWN_CALL);
    }
  } finally {
    await hub.close();
  }
});
