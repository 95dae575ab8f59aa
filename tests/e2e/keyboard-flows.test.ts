import { expect, type Page } from '@playwright/test';
import { linkFor, start } from './admin-link.ts';
import { complaintsOf, heard, test } from './fixtures.ts';
import { focused, tabTo } from './focus.ts';
import { bindAuthenticator, codeTo, handInPapers, shownBy } from './security-client.ts';

/** Whole flows by keyboard alone: nothing is clicked, and the focus is where the next thing is to be typed. */

const PASSWORD = 'Correct-horse-7';

/** Types where the focus is, once it is there. */
async function types(page: Page, name: RegExp, text: string): Promise<void> {
  await expect.poll(() => focused(page)).toMatch(name);
  await page.keyboard.type(text);
}

async function presses(page: Page, name: RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

test('an account is made, left and entered again with an authenticator by keyboard alone @full', async ({
  browser,
  page,
  installation,
}) => {
  const complaints = complaintsOf(page);
  const email = `keys-${Date.now()}@example.org`;
  await page.goto(`${installation.url}/regist`);
  await types(page, /^Email$/, email);
  await presses(page, /^Send code$/);
  await heard(page, 'Successfully sent!');
  await types(page, /^Verification code$/, '12');
  await tabTo(page, /^Password$/);
  await types(page, /^Password$/, PASSWORD);
  await tabTo(page, /^Confirm password$/);
  await types(page, /^Confirm password$/, PASSWORD);
  await presses(page, /^I agree/, 'Space');
  await presses(page, /^Sign up$/);
  // The first wrong field has the focus.
  await expect.poll(() => focused(page)).toMatch(/^Verification code$/);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(await codeTo(installation, email));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/wallet\//);
  expect(complaints.all).toEqual([]);

  const member = await installation.member();
  const { secret } = await bindAuthenticator(member.client, member.password);
  const other = await (await browser.newContext()).newPage();
  await other.goto(`${installation.url}/login`);
  await types(other, /^Email$/, member.email);
  await tabTo(other, /^Password$/);
  await types(other, /^Password$/, member.password);
  await other.keyboard.press('Enter');
  await expect(other).toHaveURL(/\/otpauth$/);
  await types(other, /^Authenticator code/, shownBy(secret, -9));
  await other.keyboard.press('Enter');
  const field = other.getByRole('textbox', { name: /^Authenticator code/ });
  await expect(field).toHaveAccessibleDescription(/not correct or was already used/);
  await tabTo(other, /^Authenticator code/);
  await other.keyboard.press('ControlOrMeta+a');
  await other.keyboard.type(shownBy(secret));
  await other.keyboard.press('Enter');
  await expect(other).toHaveURL(/\/wallet\//);
  await other.context().close();
});

test('papers are found, looked at, closed and passed in the back office by keyboard alone, and the focus comes back to their row @full', async ({
  browser,
  installation,
}) => {
  const { client } = await installation.member();
  await handInPapers(client);
  const { tid } = client;
  const link = await linkFor(installation, `kyc-keys-${tid}@example.org`, 'kyc');
  const { page, secret } = await start(browser, link);
  const complaints = complaintsOf(page);
  const opener = new RegExp(`^Open the papers of member ${tid}$`);
  await presses(page, /^Identity checks$/);
  await presses(page, opener);
  const papers = page.getByRole('dialog', { name: `Papers of member ${tid}` });
  await expect(papers.getByRole('img', { name: 'Face' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(papers).toHaveCount(0);
  await expect.poll(() => focused(page)).toMatch(opener);
  await page.keyboard.press('Enter');
  await presses(page, /^Pass$/);
  const passing = page.getByRole('alertdialog');
  await expect(passing).toBeVisible();
  for (const check of await passing.getByRole('checkbox').all()) {
    const name = (
      await check.evaluate((one) => (one as HTMLInputElement).labels?.[0]?.textContent ?? '')
    ).trim();
    await tabTo(page, new RegExp(`^${name.replaceAll(/[^\w\s]/g, '.')}$`));
    await page.keyboard.press('Space');
    await expect(check).toBeChecked();
  }
  await tabTo(page, /^Reason$/);
  await types(page, /^Reason$/, 'compared by hand');
  await tabTo(page, /^Authenticator code$/);
  await types(page, /^Authenticator code$/, shownBy(secret, 1));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Done.')).toBeVisible();
  await expect(page.getByRole('button', { name: opener })).toHaveCount(0);
  expect(complaints.all).toEqual([]);
  await page.context().close();
});
