import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { startTestHub, TEST_PASSWORD } from '../../main/testing.ts';
import { SEEN_EVERY_MILLIS, SESSION_LIFE_MILLIS } from './sessions.ts';

const hub = openedOnce(startTestHub);

const SUCCESS = 1;

async function count(table: string): Promise<number> {
  const rows = await hub.database.owner.query<{ n: string }>(`select count(*) as n from ${table}`);
  return Number(rows[0]?.n);
}

describe('logging in and out', () => {
  test('logging in answers a token, and logging out ends the session at once and empties the cache', async () => {
    const browser = await hub.member('inout@example.org');
    expect((await browser.logIn('InOut@example.org ')).code).toBe(SUCCESS);
    const ended: string[] = [];
    const stop = hub.hub.accounts.events.onEnd((end) => ended.push(end.sessionId));
    const { cookie, stoken } = browser;
    const out = await browser.form('/api/user/layout', { sosflag: '3', stoken: stoken ?? '' });
    expect(out.envelope.code).toBe(SUCCESS);
    expect(out.headers.get('clear-site-data')).toBe('"cache"');
    stop();
    expect(browser.cookie).toBeUndefined();
    expect(ended).toHaveLength(1);
    browser.cookie = cookie;
    browser.stoken = stoken;
    expect((await browser.call('security/userinfo', {})).code).toBe(-2);
  });

  test('a login rotates the session: the one before ends, and a chosen cookie is not adopted', async () => {
    const browser = await hub.member('rotate@example.org');
    const before = { cookie: browser.cookie, stoken: browser.stoken };
    await browser.logIn('rotate@example.org');
    expect(browser.cookie).not.toBe(before.cookie);
    expect(browser.stoken).not.toBe(before.stoken);
    const old = hub.visitor();
    old.cookie = before.cookie;
    old.stoken = before.stoken;
    expect((await old.call('security/userinfo', {})).code).toBe(-2);
    const fixed = hub.visitor();
    fixed.cookie = 'A'.repeat(43);
    await fixed.logIn('rotate@example.org');
    expect(fixed.cookie).not.toBe('A'.repeat(43));
  });

  test('the cookie is hidden from scripts and from other sites, and is not what is stored', async () => {
    await hub.member('cookie@example.org');
    const browser = hub.visitor();
    const raw = await browser.form('/api/user/login', {
      sosflag: '3',
      account: 'cookie@example.org',
      password: TEST_PASSWORD,
      captcha: await browser.captcha(),
    });
    expect(raw.headers.getSetCookie()[0]).toMatch(
      /^sid=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=432000; HttpOnly; SameSite=Strict$/,
    );
    const rows = await hub.database.owner.query('select * from sessions');
    expect(JSON.stringify(rows)).not.toContain(browser.cookie);
    expect(JSON.stringify(raw.envelope)).not.toContain(browser.cookie);
  });

  test('cookie alone, stoken alone, and halves of two sessions are all -2', async () => {
    const one = await hub.member();
    const two = await hub.member();
    const cases = [
      { cookie: one.cookie, stoken: undefined },
      { cookie: undefined, stoken: one.stoken },
      { cookie: one.cookie, stoken: two.stoken },
      { cookie: two.cookie, stoken: one.stoken },
      { cookie: `${one.cookie}; sid=${one.cookie}`, stoken: one.stoken },
      { cookie: one.cookie, stoken: `${one.stoken}x` },
      { cookie: one.cookie, stoken: 'x'.repeat(5_000) },
      { cookie: 'x', stoken: one.stoken },
    ];
    for (const half of cases) {
      const browser = hub.visitor();
      browser.cookie = half.cookie;
      browser.stoken = half.stoken;
      const answer = await browser.call('security/userinfo', {});
      expect(answer).toMatchObject({ code: -2, data: null });
    }
    expect((await one.call('security/userinfo', {})).code).toBe(SUCCESS);
  });

  test('a session ends five days after login, however much it was used', async () => {
    const browser = await hub.member();
    for (let day = 0; day < 4; day += 1) {
      hub.advance(86_400_000);
      expect((await browser.call('security/userinfo', {})).code).toBe(SUCCESS);
    }
    hub.advance(SESSION_LIFE_MILLIS - 4 * 86_400_000 - 1);
    expect((await browser.call('security/userinfo', {})).code).toBe(SUCCESS);
    hub.advance(1);
    expect((await browser.call('security/userinfo', {})).code).toBe(-2);
  });

  test('an unknown account and a wrong password answer alike', async () => {
    await hub.member('real@example.org');
    const wrong = await hub.visitor().logIn('real@example.org', 'Wrong-horse-7');
    const unknown = await hub.visitor().logIn('unreal@example.org', 'Wrong-horse-7');
    const nonsense = await hub.visitor().logIn('not an address', 'Wrong-horse-7');
    expect(wrong).toMatchObject({ code: 2007, data: null });
    expect(unknown).toEqual(wrong);
    expect(nonsense).toEqual(wrong);
  });

  test('and ask the database equally often', async () => {
    await hub.member('counted@example.org');
    /** A connection is taken once for a statement by itself, once for a transaction. */
    const asked = async (email: string): Promise<number> => {
      const browser = hub.visitor();
      const captcha = await browser.captcha(email);
      const { pool } = hub.database.database;
      let taken = 0;
      const take = () => {
        taken += 1;
      };
      pool.on('acquire', take);
      await browser.call('user/login', { account: email, password: 'Wrong-horse-7', captcha });
      pool.off('acquire', take);
      return taken;
    };
    const known = await asked('counted@example.org');
    expect(known).toBeGreaterThan(2);
    expect(await asked('uncounted@example.org')).toBe(known);
  });

  test('ten wrong passwords stop their sender for a quarter of an hour, of a known account or not', async () => {
    await hub.member('locked@example.org');
    for (const email of ['locked@example.org', 'nobody-here@example.org']) {
      const answers = await Promise.all(
        Array.from({ length: 14 }, () => hub.visitor().logIn(email, 'Wrong-horse-7')),
      );
      expect(answers.filter((answer) => answer.code === 2007)).toHaveLength(10);
      expect(answers.filter((answer) => answer.code === 1003)).toHaveLength(4);
    }
    expect((await hub.visitor().logIn('locked@example.org')).code).toBe(1003);
    hub.advance(15 * 60_000);
    expect((await hub.visitor().logIn('locked@example.org')).code).toBe(SUCCESS);
  });

  test('members never see each other', async () => {
    const one = await hub.member();
    const two = await hub.member();
    const [first, second] = await Promise.all([
      one.call('security/userinfo', {}),
      two.call('security/userinfo', {}),
    ]);
    expect(first.data?.tid).toBe(one.tid);
    expect(second.data?.tid).toBe(two.tid);
  });

  test('Korean without the flag gives English', async () => {
    const browser = await hub.member();
    browser.headers.language = 'ko';
    expect((await browser.call('common/country', {})).data?.some((row) => row.name === 'Japan')).toBe(true);
  });
});

