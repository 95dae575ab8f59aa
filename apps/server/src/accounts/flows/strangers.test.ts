import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type PlayedProxy,
  playedProxy,
  startTestHub,
  TEST_PASSWORD,
  type TestHub,
} from '../../main/testing.ts';
import { budgetsStore } from '../../storage/stores/members/budgets-store.ts';
import { ACCOUNT_BUDGETS, type AddressBudgetName, accountBudgets } from '../budgets.ts';

/** What strangers do from other networks, told by what the owner of an address keeps. */

let proxy: PlayedProxy;
let hub: TestHub;
beforeAll(async () => {
  proxy = await playedProxy();
  hub = await startTestHub({ environment: proxy.environment });
});
afterAll(() => hub.close());

const SUCCESS = 1;
let networks = 0;

/** A browser in a network where nobody was yet. */
function somebody() {
  networks += 1;
  return proxy.visitor(`198.51.${Math.floor(networks / 250)}.${(networks % 250) + 1}`);
}

type Browser = ReturnType<typeof somebody>;

async function ask(browser: Browser, target: string): Promise<number> {
  const captcha = await browser.captcha();
  return (await browser.call('sms/sms', { target, purpose: 'register', captcha })).code;
}

async function check(browser: Browser, target: string, code: string): Promise<number> {
  return (await browser.call('user/checkcode', { target, purpose: 'register', code })).code;
}

const wrongOf = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0');

async function mailsTo(target: string): Promise<number> {
  const rows = await hub.database.owner.query<{ n: string }>(
    'select count(*) as n from outbox_mails where recipient = $1',
    [target],
  );
  return Number(rows[0]?.n);
}

/** Wrong guesses until the target's 4-digit codes are compared no more. */
async function guessAt(target: string): Promise<void> {
  for (let codes = 0; codes < 2; codes += 1) {
    const stranger = somebody();
    expect(await ask(stranger, target)).toBe(SUCCESS);
    const wrong = wrongOf(await stranger.codeOf(target));
    for (let guess = 0; guess < 5; guess += 1) expect(await check(stranger, target, wrong)).toBe(2005);
  }
}

describe('codes', () => {
  test('strangers who guess at a live code, even right, compare nothing and use up nothing of it', async () => {
    const target = 'watched@example.org';
    const owner = somebody();
    await ask(owner, target);
    const code = await owner.codeOf(target);
    for (let count = 0; count < 12; count += 1) expect(await check(somebody(), target, code)).toBe(2005);
    expect(await check(owner, target, code)).toBe(SUCCESS);
  });

  test('174 wrong guesses from three networks stop these three, and nobody else', async () => {
    const owner = somebody();
    await ask(owner, 'owner@example.org');
    const guess = async (stranger: Browser, count: number) =>
      (await check(stranger, count % 2 === 0 ? 'owner@example.org' : `any${count}@example.org`, '0000')) ?? 0;
    for (const stranger of [somebody(), somebody(), somebody()]) {
      const codes = await Promise.all(Array.from({ length: 62 }, (_none, at) => guess(stranger, at)));
      expect(codes.filter((code) => code === 2005)).toHaveLength(60);
      expect(codes.filter((code) => code === 1003)).toHaveLength(2);
    }
    expect(await check(owner, 'owner@example.org', await owner.codeOf('owner@example.org'))).toBe(SUCCESS);
  });

  test('an address at which codes were guessed wrong ten times gets a long one, from any network', async () => {
    const target = 'guessed@example.org';
    const owner = somebody();
    await ask(owner, target);
    const short = await owner.codeOf(target);
    await guessAt(target);
    expect(await check(owner, target, short)).toBe(2034);
    const long = await owner.codeOf(target);
    expect(long).toMatch(/^[0-9]{12}$/);
    for (let count = 0; count < 12; count += 1) {
      expect(await check(somebody(), target, `${count}`.padStart(12, '0'))).toBe(2005);
    }
    expect(await check(somebody(), target, long)).toBe(SUCCESS);
    const answer = await owner.call('user/checkcode', { target, purpose: 'register', code: long });
    const made = {
      email: target,
      password: TEST_PASSWORD,
      agree: 'true',
      flow: answer.data?.flow ?? '',
    } as const;
    expect((await owner.call('user/usernew', made)).code).toBe(SUCCESS);
  });

  test('strangers who ask for an address fill no mailbox, and its owner has a code that works', async () => {
    const target = 'flooded@example.org';
    for (let count = 0; count < 9; count += 1) expect(await ask(somebody(), target)).toBe(SUCCESS);
    expect(await mailsTo(target)).toBe(4);
    const owner = somebody();
    expect(await ask(owner, target)).toBe(SUCCESS);
    expect(await mailsTo(target)).toBe(4);
    hub.advance(10 * 60_000);
    for (let count = 0; count < 5; count += 1) expect(await ask(somebody(), target)).toBe(SUCCESS);
    expect(await mailsTo(target)).toBe(5);
    expect(await check(owner, target, await owner.codeOf(target))).toBe(SUCCESS);
  });

  test('a long code that was checked is not replaced before it is used', async () => {
    const target = 'kept@example.org';
    for (let count = 0; count < 4; count += 1) await ask(somebody(), target);
    const owner = somebody();
    const flow = await owner.call('user/checkcode', {
      ...{ target, purpose: 'register' },
      code: await owner.codeOf(target),
    });
    hub.advance(11 * 60_000);
    await ask(somebody(), target);
    expect(await mailsTo(target)).toBe(4);
    const made = {
      email: target,
      password: TEST_PASSWORD,
      agree: 'true',
      flow: flow.data?.flow ?? '',
    } as const;
    expect((await owner.call('user/usernew', made)).code).toBe(SUCCESS);
  });

  test('a day of wrong guesses over all addresses makes codes long for everybody, and stops nobody', async () => {
    const owner = somebody();
    await ask(owner, 'honest@example.org');
    const short = await owner.codeOf('honest@example.org');
    const budgets = accountBudgets(budgetsStore(hub.database.owner), 1);
    const { usesMax } = ACCOUNT_BUDGETS.codeFailuresOfAll;
    while ((await budgets.count('codeFailuresOfAll', 'all', hub.now())) < usesMax);
    expect(await check(owner, 'honest@example.org', short)).toBe(2034);
    expect(await check(owner, 'honest@example.org', await owner.codeOf('honest@example.org'))).toBe(SUCCESS);
    const other = somebody();
    await ask(other, 'later@example.org');
    expect(await other.codeOf('later@example.org')).toMatch(/^[0-9]{12}$/);
    hub.advance(ACCOUNT_BUDGETS.codeFailuresOfAll.windowMillis);
    await ask(other, 'next-day@example.org');
    expect(await other.codeOf('next-day@example.org')).toMatch(/^[0-9]{4}$/);
  });
});

