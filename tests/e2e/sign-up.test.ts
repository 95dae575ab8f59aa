import { expect, type Page } from '@playwright/test';
import { complaintsOf, heard, test } from './fixtures.ts';
import { codeTo } from './security-client.ts';

/** Signing up with a mobile number; the way with an address is the stranger's first minute. */

const PASSWORD = 'Correct-horse-7';

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name, exact: true }).click();
}

test('a number typed at home becomes an account: a code by text message, and no address anywhere', async ({
  page,
  installation,
}) => {
  const complaints = complaintsOf(page);
  const digits = String(Date.now()).slice(-8);
  const mobile = `+8190${digits}`;
  await page.goto(installation.url);
  await page.getByRole('textbox', { name: 'Email or phone number' }).fill(`+81 90-${digits}`);
  await press(page, 'Sign up');
  await expect(page.getByRole('button', { name: 'Mobile number' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText(`Sent as ${mobile}`)).toBeVisible();
  const number = page.getByRole('textbox', { name: 'Mobile number' });
  await number.fill('12');
  await press(page, 'Send code');
  await expect(page.getByText('Please enter a correct mobile number!')).toBeVisible();
  await page.getByRole('combobox', { name: 'Country code' }).selectOption('JP');
  await number.fill(`090-${digits.slice(0, 4)}-${digits.slice(4)}`);
  await press(page, 'Send code');
  await heard(page, 'Successfully sent!');
  await page.getByRole('textbox', { name: 'Verification code' }).fill(await codeTo(installation, mobile));
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(PASSWORD);
  await page.getByRole('checkbox', { name: /Terms of Service/ }).check();
  await press(page, 'Sign up');
  await heard(page, 'successfully registered!');

  await page.goto(`${installation.url}/dashboard/security`);
  await expect(page.getByText(`+81******${digits.slice(-2)}`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Set up: Email' })).toBeVisible();
  expect(complaints.all).toEqual([]);
});

test('who has a number alone sets a forgotten password by a text message @full', async ({
  page,
  browser,
  installation,
}) => {
  const digits = String(Date.now() + 1).slice(-8);
  const mobile = `+8190${digits}`;
  const typesNumber = async (tab: Page): Promise<void> => {
    await tab.getByRole('button', { name: 'Mobile number' }).click();
    await tab.getByRole('combobox', { name: 'Country code' }).selectOption('JP');
    await tab.getByRole('textbox', { name: 'Mobile number' }).fill(`90${digits}`);
  };
  const proves = async (tab: Page): Promise<void> => {
    await typesNumber(tab);
    await press(tab, 'Send code');
    await expect(tab.getByText('Successfully sent!')).toBeVisible();
    await tab.getByRole('textbox', { name: 'Verification code' }).fill(await codeTo(installation, mobile));
  };
  const chooses = async (tab: Page, label: string, password: string): Promise<void> => {
    await tab.getByRole('textbox', { name: label, exact: true }).fill(password);
    await tab.getByRole('textbox', { name: 'Confirm password' }).fill(password);
  };
  await page.goto(`${installation.url}/regist`);
  await proves(page);
  await chooses(page, 'Password', PASSWORD);
  await page.getByRole('checkbox', { name: /Terms of Service/ }).check();
  await press(page, 'Sign up');
  await expect(page.getByText('successfully registered!')).toBeVisible();

  const elsewhere = await (await browser.newContext()).newPage();
  const complaints = complaintsOf(elsewhere);
  await elsewhere.goto(`${installation.url}/forgotPassword_A`);
  await proves(elsewhere);
  await press(elsewhere, 'Next');
  await expect(elsewhere).toHaveURL(/\/forgotPassword_B$/);
  await chooses(elsewhere, 'New password', 'Better-horse-9');
  await press(elsewhere, 'Set the password');
  await expect(elsewhere.getByText('Modified successfully!')).toBeVisible();
  await expect(elsewhere).toHaveURL(/\/login$/);
  expect(complaints.all).toEqual([]);
  // The session of before is over.
  await page.goto(`${installation.url}/dashboard/security`);
  await expect(page).toHaveURL(/\/login/);
  await elsewhere.context().close();
});
