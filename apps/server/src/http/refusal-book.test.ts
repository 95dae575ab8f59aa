import type { Millis, UserId } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { openedForEach } from '../../../../tests/opened.ts';
import { startTestHub, TEST_PASSWORD } from '../main/testing.ts';
import { type RefusalRow, refusalBook } from './refusal-book.ts';

const WRONG = { ok: false, code: { error: 'login-failed' } } as const;
const HOUR = 3_600_000;

function open() {
  let now = 0;
  let down = false;
  const written: RefusalRow[] = [];
  const book = refusalBook({
    clock: () => now as Millis,
    steady: () => now,
    async append(rows) {
      if (down) throw new Error('away');
      written.push(...rows);
    },
  });
  const from = (address: string, call = 'user/login') => book.note(WRONG, { call, requestId: '1', address });
  return {
    ...{ book, written, from },
    advance: (millis: number) => {
      now += millis;
    },
    away: (is: boolean) => {
      down = is;
    },
    calls: () => written.map(({ call }) => call),
  };
}

describe('what is refused, on its way into the audit log', () => {
  test('three rows an hour of a kind and sender, and one that says how many more there were', async () => {
    const { book, written, from, advance } = open();
    for (let round = 0; round < 10_000; round += 1) from('203.0.113.9');
    await book.write();
    expect(written).toHaveLength(3);
    advance(300_000);
    await book.write();
    await book.write();
    expect(written.slice(3)).toEqual([
      {
        ...{ at: 300_000, actor: { kind: 'system', id: 'the door' }, call: 'refusals/more', outcome: 'ok' },
        details: { from: 0, until: 300_000, more: 9_997, kinds: { 'user/login login-failed': 9_997 } },
      },
    ]);
    advance(HOUR);
    from('203.0.113.9');
    await book.write();
    expect(written).toHaveLength(5);
  });

  test('twenty rows of a network however large, a hundred of all strangers, and members have rows of their own', async () => {
    const { book, written, from } = open();
    for (let host = 1; host < 500; host += 1) from(`2001:db8:1:2::${host.toString(16)}`, `user/call${host}`);
    await book.write();
    expect(written).toHaveLength(20);
    for (let host = 1; host < 500; host += 1) from(`198.51.${host >> 8}.${host & 255}`);
    await book.write();
    expect(written).toHaveLength(100);
    const event = { call: 'x/account/StepUp', requestId: '1', address: '203.0.113.1' };
    for (let member = 1; member < 1_000; member += 1) book.note(WRONG, { ...event, who: String(member) });
    await book.write();
    expect(written).toHaveLength(500);
    expect(written.at(-1)).toMatchObject({ actor: { kind: 'member', id: '400' } });
    await book.write(true);
    expect(written.at(-1)?.details).toMatchObject({ more: 479 + 420 - 1 + 599 });
  });

  test('kinds without end are told as fifty and the rest', async () => {
    const { book, written, from } = open();
    for (let call = 0; call < 200; call += 1) from('203.0.113.9', `user/call${call}`);
    await book.write(true);
    const details = written.at(-1)?.details as { readonly kinds: Record<string, number> } | undefined;
    const kinds = details?.kinds ?? {};
    expect(Object.keys(kinds)).toHaveLength(51);
    expect(kinds.others).toBe(200 - 20 - 50);
  });

  test('a database that is away loses none, and what it could not take is counted', async () => {
    const { book, written, from, advance, away, calls } = open();
    away(true);
    from('203.0.113.9');
    await expect(book.write()).rejects.toThrow('away');
    for (let hour = 0; hour < 30; hour += 1) {
      advance(HOUR);
      for (let host = 0; host < 100; host += 1) from(`198.51.100.${host}`);
      await expect(book.write()).rejects.toThrow('away');
    }
    away(false);
    await book.write(true);
    const rows = calls().filter((call) => call === 'user/login').length;
    const more = written.flatMap(({ details }) => (details as { more?: number } | undefined)?.more ?? []);
    expect(rows).toBeLessThanOrEqual(1_000);
    expect(rows + more.reduce((sum, one) => sum + one, 0)).toBe(3_001);
  });

  test.each([
    ['a request that is none', 'field-invalid', 0],
    ['a busy hub', 'busy', 0],
    ['an unknown text', 'content-unknown', 0],
    ['half a session', 'token-invalid', 1],
    ['a budget that is spent', 'rate-limited', 1],
    ['another site', 'origin-refused', 1],
    ['a grant', 'grant-invalid', 1],
    ['the lock on money', 'security-lock', 1],
    ['money that is not there', 'balance-insufficient', 1],
    ['the money gate', 'money-halted', 1],
  ] as const)('%s: %s makes %i rows', async (_what, error, rows) => {
    const { book, written } = open();
    book.note({ ok: false, code: { error } }, { call: 'a/call', requestId: '1', address: '203.0.113.9' });
    await book.write();
    expect(written).toHaveLength(rows);
  });

  test('what went well and what admins are refused has its rows elsewhere', async () => {
    const { book, written, from } = open();
    from('203.0.113.9', 'x/admin/LogIn');
    book.note({ ok: true, value: {} }, { call: 'user/login', requestId: '1', address: '203.0.113.9' });
    await book.write();
    expect(written).toEqual([]);
  });

  test('a stranger is told by his network and whom he tried at', async () => {
    const { book, written } = open();
    const outcome = { ...WRONG, about: 100_001 as UserId };
    book.note(outcome, { call: 'user/login', requestId: '1', address: '203.0.113.9' });
    await book.write();
    expect(written).toEqual([
      {
        ...{ at: 0, actor: { kind: 'anonymous', id: '' }, address: '203.0.113.9', call: 'user/login' },
        ...{ outcome: 'login-failed', subject: 'member 100001' },
      },
    ]);
  });
});