test('neighbours behind one address who use up its budgets do not stop a member in his own browser', async () => {
  const address = '203.0.113.99';
  const owner = proxy.visitor(address);
  const email = 'neighbour@example.org';
  const flow = await owner.flowFor(email);
  const made = { email, password: TEST_PASSWORD, agree: 'true', flow } as const;
  expect((await owner.call('user/usernew', made)).code).toBe(SUCCESS);
  const budgets = accountBudgets(budgetsStore(hub.database.owner), 1);
  for (const budget of ['loginsPerAddress', 'codeTriesPerAddress', 'codeSendsPerAddress'] as const) {
    while ((await budgets.take(budget, { address }, hub.now())) === undefined);
  }
  while ((await budgets.take('loginsPerPair', { address, about: email }, hub.now())) === undefined);
  const neighbour = proxy.visitor(address);
  expect((await neighbour.logIn(email)).code).toBe(1003);
  expect(await ask(neighbour, email)).toBe(1003);
  expect(await check(neighbour, email, '0000')).toBe(1003);
  expect((await owner.logIn(email)).code).toBe(SUCCESS);
  expect(await ask(owner, email)).toBe(SUCCESS);
  expect(await check(owner, email, '0000')).toBe(2005);
});

describe('log-ins', () => {
  const email = 'target@example.org';
  const logIn = async (browser: Browser, password: string, account?: string) =>
    (
      await browser.call('user/login', {
        ...{ account: email, password },
        captcha: await browser.captcha(account),
      })
    ).code;

  test('wrong passwords from many networks make the log-in dearer and never stop the owner', async () => {
    const owner = somebody();
    const flow = await owner.flowFor(email);
    const made = { email, password: TEST_PASSWORD, agree: 'true', flow } as const;
    expect((await owner.call('user/usernew', made)).code).toBe(SUCCESS);
    // Work of the lowest class is taken until two classes more are due.
    const stranger = somebody();
    for (let count = 0; count < 10; count += 1) expect(await logIn(stranger, 'Wrong-horse-7')).toBe(2007);
    expect(await logIn(stranger, 'Wrong-horse-7', email)).toBe(1003);
    expect(await logIn(somebody(), 'Wrong-horse-7')).toBe(2001);
    for (let count = 0; count < 3; count += 1) {
      const next = somebody();
      for (let guess = 0; guess < 10; guess += 1)
        expect(await logIn(next, 'Wrong-horse-7', email)).toBe(2007);
    }
    const elsewhere = somebody();
    expect(await logIn(elsewhere, TEST_PASSWORD)).toBe(2001);
    expect(await logIn(elsewhere, TEST_PASSWORD, email)).toBe(SUCCESS);
    // Where the owner has logged in before he does no more work than ever.
    expect(await logIn(owner, TEST_PASSWORD)).toBe(SUCCESS);
    expect(await logIn(somebody(), TEST_PASSWORD, email)).toBe(SUCCESS);
  });

  test('parallel guesses do not share one count: work of the lowest class buys ten of forty', async () => {
    const account = 'parallel@example.org';
    const solved = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const browser = somebody();
        return { browser, captcha: await browser.captcha(account) };
      }),
    );
    const answers = await Promise.all(
      solved.map(({ browser, captcha }) =>
        browser.call('user/login', { account, password: 'Wrong-horse-7', captcha }),
      ),
    );
    const tried = answers.filter(({ code }) => code === 2007).length;
    expect(answers.filter(({ code }) => code === 2001)).toHaveLength(40 - tried);
    expect(tried).toBe(10);
    // Those that were refused took nothing off the count either.
    const usual = (await somebody().call('pub/getcaptcha', {})).data?.maxnumber ?? 0;
    expect((await somebody().call('pub/getcaptcha', { account })).data?.maxnumber).toBe(usual * 4);
  });

  test('work is asked for alike of an account that does not exist', async () => {
    const challenge = async (account: string) =>
      (await somebody().call('pub/getcaptcha', { account })).data?.maxnumber;
    const unknown = 'nobody@example.org';
    const before = await challenge(unknown);
    const stranger = somebody();
    for (let count = 0; count < 5; count += 1) {
      const captcha = await stranger.captcha(unknown);
      await stranger.call('user/login', { account: unknown, password: 'Wrong-horse-7', captcha });
    }
    expect(await challenge(unknown)).toBe((before ?? 0) * 2);
  });
});

