import { createServer } from 'node:http';
import { CALLS } from '@crossbook/contract';
import { expect, type Page } from '@playwright/test';
import { modulesOfPath, modulesOfText } from '../../apps/web/src/screens/fields/qr-modules.fixture.ts';
import { beside, complaintsOf, expectSound, heard, test, toast } from './fixtures.ts';
import type { Member } from './installation.ts';
import { TradePage } from './trade-page.ts';

/** Logged in, logged out, and pages of other people that would like to act as us. */

const PROTECTED = [
  '/wallet',
  '/history',
  '/dashboard',
  '/wallet/WalletOverviewSub',
  '/wallet/TransferSub',
  '/history/spot_trading_overview',
  '/dashboard/profile',
];

function storedToken(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('token'));
}

/** A page on another origin that posts a form to the hub by itself, as soon as it is open. */
async function attackerPage(
  host: string,
  action: string,
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
  const html = `<!doctype html><form method="post" action="${action}">${inputs.join('')}</form>
    <script>document.forms[0].submit()</script>`;
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://${host}:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function logIn(page: Page, member: Member): Promise<void> {
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(member.email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(member.password);
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
}

/** In a browser that is new to the member, the code that was mailed, from the outbox's newest mail. */
async function proveBrowser(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/otp$/);
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
}

test('a protected page sends a visitor to the login, and the login back to where he wanted to go', async ({
  page,
  installation,
}) => {
  for (const path of PROTECTED) {
    await page.goto(`${installation.url}${path}`);
    await expect(page).toHaveURL(/\/login\?next=/);
  }
  await page.goto(`${installation.url}/history/spot_trading_overview`);
  await logIn(page, await installation.member());
  await proveBrowser(page);
  await expect(page).toHaveURL(`${installation.url}/history/spot_trading_overview`);
  await heard(page, 'Login succeeded!');
});

test('who is logged in is led on from the log-in and the sign-up page; a demo, and who was logged in, find the form @full', async ({
  browser,
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const page = await memberPage(member);
  const complaints = complaintsOf(page);
  for (const [path, leadsTo] of [
    ['/login', '/wallet/WalletOverviewSub'],
    ['/login?next=%2Fhistory%2Ffunding_history', '/history/funding_history'],
    ['/login?next=%2Flogin', '/wallet/WalletOverviewSub'],
    ['/regist?ref=ABC', '/wallet/WalletOverviewSub'],
  ] as const) {
    await page.goto(`${installation.url}${path}`);
    await expect(page, path).toHaveURL(`${installation.url}${leadsTo}`);
  }
  const form = (of: Page) => of.getByRole('heading', { name: 'Log in', level: 1 });
  await member.client.must('user/layout');
  await page.goto(`${installation.url}/login?next=%2Fhistory%2Ffunding_history`);
  await expect(form(page)).toBeVisible();
  expect(await storedToken(page)).toBeNull();
  await logIn(page, member);
  await proveBrowser(page);
  await expect(page).toHaveURL(/\/history\/funding_history$/);
  // A new password ends the sessions of its account, the one of this browser too.
  await page.goto(`${installation.url}/forgotPassword_A`);
  await page.getByRole('textbox', { name: 'Email' }).fill(member.email);
  await page.getByRole('main').getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Next' }).click();
  for (const name of ['New password', 'Confirm password'])
    await page.getByRole('textbox', { name }).fill('Better-horse-9');
  await page.getByRole('button', { name: 'Set the password', exact: true }).click();
  await expect(form(page)).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);

  const demo = await (await browser.newContext()).newPage();
  await demo.goto(installation.url);
  await demo.getByRole('button', { name: 'Try it now with test funds' }).click();
  await expect(demo).toHaveURL(/\/spot\//);
  await demo.goto(`${installation.url}/login`);
  await expect(form(demo)).toBeVisible();
  await demo.goto(`${installation.url}/regist`);
  await expect(demo.getByRole('heading', { name: 'Keep this account', level: 1 })).toBeVisible();
  expect(complaints.all).toEqual([]);
});

test('a wrong password is refused in words and nobody is logged in @full', async ({ page, installation }) => {
  const member = await installation.member();
  await page.goto(`${installation.url}/login`);
  await logIn(page, { ...member, password: 'Wrong-horse-7' });
  await expect(beside(page, 'The account or password is not correct.')).toBeVisible();
  await expect(toast(page)).toHaveText(['The account or password is not correct.']);
  await expect(page).toHaveURL(/\/login/);
  expect(await storedToken(page)).toBeNull();
});

test('log out asks first; no changes nothing, yes ends the session here and at the server', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const page = await memberPage(member);
  await page.goto(`${installation.url}/wallet/WalletOverviewSub`);
  const ask = async (): Promise<void> => {
    await page.getByRole('banner').getByRole('button', { name: 'Dashboard' }).click();
    await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click();
  };
  const dialog = page.getByRole('alertdialog', { name: 'Log out' });
  await ask();
  await expect(dialog).toContainText('Are you sure you want to log out?');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await storedToken(page)).toBe(member.client.token);

  await ask();
  await dialog.getByRole('button', { name: 'Log out' }).click();
  await heard(page, 'You are logged out.');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log In' })).toBeVisible();
  expect(await storedToken(page)).toBeNull();
  expect((await member.client.call('security/userinfo')).code).toBe(-2);
  await page.goto(`${installation.url}/wallet/WalletOverviewSub`);
  await expect(page).toHaveURL(/\/login\?next=/);
});

