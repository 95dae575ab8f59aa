import { expect, type Page } from '@playwright/test';
import { linkFor, press, start } from './admin-link.ts';
import { complaintsOf, expectSound, heard, logInContext, test } from './fixtures.ts';
import { type Installation, startInstallation } from './installation.ts';
import { shownBy } from './security-client.ts';
import { TradePage } from './trade-page.ts';

/** A version of the terms that members agree to before they open anything new, from the box in the back office to the sheet. */

const REASON = 'the fees of the house changed';

// Its terms bind everybody: no other flow plays here.
let installation: Installation;
test.beforeAll(async () => {
  test.setTimeout(400_000);
  installation = await startInstallation({ ADDRESS_LIMIT_FACTOR: '1000', CAPTCHA_WORK_MAX: '500' });
});
test.afterAll(() => installation.stop());

async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

async function because(page: Page, button: string, totp?: string): Promise<void> {
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Reason').fill(REASON);
  if (totp !== undefined) await dialog.getByLabel('Authenticator code').fill(totp);
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await expect(dialog).toBeHidden();
}

test('two admins publish material terms; the sheet lies before the member: put off, a buy is refused by name and a cancel works; agreed to, all is open @full', async ({
  browser,
}) => {
  test.setTimeout(400_000);
  const member = await installation.member('10000');
  const context = await logInContext(browser, installation.url, member);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const trade = new TradePage(page);
  await trade.open(installation.url);
  const price = await trade.priceAwayFromBid(-0.05);
  await trade.limit(price, '0.001');
  await trade.send('Buy');
  await expect(trade.rows()).toHaveCount(1);

  const asker = await start(browser, await linkFor(installation, 'writes@example.org', 'admin'));
  const signer = await start(browser, await linkFor(installation, 'signs@example.org', 'admin'));
  await goTo(asker.page, 'Texts');
  await asker.page.getByLabel('Kind').selectOption('terms');
  await asker.page.getByRole('button', { name: /terms/ }).click();
  const box = asker.page.getByRole('checkbox', { name: /^Material/ });
  await expect(box).not.toBeChecked();
  await box.check();
  await press(asker.page, 'Save draft');
  await because(asker.page, 'Save draft', shownBy(asker.secret, 1));
  await expect(box).toBeChecked();
  await press(asker.page, 'Publish');
  await because(asker.page, 'Publish');
  await goTo(signer.page, 'Decisions of two');
  await signer.page.getByRole('button', { name: 'Approve' }).click();
  await because(signer.page, 'Approve', shownBy(signer.secret, 1));
  const due = () => member.client.must<{ readonly due: readonly object[] }>('x/terms/Due');
  await expect.poll(async () => (await due()).due.length).toBe(1);

  await page.reload();
  const sheet = page.getByRole('alertdialog', { name: 'Our terms have changed' });
  await expect(sheet.getByRole('heading', { name: 'Terms of Service', level: 3 })).toBeVisible();
  await expectSound(page, 'the sheet of new terms');
  await sheet.getByRole('button', { name: 'Later' }).click();
  await expect(sheet).toHaveCount(0);
  const banner = page.getByRole('complementary', { name: 'Our terms have changed' });
  await expect(banner).toBeVisible();

  await trade.live();
  await trade.limit(price, '0.002');
  await trade.send('Buy');
  await heard(page, 'Please agree to them before you open anything new');
  // What was refused for it brings it back.
  await sheet.getByRole('button', { name: 'Later' }).click();
  await trade.orders.getByRole('button', { name: /^Cancel BTCUSDT/ }).click();
  await heard(page, 'Order Cancelled');

  await banner.getByRole('button', { name: 'Read and agree' }).click();
  await sheet.getByRole('button', { name: 'I have read it and agree' }).click();
  await heard(page, 'Everything is open to you again');
  await expect(sheet).toHaveCount(0);
  await expect(banner).toHaveCount(0);
  await trade.send('Buy');
  await expect(trade.rows()).toHaveCount(1);
  expect((await due()).due).toEqual([]);
  await page.goto(`${installation.url}/dashboard/profile`);
  await expect(page.getByText(/Version 2/)).toBeVisible();
  expect(complaints.all).toEqual([]);
});
