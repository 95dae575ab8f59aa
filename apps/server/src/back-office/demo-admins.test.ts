import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const RATE_LIMITED = 1003;
const ADDRESSES = ['203.0.113.77', '2001:db8:1:2::77', '::ffff:198.51.100.9'];
const AGENT = 'Mozilla/5.0 (of somebody else)';

let world: OfficeWorld;
let maker: AdminBrowser;
let checker: AdminBrowser;
let member: number;
beforeAll(async () => {
  world = await OfficeWorld.start({ ADDRESS_LIMIT_FACTOR: '1' });
  [maker, checker] = [world.stranger(), world.stranger()];
  expect(await maker.begin('x/admin/Demo', { as: 'maker' })).toBe(SUCCESS);
  expect(await checker.begin('x/admin/Demo', { as: 'checker' })).toBe(SUCCESS);
  member = (await world.hub.member('visitor@example.org')).tid ?? 0;
});
afterAll(() => world.hub.close());

test('of the sessions and acts of others a demo admin sees a wide network, and no user agent', async () => {
  const { owner } = world.hub.database;
  for (const address of ADDRESSES) {
    await owner.query(
      `insert into audit_log (at, actor_kind, actor, address, call, subject, outcome, reason, details)
       values (1, 'member', '1', $1, 'a/call', 'somebody', 'ok', '', '{}')`,
      [address],
    );
  }
  const { browser: auditor } = await world.admin(['auditor']);
  const filter = { by: 'subject', value: 'somebody' } as const;
  const seen = async (browser: AdminBrowser) => {
    const sessions: { readonly address: string; readonly userAgent: string }[] = [];
    for (const address of ADDRESSES) {
      await owner.query('update sessions set address = $2, user_agent = $3 where member = $1', [
        ...[member, address, AGENT],
      ]);
      sessions.push(...(await browser.must('x/admin/MemberView', { member })).sessions);
    }
    const { rows } = await browser.must('x/admin/AuditSearch', filter);
    return {
      sessions: sessions.map(({ address, userAgent }) => [address, userAgent]),
      acts: rows.map(({ address }) => address).toReversed(),
    };
  };
  expect(await seen(auditor)).toEqual({
    sessions: ADDRESSES.map((address) => [address, AGENT]),
    acts: ADDRESSES,
  });
  const wide = ['203.0.0.0/16', '2001:db8:1::/48', '0:0:0::/48'];
  for (const browser of [maker, checker]) {
    expect(await seen(browser)).toEqual({ sessions: wide.map((network) => [network, '']), acts: wide });
  }
});

test('a demo admin reads the address of no other admin who asked or decided', async () => {
  const { browser: support, email } = await world.admin(['support']);
  const { browser: admin, email: decider } = await world.admin(['admin']);
  const kol = { member, code: 'MASKED9', rateBps: 500, reason: REASON };
  const { approval } = await support.must('x/admin/MemberKol', kol);
  await admin.must('x/admin/Refuse', { approval, reason: REASON });
  const named = async (browser: AdminBrowser) => {
    const { rows } = await browser.must('x/admin/Approvals', {});
    const { maker, checker } = rows.find(({ id }) => id === approval) ?? {};
    return { maker, checker };
  };
  expect(await named(support)).toEqual({ maker: email, checker: decider });
  expect(await named(checker)).toEqual({ maker: 'a***@e***.org', checker: 'a***@e***.org' });
});

test('nor of who wrote a text', async () => {
  const { browser: writer, email } = await world.admin(['support']);
  const text = { kind: 'announcement', slug: 'by-somebody' } as const;
  await writer.must('x/admin/ContentDraft', {
    ...{ ...text, revision: 0, base: 0, lang: 'en', title: 'T', summary: '', body: 'B', position: 0 },
    ...{ withdrawn: false, reason: REASON },
  });
  expect((await writer.must('x/admin/ContentView', text)).draft?.author).toBe(email);
  expect((await maker.must('x/admin/ContentView', text)).draft?.author).toBe('a***@e***.org');
});

test('demo admins of a network change twenty things an hour between them; a real admin has no such bound', async () => {
  const end = { member, reason: REASON };
  for (let made = 0; made < 20; made += 1) {
    const browser = made % 2 === 0 ? maker : checker;
    expect((await browser.call('x/admin/MemberEndSessions', end)).code).toBe(SUCCESS);
  }
  expect((await maker.call('x/admin/MemberEndSessions', end)).code).toBe(RATE_LIMITED);
  expect((await checker.call('x/admin/MemberEndSessions', end)).code).toBe(RATE_LIMITED);
  expect((await maker.call('x/admin/MemberSearch', {})).code).toBe(SUCCESS);
  const { browser: support } = await world.admin(['support']);
  expect((await support.call('x/admin/MemberEndSessions', end)).code).toBe(SUCCESS);
});