test('sweeping deletes what has expired and keeps what lives', async () => {
  const browser = await hub.member();
  await hub.visitor().call('sms/sms', {
    target: 'sweep@example.org',
    purpose: 'register',
    captcha: await browser.captcha(),
  });
  await hub.hub.accounts.store.sweep(hub.now());
  expect((await browser.call('security/userinfo', {})).code).toBe(SUCCESS);
  expect(await count('verification_codes')).toBeGreaterThan(0);
  hub.advance(40 * 86_400_000);
  await hub.hub.accounts.store.sweep(hub.now());
  for (const table of ['verification_codes', 'budgets', 'used_captchas', 'sessions']) {
    expect(await count(table), table).toBe(0);
  }
  expect(await count('members')).toBeGreaterThan(0);
});

test('the list says when each session was used last, to five minutes: one write for a session and that time, however much it asks', async () => {
  const browser = await hub.member('seen@example.org');
  const { owner } = hub.database;
  await owner.query('create table session_writes (id text)');
  await owner.query(
    `create function session_written() returns trigger language plpgsql security definer as
     'begin insert into session_writes values (new.id); return new; end'`,
  );
  await owner.query(
    'create trigger session_written after update of seen_at on sessions for each row execute function session_written()',
  );
  const seenAt = async (): Promise<number | undefined> =>
    (await browser.call('x/account/Sessions', {})).data?.find(({ current }) => current)?.seenAt;
  const asks = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) await Promise.all([seenAt(), seenAt()]);
  };
  const loggedInAt = hub.now();
  await asks(5);
  expect(await seenAt()).toBe(loggedInAt);
  expect(await count('session_writes')).toBe(0);
  for (const writes of [1, 2, 3]) {
    hub.advance(SEEN_EVERY_MILLIS);
    await asks(10);
    expect(await seenAt()).toBe(hub.now());
    // Beyond what a remembered session is read again after.
    hub.advance(SEEN_EVERY_MILLIS - 1);
    await asks(10);
    hub.advance(1 - SEEN_EVERY_MILLIS);
    expect(await count('session_writes')).toBe(writes);
  }
  // A cookie without its token is no use of the session.
  const { stoken } = browser;
  hub.advance(SEEN_EVERY_MILLIS);
  browser.stoken = 'x'.repeat(22);
  expect((await browser.call('x/account/Sessions', {})).code).toBe(-2);
  browser.stoken = stoken;
  expect(await count('session_writes')).toBe(3);
});
