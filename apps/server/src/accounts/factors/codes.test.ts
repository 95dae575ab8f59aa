import { beforeAll, describe, expect, test } from 'vitest';
import { attacks } from '../../../../../tests/attack-sizes.ts';
import { openedOnce } from '../../../../../tests/opened.ts';
import { startTestHub, type TestBrowser } from '../../main/testing.ts';
import { budgetsStore } from '../../storage/stores/members/budgets-store.ts';
import { accountBudgets } from '../budgets.ts';
import { sha256Hex } from '../keyed-hash.ts';
import { CODE_TRIES_MAX } from './codes.ts';

const hub = openedOnce(startTestHub);

const SUCCESS = 1;
const HOUR = 3_600_000;

describe('captcha', () => {
  test('a solution works once', async () => {
    const browser = hub.visitor();
    const captcha = await browser.captcha();
    const ask = () => browser.call('user/accountexist', { account: 'x@example.org', captcha });
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    expect(answers.filter((answer) => answer.code === SUCCESS)).toHaveLength(1);
    expect(answers.filter((answer) => answer.code === 2001)).toHaveLength(9);
  });

  test('of a purpose works like any, and costs more only for a log-in', async () => {
    const account = 'gee@example.org';
    for (let count = 0; count < 5; count += 1) await hub.visitor().logIn(account, 'Wrong-horse-7');
    const work = async (purpose: 'login' | 'code') =>
      (await hub.visitor().call('sms/getgeecaptcha', { purpose, account })).data?.maxnumber ?? 0;
    expect(await work('login')).toBe(2 * (await work('code')));
  });

  test('a solution expires after ten minutes', async () => {
    const browser = hub.visitor();
    const captcha = await browser.captcha();
    hub.advance(10 * 60_000 + 1_000);
    expect((await browser.call('user/accountexist', { account: 'x@example.org', captcha })).code).toBe(2001);
  });

  test('a later expiry, another number or a foreign signature is refused', async () => {
    const browser = hub.visitor();
    const payload = JSON.parse(atob(await browser.captcha()));
    const forged = [
      { ...payload, salt: payload.salt.replace(/expires=\d+/, 'expires=9999999999') },
      { ...payload, salt: payload.salt.replace('class=0', 'class=3') },
      { ...payload, salt: payload.salt.replace('class=0', 'class=4') },
      { ...payload, number: payload.number + 1 },
      { ...payload, number: String(payload.number) },
      { ...payload, number: -1 },
      { ...payload, signature: '0'.repeat(64) },
      { ...payload, algorithm: 'SHA-1' },
      {},
      null,
      [],
    ];
    for (const value of forged) {
      const captcha = btoa(JSON.stringify(value));
      const answer = await browser.call('user/accountexist', { account: 'x@example.org', captcha });
      expect(answer.code, captcha).toBe(2001);
    }
    for (const captcha of ['%', 'x', '{}', 'a'.repeat(3_999)]) {
      const answer = await browser.call('user/accountexist', { account: 'x@example.org', captcha });
      expect(answer.code, captcha).toBe(2001);
    }
  });
});

