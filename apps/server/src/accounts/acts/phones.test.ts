import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import type { TestBrowser } from '../../main/testing.ts';
import { contactOf, masked } from '../contacts.ts';
import { mailWriter } from '../mails.ts';
import { SECURITY_EVENTS } from '../security-mails.ts';
import { SecurityWorld, SUCCESS } from '../security-world.fixture.ts';

const world = openedOnce(() => SecurityWorld.start());

describe('a contact', () => {
  test.each([
    ['Ada@Example.org ', { kind: 'email', to: 'ada@example.org' }],
    ['+81 90-1234-5678', { kind: 'mobile', to: '+819012345678' }],
    ['+1 (212) 555 0100', { kind: 'mobile', to: '+12125550100' }],
    ['09012345678', undefined],
    ['+0123456789', undefined],
    ['+81', undefined],
    ['+1234567890123456', undefined],
    ['ada@', undefined],
    // Letters that lower case makes plain ones of: Kelvin, and a dotted capital I.
    ['bri\u212a@example.org', undefined],
    ['ada@\u212aexample.org', undefined],
    ['br\u0130@example.org', undefined],
    ['', undefined],
  ])('%j is read as %j', (typed, contact) => {
    expect(contactOf(typed)).toEqual(contact);
  });

  test('is shown in parts only', () => {
    expect(masked({ kind: 'email', to: 'ada@example.org' })).toBe('a***@e***.org');
    expect(masked({ kind: 'mobile', to: '+819012345678' })).toBe('+81******78');
  });

  test('a text message fits one message in each language', () => {
    const writer = mailWriter('A product with a long name of forty char');
    for (const language of ['en', 'ja', 'ko'] as const) {
      expect(writer.textMessage(language, '123456789012').length).toBeLessThanOrEqual(70);
    }
  });

  test.each(SECURITY_EVENTS)(
    '"%s" is told by text in each language, beside its link within two messages',
    (event) => {
      const writer = mailWriter('A product with a long name of forty char');
      for (const language of ['en', 'ja', 'ko'] as const) {
        const freezeLink = 'https://hub.example.org/freeze#AAAAAAAAAAAAAAAAAAAAAA';
        const text = writer.securityText(event, { language, freezeLink });
        expect(text.endsWith(` ${freezeLink}`)).toBe(true);
        expect(text.length - freezeLink.length).toBeLessThanOrEqual(134);
        expect(writer.securityText(event, { language })).not.toContain('http');
      }
    },
  );
});