describe('in the hub', () => {
  const hub = openedForEach(startTestHub);
  const rows = () =>
    hub.database.owner.query<Record<string, string>>(
      `select actor_kind || ' ' || actor as who, call, subject, outcome from audit_log where outcome <> 'ok' order by id`,
    );

  test('wrong passwords, wrong codes, grants that are none and sessions that are over stand in the chain, and not what was typed', async () => {
    const ada = await hub.member('ada@example.org');
    const stranger = hub.visitor();
    expect((await stranger.logIn('ada@example.org', 'Wrong-horse-7')).code).toBe(2007);
    expect((await stranger.logIn('nobody@example.org', 'Wrong-horse-7')).code).toBe(2007);
    await stranger.call('sms/sms', {
      ...{ target: 'bob@example.org', purpose: 'register', captcha: await stranger.captcha() },
    });
    const wrong = (await stranger.codeOf('bob@example.org')) === '4711' ? '4712' : '4711';
    await stranger.call('user/checkcode', { target: 'bob@example.org', purpose: 'register', code: wrong });
    await ada.call('x/account/StepUp', { purpose: 'credentials', password: 'Wrong-horse-8' });
    await ada.call('x/account/EndOthers', { grant: 'made-up' });
    await hub.visitor().call('security/userinfo', {});
    expect(await rows()).toEqual([]);
    await hub.hub.audit.seal();
    const member = `member ${ada.tid}`;
    expect(await rows()).toEqual([
      { who: 'anonymous ', call: 'user/login', subject: member, outcome: 'login-failed' },
      { who: 'anonymous ', call: 'user/login', subject: '', outcome: 'login-failed' },
      { who: 'anonymous ', call: 'user/checkcode', subject: '', outcome: 'code-wrong' },
      { who: member, call: 'x/account/StepUp', subject: '', outcome: 'login-failed' },
      { who: member, call: 'x/account/EndOthers', subject: '', outcome: 'grant-invalid' },
      { who: 'anonymous ', call: 'security/userinfo', subject: '', outcome: 'token-invalid' },
    ]);
    const all = JSON.stringify(await hub.database.owner.query('select * from audit_log'));
    for (const typed of [TEST_PASSWORD, 'horse', 'ada@', 'nobody', 'bob@', `"${wrong}"`, 'made-up'])
      expect(all).not.toContain(typed);
    expect(await hub.hub.audit.verdict(0)).toMatchObject({ waiting: 0 });
  });

  test('a stranger who guesses on writes a bounded number of rows', async () => {
    const stranger = hub.visitor();
    for (let round = 0; round < 40; round += 1) await stranger.call('security/userinfo', {});
    await hub.hub.audit.seal();
    hub.advance(300_000);
    await hub.hub.audit.seal();
    const [more] = await hub.database.owner.query<{ details: object }>(
      `select details from audit_log where call = 'refusals/more'`,
    );
    expect(await rows()).toHaveLength(3);
    expect(more?.details).toMatchObject({ more: 37 });
  });
});