describe('codes', () => {
  let sender: TestBrowser;
  beforeAll(async () => {
    sender = hub.visitor();
    await sender.captcha();
  });
  const check = (target: string, code: string) =>
    sender.call('user/checkcode', { target, purpose: 'register', code });
  const ask = async (target: string) =>
    sender.call('sms/sms', { target, purpose: 'register', captcha: await sender.captcha() });
  const budgets = () => accountBudgets(budgetsStore(hub.database.owner), 1);
  const wrongOf = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0');

  test('forty parallel guesses compare five times, whatever network each says to be of: the right code is then worth nothing', async () => {
    const target = 'brute@example.org';
    await ask(target);
    const code = await hub.visitor().codeOf(target);
    const fields = { target, purpose: 'register', code: wrongOf(code), sosflag: '3' };
    const guess = (n: number) =>
      sender.send('/api/user/checkcode', new URLSearchParams(fields), {
        'x-forwarded-for': `198.51.${(n >> 8) & 255}.${n & 255}`,
      });
    const answers: (number | undefined)[] = [];
    for (let wave = 0; answers.length < attacks(40, 10_000); wave += 1) {
      const sent = await Promise.all(Array.from({ length: 40 }, (_, n) => guess(wave * 40 + n)));
      answers.push(...sent.map(({ envelope }) => envelope.code));
    }
    expect(new Set(answers)).toEqual(new Set([2005]));
    const rows = await hub.database.owner.query<{ tries_left: number }>(
      'select tries_left from verification_codes where target = $1',
      [target],
    );
    expect(rows[0]?.tries_left).toBe(0);
    expect(await budgets().used('codeFailuresPerTarget', target, hub.now())).toBe(CODE_TRIES_MAX);
    expect((await check(target, code)).code).toBe(2005);
  });

  test('the fifth try may still be right, the sixth may not', async () => {
    const target = 'fifth@example.org';
    await ask(target);
    const code = await hub.visitor().codeOf(target);
    for (let round = 0; round < 4; round += 1) expect((await check(target, wrongOf(code))).code).toBe(2005);
    expect((await check(target, code)).code).toBe(SUCCESS);
    expect((await check(target, code)).code).toBe(2005);
  });

  test('only the newest code works, and none after 30 minutes', async () => {
    const target = 'newest@example.org';
    await ask(target);
    const first = await hub.visitor().codeOf(target);
    let second = first;
    // Two draws may be equal by chance; the third request of the hour is the last.
    for (let round = 0; round < 2 && second === first; round += 1) {
      await ask(target);
      second = await hub.visitor().codeOf(target);
    }
    if (second !== first) expect((await check(target, first)).code).toBe(2005);
    expect((await check(target, second)).code).toBe(SUCCESS);
    hub.advance(30 * 60_000);
    expect((await check(target, second)).code).toBe(2005);
  });

  test.each([
    ['a millisecond before its 30 minutes are over works', 30 * 60_000 - 1, SUCCESS],
    ['as they are over does not, though nobody has tried it', 30 * 60_000, 2005],
  ])('a code %s', async (_what, after, answer) => {
    const target = `lives-${answer}@example.org`;
    await ask(target);
    const code = await hub.visitor().codeOf(target);
    hub.advance(after);
    expect((await check(target, code)).code).toBe(answer);
  });

  test('a code of one address is nothing at another', async () => {
    await ask('one@example.org');
    const code = await hub.visitor().codeOf('one@example.org');
    expect((await check('two@example.org', code)).code).toBe(2005);
  });

  test('a sender gets three codes an hour for an address, however many ask at once', async () => {
    const target = 'flood@example.org';
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(target)));
    expect(answers.filter((answer) => answer.code === SUCCESS)).toHaveLength(3);
    const refused = answers.filter((answer) => answer.code === 1003);
    expect(refused).toHaveLength(9);
    expect(refused[0]?.msg).toContain('3600');
    hub.advance(HOUR);
    expect((await ask(target)).code).toBe(SUCCESS);
  });

  test('a right code counts as no failure, a wrong one of a live code as one, of no code as none', async () => {
    const target = 'counted@example.org';
    const failures = () => budgets().used('codeFailuresPerTarget', target, hub.now());
    for (let round = 0; round < 3; round += 1) await check(target, '0000');
    expect(await failures()).toBe(0);
    await ask(target);
    const code = await hub.visitor().codeOf(target);
    await check(target, wrongOf(code));
    expect(await failures()).toBe(1);
    expect((await check(target, code)).code).toBe(SUCCESS);
    expect(await failures()).toBe(1);
  });

  test('limits survive a restart: another hub on the same database refuses as well', async () => {
    const target = 'restart@example.org';
    for (let sent = 0; sent < 3; sent += 1) expect((await ask(target)).code).toBe(SUCCESS);
    const who = { address: '127.0.0.1', device: sha256Hex(sender.device ?? ''), about: target };
    expect(await budgets().take('codeSendsPerPair', who, hub.now())).toMatchObject({
      code: { error: 'rate-limited', allowed: '3600' },
    });
  });

  test('codes are stored as keyed hashes only', async () => {
    await ask('stored@example.org');
    const code = await hub.visitor().codeOf('stored@example.org');
    const rows = await hub.database.owner.query('select * from verification_codes where target = $1', [
      'stored@example.org',
    ]);
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`"${code}"`));
  });
});