describe('a mobile number', () => {
  const bind = (browser: TestBrowser, fields: object) =>
    browser.call('security/bindphone', { mobile: '+819000000001', flow: 'none', grant: 'none', ...fields });

  test('is bound by a code sent to it and a grant, shown in parts, and then logs in', async () => {
    const email = 'phone@example.org';
    const mobile = '+819000000001';
    const browser = await world.hub.member(email);
    const typed = '+81 90-0000-0001';
    const sent = await browser.call('usersms/usersms', { purpose: 'bind', channel: 'mobile', target: typed });
    expect(sent.data).toEqual({ validMinutes: 30, maskedTo: '+81******01' });
    const flow = await world.checked(browser, mobile, 'bind');
    expect((await bind(browser, { flow })).code).toBe(2029);
    const grant = await world.grant(browser);
    expect((await bind(browser, { grant })).code).toBe(2009);
    expect((await bind(browser, { mobile: '+819000000002', flow, grant })).code).toBe(2009);
    expect((await bind(browser, { mobile: '0900', flow, grant })).code).toBe(2011);
    const bound = await bind(browser, { mobile: typed, flow, grant });
    expect(bound.code).toBe(SUCCESS);
    browser.stoken = bound.data?.token;
    expect((await browser.call('security/userinfonew', {})).data?.mobile).toBe('+81******01');
    expect((await browser.call('security/userinfo', {})).data?.mobile).toBe(mobile);
    expect((await bind(browser, { flow, grant })).code).toBe(1001);
    expect(await world.hub.visitor().logIn(typed)).toMatchObject({ data: { tid: browser.tid } });
    expect((await world.hub.visitor().logIn(typed, 'Wrong-horse-7')).code).toBe(2007);
    expect((await world.hub.visitor().logIn('+819000000009')).code).toBe(2007);
    expect((await world.mails(email)).map(({ subject }) => subject)).toContainEqual(
      expect.stringContaining('mobile number was bound'),
    );
  });

  test('belongs to one member; that is told only to who has proved it', async () => {
    const mobile = '+819000000010';
    await world.bindMobile(await world.hub.member(), mobile);
    const other = await world.hub.member();
    await expect(world.bindMobile(other, mobile)).rejects.toThrow('already belongs');
  });

  test('changes by codes to the old and the new one, and the old one logs in no more', async () => {
    const [old, next] = ['+819000000020', '+819000000021'];
    const browser = await world.hub.member();
    const send = (fields: object) =>
      browser.call('usersms/usersms', { purpose: 'modify-old', channel: 'mobile', ...fields });
    expect((await send({})).code).toBe(2016);
    browser.headers.language = 'ja';
    expect((await send({})).msg).toBe('先に携帯電話番号を設定してください。');
    delete browser.headers.language;
    await world.bindMobile(browser, old);
    expect((await send({ purpose: 'modify-new', target: 'a@example.org' })).code).toBe(2011);
    await send({ purpose: 'modify-new', target: next });
    const flow = await world.checked(browser, next, 'modify-new');
    await send({});
    const oldFlow = await world.checked(browser, old, 'modify-old');
    const grant = await world.grant(browser);
    const change = (fields: object) =>
      browser.call('security/modifyphone', { mobile: next, flow, oldFlow, grant, ...fields });
    expect((await change({ oldFlow: flow })).code).toBe(2009);
    // A first number of who has no money yet locks nothing; another one does.
    const mayLeave = () => world.hub.hub.accounts.moneyOutAllowed(browser.tid as never);
    expect(await mayLeave()).toBeUndefined();
    const changed = await change({});
    expect(changed.code).toBe(SUCCESS);
    expect(await mayLeave()).toMatchObject({ error: 'security-lock' });
    expect((await world.hub.visitor().logIn(old)).code).toBe(2007);
    expect(await world.hub.visitor().logIn(next)).toMatchObject({ data: { tid: browser.tid } });
  });

  test('recovers no password of who has a mailbox: numbers are given to somebody else in time', async () => {
    const mobile = '+819000000030';
    await world.bindMobile(await world.hub.member(), mobile);
    const visitor = world.hub.visitor();
    const sent = await visitor.call('sms/sms', {
      ...{ target: mobile, purpose: 'recover' },
      captcha: await visitor.captcha(),
    });
    const alike = { target: '+819000000031', purpose: 'recover' } as const;
    expect(await visitor.call('sms/sms', { ...alike, captcha: await visitor.captcha() })).toEqual(sent);
    expect(await world.mails(mobile)).toHaveLength(1);
  });
});