test('a session that ended elsewhere: the first answer with code -2 clears the token', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const page = await memberPage(member);
  await page.goto(`${installation.url}/about`);
  // No live connection stands on this page: nobody tells it, so the next call has to.
  await expect(page.getByRole('banner').getByRole('button', { name: 'Wallet' })).toBeVisible();
  // What the page asks by itself is answered, so that the next call is the click's.
  await page.waitForLoadState('networkidle');
  await member.client.must('user/layout');
  await page.getByRole('banner').getByRole('button', { name: 'Wallet' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Overview' }).click();
  await expect.poll(() => storedToken(page)).toBeNull();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log In' })).toBeVisible();
});

test('logging out in one tab logs out the other one @full', async ({ installation, memberPage }) => {
  const page = await memberPage(await installation.member('10000'));
  const trade = new TradePage(page);
  await trade.open(installation.url);
  const other = await page.context().newPage();
  await other.goto(`${installation.url}/market`);
  await other.getByRole('banner').getByRole('button', { name: 'Dashboard' }).click();
  await other.getByRole('banner').getByRole('button', { name: 'Log out' }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log In' })).toBeVisible();
  await expect(trade.ticket.getByRole('link', { name: 'Log In' })).toBeVisible();
});

test('no page of another origin can act for a member, not even one that knows the token', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member('10000');
  const page = await memberPage(member);
  await page.goto(`${installation.url}/wallet/WalletOverviewSub`);
  const cookies = await page.context().cookies(installation.url);
  expect(await page.evaluate(() => document.cookie)).toBe('');
  const before = await member.client.tradingBalances();
  const attacks = [
    {
      path: '/api/connexfunding/UniversalTransfer',
      fields: { platformType: '43', direction: '2', asset: 'USDT', amount: '500' },
    },
    { path: '/api/user/layout', fields: {} },
  ];
  // Another site gets no cookie at all; another port of the same host is the same site and gets one.
  for (const host of ['localhost', '127.0.0.1']) {
    for (const { path, fields } of attacks) {
      const attacker = await attackerPage(host, `${installation.url}${path}`, {
        ...fields,
        stoken: member.client.token,
        sosflag: '3',
      });
      const victim = await page.context().newPage();
      const answer = victim.waitForResponse((response) => response.url().endsWith(path));
      await victim.goto(attacker.url);
      expect(((await (await answer).json()) as { code: number }).code).not.toBe(1);
      await victim.close();
      await attacker.close();
    }
  }
  expect(await member.client.tradingBalances()).toEqual(before);
  expect((await member.client.call('security/userinfo')).code).toBe(1);
  expect(cookies.map(({ name }) => name)).toEqual(['sid']);
});

test('no call at all does what a page of another origin asks for, with cookie and token @full', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member();
  const page = await memberPage(member);
  const victim = await page.context().newPage();
  for (const name of Object.keys(CALLS)) {
    const path = `/api/${name}`;
    const fields = { stoken: member.client.token, sosflag: '3' };
    // Another port of the same host is the same site: its page brings the cookie along.
    const attacker = await attackerPage('127.0.0.1', `${installation.url}${path}`, fields);
    const answer = victim.waitForResponse((response) => response.url().endsWith(path));
    await victim.goto(attacker.url);
    expect(((await (await answer).json()) as { code: number }).code, name).toBe(1008);
    await attacker.close();
  }
  expect((await member.client.call('security/userinfo')).code).toBe(1);
});

