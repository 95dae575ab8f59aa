import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { RealProvider } from '../../apps/server/src/accounts/providers/real-provider.fixture.ts';
import { beside, complaintsOf, heard, test } from './fixtures.ts';
import { over } from './hub-database.ts';
import { type Installation, startInstallation } from './installation.ts';
import { logOut } from './security-page.ts';

/** Logging in with another service: a real one, on another site than ours. */

const PASSWORD = 'Correct-horse-7';
const EMAIL = 'ada@example.org';

let provider: RealProvider;
let hub: Installation;
test.beforeAll(async () => {
  provider = await RealProvider.start('localhost');
  provider.people.set('ada', { email: EMAIL, email_verified: true });
  provider.people.set('nobody', {});
  hub = await startInstallation({ ...provider.environment, CAPTCHA_WORK_MAX: '500' });
  provider.serve(hub.url);
});
test.afterAll(async () => {
  await hub.stop();
  await provider.stop();
});

const BUTTON = 'Continue with Example ID';

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('main').getByRole('button', { name, exact: true }).click();
}

/** Fills in the forms of the service, which then sends the browser back. */
async function logInThere(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function findings(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze();
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id);
}

async function openSecurity(page: Page): Promise<void> {
  await page.goto(`${hub.url}/dashboard/security`);
  await expect(page.getByRole('heading', { name: 'Log-in with Example ID' })).toBeVisible();
}