describe('a lost authenticator', () => {
  async function lost(email: string, mobile: string | undefined) {
    const browser = await world.hub.member(email);
    const { secret } = await world.authenticator(browser);
    if (mobile !== undefined) await world.bindMobile(browser, mobile, secret);
    world.hub.advance(30_000);
    const visitor = world.hub.visitor();
    const { ticket } = await world.ticket(visitor, email);
    return { browser, visitor, ticket, secret };
  }

  async function reset(visitor: TestBrowser, ticket: string, [email, mobile]: readonly [string, string]) {
    const begun = await visitor.call('x/account/OtpResetBegin', { ticket });
    const codes = { emailCode: await visitor.codeOf(email), mobileCode: await visitor.codeOf(mobile) };
    return { begun, codes, finish: () => visitor.call('x/account/OtpResetFinish', { ticket, ...codes }) };
  }

  test('is not reset where no phone is bound', async () => {
    const { visitor, ticket } = await lost('no-phone@example.org', undefined);
    expect((await visitor.call('x/account/OtpResetBegin', { ticket })).code).toBe(2018);
  });

  test('counts no more a day after password, mailbox and phone were proved; money is locked for two', async () => {
    const [email, mobile] = ['lost-app@example.org', '+819000000040'] as const;
    const { visitor, ticket } = await lost(email, mobile);
    const { begun, codes, finish } = await reset(visitor, ticket, [email, mobile]);
    expect(begun.data?.maskedTo).toEqual(['l***@e***.org', '+81******40']);
    const stranger = world.hub.visitor();
    await stranger.captcha();
    expect((await stranger.call('x/account/OtpResetFinish', { ticket, ...codes })).code).toBe(2009);
    const mixed = { emailCode: codes.mobileCode, mobileCode: codes.emailCode };
    if (codes.emailCode !== codes.mobileCode) {
      expect((await visitor.call('x/account/OtpResetFinish', { ticket, ...mixed })).code).toBe(2005);
    }
    expect((await finish()).data).toEqual({ waitHours: 24 });
    world.hub.advance(60_000);
    expect((await finish()).code).toBe(2009);
    const asks = async () => (await world.hub.visitor().logIn(email)).data;
    try {
      await world.moveDatabaseClock('23 hours 59 minutes');
      expect(await asks()).toMatchObject({ next: 'totp' });
      await world.moveDatabaseClock('24 hours 1 minute');
      expect(await asks()).toHaveProperty('tid');
      const again = world.hub.visitor();
      await again.logIn(email);
      const locked = async () => (await again.call('security/userinfonew', {})).data?.lockUntil ?? null;
      expect(await locked()).not.toBeNull();
      await world.moveDatabaseClock('47 hours 59 minutes');
      expect(await locked()).not.toBeNull();
      await world.moveDatabaseClock('48 hours 1 minute');
      expect(await locked()).toBeNull();
      const { secret } = await world.authenticator(again);
      expect(await asks()).toMatchObject({ next: 'totp' });
      expect(secret).toHaveLength(32);
    } finally {
      await world.moveDatabaseClock('0');
    }
  });

  test('is told once it is gone, with the link that freezes; who is frozen is told later', async () => {
    const [email, mobile] = ['told-gone@example.org', '+819000000060'] as const;
    const { browser, visitor, ticket } = await lost(email, mobile);
    const { finish } = await reset(visitor, ticket, [email, mobile]);
    expect((await finish()).data).toEqual({ waitHours: 24 });
    const gone = mailWriter('').securityText('otp-reset-done', { language: 'en' }).slice(2, -1);
    const mailed = async () => {
      await Promise.all([1, 2].map(() => world.hub.hub.accounts.store.sweep(world.hub.now())));
      return (await world.mails(email)).filter(({ body }) => body.includes(gone));
    };
    const freeze = (frozen: boolean) =>
      world.hub.database.owner.query(`update members set frozen_at = case when $2 then 1 end where id = $1`, [
        browser.tid ?? 0,
        frozen,
      ]);
    try {
      await world.moveDatabaseClock('23 hours 59 minutes');
      expect(await mailed()).toEqual([]);
      await world.moveDatabaseClock('24 hours 1 minute');
      await freeze(true);
      expect(await mailed()).toEqual([]);
      await freeze(false);
      const [letter, ...others] = await mailed();
      expect(letter?.body).toMatch(/\/freeze#[A-Za-z0-9_-]{22}\s/);
      expect(others).toEqual([]);
      expect(await mailed()).toHaveLength(1);
      expect((await world.hub.visitor().logIn(email)).data).toHaveProperty('tid');
      // What the reset has locked stays locked, and for no longer.
      const until = () => world.hub.hub.accounts.moneyOutAllowed(browser.tid as never);
      await world.moveDatabaseClock('47 hours 59 minutes');
      expect(await until()).toMatchObject({ error: 'security-lock' });
      await world.moveDatabaseClock('48 hours 1 minute');
      expect(await until()).toBeUndefined();
    } finally {
      await world.moveDatabaseClock('0');
    }
  });

  test.each(['the authenticator itself', 'a freeze'])('is reset no more once %s is seen', async (what) => {
    const email = `${what.replaceAll(' ', '-')}@example.org`;
    const mobile = what === 'a freeze' ? '+819000000050' : '+819000000051';
    const { visitor, ticket, secret } = await lost(email, mobile);
    const { finish } = await reset(visitor, ticket, [email, mobile]);
    expect((await finish()).code).toBe(SUCCESS);
    if (what === 'a freeze') {
      await world.ageFactors();
      const token = await world.freezeToken(email);
      const captcha = await visitor.captcha();
      expect((await visitor.call('x/account/Freeze', { token, captcha })).code).toBe(SUCCESS);
    } else {
      const totp = world.shows(secret);
      expect((await visitor.call('user/loginstep2', { ticket, totp })).code).toBe(SUCCESS);
    }
    try {
      await world.moveDatabaseClock('25 hours');
      expect((await world.hub.visitor().logIn(email)).data).toMatchObject({ next: 'totp' });
    } finally {
      await world.moveDatabaseClock('0');
    }
  });
});
