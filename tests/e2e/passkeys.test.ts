import { expect, type Page } from '@playwright/test';
import { beside, complaintsOf, heard, test } from './fixtures.ts';
import { addPasskey, named, withAuthenticator } from './passkey-page.ts';
import { bindAuthenticator, bindMobile, codeTo, mailsTo, shownBy } from './security-client.ts';
import { logOut, press } from './security-page.ts';

/** Passkeys, with Chromium's own authenticator behind the page. */

async function isLoggedIn(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/wallet\/WalletOverviewSub/);
  await heard(page, 'Login succeeded!');
}

test('a passkey is added, signs in without a password by keyboard alone, is told of by mail, and is removed', async ({
  browser,
  installation,
}) => {
  const member = await installation.member('1000');
  const { page } = await withAuthenticator(browser, installation, member);
  const complaints = complaintsOf(page);
  await addPasskey(page, installation, member);
  expect((await mailsTo(installation, member.email))[0]?.subject).toContain('a passkey was added');
  await expect(page.getByText(/Nothing can be withdrawn until/)).toBeVisible();

  await logOut(page);
  await page.goto(`${named(installation)}/login`);
  // The page has taken the focus where it begins, and takes it no more.
  await expect(page.getByText('Human check done')).toBeVisible();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter');
  await isLoggedIn(page);

  await page.goto(`${named(installation)}/dashboard/security`);
  const logIns = page.getByRole('region', { name: 'Log-ins of the last 30 days' });
  await expect(logIns.getByText('passkey', { exact: true })).toBeVisible();
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await press(passkeys, 'Remove: Chrome, Linux');
  const dialog = page.locator('dialog');
  await expect(dialog.getByText(/^It is your only second factor/)).toBeVisible();
  // Nothing is typed: the passkey itself says that it is the member who removes it.
  await press(dialog, 'Remove');
  await heard(page, 'Modified successfully!');
  await expect(passkeys).toHaveCount(0);
  expect((await mailsTo(installation, member.email))[0]?.subject).toContain('a passkey was removed');
  // The device still has it, and offers it.
  await logOut(page);
  await page.goto(`${named(installation)}/login`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(beside(page, 'The passkey was not accepted. Please try again.')).toBeVisible();
  expect(complaints.all).toEqual([]);
  await page.context().close();
});

test('a passkey is the step after the password; one that is not confirmed or not possible says so @full', async ({
  browser,
  installation,
}) => {
  const member = await installation.member();
  const { page, device, id } = await withAuthenticator(browser, installation, member);
  await addPasskey(page, installation, member);
  await press(page.getByRole('region', { name: 'Passkeys' }), 'Rename: Chrome, Linux');
  await page.locator('dialog').getByRole('textbox', { name: 'Name' }).fill('Desk');
  await press(page.locator('dialog'), 'Rename');
  await expect(page.getByRole('region', { name: 'Passkeys' }).getByText('Desk')).toBeVisible();
  // One more on the same device is refused by the device itself.
  await press(page.getByRole('main'), 'Add a passkey');
  await press(page.locator('dialog'), 'Add');
  await expect(page.getByText('This device already has a passkey of your account.')).toBeVisible();
  await press(page.locator('dialog'), 'Cancel');
  await logOut(page);

  const logIn = async (url: string): Promise<void> => {
    await page.goto(`${url}/login`);
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill(member.email);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(member.password);
    await press(page.getByRole('main'), 'Log in');
    await expect(page).toHaveURL(/\/otpauth$/);
  };
  await logIn(installation.url);
  await expect(page.getByText(/Browsers have no passkeys for an address that is a number/)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Recovery code' })).toBeVisible();
  await logIn(named(installation));
  await device.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false });
  await press(page.getByRole('main'), 'Use your passkey');
  await expect(page.getByText('Nothing was confirmed. Please try again.')).toBeVisible();
  await device.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: true });
  await press(page.getByRole('main'), 'Use your passkey');
  await isLoggedIn(page);
  await page.context().close();
});

test('a passkey resets a lost authenticator without the wait, and sets a forgotten password @full', async ({
  browser,
  installation,
}) => {
  const member = await installation.member();
  const mobile = `+8170${String(Date.now()).slice(-8)}`;
  await bindMobile(installation, member.client, { password: member.password, mobile });
  const { secret } = await bindAuthenticator(member.client, member.password);
  const { page } = await withAuthenticator(browser, installation, member);
  const main = page.getByRole('main');
  await page.goto(`${named(installation)}/dashboard/security`);
  await press(main, 'Add a passkey');
  const dialog = page.locator('dialog');
  await dialog.getByRole('textbox', { name: 'Authenticator code' }).fill(shownBy(secret));
  await press(dialog, 'Add');
  await expect(page.getByRole('region', { name: 'Passkeys' }).getByText('Chrome, Linux')).toBeVisible();
  await logOut(page);
  // From this log-in on the browser is the member's own.
  await page.goto(`${named(installation)}/login`);
  await press(main, 'Sign in with a passkey');
  await isLoggedIn(page);
  await logOut(page);

  await page.goto(`${named(installation)}/login`);
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(member.email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(member.password);
  await press(main, 'Log in');
  await page.getByRole('button', { name: 'Lost your authenticator?' }).click();
  await press(main, 'Send both codes');
  await expect(page.getByLabel(/Code sent to m\*/)).toBeVisible();
  await page.getByLabel(/Code sent to m\*/).fill(await codeTo(installation, member.email));
  await page.getByLabel(/Code sent to \+81\*/).fill(await codeTo(installation, mobile));
  await press(main, 'Reset now with a passkey');
  await expect(page.getByText('The authenticator is off. Please log in again.')).toBeVisible();

  await page.goto(`${named(installation)}/forgotPassword_A`);
  await page.getByRole('textbox', { name: 'Email' }).fill(member.email);
  await press(main, 'Send code');
  await page.getByRole('button', { name: 'Use it' }).click();
  await press(main, 'Next');
  await press(main, 'Set the password with a passkey');
  await expect(page.getByText('Please enter the new password twice first.')).toBeVisible();
  await page.getByRole('textbox', { name: 'New password' }).fill('Better-horse-9');
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('Better-horse-9');
  await press(main, 'Set the password with a passkey');
  await heard(page, 'Modified successfully!');
  await page.context().close();
});