test('a newcomer from another service sets a password and is in, comes back with one press, ends the link, and links it again by logging in @full', async ({
  page,
}) => {
  // The page of that service wants a typeface from outside, which is no matter of ours.
  await page.route('https://fonts.googleapis.com/**', (route) =>
    route.fulfill({ contentType: 'text/css', body: '' }),
  );
  const complaints = complaintsOf(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${hub.url}/regist`);
  await press(page, BUTTON);
  await logInThere(page, 'ada');
  await expect(page).toHaveURL(`${hub.url}/bindPsd`);
  await expect(page.getByText(`Your address here: ${EMAIL}`)).toBeVisible();
  expect(await findings(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  const password = page.getByRole('textbox', { name: 'Password', exact: true });
  await password.focus();
  await page.keyboard.type('short');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/The password is missing/)).toBeVisible();
  await expect(page.getByText('Please agree to the Terms of Service and the Privacy Policy.')).toBeVisible();
  await password.fill(PASSWORD);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('Another-horse-7');
  await page.getByRole('checkbox').focus();
  await page.keyboard.press('Space');
  await press(page, 'Set the password and sign up');
  await expect(page.getByText('The passwords do not match.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/wallet\/WalletOverviewSub/);

  await page.setViewportSize({ width: 1440, height: 900 });
  await logOut(page);
  // Where the visitor was going is where the log-in leads, over two sites and back.
  await page.goto(`${hub.url}/login?next=${encodeURIComponent('/history/funding_history')}`);
  await press(page, BUTTON);
  await expect(page).toHaveURL(/\/history\/funding_history/);

  await openSecurity(page);
  await press(page, 'Unlink');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await expect(page.getByText('Not linked')).toBeVisible();

  await logOut(page);
  await page.goto(`${hub.url}/login`);
  await press(page, BUTTON);
  await expect(page.getByText(`${EMAIL} already has an account here.`, { exact: false })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('link', { name: 'Log in and link' }).click();
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(EMAIL);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
  await press(page, 'Log in');
  const dialog = page.getByRole('dialog', { name: 'Link the log-in with Example ID' });
  await dialog.getByRole('textbox', { name: 'Your password' }).fill('Wrong-horse-7');
  await dialog.getByRole('button', { name: 'Link' }).click();
  await expect(beside(dialog, 'The account or password is not correct.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Link' }).click();
  await expect(page.getByText(/^Linked /)).toBeVisible();
  expect(complaints.all).toEqual([]);
});

test('a service that says no, or does not answer, is said in words with a way on; what waits nowhere says so @full', async ({
  page,
}) => {
  for (const path of ['/oauth', '/bindPsd']) {
    await page.goto(`${hub.url}${path}`);
    await expect(page.getByText('Nothing is waiting here. Please log in first.')).toBeVisible();
  }
  await page.goto(`${hub.url}/oauth?error=access_denied&state=any`);
  await expect(page.getByText('The log-in at Example ID was ended or refused there.')).toBeVisible();
  await expect(page).toHaveURL(`${hub.url}/oauth`);
  await page.goto(`${hub.url}/oauth?code=1e5&state=any`);
  await heard(page, 'Please start again from the first step.');

  await press(page, BUTTON);
  await page.getByPlaceholder('Enter any login').waitFor();
  provider.misbehaves = { at: /^\/token/, how: 'hangs' };
  await logInThere(page, 'nobody');
  await expect(page.getByRole('heading', { name: 'Waiting for Example ID' })).toBeVisible();
  await expect(beside(page, 'Example ID does not answer right now.')).toBeVisible();
  provider.misbehaves = undefined;
  // Without an address that is confirmed there, one is proved here.
  await press(page, BUTTON);
  await expect(page).toHaveURL(`${hub.url}/bindPsd`);
  await page.getByRole('textbox', { name: 'Email' }).fill('somebody@example.org');
  await press(page, 'Send code');
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(PASSWORD);
  await page.getByRole('checkbox').check();
  await press(page, 'Set the password and sign up');
  await expect(page).toHaveURL(/\/wallet\/WalletOverviewSub/);
});

test('what comes back from the service is of one browser, one use and a few minutes: late, used or somebody else’s it opens nothing, and of two tabs one makes the account @full', async ({
  browser,
}) => {
  provider.people.set('eve', { email: 'eve@example.org', email_verified: true });
  const AGAIN = 'Please start again from the first step.';
  const page = await (await browser.newContext()).newPage();
  await page.route('https://fonts.googleapis.com/**', (route) =>
    route.fulfill({ contentType: 'text/css', body: '' }),
  );
  /** Where the service sends this browser, which hands it in only when it is opened once more. */
  const returned = async (tab: Page): Promise<string> => {
    let back = '';
    tab.on('request', (request) => {
      if (/\/oauth\?.*code=/.test(request.url())) back = request.url();
    });
    await tab.route('**/api/user/oauthlogin', (route) => route.abort());
    await tab.goto(`${hub.url}/login`);
    await press(tab, BUTTON);
    const asksWho = tab.getByPlaceholder('Enter any login');
    await expect.poll(async () => back !== '' || (await asksWho.count()) > 0).toBe(true);
    if (back === '') await logInThere(tab, 'eve');
    await expect(tab.getByRole('button', { name: BUTTON })).toBeVisible();
    await tab.unroute('**/api/user/oauthlogin');
    return back;
  };
  const notDone = async (tab: Page): Promise<void> => {
    await heard(tab, AGAIN);
    await expect(tab.getByRole('button', { name: BUTTON })).toBeVisible();
  };
  const first = await returned(page);
  const thief = await (await browser.newContext()).newPage();
  await thief.goto(first);
  await notDone(thief);
  await page.goto(first);
  await expect(page).toHaveURL(/\/bindPsd$/);
  await page.goto(`${hub.url}/about`);
  await page.goto(first);
  await notDone(page);
  const late = await returned(page);
  await over(hub, 'visits');
  await page.goto(late);
  await notDone(page);

  const fills = async (tab: Page): Promise<void> => {
    await tab.goto(await returned(tab));
    await expect(tab).toHaveURL(/\/bindPsd$/);
    for (const name of ['Password', 'Confirm password'])
      await tab.getByRole('textbox', { name, exact: true }).fill(PASSWORD);
    await tab.getByRole('checkbox').check();
  };
  await fills(page);
  await over(hub, 'arrivals');
  await press(page, 'Set the password and sign up');
  await expect(page).toHaveURL(/\/login$/);
  await heard(page, AGAIN);
  const tab = await page.context().newPage();
  const both = [page, tab];
  for (const one of both) await fills(one);
  await Promise.all(both.map((one) => press(one, 'Set the password and sign up')));
  const isIn = (one: Page) => one.url().includes('/wallet/');
  await expect.poll(() => both.filter(isIn).length).toBe(1);
  const second = both.find((one) => !isIn(one)) ?? tab;
  // Told, or led to where it begins again; its browser is logged in either way.
  const isSaid = async () =>
    second.url().includes('/login') || (await second.locator('[data-fault]').count()) > 0;
  await expect.poll(isSaid).toBe(true);
  await expect(second.getByRole('banner').getByRole('button', { name: 'Wallet' })).toBeVisible();
});
