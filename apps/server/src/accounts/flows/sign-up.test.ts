import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { startTestHub, TEST_PASSWORD } from '../../main/testing.ts';
import { grantKolCode } from '../../storage/stores/members/referral-store.ts';

const hub = openedOnce(startTestHub);

const SUCCESS = 1;

async function count(table: string): Promise<number> {
  const rows = await hub.database.owner.query<{ n: string }>(`select count(*) as n from ${table}`);
  return Number(rows[0]?.n);
}

describe('signing up', () => {
  test('a verified address becomes a logged-in member with a referral code of its own', async () => {
    const browser = await hub.member('Ada@Example.org');
    const info = await browser.call('security/userinfo', {});
    expect(info.code).toBe(SUCCESS);
    expect(info.data).toMatchObject({
      tid: browser.tid,
      memberId: String(browser.tid),
      email: 'ada@example.org',
      tkropen: false,
      googleAuth: false,
      kycStatus: 'none',
      ip: '127.0.0.1',
      lastLogin: hub.now(),
    });
    expect(info.data?.referralCode).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
  });

  test('ends the session that the browser had before, and its live connections', async () => {
    const browser = await hub.member();
    const former = hub.visitor();
    former.cookie = browser.cookie;
    former.stoken = browser.stoken;
    const ended: string[] = [];
    const stop = hub.hub.accounts.events.onEnd((end) => ended.push(end.sessionId));
    const email = 'second@example.org';
    const fields = { email, password: TEST_PASSWORD, agree: 'true' } as const;
    const flow = await browser.flowFor(email);
    expect((await browser.call('user/usernew', { ...fields, flow: 'forged' })).code).toBe(2009);
    expect((await former.call('security/userinfo', {})).code).toBe(SUCCESS);
    expect((await browser.call('user/usernew', { ...fields, flow })).code).toBe(SUCCESS);
    stop();
    expect(ended).toHaveLength(1);
    expect((await former.call('security/userinfo', {})).code).toBe(-2);
  });

  test('the code of another member is kept for ever, in any letter case; an unknown one is refused', async () => {
    const referrer = await hub.member();
    const info = await referrer.call('security/userinfo', {});
    const friend = await hub.member(undefined, {
      referralCode: info.data?.referralCode.toLowerCase() ?? '',
    });
    const rows = await hub.database.owner.query<{ referred_by: number }>(
      'select referred_by from members where id = $1',
      [friend.tid ?? 0],
    );
    expect(rows[0]?.referred_by).toBe(referrer.tid);
    const rewards = await referrer.call('invite/namuinvitereward', {});
    expect(rewards.data).toMatchObject({
      invitees: 1,
      rows: [{ invitee: 'Tr***', kind: 'self', state: 'invited' }],
    });
    const grant = { member: referrer.tid ?? 0, code: 'BRIGHTSTAR', rateBps: 3_000, at: hub.now() };
    await grantKolCode(hub.database.owner, { ...grant, operator: 'ann', reason: 'known for charts' });
    await hub.member(undefined, { referralCode: 'brightstar' });
    const known = await referrer.call('invite/namuinvitereward', { limit: 1 });
    expect(known.data).toMatchObject({ invitees: 2, kol: { rate: '0.3' }, rows: [{ kind: 'kol' }] });
    expect((await referrer.call('security/userinfo', {})).data?.kolReferralCode).toBe('BRIGHTSTAR');
    await expect(hub.member('nobody@example.org', { referralCode: 'NOSUCHCD' })).rejects.toThrow(/referral/);
  });

  const good = { password: TEST_PASSWORD, agree: 'true' as const };
  test.each([
    ['an address without domain', { email: 'ada@' }, 2002],
    ['a password without number', { password: 'Abcdefg!' }, 2003],
    ['a password without uppercase letter', { password: 'abcdef1!' }, 2003],
    ['a password without lowercase letter', { password: 'ABCDEF1!' }, 2003],
    ['a password without special character', { password: 'Abcdefg1' }, 2003],
    ['a password of five characters', { password: 'Ab1!x' }, 2003],
    ['no agreement', { agree: 'false' as const }, 2004],
    ['an unknown country', { country: 'QQ' }, 1001],
    ['a forged flow', { flow: `${'a'.repeat(36)}.forged` }, 2009],
    ['a flow of nonsense', { flow: "'; drop table members; --" }, 2009],
  ])('%s is refused and makes nobody', async (claim, fields, code) => {
    const browser = hub.visitor();
    const email = `${claim.replaceAll(' ', '-')}@example.org`;
    const flow = await browser.flowFor(email);
    const before = await count('members');
    const answer = await browser.call('user/usernew', { email, flow, ...good, ...fields });
    expect(answer.code).toBe(code);
    expect(answer.data).toBeNull();
    expect(await count('members')).toBe(before);
    expect(browser.cookie).toBeUndefined();
  });

  test('a flow belongs to one address, to 30 minutes, and to one registration', async () => {
    const browser = hub.visitor();
    const flow = await browser.flowFor('owner@example.org');
    const other = await browser.call('user/usernew', { email: 'thief@example.org', flow, ...good });
    expect(other.code).toBe(2009);
    hub.advance(30 * 60_000);
    expect((await browser.call('user/usernew', { email: 'owner@example.org', flow, ...good })).code).toBe(
      2009,
    );
    const fresh = await browser.flowFor('owner@example.org');
    const twice = await Promise.all(
      Array.from({ length: 8 }, () =>
        browser.call('user/usernew', { email: 'owner@example.org', flow: fresh, ...good }),
      ),
    );
    expect(twice.map(({ code }) => code)).toEqual(twice.map(() => SUCCESS));
    expect(new Set(twice.map(({ data }) => data?.token)).size).toBe(1);
    const another = { email: 'owner@example.org', flow: fresh, ...good, country: 'JP' };
    expect((await browser.call('user/usernew', another)).code).toBe(2009);
  });

  test('an address that has an account gets a mail that says so, the asker sees no difference', async () => {
    await hub.member('known@example.org');
    const browser = hub.visitor();
    const ask = async (target: string) =>
      browser.call('sms/sms', { target, purpose: 'register', captcha: await browser.captcha() });
    expect(await ask('known@example.org')).toEqual(await ask('unknown@example.org'));
    const response = await fetch(`${hub.url}/dev/outbox.json?to=known%40example.org`);
    const mails = (await response.json()) as { subject: string; body: string }[];
    expect(mails[0]?.subject).toContain('already has an account');
    expect(mails[0]?.body).not.toMatch(/\d{4}/);
  });

  test('mails are written in the language of the page', async () => {
    const browser = hub.visitor();
    browser.headers.language = 'ja';
    await browser.call('sms/sms', {
      target: 'nihon@example.org',
      purpose: 'register',
      captcha: await browser.captcha(),
    });
    const response = await fetch(`${hub.url}/dev/outbox.json?to=nihon%40example.org`);
    expect(((await response.json()) as { subject: string }[])[0]?.subject).toContain('認証コード');
  });
});