describe('made-up cookies of browsers', () => {
  const madeUp = (count: number) => `${count}`.padStart(43, 'A');

  test('do not make one network many: its log-ins over all accounts end where they would without', async () => {
    const browser = proxy.visitor('203.0.113.77');
    // Most of them straight from the budget: a hundred captchas take their time.
    const budgets = accountBudgets(budgetsStore(hub.database.owner), 1);
    const { usesMax } = ACCOUNT_BUDGETS.loginsPerAddress;
    const tried = async (count: number) => {
      const account = `any${count}@example.org`;
      const captcha = await browser.captcha();
      browser.device = madeUp(count);
      return (await browser.call('user/login', { account, password: 'Wrong-horse-7', captcha })).code;
    };
    for (let count = 0; count < 3; count += 1) expect(await tried(count)).toBe(2007);
    for (let count = 3; count < usesMax; count += 1) {
      const sender = { address: '203.0.113.77', device: madeUp(count) };
      expect(await budgets.take('loginsPerAddress', sender, hub.now())).toBeUndefined();
    }
    expect(await tried(usesMax)).toBe(1003);
  });

  const names = (Object.keys(ACCOUNT_BUDGETS) as (keyof typeof ACCOUNT_BUDGETS)[]).filter(
    (name): name is AddressBudgetName => name.endsWith('PerAddress'),
  );
  test.each(names)('%s is the same for each of them', async (name) => {
    const budgets = accountBudgets(budgetsStore(hub.database.owner), 1);
    const take = (count: number, address = '203.0.113.78') =>
      budgets.take(name, { address, device: madeUp(count) }, hub.now());
    const { usesMax } = ACCOUNT_BUDGETS[name];
    for (let count = 0; count < usesMax; count += 1) expect(await take(count)).toBeUndefined();
    expect(await take(usesMax)).toMatchObject({ ok: false });
    expect(await take(usesMax, '203.0.113.79')).toBeUndefined();
    // What is given back is given back to the network, too.
    await budgets.undoTake(name, { address: '203.0.113.79', device: madeUp(0) });
    for (let count = 0; count < usesMax; count += 1)
      expect(await take(count, '203.0.113.79')).toBeUndefined();
  });
});

test('a site with a /48 has the budgets of ten networks, not of 65,536', async () => {
  const budgets = accountBudgets(budgetsStore(hub.database.owner), 1);
  const networkOf = (network: number) => `2001:db8:7:${network.toString(16)}::1`;
  // Most of them straight from the budget: 600 requests take their time.
  for (let network = 0; network < 19; network += 1) {
    const sender = { address: networkOf(network) };
    for (let count = 0; count < 30; count += 1)
      expect(await budgets.take('codeTriesPerAddress', sender, hub.now())).toBeUndefined();
  }
  const codes: number[] = [];
  for (let network = 19; network < 24; network += 1) {
    const browser = proxy.visitor(networkOf(network));
    for (let count = 0; count < 12; count += 1) codes.push(await check(browser, 'any@example.org', '0000'));
  }
  expect(codes.filter((code) => code === 2005)).toHaveLength(30);
  expect(codes.filter((code) => code === 1003)).toHaveLength(30);
});