test('the cookies of a session are out of reach of scripts and of other sites', async ({
  page,
  installation,
}) => {
  await page.goto(`${installation.url}/login`);
  await logIn(page, await installation.member());
  await proveBrowser(page);
  await expect(page).toHaveURL(/\/wallet\/WalletOverviewSub/);
  // The session, and the device that it began on.
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name }) => name).sort()).toEqual(['did', 'sid']);
  for (const cookie of cookies)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
  expect(await page.evaluate(() => document.cookie)).toBe('');
});

test('a member passes a link on, and who follows it finds the code filled in @full', async ({
  browser,
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member());
  await page.goto(installation.url);
  await page.getByRole('banner').getByRole('button', { name: 'Dashboard' }).click();
  await page.getByRole('link', { name: 'Self-Referral' }).click();
  await expect(page.getByText('you earn 10 USDT')).toBeVisible();
  await expect(page.getByText('Nobody has come with your code yet.')).toBeVisible();
  const code = await page.getByRole('button', { name: 'Copy the code' }).getAttribute('title');
  const link = await page.getByRole('button', { name: 'Copy the link' }).getAttribute('title');
  expect(link).toBe(`${installation.url}/regist?ref=${code}`);
  const drawn = page.getByRole('img', { name: 'QR code of the link' });
  await expect(drawn).toBeVisible();
  expect(modulesOfPath((await drawn.locator('path').getAttribute('d')) ?? '')).toEqual(
    modulesOfText(link ?? ''),
  );
  const stranger = await browser.newPage();
  await stranger.goto(link ?? '');
  await expect(stranger.getByRole('textbox', { name: /Referral code/ })).toHaveValue(code ?? '');
  await stranger.context().close();
});

test('a member whose rewards wait for the promotion account reads so, in three languages and on a phone @full', async ({
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member());
  const complaints = complaintsOf(page);
  // Real ones wait when the promotion account is empty; here the page is answered as if.
  await page.route('**/api/invite/namuinvitereward', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { readonly data: object };
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, late: true } } });
  });
  await page.route('**/api/security/userinfo', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { readonly data: object };
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, tkropen: true } } });
  });
  await page.goto(`${installation.url}/dashboard/self_referral`);
  for (const [language, theme, width, said] of [
    [
      'en',
      'dark',
      1440,
      'Rewards that are due wait until the promotion account is filled. They are not lost.',
    ],
    [
      'ja',
      'light',
      390,
      '支払日を過ぎた報酬は、プロモーション口座に資金が入るまで保留されます。失われることはありません。',
    ],
    [
      'ko',
      'dark',
      390,
      '지급일이 지난 보상은 프로모션 계정에 자금이 채워질 때까지 대기합니다. 사라지지 않습니다.',
    ],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate(
      (kept) => {
        for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
      },
      { theme, 'language mode': language },
    );
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.getByText(said)).toBeVisible();
    await expectSound(page, `late rewards in ${language}`);
  }
  expect(complaints.all).toEqual([]);
});

test('a text is copied where the clipboard is unavailable too, and one that cannot be copied says so @full', async ({
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member());
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.goto(`${installation.url}/dashboard/self_referral`);
  const code = page.getByRole('button', { name: 'Copy the code' });
  const copied = page.evaluate(
    () =>
      new Promise<string>((heard) => {
        document.addEventListener('copy', () => heard(String(document.getSelection() ?? '')), { once: true });
      }),
  );
  await code.click();
  await expect(page.getByText('Copy Successful')).toBeVisible();
  expect(await copied).toBe(await code.getAttribute('title'));
  await page.evaluate(() => {
    document.execCommand = () => false;
  });
  await code.click();
  await expect(page.getByText('Copy failed')).toBeVisible();
  await expect(page.getByText('Failed to copy text')).toBeVisible();
});
