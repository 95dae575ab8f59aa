import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type PlayedProxy,
  playedProxy,
  startTestHub,
  TEST_PASSWORD,
  type TestHub,
} from '../../main/testing.ts';
import { TRUST_LIFE_MILLIS } from './devices.ts';

let proxy: PlayedProxy;
let hub: TestHub;
beforeAll(async () => {
  proxy = await playedProxy();
  hub = await startTestHub({ environment: { ...proxy.environment, ADDRESS_LIMIT_FACTOR: '1000' } });
});
afterAll(() => hub.close());

const SUCCESS = 1;
const NETWORK = '198.51.100.7';

type Browser = ReturnType<PlayedProxy['visitor']>;

async function ask(browser: Browser, target: string): Promise<number> {
  const captcha = await browser.captcha();
  return (await browser.call('sms/sms', { target, purpose: 'register', captcha })).code;
}

async function check(browser: Browser, target: string, code: string): Promise<number> {
  return (await browser.call('user/checkcode', { target, purpose: 'register', code })).code;
}

async function member(email: string, address = NETWORK): Promise<Browser> {
  const browser = proxy.visitor(address);
  const flow = await browser.flowFor(email);
  const made = await browser.call('user/usernew', { email, password: TEST_PASSWORD, agree: 'true', flow });
  expect(made.code).toBe(SUCCESS);
  return browser;
}

/** A program that plays a browser's cookie. */
function withDevice(device: string | undefined, address = NETWORK): Browser {
  const browser = proxy.visitor(address);
  browser.device = device;
  return browser;
}

describe('the device cookie', () => {
  test('comes with the first captcha, is hidden from scripts and other sites, and is not what is stored', async () => {
    const browser = proxy.visitor(NETWORK);
    const { headers } = await browser.form('/api/pub/getcaptcha', { sosflag: '3' });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-did=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
    const again = await browser.form('/api/pub/getcaptcha', { sosflag: '3' });
    expect(again.headers.getSetCookie()).toEqual([]);
    const owner = await member('stored-device@example.org');
    const rows = await hub.database.owner.query('select * from devices');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(owner.device);
  });

  test('binds a code to the browser that asked: not to its network, and to no neighbour', async () => {
    const target = 'bound@example.org';
    const browser = proxy.visitor(NETWORK);
    await ask(browser, target);
    const code = await browser.codeOf(target);
    const neighbour = proxy.visitor(NETWORK);
    await neighbour.captcha();
    expect(await check(neighbour, target, code)).toBe(2005);
    browser.headers['x-forwarded-for'] = '203.0.113.5';
    expect(await check(browser, target, code)).toBe(SUCCESS);
  });

  test('is replaced at each log-in, and what was asked for before goes on', async () => {
    const email = 'renewed@example.org';
    const browser = await member(email);
    const before = browser.device;
    const target = 'other-tab@example.org';
    await ask(browser, target);
    const code = await browser.codeOf(target);
    await browser.logIn(email);
    expect(browser.device).not.toBe(before);
    expect(await check(withDevice(before), target, code)).toBe(2005);
    expect(await check(browser, target, code)).toBe(SUCCESS);
  });

  test('that was planted asks for nothing in the name of who logs in with it', async () => {
    const planted = proxy.visitor('203.0.113.66');
    await planted.captcha();
    const email = 'victim@example.org';
    const victim = proxy.visitor(NETWORK);
    victim.device = planted.device;
    const flow = await victim.flowFor(email);
    await victim.call('user/usernew', { email, password: TEST_PASSWORD, agree: 'true', flow });
    expect(victim.device).not.toBe(planted.device);
    await ask(victim, 'next@example.org');
    const code = await victim.codeOf('next@example.org');
    expect(await check(planted, 'next@example.org', code)).toBe(2005);
    const trusts = await hub.database.owner.query<{ n: string }>(
      `select count(*) as n from device_trusts t join members m on m.id = t.member where m.email = $1`,
      [email],
    );
    expect(trusts[0]?.n).toBe('1');
  });

  test('of a member is stopped by its own wrong passwords only, and only there', async () => {
    const email = 'two-places@example.org';
    const one = await member(email);
    const two = proxy.visitor(NETWORK);
    expect((await two.logIn(email)).code).toBe(SUCCESS);
    const answers: number[] = [];
    for (let count = 0; count < 12; count += 1) answers.push((await one.logIn(email, 'Wrong-horse-7')).code);
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 2007), 1003, 1003]);
    expect((await one.logIn(email)).code).toBe(1003);
    expect((await two.logIn(email)).code).toBe(SUCCESS);
    hub.advance(15 * 60_000);
    expect((await one.logIn(email)).code).toBe(SUCCESS);
  });

  test('is trusted for ninety days from the last log-in', async () => {
    const email = 'ninety@example.org';
    const browser = await member(email);
    const trusted = async () => hub.hub.accounts.store.devices.isTrusted(email, await deviceId(), hub.now());
    const deviceId = async () => {
      const rows = await hub.database.owner.query<{ device: string }>(
        'select device from device_trusts t join members m on m.id = t.member where m.email = $1',
        [email],
      );
      return rows[0]?.device ?? '';
    };
    hub.advance(TRUST_LIFE_MILLIS - 1);
    expect(await trusted()).toBe(true);
    await browser.logIn(email);
    hub.advance(TRUST_LIFE_MILLIS - 1);
    expect(await trusted()).toBe(true);
    hub.advance(1);
    expect(await trusted()).toBe(false);
  });
});
